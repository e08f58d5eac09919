//! An open run.

use crate::sources::Sources;
use crate::state::Moments;
use std::path::Path;
use std::sync::{Arc, OnceLock};
use whydunit_replay::{ObjectTable, Program, ReplayError, VerifyReport, verify};
use whydunit_slices::Flows;
use whydunit_trace::reader::{OpenError, Recording};
use whydunit_trace::stream::StreamError;

/// The table of a recording's blocks, in the folder of its index.
const TABLE_FILE: &str = "blocks.wdi";

/// Smaller recordings are read through in a few milliseconds.
const WORTH_A_TABLE: u64 = 16 << 20;

/// A recording and what is needed to replay it.
#[derive(Debug)]
pub struct Session {
    recording: Arc<Recording>,
    program: Program,
    objects: ObjectTable,
    sources: Option<Sources>,
    moments: OnceLock<Moments>,
    flows: OnceLock<Flows>,
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
        Session::with_objects(Recording::open(trace)?, ObjectTable::load)
    }

    /// Opens a recording with what it has in the folder of its index; what a large one needs there, it gets.
    pub fn open_indexed(trace: &Path, index: &Path) -> Result<Session, SessionError> {
        let is_large = std::fs::metadata(trace).is_ok_and(|metadata| metadata.len() >= WORTH_A_TABLE);
        let recording = if is_large {
            Recording::open_with_table(trace, &index.join(TABLE_FILE))?
        } else {
            Recording::open(trace)?
        };
        Session::with_objects(recording, |recording| ObjectTable::open_or_load(recording, index))
    }

    /// As [`Session::open_indexed`], but reads the recording through, whatever its table says of it.
    pub fn open_whole(trace: &Path, index: &Path) -> Result<Session, SessionError> {
        let recording = Recording::open(trace)?;
        Session::with_objects(recording, |recording| ObjectTable::open_or_load(recording, index))
    }

    fn with_objects(
        recording: Recording,
        objects: impl FnOnce(&Arc<Recording>) -> Result<ObjectTable, StreamError>,
    ) -> Result<Session, SessionError> {
        let recording = Arc::new(recording);
        let program = Program::new(&recording);
        let objects = objects(&recording)?;
        Ok(Session { recording, program, objects, sources: None, moments: OnceLock::new(), flows: OnceLock::new() })
    }

    /// Lines of source are shown from the files in this folder.
    pub fn with_sources(self, folder: &Path) -> Session {
        Session { sources: Some(Sources::new(folder)), ..self }
    }

    pub(crate) fn program(&self) -> &Program {
        &self.program
    }

    pub(crate) fn objects(&self) -> &ObjectTable {
        &self.objects
    }

    pub(crate) fn sources(&self) -> Option<&Sources> {
        self.sources.as_ref()
    }

    pub(crate) fn flows(&self) -> &Flows {
        self.flows.get_or_init(|| Flows::new(&self.program))
    }

    pub(crate) fn moments(&self) -> &OnceLock<Moments> {
        &self.moments
    }

    pub fn recording(&self) -> &Recording {
        &self.recording
    }

    /// Replays everything and compares it with every fact that the recording has. `progress` is told from any
    /// thread how many instructions were replayed since it was last called.
    pub fn verify(&self, progress: &(dyn Fn(u64) + Sync)) -> Result<VerifyReport, SessionError> {
        Ok(verify(&self.program, &self.objects, progress)?)
    }
}
