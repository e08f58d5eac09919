//! What a line consists of.

use whydunit_classfile::access;
use whydunit_replay::program::{Call, Member, MethodCode, Op, Pc, Summary};
use whydunit_slices::Description;
use whydunit_trace::LogKind;

/// How many of the instructions of a line do more than to move a value.
pub(super) fn work_of(code: &MethodCode, line: Option<u32>) -> u32 {
    instructions(code, line).filter(|op| does_something(op)).count() as u32
}

pub(super) fn conditions_of(code: &MethodCode, line: Option<u32>) -> u16 {
    u16::try_from(instructions(code, line).filter(|op| is_condition(op)).count()).unwrap_or(u16::MAX)
}

/// Whether the compiler has made a method of which nothing is in the source, or all of its class, such as the table of a
/// `switch` over an enum. Bodies of lambdas are in the source.
pub(super) fn is_of_the_compiler(class: &Summary, method: &Member) -> bool {
    let is_made = method.access & (access::SYNTHETIC | access::BRIDGE) != 0 && !method.name.starts_with("lambda$");
    is_made || class.access & access::SYNTHETIC != 0
}

fn instructions(code: &MethodCode, line: Option<u32>) -> impl Iterator<Item = &Op> {
    (0..).zip(&code.ops).filter(move |(pc, _)| code.line(*pc) == line).map(|(_, op)| op)
}

/// Whether an executed instruction made, moved or passed on a reference.
pub(super) fn is_reference(code: &MethodCode, pc: Pc, argument: Option<u16>) -> bool {
    let kind = match code.ops.get(pc as usize) {
        Some(Op::Invoke(_)) => code.call_at(pc).map(|call| match argument {
            Some(slot) => argument_kind(call, slot),
            None => call.result,
        }),
        Some(Op::GetStatic { kind, .. } | Op::PutStatic { kind, .. } | Op::GetField { kind, .. }) => Some(*kind),
        Some(Op::PutField { kind, .. } | Op::Store { kind, .. } | Op::Const { kind, .. }) => Some(*kind),
        Some(Op::ArrayLoad(kind) | Op::ArrayStore(kind) | Op::Return(kind) | Op::LoggedConst(kind)) => Some(*kind),
        Some(Op::New(_) | Op::NewArray(_) | Op::MultiNewArray { .. }) => Some(LogKind::Reference),
        _ => None,
    };
    kind == Some(LogKind::Reference)
}

/// Whether an executed instruction hands a value on as it is: what a recorded method gives back, or what was read somewhere
/// and is put elsewhere. Where conditions are in the line, they may have chosen the value.
pub(super) fn is_handed_on(code: &MethodCode, executed: &Description) -> bool {
    let pc = executed.node.pc();
    let op = |pc: Pc| code.ops.get(pc as usize);
    match op(pc) {
        Some(Op::Invoke(_)) => executed.callee.is_some() && executed.node.argument().is_none(),
        Some(Op::Store { .. } | Op::StoreWide { .. } | Op::Return(_) | Op::PutField { .. } | Op::PutStatic { .. }) => {
            let before = (0..pc).rev().find(|&before| !matches!(op(before), Some(Op::CheckCast(_))));
            let is_read = matches!(
                before.and_then(op),
                Some(Op::Load(_) | Op::LoadWide(_) | Op::Invoke(_) | Op::GetField { .. } | Op::GetStatic { .. })
            );
            is_read && conditions_of(code, code.line(pc)) == 0
        }
        _ => false,
    }
}

/// Of what a call passes in a slot; receivers come first.
fn argument_kind(call: &Call, slot: u16) -> LogKind {
    let given: u16 = call.arguments.iter().map(|kind| kind.slots()).sum();
    let mut next = call.argument_slots.saturating_sub(given);
    if slot < next {
        return LogKind::Reference;
    }
    for &kind in &call.arguments {
        if slot == next {
            return kind;
        }
        next += kind.slots();
    }
    LogKind::Reference
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

fn is_condition(op: &Op) -> bool {
    let is_switch = matches!(op, Op::TableSwitch(_) | Op::LookupSwitch(_));
    is_switch || op.jump_target().is_some() && !matches!(op, Op::Goto(_))
}
