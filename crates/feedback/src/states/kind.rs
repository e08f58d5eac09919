//! What kind of mistake the first wrong step is, as far as what is known to be right tells.

use super::course::Course;
use super::patterns::PathKey;
use crate::answers::Answer;
use crate::graph::{EffectId, Graph, Input, StepId, Way};
use fixedbitset::FixedBitSet;
use rustc_hash::FxHashSet;

/// Calls and loops around the first wrong step that are compared with others of their kind.
const MOST_AROUND: usize = 4;

/// Sound ways that a wrong one is compared with.
const MOST_COMPARED: usize = 30;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum BugKind {
    /// The same way through the code was right for other values.
    MissingCornerCase,
    /// No right run of the code went this way.
    BranchMistake,
    /// It takes nothing from anywhere: what it begins with is wrong.
    WrongInitialisation,
}

/// What the kind is told from.
pub(crate) struct Evidence<'e> {
    pub(crate) graph: &'e Graph,
    pub(crate) course: &'e dyn Course,
    pub(crate) answers: &'e [(StepId, Answer)],
    /// What the user has said to be right.
    pub(crate) is_right: &'e FixedBitSet,
}

impl Evidence<'_> {
    /// `way` leads from the first wrong step to the failure.
    pub(crate) fn kind(&self, way: &[StepId]) -> Option<BugKind> {
        let &culprit = way.first()?;
        if self.is_beginning(culprit) {
            return Some(BugKind::WrongInitialisation);
        }
        let is_right = self.right_before();
        let mut kind = None;
        let mut around = Some(culprit);
        for _ in 0..MOST_AROUND {
            let Some(start) = around else { break };
            // What ended before the first wrong step does not tell of it.
            let is_end = |user: &StepId| {
                self.course.time(*user) > self.course.time(culprit) && self.value_of(start, *user).is_some()
            };
            let end = way.iter().skip(1).copied().find(is_end);
            if let Some(end) = end
                && let Some(key) = PathKey::between(self.course, start, end)
            {
                let sound = self.sound_ways(start, end, &is_right);
                let keys = sound.iter().filter_map(|&(from, to)| PathKey::between(self.course, from, to));
                let keys: Vec<PathKey> = keys.collect();
                if !keys.is_empty() && !keys.contains(&key) {
                    return Some(BugKind::BranchMistake);
                } else if !keys.is_empty() {
                    kind = Some(BugKind::MissingCornerCase);
                }
            }
            around = self.course.parent(start);
        }
        kind
    }

    /// Whether a step takes nothing from anywhere, and runs whenever the call or the iteration around it does: what a branch has
    /// chosen may be wrong as a choice.
    fn is_beginning(&self, step: StepId) -> bool {
        let line_of = |step: StepId| self.graph.step(step).line;
        let around = self.course.parent(step).map(line_of);
        let is_given = |input: &Input| {
            // Each iteration has a condition of its own.
            input.way != Way::Control || around != Some(line_of(self.graph.effect(input.from).step))
        };
        !self.graph.inputs_of(step).any(|input| is_given(&input))
    }

    /// What a right value was made of is right, too; what a right decision looked at need not be.
    fn right_before(&self) -> FixedBitSet {
        let effects = (0..self.graph.effects() as u32).map(EffectId);
        let inputs = effects.flat_map(|effect| &self.graph.effect(effect).inputs);
        let decisions: FxHashSet<EffectId> =
            inputs.filter(|input| input.way == Way::Control).map(|input| input.from).collect();
        let mut is_right = self.is_right.clone();
        let mut open: Vec<EffectId> = is_right.ones().map(|effect| EffectId(effect as u32)).collect();
        while let Some(effect) = open.pop() {
            if !decisions.contains(&effect) {
                let values = self.graph.effect(effect).inputs.iter().filter(|input| input.way == Way::Value);
                open.extend(values.map(|input| input.from).filter(|from| !is_right.put(from.0 as usize)));
            }
        }
        is_right
    }

    /// Other times that values went from the line of one step to the line of another, and the code between was sound.
    fn sound_ways(&self, start: StepId, end: StepId, is_right: &FixedBitSet) -> Vec<(StepId, StepId)> {
        let line = self.graph.step(start).line;
        let ends = self.graph.steps_of(self.graph.step(end).line).iter().filter(|&&to| to != end);
        let values = ends.flat_map(|&to| {
            let values = self.graph.inputs_of(to).filter(|input| input.way == Way::Value);
            values.map(move |input| (input.from, self.graph.effect(input.from).step, to))
        });
        let is_other = |&(_, from, to): &(EffectId, StepId, StepId)| {
            from != start && self.graph.step(from).line == line && self.course.time(from) < self.course.time(to)
        };
        let is_sound = |&(value, from, _): &(EffectId, StepId, StepId)| {
            is_right.contains(value.0 as usize) || self.was_misled(from)
        };
        let sound = values.filter(is_other).filter(is_sound);
        sound.map(|(_, from, to)| (from, to)).take(MOST_COMPARED).collect()
    }

    /// What one step has got from another.
    fn value_of(&self, from: StepId, to: StepId) -> Option<EffectId> {
        let mut values = self.graph.inputs_of(to).filter(|input| input.way == Way::Value);
        values.find(|input| self.graph.effect(input.from).step == from).map(|input| input.from)
    }

    /// All that the user said is wrong in a step came from before it, and not from what it calls.
    fn was_misled(&self, step: StepId) -> bool {
        let is_before = |effect: &EffectId| {
            let maker = self.graph.effect(*effect).step;
            self.course.time(maker) < self.course.time(step)
        };
        self.answers.iter().any(|(answered, answer)| {
            *answered == step && matches!(answer, Answer::WrongValues { wrong, .. } if wrong.iter().all(is_before))
        })
    }
}
