//! From a wrong output to the first wrong step: what to ask next about a run, and what the answers say. Pure: it knows
//! what was executed and what each got its values from as a [`Graph`], and nothing of recordings.

mod answers;
mod doubt;
mod graph;
mod likeness;
mod lines;
mod question;
mod search;
mod states;
#[cfg(test)]
mod tests;

pub use answers::{Answer, Contradiction, Stale};
pub use doubt::Doubt;
pub use graph::{
    Effect, EffectId, Graph, GraphBuilder, History, Input, Kinship, Line, LineId, Step, StepId, Tested, Way,
};
pub use lines::{FEATURES, Suspect, features, infection};
pub use question::{Question, Reason};
pub use search::{Finding, Policy, Prospect, Search, Verdict};
pub use states::{BugKind, CodeLine, Course, Event, Gap, Standing, State, Stride, Transition, VariableId, Visit};
