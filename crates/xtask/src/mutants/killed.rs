//! Mutants that a test notices.

use super::coverage::Coverage;
use super::driver::{Outcome, Tester};
use super::sample::Random;
use super::subject::Subject;
use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};
use std::fs;
use std::path::{Path, PathBuf};
use whydunit_mutation::Mutant;

/// Tests to try on one mutant.
const MOST_TESTS: usize = 12;

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
    /// No quick test that passes runs its instruction.
    NotCovered,
    /// Tests run it and pass.
    Survived,
    /// The first test that noticed it did not come to an end.
    TimedOut,
    /// The class would break a limit of class files.
    NotPossible,
}

pub(crate) struct Searcher<'s> {
    pub(crate) subject: &'s Subject,
    pub(crate) coverage: &'s Coverage,
    pub(crate) tester: Tester<'s>,
    pub(crate) seed: u64,
}

impl Searcher<'_> {
    /// Tries tests in an order that the seed determines. `folder` gets the changed class.
    pub(crate) fn search(&mut self, number: usize, mutant: &Mutant, folder: &Path) -> Result<Search> {
        let mut tests = self.coverage.tests_of(number).to_vec();
        if tests.is_empty() {
            return Ok(Search::NotCovered);
        }
        let Some(file) = write_mutant(self.subject, mutant, folder)? else { return Ok(Search::NotPossible) };
        Random(self.seed ^ (number as u64) << 32).shuffle(&mut tests);
        for test in tests.into_iter().take(MOST_TESTS) {
            match self.tester.outcome(&mutant.class, &file, &test)? {
                Outcome::Failed(exception) => return Ok(Search::Killed(Killed { test, exception })),
                Outcome::TimedOut => return Ok(Search::TimedOut),
                Outcome::Passed | Outcome::Missing => {}
            }
        }
        Ok(Search::Survived)
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
