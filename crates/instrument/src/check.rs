//! The facts of check mode: what an instruction is about to store, compare or return.

use crate::emit::{Emitter, To};
use whydunit_classfile::{ClassFileError, ConstantPool, EditError, Instruction, descriptor, op};
use whydunit_trace::LogKind;

/// What check mode logs before an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fact {
    Top(LogKind),
    /// The two topmost values, the lower one first.
    Ints,
    References,
}

/// Emits the fact of an instruction, if it has one.
pub(crate) fn emit(
    emitter: &mut Emitter<'_, '_>,
    pool: &ConstantPool<'_>,
    instruction: &Instruction<'_>,
    is_checked_store: bool,
) -> Result<bool, CheckError> {
    let Some(fact) = fact(pool, instruction)? else {
        return Ok(false);
    };
    if matches!(instruction.opcode, op::ASTORE | op::ASTORE_0..=op::ASTORE_3) && !is_checked_store {
        return Ok(false);
    }
    match fact {
        Fact::Top(kind) => {
            emitter.duplicate(kind);
            emitter.log(kind, To::Check)?;
        }
        Fact::Ints => {
            emitter.op(op::DUP2);
            emitter.load_log();
            emitter.helper("checkII", "(II@)V")?;
        }
        Fact::References => {
            emitter.op(op::DUP2);
            emitter.load_log();
            emitter.helper("checkAA", "(Ljava/lang/Object;Ljava/lang/Object;@)V")?;
        }
    }
    Ok(true)
}

#[derive(Debug, thiserror::Error)]
pub(crate) enum CheckError {
    #[error(transparent)]
    Class(#[from] ClassFileError),
    #[error(transparent)]
    Edit(#[from] EditError),
}

fn fact(pool: &ConstantPool<'_>, i: &Instruction<'_>) -> Result<Option<Fact>, ClassFileError> {
    let kind = match i.opcode {
        op::ISTORE | op::ISTORE_0..=op::ISTORE_3 | op::IASTORE | op::IRETURN => LogKind::Int,
        op::LSTORE | op::LSTORE_0..=op::LSTORE_3 | op::LASTORE | op::LRETURN => LogKind::Long,
        op::FSTORE | op::FSTORE_0..=op::FSTORE_3 | op::FASTORE | op::FRETURN => LogKind::Float,
        op::DSTORE | op::DSTORE_0..=op::DSTORE_3 | op::DASTORE | op::DRETURN => LogKind::Double,
        op::ASTORE | op::ASTORE_0..=op::ASTORE_3 | op::AASTORE | op::ARETURN => LogKind::Reference,
        op::BASTORE => LogKind::Byte,
        op::CASTORE => LogKind::Char,
        op::SASTORE => LogKind::Short,
        op::IFEQ..=op::IFLE | op::TABLESWITCH | op::LOOKUPSWITCH => LogKind::Int,
        op::IFNULL | op::IFNONNULL => LogKind::Reference,
        op::IF_ICMPEQ..=op::IF_ICMPLE => return Ok(Some(Fact::Ints)),
        op::IF_ACMPEQ | op::IF_ACMPNE => return Ok(Some(Fact::References)),
        op::PUTFIELD | op::PUTSTATIC => {
            let field = pool.member_ref(i.constant().unwrap_or_default())?;
            LogKind::of(descriptor::field_type(&field.descriptor)?)
        }
        _ => return Ok(None),
    };
    Ok(Some(Fact::Top(kind)))
}
