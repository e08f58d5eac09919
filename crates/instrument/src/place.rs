//! Keeping track of which instruction of which frame is under way.

use crate::emit::Emitter;
use whydunit_classfile::{EditError, op};

/// The locals that hold a frame's place.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PlaceLocals {
    /// Recorded frames, with this one.
    pub(crate) depth: u16,
    /// Where the frame below is.
    pub(crate) callers_site: u16,
}

impl PlaceLocals {
    /// Gives the locals values before the prologue branches.
    pub(crate) fn prepare(self, emitter: &mut Emitter<'_, '_>) -> Result<(), EditError> {
        emitter.op(op::ICONST_0);
        emitter.local(op::ISTORE, self.depth);
        emitter.load_log();
        emitter.log_field(op::GETFIELD, "site")?;
        emitter.local(op::ISTORE, self.callers_site);
        Ok(())
    }

    /// After the entry was logged, which tells the place of the frame below.
    pub(crate) fn enter(self, emitter: &mut Emitter<'_, '_>) -> Result<(), EditError> {
        emitter.load_log();
        emitter.helper("down", "(@)I")?;
        emitter.local(op::ISTORE, self.depth);
        Ok(())
    }

    /// `site` is an address plus 1, or 0.
    pub(crate) fn at(self, emitter: &mut Emitter<'_, '_>, site: u32) -> Result<(), EditError> {
        emitter.load_log();
        emitter.local(op::ILOAD, self.depth);
        emitter.int(site)?;
        emitter.helper("at", "(@II)V")
    }

    pub(crate) fn leave(self, emitter: &mut Emitter<'_, '_>) -> Result<(), EditError> {
        emitter.load_log();
        emitter.local(op::ILOAD, self.depth);
        emitter.op(op::ICONST_1);
        emitter.op(op::ISUB);
        emitter.local(op::ILOAD, self.callers_site);
        emitter.helper("at", "(@II)V")
    }
}

/// Whether an instruction can load or initialise a class, or call.
pub(crate) fn may_run_recorded_code(opcode: u8) -> bool {
    matches!(
        opcode,
        op::LDC | op::LDC_W | op::LDC2_W | op::GETSTATIC
            ..=op::NEW | op::ANEWARRAY | op::ATHROW | op::CHECKCAST | op::INSTANCEOF | op::MULTIANEWARRAY
    )
}
