//! How many answers it will take from here on.

use crate::doubt::{DEEPEST, Doubt};
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
    /// about earlier, or what is left is halved until one is left.
    pub(crate) fn cost(&mut self, pace: &Pace) -> f64 {
        self.weights.sort_unstable_by(|a, b| b.total_cmp(a));
        let sum: f64 = self.weights.iter().sum();
        let halving = |weight: f64| pace.per_halving * (sum / weight).log2();
        let answers = |(&weight, one_by_one): (&f64, &f64)| weight * one_by_one.min(halving(weight));
        self.weights.iter().zip(&pace.one_by_one).map(answers).sum()
    }
}

/// How many answers it takes.
#[derive(Debug)]
pub(crate) struct Pace {
    /// On average, until the user can tell about a likely line.
    per_halving: f64,
    /// By how many lines are asked about before.
    one_by_one: Vec<f64>,
}

impl Pace {
    pub(crate) fn new(per_halving: f64, lines: usize) -> Pace {
        let one_by_one = |before: usize| BY_LINES * (1.0 + before as f64 / BY_LINES).ln();
        Pace { per_halving, one_by_one: (0..lines).map(one_by_one).collect() }
    }
}

/// The lines that matter for a choice, the likeliest first.
pub(crate) struct Leading {
    pub(crate) lines: Vec<LineId>,
    pub(crate) weights: Vec<f64>,
}

impl Leading {
    /// How many of them have a weight.
    pub(crate) fn likely(&self) -> usize {
        self.weights.partition_point(|&weight| weight > 0.0)
    }
}

/// How well a user can tell about steps, by their level.
pub(crate) struct Clearness {
    doubt: Doubt,
    /// About one that was not asked about.
    at_first: Vec<f64>,
    until_clear: Vec<f64>,
}

impl Clearness {
    pub(crate) fn new(doubt: Doubt) -> Clearness {
        let levels = || 0..=DEEPEST;
        let at_first = levels().map(|level| doubt.at_level(level, 1)).collect();
        Clearness { doubt, at_first, until_clear: levels().map(|level| answers_until_clear(doubt, level)).collect() }
    }

    /// How likely the user cannot tell about a step that was asked about some times.
    pub(crate) fn doubt(&self, graph: &Graph, step: StepId, times: u32) -> f64 {
        match (self.doubt.level(graph, step), times) {
            (level, 0) => self.at_first[level as usize],
            (level, _) => self.doubt.at_level(level, times + 1),
        }
    }

    /// How many answers it takes on average until the user can tell about a step.
    pub(crate) fn answers_until_clear(&self, graph: &Graph, step: StepId) -> f64 {
        self.until_clear[self.doubt.level(graph, step) as usize]
    }
}

fn answers_until_clear(doubt: Doubt, level: u32) -> f64 {
    let (mut expected, mut still_unclear) = (0.0, 1.0);
    for time in 1..MOST_TIMES {
        expected += still_unclear;
        still_unclear *= doubt.at_level(level, time);
    }
    expected
}
