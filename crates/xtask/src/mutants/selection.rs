//! Which mutants an experiment looks at, and what came of it. The struct of the options has no comment of its own: clap
//! would take it for the help of the command.

use super::catalogue::{CATALOGUE, Project};
use super::experiment::{Experiment, Plan};
use super::journal::Entry;
use crate::recorder::Recorder;
use crate::workshop::Workshop;
use anyhow::{Result, bail};
use std::path::PathBuf;

/// The folder of all experiments.
const WORKSHOP: &str = "experiments";

#[derive(Debug, clap::Args)]
pub(crate) struct Selection {
    /// Only this project; may be repeated
    #[arg(long, value_name = "NAME")]
    project: Vec<String>,

    /// Mutants of each project that a test notices
    #[arg(long, default_value_t = 100)]
    trials: usize,

    /// Determines all that is chosen by chance: mutants, tests
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,

    /// What runs at the same time
    #[arg(long, default_value_t = 2)]
    pub(crate) jobs: usize,

    /// Feature release of the JDK
    #[arg(long, default_value_t = 17)]
    jdk: u32,

    /// Only mutants of operators with this in their name, such as `removed`
    #[arg(long, value_name = "PART")]
    operator: Option<String>,

    /// Print the names of the projects
    #[arg(long)]
    list: bool,
}

/// What was measured, by project.
#[derive(Debug)]
pub(crate) struct Results<M> {
    pub(crate) projects: Vec<(&'static Project, Vec<Entry<M>>)>,
}

impl<M> Results<M> {
    pub(crate) fn all(&self) -> impl Iterator<Item = &Entry<M>> {
        self.projects.iter().flat_map(|(_, entries)| entries)
    }
}

impl Selection {
    /// `None` when only the names of the projects were asked for.
    pub(crate) fn run<E: Experiment>(&self, experiment: &E) -> Result<Option<Results<E::Measured>>> {
        if self.list {
            CATALOGUE.iter().for_each(|project| println!("{:22} {}", project.name(), project.library));
            return Ok(None);
        }
        let chosen = self.chosen()?;
        let workshop = Workshop::new(WORKSHOP, self.jdk)?;
        let recorder = Recorder::build()?;
        let plan = Plan { trials: self.trials, seed: self.seed, jobs: self.jobs, operator: self.operator.clone() };
        let mut projects = Vec::new();
        for project in chosen {
            projects.push((project, plan.run(experiment, project, &workshop, &recorder)?));
        }
        Ok(Some(Results { projects }))
    }

    /// A folder of each chosen project, with the project's name.
    pub(crate) fn folders(&self, name: &str) -> Result<Vec<(String, PathBuf)>> {
        let workshop = Workshop::new(WORKSHOP, self.jdk)?;
        let folder = |project: &&Project| (project.name().to_owned(), workshop.path(project.name()).join(name));
        Ok(self.chosen()?.iter().map(folder).collect())
    }

    fn chosen(&self) -> Result<Vec<&'static Project>> {
        if let Some(unknown) = self.project.iter().find(|name| !CATALOGUE.iter().any(|one| one.name() == **name)) {
            bail!("there is no project {unknown}; `--list` names them");
        }
        let wanted = |one: &&Project| self.project.is_empty() || self.project.iter().any(|name| name == one.name());
        Ok(CATALOGUE.iter().filter(wanted).collect())
    }
}
