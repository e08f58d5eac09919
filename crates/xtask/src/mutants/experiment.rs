//! Goes through the mutants of a project until enough of them were measured.

use super::catalogue::Project;
use super::coverage::{Coverage, lock};
use super::driver::{Outcome, Tester};
use super::journal::{Entry, Fate, Journal};
use super::killed::{Search, Searcher};
use super::recording::{Recording, Trial};
use super::sample::sample;
use super::subject::Subject;
use crate::recorder::Recorder;
use crate::workshop::Workshop;
use anyhow::{Context, Result, bail};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fs;
use std::path::PathBuf;
use std::sync::Mutex;
use std::thread;
use std::time::Duration;
use whydunit_mutation::Mutant;

/// What is measured on a mutant that a test notices.
pub(crate) trait Experiment: Sync {
    type Measured: Serialize + DeserializeOwned + Clone + Send;

    /// Of the file with the results.
    const NAME: &'static str;

    /// `failing` is the recorded run of the test on the mutant; that on the original, which passes, is in
    /// `trial.store(Version::Original)`.
    fn measure(&self, trial: &Trial<'_>, failing: &Recording) -> Result<Self::Measured>;

    /// One line for whoever watches.
    fn summary(measured: &Self::Measured) -> String;
}

/// How much is measured.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Plan {
    pub(crate) trials: usize,
    pub(crate) seed: u64,
    pub(crate) jobs: usize,
}

/// Mutants to look at for each trial; most are not noticed, or not even run.
const SAMPLE_PER_TRIAL: usize = 10;

/// A test that takes longer on a mutant is no trial.
const TRY_LIMIT: Duration = Duration::from_secs(5);

impl Plan {
    /// The first `trials` mutants of the sample that a test notices, in the order of the sample, with all others that
    /// were looked at before them.
    pub(crate) fn run<E: Experiment>(
        &self,
        experiment: &E,
        project: &'static Project,
        workshop: &Workshop,
        recorder: &Recorder,
    ) -> Result<Vec<Entry<E::Measured>>> {
        let subject = Subject::prepare(project, workshop)?;
        let sample = sample(&subject, self.seed, (self.trials * SAMPLE_PER_TRIAL).min(MOST_PROBES))?;
        let coverage = Coverage::find(&subject, &sample, self.seed, self.jobs)?;
        let results = subject.folder.join(format!("{}-{}-{}.jsonl", E::NAME, self.seed, sample.len()));
        let journal: Journal<E::Measured> = Journal::open(&results)?;
        let waiting = (0..sample.len()).filter(|number| !journal.entries.contains_key(number)).rev().collect();
        let work = Work {
            plan: self,
            experiment,
            recorder,
            subject: &subject,
            sample: &sample,
            coverage: &coverage,
            waiting: Mutex::new(waiting),
            journal: Mutex::new(journal),
        };
        thread::scope(|scope| {
            let workers: Vec<_> = (0..self.jobs.max(1))
                .map(|worker| {
                    scope.spawn({
                        let work = &work;
                        move || work.go_on(worker)
                    })
                })
                .collect();
            workers.into_iter().try_for_each(|worker| worker.join().unwrap_or_else(|_| bail!("a worker panicked")))
        })?;
        let journal = work.journal.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
        Ok(first_trials(journal.entries.into_values(), self.trials))
    }
}

/// What `Probe` has room for.
const MOST_PROBES: usize = 1 << 16;

fn first_trials<M>(entries: impl Iterator<Item = Entry<M>>, trials: usize) -> Vec<Entry<M>> {
    let mut left = trials;
    let mut kept = Vec::new();
    for entry in entries {
        if left == 0 {
            break;
        }
        left -= usize::from(matches!(entry.fate, Fate::Measured(..)));
        kept.push(entry);
    }
    kept
}

struct Work<'w, E: Experiment> {
    plan: &'w Plan,
    experiment: &'w E,
    recorder: &'w Recorder,
    subject: &'w Subject,
    sample: &'w [Mutant],
    coverage: &'w Coverage,
    /// The next one last.
    waiting: Mutex<Vec<usize>>,
    journal: Mutex<Journal<E::Measured>>,
}

impl<E: Experiment> Work<'_, E> {
    fn go_on(&self, worker: usize) -> Result<()> {
        let folder = self.subject.folder.join(format!("worker-{worker}"));
        fs::create_dir_all(&folder).with_context(|| format!("cannot create {}", folder.display()))?;
        let tester = Tester::new(self.subject, TRY_LIMIT);
        let mut searcher = Searcher { subject: self.subject, coverage: self.coverage, tester, seed: self.plan.seed };
        while lock(&self.journal).measured() < self.plan.trials {
            let Some(number) = lock(&self.waiting).pop() else { break };
            let Some(mutant) = self.sample.get(number) else { continue };
            let fate = self.fate(&mut searcher, number, mutant, folder.clone());
            let fate = fate.unwrap_or_else(|error| Fate::Broken(format!("{error:#}")));
            let mut journal = lock(&self.journal);
            match &fate {
                Fate::Measured(_, measured) => {
                    let done = journal.measured() + 1;
                    let name = self.subject.project.name();
                    eprintln!("{name} {done}/{} {mutant}: {}", self.plan.trials, E::summary(measured));
                }
                Fate::Broken(error) => eprintln!("{} {mutant}: {error}", self.subject.project.name()),
                _ => {}
            }
            journal.add(Entry {
                number,
                class: mutant.class.replace('/', "."),
                method: mutant.method.clone(),
                line: mutant.line.unwrap_or_default(),
                operator: mutant.operator.name().to_owned(),
                description: mutant.description.clone(),
                fate,
            })?;
        }
        Ok(())
    }

    fn fate(
        &self,
        searcher: &mut Searcher<'_>,
        number: usize,
        mutant: &Mutant,
        folder: PathBuf,
    ) -> Result<Fate<E::Measured>> {
        let mutated = folder.join("classes");
        let killed = match searcher.search(number, mutant, &mutated)? {
            Search::Killed(killed) => killed,
            Search::NotCovered => return Ok(Fate::NotCovered),
            Search::Survived => return Ok(Fate::Survived),
            Search::TimedOut => return Ok(Fate::TimedOut),
            Search::NotPossible => return Ok(Fate::NotPossible),
        };
        let (subject, recorder) = (self.subject, self.recorder);
        let trial = Trial { subject, recorder, number, mutant, killed: &killed, mutated, folder };
        if !trial.has_passing_original()? {
            return Ok(Fate::NotRepeated);
        }
        match trial.record_mutant()? {
            Some(failing) if matches!(failing.outcome, Outcome::Failed(_)) => {
                let measured = self.experiment.measure(&trial, &failing)?;
                Ok(Fate::Measured(killed, measured))
            }
            _ => Ok(Fate::NotRepeated),
        }
    }
}
