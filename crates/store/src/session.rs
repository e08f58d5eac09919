//! A recording in progress: the folder into which the agents of all JVMs of one command write.

use crate::error::{IoContext, StoreError};
use crate::files::write_whole;
use crate::id::RunId;
use crate::store::Store;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use std::fs;
use std::path::{Path, PathBuf};

pub(crate) const SESSION_PREFIX: &str = ".session-";
const SESSION_FILE: &str = "session.json";

/// What is known before the command starts.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SessionInfo {
    pub command: Vec<String>,
    pub cwd: PathBuf,
    pub started: Timestamp,
    /// The process that will take the runs into the store.
    pub recorder_pid: i32,
    /// The name that the user wants for the run.
    pub name: Option<RunId>,
    /// Folders to search for sources before all others.
    pub source_roots: Vec<PathBuf>,
}

/// The folder of a recording in progress.
#[derive(Clone, Debug)]
pub struct Session {
    pub dir: PathBuf,
    pub info: SessionInfo,
}

impl Store {
    /// A fresh folder for a recording. It stays until [`Store::adopt`] takes it.
    pub fn begin(&self, info: SessionInfo) -> Result<Session, StoreError> {
        let folder = self.staging(SESSION_PREFIX)?;
        let path = folder.path().join(SESSION_FILE);
        let text = serde_json::to_vec_pretty(&info)
            .map_err(std::io::Error::other)
            .context("write", &path)?;
        write_whole(&path, &text)?;
        let dir = folder.keep();
        // The agents run in other folders and need the whole path.
        let dir = fs::canonicalize(&dir).context("find", &dir)?;
        Ok(Session { dir, info })
    }

    /// Sessions whose recorder has ended without taking the runs into the store, as after a kill.
    pub(crate) fn abandoned_sessions(&self) -> Vec<Session> {
        let Ok(entries) = fs::read_dir(self.dir()) else {
            return Vec::new();
        };
        entries
            .flatten()
            .filter(|entry| {
                entry
                    .file_name()
                    .to_string_lossy()
                    .starts_with(SESSION_PREFIX)
            })
            .filter_map(|entry| Session::read(&entry.path()))
            .filter(|session| !is_alive(session.info.recorder_pid))
            .collect()
    }
}

impl Session {
    fn read(dir: &Path) -> Option<Session> {
        let info = serde_json::from_slice(&fs::read(dir.join(SESSION_FILE)).ok()?).ok()?;
        Some(Session {
            dir: dir.to_owned(),
            info,
        })
    }
}

/// Whether a process exists; a process of another user counts.
fn is_alive(pid: i32) -> bool {
    let Some(pid) = rustix::process::Pid::from_raw(pid) else {
        return false;
    };
    !matches!(
        rustix::process::test_kill_process(pid),
        Err(rustix::io::Errno::SRCH)
    )
}
