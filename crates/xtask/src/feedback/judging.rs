//! What a user says who compares each step with the run of the original.

use super::case::{Case, JudgedRead, Judgement};
use super::measured::Runs;
use anyhow::Result;
use std::collections::HashSet;
use whydunit_debugger::{Finder, HeapPlace, Session, SourcedPart, SourcedRead, StepPlace, Value, Verdicts};
use whydunit_feedback::{LineId, StepId};
use whydunit_mutation::Mutant;

/// A case without judgements.
pub(super) fn case(runs: &Runs<'_>, finder: &Finder<'_>, session: &Session, run_steps: u64) -> Case {
    let graph = finder.search().graph();
    let place_of = |line: LineId| graph.steps_of(line).first().map(|&step| finder.place(step));
    let name = |line: LineId| place_of(line).map(|place| session.name_of_place(place)).unwrap_or_default();
    let is_mutated = |line: &LineId| place_of(*line).is_some_and(|place| is_line_of(session, runs.mutant, place));
    let mutated = graph.lines().filter(is_mutated).collect();
    Case::new(runs.name.clone(), run_steps, graph, graph.lines().map(name).collect(), mutated)
}

/// Of all steps that a user could be asked about.
pub(super) fn judge_all(finder: &Finder<'_>, verdicts: &Verdicts<'_>) -> Result<Vec<Judgement>> {
    // In the order of the run, so that what lies side by side is looked up at once.
    let mut steps: Vec<StepId> = finder.search().graph().steps().collect();
    steps.sort_unstable_by_key(|&step| finder.place(step));
    let judged = steps.iter().map(|&step| Ok((step, judge(finder, verdicts, step)?)));
    let mut judgements = judged.collect::<Result<Vec<_>>>()?;
    judgements.sort_unstable_by_key(|(step, _)| *step);
    Ok(judgements.into_iter().map(|(_, judgement)| judgement).collect())
}

pub(super) fn judge(finder: &Finder<'_>, verdicts: &Verdicts<'_>, step: StepId) -> Result<Judgement> {
    let failure = finder.exception(finder.search().graph().failure())?;
    let place = finder.place(step);
    let before = place.step.saturating_sub(1);
    let is_spoilt_before = |object| verdicts.is_spoilt(place.thread, before, object);
    let is_spoilt_after = |object| verdicts.is_spoilt(place.thread, finder.end(step).unwrap_or(place.step), object);
    let verdict = verdicts.of(place);
    let mut reads = Vec::new();
    let mut spoilt = HashSet::new();
    let sourced = finder.reads(step)?.unwrap_or_default();
    for SourcedRead { read, source, part } in &sourced {
        let (is_wrong, stale) = match part {
            Some(SourcedPart { holder, place: part, stale }) => {
                // What the library keeps in an object is told by the last call that changed it.
                let is_kept = matches!(part, HeapPlace::Content(_) | HeapPlace::Item(..) | HeapPlace::Entry(..));
                let is_wrong =
                    verdicts.is_part_spoilt(place.thread, before, *part) && !(is_kept && spoilt.contains(holder));
                if is_wrong {
                    spoilt.insert(*holder);
                }
                (is_wrong, Some(stale.clone()))
            }
            None => (verdicts.of_ingredient(place, read).is_some(), None),
        };
        reads.push(JudgedRead { source: *source, is_wrong, is_part: part.is_some(), stale });
    }
    // Of an object of which nothing is shown that is wrong, too, a user sees what is in it.
    for SourcedRead { read, part, .. } in &sourced {
        if let (None, Some(Value::Ref(object))) = (part, read.value)
            && is_spoilt_before(object)
            && spoilt.insert(object)
        {
            reads.push(JudgedRead { source: None, is_wrong: true, is_part: true, stale: None });
        }
    }
    // The original has passed the test: the exception of the failure is wrong wherever it comes along.
    let has_failed = failure.is_some() && finder.exception(step)? == failure;
    let mut objects = sourced.iter().filter_map(|one| match one.read.value {
        Some(Value::Ref(object)) => Some(object),
        _ => None,
    });
    let has_spoilt = objects.any(|object| !is_spoilt_before(object) && is_spoilt_after(object));
    let is_result_wrong = has_failed || has_spoilt || verdict.wrong.iter().any(|wrong| !wrong.value.is_read);
    Ok(Judgement { is_apart: verdict.partner.is_none(), reads, is_result_wrong })
}

fn is_line_of(session: &Session, mutant: &Mutant, place: &StepPlace) -> bool {
    place.line == mutant.line && session.place(place.method, place.line).class == mutant.class.replace('/', ".")
}
