//! What should perhaps have given a value another one: branches between where it was made and where it is used that could
//! have led to a write.

use super::chronicle::CodeLine;
use super::explore::Explorer;
use crate::session::SessionError;
use rustc_hash::{FxHashMap, FxHashSet};
use std::ops::ControlFlow;
use std::rc::Rc;
use whydunit_feedback::{EffectId, Way};
use whydunit_replay::ReplayError;
use whydunit_replay::program::{MethodIndex, Op};
use whydunit_slices::{Changeable, Description, Executed, Place, SliceKind};
use whydunit_trace::{ObjectId, ThreadId};

/// Steps that could have changed one value, the last ones.
const MOST: usize = 8;

/// Steps that are looked through for them, the last ones: in a long run all of them take minutes.
const MOST_STEPS: u64 = 500_000;

/// Stretches of the run that are looked through for them.
const MOST_STRETCHES: usize = 200;

/// Steps of its constructors that should perhaps have written a field: those of other objects may follow.
const MOST_CONSTRUCTING: usize = 64;

/// Steps from the first to the last of them, with what they call.
const MOST_STEPS_OF_CONSTRUCTORS: u64 = 20_000;

/// A condition that should have led to a write may itself have looked at what was not written.
const ROUNDS: usize = 2;

/// A variable, in a thread.
type Variable = (ThreadId, Option<MethodIndex>, Changeable);

impl Explorer<'_, '_> {
    /// Those of all that is known, then those of what was found by them.
    pub(super) fn add_omissions(&mut self, failure: &[Executed], budget: usize) -> Result<(), SessionError> {
        let mut stretches = 0;
        let mut watch = |steps| {
            stretches += 1;
            if steps < MOST_STEPS && stretches < MOST_STRETCHES {
                ControlFlow::Continue(())
            } else {
                ControlFlow::Break(())
            }
        };
        let slice = self.causes.dependences().slice_until(failure, &[], SliceKind::FULL, &mut watch)?;
        let mut changers: FxHashMap<Variable, Vec<u64>> = FxHashMap::default();
        for (&(thread, step), found) in &slice.steps {
            for &one in &found.could_have_changed {
                let method = matches!(one, Changeable::Local(_)).then_some(found.method);
                changers.entry((thread, method, one)).or_default().push(step);
            }
        }
        let mut done = 0;
        for _ in 0..ROUNDS {
            let known = self.seen.executed.len();
            for user in (done as u32..known as u32).map(EffectId) {
                if !self.goes_on(budget) {
                    return Ok(());
                }
                let inputs = self.seen.builder.effect(user).inputs.clone();
                for input in inputs.iter().filter(|input| input.way == Way::Value) {
                    self.add_omissions_between(user, input.from, &changers)?;
                    self.add_constructor(user, input.from)?;
                }
            }
            self.explore(budget)?;
            done = known;
        }
        Ok(())
    }

    fn add_omissions_between(
        &mut self,
        user: EffectId,
        source: EffectId,
        changers: &FxHashMap<Variable, Vec<u64>>,
    ) -> Result<(), SessionError> {
        let (Some((reader, used)), Some((writer, made))) = (self.known(user), self.known(source)) else {
            return Ok(());
        };
        let Some((method, changeable)) = self.variable(&made) else { return Ok(()) };
        let Some(steps) = changers.get(&(reader.thread(), method, changeable)) else { return Ok(()) };
        let since = if reader.thread() == writer.thread() { made.node.step } else { 0 };
        let end = steps.partition_point(|&step| step <= used.node.step);
        let between = steps[..end].iter().rev().take_while(|&&step| step > since).take(MOST);
        for &step in between {
            for &executed in self.deciding(reader.thread(), step)?.iter() {
                if let Some(from) = self.effect(executed)? {
                    self.seen.builder.add_omission(user, from);
                }
            }
        }
        Ok(())
    }

    /// A field that nobody has written since its object was made: the steps of the constructors should perhaps have.
    fn add_constructor(&mut self, user: EffectId, source: EffectId) -> Result<(), SessionError> {
        let (Some((reader, used)), Some((maker, _))) = (self.known(user), self.known(source)) else { return Ok(()) };
        let Some(place @ Place::Field(object, _)) = used.place else { return Ok(()) };
        let called = self.steps_of_constructors(object, maker)?;
        if !called.is_empty() && self.is_read_of_field(&used) {
            self.seen.parts.add_unwritten(object, place, (reader, user), (maker, source));
        }
        for &(step, line) in called.iter() {
            for from in self.effects_of(maker.thread(), step, line)? {
                self.seen.builder.add_omission(user, from);
            }
        }
        Ok(())
    }

