//! What led to a failure.

use fixedbitset::FixedBitSet;
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use std::ops::RangeInclusive;

/// Something that was executed and had an effect: a value was made or moved, a condition decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct EffectId(pub u32);

/// An executed line, as far as it led to the failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct StepId(pub u32);

/// A line of the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct LineId(pub u32);

/// How one effect has led to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Way {
    /// Its value is made of it.
    Value,
    /// It says which object or element is meant.
    Address,
    /// It decided that the other ran.
    Control,
    /// It could have given the value that is used another one, and did not.
    Omission,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Input {
    pub way: Way,
    pub from: EffectId,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Effect {
    pub step: StepId,
    pub inputs: Vec<Input>,
    /// What it got its values from was not looked at.
    pub is_open: bool,
    /// Its value is a reference, which is right as a rule, whatever is wrong with the object.
    pub is_reference: bool,
    /// It hands a value on as it is.
    pub is_moved: bool,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Step {
    pub line: LineId,
    pub effects: Vec<EffectId>,
    /// Calls and loops around it; 1 in the lowest recorded frame.
    pub level: u32,
    /// Calls around it; 0 in the lowest recorded frame.
    pub calls: u32,
    /// Steps between it and the failure, on the shortest way.
    pub distance: u32,
    /// When it ran: later steps have larger ones.
    pub moment: u64,
    /// The moment of the last step that it called; its own one if it called none.
    pub until: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Line {
    /// How much can be wrong in it: the operations of the line that a programmer has written. 0 for a line that cannot be
    /// wrong.
    pub work: u32,
    /// It is of the code that checks, not of the code that is checked.
    pub is_test: bool,
}

/// What became of a line in the run up to the failure.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct History {
    /// How often it ran.
    pub visits: u32,
    /// Checks that held although it had run since the check before.
    pub held: u32,
    /// It has run since the last check that held.
    pub is_recent: bool,
    /// Of the call in which the failure was seen, or of one of the calls around that.
    pub is_on_stack: bool,
    pub kinship: Kinship,
    pub tested: Tested,
    /// In the line, whether they were decided or not.
    pub conditions: u16,
    /// It has only run when the exception of the failure was made, which somebody had decided to throw by then.
    pub is_of_exception: bool,
}

/// Other tests than the one that failed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tested {
    pub passed: u32,
    pub failed: u32,
    /// Those that failed without it.
    pub spared: u32,
}

impl Tested {
    pub fn add(&mut self, other: Tested) {
        self.passed = self.passed.saturating_add(other.passed);
        self.failed = self.failed.saturating_add(other.failed);
        self.spared = self.spared.saturating_add(other.spared);
    }
}

/// What the code of a line has to do with the test that failed, by its name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Kinship {
    #[default]
    None,
    Package,
    /// `CartTest` tests `Cart`.
    Class,
}

/// Effects lead to effects that were executed later, so that there are no circles; where threads are not ordered, what
/// would close one is left out when sets are computed.
#[derive(Clone, Debug)]
pub struct Graph {
    effects: Vec<Effect>,
    steps: Vec<Step>,
    lines: Vec<Line>,
    histories: Vec<History>,
    steps_of_lines: Vec<Vec<StepId>>,
    failure: StepId,
    /// Each effect after those that it was made of.
    order: Vec<EffectId>,
    /// Effects whose value something could have changed before it was used.
    could_be_changed: FixedBitSet,
}

impl Graph {
    pub fn effect(&self, id: EffectId) -> &Effect {
        &self.effects[id.0 as usize]
    }

    pub fn step(&self, id: StepId) -> &Step {
        &self.steps[id.0 as usize]
    }

    pub fn line(&self, id: LineId) -> &Line {
        &self.lines[id.0 as usize]
    }

    /// Whether anybody has written the line of a step.
    pub(crate) fn can_be_wrong(&self, step: StepId) -> bool {
        self.line(self.step(step).line).work > 0
    }

    pub fn history(&self, id: LineId) -> &History {
        &self.histories[id.0 as usize]
    }

    pub fn effects(&self) -> usize {
        self.effects.len()
    }

    pub fn lines(&self) -> impl ExactSizeIterator<Item = LineId> + use<> {
        (0..self.lines.len() as u32).map(LineId)
    }

