//! Mutants that a test notices.

use super::driver::{Outcome, Tester};
use super::subject::Subject;
use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};
use std::fs;
use std::path::{Path, PathBuf};
use whydunit_mutation::Mutant;

/// A test that passes on the original and fails on the mutant.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Killed {
    /// The unique id in the JUnit platform.
    pub(crate) test: String,
    /// The class of what it failed with.
    pub(crate) exception: String,
}

/// What became of a mutant before anything was measured.
#[derive(Debug)]
pub(crate) enum Search {
    Killed(Killed),
    /// The test runs it and passes.
    Survived,
    /// The test did not come to an end.
    TimedOut,
    /// The class would break a limit of class files.
    NotPossible,
}

pub(crate) struct Searcher<'s> {
    pub(crate) subject: &'s Subject,
    pub(crate) tester: Tester<'s>,
}

impl Searcher<'_> {
    /// `folder` gets the changed class.
    pub(crate) fn search(&mut self, test: &str, mutant: &Mutant, folder: &Path) -> Result<Search> {
        let Some(file) = write_mutant(self.subject, mutant, folder)? else { return Ok(Search::NotPossible) };
        Ok(match self.tester.outcome(&mutant.class, &file, test)? {
            Outcome::Failed(exception) => Search::Killed(Killed { test: test.to_owned(), exception }),
            Outcome::TimedOut => Search::TimedOut,
            Outcome::Passed | Outcome::Missing => Search::Survived,
        })
    }
}

/// Puts the mutated class into a folder that can stand on a class path.
fn write_mutant(subject: &Subject, mutant: &Mutant, folder: &Path) -> Result<Option<PathBuf>> {
    let original = subject.classes.get(&mutant.class).with_context(|| format!("there is no class {}", mutant.class))?;
    let Ok(mutated) = mutant.apply(original) else { return Ok(None) };
    if folder.is_dir() {
        fs::remove_dir_all(folder).with_context(|| format!("cannot empty {}", folder.display()))?;
    }
    let file = folder.join(&mutant.class).with_extension("class");
    fs::create_dir_all(file.parent().unwrap_or(folder)).context("cannot create a folder for a class")?;
    fs::write(&file, mutated).with_context(|| format!("cannot write {}", file.display()))?;
    Ok(Some(file))
}
