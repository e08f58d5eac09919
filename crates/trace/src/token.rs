//! What a caller leaves for its callee: the number of a name, positive and not 0.
//!
//! Two names may have the same number; a recorder that meets both gives one of them another, and says so in the
//! recording.

use serde::{Deserialize, Serialize};

/// A name and the number that it should have.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Token {
    pub name: String,
    pub number: u32,
}

impl Token {
    /// A method by itself. Its number is odd.
    pub fn method(owner: &str, name: &str, descriptor: &str) -> Token {
        Token::new(format!("{owner}.{name}{descriptor}"), 1)
    }

    /// All instance methods that may be each other's overrides. Its number is even: it means something only
    /// together with the class of a receiver.
    pub fn signature(name: &str, descriptor: &str) -> Token {
        Token::new(format!("{name}{descriptor}"), 2)
    }

    fn new(name: String, smallest: u32) -> Token {
        let number = (crc32fast::hash(name.as_bytes()) & EVEN | smallest & 1).max(smallest);
        Token { name, number }
    }

    /// The number to try when this one is taken.
    pub fn next(&mut self) {
        let is_odd = self.number & 1;
        self.number = (self.number.wrapping_add(2) & EVEN).max(2) | is_odd;
    }
}

const EVEN: u32 = i32::MAX.cast_unsigned() & !1;
