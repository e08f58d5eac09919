//! One run in the store.

use crate::error::StoreError;
use crate::facts::RunFacts;
use crate::files::size_below;
use crate::id::RunId;
use crate::meta::{Ending, JvmInfo, RUN_FILE, RunMeta};
use jiff::Timestamp;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use whydunit_trace::reader::{OpenError, Recording};

pub(crate) const TRACE_FILE: &str = "trace.wdt";
pub(crate) const SOURCES_FOLDER: &str = "sources";
pub(crate) const INDEX_FOLDER: &str = "index";

/// A run's folder, with as much of its description as could be read.
#[derive(Clone, Debug)]
pub struct Run {
    pub id: RunId,
    pub dir: PathBuf,
    pub meta: Option<RunMeta>,
    pub notes: Vec<RunNote>,
}

/// What is wrong with a run that is listed all the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RunNote {
    NoDescription,
    UnreadableDescription(String),
    NoTrace,
    /// The recording did not come to an orderly end.
    Ended(Ending),
}

impl fmt::Display for RunNote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RunNote::NoDescription => write!(f, "{RUN_FILE} is missing"),
            RunNote::UnreadableDescription(why) => write!(f, "{RUN_FILE} is unreadable: {why}"),
            RunNote::NoTrace => write!(f, "{TRACE_FILE} is missing"),
            RunNote::Ended(ending) => ending.fmt(f),
        }
    }
}

impl Run {
    /// Never fails: what cannot be read becomes a note.
    pub(crate) fn load(id: RunId, dir: PathBuf) -> Run {
        let mut notes = Vec::new();
        let meta = match fs::read(dir.join(RUN_FILE)) {
            Ok(text) => match serde_json::from_slice::<RunMeta>(&text) {
                Ok(meta) => Some(meta),
                Err(error) => {
                    notes.push(RunNote::UnreadableDescription(error.to_string()));
                    None
                }
            },
            Err(_) => {
                notes.push(RunNote::NoDescription);
                None
            }
        };
        if !dir.join(TRACE_FILE).is_file() {
            notes.push(RunNote::NoTrace);
        }
        if let Some(ending) = meta.as_ref().map(|meta| meta.ending).filter(|&ending| ending != Ending::Complete) {
            notes.push(RunNote::Ended(ending));
        }
        Run { id, dir, meta, notes }
    }

    pub fn trace_path(&self) -> PathBuf {
        self.dir.join(TRACE_FILE)
    }

    /// Source files by package path, `com/acme/Foo.java`.
    pub fn sources_dir(&self) -> PathBuf {
        self.dir.join(SOURCES_FOLDER)
    }

    /// Derived data, rebuilt when missing.
    pub fn index_dir(&self) -> PathBuf {
        self.dir.join(INDEX_FOLDER)
    }

    /// When the run began; without a description, when its folder was last changed.
    pub fn started(&self) -> Timestamp {
        let of_folder = || {
            let modified = fs::metadata(&self.dir).and_then(|meta| meta.modified()).ok()?;
            Timestamp::try_from(modified).ok()
        };
        self.meta.as_ref().map(|meta| meta.started).or_else(of_folder).unwrap_or(Timestamp::UNIX_EPOCH)
    }

    /// What the agent wrote about the JVM.
    pub fn jvm(&self) -> Option<JvmInfo> {
        JvmInfo::read(&self.dir)
    }

    /// Bytes of everything in the run's folder.
    pub fn size(&self) -> u64 {
        size_below(&self.dir)
    }

    pub fn open_trace(&self) -> Result<Recording, OpenError> {
        Recording::open(&self.trace_path())
    }

    /// Reads the whole trace and counts what is in it.
    pub fn facts(&self) -> Result<RunFacts, OpenError> {
        self.open_trace().map(|recording| RunFacts::of(&recording))
    }

    /// That there is something to replay.
    pub fn require_trace(&self) -> Result<(), StoreError> {
        if self.trace_path().is_file() { Ok(()) } else { Err(StoreError::NoTrace { id: self.id.clone() }) }
    }
}

/// Whether a folder looks like a run.
pub(crate) fn is_run_folder(dir: &Path) -> bool {
    dir.join(TRACE_FILE).is_file() || dir.join(RUN_FILE).is_file()
}
