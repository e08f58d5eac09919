//! What to ask next: the question after which the fewest further answers are to be expected.

use super::beliefs::LineBeliefs;
use super::ground::Ground;
use super::outlook::{Clearness, Leading, Outlook, Pace};
use super::sight::Sight;
use super::sightings::Sightings;
use super::sources::Sources;
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

pub(crate) fn choose(
    graph: &Graph,
    ground: &Ground,
    beliefs: &LineBeliefs,
    answers: &[(StepId, Answer)],
    expected: Doubt,
) -> Option<Question> {
    let chooser = Chooser::new(graph, ground, beliefs, answers, expected);
    let now = chooser.cost_now();
    let mut best: Option<(f64, StepId)> = None;
    let candidates = chooser.candidates();
    let told = chooser.what_is_told(&candidates);
    for step in candidates {
        let cost = chooser.cost(step, &told);
        if best.is_none_or(|(least, _)| cost < least) {
            best = Some((cost, step));
        }
    }
    let (cost, step) = best?;
    let suspicion = beliefs.of_line(graph.step(step).line);
    let reason = chooser.reason(step, suspicion);
    Some(Question { step, reason, suspicion, gain: now - cost })
}

pub(super) struct Chooser<'a> {
    pub(super) graph: &'a Graph,
    pub(super) ground: &'a Ground,
    pub(super) beliefs: &'a LineBeliefs,
    answers: &'a [(StepId, Answer)],
    /// Of the user.
    clearness: Clearness,
    pub(super) leading: Leading,
    pace: Pace,
    asked: FxHashMap<StepId, Asked>,
}

/// Of a step that was asked about.
#[derive(Clone, Copy, Default)]
struct Asked {
    times: u32,
    /// The user could tell.
    is_clear: bool,
}

/// What the answers about some steps would tell.
struct Told<'a> {
    /// By what a step was given, and by likely line: how likely the line has made that wrong.
    sources: FxHashMap<EffectId, Vec<f32>>,
    sightings: Sightings<'a>,
}