    pub fn steps(&self) -> impl ExactSizeIterator<Item = StepId> + use<> {
        (0..self.steps.len() as u32).map(StepId)
    }

    /// In the order of the run.
    pub fn steps_of(&self, line: LineId) -> &[StepId] {
        &self.steps_of_lines[line.0 as usize]
    }

    pub fn failure(&self) -> StepId {
        self.failure
    }

    /// Of which the same graph can be made again.
    pub fn to_builder(&self) -> GraphBuilder {
        GraphBuilder {
            effects: self.effects.clone(),
            steps: self.steps.clone(),
            lines: self.lines.clone(),
            histories: self.histories.clone(),
        }
    }

    /// Whether a value can be right where it was made and wrong where it is used.
    pub(crate) fn could_be_changed(&self, effect: EffectId) -> bool {
        self.could_be_changed.contains(effect.0 as usize)
    }

    pub(crate) fn in_order(&self) -> &[EffectId] {
        &self.order
    }

    /// Where a value comes from that steps have only handed on. A step that was given something else, too, shows whether
    /// that is right, and in repeated code iterations differ: these are not passed over.
    pub(crate) fn origin(&self, value: EffectId) -> EffectId {
        let is_passed = |step: StepId| {
            let mut given = self.inputs_of(step).filter(|input| matches!(input.way, Way::Value | Way::Address));
            let first = given.next().map(|input| input.from);
            self.steps_of(self.step(step).line).len() == 1 && given.all(|input| Some(input.from) == first)
        };
        let mut at = value;
        while self.effect(at).is_moved
            && is_passed(self.effect(at).step)
            && let Some(before) = self.only_value(at)
        {
            at = before;
        }
        at
    }

    fn only_value(&self, effect: EffectId) -> Option<EffectId> {
        let mut values = self.effect(effect).inputs.iter().filter(|input| input.way == Way::Value);
        let only = values.next()?;
        values.next().is_none().then_some(only.from)
    }

    /// What a step got from others.
    pub fn inputs_of(&self, step: StepId) -> impl Iterator<Item = Input> + '_ {
        let effects = self.step(step).effects.iter();
        let inputs = effects.flat_map(|&effect| self.effect(effect).inputs.iter().copied());
        inputs.filter(move |input| self.effect(input.from).step != step)
    }
}

/// Puts a graph together.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct GraphBuilder {
    effects: Vec<Effect>,
    steps: Vec<Step>,
    lines: Vec<Line>,
    histories: Vec<History>,
}

impl GraphBuilder {
    pub fn add_line(&mut self, line: Line) -> LineId {
        self.lines.push(line);
        self.histories.push(History::default());
        LineId(self.lines.len() as u32 - 1)
    }

    pub fn line_mut(&mut self, id: LineId) -> &mut Line {
        &mut self.lines[id.0 as usize]
    }

    pub fn history_mut(&mut self, line: LineId) -> &mut History {
        &mut self.histories[line.0 as usize]
    }

    pub fn set_history(&mut self, line: LineId, history: History) {
        self.histories[line.0 as usize] = history;
    }

    /// A step that comes after those that were added before, unless its moment is set, and has no loops around it, unless
    /// its calls are set.
    pub fn add_step(&mut self, line: LineId, level: u32) -> StepId {
        let (moment, calls) = (self.steps.len() as u64, level.saturating_sub(1));
        self.steps.push(Step { line, effects: Vec::new(), level, calls, distance: u32::MAX, moment, until: moment });
        StepId(self.steps.len() as u32 - 1)
    }

    pub fn set_level(&mut self, step: StepId, level: u32) {
        self.steps[step.0 as usize].level = level;
    }

    pub fn set_calls(&mut self, step: StepId, calls: u32) {
        self.steps[step.0 as usize].calls = calls;
    }

    /// From the start of a step to the last step that it called.
    pub fn set_moments(&mut self, step: StepId, moments: RangeInclusive<u64>) {
        let step = &mut self.steps[step.0 as usize];
        (step.moment, step.until) = moments.into_inner();
    }

