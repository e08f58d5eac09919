//! What is measured in one trial.

use super::case::{Case, JudgedRead, Judgement};
use super::searched::{End, Searched, search};
use crate::mutants::{Trial, Version};
use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};
use std::path::Path;
use std::time::Instant;
use whydunit_debugger::{Filters, Finder, Pair, Session, StepPlace, Verdicts};
use whydunit_feedback::{LineId, Policy, StepId};
use whydunit_mutation::Mutant;
use whydunit_store::Store;

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Measured {
    pub(super) run_steps: u64,
    pub(super) effects: usize,
    /// From the open run to the first question.
    pub(super) first_millis: u64,
    /// Where the time of the trial went: opening, alignment, graph, judgements.
    pub(super) phases: [u64; 4],
    pub(super) searched: Searched,
}

impl Measured {
    /// `keep` is where the case is kept, for searches without the recording.
    pub(super) fn take(trial: &Trial<'_>, seed: u64, policy: Policy, keep: &Path) -> Result<Measured> {
        let mut clock = Clock { since: Instant::now(), phases: [0; 4] };
        let original = open(trial, Version::Original)?;
        let mutated = open(trial, Version::Mutant)?;
        let (session, no_progress) = (&mutated.session, |_: u64| {});
        let moments = session.index(&mutated.run.index_dir(), &no_progress)?;
        clock.phase(0);
        let mut measured = Measured {
            run_steps: moments.all_steps(),
            effects: 0,
            first_millis: 0,
            phases: [0; 4],
            searched: Searched::failed(End::NoFailure),
        };
        let Some(failure) = session.failure(moments)? else { return Ok(measured) };
        let (thread, step) = moments.local_step(failure.step)?.context("the step of the failure is not in the run")?;
        let sessions = Pair { left: &original.session, right: session };
        let verdicts = Verdicts::new(sessions, &Filters::default(), true, &no_progress)?;
        clock.phase(1);
        let Some(finder) = Finder::new(session, moments, thread, step)? else { return Ok(measured) };
        clock.phase(2);
        let case = case(trial, &finder, &verdicts, session, measured.run_steps)?;
        clock.phase(3);
        case.write(keep)?;
        let show = |step: StepId| Ok(finder.reads(step).map(|_| ())?);
        measured.searched = search(&case, seed, policy, show)?;
        measured.effects = finder.search().graph().effects();
        measured.phases = clock.phases;
        measured.first_millis = clock.phases[2] + measured.searched.micros.first().copied().unwrap_or_default() / 1000;
        Ok(measured)
    }

    pub(super) fn summary(&self) -> String {
        let Measured { run_steps, effects, phases, searched: Searched { answers, end, .. }, .. } = self;
        format!("{end:?} after {answers} answers, {run_steps} steps, {effects} effects, {phases:?} ms")
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

fn case(
    trial: &Trial<'_>,
    finder: &Finder<'_>,
    verdicts: &Verdicts<'_>,
    session: &Session,
    run_steps: u64,
) -> Result<Case> {
    let graph = finder.search().graph();
    let mut judgements = Vec::with_capacity(graph.steps().len());
    for step in graph.steps() {
        judgements.push(judge(finder, verdicts, step)?);
    }
    let place_of = |line: LineId| graph.steps_of(line).first().map(|&step| finder.place(step));
    let name = |line: LineId| place_of(line).map(|place| session.name_of_place(place)).unwrap_or_default();
    let is_mutated = |line: &LineId| place_of(*line).is_some_and(|place| is_line_of(session, trial.mutant, place));
    let trial_name = format!("{} {} {}", trial.subject.project.name(), trial.mutant, trial.killed.test);
    let mutated = graph.lines().filter(is_mutated).collect();
    Ok(Case::new(trial_name, run_steps, graph, judgements, graph.lines().map(name).collect(), mutated))
}

fn judge(finder: &Finder<'_>, verdicts: &Verdicts<'_>, step: StepId) -> Result<Judgement> {
    let place = finder.place(step);
    let verdict = verdicts.of(place);
    let mut reads = Vec::new();
    for (read, source) in finder.reads(step)?.unwrap_or_default() {
        reads.push(JudgedRead { source, is_wrong: verdicts.of_ingredient(place, &read).is_some() });
    }
    let is_result_wrong = verdict.wrong.iter().any(|wrong| !wrong.value.is_read);
    Ok(Judgement { is_apart: verdict.partner.is_none(), reads, is_result_wrong })
}

struct Opened {
    session: Session,
    run: whydunit_store::Run,
}

fn open(trial: &Trial<'_>, version: Version) -> Result<Opened> {
    let run = Store::open(trial.store(version)).find("latest")?;
    let session = Session::open_indexed(&run.trace_path(), &run.index_dir())?;
    Ok(Opened { session, run })
}

fn is_line_of(session: &Session, mutant: &Mutant, place: &StepPlace) -> bool {
    place.line == mutant.line && session.place(place.method, place.line).class == mutant.class.replace('/', ".")
}
