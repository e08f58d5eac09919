//! What is measured in one trial.

use super::case::{Case, Judgement};
use super::judging::{case, judge, judge_all, point};
use super::searched::{End, Manner, Searched, Sight, search};
use crate::mutants::{Trial, Version};
use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use whydunit_debugger::{Filters, Finder, Pair, Session, Tested, Verdicts};
use whydunit_feedback::{Course, LineId, StepId};
use whydunit_mutation::Mutant;
use whydunit_store::Store;

/// To judge all steps that led to the failure of a longer run takes minutes: no case is left of it.
const MOST_STEPS_OF_CASE: u64 = 1_000_000;

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Measured {
    pub(super) run_steps: u64,
    pub(super) effects: usize,
    /// The graph of the failure has a way from the mutated line.
    #[serde(default)]
    pub(super) has_way: bool,
    /// Tests other than the one that failed.
    #[serde(default)]
    pub(super) others: Tested,
    /// From the open run to the first question.
    pub(super) first_millis: u64,
    /// Where the time of the trial went: opening, alignment, graph, judgements.
    pub(super) phases: [u64; 4],
    pub(super) searched: Searched,
}

/// Stores with one run each, of a test that passes and of the same test with a mutant.
pub(super) struct Runs<'m> {
    pub(super) original: PathBuf,
    pub(super) mutated: PathBuf,
    /// Of other tests, with the mutant.
    pub(super) others: Option<PathBuf>,
    pub(super) mutant: &'m Mutant,
    /// Of the case.
    pub(super) name: String,
}

impl Measured {
    /// `keep` is where the case is kept, for searches without the recording: all steps are judged for it, otherwise only
    /// those that are asked about.
    pub(super) fn take(trial: &Trial<'_>, manner: Manner, keep: Option<&Path>) -> Result<Measured> {
        let (original, mutated) = (trial.store(Version::Original), trial.store(Version::Mutant));
        let name = format!("{} {} {}", trial.subject.project.name(), trial.mutant, trial.killed.test);
        let others = if manner.has_others { trial.record_others()? } else { None };
        Measured::of(&Runs { original, mutated, others, mutant: trial.mutant, name }, manner, keep)
    }

    pub(super) fn of(runs: &Runs<'_>, manner: Manner, keep: Option<&Path>) -> Result<Measured> {
        let mut clock = Clock { since: Instant::now(), phases: [0; 4] };
        let original = open(&runs.original)?;
        let mutated = open(&runs.mutated)?;
        let (session, no_progress) = (&mutated.session, |_: u64| {});
        let moments = session.index(&mutated.run.index_dir(), &no_progress)?;
        clock.phase(0);
        let mut measured = Measured {
            run_steps: moments.all_steps(),
            effects: 0,
            has_way: false,
            others: Tested::default(),
            first_millis: 0,
            phases: [0; 4],
            searched: Searched::failed(End::NoFailure),
        };
        let Some(failure) = session.failure(moments)? else { return Ok(measured) };
        let (thread, step) = moments.local_step(failure.step)?.context("the step of the failure is not in the run")?;
        let sessions = Pair { left: &original.session, right: session };
        let verdicts = Verdicts::new(sessions, &Filters::default(), true, &no_progress)?;
        clock.phase(1);
        let mut others = session.other_tests(moments, (thread, step))?;
        if let Some(store) = &runs.others {
            let Opened { session, run } = open(store)?;
            others.add_run(&session, session.index(&run.index_dir(), &|_| {})?)?;
        }
        measured.others = others.tests();
        let Some(finder) = Finder::new(session, moments, thread, step, others)? else { return Ok(measured) };
        clock.phase(2);
        let mut case = case(runs, &finder, session, measured.run_steps);
        if let Some(keep) = keep.filter(|_| measured.run_steps <= MOST_STEPS_OF_CASE) {
            case.judgements = judge_all(&finder, &verdicts)?;
            case.write(keep)?;
        }
        clock.phase(3);
        let graph = finder.search().graph();
        let leads = |line: &LineId| graph.steps_of(*line).iter().any(|&step| graph.step(step).distance < u32::MAX);
        measured.has_way = case.mutated.iter().any(leads);
        measured.effects = graph.effects();
        measured.searched =
            search(manner, &mut Recorded { runs, session, case, finder, verdicts: &verdicts, growth: Duration::ZERO })?;
        measured.phases = clock.phases;
        measured.first_millis = clock.phases[2] + measured.searched.micros.first().copied().unwrap_or_default() / 1000;
        Ok(measured)
    }

    pub(super) fn summary(&self) -> String {
        let Measured { run_steps, effects, phases, searched: Searched { answers, end, .. }, .. } = self;
        format!(
            "{end:?} after {answers} answers, {run_steps} steps, {effects} effects, others {}+{}, {phases:?} ms",
            self.others.passed, self.others.failed
        )
    }
}

/// A run with its recording.
struct Recorded<'r, 's> {
    runs: &'r Runs<'r>,
    session: &'s Session,
    case: Case,
    finder: Finder<'s>,
    verdicts: &'r Verdicts<'s>,
    growth: Duration,
}

impl Sight for Recorded<'_, '_> {
    fn case(&self) -> &Case {
        &self.case
    }

    fn course(&self) -> Option<Box<dyn Course + '_>> {
        Some(Box::new(self.finder.course()))
    }

    fn show(&self, step: StepId) -> Result<()> {
        Ok(self.finder.reads(step).map(|_| ())?)
    }

    fn take_growth(&mut self) -> Duration {
        std::mem::take(&mut self.growth)
    }

    fn judge(&mut self, step: StepId) -> Result<Judgement> {
        let mut judgement = judge(&self.finder, self.verdicts, step)?;
        let before = self.finder.search().graph().effects();
        let since = Instant::now();
        point(&mut self.finder, self.verdicts, step, &mut judgement)?;
        self.growth += since.elapsed();
        if self.finder.search().graph().effects() > before {
            self.case = case(self.runs, &self.finder, self.session, self.case.run_steps);
        }
        Ok(judgement)
    }
}

struct Clock {
    since: Instant,
    phases: [u64; 4],
}

impl Clock {
    fn phase(&mut self, number: usize) {
        self.phases[number] = self.since.elapsed().as_millis() as u64;
        self.since = Instant::now();
    }
}

struct Opened {
    session: Session,
    run: whydunit_store::Run,
}

fn open(store: &Path) -> Result<Opened> {
    let run = Store::open(store.to_path_buf()).find("latest")?;
    let session = Session::open_indexed(&run.trace_path(), &run.index_dir())?;
    Ok(Opened { session, run })
}
