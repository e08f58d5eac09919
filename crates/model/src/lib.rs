//! What can be told of one method from its code alone.

mod blocks;
mod decisions;
mod edges;
mod exits;
mod flow;
mod loops;
mod rows;

pub use decisions::Decider;
pub use flow::Flow;
pub use loops::{Loop, LoopId};
