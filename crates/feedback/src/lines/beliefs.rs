//! How likely each line is the wrong one, after some answers.

use super::influence::{AS_EXPECTED, Influence};
use super::priors::priors;
use crate::answers::{Answer, Facts};
use crate::graph::{Graph, LineId, StepId};
use crate::likeness::Likeness;
use fixedbitset::FixedBitSet;
use rustc_hash::FxHashSet;
use std::ops::RangeInclusive;

/// What is left of the weight of a line that was asked about: the user would have seen that it is wrong. Users err.
const ASKED: f64 = 0.01;

/// The same if the user could not tell.
const UNCLEAR: f64 = 0.05;

/// How likely an error comes on a way that the graph does not have, from what ran in the moments in which it must have come.
const UNSEEN_BETWEEN: f64 = 0.15;

/// The same, from what ran before.
const UNSEEN_BEFORE: f64 = 0.05;

/// How often something is wrong in a step that has called what is wrong.
const SEEN_FROM_ABOVE: f64 = 0.4;

/// How likely something was said to be wrong that ran before a wrong line did.
const AGAINST: f64 = 0.01;

/// All that was not looked at, compared with all that was.
const BEYOND: f64 = 1e-6;

/// A line and how likely it is the wrong one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Suspect {
    pub line: LineId,
    pub weight: f64,
}

#[derive(Debug)]
pub(crate) struct LineBeliefs {
    /// The sum with `beyond` is 1.
    lines: Vec<f64>,
    beyond: f64,
    like_right_ones: FxHashSet<StepId>,
    pub(crate) facts: Facts,
}

impl LineBeliefs {
    pub(crate) fn new(graph: &Graph, likeness: &Likeness, answers: &[(StepId, Answer)]) -> LineBeliefs {
        let facts = Facts::of(graph, answers);
        let mut lines = priors(graph);
        let mut beyond = lines.iter().sum::<f64>() * BEYOND;
        let nothing = FixedBitSet::with_capacity(graph.effects());
        for demand in &facts.demands {
            if demand.by.is_none() {
                // The prior has what the failure itself tells, but not that some ways to it are closed.
                let ways = Influence::on(graph, &demand.one_of, &nothing);
                let open = Influence::on(graph, &demand.one_of, &facts.is_right);
                for (line, weight) in graph.lines().zip(&mut lines) {
                    let all = ways.of_line(graph, line);
                    if all > 0.0 {
                        *weight *= (open.of_line(graph, line) / all).max(UNSEEN_BEFORE);
                    }
                }
                continue;
            }
            let influence = Influence::on(graph, &demand.one_of, &facts.is_right);
            for (line, weight) in graph.lines().zip(&mut lines) {
                let unseen = match runs(graph, line, &demand.between) {
                    Runs { within: 1.., .. } => UNSEEN_BETWEEN,
                    Runs { before: 1.., .. } => UNSEEN_BEFORE,
                    _ => AGAINST,
                };
                *weight *= influence.of_line(graph, line).max(unseen);
            }
            beyond *= UNSEEN_BEFORE;
        }
        for right in &facts.rights {
            let others = facts.is_right_without(&right.effects);
            let influence = Influence::on(graph, &right.effects, &others);
            for (line, weight) in graph.lines().zip(&mut lines) {
                *weight *= 1.0 - AS_EXPECTED * influence.of_line(graph, line);
                if let Some(beneath) = &right.beneath {
                    let Runs { before, within, after } = runs(graph, line, beneath);
                    let part = f64::from(within) / f64::from((before + within + after).max(1));
                    *weight *= 1.0 - SEEN_FROM_ABOVE * part;
                }
            }
        }
        for (asked, answer) in answers {
            lines[graph.step(*asked).line.0 as usize] *= match answer {
                Answer::WrongResult => 1.0 / ASKED,
                Answer::Unclear => UNCLEAR,
                _ => ASKED,
            };
        }
        let right = answers.iter().filter(|(_, answer)| *answer == Answer::Correct).map(|(step, _)| *step);
        let right: Vec<StepId> = right.collect();
        let is_like = |step: &StepId| right.iter().any(|&other| likeness.is_like(other, *step));
        let like_right_ones = graph.steps().filter(is_like).collect();
        let mut beliefs = LineBeliefs { lines, beyond, like_right_ones, facts };
        beliefs.normalise();
        beliefs
    }

    fn normalise(&mut self) {
        let sum: f64 = self.lines.iter().sum::<f64>() + self.beyond;
        if sum > 0.0 {
            self.lines.iter_mut().for_each(|weight| *weight /= sum);
            self.beyond /= sum;
        }
    }

    pub(crate) fn of_line(&self, line: LineId) -> f64 {
        self.lines[line.0 as usize]
    }

    /// A step that does the same with values from the same places was said to be right.
    pub(crate) fn is_like_a_right_one(&self, step: StepId) -> bool {
        self.like_right_ones.contains(&step)
    }

    /// How likely what is wrong is none of the lines that were looked at.
    pub(crate) fn beyond(&self) -> f64 {
        self.beyond
    }

    /// The likeliest lines first.
    pub(crate) fn suspects(&self) -> Vec<Suspect> {
        let suspect = |(line, &weight)| Suspect { line: LineId(line), weight };
        let mut suspects: Vec<Suspect> = (0..).zip(&self.lines).map(suspect).collect();
        suspects.sort_by(|a, b| b.weight.total_cmp(&a.weight).then(a.line.cmp(&b.line)));
        suspects
    }
}

/// Steps of a line before, in and after some moments.
struct Runs {
    before: u32,
    within: u32,
    after: u32,
}

fn runs(graph: &Graph, line: LineId, moments: &RangeInclusive<u64>) -> Runs {
    let mut runs = Runs { before: 0, within: 0, after: 0 };
    for &step in graph.steps_of(line) {
        let moment = graph.step(step).moment;
        if moment < *moments.start() {
            runs.before += 1;
        } else if moment <= *moments.end() {
            runs.within += 1;
        } else {
            runs.after += 1;
        }
    }
    runs
}
