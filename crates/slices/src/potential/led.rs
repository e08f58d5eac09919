//! Instructions of a slice that may have run because of a statement that jumps: without it, control would have gone on
//! behind it and perhaps never come there.

use crate::graph::FrameId;
use crate::shape::Shape;
use rustc_hash::FxHashMap;
use whydunit_model::Decider;
use whydunit_replay::program::Pc;

/// By frame: blocks of the slice of which it is not known yet what led to them, by their first instructions.
#[derive(Debug, Default)]
pub(crate) struct Led {
    by_frame: FxHashMap<FrameId, Vec<Pc>>,
}

impl Led {
    /// A frame has run an instruction of the slice.
    pub(crate) fn come_to(&mut self, frame: FrameId, shape: &Shape, pc: Pc) {
        if shape.jumps.deciders(pc).is_empty() {
            return;
        }
        let (block, blocks) = (shape.flow.block_start(pc), self.by_frame.entry(frame).or_default());
        if !blocks.contains(&block) {
            blocks.push(block);
        }
    }

    /// Before all that is known a frame has run an instruction. Whether it is a jump that has led to the slice.
    pub(crate) fn reach(&mut self, frame: FrameId, shape: &Shape, pc: Pc) -> bool {
        let Some(blocks) = self.by_frame.get_mut(&frame) else { return false };
        let before = blocks.len();
        let decider = Decider::Branch(pc);
        blocks.retain(|&block| shape.jumps.deciders(block).binary_search(&decider).is_err());
        if blocks.len() == before {
            return false;
        }
        let is_jump = shape.jumps.contains(pc);
        // A branch that decides about a block belongs to the slice. Another may only have led to jumps that come to the
        // same: what matters is what led to it.
        if !is_jump {
            self.come_to(frame, shape, pc);
        }
        is_jump
    }

    /// What is left when the sweep has come to the start of the stretch.
    pub(crate) fn left(&self) -> impl Iterator<Item = (FrameId, Pc)> {
        self.by_frame.iter().flat_map(|(&frame, blocks)| blocks.iter().map(move |&block| (frame, block)))
    }
}
