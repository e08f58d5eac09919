//! A moment of a thread's replay to go on from.

use crate::interpreter::Snapshot;
use crate::steps::StepCounter;
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Checkpoint {
    pub steps: StepCounter,
    pub replay: Snapshot,
}

impl Checkpoint {
    /// Whether the frame at this depth has not run between this moment and `other`. Of the same visit to a line, every
    /// instruction comes once.
    pub fn has_same_frame(&self, other: &Checkpoint, depth: u32) -> bool {
        self.steps.is_same_visit(&other.steps, depth) && self.replay.pc(depth) == other.replay.pc(depth)
    }
}
