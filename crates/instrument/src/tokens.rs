//! Numbers for the names that caller and callee compare in the handshake.

use rustc_hash::FxHashMap;
use std::sync::{Mutex, PoisonError};

/// Gives every name one number for the life of a JVM, however many threads load classes.
#[derive(Debug, Default)]
pub struct Tokens {
    by_name: Mutex<FxHashMap<String, u32>>,
}

impl Tokens {
    /// A method by itself: its class matters.
    pub fn method(&self, owner: &str, name: &str, descriptor: &str) -> u32 {
        self.number(format!("{owner}.{name}{descriptor}"))
    }

    /// All instance methods of this name: the receiver's class is compared apart.
    pub fn signature(&self, name: &str, descriptor: &str) -> u32 {
        self.number(format!("{name}{descriptor}"))
    }

    /// Numbers start at 1; 0 means that no caller has left a token.
    fn number(&self, name: String) -> u32 {
        let mut by_name = self.by_name.lock().unwrap_or_else(PoisonError::into_inner);
        let next = by_name.len() as u32 + 1;
        *by_name.entry(name).or_insert(next)
    }
}
