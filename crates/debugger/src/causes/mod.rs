//! Where values come from and what decided that a step ran.

mod names;
mod not;
mod slice;

pub use not::{CodeLine, NotRun};
pub use slice::{SliceLine, SliceView};

use crate::names::UnknownName;
use crate::session::{Session, SessionError};
use crate::state::Moments;
use names::Named;
use std::collections::BTreeSet;
use whydunit_replay::Value;
use whydunit_replay::program::{MethodIndex, Pc};
use whydunit_slices::{Dependences, Executed, Found, Place, Role, Unknown};
use whydunit_trace::ThreadId;

/// Questions about the values of a thread, wherever they come from.
#[derive(Debug)]
pub struct Causes<'s> {
    session: &'s Session,
    moments: &'s Moments,
    thread: ThreadId,
    dependences: Dependences<'s>,
}

/// Something that an instruction did: it gave a variable its value, decided where to go on, …
#[derive(Clone, Debug, PartialEq)]
pub struct Cause {
    pub place: StepPlace,
    /// `total`, `this.price`, `<int[]:1>[3]`, `Cart.add()`.
    pub what: String,
    pub kind: CauseKind,
    pub value: Option<Value>,
    /// Of a conditional jump.
    pub has_jumped: Option<bool>,
    /// Of the instruction.
    pub pc: Pc,
    /// The local variable that gets the value: of its own frame or, for an argument, of the method that is called.
    pub slot: Option<u16>,
    pub(crate) executed: Executed,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CauseKind {
    /// A local variable is set.
    Variable,
    /// A parameter gets its value.
    Argument,
    /// Unrecorded code is given something to keep. Of an object that it was given several times, it is the last time.
    Put,
    /// A field, static field or element is written.
    Write,
    /// A field, static field or element is read.
    Read,
    /// A recorded method returns a value.
    Return,
    /// A recorded method is called.
    Call,
    /// Unrecorded code made the value.
    Unrecorded,
    /// A condition is decided.
    Branch,
    /// An exception is thrown.
    Throw,
    /// An object is made.
    New,
    Constant,
    /// Something inside an expression.
    Computed,
}

/// A step and its place in the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct StepPlace {
    pub thread: ThreadId,
    /// Among the steps of the thread.
    pub step: u64,
    pub method: MethodIndex,
    pub line: Option<u32>,
}

impl StepPlace {
    fn is_same_step(&self, other: &StepPlace) -> bool {
        (self.thread, self.step) == (other.thread, other.step)
    }
}

impl Cause {
    /// The instruction that did it.
    pub fn executed(&self) -> Executed {
        self.executed
    }
}

/// What a cause was made of.
#[derive(Clone, Debug, PartialEq)]
pub struct Ingredient {
    /// As the step reads it: `price`, `this.quantity`.
    pub name: String,
    pub value: Option<Value>,
    pub role: Role,
    pub source: Result<Cause, Unknown>,
    /// The instruction of the step that reads it from a field or an element, or takes what another step made.
    pub pc: Pc,
    /// The local variable of the step's frame that it was in, if it came that way.
    pub slot: Option<u16>,
}

/// A step with its data dominators and its control dominator.
#[derive(Clone, Debug)]
pub struct StepCauses {
    pub place: StepPlace,
    /// What the step does that others can see, in the order of execution.
    pub effects: Vec<Cause>,
    /// What it reads.
    pub ingredients: Vec<Ingredient>,
    pub decided_by: Result<Cause, Unknown>,
}

impl Session {
    /// `None` when there is no such thread.
    pub fn causes<'s>(&'s self, moments: &'s Moments, thread: ThreadId) -> Option<Causes<'s>> {
        moments.thread_index(thread)?;
        let dependences = Dependences::new(self.program(), self.objects(), self.flows(), moments.indexes());
        Some(Causes { session: self, moments, thread, dependences })
    }
}

