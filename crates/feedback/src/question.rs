//! A question and why it is asked.

use crate::graph::StepId;

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Question {
    pub step: StepId,
    pub reason: Reason,
    /// How likely the line of the step is the wrong one.
    pub suspicion: f64,
    /// How many answers it is expected to save.
    pub gain: f64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// It made a value that was said to be wrong.
    Source,
    /// It should perhaps have given another value to something that was said to be wrong.
    Omission,
    /// It decided that a step ran that should not have.
    Decision,
    /// It is the likeliest of all.
    Suspicion,
    /// Whatever the answer is, it rules out much.
    Split,
    /// The failure is seen in it.
    Failure,
    /// The state of the search leads there.
    Guidance,
}
