//! What to ask next: about the step that is likeliest to be the wrong one, or whose answer splits what is left best.

use crate::answers::Answer;
use crate::beliefs::Beliefs;
use crate::graph::{EffectId, Graph, StepId, Way};
use rustc_hash::FxHashMap;

/// Inputs of a step that are told apart; the rest count as one.
const MOST_PARTS: usize = 15;

/// Steps that are looked at closely.
const CANDIDATES: usize = 300;

/// How often an error that can have come to a value by way of values has.
const INFECTED: f64 = 0.8;

/// The same if it had to change a decision on its way.
const DIVERTED: f64 = 0.25;

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Question {
    pub step: StepId,
    pub reason: Reason,
    /// How likely the line of the step is the wrong one.
    pub suspicion: f64,
    /// How much of what is left the answer will rule out, as far as one can tell before.
    pub gain: f64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// It made a value that was said to be wrong.
    Source,
    /// It decided that a step ran that should not have.
    Decision,
    /// It is the likeliest of all.
    Suspicion,
    /// Whatever the answer is, it rules out much.
    Split,
    /// The failure is seen in it.
    Failure,
    /// The state of the search leads there.
    Guidance,
}

pub(crate) fn choose(
    graph: &Graph,
    beliefs: &Beliefs,
    answers: &[(StepId, Answer)],
    may_ask: &dyn Fn(StepId) -> bool,
) -> Option<Question> {
    let mut asked: FxHashMap<StepId, u32> = FxHashMap::default();
    answers.iter().for_each(|(step, _)| *asked.entry(*step).or_default() += 1);
    let is_settled = |step: StepId| answers.iter().any(|(other, answer)| *other == step && *answer != Answer::Unclear);
    let score = |step: StepId, gain: f64| {
        let times = asked.get(&step).copied().unwrap_or_default();
        let level = if step == graph.failure() { 1 } else { graph.step(step).level };
        let clear = 1.0 / answers_until_clear(level, times);
        let suspicion = beliefs.of_line(graph.step(step).line);
        suspicion + (1.0 - suspicion) * clear * gain
    };
    let behind = weights_behind(graph, beliefs);
    let rough = |step: StepId| {
        let most = graph.step(step).effects.iter().map(|effect| behind[effect.0 as usize]).fold(0.0, f64::max);
        let wrong = most * INFECTED;
        score(step, 2.0 * wrong * (1.0 - wrong))
    };
    let open = graph.steps().filter(|&step| !is_settled(step) && may_ask(step));
    let mut candidates: Vec<(f64, StepId)> = open.map(|step| (rough(step), step)).collect();
    candidates.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    candidates.truncate(CANDIDATES);
    let mut best: Option<(f64, Question)> = None;
    for (_, step) in candidates {
        let suspicion = beliefs.of_line(graph.step(step).line);
        let gain = gain(graph, beliefs, step);
        let found = score(step, gain);
        let is_better = best.as_ref().is_none_or(|(known, question)| {
            found > *known || found == *known && graph.step(step).distance < graph.step(question.step).distance
        });
        if is_better && found > 0.0 {
            best = Some((found, Question { step, reason: Reason::Split, suspicion, gain }));
        }
    }
    best.map(|(_, question)| Question { reason: reason(graph, beliefs, answers, &question), ..question })
}

/// How likely it is that a user cannot tell about a step: the more calls and loops are around it the more, the more often
/// it was asked about the less. After formula (1) of Lin, Sun, Xue, Liu and Dong (2017).
pub(crate) fn doubt(level: u32, times: u32) -> f64 {
    (1.0 - (-f64::from(level.saturating_sub(1))).exp()) / f64::from(times)
}

/// How many answers it takes on average until the user can tell about a step.
fn answers_until_clear(level: u32, times: u32) -> f64 {
    let (mut expected, mut still_unclear) = (0.0, 1.0);
    for time in times + 1..times + 20 {
        expected += still_unclear;
        still_unclear *= doubt(level, time);
    }
    expected
}

/// By effect: how likely one of the steps that led to it is the wrong one.
fn weights_behind(graph: &Graph, beliefs: &Beliefs) -> Vec<f64> {
    let weight = |effect| beliefs.reach.of(effect).ones().map(|step| beliefs.of(StepId(step as u32))).sum();
    (0..graph.effects() as u32).map(|effect| weight(EffectId(effect))).collect()
}

/// How much of the weight an answer rules out, on average.
fn gain(graph: &Graph, beliefs: &Beliefs, step: StepId) -> f64 {
    let used = graph.inputs_of(step).filter(|input| input.way != Way::Omission);
    let mut sources: Vec<(Way, EffectId)> = used.map(|input| (input.way, input.from)).collect();
    sources.sort_unstable();
    sources.dedup();
    // By the inputs that a step can have made wrong.
    let mut parts: FxHashMap<u32, f64> = FxHashMap::default();
    for other in graph.steps() {
        let weight = beliefs.of(other);
        let (part, infected) = part_of(beliefs, &sources, step, other);
        if part == 0 {
            *parts.entry(0).or_default() += weight;
        } else {
            *parts.entry(part).or_default() += weight * infected;
            *parts.entry(0).or_default() += weight * (1.0 - infected);
        }
    }
    1.0 - parts.values().map(|weight| weight * weight).sum::<f64>()
}

/// Which inputs of a step another one can have made wrong, and how likely it has if it is wrong itself.
fn part_of(beliefs: &Beliefs, sources: &[(Way, EffectId)], step: StepId, other: StepId) -> (u32, f64) {
    if other == step {
        return (1 << MOST_PARTS, 1.0);
    }
    let (mut by_values, mut diverted) = (0, 0);
    for (number, &(way, source)) in sources.iter().enumerate() {
        let bit = 1 << number.min(MOST_PARTS - 1);
        if way != Way::Control && beliefs.reach.has_by_values(source, other) {
            by_values |= bit;
        } else if beliefs.reach.has(source, other) {
            diverted |= bit;
        }
    }
    if by_values != 0 { (by_values, INFECTED) } else { (diverted, DIVERTED) }
}

fn reason(graph: &Graph, beliefs: &Beliefs, answers: &[(StepId, Answer)], question: &Question) -> Reason {
    let effects = &graph.step(question.step).effects;
    let last = beliefs.facts.demands.iter().rev().find(|demand| demand.one_of.iter().any(|one| effects.contains(one)));
    match last.and_then(|demand| demand.by).and_then(|by| answers.get(by)) {
        Some((_, Answer::WrongPath)) => Reason::Decision,
        Some(_) => Reason::Source,
        None if question.suspicion > question.gain => Reason::Suspicion,
        None => Reason::Split,
    }
}
