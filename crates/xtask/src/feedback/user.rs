//! A user who knows how the run should have gone, but may at times not be sure.

use super::case::Judgement;
use anyhow::Result;
use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use whydunit_feedback::{Answer, Doubt, Graph, StepId};

pub(super) struct User {
    /// Of the case.
    name: String,
    doubt: Doubt,
    /// Of chance.
    seed: u64,
    /// How often each step was asked about.
    times: BTreeMap<StepId, u32>,
}

impl User {
    pub(super) fn new(name: String, doubt: Doubt, seed: u64) -> User {
        User { name, doubt, seed, times: BTreeMap::new() }
    }

    /// `truth` is what there is to say about the step.
    pub(super) fn answer(
        &mut self,
        graph: &Graph,
        step: StepId,
        truth: impl FnOnce() -> Result<Judgement>,
    ) -> Result<Answer> {
        let times = self.times.entry(step).or_default();
        *times += 1;
        let times = *times;
        if self.chance(graph.step(step).moment, times) < self.doubt.about(graph, step, times) {
            return Ok(Answer::Unclear);
        }
        Ok(truth()?.answer())
    }

    /// A number between 0 and 1 that depends on nothing but the seed, the trial, when the step ran and how often it was asked
    /// about: not on the order in which the graph was made.
    fn chance(&self, moment: u64, times: u32) -> f64 {
        let mut hasher = DefaultHasher::new();
        (self.seed, &self.name, moment, times).hash(&mut hasher);
        (hasher.finish() >> 11) as f64 / (1u64 << 53) as f64
    }
}
