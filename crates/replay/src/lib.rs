//! Rebuilds every state of a recorded run: [`program`] decodes the recorded methods, [`interpreter`] replays
//! a thread over its log, and observers of that replay verify it or turn it into events.

pub mod check;
pub mod error;
pub mod interpreter;
pub mod objects;
pub mod program;
pub mod verify;

pub use error::{Divergence, ReplayError};
pub use objects::ObjectTable;
pub use program::Program;
pub use verify::{VerifyReport, verify};
