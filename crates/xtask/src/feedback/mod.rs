//! `cargo xtask feedback`: how many answers it takes from a failing test to the mutated line, with a user who is simulated.

mod again;
mod calibration;
mod case;
mod fit;
mod measured;
mod report;
mod searched;
mod user;

use crate::mutants::{Experiment, Recording, Selection, Trial};
use again::search_again;
use anyhow::{Context, Result};
use calibration::calibration;
use fit::fit;
use measured::Measured;
use report::Report;
use std::fs;
use std::process::ExitCode;

/// Find mutated lines by the answers of a simulated user
#[derive(Debug, clap::Args)]
pub(crate) struct Feedback {
    #[command(flatten)]
    selection: Selection,

    /// Search again in what earlier trials have left, without recording anything
    #[arg(long)]
    again: bool,

    /// Learn the weights of what is known of lines from what earlier trials have left
    #[arg(long, conflicts_with = "again")]
    fit: bool,

    /// With each question of each search
    #[arg(long, requires = "again")]
    verbose: bool,
}

impl Feedback {
    pub(crate) fn run(self) -> Result<ExitCode> {
        let folders = self.selection.folders(&cases_folder(self.selection.seed))?;
        if self.fit {
            println!("{}\n\n{}", fit(&folders)?, calibration(&folders)?);
            return Ok(ExitCode::SUCCESS);
        }
        if self.again {
            println!("{}", search_again(&folders, self.selection.seed, self.selection.jobs, self.verbose)?);
            return Ok(ExitCode::SUCCESS);
        }
        if let Some(results) = self.selection.run(&FeedbackExperiment { seed: self.selection.seed })? {
            println!("{}", Report(results));
        }
        Ok(ExitCode::SUCCESS)
    }
}

fn cases_folder(seed: u64) -> String {
    format!("cases-{seed}")
}

struct FeedbackExperiment {
    seed: u64,
}

impl Experiment for FeedbackExperiment {
    type Measured = Measured;

    const NAME: &'static str = "feedback";

    fn measure(&self, trial: &Trial<'_>, _failing: &Recording) -> Result<Measured> {
        let folder = trial.subject.folder.join(cases_folder(self.seed));
        fs::create_dir_all(&folder).with_context(|| format!("cannot create {}", folder.display()))?;
        Measured::take(trial, self.seed, &folder.join(trial.number.to_string()))
    }

    fn summary(measured: &Measured) -> String {
        measured.summary()
    }
}
