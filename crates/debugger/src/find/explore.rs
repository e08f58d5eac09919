//! Goes back from a failure, the nearest steps first.

use super::background::Background;
use super::chronicle::{Chronicle, CodeLine, Standing, Wanted};
use super::lines::{conditions_of, is_handed_on, is_of_the_compiler, is_reference, work_of};
use super::parts::Parts;
use super::tested::OtherTests;
use crate::causes::{Causes, StepPlace};
use crate::numbers::StepNumbers;
use crate::session::SessionError;
use crate::tests_of::is_of_tests;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cmp::Reverse;
use std::rc::Rc;
use whydunit_feedback::{EffectId, GraphBuilder, History, Input, Line, LineId, StepId, Way};
use whydunit_replay::ReplayError;
use whydunit_slices::{Description, Executed, Role};
use whydunit_trace::ThreadId;

/// Effects of a run that are looked at.
const BUDGET: usize = 20_000;

/// Instructions that are looked at for them, some ten seconds of replay: of what was not looked at by then, no ways are
/// known.
const MOST_EFFORT: u64 = 300_000_000;

/// The graph of a failure as it grows.
pub(super) struct Explorer<'c, 's> {
    pub(super) causes: &'c Causes<'s>,
    others: &'c OtherTests,
    pub(super) builder: GraphBuilder,
    pub(super) effects: FxHashMap<Executed, EffectId>,
    /// By effect; `None` of a step that does nothing.
    pub(super) executed: Vec<Option<Executed>>,
    /// By effect. To look one up again may take a replay.
    pub(super) described: Vec<Option<Description>>,
    steps: FxHashMap<(ThreadId, u64), StepId>,
    places: Vec<StepPlace>,
    lines: FxHashMap<CodeLine, LineId>,
    pub(super) parts: Parts,
    numbers: StepNumbers<'s>,
    /// What the step in which the failure was seen has executed.
    failing: FxHashSet<Executed>,
    /// By what has made an object: the steps of its constructors.
    pub(super) called: FxHashMap<Executed, Rc<[(u64, CodeLine)]>>,
    /// By thread and step: what it decides or does.
    pub(super) deciding: FxHashMap<(ThreadId, u64), Rc<[Executed]>>,
    /// Not looked at yet, the nearest to the failure first.
    open: Vec<EffectId>,
}

impl Causes<'_> {
    /// What led to the values of a step, in which a failure was seen; `None` when the thread has no such step.
    pub(super) fn background(
        &self,
        thread: ThreadId,
        step: u64,
        others: &OtherTests,
    ) -> Result<Option<Background>, SessionError> {
        let start = self.dependences().of_step(thread, step)?;
        let failing = start.iter().copied().collect();
        let mut explorer = Explorer {
            causes: self,
            others,
            builder: GraphBuilder::default(),
            effects: FxHashMap::default(),
            executed: Vec::new(),
            described: Vec::new(),
            steps: FxHashMap::default(),
            places: Vec::new(),
            lines: FxHashMap::default(),
            parts: Parts::default(),
            numbers: StepNumbers::new(self.moments()),
            failing,
            called: FxHashMap::default(),
            deciding: FxHashMap::default(),
            open: Vec::new(),
        };
        for &executed in &start {
            explorer.effect(executed)?;
        }
        explorer.explore(BUDGET)?;
        explorer.add_omissions(&start, 2 * BUDGET)?;
        explorer.add_chronicle(thread, step)?;
        explorer.parts.add_omissions(&explorer.builder);
        let Some(&failure) = explorer.steps.get(&(thread, step)) else { return Ok(None) };
        Ok(Some(Background {
            graph: explorer.builder.finish(failure),
            places: explorer.places,
            effects: explorer.effects,
            executed: explorer.executed,
            parts: explorer.parts,
        }))
    }
}

impl Explorer<'_, '_> {
    /// Whether more effects may be looked at.
    pub(super) fn goes_on(&self, budget: usize) -> bool {
        self.builder.effects() < budget && self.causes.dependences().effort() < MOST_EFFORT
    }

    pub(super) fn explore(&mut self, budget: usize) -> Result<(), SessionError> {
        while self.goes_on(budget) && !self.open.is_empty() {
            let mut equally_far = std::mem::take(&mut self.open);
            // In the order of the run, so that what lies side by side is replayed once.
            equally_far.sort_unstable_by_key(|effect| Reverse(self.executed[effect.0 as usize]));
            let mut waiting = equally_far.into_iter();
            while self.goes_on(budget)
                && let Some(effect) = waiting.next()
            {
                self.expand(effect)?;
            }
            let behind = std::mem::take(&mut self.open);
            self.open.extend(waiting.chain(behind));
        }
        Ok(())
    }

