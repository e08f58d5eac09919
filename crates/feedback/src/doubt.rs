//! How likely a user cannot tell about a step.

use crate::graph::{Graph, StepId};

/// A step at this level is unclear to the last bit of the likelihood.
pub(crate) const DEEPEST: u32 = 64;

/// After formula (1) of Lin, Sun, Xue, Liu and Dong (2017): the deeper a step is the more, the more often it was asked about
/// the less. What the failure should have been is always known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Doubt {
    /// As their text has it: by calls and loops, 1 in the test itself.
    #[default]
    CallsAndLoops,
    /// As the program has it that they have published: by the calls around a step, 0 in the test itself.
    Calls,
    /// Of one who can always tell.
    Never,
}

impl Doubt {
    /// `times` is how often the step was asked about, this time included.
    pub fn about(self, graph: &Graph, step: StepId, times: u32) -> f64 {
        self.at_level(self.level(graph, step), times)
    }

    /// How deep a step is. Beyond `DEEPEST` it makes no difference.
    pub(crate) fn level(self, graph: &Graph, step: StepId) -> u32 {
        let level = match self {
            _ if step == graph.failure() => 0,
            Doubt::Calls => graph.step(step).calls,
            Doubt::CallsAndLoops => graph.step(step).level,
            Doubt::Never => 0,
        };
        level.min(DEEPEST)
    }

    pub(crate) fn at_level(self, level: u32, times: u32) -> f64 {
        if level <= 1 {
            return 0.0;
        }
        (1.0 - (-f64::from(level - 1)).exp()) / f64::from(times)
    }
}
