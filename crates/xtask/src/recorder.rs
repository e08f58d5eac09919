//! The product, as a user meets it: the `whydunit` command.

use anyhow::{Context, Result, bail};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use whydunit_testkit::whydunit_binary;

#[derive(Debug)]
pub(crate) struct Recorder {
    pub(crate) whydunit: PathBuf,
}

/// What `whydunit verify --json` answers, as far as it is of interest here.
#[derive(Debug, Deserialize)]
pub(crate) struct Verified {
    pub(crate) bytecodes: u64,
    pub(crate) facts_compared: u64,
    pub(crate) differences: Vec<Difference>,
}

/// What `whydunit index --json` answers, as far as it is of interest here.
#[derive(Debug, Deserialize)]
pub(crate) struct Indexed {
    pub(crate) bytecodes: u64,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Difference {
    pub(crate) thread: u32,
    pub(crate) method: String,
    pub(crate) pc: u32,
    pub(crate) line: Option<u32>,
    pub(crate) what: String,
}

/// Bytes in a run's streams.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Sizes {
    pub(crate) raw: u64,
    pub(crate) stored: u64,
}

#[derive(Deserialize)]
struct Info {
    trace: Trace,
}

#[derive(Deserialize)]
struct Trace {
    streams: Vec<Stream>,
}

#[derive(Deserialize)]
struct Stream {
    raw: u64,
    stored: u64,
}

impl Recorder {
    /// Builds the command first.
    pub(crate) fn build() -> Result<Recorder> {
        Ok(Recorder { whydunit: whydunit_binary()? })
    }

    /// `whydunit record OPTIONS -- java`, to which the arguments of `java` are to be added. The store is
    /// emptied.
    pub(crate) fn record(&self, store: &Path, options: &[String], java: &Path) -> Result<Command> {
        if store.exists() {
            fs::remove_dir_all(store).with_context(|| format!("cannot empty {}", store.display()))?;
        }
        let mut command = self.command(store);
        command.arg("record").args(options).arg("--").arg(java);
        Ok(command)
    }

    fn verify_command(&self, store: &Path, run: &str) -> Command {
        let mut command = self.command(store);
        command.args(["verify", run, "--json"]);
        command
    }

    pub(crate) fn index_command(&self, store: &Path, run: &str) -> Command {
        let mut command = self.command(store);
        command.args(["index", run, "--json"]);
        command
    }

    pub(crate) fn verify(&self, store: &Path, run: &str) -> Result<Verified> {
        json(self.verify_command(store, run))
    }

    pub(crate) fn sizes(&self, store: &Path, run: &str) -> Result<Sizes> {
        let mut command = self.command(store);
        command.args(["info", run, "--json"]);
        let info: Info = json(command)?;
        let sum = |size: fn(&Stream) -> u64| info.trace.streams.iter().map(size).sum();
        Ok(Sizes { raw: sum(|stream| stream.raw), stored: sum(|stream| stream.stored) })
    }

    fn command(&self, store: &Path) -> Command {
        let mut command = Command::new(&self.whydunit);
        command.arg("--store").arg(store);
        command
    }
}

/// The ids of a store's runs: the names of its visible folders.
pub(crate) fn runs(store: &Path) -> Result<Vec<String>> {
    let entries = fs::read_dir(store).with_context(|| format!("cannot read {}", store.display()))?;
    let folders = entries.flatten().filter(|entry| entry.path().is_dir());
    let mut names: Vec<String> = folders.filter_map(|entry| entry.file_name().into_string().ok()).collect();
    names.retain(|name| !name.starts_with('.'));
    names.sort();
    Ok(names)
}

fn json<T: DeserializeOwned>(mut command: Command) -> Result<T> {
    let output = command.output().with_context(|| format!("cannot run {}", command.get_program().display()))?;
    if !matches!(output.status.code(), Some(0 | 1)) {
        bail!("{command:?} failed ({}):\n{}", output.status, String::from_utf8_lossy(&output.stderr));
    }
    serde_json::from_slice(&output.stdout).with_context(|| format!("{command:?} gave no answer in JSON"))
}
