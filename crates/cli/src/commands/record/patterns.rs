//! What to record, from the settings file and the command line.

use crate::config::Pattern;
use whydunit_store::{Adopted, JvmReport, SETTINGS_FILE};

#[derive(Debug)]
pub(super) struct Patterns {
    pub(super) include: List,
    pub(super) exclude: List,
}

/// The patterns of one option.
#[derive(Debug)]
pub(super) struct List {
    option: &'static str,
    matched: fn(&JvmReport) -> &Vec<bool>,
    /// Those of the file come first.
    pub(super) all: Vec<Pattern>,
    of_file: usize,
}

/// A pattern that matched no class.
#[derive(Debug)]
pub(super) struct InVain {
    pub(super) words: String,
    pub(super) is_of_file: bool,
}

impl List {
    pub(super) fn include(of_file: Vec<Pattern>, of_command: &[Pattern]) -> List {
        List {
            option: "include",
            matched: |report| &report.include,
            of_file: of_file.len(),
            all: [&of_file, of_command].concat(),
        }
    }

    pub(super) fn exclude(of_file: Vec<Pattern>, of_command: &[Pattern]) -> List {
        List {
            option: "exclude",
            matched: |report| &report.exclude,
            of_file: of_file.len(),
            all: [&of_file, of_command].concat(),
        }
    }

    /// Those that matched no class in any JVM; none when a JVM has not told.
    pub(super) fn in_vain(&self, adopted: &Adopted) -> Vec<InVain> {
        if !adopted.is_all_reported() {
            return Vec::new();
        }
        let has_matched = |at: usize| {
            adopted.reports.iter().any(|report| (self.matched)(report).get(at).is_none_or(|&matched| matched))
        };
        let in_vain = self.all.iter().enumerate().filter(|&(at, _)| !has_matched(at));
        in_vain
            .map(|(at, pattern)| {
                let is_of_file = at < self.of_file;
                let option = self.option;
                let words = if is_of_file {
                    format!("`{pattern}` ({option} in {SETTINGS_FILE})")
                } else {
                    format!("`--{option} {pattern}`")
                };
                InVain { words, is_of_file }
            })
            .collect()
    }
}
