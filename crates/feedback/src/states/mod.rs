//! The states of feedback-based debugging: what an answer means depends on those before it.

mod clarity;
mod course;
mod kind;
mod machine;
mod patterns;
mod state;
#[cfg(test)]
mod tests;

pub use course::{CodeLine, Course, VariableId, Visit};
pub use kind::BugKind;
pub(crate) use kind::Evidence;
pub use machine::{Gap, Standing, Stride};
pub use state::{Event, State, Transition};
