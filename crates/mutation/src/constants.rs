//! Another number stands in the code.

use crate::Site;
use crate::edit::{Change, Edit, Number};
use std::fmt;
use whydunit_classfile::{Constant, op};

pub(crate) fn changed(site: Site<'_, '_>) -> Option<Change> {
    let old = pushed(site)?;
    let new = old.changed();
    Some(Change { description: format!("replaced the constant {old} by {new}"), edit: Edit::Push(new) })
}

fn pushed(site: Site<'_, '_>) -> Option<Number> {
    let instruction = site.instruction;
    Some(match instruction.opcode {
        op::ICONST_M1..=op::ICONST_5 | op::BIPUSH | op::SIPUSH => Number::Int(instruction.immediate()),
        opcode @ (op::LCONST_0 | op::LCONST_1) => Number::Long((opcode - op::LCONST_0).into()),
        opcode @ op::FCONST_0..=op::FCONST_2 => Number::Float((opcode - op::FCONST_0).into()),
        opcode @ (op::DCONST_0 | op::DCONST_1) => Number::Double((opcode - op::DCONST_0).into()),
        op::LDC | op::LDC_W | op::LDC2_W => match *site.pool.get(instruction.constant()?).ok()? {
            Constant::Integer(value) => Number::Int(value),
            Constant::Long(value) => Number::Long(value),
            Constant::Float(bits) => Number::Float(f32::from_bits(bits)),
            Constant::Double(bits) => Number::Double(f64::from_bits(bits)),
            _ => return None,
        },
        _ => return None,
    })
}

impl Number {
    /// One more, but 0 for 1: it may stand for `true`. Of numbers that one more leaves as they are, 0 or 1.
    fn changed(self) -> Number {
        match self {
            Number::Int(1) => Number::Int(0),
            Number::Int(value) => Number::Int(value.wrapping_add(1)),
            Number::Long(1) => Number::Long(0),
            Number::Long(value) => Number::Long(value.wrapping_add(1)),
            Number::Float(value) if value == 1.0 || value + 1.0 == value || value.is_nan() => Number::Float(0.0),
            Number::Float(value) => Number::Float(value + 1.0),
            Number::Double(value) if value == 1.0 || value + 1.0 == value || value.is_nan() => Number::Double(0.0),
            Number::Double(value) => Number::Double(value + 1.0),
        }
    }
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Number::Int(value) => write!(f, "{value}"),
            Number::Long(value) => write!(f, "{value}L"),
            Number::Float(value) => write!(f, "{value:?}f"),
            Number::Double(value) => write!(f, "{value:?}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Operator;
    use crate::mutant::tests::{changes_of, code_of};

    #[test]
    fn one_more_or_false() {
        let mutated = |code: &[u8]| code_of(Operator::InlineConstant, code, "()V").pop().unwrap_or_default();
        assert_eq!(mutated(&[op::ICONST_1, op::RETURN]), [op::ICONST_0, op::RETURN]);
        assert_eq!(mutated(&[op::ICONST_5, op::RETURN]), [op::BIPUSH, 6, op::RETURN]);
        assert_eq!(mutated(&[op::BIPUSH, 127, op::RETURN]), [op::SIPUSH, 0, 128, op::RETURN]);
        assert_eq!(mutated(&[op::SIPUSH, 0x80, 0, op::RETURN]), [op::SIPUSH, 0x80, 1, op::RETURN]);
        assert_eq!(mutated(&[op::DCONST_1, op::RETURN]), [op::DCONST_0, op::RETURN]);
        let too_wide = changes_of(Operator::InlineConstant, &[op::SIPUSH, 0x7f, 0xff, op::RETURN], "()V");
        assert_eq!(too_wide, ["0: replaced the constant 32767 by 32768"]);
    }

    #[test]
    fn every_number_becomes_another() {
        let doubles = [0.0, 1.0, 1e300, f64::INFINITY, f64::NEG_INFINITY, f64::NAN, f64::MIN_POSITIVE, -1.0];
        assert!(doubles.iter().all(|&value| Number::Double(value).changed() != Number::Double(value)));
        let ints = [i32::MIN, -1, 0, 1, i32::MAX];
        assert!(ints.iter().all(|&value| Number::Int(value).changed() != Number::Int(value)));
    }
}
