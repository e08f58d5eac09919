//! Handlers that give a lock back, as compilers write them for `synchronized`.
//!
//! Until they have, a call in them that throws has to come back to them: HotSpot does not compile a method that could
//! keep the lock. But its quick compiler does not compile a handler that comes back to itself either. So all that
//! is inserted stands at their start, one call, from which the editor makes a way of its own when it throws.

use whydunit_classfile::{Code, Instruction, op};

/// A handler, and the `monitorexit` in its own range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct UnlockingHandler {
    pub(crate) pc: u32,
    pub(crate) monitor_exit: u32,
}

pub(crate) fn unlocking_handlers(code: &Code<'_>, instructions: &[Instruction<'_>]) -> Vec<UnlockingHandler> {
    let mut found: Vec<UnlockingHandler> = Vec::new();
    for entry in code.exceptions.iter().filter(|entry| entry.is_for_itself()) {
        let pc = u32::from(entry.handler);
        let mut inside = instructions.iter().filter(|i| (pc..u32::from(entry.end)).contains(&i.pc));
        if let Some(first) = inside.find(|i| !moves_reference(i.opcode))
            && first.opcode == op::MONITOREXIT
            && !found.iter().any(|handler| handler.pc == pc)
        {
            found.push(UnlockingHandler { pc, monitor_exit: first.pc });
        }
    }
    found
}

fn moves_reference(opcode: u8) -> bool {
    matches!(opcode, op::ASTORE | op::ASTORE_0..=op::ASTORE_3 | op::ALOAD | op::ALOAD_0..=op::ALOAD_3)
}
