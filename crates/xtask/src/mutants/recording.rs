//! Recorded runs of the test that notices a mutant.

use super::driver::Outcome;
use super::killed::Killed;
use super::subject::Subject;
use crate::limited::{Finished, finish, limited};
use crate::recorder::Recorder;
use anyhow::{Context, Result, bail};
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
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
    /// Of the pair.
    pub(crate) number: usize,
    pub(crate) mutant: &'t Mutant,
    pub(crate) killed: &'t Killed,
    /// Other tests of its class.
    pub(crate) others: &'t [String],
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

/// CPU time of one of the other tests after which these are ended: a mutant may make one run for ever.
const OTHERS_LIMIT: Duration = Duration::from_secs(3);

impl Trial<'_> {
    /// Where the recorded run of a version is. That of the original serves all mutants that the test notices.
    pub(crate) fn store(&self, version: Version) -> PathBuf {
        match version {
            Version::Original => {
                let mut hasher = DefaultHasher::new();
                self.killed.test.hash(&mut hasher);
                self.subject.folder.join("originals").join(format!("{:016x}", hasher.finish()))
            }
            Version::Mutant => self.folder.join("mutant"),
        }
    }

    /// Whether the test passes on the original; its run is recorded unless it was before.
    pub(crate) fn has_passing_original(&self) -> Result<bool> {
        let kept = self.store(Version::Original);
        if kept.is_dir() {
            return Ok(true);
        }
        let store = self.folder.join("original");
        let Some(recording) = self.record_test_in(store.clone(), &[])? else { return Ok(false) };
        if recording.outcome != Outcome::Passed {
            return Ok(false);
        }
        fs::create_dir_all(kept.parent().unwrap_or(&self.folder)).context("cannot create a folder for recordings")?;
        // Another worker may have been quicker.
        match fs::rename(&store, &kept) {
            Err(error) if !kept.is_dir() => Err(error).context("cannot keep a recording"),
            _ => Ok(true),
        }
    }

    pub(crate) fn record_mutant(&self) -> Result<Option<Recording>> {
        self.record_test_in(self.store(Version::Mutant), std::slice::from_ref(&self.mutated))
    }

    /// The store with a run of the other tests on the mutant; `None` when there are none or they take too long.
    pub(crate) fn record_others(&self) -> Result<Option<PathBuf>> {
        if self.others.is_empty() {
            return Ok(None);
        }
        let store = self.folder.join("others");
        let limit = OTHERS_LIMIT.as_millis().to_string();
        let mut arguments = vec!["others", &limit];
        arguments.extend(self.others.iter().map(String::as_str));
        let finished = self.record_in(store.clone(), std::slice::from_ref(&self.mutated), &arguments)?;
        Ok(finished.map(|_| store))
    }

    fn record_test_in(&self, store: PathBuf, in_front: &[PathBuf]) -> Result<Option<Recording>> {
        let Some(output) = self.record_in(store.clone(), in_front, &["run", &self.killed.test])? else {
            return Ok(None);
        };
        Ok(Some(Recording { store, outcome: Outcome::parse(&output) }))
    }

    /// Records the driver in a JVM of its own; the library and its tests are in scope. What the driver says; `None` when it
    /// takes too long.
    fn record_in(&self, store: PathBuf, in_front: &[PathBuf], arguments: &[&str]) -> Result<Option<String>> {
        if store.exists() {
            fs::remove_dir_all(&store).with_context(|| format!("cannot empty {}", store.display()))?;
        }
        let mut command = limited(&self.recorder.whydunit, RECORDING_LIMIT);
        command.arg("--store").arg(&store);
        command.args(["record", "--include", self.subject.project.package, "--"]).arg(&self.subject.java);
        command.args(self.subject.run_alone(in_front, arguments)?).current_dir(&self.subject.home);
        let Some(Finished { output, .. }) = finish(command)? else { return Ok(None) };
        if !output.status.success() {
            bail!("the test cannot be recorded:\n{}", String::from_utf8_lossy(&output.stderr));
        }
        Ok(Some(String::from_utf8_lossy(&output.stdout).into_owned()))
    }
}