    fn expand(&mut self, effect: EffectId) -> Result<(), SessionError> {
        let Some(executed) = self.executed[effect.0 as usize] else { return Ok(()) };
        let dependences = self.causes.dependences();
        let is_of_failure = self.failing.contains(&executed);
        let behind =
            if is_of_failure { self.causes.inputs_of_failure(executed)? } else { dependences.inputs(executed)? };
        let mut inputs = Vec::new();
        for (role, found) in behind {
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
        let code = self.causes.session().program().code(description.frame.method).ok();
        let line = code.and_then(|code| code.line(description.node.pc()));
        let step = self.step(executed.thread(), description.node.step, (description.frame.method, line))?;
        let effect = self.builder.add_effect(step);
        if let Some(code) = code {
            self.parts.add(code, &description, step, executed, effect);
        }
        if code.is_some_and(|code| is_reference(code, description.node.pc(), description.node.argument())) {
            self.builder.set_reference(effect);
        }
        if code.is_some_and(|code| is_handed_on(code, &description)) {
            self.builder.set_moved(effect);
        }
        self.effects.insert(executed, effect);
        self.executed.push(Some(executed));
        self.described.push(Some(description));
        self.open.push(effect);
        Ok(Some(effect))
    }

    /// All that a step does; a step that does nothing may be wrong for that, and has one effect, too.
    pub(super) fn effects_of(
        &mut self,
        thread: ThreadId,
        step: u64,
        place: CodeLine,
    ) -> Result<Vec<EffectId>, SessionError> {
        let mut effects = Vec::new();
        for executed in self.causes.dependences().of_step(thread, step)? {
            effects.extend(self.effect(executed)?);
        }
        if effects.is_empty() {
            let id = self.step(thread, step, place)?;
            effects = self.builder.step(id).effects.clone();
            if effects.is_empty() {
                effects.push(self.builder.add_effect(id));
                self.executed.push(None);
                self.described.push(None);
            }
        }
        Ok(effects)
    }

    pub(super) fn step(&mut self, thread: ThreadId, step: u64, place: CodeLine) -> Result<StepId, SessionError> {
        let line = self.line(place);
        if let Some(&known) = self.steps.get(&(thread, step)) {
            return Ok(known);
        }
        let id = self.builder.add_step(line, 1);
        let moment = self.numbers.number(thread, step).map_err(ReplayError::from)?.unwrap_or(step);
        self.builder.set_moments(id, moment..=moment);
        self.steps.insert((thread, step), id);
        let (method, line) = place;
        self.places.push(StepPlace { thread, step, method, line });
        Ok(id)
    }

    fn line(&mut self, place: CodeLine) -> LineId {
        if let Some(&known) = self.lines.get(&place) {
            return known;
        }
        let (method, number) = place;
        let program = self.causes.session().program();
        let code = program.code(method).ok();
        let is_written = program.method(method).is_some_and(|(class, member)| {
            program.summary(class).is_some_and(|class| !is_of_the_compiler(class, member))
        });
        // A statement that does nothing may be wrong for that.
        let work = code.filter(|_| is_written).map_or(0, |code| work_of(code, number).max(1));
        let line = self.builder.add_line(Line { work, is_test: is_of_tests(program, method) });
        let conditions = code.map_or(0, |code| conditions_of(code, number));
        let tested = self.others.of_line(program, place);
        self.builder.set_history(line, History { conditions, tested, ..History::default() });
        self.lines.insert(place, line);
        line
    }

    /// What the run says of all lines and steps. Lines of which no way is known to the failure are added: there may be one
    /// all the same.
    fn add_chronicle(&mut self, thread: ThreadId, failing: u64) -> Result<(), SessionError> {
        let held = self.held();
        let mut wanted = Wanted {
            objects: held.keys().copied().collect(),
            passed_over: self.others.passed_over.clone(),
            ..Wanted::default()
        };
        for &(thread, step) in self.steps.keys() {
            wanted.steps.entry(thread).or_default().push(step);
        }
        wanted.steps.values_mut().for_each(|steps| steps.sort_unstable());
        let mut chronicle = Chronicle::of(self.causes, thread, failing, &wanted)?;
        let known = self.lines.keys().copied().collect::<FxHashSet<CodeLine>>();
        chronicle.around_objects.retain(|(_, line), _| !known.contains(line));
        let mut standings = Vec::new();
        for (key, &id) in &self.steps {
            if let Some(&standing) = chronicle.standings.get(key) {
                standings.push((id, standing));
            }
        }
        standings.into_iter().for_each(|(id, standing)| self.set_standing(id, standing));
        let mut lines: Vec<_> = std::mem::take(&mut chronicle.lines).into_iter().collect();
        lines.sort_unstable_by_key(|(place, _)| *place);
        for (place, visits) in lines {
            let line = self.line(place);
            let history = self.builder.history_mut(line);
            *history = History { conditions: history.conditions, tested: history.tested, ..visits.history };
            for visit in visits.visits() {
                let id = self.step(visit.thread, visit.step, place)?;
                self.set_standing(id, visit.standing);
            }
        }
        self.add_bystanders(&held, &chronicle)?;
        self.leave_out_other_tests(thread);
        Ok(())
    }

    /// Code of other tests is not asked about, though its steps may have led here.
    fn leave_out_other_tests(&mut self, thread: ThreadId) {
        let mut is_own: FxHashMap<LineId, bool> = FxHashMap::default();
        for (&(of, step), &id) in &self.steps {
            let is_other = of == thread && self.others.is_passed_over(step);
            *is_own.entry(self.builder.step(id).line).or_default() |= !is_other;
        }
        for (line, _) in is_own.into_iter().filter(|(_, is_own)| !is_own) {
            let line = self.builder.line_mut(line);
            if line.is_test {
                line.work = 0;
            }
        }
    }

    pub(super) fn set_standing(&mut self, id: StepId, standing: Standing) {
        self.builder.set_level(id, standing.level);
        self.builder.set_calls(id, standing.calls);
        let moment = self.builder.step(id).moment;
        self.builder.set_moments(id, moment..=moment + standing.beneath);
    }
}
