//! What users see of an error where the graph has no way to: they look at objects, too, and at what a step has called.

use crate::graph::{Graph, StepId};

/// How many depths of steps are told apart.
pub(crate) const DEPTHS: usize = 4;

/// How often a step that runs after something went wrong shows it, by the calls and loops around the step: those with few
/// of them handle the objects that matter. `cargo xtask feedback --fit` counts them.
const AFTER: [f64; DEPTHS] = [0.55, 0.3, 0.22, 0.2];

/// The same of a step that has called what went wrong.
const ABOVE: f64 = 0.6;

/// How likely something wrong is seen in a step, by when a wrong line first ran.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sight {
    moment: u64,
    until: u64,
    depth: usize,
}

impl Sight {
    pub(crate) fn of(graph: &Graph, step: StepId) -> Sight {
        let step = graph.step(step);
        let depth = (step.level.max(1) as usize - 1).min(DEPTHS - 1);
        Sight { moment: step.moment, until: step.until, depth }
    }

    /// How often a step of a depth shows what went wrong before it.
    pub(crate) fn after(depth: usize) -> f64 {
        AFTER[depth]
    }

    pub(crate) fn depth(&self) -> usize {
        self.depth
    }

    /// How many of some moments, the first ones first, are before the step.
    pub(crate) fn count_before(&self, moments: &[u64]) -> usize {
        moments.partition_point(|&moment| moment < self.moment)
    }

    /// What the step was given was wrong before it ran.
    pub(crate) fn before(&self, onset: u64) -> f64 {
        if onset < self.moment { AFTER[self.depth] } else { 0.0 }
    }

    /// What the step was given is right, and what it called is wrong.
    pub(crate) fn inside(&self, onset: u64) -> f64 {
        if (self.moment..=self.until).contains(&onset) { ABOVE } else { 0.0 }
    }

    pub(crate) fn at_all(&self, onset: u64) -> f64 {
        self.before(onset) + self.inside(onset)
    }

    /// If what the step was given is right, but not what it made: what it called is to blame, if it called anything.
    pub(crate) fn of_result(&self, onset: u64) -> f64 {
        if self.until > self.moment { self.inside(onset) } else { self.at_all(onset) }
    }
}
