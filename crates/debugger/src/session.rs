//! An open run.

use std::path::Path;
use std::sync::Arc;
use whydunit_replay::{ObjectTable, Program, ReplayError, VerifyReport, verify};
use whydunit_trace::reader::{OpenError, Recording};
use whydunit_trace::stream::StreamError;

/// A recording and what is needed to replay it.
#[derive(Debug)]
pub struct Session {
    recording: Arc<Recording>,
    program: Program,
    objects: ObjectTable,
}

#[derive(Debug, thiserror::Error)]
pub enum SessionError {
    #[error(transparent)]
    Open(#[from] OpenError),
    #[error("the recording's objects cannot be read")]
    Objects(#[from] StreamError),
    #[error(transparent)]
    Replay(#[from] ReplayError),
}

impl Session {
    /// Opens the recording at `trace`, the `trace.wdt` of a run.
    pub fn open(trace: &Path) -> Result<Session, SessionError> {
        let recording = Arc::new(Recording::open(trace)?);
        let program = Program::new(&recording);
        let objects = ObjectTable::load(&recording)?;
        Ok(Session { recording, program, objects })
    }

    pub fn recording(&self) -> &Recording {
        &self.recording
    }

    /// Replays everything and compares it with every fact that the recording has.
    pub fn verify(&self) -> Result<VerifyReport, SessionError> {
        Ok(verify(&self.program, &self.objects)?)
    }
}
