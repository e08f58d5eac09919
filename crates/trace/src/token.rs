//! What a caller leaves for its callee: the number of a name.

/// The name of a method by itself.
pub fn method(owner: &str, name: &str, descriptor: &str) -> String {
    format!("{owner}.{name}{descriptor}")
}

/// The name of all instance methods that may be each other's overrides.
pub fn signature(name: &str, descriptor: &str) -> String {
    format!("{name}{descriptor}")
}

/// Positive. Two names may have the same number; a recorder that meets both gives one of them another.
pub fn number(name: &str) -> u32 {
    (crc32fast::hash(name.as_bytes()) & i32::MAX.cast_unsigned()).max(1)
}

/// The number to try when one is taken.
pub fn next(number: u32) -> u32 {
    ((number + 1) & i32::MAX.cast_unsigned()).max(1)
}
