//! Calls and assignments that do not happen.

use crate::Site;
use crate::edit::{Change, Edit, default_name, pop, push_default};
use whydunit_classfile::descriptor::{field_type, parameters, return_type};
use whydunit_classfile::{BaseType, MemberRef, op};

/// Of a method that returns nothing.
pub(crate) fn removed(site: Site<'_, '_>) -> Option<Change> {
    let call = Call::at(site)?;
    if call.result.is_some() {
        return None;
    }
    // A call without arguments leaves something to stand on for jumps.
    let bytes = if call.pops.is_empty() { vec![op::NOP] } else { call.pops };
    Some(Change { description: format!("removed the call of {}", call.name), edit: Edit::Code(bytes) })
}

/// Of a method that returns something.
pub(crate) fn replaced(site: Site<'_, '_>) -> Option<Change> {
    let call = Call::at(site)?;
    let result = call.result?;
    let bytes = [&call.pops[..], &[push_default(result)]].concat();
    let description = format!("replaced the call of {} by {}", call.name, default_name(result));
    let edit = match call.pops.is_empty() {
        true => Edit::DeeperCode { bytes, entries: result.slots() },
        false => Edit::Code(bytes),
    };
    Some(Change { description, edit })
}

/// Of a field.
pub(crate) fn assignment(site: Site<'_, '_>) -> Option<Change> {
    let opcode = site.instruction.opcode;
    if !matches!(opcode, op::PUTFIELD | op::PUTSTATIC) {
        return None;
    }
    let field = site.pool.member_ref(site.instruction.constant()?).ok()?;
    let mut bytes = vec![pop(field_type(&field.descriptor).ok()?)];
    if opcode == op::PUTFIELD {
        bytes.push(op::POP);
    }
    Some(Change { description: format!("removed the assignment to {}", name(&field)), edit: Edit::Code(bytes) })
}

struct Call {
    name: String,
    /// Takes the arguments and the receiver from the stack.
    pops: Vec<u8>,
    result: Option<BaseType>,
}

impl Call {
    /// Of a method that is no constructor: without that an object cannot be used.
    fn at(site: Site<'_, '_>) -> Option<Call> {
        let opcode = site.instruction.opcode;
        if !(op::INVOKEVIRTUAL..=op::INVOKEINTERFACE).contains(&opcode) {
            return None;
        }
        let method = site.pool.member_ref(site.instruction.constant()?).ok()?;
        if method.name.starts_with('<') {
            return None;
        }
        let arguments = parameters(&method.descriptor).ok()?;
        let mut pops: Vec<u8> = arguments.iter().rev().map(|(argument, _)| pop(*argument)).collect();
        if opcode != op::INVOKESTATIC {
            pops.push(op::POP);
        }
        let result = return_type(&method.descriptor).ok()?.map(|(result, _)| result);
        Some(Call { name: name(&method), pops, result })
    }
}

/// `ArrayList.add`
fn name(member: &MemberRef<'_>) -> String {
    let owner = member.owner.rsplit('/').next().unwrap_or_default();
    format!("{owner}.{}", member.name)
}
