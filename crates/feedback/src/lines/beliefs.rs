//! How likely each line is the wrong one, after some answers.

use super::ground::Ground;
use super::influence::AS_EXPECTED;
use super::passes::Passes;
use super::sets::PlaceSet;
use super::sight::Sight;
use crate::answers::{Answer, Facts};
use crate::graph::{Graph, LineId, StepId};
use rustc_hash::FxHashSet;

/// What is left of the weight of a line that was asked about: the user would have seen that it is wrong. Users err.
const ASKED: f64 = 0.0001;

/// The same if the user could not tell.
const UNCLEAR: f64 = 0.05;

/// How likely an error comes on a way that the graph does not have, from what ran in the moments in which it must have come.
const UNSEEN_BETWEEN: f64 = 0.3;

/// The same, from what ran before.
const UNSEEN_BEFORE: f64 = 0.1;

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
    /// By onset. The sum with `beyond` is 1.
    weights: Vec<f64>,
    /// By line, the same.
    lines: Vec<f64>,
    beyond: f64,
    /// Of steps that were said to be right.
    right_kinds: FxHashSet<u64>,
    pub(crate) facts: Facts,
    /// By place.
    pub(crate) is_right: PlaceSet,
}

impl LineBeliefs {
    pub(crate) fn new(
        graph: &Graph,
        ground: &Ground,
        passes: &mut Passes,
        answers: &[(StepId, Answer)],
    ) -> LineBeliefs {
        let facts = Facts::of(graph, answers);
        let is_right = ground.network.places_of(&facts.is_right);
        let onsets = &ground.onsets;
        let mut lines = ground.priors.clone();
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
        for demand in &facts.demands {
            let influence = passes.influence(graph, ground, &demand.one_of, &is_right);
            if demand.by.is_none() {
                // The prior has what the failure itself tells, but not that some ways to it are closed.
                for (weight, (&all, &open)) in weights.iter_mut().zip(ground.ways.iter().zip(influence.iter())) {
                    if all > 0.0 {
                        *weight *= f64::from(open / all).max(UNSEEN_BEFORE);
                    }
                }
                continue;
            }
            let sight = demand.seen.map(|step| Sight::of(graph, step));
            let is_result = demand.by.is_some_and(|by| matches!(answers[by].1, Answer::WrongSomehow { .. }));
            let see = |sight: Sight, onset| if is_result { sight.of_result(onset) } else { sight.at_all(onset) };
            for line in graph.lines() {
                let against = ground.against[line.0 as usize];
                let mut unseen = against;
                for onset in onsets.of_line(line).rev() {
                    let moment = onsets.moments()[onset];
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
            let mut others = is_right.clone();
            right.effects.iter().for_each(|&effect| others.remove(ground.network.place(effect)));
            let influence = passes.influence(graph, ground, &right.effects, &others);
            let sight = right.seen.map(|step| Sight::of(graph, step));
            for (onset, weight) in weights.iter_mut().enumerate() {
                *weight *= 1.0 - AS_EXPECTED * f64::from(influence[onset]);
                *weight *= 1.0 - sight.map_or(0.0, |sight| sight.at_all(onsets.moments()[onset]));
            }
        }
        let right = answers.iter().filter(|(_, answer)| *answer == Answer::Correct);
        let right_kinds = right.map(|(step, _)| ground.likeness.key(*step)).collect();
        let mut beliefs = LineBeliefs { weights, lines, beyond, right_kinds, facts, is_right };
        beliefs.normalise(graph, ground);
        beliefs
    }

    fn normalise(&mut self, graph: &Graph, ground: &Ground) {
        let sum: f64 = self.weights.iter().sum::<f64>() + self.beyond;
        if sum > 0.0 {
            self.weights.iter_mut().for_each(|weight| *weight /= sum);
            self.beyond /= sum;
        }
        for line in graph.lines() {
            self.lines[line.0 as usize] = self.weights[ground.onsets.of_line(line)].iter().sum();
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
    pub(crate) fn is_like_a_right_one(&self, ground: &Ground, step: StepId) -> bool {
        self.right_kinds.contains(&ground.likeness.key(step))
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
