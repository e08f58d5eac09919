//! What a user says who compares each step with the run of the original.

use super::case::{Case, JudgedRead, Judgement};
use super::measured::Runs;
use anyhow::Result;
use std::collections::HashSet;
use whydunit_debugger::{
    Finder, HeapPlace, InsidePart, Session, SourcedPart, SourcedRead, Spot, StepPlace, Throw, Value, Verdicts, When,
};
use whydunit_feedback::{LineId, StepId};
use whydunit_mutation::Mutant;

/// Wrong things in objects that a user points at, in one step.
const MOST_POINTED_AT: usize = 3;

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
    // The original has passed the test: the exception of the failure is wrong wherever it comes along.
    let threw = finder.threw(step)?;
    let has_failed = failure.is_some() && threw.as_ref().and_then(|threw| threw.exception) == failure;
    let is_by_null = step == finder.search().graph().failure() && threw.is_some_and(|threw| is_by_null(&threw));
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
            // Which object it is that is still being made, is not known.
            None if matches!(read.value, Some(Value::Fresh(_))) => (false, None),
            // The original has not failed for a null.
            None => {
                (verdicts.of_ingredient(place, read).is_some() || is_by_null && read.value == Some(Value::Null), None)
            }
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
    let mut objects = sourced.iter().filter_map(|one| match one.read.value {
        Some(Value::Ref(object)) => Some(object),
        _ => None,
    });
    let has_spoilt = objects.any(|object| !is_spoilt_before(object) && is_spoilt_after(object));
    let is_result_wrong = has_failed || has_spoilt || verdict.wrong.iter().any(|wrong| !wrong.value.is_read);
    Ok(Judgement { is_apart: verdict.partner.is_none(), reads, is_result_wrong, made: Vec::new() })
}

/// Whether an exception came because what a method was called on was null.
fn is_by_null(threw: &Throw) -> bool {
    !threw.is_statement() && threw.null_receiver.is_some()
}

/// Who sees that an object is not as it should be looks into it, and points at what is wrong there.
pub(super) fn point(
    finder: &mut Finder<'_>,
    verdicts: &Verdicts<'_>,
    step: StepId,
    judgement: &mut Judgement,
) -> Result<()> {
    if judgement.is_apart {
        return Ok(());
    }
    let sourced = finder.reads(step)?.unwrap_or_default();
    for (judged, SourcedRead { read, .. }) in judgement.reads.iter_mut().zip(&sourced) {
        if judged.is_wrong && !judged.is_part && judged.source.is_none() {
            judged.source = finder.source_of(read)?;
        }
    }
    let is_told = |read: &JudgedRead| read.is_wrong && (!read.is_part || read.stale.is_some());
    if judgement.reads.iter().any(is_told) {
        return Ok(());
    }
    let before = wrong_inside(finder, verdicts, step, When::Before)?;
    if !before.is_empty() {
        let stale = finder.point_at(step, When::Before, &before)?;
        let read = |stale| JudgedRead { source: None, is_wrong: true, is_part: true, stale: Some(stale) };
        judgement.reads.retain(|read| !read.is_wrong);
        judgement.reads.extend(stale.into_iter().map(read));
    } else if judgement.reads.iter().all(|read| !read.is_wrong) {
        let after = wrong_inside(finder, verdicts, step, When::After)?;
        judgement.is_result_wrong |= !after.is_empty();
        judgement.made = finder.point_at(step, When::After, &after)?;
    }
    Ok(())
}

/// What is wrong in the objects around a step, the nearest first.
fn wrong_inside(finder: &Finder<'_>, verdicts: &Verdicts<'_>, step: StepId, when: When) -> Result<Vec<Spot>> {
    let place = *finder.place(step);
    let latest = match when {
        When::Before => place.step.saturating_sub(1),
        When::After => finder.end(step).unwrap_or(place.step),
    };
    let objects = finder.in_sight(step, when)?;
    let inside = finder.inside(step, when, objects)?;
    let is_wrong =
        |part: &InsidePart| part.value.is_some() && verdicts.is_spot_spoilt(place.thread, latest, &part.spot);
    Ok(inside.into_iter().filter(is_wrong).map(|part| part.spot).take(MOST_POINTED_AT).collect())
}

fn is_line_of(session: &Session, mutant: &Mutant, place: &StepPlace) -> bool {
    place.line == mutant.line && session.place(place.method, place.line).class == mutant.class.replace('/', ".")
}
