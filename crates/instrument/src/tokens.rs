//! Numbers for the names that caller and callee compare in the handshake.

use rustc_hash::FxHashMap;
use std::collections::hash_map::Entry;
use std::sync::{Mutex, MutexGuard, PoisonError};
use whydunit_trace::token::Token;

/// Gives every name one number for the life of a JVM, however many threads load classes: the one that the replay
/// expects, or the next one that is free.
#[derive(Debug, Default)]
pub struct Tokens {
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    names: FxHashMap<u32, String>,
    moved: Vec<Token>,
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

    /// Names that got another number than the replay expects since this was last called.
    pub fn take_moved(&self) -> Vec<Token> {
        std::mem::take(&mut self.state().moved)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn number(&self, mut token: Token) -> u32 {
        let mut state = self.state();
        let expected = token.number;
        while state.names.get(&token.number).is_some_and(|other| *other != token.name) {
            token.next();
        }
        let number = token.number;
        if let Entry::Vacant(entry) = state.names.entry(number) {
            entry.insert(token.name.clone());
            if number != expected {
                state.moved.push(token);
            }
        }
        number
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two methods with the same number.
    fn collision() -> (String, String) {
        let mut seen = FxHashMap::default();
        let names = (0..).map(|n| format!("method{n}"));
        names
            .filter_map(|name| Some((seen.insert(Token::method("A", &name, "()V").number, name.clone())?, name)))
            .next()
            .unwrap_or_default()
    }

    #[test]
    fn names_with_the_same_number() {
        let (first, second) = collision();
        let tokens = Tokens::default();
        let numbers = || [&first, &second].map(|name| tokens.method("A", name, "()V"));
        let [one, other] = numbers();
        assert_ne!(one, other);
        assert_eq!((one % 2, other % 2), (1, 1));
        assert_eq!(numbers(), [one, other]);
        let moved = tokens.take_moved();
        assert_eq!(moved, [Token { name: format!("A.{second}()V"), number: other }]);
        assert_eq!(numbers(), [one, other]);
        assert_eq!(tokens.take_moved(), []);
    }
}
