//! How likely each line is the wrong one, after some answers.

use crate::answers::{Answer, Facts};
use crate::graph::{Graph, LineId, StepId};
use crate::reach::Reach;

/// What an answer leaves of the weight of a line that it speaks against. Users err.
const AGAINST: f64 = 0.02;

/// What is left of the weight of a line after the user has seen it run and said what is wrong elsewhere.
const SEEN: f64 = 0.1;

/// The same when the user could not tell.
const UNCLEAR: f64 = 0.4;

/// Of a line of a test, compared with one of the code that is tested.
const OF_TEST: f64 = 0.05;

/// How much less likely a line is for each step between it and the failure.
const FARTHER: f64 = 0.9;

/// Distances beyond this make no difference any more.
const FAR: u32 = 40;

/// All that was not looked at, compared with a line that does one thing next to the failure.
const BEYOND: f64 = 0.5;

#[derive(Debug)]
pub struct Beliefs {
    /// By line; the sum with `beyond` is 1.
    weights: Vec<f64>,
    beyond: f64,
    pub(crate) reach: Reach,
    pub(crate) facts: Facts,
}

/// A line and how likely it is the wrong one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Suspect {
    pub line: LineId,
    pub weight: f64,
}

impl Beliefs {
    pub(crate) fn new(graph: &Graph, answers: &[(StepId, Answer)]) -> Beliefs {
        let facts = Facts::of(graph, answers);
        let reach = Reach::new(graph, &facts.is_right);
        let mut weights = priors(graph);
        let mut beyond = BEYOND;
        for demand in &facts.demands {
            let (lines, is_open) = demand.lines(graph, &reach);
            for (line, weight) in weights.iter_mut().enumerate() {
                if !lines.contains(line) {
                    *weight *= AGAINST;
                }
            }
            if !is_open {
                beyond *= AGAINST;
            }
        }
        for (step, answer) in answers {
            let left = match answer {
                Answer::Unclear => UNCLEAR,
                Answer::WrongResult => continue,
                Answer::Correct | Answer::WrongValues { .. } | Answer::WrongPath => SEEN,
            };
            weights[graph.step(*step).line.0 as usize] *= left;
        }
        let sum: f64 = weights.iter().sum::<f64>() + beyond;
        if sum > 0.0 {
            weights.iter_mut().for_each(|weight| *weight /= sum);
            beyond /= sum;
        }
        Beliefs { weights, beyond, reach, facts }
    }

    pub fn of(&self, line: LineId) -> f64 {
        self.weights[line.0 as usize]
    }

    /// How likely what is wrong is none of the lines that were looked at.
    pub fn beyond(&self) -> f64 {
        self.beyond
    }

    /// The likeliest lines first.
    pub fn suspects(&self) -> Vec<Suspect> {
        let suspect = |(line, &weight)| Suspect { line: LineId(line), weight };
        let mut suspects: Vec<Suspect> = (0..).zip(&self.weights).map(suspect).collect();
        suspects.sort_by(|a, b| b.weight.total_cmp(&a.weight).then(a.line.cmp(&b.line)));
        suspects
    }
}

fn priors(graph: &Graph) -> Vec<f64> {
    let mut nearest = vec![FAR; graph.lines().len()];
    for step in graph.steps() {
        let step = graph.step(step);
        let known = &mut nearest[step.line.0 as usize];
        *known = (*known).min(step.distance);
    }
    let prior = |line: LineId| {
        let found = graph.line(line);
        let of_test = if found.is_test { OF_TEST } else { 1.0 };
        f64::from(found.work) * of_test * FARTHER.powf(f64::from(nearest[line.0 as usize]))
    };
    graph.lines().map(prior).collect()
}