impl Causes<'_> {
    pub fn thread(&self) -> ThreadId {
        self.thread
    }

    /// What nothing is known of.
    pub fn name_of(&self, unknown: Unknown) -> String {
        self.unknown_name(unknown)
    }

    /// What a step reads and where that comes from; `None` when the thread has no such step.
    pub fn of_step(&self, step: u64) -> Result<Option<StepCauses>, SessionError> {
        self.of_step_in(self.thread, step)
    }

    /// The same for a step of any thread.
    pub fn of_step_in(&self, thread: ThreadId, step: u64) -> Result<Option<StepCauses>, SessionError> {
        let executed = self.dependences.of_step(thread, step)?;
        let Some(&first) = executed.first() else { return Ok(None) };
        let named = self.named(first)?;
        let mut effects = Vec::new();
        for &one in &executed {
            let cause = self.cause(one)?;
            if is_effect(cause.kind) {
                effects.push(cause);
            }
        }
        let decided_by = self.cause_of(self.dependences.decision(first)?)?;
        let ingredients = self.ingredients_of(&executed)?;
        Ok(Some(StepCauses { place: named.place, effects, ingredients, decided_by }))
    }

    /// The causes of a variable's value: what the step gives it, or else what it has before the step.
    pub fn of_variable(&self, step: u64, variable: &str) -> Result<Result<Vec<Cause>, UnknownName>, SessionError> {
        let Some(causes) = self.of_step(step)? else {
            return Ok(Err(UnknownName { problem: format!("there is no step {step}"), nearest: Vec::new() }));
        };
        let written: Vec<Cause> =
            causes.effects.iter().filter(|cause| is_meant(&cause.what, variable)).cloned().collect();
        if !written.is_empty() {
            return Ok(Ok(written));
        }
        let read = causes.ingredients.iter().filter(|ingredient| is_meant(&ingredient.name, variable));
        let sources: Vec<Cause> = read.filter_map(|ingredient| ingredient.source.clone().ok()).collect();
        if !sources.is_empty() {
            return Ok(Ok(sources));
        }
        let known = causes.effects.iter().map(|cause| cause.what.clone());
        let known = known.chain(causes.ingredients.iter().map(|ingredient| ingredient.name.clone()));
        let problem = format!("step {step} neither reads nor writes `{variable}`");
        Ok(Err(UnknownName::new(problem, variable, known)))
    }

    /// What a cause was made of, each thing once.
    pub fn ingredients(&self, cause: &Cause) -> Result<Vec<Ingredient>, SessionError> {
        self.ingredients_of(&[cause.executed])
    }

    /// What decided that an instruction ran.
    pub fn decision(&self, cause: &Cause) -> Result<Result<Cause, Unknown>, SessionError> {
        self.cause_of(self.dependences.decision(cause.executed)?)
    }

    /// The last condition that led to an instruction of a step: a branch, a `switch`, or an exception that was caught.
    /// What decided that the method was called counts when nothing in it decided. `address` tells the instruction;
    /// without it the first one of the step is meant.
    pub fn condition(&self, step: u64, address: Option<u32>) -> Result<Result<Cause, Unknown>, SessionError> {
        let executed = self.dependences.of_step(self.thread, step)?;
        let mut current = executed.first().copied();
        for &one in &executed {
            let Some(found) = self.dependences.describe(one)? else { continue };
            let code = self.session.program().code(found.frame.method).ok();
            let own = code.and_then(|code| code.addresses.get(found.node.pc() as usize).copied());
            if own.zip(address).is_some_and(|(own, address)| own <= address) {
                current = Some(one);
            }
        }
        while let Some(executed) = current {
            let decided = match self.dependences.decision(executed)? {
                Ok(decided) => decided,
                Err(unknown) => return Ok(Err(unknown)),
            };
            let depth = |found: Option<whydunit_slices::Description>| found.map_or(0, |found| found.frame.depth);
            let (own, other) = (self.dependences.describe(executed)?, self.dependences.describe(decided)?);
            // What started a thread is no condition.
            if decided.thread() == executed.thread() && depth(other) >= depth(own) {
                return self.cause_of(Ok(decided));
            }
            current = Some(decided);
        }
        Ok(Err(Unknown::Nothing))
    }

    /// What threw the exception whose handler starts in a step; the step itself may be the one that threw.
    pub(crate) fn thrown_before(&self, step: u64) -> Result<Option<Cause>, SessionError> {
        for executed in self.dependences.of_step(self.thread, step)? {
            if let Ok(cause) = self.cause_of(self.dependences.decision(executed)?)?
                && !matches!(cause.kind, CauseKind::Branch)
            {
                return Ok(Some(cause));
            }
        }
        Ok(None)
    }

    fn cause_of(&self, found: Found) -> Result<Result<Cause, Unknown>, SessionError> {
        Ok(match found {
            Ok(executed) => Ok(self.cause(executed)?),
            Err(unknown) => Err(unknown),
        })
    }

    fn cause(&self, executed: Executed) -> Result<Cause, SessionError> {
        Ok(self.named(executed)?.into_cause(executed))
    }

    /// Follows the inputs of some instructions of one step to what the step reads.
    fn ingredients_of(&self, executed: &[Executed]) -> Result<Vec<Ingredient>, SessionError> {
        let mut ingredients: Vec<Ingredient> = Vec::new();
        let Some(&first) = executed.first() else { return Ok(ingredients) };
        let own = self.named(first)?.place;
        let mut open: Vec<(Executed, Role)> = executed.iter().rev().map(|&one| (one, Role::Value)).collect();
        let mut seen: BTreeSet<Executed> = BTreeSet::new();
        while let Some((next, way)) = open.pop() {
            if !seen.insert(next) {
                continue;
            }
            let named = self.named(next)?;
            if named.place.is_same_step(&own) && self.is_read(next, named.kind)? {
                let pc = named.pc;
                add(&mut ingredients, self.ingredient(way, next, named, own, pc)?);
                continue;
            }
            let pc = named.pc;
            for (role, found) in self.dependences.inputs(next)? {
                // What is needed only to know which object is meant does not make the value.
                let role = role.max(way);
                let ingredient = match found {
                    Ok(source) => {
                        let named = self.named(source)?;
                        if named.place.is_same_step(&own) && !self.is_read(source, named.kind)? {
                            open.push((source, role));
                            continue;
                        }
                        self.ingredient(role, source, named, own, pc)?
                    }
                    Err(Unknown::Nothing) => continue,
                    // A call that is given an object of which nothing is recorded.
                    Err(Unknown::NotWritten(Place::Content(_) | Place::Item(..))) => continue,
                    Err(unknown) => self.unknown_ingredient(role, unknown, pc),
                };
                add(&mut ingredients, ingredient);
            }
        }
        Ok(ingredients)
    }

    /// A value that comes into a step: from another step, or by a read in it.
    fn ingredient(
        &self,
        role: Role,
        source: Executed,
        named: Named,
        own: StepPlace,
        pc: Pc,
    ) -> Result<Ingredient, SessionError> {
        let (name, value) = (named.what.clone(), named.value);
        let is_local = matches!(named.kind, CauseKind::Variable | CauseKind::Argument);
        let slot = named.slot.filter(|_| is_local);
        if !named.place.is_same_step(&own) {
            return Ok(Ingredient { name, value, role, source: Ok(named.into_cause(source)), pc, slot });
        }
        let behind = self.dependences.inputs(source)?;
        let written = behind.into_iter().filter(|(role, _)| *role == Role::Value).map(|(_, found)| found).next_back();
        let source = self.cause_of(written.unwrap_or(Err(Unknown::Nothing)))?;
        Ok(Ingredient { name, value, role, source, pc, slot: None })
    }

    /// Its value comes as a whole from somewhere else than the step.
    fn is_read(&self, executed: Executed, kind: CauseKind) -> Result<bool, SessionError> {
        Ok(match kind {
            CauseKind::Read => true,
            CauseKind::Unrecorded => {
                let inputs = self.dependences.inputs(executed)?;
                inputs.iter().filter(|(role, _)| *role == Role::Value).count() == 1
            }
            _ => false,
        })
    }

    fn unknown_ingredient(&self, role: Role, unknown: Unknown, pc: Pc) -> Ingredient {
        Ingredient { name: self.unknown_name(unknown), value: None, role, source: Err(unknown), pc, slot: None }
    }

    pub(super) fn line_of(&self, method: MethodIndex, pc: Pc) -> Option<u32> {
        self.session.program().code(method).ok()?.line(pc)
    }
}

/// What several instructions read counts where it is first read.
fn add(ingredients: &mut Vec<Ingredient>, ingredient: Ingredient) {
    let key = |ingredient: &Ingredient| (ingredient.value, ingredient.role);
    let is_same = |known: &Ingredient| {
        key(known) == key(&ingredient) && known.name == ingredient.name && known.source == ingredient.source
    };
    if !ingredients.iter().any(is_same) {
        ingredients.push(ingredient);
    }
}

/// Others can see it.
fn is_effect(kind: CauseKind) -> bool {
    matches!(
        kind,
        CauseKind::Variable
            | CauseKind::Write
            | CauseKind::Return
            | CauseKind::Call
            | CauseKind::Unrecorded
            | CauseKind::Branch
            | CauseKind::Throw
    )
}

/// `price` is meant by `price`, `this.price` and `<Line:2>.price`.
fn is_meant(name: &str, asked: &str) -> bool {
    name == asked || name.strip_suffix(asked).is_some_and(|rest| rest.ends_with('.'))
}
