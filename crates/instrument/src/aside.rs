//! Methods that are left unrecorded, but must not pass a caller's token on.

use crate::emit::Emitter;
use whydunit_classfile::{ClassFile, CodeEditor, EditError, PoolBuilder, access};
use whydunit_trace::record::Refusal;

/// An overriding method that is not recorded and calls the inherited one, which is: that one would find the
/// token of the caller, whose receiver it has, and take the call for a direct one. So the method takes the token
/// away first and is otherwise as it was. `None` where this is not needed or cannot be.
pub(crate) fn step_aside<'a>(
    class: &ClassFile<'a>,
    index: usize,
    refusal: Refusal,
    pool: &mut PoolBuilder<'a>,
) -> Option<Vec<u8>> {
    let can_be_touched = match refusal {
        Refusal::Subroutine
        | Refusal::TooLarge
        | Refusal::ConstantPoolFull
        | Refusal::UnusualConstructorCall
        | Refusal::HandlerReachedByJump => true,
        Refusal::Malformed | Refusal::Intrinsic | Refusal::EmptyFinalizer => false,
    };
    let member = class.methods.get(index)?;
    let has_receiver = member.access & access::STATIC == 0 && member.name(&class.pool).ok()? != "<init>";
    if can_be_touched && has_receiver { try_step_aside(class, index, pool).ok() } else { None }
}

fn try_step_aside<'a>(class: &ClassFile<'a>, index: usize, pool: &mut PoolBuilder<'a>) -> Result<Vec<u8>, EditError> {
    let mut editor = CodeEditor::new(class, index)?;
    let mut emitter = Emitter::new(pool, 0);
    emitter.helper("stepAside", "()V")?;
    editor.prologue(&emitter.bytes, None);
    editor.finish(pool)
}
