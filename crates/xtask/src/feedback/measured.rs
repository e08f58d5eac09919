//! One search for a mutated line.

use super::user::User;
use crate::mutants::{Trial, Version};
use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::time::Instant;
use whydunit_debugger::{Asked, Filters, Finder, Pair, Session, StepPlace, Verdicts};
use whydunit_mutation::Mutant;
use whydunit_store::Store;

/// Answers after which nobody goes on.
const MOST_ANSWERS: usize = 60;

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Measured {
    pub(super) run_steps: u64,
    /// Before the question about the mutated line.
    pub(super) answers: usize,
    pub(super) unclear: usize,
    pub(super) end: End,
    /// From the start to the first question.
    pub(super) first_millis: u64,
    /// From each answer to the next question.
    pub(super) millis: Vec<u64>,
    /// The lines that were asked about, for those who look into it.
    pub(super) asked: Vec<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub(super) enum End {
    Found,
    /// No exception left recorded code.
    NoFailure,
    /// The mutated line is not among what led to the failure.
    NotBehind,
    /// The mutated line is among it, but the answers led elsewhere.
    LedAway,
    TooManyAnswers,
}

struct Opened {
    session: Session,
    run: whydunit_store::Run,
}

impl Measured {
    pub(super) fn take(trial: &Trial<'_>, seed: u64) -> Result<Measured> {
        let original = open(trial, Version::Original)?;
        let mutated = open(trial, Version::Mutant)?;
        let (session, no_progress) = (&mutated.session, |_: u64| {});
        let moments = session.index(&mutated.run.index_dir(), &no_progress)?;
        let sessions = Pair { left: &original.session, right: session };
        let mut measured = Measured {
            run_steps: moments.all_steps(),
            answers: 0,
            unclear: 0,
            end: End::NoFailure,
            first_millis: 0,
            millis: Vec::new(),
            asked: Vec::new(),
        };
        let Some(failure) = session.failure(moments)? else { return Ok(measured) };
        let (thread, step) = moments.local_step(failure.step)?.context("the step of the failure is not in the run")?;
        let verdicts = Verdicts::new(sessions, &Filters::default(), true, &no_progress)?;
        let mut user = User { session, moments, verdicts: &verdicts, seed, times: BTreeMap::new() };
        let start = Instant::now();
        let Some(mut finder) = Finder::new(session, moments, thread, step)? else { return Ok(measured) };
        let mut since = start;
        let is_mutated = |place: &StepPlace| is_line_of(session, trial.mutant, place);
        measured.end = End::TooManyAnswers;
        while measured.answers < MOST_ANSWERS {
            let asked = finder.next()?;
            let took = since.elapsed().as_millis() as u64;
            match measured.asked.is_empty() {
                true => measured.first_millis = took,
                false => measured.millis.push(took),
            }
            let Asked::Step(asked) = asked else {
                measured.end = End::LedAway;
                break;
            };
            measured.asked.push(session.name_of_place(&asked.step.place));
            if is_mutated(&asked.step.place) {
                measured.end = End::Found;
                break;
            }
            let is_failure = asked.question.step == finder.search().graph().failure();
            let reply = user.reply(&asked, is_failure)?;
            measured.answers += 1;
            measured.unclear += usize::from(reply == whydunit_debugger::Reply::Unclear);
            since = Instant::now();
            finder.reply(&asked, &reply);
        }
        let is_behind = finder.search().graph().steps().any(|step| is_mutated(finder.place(step)));
        if measured.end != End::Found && !is_behind {
            measured.end = End::NotBehind;
        }
        Ok(measured)
    }

    pub(super) fn summary(&self) -> String {
        let Measured { answers, run_steps, end, .. } = self;
        format!("{end:?} after {answers} answers, {run_steps} steps")
    }
}

fn open(trial: &Trial<'_>, version: Version) -> Result<Opened> {
    let run = Store::open(trial.store(version)).find("latest")?;
    let session = Session::open_indexed(&run.trace_path(), &run.index_dir())?;
    Ok(Opened { session, run })
}

fn is_line_of(session: &Session, mutant: &Mutant, place: &StepPlace) -> bool {
    place.line == mutant.line && session.place(place.method, place.line).class == mutant.class.replace('/', ".")
}
