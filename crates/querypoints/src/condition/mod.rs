//! Java expressions over the state at a moment of the run.

mod arithmetic;
mod evaluate;
#[cfg(test)]
mod tests;

pub(crate) use evaluate::class_name;
pub use evaluate::{Datum, NotKnown, Outcome, Scope, evaluate, holds};
