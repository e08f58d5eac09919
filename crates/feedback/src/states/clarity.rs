//! When a user cannot tell about a step: more abstract steps, and the way back.

use super::course::Course;
use super::machine::{Judged, Machine};
use crate::graph::{Graph, StepId};
use rustc_hash::FxHashSet;

/// Steps that are looked at for one that is more abstract and that nothing is known of.
const MOST_TRIED: usize = 30;

#[derive(Clone, Debug)]
pub(super) struct Clarity {
    pub(super) unclear: Vec<StepId>,
    pub(super) next: StepId,
    /// The user could tell about something more abstract.
    pub(super) is_partial: bool,
}

/// After a step of which the user cannot tell, maybe not the first one.
pub(super) fn unclear(machine: &Machine<'_>, step: StepId, before: Option<Clarity>) -> Clarity {
    let mut unclear = before.map(|clarity| clarity.unclear).unwrap_or_default();
    if !unclear.contains(&step) {
        unclear.push(step);
    }
    let mut at = step;
    for _ in 0..MOST_TRIED {
        let Some(abstracter) = more_abstract(machine.graph, machine.course, at) else { break };
        if !machine.judged.contains_key(&abstracter) && !unclear.contains(&abstracter) {
            return Clarity { unclear, next: abstracter, is_partial: false };
        }
        at = abstracter;
    }
    Clarity { next: first(machine.course, &unclear).unwrap_or(step), unclear, is_partial: false }
}

/// What started the loop or call around a step; where that is the outermost, the step before it, if there is one.
fn more_abstract(graph: &Graph, course: &dyn Course, step: StepId) -> Option<StepId> {
    match course.parent(step) {
        Some(parent) if course.level(parent) > 1 => Some(parent),
        outermost => {
            let end = course.time(outermost.unwrap_or(step));
            let before = graph.steps().map(|step| (course.time(step), step)).filter(|(time, _)| *time < end);
            before.max().map(|(_, step)| step).or(outermost)
        }
    }
}

/// After a step that is right: what of the unclear ones is left, and a step on the way to it; `None` when nothing is
/// unclear any more.
pub(super) fn clearer(machine: &Machine<'_>, step: StepId, mut unclear: Vec<StepId>) -> Option<Clarity> {
    let course = machine.course;
    let now = course.time(step);
    unclear.retain(|&one| course.time(one) > now);
    let goal = first(course, &unclear)?;
    let (end, level) = (course.time(goal), course.level(goal));
    let is_wrong = |judged: &Judged| !matches!(judged, Judged::Clean);
    let wrong = machine.judged.iter().filter(|(_, judged)| is_wrong(judged)).map(|(&step, _)| step);
    let wrong = wrong.min_by_key(|&step| course.time(step)).unwrap_or(machine.graph.failure());
    let is_on_the_way = |step: &StepId| {
        (now + 1..end).contains(&course.time(*step))
            && !machine.judged.contains_key(step)
            && course.level(*step) < level
    };
    let mut steps: Vec<StepId> = behind(machine.graph, wrong).into_iter().filter(is_on_the_way).collect();
    steps.sort_by_key(|&step| course.time(step));
    let next = steps.get(steps.len() / 2).copied().unwrap_or(goal);
    Some(Clarity { unclear, next, is_partial: true })
}

fn first(course: &dyn Course, steps: &[StepId]) -> Option<StepId> {
    steps.iter().copied().min_by_key(|&step| course.time(step))
}

/// All steps that have led to a step.
fn behind(graph: &Graph, step: StepId) -> FxHashSet<StepId> {
    let mut behind = FxHashSet::default();
    let mut open = vec![step];
    while let Some(next) = open.pop() {
        for input in graph.inputs_of(next) {
            let from = graph.effect(input.from).step;
            if behind.insert(from) {
                open.push(from);
            }
        }
    }
    behind
}
