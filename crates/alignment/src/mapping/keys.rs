//! What an instruction means, without positions in constant pools and targets of jumps.

use whydunit_replay::Program;
use whydunit_replay::program::{MethodCode, Op, Pc};

/// Instructions with the same key do the same, for their own method.
pub(super) fn of(program: &Program, code: &MethodCode) -> Vec<String> {
    (0..).zip(&code.ops).map(|(pc, &op)| key(program, code, pc, op)).collect()
}

fn key(program: &Program, code: &MethodCode, pc: Pc, op: Op) -> String {
    let class = |number: u32| code.classes.get(number as usize).map_or("?", |class| &**class);
    match op {
        Op::WideConst { kind, index } => format!("const {kind:?} {:?}", code.wide_constants.get(index as usize)),
        Op::Load(slot) | Op::LoadWide(slot) => format!("load {}", local(code, slot, pc)),
        Op::Store { local: slot, kind, .. } | Op::StoreWide { local: slot, kind } => {
            format!("store {kind:?} {}", stored_local(code, slot, pc))
        }
        Op::Increment { local: slot, by } => format!("increment {} {by}", local(code, slot, pc)),
        Op::GetStatic { field, .. } => format!("getstatic {}", field_name(program, field)),
        Op::PutStatic { field, .. } => format!("putstatic {}", field_name(program, field)),
        Op::GetField { field, .. } => format!("getfield {}", field_name(program, field)),
        Op::PutField { field, .. } => format!("putfield {}", field_name(program, field)),
        Op::Invoke(number) => match code.calls.get(number as usize) {
            Some(call) => format!("{:?} {}.{}{}", call.kind, call.owner, call.name, call.descriptor),
            None => "call".to_owned(),
        },
        Op::New(number) => format!("new {}", class(number)),
        Op::NewArray(number) => format!("newarray {}", class(number)),
        Op::MultiNewArray { class: number, dimensions } => format!("multi {} {dimensions}", class(number)),
        Op::CheckCast(number) => format!("cast {}", class(number)),
        Op::TableSwitch(number) => match code.tables.get(number as usize) {
            Some(table) => format!("table {} {}", table.low, table.targets.len()),
            None => "table".to_owned(),
        },
        Op::LookupSwitch(number) => match code.lookups.get(number as usize) {
            Some(lookup) => format!("lookup {:?}", lookup.keys),
            None => "lookup".to_owned(),
        },
        _ => {
            let text = format!("{op:?}");
            match op.jump_target() {
                Some(_) => text.split('(').next().unwrap_or_default().to_owned(),
                None => text,
            }
        }
    }
}

fn field_name(program: &Program, field: u32) -> String {
    program
        .field(field)
        .map_or_else(String::new, |field| format!("{}.{} {}", field.owner, field.name, field.descriptor))
}

/// A variable by its name, because another one before it moves it to another slot.
fn local(code: &MethodCode, slot: u16, pc: Pc) -> String {
    let address = code.addresses.get(pc as usize).copied().unwrap_or(u32::MAX);
    name(code, slot, code.variable_at(slot, address).map(|variable| &*variable.name))
}

fn stored_local(code: &MethodCode, slot: u16, pc: Pc) -> String {
    name(code, slot, code.variable_set(slot, pc).map(|variable| &*variable.name))
}

/// What the compiler has added has no name.
fn name(code: &MethodCode, slot: u16, name: Option<&str>) -> String {
    match name {
        Some(name) => name.to_owned(),
        None if code.variables.is_empty() => slot.to_string(),
        None => "-".to_owned(),
    }
}
