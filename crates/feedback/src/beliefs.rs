//! How likely each line is the wrong one, after some answers.

use crate::answers::{Answer, Facts};
use crate::graph::{Graph, LineId, StepId};
use crate::influence::Influence;
use crate::likeness::Likeness;
use crate::priors::priors;

/// What is left of the weight of a line that was asked about: the user would have seen that it is wrong. Users err.
const ASKED: f64 = 0.01;

/// The same if the user could not tell.
const UNCLEAR: f64 = 0.05;

/// How likely an error comes on a way that the graph does not have, to what runs later.
const UNSEEN_WAY: f64 = 0.03;

/// How likely something was said to be wrong that ran before a wrong line did.
const AGAINST: f64 = 0.001;

/// How likely something is right however much of it comes from the wrong line.
const RIGHT_ALL_THE_SAME: f64 = 0.1;

/// All that was not looked at, compared with all that was.
const BEYOND: f64 = 1e-6;

#[derive(Debug)]
pub struct Beliefs {
    /// The sum with `beyond` is 1.
    lines: Vec<f64>,
    beyond: f64,
    pub(crate) facts: Facts,
}

/// A line and how likely it is the wrong one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Suspect {
    pub line: LineId,
    pub weight: f64,
}

impl Beliefs {
    pub(crate) fn new(graph: &Graph, likeness: &Likeness, answers: &[(StepId, Answer)]) -> Beliefs {
        let _ = likeness;
        let facts = Facts::of(graph, answers);
        let mut lines = priors(graph);
        let mut beyond = lines.iter().sum::<f64>() * BEYOND;
        for demand in &facts.demands {
            // The prior has what the failure itself tells.
            if demand.by.is_none() {
                continue;
            }
            let influence = Influence::on(graph, &demand.one_of, &facts.is_right);
            for (line, weight) in graph.lines().zip(&mut lines) {
                let ran_before = first_moment(graph, line) <= demand.until;
                let unseen = if ran_before { UNSEEN_WAY } else { AGAINST };
                *weight *= influence.of_line(graph, line).max(unseen);
            }
            beyond *= UNSEEN_WAY;
        }
        for right in &facts.rights {
            let influence = Influence::on(graph, right, &facts.is_right_before(right));
            for (line, weight) in graph.lines().zip(&mut lines) {
                *weight *= (1.0 - influence.of_line(graph, line)).max(RIGHT_ALL_THE_SAME);
            }
        }
        for (asked, answer) in answers {
            lines[graph.step(*asked).line.0 as usize] *= match answer {
                Answer::WrongResult => 1.0 / ASKED,
                Answer::Unclear => UNCLEAR,
                _ => ASKED,
            };
        }
        let sum: f64 = lines.iter().sum::<f64>() + beyond;
        if sum > 0.0 {
            lines.iter_mut().for_each(|weight| *weight /= sum);
            beyond /= sum;
        }
        Beliefs { lines, beyond, facts }
    }

    pub fn of_line(&self, line: LineId) -> f64 {
        self.lines[line.0 as usize]
    }

    /// How likely what is wrong is none of the lines that were looked at.
    pub fn beyond(&self) -> f64 {
        self.beyond
    }

    /// The likeliest lines first.
    pub fn suspects(&self) -> Vec<Suspect> {
        let suspect = |(line, &weight)| Suspect { line: LineId(line), weight };
        let mut suspects: Vec<Suspect> = (0..).zip(&self.lines).map(suspect).collect();
        suspects.sort_by(|a, b| b.weight.total_cmp(&a.weight).then(a.line.cmp(&b.line)));
        suspects
    }
}

fn first_moment(graph: &Graph, line: LineId) -> u64 {
    graph.steps_of(line).iter().map(|&step| graph.step(step).moment).min().unwrap_or_default()
}
