//! Recorded runs of the test that notices a mutant.

use super::driver::Outcome;
use super::killed::Killed;
use super::subject::Subject;
use crate::limited::{Finished, finish, limited};
use crate::recorder::Recorder;
use anyhow::{Context, Result, bail};
use std::fs;
use std::path::PathBuf;
use std::time::Duration;
use whydunit_mutation::Mutant;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Version {
    Original,
    Mutant,
}

/// A mutant, a test that notices it, and a place for recorded runs of that test.
#[derive(Debug)]
pub(crate) struct Trial<'t> {
    pub(crate) subject: &'t Subject,
    pub(crate) recorder: &'t Recorder,
    pub(crate) mutant: &'t Mutant,
    pub(crate) killed: &'t Killed,
    /// The mutated class is in it.
    pub(crate) mutated: PathBuf,
    /// Of this trial alone, while it goes on.
    pub(crate) folder: PathBuf,
}

/// The only run of a store.
#[derive(Debug)]
pub(crate) struct Recording {
    pub(crate) store: PathBuf,
    pub(crate) outcome: Outcome,
}

/// CPU time after which a recorded run is given up.
const RECORDING_LIMIT: Duration = Duration::from_secs(60);

impl Trial<'_> {
    /// Where the recorded run of a version is.
    pub(crate) fn store(&self, version: Version) -> PathBuf {
        self.folder.join(match version {
            Version::Original => "original",
            Version::Mutant => "mutant",
        })
    }

    /// Records the test in a JVM of its own; the library and its tests are in scope. `None` when it takes too long.
    pub(crate) fn record(&self, version: Version) -> Result<Option<Recording>> {
        let store = self.store(version);
        if store.exists() {
            fs::remove_dir_all(&store).with_context(|| format!("cannot empty {}", store.display()))?;
        }
        let in_front = match version {
            Version::Original => Vec::new(),
            Version::Mutant => vec![self.mutated.clone()],
        };
        let mut command = limited(&self.recorder.whydunit, RECORDING_LIMIT);
        command.arg("--store").arg(&store);
        command.args(["record", "--include", self.subject.project.package, "--"]).arg(&self.subject.java);
        command.args(self.subject.run_alone(&in_front, &self.killed.test)?).current_dir(&self.subject.home);
        let Some(Finished { output, .. }) = finish(command)? else { return Ok(None) };
        if !output.status.success() {
            bail!("the test cannot be recorded:\n{}", String::from_utf8_lossy(&output.stderr));
        }
        let outcome = Outcome::parse(&String::from_utf8_lossy(&output.stdout));
        Ok(Some(Recording { store, outcome }))
    }
}
