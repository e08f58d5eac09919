//! The places where threads meet: their order across threads is worth a sequence number.

use crate::unlock::unlocking_handlers;
use whydunit_classfile::{ClassFile, ClassFileError, Code, Instruction, Member, access, op};

/// When a thread takes a sequence number for an instruction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Meets {
    pub before: bool,
    /// When it has completed; before its value is logged.
    pub after: bool,
    /// When it is reached as the start of an exception handler, after the exception was logged.
    pub as_handler: bool,
}

impl Meets {
    pub const NEVER: Meets = Meets { before: false, after: false, as_handler: false };
    const BEFORE: Meets = Meets { before: true, ..Meets::NEVER };
    const AFTER: Meets = Meets { after: true, ..Meets::NEVER };
    const AROUND: Meets = Meets { before: true, after: true, ..Meets::NEVER };
}

/// One for each instruction.
pub(crate) fn of_instructions(
    class: &ClassFile<'_>,
    code: &Code<'_>,
    instructions: &[Instruction<'_>],
) -> Result<Vec<Meets>, ClassFileError> {
    let unlocking = unlocking_handlers(code, instructions);
    let meets = |i: &Instruction<'_>| {
        let mut meets = of_instruction(class, i)?;
        if unlocking.iter().any(|handler| handler.monitor_exit == i.pc) {
            meets.before = false;
        }
        meets.as_handler = unlocking.iter().any(|handler| handler.pc == i.pc);
        Ok(meets)
    };
    instructions.iter().map(meets).collect()
}

/// Releases are numbered before they happen and acquires after, so that the numbers respect the order that the
/// program can observe.
fn of_instruction(class: &ClassFile<'_>, i: &Instruction<'_>) -> Result<Meets, ClassFileError> {
    Ok(match i.opcode {
        op::MONITORENTER => Meets::AFTER,
        op::MONITOREXIT => Meets::BEFORE,
        op::GETFIELD | op::GETSTATIC if is_own_volatile(class, i)? => Meets::AFTER,
        op::PUTFIELD | op::PUTSTATIC if is_own_volatile(class, i)? => Meets::BEFORE,
        op::INVOKEVIRTUAL | op::INVOKEINTERFACE | op::INVOKESTATIC | op::INVOKESPECIAL => {
            let callee = class.pool.member_ref(i.constant().unwrap_or_default())?;
            call(&callee.owner, &callee.name, &callee.descriptor)
        }
        _ => Meets::NEVER,
    })
}

fn call(owner: &str, name: &str, descriptor: &str) -> Meets {
    match (owner, name) {
        // Whether the class is a thread cannot be known while this one is being loaded.
        (owner, "start") if descriptor == "()V" && !owner.starts_with("java/") => Meets::AROUND,
        (owner, "join") if descriptor.ends_with(")V") && !owner.starts_with("java/") => Meets::AROUND,
        (_, "<init>") | ("java/lang/Thread", "currentThread") => Meets::NEVER,
        ("java/lang/Thread", _) | ("java/lang/Object", "wait" | "notify" | "notifyAll") => Meets::AROUND,
        ("java/util/concurrent/ThreadLocalRandom" | "java/util/concurrent/TimeUnit", name) if name != "sleep" => {
            Meets::NEVER
        }
        (owner, name) if owner.starts_with("java/util/concurrent/") => match name {
            "get" | "getOrDefault" | "containsKey" | "contains" | "isEmpty" | "size" | "peek" | "isDone" => {
                Meets::AFTER
            }
            "set" | "lazySet" if owner.starts_with("java/util/concurrent/atomic/") => Meets::BEFORE,
            _ => Meets::AROUND,
        },
        _ => Meets::NEVER,
    }
}

/// Whether the instruction names a volatile field that the class itself declares. Of other classes' fields
/// it cannot be known while this class is being loaded.
fn is_own_volatile(class: &ClassFile<'_>, i: &Instruction<'_>) -> Result<bool, ClassFileError> {
    let field = class.pool.member_ref(i.constant().unwrap_or_default())?;
    if field.owner != class.name()? {
        return Ok(false);
    }
    let is_field = |member: &Member<'_>| member.is_declared_as(&class.pool, &field.name, &field.descriptor);
    Ok(class.fields.iter().any(|member| member.access & access::VOLATILE != 0 && is_field(member)))
}
