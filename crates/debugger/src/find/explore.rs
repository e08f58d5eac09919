//! Goes back from a failure, the nearest steps first.

use super::background::Background;
use super::chronicle::{Chronicle, CodeLine, Standing, Wanted};
use super::lines::{conditions_of, is_handed_on, is_of_the_compiler, is_reference, work_of};
use super::parts::Parts;
use super::tested::OtherTests;
use crate::causes::{Causes, StepPlace};
use crate::movement::{Arrival, Motion};
use crate::nesting::chain;
use crate::numbers::StepNumbers;
use crate::session::SessionError;
use crate::tests_of::is_of_tests;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cmp::Reverse;
use std::rc::Rc;
use whydunit_feedback::{EffectId, GraphBuilder, History, Input, Line, LineId, Stale, StepId, Way};
use whydunit_replay::ReplayError;
use whydunit_slices::{Description, Executed, Place, Role};
use whydunit_trace::{ObjectId, ThreadId};

/// Effects of a run that are looked at.
const BUDGET: usize = 20_000;

/// Instructions that are looked at for them, some ten seconds of replay: of what was not looked at by then, no ways are
/// known.
const MOST_EFFORT: u64 = 300_000_000;

/// Effects that are looked at behind something that a user has pointed at, and instructions for them.
const BUDGET_BEHIND: usize = 200;
const MOST_EFFORT_BEHIND: u64 = 10_000_000;

/// Goes on from what was seen.
pub(super) struct Explorer<'c, 's> {
    pub(super) causes: &'c Causes<'s>,
    others: &'c OtherTests,
    numbers: StepNumbers<'s>,
    pub(super) seen: Explored,
    /// Of the dependences, at which it ends.
    most_effort: u64,
}

/// Where a part of an object has its value from.
#[derive(Clone, Copy, Debug)]
pub(super) enum Origin {
    Written(Executed),
    /// Nobody has written it since the object was made.
    Made {
        object: ObjectId,
        maker: Executed,
    },
    Unknown,
}

/// The graph of a failure as it grows.
#[derive(Clone, Debug, Default)]
pub(crate) struct Explored {
    pub(super) builder: GraphBuilder,
    pub(super) effects: FxHashMap<Executed, EffectId>,
    /// By effect; `None` of a step that does nothing.
    pub(super) executed: Vec<Option<Executed>>,
    /// By effect. To look one up again may take a replay.
    pub(super) described: Vec<Option<Description>>,
    steps: FxHashMap<(ThreadId, u64), StepId>,
    pub(super) places: Vec<StepPlace>,
    lines: FxHashMap<CodeLine, LineId>,
    pub(super) parts: Parts,
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
        let seen = Explored { failing, ..Explored::default() };
        let mut explorer = Explorer::new(self, others, seen, MOST_EFFORT);
        for &executed in &start {
            explorer.effect(executed)?;
        }
        explorer.explore(BUDGET)?;
        explorer.add_omissions(&start, 2 * BUDGET)?;
        explorer.add_chronicle(thread, step)?;
        explorer.note_makers_of_exception(thread, step)?;
        let Explored { parts, builder, steps, .. } = &mut explorer.seen;
        parts.add_omissions(builder);
        let Some(&failure) = steps.get(&(thread, step)) else { return Ok(None) };
        Ok(Some(Background { graph: builder.clone().finish(failure), seen: explorer.seen }))
    }

    /// Adds what the graph may not have, and what is behind it.
    pub(super) fn add_to(
        &self,
        background: &mut Background,
        others: &OtherTests,
        origins: &[Origin],
    ) -> Result<Vec<Stale>, SessionError> {
        let mut seen = std::mem::take(&mut background.seen);
        // What the failure has left open would take all of the effort.
        let left_open = std::mem::take(&mut seen.open);
        let (steps, effects) = (seen.places.len(), seen.described.len());
        let most_effort = self.dependences().effort() + MOST_EFFORT_BEHIND;
        let mut explorer = Explorer::new(self, others, seen, most_effort);
        let added = explorer.add_all(origins);
        let stood = added.and_then(|added| explorer.stand_since(steps, effects).map(|()| added));
        background.seen = explorer.seen;
        background.seen.open.extend(left_open);
        background.graph = background.seen.builder.clone().finish(background.graph.failure());
        stood
    }
}

impl<'c, 's> Explorer<'c, 's> {
    fn new(causes: &'c Causes<'s>, others: &'c OtherTests, seen: Explored, most_effort: u64) -> Explorer<'c, 's> {
        Explorer { causes, others, numbers: StepNumbers::new(causes.moments()), seen, most_effort }
    }
}

impl Explorer<'_, '_> {
    fn add_all(&mut self, origins: &[Origin]) -> Result<Vec<Stale>, SessionError> {
        let mut stale = Vec::new();
        for origin in origins {
            stale.push(match *origin {
                Origin::Unknown => Stale::default(),
                Origin::Written(executed) => self.stale(executed)?,
                Origin::Made { object, maker } => {
                    Stale { written: None, not_written: self.constructing(object, maker)? }
                }
            });
        }
        self.explore(self.seen.builder.effects() + BUDGET_BEHIND)?;
        Ok(stale)
    }

