//! The places where threads meet: their order across threads is worth a sequence number.

use whydunit_classfile::{ClassFile, ClassFileError, Instruction, access, op};

/// Where a sequence number is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SyncPoint {
    pub(crate) before: bool,
    pub(crate) after: bool,
}

impl SyncPoint {
    const NONE: SyncPoint = SyncPoint { before: false, after: false };
    const BEFORE: SyncPoint = SyncPoint { before: true, after: false };
    const AFTER: SyncPoint = SyncPoint { before: false, after: true };
    const AROUND: SyncPoint = SyncPoint { before: true, after: true };
}

/// Releases are numbered before they happen and acquires after, so that the numbers respect the order that the
/// program can observe.
pub(crate) fn sync_point(class: &ClassFile<'_>, i: &Instruction<'_>) -> Result<SyncPoint, ClassFileError> {
    Ok(match i.opcode {
        op::MONITORENTER => SyncPoint::AFTER,
        op::MONITOREXIT => SyncPoint::BEFORE,
        op::GETFIELD | op::GETSTATIC if is_own_volatile(class, i)? => SyncPoint::AFTER,
        op::PUTFIELD | op::PUTSTATIC if is_own_volatile(class, i)? => SyncPoint::BEFORE,
        op::INVOKEVIRTUAL | op::INVOKEINTERFACE | op::INVOKESTATIC | op::INVOKESPECIAL => {
            let callee = class.pool.member_ref(i.constant().unwrap_or_default())?;
            call(&callee.owner, &callee.name, &callee.descriptor)
        }
        _ => SyncPoint::NONE,
    })
}

fn call(owner: &str, name: &str, descriptor: &str) -> SyncPoint {
    match (owner, name) {
        // Whether the class is a thread cannot be known while this one is being loaded.
        (owner, "start") if descriptor == "()V" && !owner.starts_with("java/") => SyncPoint::AROUND,
        (owner, "join") if descriptor.ends_with(")V") && !owner.starts_with("java/") => SyncPoint::AROUND,
        (_, "<init>") | ("java/lang/Thread", "currentThread") => SyncPoint::NONE,
        ("java/lang/Thread", _) | ("java/lang/Object", "wait" | "notify" | "notifyAll") => SyncPoint::AROUND,
        ("java/util/concurrent/ThreadLocalRandom" | "java/util/concurrent/TimeUnit", name) if name != "sleep" => {
            SyncPoint::NONE
        }
        (owner, name) if owner.starts_with("java/util/concurrent/") => match name {
            "get" | "getOrDefault" | "containsKey" | "contains" | "isEmpty" | "size" | "peek" | "isDone" => {
                SyncPoint::AFTER
            }
            "set" | "lazySet" if owner.starts_with("java/util/concurrent/atomic/") => SyncPoint::BEFORE,
            _ => SyncPoint::AROUND,
        },
        _ => SyncPoint::NONE,
    }
}

/// Whether the instruction names a volatile field that the class itself declares. Of other classes' fields
/// it cannot be known while this class is being loaded.
fn is_own_volatile(class: &ClassFile<'_>, i: &Instruction<'_>) -> Result<bool, ClassFileError> {
    let field = class.pool.member_ref(i.constant().unwrap_or_default())?;
    if field.owner != class.name()? {
        return Ok(false);
    }
    for member in &class.fields {
        if member.access & access::VOLATILE != 0
            && member.name(&class.pool)? == field.name
            && member.descriptor(&class.pool)? == field.descriptor
        {
            return Ok(true);
        }
    }
    Ok(false)
}
