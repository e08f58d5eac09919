//! Which stores of references to locals may be of objects whose constructor has not run. The verifier allows no use
//! of such an object, so check mode has to leave those stores alone.

use crate::plan::leaves_copy;
use whydunit_classfile::{ClassFile, ClassFileError, Instruction, descriptor, op};

/// What is known of the value on top of the operand stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Top {
    Initialised,
    /// Initialised if no local ever holds an object that is not.
    FromLocal,
    Unknown,
}

/// For each instruction whether it stores a reference that is sure to be one to an initialised object.
///
/// Decided by the instructions right before: compilers store a fresh object before its constructor was called only
/// when they must, and whatever looks unlike the usual makes the whole method suspect.
pub(crate) fn of_initialised(
    class: &ClassFile<'_>,
    is_constructor: bool,
    handlers: &[u32],
    instructions: &[Instruction<'_>],
) -> Result<Vec<bool>, ClassFileError> {
    let mut tops = Vec::with_capacity(instructions.len());
    for (index, instruction) in instructions.iter().enumerate() {
        tops.push(match is_store(instruction.opcode) {
            true if handlers.binary_search(&instruction.pc).is_ok() => Some(Top::Initialised),
            true => Some(top_before(class, is_constructor, instructions, index)?),
            false => None,
        });
    }
    let are_locals_initialised = !tops.contains(&Some(Top::Unknown));
    let is_sure = |top: Option<Top>| match top {
        Some(Top::Initialised) => true,
        Some(Top::FromLocal) => are_locals_initialised,
        Some(Top::Unknown) | None => false,
    };
    Ok(tops.into_iter().map(is_sure).collect())
}

fn is_store(opcode: u8) -> bool {
    matches!(opcode, op::ASTORE | op::ASTORE_0..=op::ASTORE_3)
}

fn top_before(
    class: &ClassFile<'_>,
    is_constructor: bool,
    instructions: &[Instruction<'_>],
    mut index: usize,
) -> Result<Top, ClassFileError> {
    while let Some(before) = index.checked_sub(1).and_then(|before| instructions.get(before)) {
        match before.opcode {
            op::AALOAD | op::GETFIELD | op::GETSTATIC | op::CHECKCAST | op::LDC | op::LDC_W | op::ACONST_NULL => {
                return Ok(Top::Initialised);
            }
            op::NEWARRAY | op::ANEWARRAY | op::MULTIANEWARRAY => return Ok(Top::Initialised),
            op::INVOKEVIRTUAL | op::INVOKEINTERFACE | op::INVOKESTATIC | op::INVOKESPECIAL | op::INVOKEDYNAMIC => {
                return top_after_call(class, instructions, index - 1);
            }
            op::ALOAD | op::ALOAD_0..=op::ALOAD_3 if is_constructor && before.local() == Some(0) => {
                return Ok(Top::Unknown);
            }
            op::ALOAD | op::ALOAD_0..=op::ALOAD_3 => return Ok(Top::FromLocal),
            op::DUP => index -= 1,
            // `a = b = value`: what `dup` has left for the second store.
            opcode if is_store(opcode) && index >= 2 && instructions[index - 2].opcode == op::DUP => index -= 2,
            _ => return Ok(Top::Unknown),
        }
    }
    Ok(Top::Unknown)
}

fn top_after_call(
    class: &ClassFile<'_>,
    instructions: &[Instruction<'_>],
    index: usize,
) -> Result<Top, ClassFileError> {
    let call = &instructions[index];
    let constant = call.constant().unwrap_or_default();
    if call.opcode == op::INVOKEDYNAMIC {
        let (_, _, descriptor) = class.pool.dynamic(constant)?;
        return Ok(if descriptor::return_type(&descriptor)?.is_some() { Top::Initialised } else { Top::Unknown });
    }
    let callee = class.pool.member_ref(constant)?;
    if callee.name != "<init>" {
        let has_result = descriptor::return_type(&callee.descriptor)?.is_some();
        return Ok(if has_result { Top::Initialised } else { Top::Unknown });
    }
    // `new`, `dup`, arguments, constructor: the other reference is left, and initialised.
    let mut calls_to_skip = 0u32;
    for (position, before) in instructions[..index].iter().enumerate().rev() {
        match before.opcode {
            op::NEW if !leaves_copy(&instructions[position + 1..]) => return Ok(Top::Unknown),
            op::NEW if calls_to_skip == 0 => return Ok(Top::Initialised),
            op::NEW => calls_to_skip -= 1,
            op::INVOKESPECIAL => {
                let callee = class.pool.member_ref(before.constant().unwrap_or_default())?;
                calls_to_skip += u32::from(callee.name == "<init>");
            }
            _ => {}
        }
    }
    Ok(Top::Unknown)
}
