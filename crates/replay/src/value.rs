//! Values as a reader of the run sees them.

use crate::interpreter::TEMPORARY;
use whydunit_trace::{LogKind, ObjectId};

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value {
    Boolean(bool),
    Byte(i8),
    /// A UTF-16 unit.
    Char(u16),
    Short(i16),
    Int(i32),
    Long(i64),
    Float(f32),
    Double(f64),
    Null,
    Ref(ObjectId),
    /// An object under construction, which has no id yet.
    Fresh(u32),
}

impl Value {
    /// The value of a slot. `descriptor` tells apart what slots do not: `boolean`, `byte`, `char`, `short`.
    pub fn of(kind: LogKind, bits: u64, descriptor: Option<&str>) -> Value {
        let int = bits as u32;
        match (descriptor.and_then(|d| d.as_bytes().first()), kind) {
            (Some(b'Z'), _) => Value::Boolean(int & 1 != 0),
            (Some(b'B'), _) => Value::Byte(int as i8),
            (Some(b'C'), _) | (_, LogKind::Char) => Value::Char(int as u16),
            (Some(b'S'), _) | (_, LogKind::Short) => Value::Short(int as i16),
            (_, LogKind::Byte) => Value::Byte(int as i8),
            (_, LogKind::Int | LogKind::Nothing) => Value::Int(int.cast_signed()),
            (_, LogKind::Float) => Value::Float(f32::from_bits(int)),
            (_, LogKind::Long) => Value::Long(bits.cast_signed()),
            (_, LogKind::Double) => Value::Double(f64::from_bits(bits)),
            (_, LogKind::Reference) => Value::reference(bits),
        }
    }

    pub fn reference(bits: u64) -> Value {
        match bits {
            0 => Value::Null,
            bits if bits & TEMPORARY != 0 => Value::Fresh((bits & (TEMPORARY - 1)) as u32),
            bits => Value::Ref(ObjectId(bits as u32)),
        }
    }
}
