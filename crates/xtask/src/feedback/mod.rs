//! `cargo xtask feedback`: how many answers it takes from a failing test to the mutated line, with a user who is simulated.

mod measured;
mod report;
mod user;

use crate::mutants::{CATALOGUE, Experiment, Plan, Project, Recording, Trial};
use crate::recorder::Recorder;
use crate::workshop::Workshop;
use anyhow::{Result, bail};
use measured::Measured;
use report::Report;
use std::process::ExitCode;

/// Find mutated lines by the answers of a simulated user
#[derive(Debug, clap::Args)]
pub(crate) struct Feedback {
    /// Only this project; may be repeated
    #[arg(long, value_name = "NAME")]
    project: Vec<String>,

    /// Mutants of each project that a test notices
    #[arg(long, default_value_t = 100)]
    trials: usize,

    /// Determines which mutants and tests are chosen, and when the user cannot tell
    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// What runs at the same time
    #[arg(long, default_value_t = 2)]
    jobs: usize,

    /// Feature release of the JDK
    #[arg(long, default_value_t = 17)]
    jdk: u32,
}

impl Feedback {
    pub(crate) fn run(self) -> Result<ExitCode> {
        let workshop = Workshop::new("experiments", self.jdk)?;
        let recorder = Recorder::build()?;
        let plan = Plan { trials: self.trials, seed: self.seed, jobs: self.jobs };
        let mut report = Report::default();
        for project in self.chosen()? {
            report.add(project, plan.run(&FeedbackExperiment { seed: self.seed }, project, &workshop, &recorder)?);
        }
        println!("{report}");
        Ok(ExitCode::SUCCESS)
    }

    fn chosen(&self) -> Result<Vec<&'static Project>> {
        if let Some(unknown) = self.project.iter().find(|name| !CATALOGUE.iter().any(|one| one.name() == **name)) {
            bail!("there is no project {unknown}; `cargo xtask slices --list` names them");
        }
        let wanted = |one: &&Project| self.project.is_empty() || self.project.iter().any(|name| name == one.name());
        Ok(CATALOGUE.iter().filter(wanted).collect())
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
