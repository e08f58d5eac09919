//! Operands and conditions as the source writes them: `lines.length`, `i:2 < n:3`.

use crate::notation::operand_name;
use crate::session::Session;
use whydunit_replay::Value;
use whydunit_replay::events::Comparison;
use whydunit_replay::naming::simple_name;
use whydunit_replay::program::{Call, CallKind, MethodCode, Op, Pc};
use whydunit_trace::LogKind;

/// Operands of operands that are written out.
const DEEPEST: u32 = 3;

/// Longer arguments are not written out.
const LONGEST_ARGUMENTS: usize = 30;

impl Session {
    /// A condition as it held: `i:3 < n:10`. Compilers often jump when the condition of the source is false.
    pub(crate) fn condition(&self, code: &MethodCode, pc: Pc, comparison: &Comparison, has_jumped: bool) -> String {
        let (left, right) = self.compared(code, pc, comparison);
        if let (Value::Boolean(_), Value::Int(0)) = (comparison.left, comparison.right) {
            return left;
        }
        let operator = if has_jumped { comparison.operator } else { comparison.operator.negated() };
        let note = if self.are_two_alike(comparison) { " (two objects)" } else { "" };
        format!("{left} {} {right}{note}", operator.symbol())
    }

    /// Whether two objects are compared that look the same: boxed numbers or texts by `==`.
    fn are_two_alike(&self, comparison: &Comparison) -> bool {
        let (left, right) = (comparison.left, comparison.right);
        matches!((left, right), (Value::Ref(left), Value::Ref(right)) if left != right)
            && self.words(left) == self.words(right)
    }

    /// Both operands of a condition, with the expressions that they come from.
    fn compared(&self, code: &MethodCode, pc: Pc, comparison: &Comparison) -> (String, String) {
        let before = pc.checked_sub(1).and_then(|before| code.ops.get(before as usize));
        let (at, a, b) = match (code.ops.get(pc as usize), before) {
            (Some(op), _) if is_of_two(*op) => (pc, 2, 1),
            (_, Some(Op::Lcmp | Op::Dcmp(_))) => (pc - 1, 4, 2),
            (_, Some(Op::Fcmp(_))) => (pc - 1, 2, 1),
            _ => return (self.operand(code, pc, 1, comparison.left), self.words(comparison.right)),
        };
        (self.operand(code, at, a, comparison.left), self.operand(code, at, b, comparison.right))
    }

    /// `lines.length:3`, or `3` for a constant.
    pub(crate) fn operand(&self, code: &MethodCode, pc: Pc, from_top: usize, value: Value) -> String {
        self.named(self.operand_expression(code, pc, from_top).as_deref(), value)
    }

    /// `total`, `lines.length`, `text.charAt(0)`; `None` for constants and for what would be too long.
    pub(crate) fn operand_expression(&self, code: &MethodCode, pc: Pc, from_top: usize) -> Option<String> {
        let origin = code.origin(pc, from_top)?;
        let is_constant = matches!(code.ops.get(origin as usize), Some(Op::Const { .. } | Op::WideConst { .. }));
        if is_constant { None } else { self.expression(code, pc, from_top, DEEPEST) }
    }

    fn expression(&self, code: &MethodCode, pc: Pc, from_top: usize, depth: u32) -> Option<String> {
        if let Some(name) = operand_name(code, pc, from_top) {
            return Some(name.to_owned());
        }
        let (at, depth) = (code.origin(pc, from_top)?, depth.checked_sub(1)?);
        let part = |from_top: usize| self.expression(code, at, from_top, depth);
        match *code.ops.get(at as usize)? {
            Op::GetField { field, .. } => {
                let name = self.program().field(field)?.name;
                Some(part(1).map_or_else(|| name.to_string(), |object| format!("{object}.{name}")))
            }
            Op::GetStatic { field, .. } => {
                let field = self.program().field(field)?;
                Some(format!("{}.{}", simple_name(&field.owner), field.name))
            }
            Op::ArrayLength => Some(format!("{}.length", part(1)?)),
            Op::ArrayLoad(_) => Some(format!("{}[{}]", part(2)?, part(1)?)),
            Op::Invoke(call) => self.call_expression(code, at, code.calls.get(call as usize)?, depth),
            Op::Const { kind: LogKind::Int, bits } => Some(bits.cast_signed().to_string()),
            op => Some(format!("{} {} {}", part(2)?, symbol(op)?, part(1)?)),
        }
    }

    /// `text.charAt(0)`, `hasNext()`; what is boxed or unboxed is its own expression.
    fn call_expression(&self, code: &MethodCode, at: Pc, call: &Call, depth: u32) -> Option<String> {
        if is_conversion(call) {
            return self.expression(code, at, usize::from(call.argument_slots), depth);
        }
        if call.kind == CallKind::Dynamic || &*call.name == "<init>" {
            return None;
        }
        let mut from_top = usize::from(call.argument_slots);
        let mut parts = call.arguments.iter().map(|kind| {
            let part = self.expression(code, at, from_top, depth);
            from_top -= usize::from(kind.slots());
            part
        });
        let receiver = if call.kind == CallKind::Static { None } else { parts.next().flatten() };
        let arguments: Option<Vec<String>> = parts.collect();
        let arguments = arguments.map(|arguments| arguments.join(", "));
        let arguments = arguments.filter(|text| text.chars().count() <= LONGEST_ARGUMENTS);
        let arguments = arguments.unwrap_or_else(|| "…".to_owned());
        let name = &call.name;
        Some(match receiver.filter(|receiver| receiver != "this") {
            Some(receiver) => format!("{receiver}.{name}({arguments})"),
            None => format!("{name}({arguments})"),
        })
    }
}

/// Whether a call only boxes or unboxes its operand.
pub(crate) fn is_conversion(call: &Call) -> bool {
    let Some(class) = call.owner.strip_prefix("java/lang/") else { return false };
    let of = match class {
        "Boolean" => "boolean",
        "Byte" => "byte",
        "Character" => "char",
        "Short" => "short",
        "Integer" => "int",
        "Long" => "long",
        "Float" => "float",
        "Double" => "double",
        _ => return false,
    };
    let is_unboxing = call.name.strip_suffix("Value") == Some(of) && call.arguments.len() == 1;
    // `valueOf(String)` and `valueOf(String, int)` read a text.
    let is_boxing = &*call.name == "valueOf" && !call.descriptor.starts_with("(L");
    is_unboxing || is_boxing
}

fn symbol(op: Op) -> Option<&'static str> {
    Some(match op {
        Op::Iadd => "+",
        Op::Isub => "-",
        Op::Imul => "*",
        Op::Idiv => "/",
        Op::Irem => "%",
        Op::Iand => "&",
        _ => return None,
    })
}

fn is_of_two(op: Op) -> bool {
    matches!(
        op,
        Op::IfIcmpEq(_)
            | Op::IfIcmpNe(_)
            | Op::IfIcmpLt(_)
            | Op::IfIcmpGe(_)
            | Op::IfIcmpGt(_)
            | Op::IfIcmpLe(_)
            | Op::IfAcmpEq(_)
            | Op::IfAcmpNe(_)
    )
}
