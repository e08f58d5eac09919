//! What a branch compared.

use super::{Comparison, Operator};
use crate::program::{MethodCode, Op, Pc, Program};
use crate::value::Value;
use whydunit_trace::LogKind;

impl Comparison {
    /// What the branch at `pc` compared: its operands, or those of the comparison before it, if that is what they
    /// come from.
    pub fn of(
        program: &Program,
        code: &MethodCode,
        pc: Pc,
        [left, right]: [u64; 2],
        compared: Option<(LogKind, [u64; 2])>,
    ) -> Comparison {
        let (operator, operands) = match code.ops.get(pc as usize) {
            Some(Op::IfIcmpEq(_)) => (Operator::Equal, Operands::Ints),
            Some(Op::IfIcmpNe(_)) => (Operator::NotEqual, Operands::Ints),
            Some(Op::IfIcmpLt(_)) => (Operator::Less, Operands::Ints),
            Some(Op::IfIcmpGe(_)) => (Operator::GreaterOrEqual, Operands::Ints),
            Some(Op::IfIcmpGt(_)) => (Operator::Greater, Operands::Ints),
            Some(Op::IfIcmpLe(_)) => (Operator::LessOrEqual, Operands::Ints),
            Some(Op::IfNe(_)) => (Operator::NotEqual, Operands::Int),
            Some(Op::IfLt(_)) => (Operator::Less, Operands::Int),
            Some(Op::IfGe(_)) => (Operator::GreaterOrEqual, Operands::Int),
            Some(Op::IfGt(_)) => (Operator::Greater, Operands::Int),
            Some(Op::IfLe(_)) => (Operator::LessOrEqual, Operands::Int),
            Some(Op::IfAcmpEq(_) | Op::IfNull(_)) => (Operator::Equal, Operands::References),
            Some(Op::IfAcmpNe(_) | Op::IfNonNull(_)) => (Operator::NotEqual, Operands::References),
            _ => (Operator::Equal, Operands::Int),
        };
        let (left, right) = match operands {
            Operands::References => (Value::reference(left), Value::reference(right)),
            Operands::Ints => {
                let (a, b) = (type_of_operand(program, code, pc, 2), type_of_operand(program, code, pc, 1));
                // A character that is compared with a constant makes the constant one.
                let as_character = |made: Option<u8>, other: Option<u8>| made.or(other.filter(|&other| other == b'C'));
                (int_of(left, as_character(a, b)), int_of(right, as_character(b, a)))
            }
            Operands::Int => match compared {
                Some((kind, [left, right])) => (Value::of(kind, left, None), Value::of(kind, right, None)),
                None => (int_of(left, type_of_operand(program, code, pc, 1)), Value::Int(0)),
            },
        };
        Comparison { left, operator, right }
    }
}

/// What the `switch` at `pc` looked at.
pub fn switched_value(program: &Program, code: &MethodCode, pc: Pc, bits: u64) -> Value {
    int_of(bits, type_of_operand(program, code, pc, 1))
}

fn type_of_operand(program: &Program, code: &MethodCode, pc: Pc, from_top: usize) -> Option<u8> {
    code.type_made(code.origin(pc, from_top)?, |number| program.field(number))
}

/// What a branch takes from the operand stack.
enum Operands {
    Int,
    Ints,
    References,
}

/// An `int` slot as the type in the source that made it.
fn int_of(bits: u64, made: Option<u8>) -> Value {
    let type_of = match made {
        Some(b'Z') => Some("Z"),
        Some(b'C') => Some("C"),
        _ => None,
    };
    Value::of(LogKind::Int, bits, type_of)
}
