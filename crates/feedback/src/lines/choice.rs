//! What to ask next: the question after which the fewest further answers are to be expected.

use super::beliefs::LineBeliefs;
use super::influence::{Influence, spread};
use super::outlook::{Leading, Outlook, answers_until_clear};
use super::sight::Sight;
use crate::answers::Answer;
use crate::doubt::Doubt;
use crate::graph::{EffectId, Graph, LineId, StepId, Way};
use crate::question::{Question, Reason};
use rustc_hash::FxHashMap;

/// Inputs of a step that are told apart; the rest count as one.
const MOST_PARTS: usize = 6;

/// How often an answer tells of an error that comes by all that the graph knows. Less than what is found afterwards: answers
/// that were expected to tell much have cost more than they saved.
const TOLD: f64 = 0.95;

/// Wrong values that are less likely are not expected.
const UNLIKELY: f64 = 0.02;

/// Of answers: that a step should not have run.
const WRONG_PATH: u32 = 1 << 31;

/// That something was wrong before the step ran, on no known way.
const WRONG_BEFORE: u32 = 1 << 30;

/// The same, since the step ran.
const WRONG_INSIDE: u32 = 1 << 29;

/// Lines that are looked at closely.
const LEADING: usize = 1500;

/// Of these, lines whose own steps may be asked about.
const SUSPECTS: usize = 25;

/// Steps that may be asked about because of what their answers would tell.
const WITNESSES: usize = 40;

pub(crate) fn choose(
    graph: &Graph,
    beliefs: &LineBeliefs,
    answers: &[(StepId, Answer)],
    expected: Doubt,
) -> Option<Question> {
    let chooser = Chooser::new(graph, beliefs, answers, expected);
    let now = chooser.cost_now();
    let mut best: Option<(f64, StepId)> = None;
    let mut known = FxHashMap::default();
    for step in chooser.candidates() {
        let cost = chooser.cost(step, &mut known);
        if best.is_none_or(|(least, _)| cost < least) {
            best = Some((cost, step));
        }
    }
    let (cost, step) = best?;
    let suspicion = beliefs.of_line(graph.step(step).line);
    let reason = chooser.reason(step, suspicion);
    Some(Question { step, reason, suspicion, gain: now - cost })
}

struct Chooser<'a> {
    graph: &'a Graph,
    beliefs: &'a LineBeliefs,
    answers: &'a [(StepId, Answer)],
    /// Of the user.
    expected: Doubt,
    leading: Leading,
    /// What it takes on average until the user can tell about a likely line.
    per_halving: f64,
    asked: FxHashMap<StepId, u32>,
}

