//! The frames on the stack while a stretch is recorded. Those that are left are kept for later ones, with the room that
//! they have made: most of what a call costs would be making it again.

use crate::graph::Origin;
use crate::recorder::{LiveFrame, Started};
use std::ops::{Deref, DerefMut};

#[derive(Debug, Default)]
pub(crate) struct LiveFrames<'p> {
    frames: Vec<LiveFrame<'p>>,
    /// Those behind were left.
    depth: usize,
}

/// What is of interest of a frame that was left.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Left {
    pub(crate) pending: Origin,
    pub(crate) thrown: Origin,
    pub(crate) base: usize,
    pub(crate) first_decision: usize,
    pub(crate) is_call_back: bool,
}

impl<'p> LiveFrames<'p> {
    pub(crate) fn push(&mut self, started: Started<'p>) -> &mut LiveFrame<'p> {
        match self.frames.get_mut(self.depth) {
            Some(frame) => frame.become_new(started),
            None => self.frames.push(LiveFrame::new(started)),
        }
        self.depth += 1;
        &mut self.frames[self.depth - 1]
    }

    pub(crate) fn pop(&mut self) -> Option<Left> {
        self.depth = self.depth.checked_sub(1)?;
        let frame = &self.frames[self.depth];
        Some(Left {
            pending: frame.pending,
            thrown: frame.thrown,
            base: frame.base,
            first_decision: frame.first_decision,
            is_call_back: frame.is_call_back,
        })
    }
}

impl<'p> Deref for LiveFrames<'p> {
    type Target = [LiveFrame<'p>];

    fn deref(&self) -> &[LiveFrame<'p>] {
        &self.frames[..self.depth]
    }
}

impl<'p> DerefMut for LiveFrames<'p> {
    fn deref_mut(&mut self) -> &mut [LiveFrame<'p>] {
        &mut self.frames[..self.depth]
    }
}
