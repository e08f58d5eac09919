//! What a search asks about a run beyond the graph of its failure. Runs are long: only what is asked for is looked up.

use crate::graph::{EffectId, StepId};

pub trait Course {
    /// The place of a step in the order of the run.
    fn time(&self, step: StepId) -> u64;

    /// How many calls and loops are around a step.
    fn level(&self, step: StepId) -> u32;

    /// The step of the graph that has started the loop or made the call around a step, the nearest one.
    fn parent(&self, step: StepId) -> Option<StepId>;

    /// The lines that a thread went through from one step to a later one, both included; `None` when there are too many,
    /// or when the steps are of different threads.
    fn path(&self, from: StepId, to: StepId) -> Option<Vec<Visit>>;

    /// The variable that an effect gives its value.
    fn variable(&self, effect: EffectId) -> VariableId;
}

/// A visit to a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Visit {
    pub line: CodeLine,
    /// An iteration of a loop starts here.
    pub is_head: bool,
}

/// A line of the code, whether or not it has to do with the failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CodeLine(pub u64);

/// A variable of the source: each value that it is given at run time is a variable of its own to the user.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct VariableId(pub u64);
