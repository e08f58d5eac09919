//! Operators on primitive values, as Java has them.

use crate::syntax::{Binary, Unary};
use std::cmp::Ordering;
use whydunit_debugger::Value;

/// `byte`, `char` and `short` become `int`.
pub(super) fn promoted(value: Value) -> Value {
    match value {
        Value::Byte(value) => Value::Int(value.into()),
        Value::Char(value) => Value::Int(value.into()),
        Value::Short(value) => Value::Int(value.into()),
        value => value,
    }
}

/// Two numbers of one type.
enum Pair {
    Int(i32, i32),
    Long(i64, i64),
    Float(f32, f32),
    Double(f64, f64),
    Boolean(bool, bool),
}

fn pair(left: Value, right: Value) -> Result<Pair, String> {
    let (left, right) = (promoted(left), promoted(right));
    let wrong = || "values of these types cannot be compared or computed with".to_owned();
    if let (Value::Boolean(left), Value::Boolean(right)) = (left, right) {
        return Ok(Pair::Boolean(left, right));
    }
    let (of_left, of_right) = (rank(left).ok_or_else(wrong)?, rank(right).ok_or_else(wrong)?);
    Ok(match of_left.max(of_right) {
        0 => Pair::Int(as_long(left) as i32, as_long(right) as i32),
        1 => Pair::Long(as_long(left), as_long(right)),
        2 => Pair::Float(as_float(left), as_float(right)),
        _ => Pair::Double(as_double(left), as_double(right)),
    })
}

fn rank(value: Value) -> Option<u8> {
    match value {
        Value::Int(_) => Some(0),
        Value::Long(_) => Some(1),
        Value::Float(_) => Some(2),
        Value::Double(_) => Some(3),
        _ => None,
    }
}

fn as_long(value: Value) -> i64 {
    match value {
        Value::Int(value) => value.into(),
        Value::Long(value) => value,
        _ => 0,
    }
}

fn as_float(value: Value) -> f32 {
    match value {
        Value::Int(value) => value as f32,
        Value::Long(value) => value as f32,
        Value::Float(value) => value,
        _ => 0.0,
    }
}

fn as_double(value: Value) -> f64 {
    match value {
        Value::Int(value) => value.into(),
        Value::Long(value) => value as f64,
        Value::Float(value) => value.into(),
        Value::Double(value) => value,
        _ => 0.0,
    }
}

/// `None` when one is not a number.
pub(super) fn compare(left: Value, right: Value) -> Result<Option<Ordering>, String> {
    Ok(match pair(left, right)? {
        Pair::Int(left, right) => Some(left.cmp(&right)),
        Pair::Long(left, right) => Some(left.cmp(&right)),
        Pair::Float(left, right) => left.partial_cmp(&right),
        Pair::Double(left, right) => left.partial_cmp(&right),
        Pair::Boolean(..) => return Err("booleans are neither less nor greater".to_owned()),
    })
}

pub(super) fn equal(left: Value, right: Value) -> Result<bool, String> {
    Ok(match pair(left, right)? {
        Pair::Int(left, right) => left == right,
        Pair::Long(left, right) => left == right,
        Pair::Float(left, right) => left == right,
        Pair::Double(left, right) => left == right,
        Pair::Boolean(left, right) => left == right,
    })
}

pub(super) fn unary(operator: Unary, value: Value) -> Result<Value, String> {
    Ok(match (operator, promoted(value)) {
        (Unary::Minus, Value::Int(value)) => Value::Int(value.wrapping_neg()),
        (Unary::Minus, Value::Long(value)) => Value::Long(value.wrapping_neg()),
        (Unary::Minus, Value::Float(value)) => Value::Float(-value),
        (Unary::Minus, Value::Double(value)) => Value::Double(-value),
        (Unary::Plus, value @ (Value::Int(_) | Value::Long(_) | Value::Float(_) | Value::Double(_))) => value,
        (Unary::Complement, Value::Int(value)) => Value::Int(!value),
        (Unary::Complement, Value::Long(value)) => Value::Long(!value),
        _ => return Err(format!("`{}` cannot be applied here", operator.word())),
    })
}

