//! What is measured in one trial.

use super::case::{Case, JudgedRead, Judgement};
use super::searched::{End, Searched, search};
use crate::mutants::{Trial, Version};
use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};
use std::path::Path;
use std::time::Instant;
use whydunit_debugger::{Filters, Finder, Pair, Session, SourcedRead, StepPlace, Verdicts};
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
    // In the order of the run, so that what lies side by side is looked up at once.
    let mut steps: Vec<StepId> = graph.steps().collect();
    steps.sort_unstable_by_key(|&step| finder.place(step));
    let mut judgements =
        steps.iter().map(|&step| Ok((step, judge(finder, verdicts, step)?))).collect::<Result<Vec<_>>>()?;
    judgements.sort_unstable_by_key(|(step, _)| *step);
    let judgements = judgements.into_iter().map(|(_, judgement)| judgement).collect();
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
    for SourcedRead { read, source, is_part } in finder.reads(step)?.unwrap_or_default() {
        let is_wrong = match &read.source {
            // The state of an object is that of the other run if it was written by the same step, with the same value.
            Ok(writer) if is_part => {
                verdicts.of(&writer.place).partner.is_none() || verdicts.of_cause(writer).is_some()
            }
            _ => verdicts.of_ingredient(place, &read).is_some(),
        };
        reads.push(JudgedRead { source, is_wrong, is_part });
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
