//! Questions to the command line about the only run of a store.

use crate::recorder::Recorder;
use anyhow::{Context, Result, bail};
use serde_json::Value;
use std::collections::BTreeSet;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Seconds after which an answer is given up.
const PATIENCE: &str = "60";

/// What `timeout` ends with.
const TIMED_OUT: i32 = 124;

#[derive(Debug)]
pub(super) struct Asking<'a> {
    pub(super) recorder: &'a Recorder,
    pub(super) store: &'a Path,
}

/// A line of a class, by the class's name with dots.
pub(super) type ClassLine = (String, u64);

impl Asking<'_> {
    /// The answer and how long it took from the start of the command to its end; `None` when that is too long.
    pub(super) fn ask(&self, arguments: &[&str]) -> Result<Option<(Value, Duration)>> {
        let mut command = self.command(arguments);
        let start = Instant::now();
        let output = command.output().context("cannot run timeout")?;
        let took = start.elapsed();
        match output.status.code() {
            Some(0 | 1) => {}
            Some(TIMED_OUT) => return Ok(None),
            _ => bail!("{arguments:?} failed:\n{}", String::from_utf8_lossy(&output.stderr)),
        }
        let answer = serde_json::from_slice(&output.stdout).with_context(|| format!("{arguments:?} gave no JSON"))?;
        Ok(Some((answer, took)))
    }

    /// All lines that ran. `None` when it takes too long to tell.
    pub(super) fn lines_of_run(&self) -> Result<Option<BTreeSet<ClassLine>>> {
        let mut child = self.command(&["dump"]).stdout(Stdio::piped()).spawn().context("cannot run timeout")?;
        let output = child.stdout.take().context("the command has no output")?;
        let mut lines = BTreeSet::new();
        for event in BufReader::new(output).lines() {
            let event: Value = serde_json::from_str(&event?).context("`dump` gave no JSON")?;
            if let Some(line) = class_line(&event) {
                lines.insert(line);
            }
        }
        Ok(child.wait()?.success().then_some(lines))
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new("timeout");
        command.arg(PATIENCE).arg(&self.recorder.whydunit).arg("--store").arg(self.store).args(arguments);
        command.arg("--json").stdin(Stdio::null()).stderr(Stdio::piped());
        command
    }
}

/// Of anything that has `class` and `line`.
pub(super) fn class_line(place: &Value) -> Option<ClassLine> {
    Some((place.get("class")?.as_str()?.to_owned(), place.get("line")?.as_u64()?))
}