impl<'a> Chooser<'a> {
    fn new(
        graph: &'a Graph,
        ground: &'a Ground,
        beliefs: &'a LineBeliefs,
        answers: &'a [(StepId, Answer)],
        expected: Doubt,
    ) -> Chooser<'a> {
        let mut asked: FxHashMap<StepId, Asked> = FxHashMap::default();
        for (step, answer) in answers {
            let asked = asked.entry(*step).or_default();
            asked.times += 1;
            asked.is_clear |= *answer != Answer::Unclear;
        }
        let suspects = beliefs.suspects();
        let leading = suspects.iter().take(LEADING);
        let leading = Leading {
            lines: leading.clone().map(|suspect| suspect.line).collect(),
            weights: leading.map(|suspect| suspect.weight).collect(),
        };
        let clearness = Clearness::new(expected);
        let clearest = |line| {
            let steps = graph.steps_of(line).iter();
            steps.map(|&step| clearness.answers_until_clear(graph, step)).fold(f64::INFINITY, f64::min)
        };
        let weight: f64 = leading.weights.iter().sum();
        let likely = leading.lines.iter().zip(&leading.weights).filter(|(_, weight)| **weight > 0.0);
        let all: f64 = likely.map(|(&line, weight)| weight * clearest(line)).sum();
        let per_halving = if weight > 0.0 { all / weight } else { 1.0 };
        let pace = Pace::new(per_halving, leading.lines.len());
        Chooser { graph, ground, beliefs, answers, clearness, leading, pace, asked }
    }

    /// Nobody likes to be asked the same again at once.
    pub(super) fn is_settled(&self, step: StepId) -> bool {
        self.asked.get(&step).is_some_and(|asked| asked.is_clear || self.last_unclear() == Some(step))
    }

    /// A step that called nothing and does what one did that is right is right, too.
    pub(super) fn is_known(&self, step: StepId) -> bool {
        let asked = self.graph.step(step);
        asked.until == asked.moment && self.beliefs.is_like_a_right_one(self.ground, step)
    }

    pub(super) fn last_unclear(&self) -> Option<StepId> {
        self.answers.last().filter(|(_, answer)| *answer == Answer::Unclear).map(|(step, _)| *step)
    }

    pub(super) fn doubt(&self, step: StepId) -> f64 {
        let times = self.asked.get(&step).map_or(0, |asked| asked.times);
        self.clearness.doubt(self.graph, step, times)
    }

    fn cost_now(&self) -> f64 {
        let mut outlook = Outlook::default();
        self.leading.weights.iter().for_each(|&weight| outlook.add(weight));
        outlook.cost(&self.pace)
    }

    fn likely_lines(&self) -> &[LineId] {
        &self.leading.lines[..self.leading.likely()]
    }

    fn what_is_told(&self, candidates: &[StepId]) -> Told<'a> {
        let clear = candidates.iter().filter(|&&step| self.doubt(step) < 1.0);
        let effects = clear.flat_map(|&step| self.sources(step)).map(|(_, effect)| effect).collect();
        let (ground, beliefs, lines) = (self.ground, self.beliefs, self.likely_lines());
        let sources = Sources { graph: self.graph, ground, beliefs, lines }.influences(effects);
        Told { sources, sightings: Sightings::new(ground, beliefs.weights(), lines) }
    }

    /// The answers that are to be expected, this one included.
    fn cost(&self, step: StepId, told: &Told<'_>) -> f64 {
        let own = self.graph.step(step).line;
        let doubt = self.doubt(step);
        let mut all = Outlook::default();
        let likely = self.likely_lines().iter().zip(&self.leading.weights).enumerate();
        let others = || likely.clone().filter(|(_, (line, _))| **line != own);
        others().for_each(|(_, (_, &weight))| all.add(weight));
        let after_unclear = all.cost(&self.pace);
        let hit = self.beliefs.of_line(own);
        let mut after_told = after_unclear;
        if doubt < 1.0 {
            let sources = self.sources(step);
            let sources: Vec<(bool, &[f32])> =
                sources.iter().map(|(is_decision, effect)| (*is_decision, &told.sources[effect][..])).collect();
            let mut parts: FxHashMap<u32, Outlook> = FxHashMap::default();
            let sight = Sight::of(self.graph, step);
            for (number, (&line, &weight)) in others() {
                let (mut right, mut part, mut path) = (1.0, 0u32, 0.0f64);
                for (input, (is_decision, by_line)) in sources.iter().enumerate() {
                    let wrong = TOLD * f64::from(by_line[number]);
                    if *is_decision {
                        path = path.max(wrong);
                    } else if wrong > UNLIKELY {
                        part |= 1 << input.min(MOST_PARTS);
                        right *= 1.0 - wrong;
                    }
                }
                parts.entry(WRONG_PATH).or_default().add(weight * path);
                parts.entry(part).or_default().add(weight * (1.0 - path) * (1.0 - right));
                let nothing = weight * (1.0 - path) * right;
                let if_wrong = |seen: f64| f64::from((seen / self.beliefs.of_line(line).max(f64::MIN_POSITIVE)) as f32);
                let before = if_wrong(told.sightings.before(line, &sight));
                let inside = if_wrong(told.sightings.inside(line, &sight));
                parts.entry(WRONG_BEFORE).or_default().add(nothing * before);
                parts.entry(WRONG_INSIDE).or_default().add(nothing * inside);
                parts.entry(0).or_default().add(nothing * (1.0 - before - inside));
            }
            after_told = parts.values_mut().map(|part| part.cost(&self.pace)).sum::<f64>();
        }
        (1.0 - hit) + doubt * after_unclear + (1.0 - doubt) * after_told
    }

    /// What a step got from others, and whether that decided that it ran.
    fn sources(&self, step: StepId) -> Vec<(bool, EffectId)> {
        let used = self.graph.inputs_of(step).filter(|input| !matches!(input.way, Way::Omission));
        let mut sources: Vec<(bool, EffectId)> = used.map(|input| (input.way == Way::Control, input.from)).collect();
        sources.sort_unstable();
        sources.dedup();
        sources
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
