//! What a line consists of.

use whydunit_feedback::Parts;
use whydunit_replay::program::{MethodCode, Op};
use whydunit_trace::LogKind;

/// How many of the instructions of a line do more than to move a value.
pub(super) fn work_of(code: &MethodCode, line: Option<u32>) -> u32 {
    instructions(code, line).filter(|op| does_something(op)).count() as u32
}

pub(super) fn parts_of(code: &MethodCode, line: Option<u32>) -> Parts {
    let mut parts = Parts::default();
    for op in instructions(code, line) {
        let count = match op {
            op if is_condition(op) => &mut parts.conditions,
            Op::Const { .. } | Op::WideConst { .. } => &mut parts.constants,
            Op::Return(kind) if *kind != LogKind::Nothing => &mut parts.returns,
            Op::PutStatic { .. } | Op::PutField { .. } | Op::ArrayStore(_) => &mut parts.writes,
            Op::Invoke(_) => &mut parts.calls,
            op if is_calculation(op) => &mut parts.calculations,
            _ => continue,
        };
        *count = count.saturating_add(1);
    }
    parts
}

fn instructions(code: &MethodCode, line: Option<u32>) -> impl Iterator<Item = &Op> {
    (0..).zip(&code.ops).filter(move |(pc, _)| code.line(*pc) == line).map(|(_, op)| op)
}

/// Whether an instruction can be wrong: it does more than to move a value.
fn does_something(op: &Op) -> bool {
    !matches!(
        op,
        Op::Nop
            | Op::Load(_)
            | Op::LoadWide(_)
            | Op::Pop
            | Op::Pop2
            | Op::Dup
            | Op::DupX1
            | Op::Goto(_)
            | Op::CheckCast(_)
    )
}

/// It makes a value of others.
fn is_calculation(op: &Op) -> bool {
    does_something(op)
        && !matches!(
            op,
            Op::LoggedConst(_)
                | Op::Store { .. }
                | Op::StoreWide { .. }
                | Op::ArrayLoad(_)
                | Op::DupX2
                | Op::Dup2
                | Op::Dup2X1
                | Op::Dup2X2
                | Op::Swap
                | Op::Return(_)
                | Op::GetStatic { .. }
                | Op::GetField { .. }
                | Op::New(_)
                | Op::NewArray(_)
                | Op::MultiNewArray { .. }
                | Op::ArrayLength
                | Op::Throw
                | Op::MonitorEnter
                | Op::MonitorExit
        )
}

fn is_condition(op: &Op) -> bool {
    let is_switch = matches!(op, Op::TableSwitch(_) | Op::LookupSwitch(_));
    is_switch || op.jump_target().is_some() && !matches!(op, Op::Goto(_))
}
