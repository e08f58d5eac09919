//! What a user says about a step, and what follows from it.

use crate::graph::{EffectId, Graph, Step, StepId, Way};
use fixedbitset::FixedBitSet;
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use std::ops::RangeInclusive;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// The step had to run, and all its values are right.
    Correct,
    /// The step had to run, but not with these values. The user has seen the others and did not object to them.
    WrongValues {
        wrong: Vec<EffectId>,
        /// Those that are only in objects.
        stale: Vec<Stale>,
        right: Vec<EffectId>,
    },
    /// What the step was given is right, what it made of it is not: the line is wrong.
    WrongResult,
    /// Something that the step made is wrong, but neither its line nor what the user has seen of what it was given.
    WrongSomehow {
        right: Vec<EffectId>,
        /// What is wrong in objects when the step is over.
        stale: Vec<Stale>,
    },
    /// The step should not have run.
    WrongPath,
    Unclear,
}

/// What an object holds at a step that does not read it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stale {
    /// What has written it; `None` when nobody has since the object was made.
    pub written: Option<EffectId>,
    /// What could have written it since then.
    pub not_written: Vec<EffectId>,
}

impl Stale {
    /// One of these is wrong if the value is.
    pub fn all(&self) -> impl Iterator<Item = EffectId> + '_ {
        self.written.into_iter().chain(self.not_written.iter().copied())
    }
}

/// Two answers that cannot both be right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Contradiction {
    /// Positions among the answers.
    pub first: usize,
    pub second: usize,
    pub about: EffectId,
}

