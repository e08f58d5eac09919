//! One recorded run, open for questions: plain data out, for every front end.

mod session;

pub use session::{Session, SessionError};
pub use whydunit_replay::{Divergence, VerifyReport};