    /// The steps of the constructors of an object that a `new` has made; none if something else has.
    pub(super) fn steps_of_constructors(
        &mut self,
        object: ObjectId,
        maker: Executed,
    ) -> Result<Rc<[(u64, CodeLine)]>, SessionError> {
        if let Some(known) = self.seen.called.get(&maker) {
            return Ok(Rc::clone(known));
        }
        let (program, objects) = (self.causes.session().program(), self.causes.session().objects());
        let class = objects.class(object).map_err(ReplayError::from)?;
        let made = self.causes.dependences().describe(maker)?;
        let is_new = made.is_some_and(|made| {
            let code = program.code(made.frame.method).ok();
            matches!(code.and_then(|code| code.ops.get(made.node.pc() as usize)), Some(Op::New(_)))
        });
        let mut called = Vec::new();
        if let Some(class) = class.filter(|_| is_new) {
            let is_own_constructor = |method: MethodIndex| {
                let Some((definition, member)) = program.method(method) else { return false };
                let own = program.definition(definition).filter(|_| &*member.name == "<init>");
                own.is_some_and(|own| program.classes().superclasses(class).any(|one| one.name == own.name))
            };
            called = without_calls(self.constructing_after(maker, &is_own_constructor)?);
            called.truncate(MOST_CONSTRUCTING);
        }
        let called: Rc<[(u64, CodeLine)]> = called.into();
        Ok(Rc::clone(self.seen.called.entry(maker).or_insert(called)))
    }

    fn is_read_of_field(&self, executed: &Description) -> bool {
        let code = self.causes.session().program().code(executed.frame.method).ok();
        matches!(code.and_then(|code| code.ops.get(executed.node.pc() as usize)), Some(Op::GetField { .. }))
    }

    /// The steps of the constructors that have followed the making of an object, with those that do nothing.
    fn constructing_after(
        &self,
        maker: Executed,
        is_own_constructor: &dyn Fn(MethodIndex) -> bool,
    ) -> Result<Vec<(u64, CodeLine)>, SessionError> {
        let called = self.causes.dependences().steps_called(maker, is_own_constructor)?;
        let (Some(&(first, _)), Some(&(last, _))) = (called.first(), called.last()) else { return Ok(Vec::new()) };
        let last = last.min(first + MOST_STEPS_OF_CONSTRUCTORS - 1);
        let (thread, moments) = (maker.thread(), self.causes.moments());
        let (Some(first), Some(last)) = (moments.global_step(thread, first)?, moments.global_step(thread, last)?)
        else {
            return Ok(Vec::new());
        };
        let visits = self.causes.session().visits(thread, first..=last, MOST_STEPS_OF_CONSTRUCTORS as usize)?;
        let mut own = Vec::new();
        for visit in visits.unwrap_or_default().into_iter().filter(|visit| is_own_constructor(visit.method)) {
            let step = moments.local_step(visit.step)?.map(|(_, step)| step);
            own.extend(step.map(|step| (step, (visit.method, visit.line))));
        }
        Ok(own)
    }

    /// What was executed and what it was.
    pub(super) fn known(&self, effect: EffectId) -> Option<(Executed, Description)> {
        self.seen.executed[effect.0 as usize].zip(self.seen.described[effect.0 as usize])
    }

    /// What an instruction has written.
    fn variable(&self, made: &Description) -> Option<(Option<MethodIndex>, Changeable)> {
        match made.place {
            Some(Place::Static(field) | Place::Field(_, field)) => return Some((None, Changeable::Field(field))),
            Some(Place::Element(..)) => return Some((None, Changeable::Element)),
            Some(Place::Content(_) | Place::Item(..) | Place::Entry(..)) => return Some((None, Changeable::Content)),
            Some(Place::Captured(_)) => return None,
            None => {}
        }
        let code = self.causes.session().program().code(made.frame.method).ok()?;
        let local = match code.ops.get(made.node.pc() as usize)? {
            Op::Store { local, .. } | Op::StoreWide { local, .. } | Op::Increment { local, .. } => *local,
            _ => return None,
        };
        Some((Some(made.frame.method), Changeable::Local(local)))
    }

    /// The conditions of a step; if it has none, all that it does.
    fn deciding(&mut self, thread: ThreadId, step: u64) -> Result<Rc<[Executed]>, SessionError> {
        if let Some(known) = self.seen.deciding.get(&(thread, step)) {
            return Ok(Rc::clone(known));
        }
        let dependences = self.causes.dependences();
        let all = dependences.of_step(thread, step)?;
        let mut found = Vec::new();
        for &executed in &all {
            let Some(description) = dependences.describe(executed)? else { continue };
            let code = self.causes.session().program().code(description.frame.method).ok();
            let op = code.and_then(|code| code.ops.get(description.node.pc() as usize));
            let is_switch = matches!(op, Some(Op::TableSwitch(_) | Op::LookupSwitch(_)));
            if is_switch || op.is_some_and(|op| op.jump_target().is_some() && !matches!(op, Op::Goto(_))) {
                found.push(executed);
            }
        }
        let found: Rc<[Executed]> = if found.is_empty() { all.into() } else { found.into() };
        Ok(Rc::clone(self.seen.deciding.entry((thread, step)).or_insert(found)))
    }
}

/// Steps of constructors, without those that call the next constructor, `super(…)`: it should have written itself.
fn without_calls(steps: Vec<(u64, CodeLine)>) -> Vec<(u64, CodeLine)> {
    let mut seen: FxHashSet<MethodIndex> = steps.first().map(|(_, (method, _))| *method).into_iter().collect();
    let next_methods = steps.iter().skip(1).map(|(_, (method, _))| Some(*method)).chain([None]);
    let is_call = |next: Option<MethodIndex>| next.is_some_and(|next| seen.insert(next));
    let calls: Vec<bool> = next_methods.map(is_call).collect();
    steps.into_iter().zip(calls).filter(|(_, is_call)| !is_call).map(|(step, _)| step).collect()
}
