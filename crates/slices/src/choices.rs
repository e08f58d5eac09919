//! Values that stay on the operand stack when a block ends: whatever decided that the block ran has chosen them, as in
//! `is ? one : other`.

use crate::graph::Origin;
use crate::operands::Uses;
use crate::recorder::Recorder;
use whydunit_replay::interpreter::At;
use whydunit_replay::program::{Op, SlotType};

impl Recorder<'_> {
    /// After an instruction that makes no value of its own.
    pub(crate) fn note_choice(&mut self, at: At<'_>) {
        let Some(frame) = self.frames.last() else { return };
        let next = match at.code.ops.get(at.pc as usize) {
            Some(&Op::Goto(to)) => to,
            Some(Op::Load(_) | Op::LoadWide(_) | Op::CheckCast(_)) if frame.flow.is_block_start(at.pc + 1) => at.pc + 1,
            _ => return,
        };
        let types = at.code.types.before(next);
        if types.len() <= usize::from(at.code.max_locals) {
            return;
        }
        let is_wide = types.last() == Some(&SlotType::Second);
        let top = types.len() - 1 - usize::from(is_wide);
        let slot = frame.base + top;
        let node = self.add_node(at, Uses::value(top as u16));
        self.set_slot(slot, Origin::node(node));
    }
}
