//! How likely each line is the wrong one, after some answers.

use super::influence::{AS_EXPECTED, Influence};
use super::onsets::Onsets;
use super::priors::priors;
use super::sight::Sight;
use crate::answers::{Answer, Facts};
use crate::graph::{Graph, LineId, StepId};
use crate::likeness::Likeness;
use fixedbitset::FixedBitSet;
use rustc_hash::FxHashSet;

/// What is left of the weight of a line that was asked about: the user would have seen that it is wrong. Users err.
const ASKED: f64 = 0.0001;

/// The same if the user could not tell.
const UNCLEAR: f64 = 0.05;

/// How likely an error comes on a way that the graph does not have, from what ran in the moments in which it must have come.
const UNSEEN_BETWEEN: f64 = 0.3;

/// The same, from what ran before.
const UNSEEN_BEFORE: f64 = 0.1;

/// How likely something was said to be wrong that ran before a wrong line did.
const AGAINST: f64 = 0.003;

/// The same if the line ran at other times, too, that are not in the graph.
const AGAINST_WHAT_IS_KNOWN: f64 = 0.03;

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
    pub(crate) onsets: Onsets,
    /// By onset. The sum with `beyond` is 1.
    weights: Vec<f64>,
    /// By line, the same.
    lines: Vec<f64>,
    beyond: f64,
    like_right_ones: FxHashSet<StepId>,
    pub(crate) facts: Facts,
}

impl LineBeliefs {
    pub(crate) fn new(graph: &Graph, likeness: &Likeness, answers: &[(StepId, Answer)]) -> LineBeliefs {
        let facts = Facts::of(graph, answers);
        let onsets = Onsets::new(graph);
        let mut lines = priors(graph);
        let mut beyond = lines.iter().sum::<f64>() * BEYOND;
        for (asked, answer) in answers {
            lines[graph.step(*asked).line.0 as usize] *= match answer {
                Answer::WrongResult => 1.0 / ASKED,
                Answer::Unclear => UNCLEAR,
                _ => ASKED,
            };
        }
        let mut weights = Vec::with_capacity(onsets.steps().len());
        graph.lines().zip(&lines).for_each(|(line, &weight)| weights.extend(onsets.share(line, weight)));
        let nothing = FixedBitSet::with_capacity(graph.effects());
        for demand in &facts.demands {
            if demand.by.is_none() {
                // The prior has what the failure itself tells, but not that some ways to it are closed.
                let ways = onsets.influence(graph, &Influence::on(graph, &demand.one_of, &nothing));
                let open = onsets.influence(graph, &Influence::on(graph, &demand.one_of, &facts.is_right));
                for (weight, (&all, &open)) in weights.iter_mut().zip(ways.iter().zip(&open)) {
                    if all > 0.0 {
                        *weight *= f64::from(open / all).max(UNSEEN_BEFORE);
                    }
                }
                continue;
            }
            let influence = onsets.influence(graph, &Influence::on(graph, &demand.one_of, &facts.is_right));
            let sight = demand.seen.map(|step| Sight::of(graph, step));
            let is_result = demand.by.is_some_and(|by| matches!(answers[by].1, Answer::WrongSomehow { .. }));
            let see = |sight: Sight, onset| if is_result { sight.of_result(onset) } else { sight.at_all(onset) };
            for line in graph.lines() {
                let against = against(graph, line);
                let mut unseen = against;
                for onset in onsets.of_line(line).rev() {
                    let moment = graph.step(onsets.steps()[onset]).moment;
                    if moment > *demand.between.end() {
                        weights[onset] *= against;
                        continue;
                    }
                    let is_within = moment >= *demand.between.start();
                    unseen = f64::max(unseen, if is_within { UNSEEN_BETWEEN } else { UNSEEN_BEFORE });
                    let seen = sight.map_or(0.0, |sight| see(sight, moment));
                    weights[onset] *= f64::from(influence[onset]).max(unseen).max(seen);
                }
            }
            beyond *= UNSEEN_BEFORE;
        }
        for right in &facts.rights {
            let others = facts.is_right_without(&right.effects);
            let influence = onsets.influence(graph, &Influence::on(graph, &right.effects, &others));
            let sight = right.seen.map(|step| Sight::of(graph, step));
            for (onset, weight) in weights.iter_mut().enumerate() {
                *weight *= 1.0 - AS_EXPECTED * f64::from(influence[onset]);
                let moment = graph.step(onsets.steps()[onset]).moment;
                *weight *= 1.0 - sight.map_or(0.0, |sight| sight.at_all(moment));
            }
        }
        let right = answers.iter().filter(|(_, answer)| *answer == Answer::Correct).map(|(step, _)| *step);
        let right: Vec<StepId> = right.collect();
        let is_like = |step: &StepId| right.iter().any(|&other| likeness.is_like(other, *step));
        let like_right_ones = graph.steps().filter(is_like).collect();
        let mut beliefs = LineBeliefs { onsets, weights, lines, beyond, like_right_ones, facts };
        beliefs.normalise(graph);
        beliefs
    }

    fn normalise(&mut self, graph: &Graph) {
        let sum: f64 = self.weights.iter().sum::<f64>() + self.beyond;
        if sum > 0.0 {
            self.weights.iter_mut().for_each(|weight| *weight /= sum);
            self.beyond /= sum;
        }
        for line in graph.lines() {
            self.lines[line.0 as usize] = self.weights[self.onsets.of_line(line)].iter().sum();
        }
    }

    /// By onset.
    pub(crate) fn weights(&self) -> &[f64] {
        &self.weights
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

fn against(graph: &Graph, line: LineId) -> f64 {
    let is_known = graph.history(line).visits as usize <= graph.steps_of(line).len();
    if is_known { AGAINST } else { AGAINST_WHAT_IS_KNOWN }
}