pub(super) fn binary(operator: Binary, left: Value, right: Value) -> Result<Value, String> {
    if matches!(operator, Binary::ShiftLeft | Binary::ShiftRight | Binary::ShiftRightUnsigned) {
        return shift(operator, promoted(left), promoted(right));
    }
    let by_zero = || "division by zero".to_owned();
    let wrong = || format!("`{}` cannot be applied here", operator.word());
    Ok(match pair(left, right)? {
        Pair::Int(left, right) => Value::Int(match operator {
            Binary::Add => left.wrapping_add(right),
            Binary::Subtract => left.wrapping_sub(right),
            Binary::Multiply => left.wrapping_mul(right),
            Binary::Divide if right == 0 => return Err(by_zero()),
            Binary::Remainder if right == 0 => return Err(by_zero()),
            Binary::Divide => left.wrapping_div(right),
            Binary::Remainder => left.wrapping_rem(right),
            Binary::BitAnd => left & right,
            Binary::BitOr => left | right,
            Binary::BitXor => left ^ right,
            _ => return Err(wrong()),
        }),
        Pair::Long(left, right) => Value::Long(match operator {
            Binary::Add => left.wrapping_add(right),
            Binary::Subtract => left.wrapping_sub(right),
            Binary::Multiply => left.wrapping_mul(right),
            Binary::Divide if right == 0 => return Err(by_zero()),
            Binary::Remainder if right == 0 => return Err(by_zero()),
            Binary::Divide => left.wrapping_div(right),
            Binary::Remainder => left.wrapping_rem(right),
            Binary::BitAnd => left & right,
            Binary::BitOr => left | right,
            Binary::BitXor => left ^ right,
            _ => return Err(wrong()),
        }),
        Pair::Float(left, right) => Value::Float(match operator {
            Binary::Add => left + right,
            Binary::Subtract => left - right,
            Binary::Multiply => left * right,
            Binary::Divide => left / right,
            Binary::Remainder => left % right,
            _ => return Err(wrong()),
        }),
        Pair::Double(left, right) => Value::Double(match operator {
            Binary::Add => left + right,
            Binary::Subtract => left - right,
            Binary::Multiply => left * right,
            Binary::Divide => left / right,
            Binary::Remainder => left % right,
            _ => return Err(wrong()),
        }),
        Pair::Boolean(left, right) => Value::Boolean(match operator {
            Binary::BitAnd => left & right,
            Binary::BitOr => left | right,
            Binary::BitXor => left ^ right,
            _ => return Err(wrong()),
        }),
    })
}

/// The type is that of the left side alone.
fn shift(operator: Binary, left: Value, right: Value) -> Result<Value, String> {
    let distance = match right {
        Value::Int(distance) => distance as u32,
        Value::Long(distance) => distance as u32,
        _ => return Err("the distance of a shift must be an `int` or `long`".to_owned()),
    };
    Ok(match (operator, left) {
        (Binary::ShiftLeft, Value::Int(value)) => Value::Int(value.wrapping_shl(distance)),
        (Binary::ShiftRight, Value::Int(value)) => Value::Int(value.wrapping_shr(distance)),
        (_, Value::Int(value)) => Value::Int(value.cast_unsigned().wrapping_shr(distance).cast_signed()),
        (Binary::ShiftLeft, Value::Long(value)) => Value::Long(value.wrapping_shl(distance)),
        (Binary::ShiftRight, Value::Long(value)) => Value::Long(value.wrapping_shr(distance)),
        (_, Value::Long(value)) => Value::Long(value.cast_unsigned().wrapping_shr(distance).cast_signed()),
        _ => return Err("only `int` and `long` can be shifted".to_owned()),
    })
}
