//! A recording in progress: the folder into which the agents of all JVMs of one command write.

use crate::error::{IoContext, StoreError};
use crate::files::write_whole;
use crate::id::RunId;
use crate::meta::CommandExit;
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
    pub recorder_pid: u32,
    /// The name that the user wants for the run.
    pub name: Option<RunId>,
    /// Folders to search for sources before all others.
    pub source_roots: Vec<PathBuf>,
    /// How the command ended, once it has.
    #[serde(default)]
    pub exit: CommandExit,
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
        write_info(folder.path(), &info)?;
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
            .filter(|entry| entry.file_name().to_string_lossy().starts_with(SESSION_PREFIX))
            .filter_map(|entry| Session::read(&entry.path()))
            .filter(|session| !is_alive(session.info.recorder_pid))
            .collect()
    }
}

impl Session {
    /// Keeps the session for JVMs that still write to it.
    pub(crate) fn leave(&self, exit: CommandExit) -> Result<(), StoreError> {
        write_info(&self.dir, &SessionInfo { exit, ..self.info.clone() })
    }

    fn read(dir: &Path) -> Option<Session> {
        let info = serde_json::from_slice(&fs::read(dir.join(SESSION_FILE)).ok()?).ok()?;
        Some(Session { dir: dir.to_owned(), info })
    }
}

fn write_info(dir: &Path, info: &SessionInfo) -> Result<(), StoreError> {
    let path = dir.join(SESSION_FILE);
    let text = serde_json::to_vec_pretty(info).map_err(std::io::Error::other).context("write", &path)?;
    write_whole(&path, &text)
}

/// Whether a process runs; a process of another user counts, one that has ended and waits for its parent to
/// notice does not.
pub(crate) fn is_alive(pid: u32) -> bool {
    let raw = i32::try_from(pid).ok().and_then(rustix::process::Pid::from_raw);
    let exists =
        raw.is_some_and(|pid| !matches!(rustix::process::test_kill_process(pid), Err(rustix::io::Errno::SRCH)));
    exists && !is_zombie(pid)
}

fn is_zombie(pid: u32) -> bool {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    // The state follows the program's name, which may itself hold parentheses.
    stat.rsplit_once(") ").is_some_and(|(_, rest)| rest.starts_with('Z'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Command;

    #[test]
    fn a_process_that_ended_is_not_alive_before_its_parent_has_noticed() {
        assert!(is_alive(std::process::id()));
        let mut child = Command::new("sleep").arg("60").spawn().expect("a process");
        assert!(is_alive(child.id()));
        child.kill().expect("killed");
        while is_alive(child.id()) {
            std::thread::yield_now();
        }
        child.wait().expect("ended");
    }
}
