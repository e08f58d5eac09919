//! A moment of a thread's replay to go on from.

use crate::interpreter::Snapshot;
use crate::steps::StepCounter;
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Checkpoint {
    pub steps: StepCounter,
    pub replay: Snapshot,
}