    /// What has written a part of an object, and what could have written it since: of constructors that is known.
    fn stale(&mut self, writer: Executed) -> Result<Stale, SessionError> {
        let Some(written) = self.effect(writer)? else { return Ok(Stale::default()) };
        if self.seen.builder.effect(written).is_open && !self.seen.open.contains(&written) {
            self.seen.open.push(written);
        }
        let mut stale = Stale { written: Some(written), not_written: Vec::new() };
        let Some((_, made)) = self.known(written) else { return Ok(stale) };
        let code = self.causes.session().program().code(made.frame.method);
        if let Some(Place::Field(object, _)) = made.place.filter(|_| code.is_ok_and(|code| code.is_constructor))
            && let Some(maker) = self.causes.dependences().made(object)?
            && maker.thread() == writer.thread()
        {
            let steps = self.steps_of_constructors(object, maker)?;
            for &(step, line) in steps.iter().filter(|(step, _)| *step > made.node.step) {
                stale.not_written.extend(self.effects_of(maker.thread(), step, line)?);
            }
        }
        Ok(stale)
    }

    /// What the constructors of an object have done.
    fn constructing(&mut self, object: ObjectId, maker: Executed) -> Result<Vec<EffectId>, SessionError> {
        let mut effects = Vec::new();
        for &(step, line) in self.steps_of_constructors(object, maker)?.iter() {
            effects.extend(self.effects_of(maker.thread(), step, line)?);
        }
        Ok(effects)
    }

    /// Where the steps stand that were added to so many, as far as their effects tell: how many calls are around them, and at
    /// least so many loops.
    fn stand_since(&mut self, steps: usize, effects: usize) -> Result<(), SessionError> {
        let (session, moments) = (self.causes.session(), self.causes.moments());
        for number in effects..self.seen.described.len() {
            let id = self.seen.builder.effect(EffectId(number as u32)).step;
            let Some(description) = self.seen.described[number].filter(|_| id.0 as usize >= steps) else { continue };
            let code = session.code(description.frame.method);
            let loops = code.map_or(0, |code| chain(session.flows().of(code), description.node.pc()).len() as u32);
            let (calls, step) = (description.frame.depth, self.seen.builder.step(id));
            let (moment, known) = (step.moment, step.until - step.moment);
            let is_open = description.callee.is_some() && known == 0;
            let beneath = match is_open.then(|| session.go(moments, moment, Motion::Over)).transpose()? {
                Some(Arrival::At(next)) => next.saturating_sub(moment + 1),
                _ => known,
            };
            self.set_standing(id, Standing { level: calls + 1 + loops, calls, beneath });
        }
        Ok(())
    }

    /// Whether more effects may be looked at.
    pub(super) fn goes_on(&self, budget: usize) -> bool {
        self.seen.builder.effects() < budget && self.causes.dependences().effort() < self.most_effort
    }

    pub(super) fn explore(&mut self, budget: usize) -> Result<(), SessionError> {
        while self.goes_on(budget) && !self.seen.open.is_empty() {
            let mut equally_far = std::mem::take(&mut self.seen.open);
            // In the order of the run, so that what lies side by side is replayed once.
            equally_far.sort_unstable_by_key(|effect| Reverse(self.seen.executed[effect.0 as usize]));
            let mut waiting = equally_far.into_iter();
            while self.goes_on(budget)
                && let Some(effect) = waiting.next()
            {
                self.expand(effect)?;
            }
            let behind = std::mem::take(&mut self.seen.open);
            self.seen.open.extend(waiting.chain(behind));
        }
        Ok(())
    }

    fn expand(&mut self, effect: EffectId) -> Result<(), SessionError> {
        let Some(executed) = self.seen.executed[effect.0 as usize] else { return Ok(()) };
        let dependences = self.causes.dependences();
        let is_of_failure = self.seen.failing.contains(&executed);
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
        self.seen.builder.set_inputs(effect, inputs);
        Ok(())
    }

