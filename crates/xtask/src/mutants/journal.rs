//! Results as lines of JSON, so that an experiment can go on where it was left.

use super::killed::Killed;
use anyhow::{Context, Result};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::path::Path;

/// What became of one mutant on one test.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Entry<M> {
    /// Of the pair.
    pub(crate) number: usize,
    pub(crate) class: String,
    pub(crate) method: String,
    pub(crate) line: u32,
    pub(crate) operator: String,
    pub(crate) description: String,
    pub(crate) fate: Fate<M>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Fate<M> {
    Survived,
    TimedOut,
    NotPossible,
    /// The test passes, or does not end, in a JVM of its own.
    NotRepeated,
    /// The experiment itself broke.
    Broken(String),
    Measured(Killed, M),
}

impl<M> Entry<M> {
    pub(crate) fn measured(&self) -> Option<&M> {
        match &self.fate {
            Fate::Measured(_, measured) => Some(measured),
            _ => None,
        }
    }
}

#[derive(Debug)]
pub(crate) struct Journal<M> {
    file: File,
    pub(crate) entries: BTreeMap<usize, Entry<M>>,
}

impl<M: Serialize + DeserializeOwned> Journal<M> {
    /// With what earlier runs have left. A line that was cut off is forgotten.
    pub(crate) fn open(path: &Path) -> Result<Journal<M>> {
        let text = fs::read_to_string(path).unwrap_or_default();
        let entries: Vec<Entry<M>> = text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
        let file = OpenOptions::new().create(true).append(true).open(path);
        let mut file = file.with_context(|| format!("cannot write {}", path.display()))?;
        if !text.is_empty() && !text.ends_with('\n') {
            writeln!(file).context("cannot write the journal")?;
        }
        Ok(Journal { file, entries: entries.into_iter().map(|entry| (entry.number, entry)).collect() })
    }

    pub(crate) fn add(&mut self, entry: Entry<M>) -> Result<()> {
        let line = serde_json::to_string(&entry).context("an entry is no JSON")?;
        writeln!(self.file, "{line}").context("cannot write the journal")?;
        self.entries.insert(entry.number, entry);
        Ok(())
    }

    pub(crate) fn measured(&self) -> usize {
        self.entries.values().filter(|entry| matches!(entry.fate, Fate::Measured(..))).count()
    }
}
