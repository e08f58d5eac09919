//! Questions to the command line about the only run of a store.

use crate::limited::{Finished, finish, limited};
use crate::recorder::Recorder;
use anyhow::{Context, Result, bail};
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

/// CPU time after which an answer is given up.
const PATIENCE: Duration = Duration::from_secs(20);

#[derive(Debug)]
pub(super) struct Asking<'a> {
    pub(super) recorder: &'a Recorder,
    pub(super) store: &'a Path,
}

/// A line of a class, by the class's name with dots.
pub(super) type ClassLine = (String, u64);

impl Asking<'_> {
    /// The answer and the CPU time that the command took; `None` when that is too long.
    pub(super) fn ask(&self, arguments: &[&str]) -> Result<Option<(Value, Duration)>> {
        let Some(Finished { output, cpu }) = finish(self.command(arguments))? else { return Ok(None) };
        if !matches!(output.status.code(), Some(0 | 1)) {
            bail!("{arguments:?} failed:\n{}", String::from_utf8_lossy(&output.stderr));
        }
        let answer = serde_json::from_slice(&output.stdout).with_context(|| format!("{arguments:?} gave no JSON"))?;
        Ok(Some((answer, cpu)))
    }

    /// All lines that ran. `None` when it takes too long to tell.
    pub(super) fn lines_of_run(&self) -> Result<Option<BTreeSet<ClassLine>>> {
        let Some(Finished { output, .. }) = finish(self.command(&["dump"]))? else { return Ok(None) };
        let mut lines = BTreeSet::new();
        for event in output.stdout.split(|&byte| byte == b'\n').filter(|event| !event.is_empty()) {
            let event: Value = serde_json::from_slice(event).context("`dump` gave no JSON")?;
            lines.extend(class_line(&event));
        }
        Ok(Some(lines))
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = limited(&self.recorder.whydunit, PATIENCE);
        command.arg("--store").arg(self.store).args(arguments).arg("--json");
        command
    }
}

/// Of anything that has `class` and `line`.
pub(super) fn class_line(place: &Value) -> Option<ClassLine> {
    Some((place.get("class")?.as_str()?.to_owned(), place.get("line")?.as_u64()?))
}
