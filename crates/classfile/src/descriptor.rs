//! Field and method descriptors.

use crate::ClassFileError;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum BaseType {
    Boolean,
    Byte,
    Char,
    Short,
    Int,
    Long,
    Float,
    Double,
    Reference,
}

impl BaseType {
    /// How many locals or stack entries a value takes.
    #[must_use]
    pub const fn slots(self) -> u16 {
        match self {
            Self::Long | Self::Double => 2,
            _ => 1,
        }
    }
}

/// The types of a method's parameters, each with its own descriptor.
pub fn parameters(descriptor: &str) -> Result<Vec<(BaseType, &str)>, ClassFileError> {
    split(descriptor).map(|(parameters, _)| parameters)
}

/// The result of a method, `None` for void.
pub fn return_type(descriptor: &str) -> Result<Option<(BaseType, &str)>, ClassFileError> {
    let (_, result) = split(descriptor)?;
    match result {
        "V" => Ok(None),
        _ => Ok(Some((field_type(result)?, result))),
    }
}

pub fn field_type(descriptor: &str) -> Result<BaseType, ClassFileError> {
    match first_type(descriptor) {
        Some((base, _, "")) => Ok(base),
        _ => Err(bad(descriptor)),
    }
}

/// The name by which class constants know a reference type: `java/lang/String`, `[I`.
#[must_use]
pub fn class_name(descriptor: &str) -> &str {
    let inner = descriptor.strip_prefix('L');
    let inner = inner.and_then(|inner| inner.strip_suffix(';'));
    inner.unwrap_or(descriptor)
}

type Parameters<'d> = Vec<(BaseType, &'d str)>;

fn split(descriptor: &str) -> Result<(Parameters<'_>, &str), ClassFileError> {
    let mut rest = descriptor.strip_prefix('(').ok_or_else(|| bad(descriptor))?;
    let mut parameters = Vec::new();
    loop {
        if let Some(result) = rest.strip_prefix(')') {
            return Ok((parameters, result));
        }
        let (base, parameter, tail) = first_type(rest).ok_or_else(|| bad(descriptor))?;
        parameters.push((base, parameter));
        rest = tail;
    }
}

/// The first type of a sequence, its descriptor, and what follows it.
fn first_type(descriptors: &str) -> Option<(BaseType, &str, &str)> {
    let element = descriptors.trim_start_matches('[');
    let dimensions = descriptors.len() - element.len();
    let (base, length) = match element.bytes().next()? {
        b'Z' => (BaseType::Boolean, 1),
        b'B' => (BaseType::Byte, 1),
        b'C' => (BaseType::Char, 1),
        b'S' => (BaseType::Short, 1),
        b'I' => (BaseType::Int, 1),
        b'J' => (BaseType::Long, 1),
        b'F' => (BaseType::Float, 1),
        b'D' => (BaseType::Double, 1),
        b'L' => (BaseType::Reference, element.find(';').filter(|&end| end > 1)? + 1),
        _ => return None,
    };
    let base = if dimensions == 0 { base } else { BaseType::Reference };
    let (first, rest) = descriptors.split_at_checked(dimensions + length)?;
    Some((base, first, rest))
}

fn bad(descriptor: &str) -> ClassFileError {
    ClassFileError::BadDescriptor(descriptor.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn method_descriptors() {
        use BaseType::{Double, Int, Reference};
        let descriptor = "(I[[JLjava/lang/String;D)[Z";
        let expected = vec![(Int, "I"), (Reference, "[[J"), (Reference, "Ljava/lang/String;"), (Double, "D")];
        assert_eq!(parameters(descriptor), Ok(expected));
        assert_eq!(return_type(descriptor), Ok(Some((Reference, "[Z"))));
        assert_eq!(return_type("()V"), Ok(None));
    }

    #[test]
    fn malformed_descriptors() {
        for descriptor in ["", "(", "(V)V", "(L;)V", "(Lx)V", "([)V", "()", "()II", "()LÄ"] {
            let result = parameters(descriptor).and(return_type(descriptor));
            assert!(result.is_err(), "{descriptor}");
        }
        assert!(field_type("II").is_err());
    }
}
