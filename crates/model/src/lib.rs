//! What can be told of one method from its code alone.

mod blocks;
mod decisions;
mod edges;
mod exits;
mod flow;
mod jumps;
mod loops;
mod rows;
#[cfg(test)]
mod tests;

pub use decisions::Decider;
pub use flow::Flow;
pub use jumps::Jumps;
pub use loops::{Loop, LoopId};
