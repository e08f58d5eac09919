//! `cargo xtask feedback`: how many answers it takes from a failing test to the mutated line, with a user who is simulated.

mod again;
mod calibration;
mod case;
mod course;
mod fit;
mod impossible;
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
use impossible::impossible;
use measured::Measured;
use report::Report;
use searched::Manner;
use sights::sights;
use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;
use whydunit_feedback::{Doubt, Policy};

/// Find mutated lines by the answers of a simulated user
#[derive(Debug, clap::Args)]
pub(crate) struct Feedback {
    #[command(flatten)]
    selection: Selection,

    /// Leave of each trial what `--again` and `--fit` need: every step is judged, which takes most of the time
    #[arg(long)]
    keep_cases: bool,

    /// Search again in what earlier trials have left, without recording anything
    #[arg(long)]
    again: bool,

    /// Learn the weights of what is known of lines from what earlier trials have left
    #[arg(long, conflicts_with = "again")]
    fit: bool,

    /// How questions are chosen
    #[arg(long, value_enum, default_value_t = Chosen::Expected)]
    policy: Chosen,

    /// When the user cannot tell
    #[arg(long, value_enum, default_value_t = UserDoubt::Calls)]
    doubt: UserDoubt,

    /// Nothing is known of other tests of the class of the one that fails
    #[arg(long)]
    alone: bool,

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
            println!("\n{}", impossible(&folders)?);
            return Ok(ExitCode::SUCCESS);
        }
        if self.again {
            println!("{}", search_again(&folders, self.manner(), self.selection.jobs, self.verbose)?);
            return Ok(ExitCode::SUCCESS);
        }
        if let Some(results) =
            self.selection.run(&FeedbackExperiment { manner: self.manner(), keeps_cases: self.keep_cases })?
        {
            let report = Report(results);
            println!("{report}");
            if let Some(file) = &self.plot {
                plot::plot(&report.points(), file)?;
            }
        }
        Ok(ExitCode::SUCCESS)
    }

    fn manner(&self) -> Manner {
        Manner {
            policy: self.policy.into(),
            doubt: self.doubt.into(),
            seed: self.selection.seed,
            has_places: self.verbose,
            has_others: !self.alone,
        }
    }
}

fn cases_folder(seed: u64) -> String {
    format!("cases-{seed}")
}

struct FeedbackExperiment {
    manner: Manner,
    keeps_cases: bool,
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

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum UserDoubt {
    /// The more calls are around a step the more, as in the program of the paper
    Calls,
    /// The more calls and loops are around a step the more, as in the text of the paper
    CallsAndLoops,
    /// The user can always tell
    Never,
}

impl From<UserDoubt> for Doubt {
    fn from(doubt: UserDoubt) -> Doubt {
        match doubt {
            UserDoubt::Calls => Doubt::Calls,
            UserDoubt::CallsAndLoops => Doubt::CallsAndLoops,
            UserDoubt::Never => Doubt::Never,
        }
    }
}

impl Experiment for FeedbackExperiment {
    type Measured = Measured;

    const NAME: &'static str = "feedback";

    fn measure(&self, trial: &Trial<'_>, _failing: &Recording) -> Result<Measured> {
        if !self.keeps_cases {
            return Measured::take(trial, self.manner, None);
        }
        let folder = trial.subject.folder.join(cases_folder(self.manner.seed));
        fs::create_dir_all(&folder).with_context(|| format!("cannot create {}", folder.display()))?;
        Measured::take(trial, self.manner, Some(&folder.join(trial.number.to_string())))
    }

    fn summary(measured: &Measured) -> String {
        measured.summary()
    }
}
