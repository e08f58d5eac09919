//! Numbers for the names that caller and callee compare in the handshake.

use rustc_hash::FxHashMap;
use std::sync::{Mutex, PoisonError};
use whydunit_trace::token::Token;

/// Gives every name one number for the life of a JVM, however many threads load classes: the one that the replay
/// expects, or the next one that is free.
#[derive(Debug, Default)]
pub struct Tokens {
    names: Mutex<FxHashMap<u32, String>>,
}

impl Tokens {
    /// No caller leaves it.
    pub(crate) const NOBODYS: u32 = i32::MIN.cast_unsigned();

    /// A method by itself: its class matters.
    pub fn method(&self, owner: &str, name: &str, descriptor: &str) -> u32 {
        self.number(Token::method(owner, name, descriptor))
    }

    /// All instance methods of this name: the receiver's class is compared apart.
    pub fn signature(&self, name: &str, descriptor: &str) -> u32 {
        self.number(Token::signature(name, descriptor))
    }

    fn number(&self, mut token: Token) -> u32 {
        let mut names = self.names.lock().unwrap_or_else(PoisonError::into_inner);
        while names.get(&token.number).is_some_and(|other| *other != token.name) {
            token.next();
        }
        names.entry(token.number).or_insert(token.name);
        token.number
    }
}