/// All answers so far, as facts about effects.
#[derive(Debug)]
pub(crate) struct Facts {
    pub(crate) is_right: FixedBitSet,
    /// One of the effects of each has to be wrong.
    pub(crate) demands: Vec<Demand>,
    /// The effects of each answer that are right.
    pub(crate) rights: Vec<Right>,
    pub(crate) contradiction: Option<Contradiction>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Right {
    pub(crate) effects: Vec<EffectId>,
    /// The step in which nothing wrong was seen at all.
    pub(crate) seen: Option<StepId>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Demand {
    /// Position among the answers; `None` for the failure itself.
    pub(crate) by: Option<usize>,
    pub(crate) one_of: Vec<EffectId>,
    /// The step in which something wrong was seen, if that is not a value of which the source is known.
    pub(crate) seen: Option<StepId>,
    /// When it became wrong, if that is in no effect.
    pub(crate) between: RangeInclusive<u64>,
}

impl Demand {
    /// A step was given something that one of these has made wrong, the first by making it, or the others by not changing it.
    fn one_of(graph: &Graph, number: usize, asked: &Step, one_of: Vec<EffectId>) -> Demand {
        // Where it is known what could have changed the value, other ways are unlikely.
        let is_known = one_of.len() > 1;
        let maker = one_of.first().map_or(asked, |&effect| graph.step(graph.effect(effect).step));
        let start = if is_known { asked.moment } else { maker.moment.min(asked.moment) };
        Demand { by: Some(number), one_of, seen: None, between: start..=read_by(asked, maker) }
    }
}

/// The last answers that have said of an effect that it is right, and that it is wrong.
#[derive(Default)]
struct Said {
    right: Option<usize>,
    wrong: Option<usize>,
}

impl Facts {
    pub(crate) fn of(graph: &Graph, answers: &[(StepId, Answer)]) -> Facts {
        let failing = graph.step(graph.failure());
        let failure = Demand { by: None, one_of: failing.effects.clone(), seen: None, between: 0..=failing.until };
        let mut facts = Facts {
            is_right: FixedBitSet::with_capacity(graph.effects()),
            demands: vec![failure],
            rights: Vec::new(),
            contradiction: None,
        };
        let mut said = FxHashMap::default();
        for (number, (step, answer)) in answers.iter().enumerate() {
            facts.take(graph, number, *step, answer, &mut said);
        }
        facts
    }

    fn take(
        &mut self,
        graph: &Graph,
        number: usize,
        step: StepId,
        answer: &Answer,
        said: &mut FxHashMap<EffectId, Said>,
    ) {
        let asked = graph.step(step);
        let own = asked.moment..=asked.until;
        let mut rights = Vec::new();
        let mut note_right = |facts: &mut Facts, effect: EffectId| {
            facts.is_right.insert(effect.0 as usize);
            rights.push(effect);
            let said = said.entry(effect).or_default();
            said.right = Some(number);
            if let Some(first) = said.wrong
                && !graph.could_be_changed(effect)
            {
                facts.contradiction.get_or_insert(Contradiction { first, second: number, about: effect });
            }
        };
        match answer {
            Answer::Unclear => {}
            Answer::Correct => {
                for &effect in &graph.step(step).effects {
                    note_right(self, effect);
                }
            }
            Answer::WrongPath => {
                let deciders = graph.inputs_of(step).filter(|input| input.way == Way::Control);
                self.demands.push(Demand {
                    by: Some(number),
                    one_of: deciders.map(|input| input.from).collect(),
                    seen: Some(step),
                    between: 0..=asked.moment,
                });
            }
            Answer::WrongSomehow { right, stale } => {
                right.iter().for_each(|&effect| note_right(self, effect));
                for stale in stale {
                    if let Some(effect) = stale.written.filter(|_| stale.not_written.is_empty()) {
                        self.note_wrong(graph, number, effect, said);
                    }
                    let one_of: Vec<EffectId> = stale.all().collect();
                    if !one_of.is_empty() {
                        self.demands.push(Demand { by: Some(number), one_of, seen: None, between: own.clone() });
                    }
                }
                self.demands.push(Demand {
                    by: Some(number),
                    one_of: graph.step(step).effects.clone(),
                    seen: Some(step),
                    between: own,
                });
            }
            Answer::WrongResult => {
                graph.inputs_of(step).for_each(|input| note_right(self, input.from));
                self.demands.push(Demand {
                    by: Some(number),
                    one_of: graph.step(step).effects.clone(),
                    seen: Some(step),
                    between: own,
                });
            }
            Answer::WrongValues { wrong, stale, right } => {
                let deciders = graph.inputs_of(step).filter(|input| input.way == Way::Control);
                deciders
                    .map(|input| input.from)
                    .chain(right.iter().copied())
                    .for_each(|effect| note_right(self, effect));
                let read = wrong.iter().map(|&effect| Stale { written: Some(effect), ..Stale::default() });
                let mut is_seen = false;
                for Stale { written, not_written } in read.chain(stale.iter().cloned()) {
                    if let Some(effect) = written.filter(|_| not_written.is_empty()) {
                        self.note_wrong(graph, number, effect, said);
                    }
                    let changing = written.into_iter().flat_map(|effect| omissions(graph, step, effect));
                    let one_of: Vec<EffectId> = written.into_iter().chain(not_written).chain(changing).collect();
                    if !one_of.is_empty() {
                        is_seen = true;
                        self.demands.push(Demand::one_of(graph, number, asked, one_of));
                    }
                }
                if !is_seen {
                    self.demands.push(Demand {
                        by: Some(number),
                        one_of: Vec::new(),
                        seen: Some(step),
                        between: 0..=asked.until,
                    });
                }
            }
        }
        let seen = (*answer == Answer::Correct).then_some(step);
        if !rights.is_empty() || seen.is_some() {
            self.rights.push(Right { effects: rights, seen });
        }
    }
}

impl Facts {
    fn note_wrong(&mut self, graph: &Graph, number: usize, effect: EffectId, said: &mut FxHashMap<EffectId, Said>) {
        let said = said.entry(effect).or_default();
        said.wrong = Some(number);
        if let Some(first) = said.right
            && !graph.could_be_changed(effect)
        {
            self.contradiction.get_or_insert(Contradiction { first, second: number, about: effect });
        }
    }
}

/// When a step has read a value at the latest: at its start, unless what it called has made it.
fn read_by(step: &Step, maker: &Step) -> u64 {
    if maker.moment <= step.moment { step.moment } else { maker.until.min(step.until) }
}

/// What could have changed a value between where it was made and the step that uses it.
fn omissions(graph: &Graph, step: StepId, used: EffectId) -> impl Iterator<Item = EffectId> + '_ {
    let effects = graph.step(step).effects.iter().map(|&effect| graph.effect(effect));
    let users = effects.filter(move |effect| effect.inputs.iter().any(|input| input.from == used));
    users.flat_map(|effect| effect.inputs.iter().filter(|input| input.way == Way::Omission).map(|input| input.from))
}
