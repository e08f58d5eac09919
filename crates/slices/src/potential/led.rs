//! Instructions of a slice that may have run because of a statement that jumps: without it, control would have gone on
//! behind it and perhaps never come there.

use crate::graph::{FrameId, NodeId};
use crate::shape::Shape;
use rustc_hash::FxHashMap;
use whydunit_model::Decider;
use whydunit_replay::program::Pc;

#[derive(Debug, Default)]
pub(crate) struct Led {
    by_frame: FxHashMap<FrameId, Vec<Block>>,
}

/// A block of the slice of which it is not known yet what led to it.
#[derive(Clone, Copy, Debug)]
struct Block {
    /// Its first instruction.
    start: Pc,
    /// The instruction of the slice.
    run: NodeId,
}

impl Led {
    /// A frame has run an instruction of the slice.
    pub(crate) fn come_to(&mut self, frame: FrameId, shape: &Shape, pc: Pc, run: NodeId) {
        let deciders = shape.jumps.deciders(pc);
        if !deciders.iter().any(|decider| matches!(decider, Decider::Branch(_))) {
            return;
        }
        let (start, blocks) = (shape.jumps.block_start(pc), self.by_frame.entry(frame).or_default());
        // What leads to a later one that is still open has led to this one, too.
        if !blocks.iter().any(|known| known.start == start && known.run >= run) {
            blocks.push(Block { start, run });
        }
    }

    /// A frame has run an instruction. Whether it is a jump that has led to something of the slice behind it.
    pub(crate) fn reach(&mut self, frame: FrameId, shape: &Shape, pc: Pc, run: NodeId) -> bool {
        if !shape.jumps.is_branch(pc) {
            return false;
        }
        let Some(blocks) = self.by_frame.get_mut(&frame) else { return false };
        let before = blocks.len();
        let decider = Decider::Branch(pc);
        // The sweep may have started again behind what is known already.
        let is_led =
            |block: &Block| block.run > run && shape.jumps.deciders(block.start).binary_search(&decider).is_ok();
        blocks.retain(|block| !is_led(block));
        if blocks.len() == before {
            return false;
        }
        let is_jump = shape.jumps.contains(pc);
        // A branch that decides about a block belongs to the slice. Another may only have led to jumps that come to the
        // same: what matters is what led to it.
        if !is_jump {
            self.come_to(frame, shape, pc, run);
        }
        is_jump
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.by_frame.values().all(Vec::is_empty)
    }

    /// What is left when the sweep has come to the start of the stretch.
    pub(crate) fn left(&self) -> impl Iterator<Item = (FrameId, Pc)> {
        self.by_frame.iter().flat_map(|(&frame, blocks)| blocks.iter().map(move |block| (frame, block.start)))
    }
}
