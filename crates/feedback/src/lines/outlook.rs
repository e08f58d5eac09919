//! How many answers it will take from here on.

use crate::doubt::Doubt;
use crate::graph::{Graph, LineId, StepId};

/// Where asking about one line after the other gives way to asking what divides them: beyond so many lines an answer rules
/// out a part of them.
const BY_LINES: f64 = 30.0;

/// Nobody is unclear about a step so many times.
const MOST_TIMES: u32 = 20;

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

    /// The answers that are still needed if one of these lines is wrong, times how likely that is. Likelier lines are asked
    /// about earlier, or what is left is halved until one is left; `per_halving` is what that takes each time.
    pub(crate) fn cost(&mut self, per_halving: f64) -> f64 {
        self.weights.sort_unstable_by(|a, b| b.total_cmp(a));
        let sum: f64 = self.weights.iter().sum();
        let one_by_one = |before: usize| BY_LINES * (1.0 + before as f64 / BY_LINES).ln();
        let halving = |weight: f64| per_halving * (sum / weight).log2();
        let answers = |(before, &weight): (usize, &f64)| weight * one_by_one(before).min(halving(weight));
        self.weights.iter().enumerate().map(answers).sum()
    }
}

/// The lines that matter for a choice.
pub(crate) struct Leading {
    pub(crate) lines: Vec<LineId>,
    pub(crate) weights: Vec<f64>,
}

/// How many answers it takes on average until the user can tell about a step.
pub(crate) fn answers_until_clear(graph: &Graph, doubt: Doubt, step: StepId) -> f64 {
    let (mut expected, mut still_unclear) = (0.0, 1.0);
    for time in 1..MOST_TIMES {
        expected += still_unclear;
        still_unclear *= doubt.about(graph, step, time);
    }
    expected
}
