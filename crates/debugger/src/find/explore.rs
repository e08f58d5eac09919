//! Goes back from a failure, the nearest steps first.

use super::background::Background;
use super::tests_of::is_of_tests;
use crate::causes::{Causes, StepPlace};
use crate::session::SessionError;
use rustc_hash::FxHashMap;
use std::collections::VecDeque;
use whydunit_feedback::{EffectId, GraphBuilder, Input, Line, LineId, StepId, Way};
use whydunit_replay::program::{MethodIndex, Op, Pc};
use whydunit_slices::{Description, Executed, Role};
use whydunit_trace::ThreadId;

/// Effects of a run that are looked at.
const BUDGET: usize = 20_000;

/// The graph of a failure as it grows.
pub(super) struct Explorer<'c, 's> {
    pub(super) causes: &'c Causes<'s>,
    pub(super) builder: GraphBuilder,
    pub(super) effects: FxHashMap<Executed, EffectId>,
    pub(super) executed: Vec<Executed>,
    steps: FxHashMap<(ThreadId, u64), StepId>,
    places: Vec<StepPlace>,
    lines: FxHashMap<(MethodIndex, Option<u32>), LineId>,
    /// Operations of lines that were counted.
    counted: FxHashMap<(MethodIndex, Pc), ()>,
    open: VecDeque<EffectId>,
}

impl Causes<'_> {
    /// What led to the values of a step, in which a failure was seen; `None` when the thread has no such step.
    pub(super) fn background(&self, thread: ThreadId, step: u64) -> Result<Option<Background>, SessionError> {
        let start = self.dependences().of_step(thread, step)?;
        let mut explorer = Explorer {
            causes: self,
            builder: GraphBuilder::default(),
            effects: FxHashMap::default(),
            executed: Vec::new(),
            steps: FxHashMap::default(),
            places: Vec::new(),
            lines: FxHashMap::default(),
            counted: FxHashMap::default(),
            open: VecDeque::new(),
        };
        for &executed in &start {
            explorer.effect(executed)?;
        }
        explorer.explore(BUDGET)?;
        explorer.add_omissions(&start)?;
        explorer.explore(2 * BUDGET)?;
        let Some(&failure) = explorer.steps.get(&(thread, step)) else { return Ok(None) };
        Ok(Some(Background {
            graph: explorer.builder.finish(failure),
            places: explorer.places,
            effects: explorer.effects,
        }))
    }
}

impl Explorer<'_, '_> {
    fn explore(&mut self, budget: usize) -> Result<(), SessionError> {
        while self.builder.effects() < budget
            && let Some(effect) = self.open.pop_front()
        {
            self.expand(effect)?;
        }
        Ok(())
    }

    fn expand(&mut self, effect: EffectId) -> Result<(), SessionError> {
        let executed = self.executed[effect.0 as usize];
        let dependences = self.causes.dependences();
        let mut inputs = Vec::new();
        for (role, found) in dependences.inputs(executed)? {
            let way = match role {
                Role::Value => Way::Value,
                Role::Address => Way::Address,
            };
            if let Ok(source) = found
                && let Some(from) = self.effect(source)?
            {
                inputs.push(Input { way, from });
            }
        }
        if let Ok(decision) = dependences.decision(executed)?
            && let Some(from) = self.effect(decision)?
        {
            inputs.push(Input { way: Way::Control, from });
        }
        self.builder.set_inputs(effect, inputs);
        Ok(())
    }

    /// The effect that an executed instruction is; it is looked at later.
    pub(super) fn effect(&mut self, executed: Executed) -> Result<Option<EffectId>, SessionError> {
        if let Some(&known) = self.effects.get(&executed) {
            return Ok(Some(known));
        }
        let Some(description) = self.causes.dependences().describe(executed)? else { return Ok(None) };
        let step = self.step(executed.thread(), &description);
        let effect = self.builder.add_effect(step);
        self.effects.insert(executed, effect);
        self.executed.push(executed);
        self.open.push_back(effect);
        Ok(Some(effect))
    }

    fn step(&mut self, thread: ThreadId, description: &Description) -> StepId {
        let (method, pc) = (description.frame.method, description.node.pc());
        let code = self.causes.session().program().code(method).ok();
        let line_number = code.and_then(|code| code.line(pc));
        let line = match self.lines.get(&(method, line_number)) {
            Some(&known) => known,
            None => {
                let is_test = is_of_tests(self.causes.session().program(), method);
                let line = self.builder.add_line(Line { work: 0, is_test });
                self.lines.insert((method, line_number), line);
                line
            }
        };
        let is_work = code.and_then(|code| code.ops.get(pc as usize)).is_some_and(does_something);
        if is_work && self.counted.insert((method, pc), ()).is_none() {
            self.builder.line_mut(line).work += 1;
        }
        let key = (thread, description.node.step);
        if let Some(&known) = self.steps.get(&key) {
            return known;
        }
        let loops = code.map_or(0, |code| self.causes.session().loops_at(code, pc));
        let step = self.builder.add_step(line, description.frame.depth + 1 + loops);
        self.steps.insert(key, step);
        self.places.push(StepPlace { thread, step: key.1, method, line: line_number });
        step
    }
}

/// Whether an instruction can be wrong: it does more than to move a value.
fn does_something(op: &Op) -> bool {
    !matches!(
        op,
        Op::Nop
            | Op::Load(_)
            | Op::LoadWide(_)
            | Op::Pop
            | Op::Pop2
            | Op::Dup
            | Op::DupX1
            | Op::Goto(_)
            | Op::CheckCast(_)
    )
}
