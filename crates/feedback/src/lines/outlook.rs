//! How many answers it will take from here on.

use crate::graph::{Graph, LineId, StepId};

/// Where asking about one line after the other gives way to asking what divides them: beyond so many lines an answer rules
/// out a part of them.
const BY_LINES: f64 = 30.0;

/// Weights of lines, by what an answer would be.
#[derive(Debug, Default)]
pub(crate) struct Outlook {
    weights: Vec<f64>,
}

impl Outlook {
    pub(crate) fn add(&mut self, weight: f64) {
        if weight > 0.0 {
            self.weights.push(weight);
        }
    }

    /// The answers that are still needed if one of these lines is wrong, times how likely that is: likelier lines are asked
    /// about earlier.
    pub(crate) fn cost(&mut self) -> f64 {
        self.weights.sort_unstable_by(|a, b| b.total_cmp(a));
        let answers = |before: usize| BY_LINES * (1.0 + before as f64 / BY_LINES).ln();
        self.weights.iter().enumerate().map(|(before, weight)| weight * answers(before)).sum()
    }
}

/// The lines that matter for a choice.
pub(crate) struct Leading {
    pub(crate) lines: Vec<LineId>,
    pub(crate) weights: Vec<f64>,
}

/// How likely it is that a user cannot tell about a step; what the failure should have been is always known.
pub(crate) fn doubt(graph: &Graph, step: StepId, times: u32) -> f64 {
    if step == graph.failure() {
        return 0.0;
    }
    crate::choice::doubt(graph.step(step).level, times)
}