    /// The effect that an executed instruction is; it is looked at later.
    pub(super) fn effect(&mut self, executed: Executed) -> Result<Option<EffectId>, SessionError> {
        if let Some(&known) = self.seen.effects.get(&executed) {
            return Ok(Some(known));
        }
        let Some(description) = self.causes.dependences().describe(executed)? else { return Ok(None) };
        let code = self.causes.session().program().code(description.frame.method).ok();
        let line = code.and_then(|code| code.line(description.node.pc()));
        let step = self.step(executed.thread(), description.node.step, (description.frame.method, line))?;
        let effect = self.seen.builder.add_effect(step);
        if let Some(code) = code {
            self.seen.parts.add(code, &description, step, executed, effect);
        }
        if code.is_some_and(|code| is_reference(code, description.node.pc(), description.node.argument())) {
            self.seen.builder.set_reference(effect);
        }
        if code.is_some_and(|code| is_handed_on(code, &description)) {
            self.seen.builder.set_moved(effect);
        }
        self.seen.effects.insert(executed, effect);
        self.seen.executed.push(Some(executed));
        self.seen.described.push(Some(description));
        self.seen.open.push(effect);
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
            effects = self.seen.builder.step(id).effects.clone();
            if effects.is_empty() {
                effects.push(self.seen.builder.add_effect(id));
                self.seen.executed.push(None);
                self.seen.described.push(None);
            }
        }
        Ok(effects)
    }

    pub(super) fn step(&mut self, thread: ThreadId, step: u64, place: CodeLine) -> Result<StepId, SessionError> {
        let line = self.line(place);
        if let Some(&known) = self.seen.steps.get(&(thread, step)) {
            return Ok(known);
        }
        let id = self.seen.builder.add_step(line, 1);
        let moment = self.numbers.number(thread, step).map_err(ReplayError::from)?.unwrap_or(step);
        self.seen.builder.set_moments(id, moment..=moment);
        self.seen.steps.insert((thread, step), id);
        let (method, line) = place;
        self.seen.places.push(StepPlace { thread, step, method, line });
        Ok(id)
    }

    fn line(&mut self, place: CodeLine) -> LineId {
        if let Some(&known) = self.seen.lines.get(&place) {
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
        let line = self.seen.builder.add_line(Line { work, is_test: is_of_tests(program, method) });
        let conditions = code.map_or(0, |code| conditions_of(code, number));
        let tested = self.others.of_line(program, place);
        self.seen.builder.set_history(line, History { conditions, tested, ..History::default() });
        self.seen.lines.insert(place, line);
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
        for &(thread, step) in self.seen.steps.keys() {
            wanted.steps.entry(thread).or_default().push(step);
        }
        wanted.steps.values_mut().for_each(|steps| steps.sort_unstable());
        let mut chronicle = Chronicle::of(self.causes, thread, failing, &wanted)?;
        let known = self.seen.lines.keys().copied().collect::<FxHashSet<CodeLine>>();
        chronicle.around_objects.retain(|(_, line), _| !known.contains(line));
        let mut standings = Vec::new();
        for (key, &id) in &self.seen.steps {
            if let Some(&standing) = chronicle.standings.get(key) {
                standings.push((id, standing));
            }
        }
        standings.into_iter().for_each(|(id, standing)| self.set_standing(id, standing));
        let mut lines: Vec<_> = std::mem::take(&mut chronicle.lines).into_iter().collect();
        lines.sort_unstable_by_key(|(place, _)| *place);
        for (place, visits) in lines {
            let line = self.line(place);
            let history = self.seen.builder.history_mut(line);
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

    /// What runs for a `throw`, after all that decided about it, makes the exception.
    fn note_makers_of_exception(&mut self, thread: ThreadId, failing: u64) -> Result<(), SessionError> {
        let threw = self.causes.of_step_in(thread, failing)?.and_then(|causes| causes.threw);
        let Some(&failure) =
            self.seen.steps.get(&(thread, failing)).filter(|_| threw.is_some_and(|it| it.is_statement()))
        else {
            return Ok(());
        };
        let throwing = self.seen.builder.step(failure).moment;
        let mut first: FxHashMap<LineId, u64> = FxHashMap::default();
        for (&(of, _), &id) in &self.seen.steps {
            let step = self.seen.builder.step(id);
            // Other threads do not wait for the exception.
            let moment = if of == thread { step.moment } else { 0 };
            let known = first.entry(step.line).or_insert(moment);
            *known = moment.min(*known);
        }
        for (line, _) in first.into_iter().filter(|(_, first)| *first > throwing) {
            self.seen.builder.history_mut(line).is_of_exception = true;
        }
        Ok(())
    }

    /// Code of other tests is not asked about, though its steps may have led here.
    fn leave_out_other_tests(&mut self, thread: ThreadId) {
        let mut is_own: FxHashMap<LineId, bool> = FxHashMap::default();
        for (&(of, step), &id) in &self.seen.steps {
            let is_other = of == thread && self.others.is_passed_over(step);
            *is_own.entry(self.seen.builder.step(id).line).or_default() |= !is_other;
        }
        for (line, _) in is_own.into_iter().filter(|(_, is_own)| !is_own) {
            let line = self.seen.builder.line_mut(line);
            if line.is_test {
                line.work = 0;
            }
        }
    }

    pub(super) fn set_standing(&mut self, id: StepId, standing: Standing) {
        self.seen.builder.set_level(id, standing.level);
        self.seen.builder.set_calls(id, standing.calls);
        let moment = self.seen.builder.step(id).moment;
        self.seen.builder.set_moments(id, moment..=moment + standing.beneath);
    }
}
