//! `cargo xtask feedback`: how many answers it takes from a failing test to the mutated line, with a user who is simulated.

mod measured;
mod report;
mod user;

use crate::mutants::{Experiment, Recording, Selection, Trial};
use anyhow::Result;
use measured::Measured;
use report::Report;
use std::process::ExitCode;

/// Find mutated lines by the answers of a simulated user
#[derive(Debug, clap::Args)]
pub(crate) struct Feedback {
    #[command(flatten)]
    selection: Selection,
}

impl Feedback {
    pub(crate) fn run(self) -> Result<ExitCode> {
        if let Some(results) = self.selection.run(&FeedbackExperiment { seed: self.selection.seed })? {
            println!("{}", Report(results));
        }
        Ok(ExitCode::SUCCESS)
    }
}

struct FeedbackExperiment {
    seed: u64,
}

impl Experiment for FeedbackExperiment {
    type Measured = Measured;

    const NAME: &'static str = "feedback";

    fn measure(&self, trial: &Trial<'_>, _failing: &Recording) -> Result<Measured> {
        Measured::take(trial, self.seed)
    }

    fn summary(measured: &Measured) -> String {
        measured.summary()
    }
}
