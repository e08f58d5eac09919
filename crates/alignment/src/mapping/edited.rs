//! Instructions that were replaced by others of their kind.

use crate::side::{Pair, Side};
use whydunit_replay::program::{MethodCode, Op, Pc};
use whydunit_trace::LogKind;

/// What stands in the same gap of both sides, one for one, and does the same kind of thing to the stack.
pub(super) fn pairs(mapped: &[Pair<Pc>], code: Pair<&MethodCode>) -> Vec<Pair<Pc>> {
    let end = code.map(|code| code.ops.len() as Pc);
    let mut found = Vec::new();
    let mut start = Pair { left: 0, right: 0 };
    for &next in mapped.iter().chain([&end]) {
        let length = next.left - start.left;
        if length > 0 && length == next.right - start.right {
            found.extend(in_gap(start, length, code));
        }
        start = next.map(|pc| pc + 1);
    }
    found
}

/// Those whose neighbours have partners, too.
fn in_gap(start: Pair<Pc>, length: Pc, code: Pair<&MethodCode>) -> Vec<Pair<Pc>> {
    let op = |side: Side, at: Pc| code[side].ops.get((start[side] + at) as usize).copied();
    let is_edited = |at: Pc| match (op(Side::Left, at), op(Side::Right, at)) {
        (Some(left), Some(right)) => is_near(code, left, right),
        _ => false,
    };
    let is_edited: Vec<bool> = (0..length).map(is_edited).collect();
    let has_partner = |at: Option<usize>| at.and_then(|at| is_edited.get(at)).is_none_or(|&is_edited| is_edited);
    let is_kept = |at: usize| is_edited[at] && has_partner(at.checked_sub(1)) && has_partner(Some(at + 1));
    let kept = (0..length).filter(|&at| is_kept(at as usize));
    kept.map(|at| start.map(|pc| pc + at)).collect()
}

fn is_near(code: Pair<&MethodCode>, left: Op, right: Op) -> bool {
    match (left, right) {
        (Op::Const { kind: a, .. }, Op::Const { kind: b, .. }) => a == b,
        (Op::WideConst { kind: a, .. }, Op::WideConst { kind: b, .. }) => a == b,
        (Op::Const { kind: a, .. }, Op::LoggedConst(b)) | (Op::LoggedConst(a), Op::Const { kind: b, .. }) => a == b,
        (Op::Load(_), Op::Load(_)) | (Op::LoadWide(_), Op::LoadWide(_)) => true,
        (Op::Load(_), Op::Const { .. }) | (Op::Const { .. }, Op::Load(_)) => true,
        (Op::Increment { local: a, .. }, Op::Increment { local: b, .. }) => a == b,
        (Op::GetField { kind: a, .. }, Op::GetField { kind: b, .. }) => a == b,
        (Op::GetStatic { kind: a, .. }, Op::GetStatic { kind: b, .. }) => a == b,
        (Op::Invoke(a), Op::Invoke(b)) => {
            let shape = |code: &MethodCode, number: u32| {
                code.calls.get(number as usize).map(|call| (call.arguments.clone(), call.result))
            };
            shape(code.left, a) == shape(code.right, b)
        }
        (Op::TableSwitch(_) | Op::LookupSwitch(_), Op::TableSwitch(_) | Op::LookupSwitch(_)) => true,
        _ => family(left).is_some_and(|own| Some(own) == family(right)),
    }
}

/// What is taken from the stack and what is put there.
fn family(op: Op) -> Option<(&'static str, LogKind)> {
    Some(match op {
        Op::Iadd | Op::Isub | Op::Imul | Op::Idiv | Op::Irem => ("binary", LogKind::Int),
        Op::Ishl | Op::Ishr | Op::Iushr | Op::Iand | Op::Ior | Op::Ixor => ("binary", LogKind::Int),
        Op::Ladd | Op::Lsub | Op::Lmul | Op::Ldiv | Op::Lrem | Op::Land | Op::Lor | Op::Lxor => {
            ("binary", LogKind::Long)
        }
        Op::Lshl | Op::Lshr | Op::Lushr => ("shift", LogKind::Long),
        Op::Fadd | Op::Fsub | Op::Fmul | Op::Fdiv | Op::Frem => ("binary", LogKind::Float),
        Op::Dadd | Op::Dsub | Op::Dmul | Op::Ddiv | Op::Drem => ("binary", LogKind::Double),
        Op::Fcmp(_) => ("compare", LogKind::Float),
        Op::Dcmp(_) => ("compare", LogKind::Double),
        Op::IfEq(_) | Op::IfNe(_) | Op::IfLt(_) | Op::IfGe(_) | Op::IfGt(_) | Op::IfLe(_) => ("if", LogKind::Int),
        Op::IfIcmpEq(_) | Op::IfIcmpNe(_) | Op::IfIcmpLt(_) | Op::IfIcmpGe(_) | Op::IfIcmpGt(_) | Op::IfIcmpLe(_) => {
            ("if two", LogKind::Int)
        }
        Op::IfAcmpEq(_) | Op::IfAcmpNe(_) => ("if two", LogKind::Reference),
        Op::IfNull(_) | Op::IfNonNull(_) => ("if", LogKind::Reference),
        _ => return None,
    })
}
