//! `cargo xtask slices`: whether the slice of a failing test holds the line that makes it fail. Mutants of libraries
//! are the faults, the libraries' own tests find them.

mod asking;
mod measured;
mod misses;
mod report;

use crate::mutants::{CATALOGUE, Experiment, Plan, Project, Recording, Trial};
use crate::recorder::Recorder;
use crate::workshop::Workshop;
use anyhow::{Result, bail};
use asking::Asking;
use measured::Measured;
use report::Report;
use std::process::ExitCode;

/// Look for mutated lines in the slices of the tests that fail for them
#[derive(Debug, clap::Args)]
pub(crate) struct Slices {
    /// Only this project; may be repeated
    #[arg(long, value_name = "NAME")]
    project: Vec<String>,

    /// Mutants of each project that a test notices
    #[arg(long, default_value_t = 100)]
    trials: usize,

    /// Determines which mutants and tests are chosen
    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// What runs at the same time
    #[arg(long, default_value_t = 2)]
    jobs: usize,

    /// Feature release of the JDK
    #[arg(long, default_value_t = 17)]
    jdk: u32,

    /// Print the names of the projects
    #[arg(long)]
    list: bool,
}

impl Slices {
    pub(crate) fn run(self) -> Result<ExitCode> {
        if self.list {
            CATALOGUE.iter().for_each(|project| println!("{:22} {}", project.name(), project.library));
            return Ok(ExitCode::SUCCESS);
        }
        let workshop = Workshop::new("experiments", self.jdk)?;
        let recorder = Recorder::build()?;
        let plan = Plan { trials: self.trials, seed: self.seed, jobs: self.jobs };
        let mut report = Report::default();
        for project in self.chosen()? {
            report.add(project, plan.run(&SliceExperiment, project, &workshop, &recorder)?);
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
