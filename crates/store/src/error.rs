//! What can go wrong in the store.

use crate::id::RunId;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    #[error("cannot {action} {}", .path.display())]
    Io { action: &'static str, path: PathBuf, source: io::Error },
    #[error("there are no runs in {}", .dir.display())]
    NoRuns { dir: PathBuf },
    #[error("no run is called `{spec}`")]
    UnknownRun { spec: String, nearest: Vec<RunId> },
    #[error("`{spec}` is the beginning of {} runs", .candidates.len())]
    AmbiguousRun { spec: String, candidates: Vec<RunId> },
    #[error("there is already a run called `{id}`")]
    RunExists { id: RunId },
    #[error("cannot import {}: {fault}", .path.display())]
    BadArchive { path: PathBuf, fault: ArchiveFault },
    #[error("run `{id}` has no trace")]
    NoTrace { id: RunId },
}

/// Why a file was refused by `import`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ArchiveFault {
    /// The file is something else.
    NotAnExport,
    /// Made by a newer version.
    NewerFormat { found: u32 },
    /// The file ends early or its checksum is wrong.
    Damaged(&'static str),
    /// An entry would be written outside the run's folder, or is not a plain file.
    UnsafeEntry(String),
    /// A run without a trace.
    Incomplete,
}

/// Characters of an entry's name that are shown.
const LONGEST_NAME: usize = 100;

impl fmt::Display for ArchiveFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ArchiveFault::NotAnExport => f.write_str("it is not a file made by `whydunit export`"),
            ArchiveFault::NewerFormat { found } => {
                write!(f, "it has export format {found}, which is newer than this version of whydunit")
            }
            ArchiveFault::Damaged(how) => write!(f, "it is damaged or cut off ({how})"),
            ArchiveFault::UnsafeEntry(name) => {
                let shown: String = name.chars().filter(|c| !c.is_control()).take(LONGEST_NAME).collect();
                write!(f, "it holds an entry that no run has: {shown}")
            }
            ArchiveFault::Incomplete => f.write_str("it holds no trace"),
        }
    }
}

/// Adds what was being done to which file.
pub(crate) trait IoContext<T> {
    fn context(self, action: &'static str, path: &Path) -> Result<T, StoreError>;
}

impl<T> IoContext<T> for io::Result<T> {
    fn context(self, action: &'static str, path: &Path) -> Result<T, StoreError> {
        self.map_err(|source| StoreError::Io { action, path: path.to_owned(), source })
    }
}
