//! Rebuilds every state of a recorded run: [`program`] decodes the recorded methods, [`interpreter`] replays
//! a thread over its log, and observers of that replay verify it or turn it into events.

pub mod check;
pub mod checkpoint;
pub mod error;
pub mod events;
pub mod index;
pub mod interpreter;
pub mod naming;
pub mod objects;
mod pieces;
pub mod program;
pub mod state;
pub mod steps;
pub mod unrecorded;
pub mod value;
pub mod verify;

pub use error::{Divergence, ReplayError};
pub use objects::ObjectTable;
pub use program::Program;
pub use value::Value;
pub use verify::{VerifyReport, verify};
