//! `cargo xtask feedback`: how many answers it takes from a failing test to the mutated line, with a user who is simulated.

mod again;
mod calibration;
mod case;
mod course;
mod fit;
mod judging;
mod measured;
mod plot;
mod reasons;
mod report;
#[cfg(test)]
mod sample;
mod searched;
mod sights;
mod user;

use crate::mutants::{Experiment, Recording, Selection, Trial};
use again::search_again;
use anyhow::{Context, Result};
use calibration::calibration;
use fit::fit;
use measured::Measured;
use report::Report;
use sights::sights;
use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;
use whydunit_feedback::Policy;

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

    /// How questions are chosen
    #[arg(long, value_enum, default_value_t = Chosen::Expected)]
    policy: Chosen,

    /// By a user who can always tell
    #[arg(long, requires = "again")]
    certain: bool,

    /// With each question of each search
    #[arg(long, requires = "again")]
    verbose: bool,

    /// Draw answers against the length of runs, as SVG
    #[arg(long, value_name = "FILE", conflicts_with_all = ["again", "fit"])]
    plot: Option<PathBuf>,
}

impl Feedback {
    pub(crate) fn run(self) -> Result<ExitCode> {
        let folders = self.selection.folders(&cases_folder(self.selection.seed))?;
        if self.fit {
            println!("{}\n\n{}\n\n{}", fit(&folders)?, calibration(&folders)?, sights(&folders)?);
            return Ok(ExitCode::SUCCESS);
        }
        if self.again {
            let Selection { seed, jobs, .. } = self.selection;
            println!(
                "{}",
                search_again(&folders, (!self.certain).then_some(seed), jobs, self.policy.into(), self.verbose)?
            );
            return Ok(ExitCode::SUCCESS);
        }
        if let Some(results) =
            self.selection.run(&FeedbackExperiment { seed: self.selection.seed, policy: self.policy.into() })?
        {
            let report = Report(results);
            println!("{report}");
            if let Some(file) = &self.plot {
                plot::plot(&report.points(), file)?;
            }
        }
        Ok(ExitCode::SUCCESS)
    }
}

fn cases_folder(seed: u64) -> String {
    format!("cases-{seed}")
}

struct FeedbackExperiment {
    seed: u64,
    policy: Policy,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Chosen {
    /// By learnt beliefs about lines, and the states in repeated code; the one that users have
    Expected,
    /// By the states of the paper alone
    Paper,
}

impl From<Chosen> for Policy {
    fn from(chosen: Chosen) -> Policy {
        match chosen {
            Chosen::Expected => Policy::Expected,
            Chosen::Paper => Policy::Paper,
        }
    }
}

impl Experiment for FeedbackExperiment {
    type Measured = Measured;

    const NAME: &'static str = "feedback";

    fn measure(&self, trial: &Trial<'_>, _failing: &Recording) -> Result<Measured> {
        let folder = trial.subject.folder.join(cases_folder(self.seed));
        fs::create_dir_all(&folder).with_context(|| format!("cannot create {}", folder.display()))?;
        Measured::take(trial, self.seed, self.policy, &folder.join(trial.number.to_string()))
    }

    fn summary(measured: &Measured) -> String {
        measured.summary()
    }
}