    /// An effect whose inputs are not known yet.
    pub fn add_effect(&mut self, step: StepId) -> EffectId {
        let id = EffectId(self.effects.len() as u32);
        self.effects.push(Effect { step, inputs: Vec::new(), is_open: true, is_reference: false, is_moved: false });
        self.steps[step.0 as usize].effects.push(id);
        id
    }

    pub fn set_reference(&mut self, effect: EffectId) {
        self.effects[effect.0 as usize].is_reference = true;
    }

    pub fn set_moved(&mut self, effect: EffectId) {
        self.effects[effect.0 as usize].is_moved = true;
    }

    /// All inputs of an effect, which is not open any more.
    pub fn set_inputs(&mut self, effect: EffectId, mut inputs: Vec<Input>) {
        inputs.sort_unstable();
        inputs.dedup();
        let effect = &mut self.effects[effect.0 as usize];
        effect.inputs = inputs;
        effect.is_open = false;
    }

    /// Something that could have given what an effect uses another value.
    pub fn add_omission(&mut self, effect: EffectId, from: EffectId) {
        let input = Input { way: Way::Omission, from };
        let inputs = &mut self.effects[effect.0 as usize].inputs;
        if !inputs.contains(&input) {
            inputs.push(input);
        }
    }

    pub fn effects(&self) -> usize {
        self.effects.len()
    }

    pub fn effect(&self, id: EffectId) -> &Effect {
        &self.effects[id.0 as usize]
    }

    pub fn step(&self, id: StepId) -> &Step {
        &self.steps[id.0 as usize]
    }

    /// The graph of a failure that was seen in a step.
    pub fn finish(mut self, failure: StepId) -> Graph {
        let order = order(&self.effects);
        self.measure_distances(failure);
        let mut could_be_changed = FixedBitSet::with_capacity(self.effects.len());
        let changed = self.effects.iter().filter(|effect| effect.inputs.iter().any(|one| one.way == Way::Omission));
        changed.flat_map(|effect| &effect.inputs).for_each(|input| could_be_changed.insert(input.from.0 as usize));
        let mut steps_of_lines = vec![Vec::new(); self.lines.len()];
        for (number, step) in (0..).zip(&self.steps) {
            steps_of_lines[step.line.0 as usize].push(StepId(number));
        }
        for steps in &mut steps_of_lines {
            steps.sort_by_key(|step| self.steps[step.0 as usize].moment);
        }
        Graph {
            could_be_changed,
            steps_of_lines,
            effects: self.effects,
            steps: self.steps,
            lines: self.lines,
            histories: self.histories,
            failure,
            order,
        }
    }

    fn measure_distances(&mut self, failure: StepId) {
        self.steps[failure.0 as usize].distance = 0;
        let mut now = vec![failure];
        let mut distance = 0;
        while !now.is_empty() {
            distance += 1;
            let mut next = Vec::new();
            for step in now {
                for &effect in &self.steps[step.0 as usize].effects.clone() {
                    for input in &self.effects[effect.0 as usize].inputs {
                        let from = self.effects[input.from.0 as usize].step;
                        let known = &mut self.steps[from.0 as usize].distance;
                        if *known == u32::MAX {
                            *known = distance;
                            next.push(from);
                        }
                    }
                }
            }
            now = next;
        }
    }
}

/// Inputs before what is made of them.
fn order(effects: &[Effect]) -> Vec<EffectId> {
    let mut order = Vec::with_capacity(effects.len());
    // How many inputs of an effect that is under way were looked at.
    let mut under_way: FxHashMap<EffectId, usize> = FxHashMap::default();
    let mut is_done = vec![false; effects.len()];
    for start in (0..effects.len() as u32).map(EffectId) {
        let mut open = vec![start];
        while let Some(&id) = open.last() {
            if is_done[id.0 as usize] {
                open.pop();
                continue;
            }
            let inputs = &effects[id.0 as usize].inputs;
            let next = under_way.entry(id).or_default();
            match inputs.get(*next) {
                Some(input) => {
                    *next += 1;
                    if !is_done[input.from.0 as usize] && !under_way.contains_key(&input.from) {
                        open.push(input.from);
                    }
                }
                None => {
                    under_way.remove(&id);
                    is_done[id.0 as usize] = true;
                    order.push(id);
                    open.pop();
                }
            }
        }
    }
    order
}
