//! Goes through the mutants of a project until enough of them were measured.

use super::catalogue::Project;
use super::coverage::{CoveredBy, lock};
use super::driver::{Outcome, Tester};
use super::journal::{Entry, Fate, Journal};
use super::killed::{Search, Searcher};
use super::neighbours::Neighbours;
use super::pairing::{TestWithMutants, pair_up};
use super::recording::{Recording, Trial};
use super::sample::all_mutants;
use super::subject::Subject;
use crate::recorder::Recorder;
use crate::workshop::Workshop;
use anyhow::{Context, Result, bail};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fs;
use std::path::{Path, PathBuf};
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
#[derive(Debug, Clone)]
pub(crate) struct Plan {
    pub(crate) trials: usize,
    pub(crate) seed: u64,
    pub(crate) jobs: usize,
    /// Only mutants of operators with this in their name.
    pub(crate) operator: Option<String>,
}

/// Mutants that are measured of those that one test notices, as in paper 003.
const PER_TEST: usize = 3;

/// A test that takes longer on a mutant is no trial.
const TRY_LIMIT: Duration = Duration::from_secs(5);

impl Plan {
    /// The first `trials` mutants that tests notice, in the order of the pairs, with all others that were looked at before
    /// them.
    pub(crate) fn run<E: Experiment>(
        &self,
        experiment: &E,
        project: &'static Project,
        workshop: &Workshop,
        recorder: &Recorder,
    ) -> Result<Vec<Entry<E::Measured>>> {
        let subject = Subject::prepare(project, workshop)?;
        let mut mutants = all_mutants(&subject)?;
        mutants.retain(|mutant| self.operator.as_ref().is_none_or(|part| mutant.operator.name().contains(part)));
        let covered = CoveredBy::find(&subject, &mutants, self.jobs)?;
        let neighbours = Neighbours::new(&covered);
        let mut waiting = pair_up(covered, mutants.len(), self.seed);
        waiting.reverse();
        let chosen = self.operator.as_ref().map_or(String::new(), |part| format!("-{part}"));
        let results = subject.folder.join(format!("{}-{}{chosen}.jsonl", E::NAME, self.seed));
        let work = Work {
            plan: self,
            experiment,
            recorder,
            subject: &subject,
            mutants: &mutants,
            neighbours,
            waiting: Mutex::new(waiting),
            journal: Mutex::new(Journal::open(&results)?),
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
    mutants: &'w [Mutant],
    neighbours: Neighbours,
    /// The next one last.
    waiting: Mutex<Vec<TestWithMutants>>,
    journal: Mutex<Journal<E::Measured>>,
}

impl<E: Experiment> Work<'_, E> {
    fn go_on(&self, worker: usize) -> Result<()> {
        let folder = self.subject.folder.join(format!("worker-{worker}"));
        fs::create_dir_all(&folder).with_context(|| format!("cannot create {}", folder.display()))?;
        let mut searcher = Searcher { subject: self.subject, tester: Tester::new(self.subject, TRY_LIMIT) };
        while !self.is_done() {
            let Some(next) = lock(&self.waiting).pop() else { break };
            self.look_at(&next, &mut searcher, &folder)?;
        }
        Ok(())
    }

    fn is_done(&self) -> bool {
        lock(&self.journal).measured() >= self.plan.trials
    }

    fn look_at(&self, one: &TestWithMutants, searcher: &mut Searcher<'_>, folder: &Path) -> Result<()> {
        let mut measured = 0;
        for (number, &mutant) in (one.first..).zip(&one.mutants) {
            if measured == PER_TEST || self.is_done() {
                break;
            }
            let known = lock(&self.journal).entries.get(&number).map(|entry| entry.measured().is_some());
            let is_measured = match known {
                Some(is_measured) => is_measured,
                None => {
                    let mutant = self.mutants.get(mutant).context("there is no such mutant")?;
                    self.try_on(&one.test, number, mutant, searcher, folder)?
                }
            };
            measured += usize::from(is_measured);
        }
        Ok(())
    }

    /// Whether it was measured.
    fn try_on(
        &self,
        test: &str,
        number: usize,
        mutant: &Mutant,
        searcher: &mut Searcher<'_>,
        folder: &Path,
    ) -> Result<bool> {
        let fate = self.fate(searcher, test, number, mutant, folder.to_path_buf());
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
        let entry = Entry {
            number,
            class: mutant.class.replace('/', "."),
            method: mutant.method.clone(),
            line: mutant.line.unwrap_or_default(),
            operator: mutant.operator.name().to_owned(),
            description: mutant.description.clone(),
            fate,
        };
        let is_measured = entry.measured().is_some();
        journal.add(entry)?;
        Ok(is_measured)
    }

    fn fate(
        &self,
        searcher: &mut Searcher<'_>,
        test: &str,
        number: usize,
        mutant: &Mutant,
        folder: PathBuf,
    ) -> Result<Fate<E::Measured>> {
        let mutated = folder.join("classes");
        let killed = match searcher.search(test, mutant, &mutated)? {
            Search::Killed(killed) => killed,
            Search::Survived => return Ok(Fate::Survived),
            Search::TimedOut => return Ok(Fate::TimedOut),
            Search::NotPossible => return Ok(Fate::NotPossible),
        };
        let (subject, recorder) = (self.subject, self.recorder);
        let others = self.neighbours.of(&killed.test);
        let trial = Trial { subject, recorder, number, mutant, killed: &killed, others: &others, mutated, folder };
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
