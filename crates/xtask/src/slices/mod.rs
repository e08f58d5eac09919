//! `cargo xtask slices`: whether the slice of a failing test holds the line that makes it fail. Mutants of libraries
//! are the faults, the libraries' own tests find them.

mod asking;
mod measured;
mod misses;
mod report;

use crate::mutants::{Experiment, Recording, Selection, Trial};
use anyhow::Result;
use asking::Asking;
use measured::Measured;
use report::Report;
use std::process::ExitCode;

/// Look for mutated lines in the slices of the tests that fail for them
#[derive(Debug, clap::Args)]
pub(crate) struct Slices {
    #[command(flatten)]
    selection: Selection,
}

impl Slices {
    pub(crate) fn run(self) -> Result<ExitCode> {
        if let Some(results) = self.selection.run(&SliceExperiment)? {
            println!("{}", Report(results));
        }
        Ok(ExitCode::SUCCESS)
    }
}

struct SliceExperiment;

impl Experiment for SliceExperiment {
    type Measured = Measured;

    const NAME: &'static str = "slices";

    fn measure(&self, trial: &Trial<'_>, failing: &Recording) -> Result<Measured> {
        let asking = Asking { recorder: trial.recorder, store: &failing.store };
        let original = trial.subject.classes.get(&trial.mutant.class).map_or(&[][..], Vec::as_slice);
        Measured::take(&asking, trial.mutant, original)
    }

    fn summary(measured: &Measured) -> String {
        measured.summary()
    }
}
