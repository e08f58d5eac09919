//! What to ask next: about the step that is likeliest to be the wrong one, or whose answer splits what is left best.

use crate::answers::Answer;
use crate::beliefs::Beliefs;
use crate::graph::{EffectId, Graph, LineId, StepId, Way};
use rustc_hash::FxHashMap;

/// Inputs of a step that are told apart; the rest count as one.
const MOST_PARTS: usize = 15;

/// How often an error that can have come to a value has.
const INFECTED: f64 = 0.8;

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
}

pub(crate) fn choose(graph: &Graph, beliefs: &Beliefs, answers: &[(StepId, Answer)]) -> Option<Question> {
    let mut asked: FxHashMap<StepId, u32> = FxHashMap::default();
    answers.iter().for_each(|(step, _)| *asked.entry(*step).or_default() += 1);
    let is_settled = |step: StepId| answers.iter().any(|(other, answer)| *other == step && *answer != Answer::Unclear);
    let mut best: Option<(f64, Question)> = None;
    for step in graph.steps().filter(|&step| step != graph.failure() && !is_settled(step)) {
        let suspicion = beliefs.of(graph.step(step).line);
        let gain = gain(graph, beliefs, step);
        let times = asked.get(&step).copied().unwrap_or_default();
        let clear = 1.0 - doubt(graph.step(step).level, times + 1);
        let score = suspicion + (1.0 - suspicion) * clear * gain;
        let is_better = best.as_ref().is_none_or(|(known, question)| {
            score > *known || score == *known && graph.step(step).distance < graph.step(question.step).distance
        });
        if is_better && score > 0.0 {
            best = Some((score, Question { step, reason: Reason::Split, suspicion, gain }));
        }
    }
    best.map(|(_, question)| Question { reason: reason(graph, beliefs, answers, &question), ..question })
}

/// How likely it is that a user cannot tell about a step: the more calls and loops are around it the more, the more often
/// it was asked about the less.
pub(crate) fn doubt(level: u32, times: u32) -> f64 {
    (1.0 - (-f64::from(level.saturating_sub(1))).exp()) / f64::from(times)
}

/// How much of the weight an answer rules out, on average.
fn gain(graph: &Graph, beliefs: &Beliefs, step: StepId) -> f64 {
    let mut sources: Vec<EffectId> = graph.inputs_of(step).filter(|i| i.way != Way::Omission).map(|i| i.from).collect();
    sources.sort_unstable();
    sources.dedup();
    let own = graph.step(step).line;
    // By the inputs that a line can have made wrong.
    let mut parts: FxHashMap<u32, f64> = FxHashMap::default();
    for line in graph.lines() {
        let weight = beliefs.of(line);
        if weight == 0.0 {
            continue;
        }
        let part = if line == own { 1 << MOST_PARTS } else { part_of(beliefs, &sources, line) };
        if part == 0 {
            *parts.entry(0).or_default() += weight;
        } else {
            *parts.entry(part).or_default() += weight * INFECTED;
            *parts.entry(0).or_default() += weight * (1.0 - INFECTED);
        }
    }
    1.0 - parts.values().map(|weight| weight * weight).sum::<f64>()
}

fn part_of(beliefs: &Beliefs, sources: &[EffectId], line: LineId) -> u32 {
    let mut part = 0;
    for (number, &source) in sources.iter().enumerate() {
        if beliefs.reach.has(source, line) {
            part |= 1 << number.min(MOST_PARTS - 1);
        }
    }
    part
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
