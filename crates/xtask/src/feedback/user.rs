//! A user who knows how the run should have gone, but may at times not be sure.

use super::case::Case;
use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use whydunit_feedback::{Answer, Graph, StepId};

pub(super) struct User<'c> {
    case: &'c Case,
    /// `None` for one who can always tell.
    seed: Option<u64>,
    /// How often each step was asked about.
    times: BTreeMap<StepId, u32>,
}

impl<'c> User<'c> {
    pub(super) fn new(case: &'c Case, seed: Option<u64>) -> User<'c> {
        User { case, seed, times: BTreeMap::new() }
    }

    /// Where the failure is seen, the user can always tell.
    pub(super) fn answer(&mut self, graph: &Graph, step: StepId) -> Answer {
        let times = self.times.entry(step).or_default();
        *times += 1;
        let times = *times;
        if let Some(seed) = self.seed
            && step != graph.failure()
            && self.chance(seed, step, times) < doubt(graph.step(step).level, times)
        {
            return Answer::Unclear;
        }
        self.case.judgement(step).answer()
    }

    /// A number between 0 and 1 that depends on nothing but the seed, the trial, the step and how often it was asked about.
    fn chance(&self, seed: u64, step: StepId, times: u32) -> f64 {
        let mut hasher = DefaultHasher::new();
        (seed, &self.case.name, step, times).hash(&mut hasher);
        (hasher.finish() >> 11) as f64 / (1u64 << 53) as f64
    }
}

/// How likely a developer cannot tell about a step of this level that is checked for so many times, after the paper: the
/// entry is of level 0, its steps are of level 1.
fn doubt(level: u32, times: u32) -> f64 {
    (1.0 - (-(f64::from(level) - 1.0)).exp()) / f64::from(times)
}