impl<'a> Chooser<'a> {
    fn new(
        graph: &'a Graph,
        beliefs: &'a LineBeliefs,
        answers: &'a [(StepId, Answer)],
        expected: Doubt,
    ) -> Chooser<'a> {
        let mut asked: FxHashMap<StepId, u32> = FxHashMap::default();
        answers.iter().for_each(|(step, _)| *asked.entry(*step).or_default() += 1);
        let suspects = beliefs.suspects();
        let leading = suspects.iter().take(LEADING);
        let leading = Leading {
            lines: leading.clone().map(|suspect| suspect.line).collect(),
            weights: leading.map(|suspect| suspect.weight).collect(),
        };
        let clearest = |line| {
            let steps = graph.steps_of(line).iter();
            steps.map(|&step| answers_until_clear(graph, expected, step)).fold(f64::INFINITY, f64::min)
        };
        let weight: f64 = leading.weights.iter().sum();
        let likely = leading.lines.iter().zip(&leading.weights).filter(|(_, weight)| **weight > 0.0);
        let all: f64 = likely.map(|(&line, weight)| weight * clearest(line)).sum();
        let per_halving = if weight > 0.0 { all / weight } else { 1.0 };
        Chooser { graph, beliefs, answers, expected, leading, per_halving, asked }
    }

    /// Nobody likes to be asked the same again at once.
    fn is_settled(&self, step: StepId) -> bool {
        let is_last = || self.last_unclear() == Some(step);
        self.answers.iter().any(|(other, answer)| *other == step && *answer != Answer::Unclear) || is_last()
    }

    /// A step that called nothing and does what one did that is right is right, too.
    fn is_known(&self, step: StepId) -> bool {
        let asked = self.graph.step(step);
        asked.until == asked.moment && self.beliefs.is_like_a_right_one(step)
    }

    fn last_unclear(&self) -> Option<StepId> {
        self.answers.last().filter(|(_, answer)| *answer == Answer::Unclear).map(|(step, _)| *step)
    }

    fn times(&self, step: StepId) -> u32 {
        self.asked.get(&step).copied().unwrap_or_default()
    }

    /// Steps of likely lines, and steps that the user can tell about and that much of what is likely leads to.
    fn candidates(&self) -> Vec<StepId> {
        let mut steps: Vec<StepId> = Vec::new();
        for &line in self.leading.lines.iter().take(SUSPECTS) {
            let is_open = |&step: &StepId| self.graph.can_be_wrong(step) && !self.is_settled(step);
            let open = || self.graph.steps_of(line).iter().copied().filter(is_open);
            let nearest = open().min_by_key(|&step| (self.graph.step(step).distance, self.graph.step(step).level));
            let clearest = open().min_by(|&a, &b| self.doubt(a).total_cmp(&self.doubt(b)));
            steps.extend(nearest);
            steps.extend(clearest);
        }
        let mut by_step = vec![0.0; self.graph.steps().len()];
        let onsets = self.beliefs.onsets.steps().iter().zip(self.beliefs.weights());
        onsets.for_each(|(step, weight)| by_step[step.0 as usize] = *weight);
        let spread = spread(self.graph, |step| by_step[step.0 as usize]);
        let mut witnesses: Vec<(f64, StepId)> = Vec::new();
        let until = self.until();
        let is_open = |&step: &StepId| self.graph.can_be_wrong(step) && !self.is_settled(step) && !self.is_known(step);
        for step in self.graph.steps().filter(is_open) {
            let clear = 1.0 - self.doubt(step);
            let inputs = self.graph.inputs_of(step).filter(|input| input.way != Way::Omission);
            let wrong = inputs.map(|input| spread[input.from.0 as usize]).fold(0.0, f64::max);
            // One line is wrong, not several: likelihoods add up.
            let wrong = (-(1.0 - wrong).ln()).min(1.0);
            let (before, inside) = self.seen(step, &until);
            let wrong = wrong.max(before);
            let right = (1.0 - wrong - inside).max(0.0);
            witnesses.push((clear * (1.0 - wrong * wrong - inside * inside - right * right), step));
        }
        witnesses.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        steps.extend(witnesses.into_iter().take(WITNESSES).map(|(_, step)| step));
        if steps.is_empty() {
            steps.extend(self.last_unclear());
        }
        steps.sort_unstable();
        steps.dedup();
        steps
    }

    /// By moment, how likely something has gone wrong up to it.
    fn until(&self) -> Vec<(u64, f64)> {
        let moment = |step: &StepId| self.graph.step(*step).moment;
        let onsets = self.beliefs.onsets.steps().iter().map(moment).zip(self.beliefs.weights().iter().copied());
        let mut until: Vec<(u64, f64)> = onsets.collect();
        until.sort_unstable_by_key(|(moment, _)| *moment);
        let mut sum = 0.0;
        for (_, weight) in &mut until {
            sum += *weight;
            *weight = sum;
        }
        until
    }

    /// How likely something wrong is seen in a step, on whatever way it came: before the step ran, and inside of it.
    fn seen(&self, step: StepId, until: &[(u64, f64)]) -> (f64, f64) {
        let up_to = |moment: u64| {
            let after = until.partition_point(|(other, _)| *other <= moment);
            after.checked_sub(1).map_or(0.0, |last| until[last].1)
        };
        let asked = self.graph.step(step);
        let before = up_to(asked.moment.saturating_sub(1));
        let sight = Sight::of(self.graph, step);
        (before * sight.before(0), (up_to(asked.until) - before) * sight.inside(asked.moment))
    }

    fn doubt(&self, step: StepId) -> f64 {
        self.expected.about(self.graph, step, self.times(step) + 1)
    }

    fn cost_now(&self) -> f64 {
        let mut outlook = Outlook::default();
        self.leading.weights.iter().for_each(|&weight| outlook.add(weight));
        outlook.cost(self.per_halving)
    }

    /// The answers that are to be expected, this one included.
    fn cost(&self, step: StepId, known: &mut FxHashMap<(bool, EffectId), Vec<f32>>) -> f64 {
        let own = self.graph.step(step).line;
        let doubt = self.doubt(step);
        let mut all = Outlook::default();
        let others =
            || self.leading.lines.iter().zip(&self.leading.weights).enumerate().filter(|(_, (line, _))| **line != own);
        others().for_each(|(_, (_, &weight))| all.add(weight));
        let after_unclear = all.cost(self.per_halving);
        let hit = self.beliefs.of_line(own);
        let mut told = after_unclear;
        if doubt < 1.0 {
            let sources = self.sources(step);
            for &source in &sources {
                known.entry(source).or_insert_with(|| self.influence(source.1));
            }
            let mut parts: FxHashMap<u32, Outlook> = FxHashMap::default();
            let sight = Sight::of(self.graph, step);
            let befores = self.sights(|onset| sight.before(onset));
            let insides = self.sights(|onset| sight.inside(onset));
            for (number, (_, &weight)) in others() {
                let (mut right, mut part, mut path) = (1.0, 0u32, 0.0f64);
                for (input, source) in sources.iter().enumerate() {
                    let wrong = known.get(source).map_or(0.0, |by_line| TOLD * f64::from(by_line[number]));
                    if source.0 {
                        path = path.max(wrong);
                    } else if wrong > UNLIKELY {
                        part |= 1 << input.min(MOST_PARTS);
                        right *= 1.0 - wrong;
                    }
                }
                parts.entry(WRONG_PATH).or_default().add(weight * path);
                parts.entry(part).or_default().add(weight * (1.0 - path) * (1.0 - right));
                let nothing = weight * (1.0 - path) * right;
                let (before, inside) = (f64::from(befores[number]), f64::from(insides[number]));
                parts.entry(WRONG_BEFORE).or_default().add(nothing * before);
                parts.entry(WRONG_INSIDE).or_default().add(nothing * inside);
                parts.entry(0).or_default().add(nothing * (1.0 - before - inside));
            }
            told = parts.values_mut().map(|part| part.cost(self.per_halving)).sum::<f64>();
        }
        (1.0 - hit) + doubt * after_unclear + (1.0 - doubt) * told
    }

    /// What a step got from others, and whether that decided that it ran.
    fn sources(&self, step: StepId) -> Vec<(bool, EffectId)> {
        let used = self.graph.inputs_of(step).filter(|input| !matches!(input.way, Way::Omission));
        let mut sources: Vec<(bool, EffectId)> = used.map(|input| (input.way == Way::Control, input.from)).collect();
        sources.sort_unstable();
        sources.dedup();
        sources
    }

    /// By leading line: how likely it makes an effect wrong.
    fn influence(&self, effect: EffectId) -> Vec<f32> {
        let influence = Influence::on(self.graph, &[effect], &self.beliefs.facts.is_right);
        let by_onset = self.beliefs.onsets.influence(self.graph, &influence);
        self.by_leading_line(|onset| f64::from(by_onset[onset]))
    }

    /// By leading line: how likely something wrong is seen, by when the line first ran wrong.
    fn sights(&self, likelihood: impl Fn(u64) -> f64) -> Vec<f32> {
        let onsets = self.beliefs.onsets.steps();
        self.by_leading_line(|onset| likelihood(self.graph.step(onsets[onset]).moment))
    }

    fn by_leading_line(&self, likelihood: impl Fn(usize) -> f64) -> Vec<f32> {
        let of_line = |&line: &LineId| {
            let onsets = self.beliefs.onsets.of_line(line);
            let weighed = onsets.map(|onset| self.beliefs.weights()[onset] * likelihood(onset));
            (weighed.sum::<f64>() / self.beliefs.of_line(line).max(f64::MIN_POSITIVE)) as f32
        };
        self.leading.lines.iter().map(of_line).collect()
    }

    fn reason(&self, step: StepId, suspicion: f64) -> Reason {
        let effects = &self.graph.step(step).effects;
        let is_of = |one: &EffectId| effects.contains(one);
        let last = self.beliefs.facts.demands.iter().rev().find(|demand| demand.one_of.iter().any(is_of));
        match last.and_then(|demand| demand.by).and_then(|by| self.answers.get(by)) {
            Some((_, Answer::WrongPath)) => Reason::Decision,
            // What made the value comes first, then what could have changed it.
            Some((_, Answer::WrongValues { .. }))
                if !last.is_some_and(|last| last.one_of.first().is_some_and(is_of)) =>
            {
                Reason::Omission
            }
            Some(_) => Reason::Source,
            None if self.leading.weights.first().is_some_and(|&most| suspicion >= most) => Reason::Suspicion,
            None => Reason::Split,
        }
    }
}
