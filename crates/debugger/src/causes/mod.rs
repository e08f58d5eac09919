//! Where values come from and what decided that a step ran.

mod decided;
mod ingredients;
mod names;
mod not;
mod slice;
mod throw;
mod variables;

pub use decided::Decided;
pub use not::{CodeLine, LeftBy, NotRun, Operand};
pub use slice::{SliceLine, SliceView};
pub use throw::Throw;
pub use variables::{Behind, UnknownVariable};

use crate::session::{Session, SessionError};
use crate::state::Moments;
use ingredients::Of;
use whydunit_replay::Value;
use whydunit_replay::program::{MethodIndex, Pc};
use whydunit_slices::{Dependences, Executed, Found, Role, Unknown};
use whydunit_trace::ThreadId;

/// Questions about the values of a thread, wherever they come from.
#[derive(Debug)]
pub struct Causes<'s> {
    session: &'s Session,
    moments: &'s Moments,
    thread: ThreadId,
    dependences: Dependences<'s>,
    /// Of what a step reads from an object or array: also where it has that from.
    tells_objects: bool,
    /// Of what a step finds in a collection: all calls that may have put it there.
    tells_putters: bool,
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
    /// An object becomes the `this` of a call.
    Receiver,
    /// Unrecorded code is given something to keep.
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
    /// A position or key, or part of it: which element of something is read.
    pub is_position: bool,
    pub source: Result<Cause, Unknown>,
    /// It is certain that the source has put it at the position or under the key that it was asked for, or has given it
    /// back as the task that was waited for.
    pub is_by_key: bool,
    /// Other calls that may have put the same object there: it is not known which one is meant. The latest first, if that was
    /// asked for.
    pub others: Vec<Cause>,
    /// There may be more of these, which were not looked for.
    pub has_more_others: bool,
    /// It comes from a list or array whose elements this has given another order since.
    pub rearranged_by: Option<Cause>,
    /// The instruction of the step that reads it from a field or an element, or takes what another step made.
    pub pc: Pc,
    /// The local variable of the step's frame that it was in, if it came that way.
    pub slot: Option<u16>,
}

impl Ingredient {
    pub(crate) fn new(
        name: String,
        value: Option<Value>,
        role: Role,
        pc: Pc,
        source: Result<Cause, Unknown>,
    ) -> Ingredient {
        Ingredient {
            name,
            value,
            role,
            is_position: false,
            source,
            is_by_key: false,
            others: Vec::new(),
            has_more_others: false,
            rearranged_by: None,
            pc,
            slot: None,
        }
    }

    /// It is not known which of several calls has put it there.
    pub fn is_one_of_several(&self) -> bool {
        !self.others.is_empty()
    }

    /// A field or element has what it had when its object was made: the source has made the object, and nobody has written
    /// there since.
    pub fn is_default(&self) -> bool {
        self.source.as_ref().is_ok_and(|source| source.kind == CauseKind::New && source.value != self.value)
    }
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
    /// The exception that it throws.
    pub threw: Option<Throw>,
}

impl Session {
    /// `None` when there is no such thread.
    pub fn causes<'s>(&'s self, moments: &'s Moments, thread: ThreadId) -> Option<Causes<'s>> {
        moments.thread_index(thread)?;
        let dependences = Dependences::new(self.program(), self.objects(), self.flows(), moments.indexes());
        Some(Causes { session: self, moments, thread, dependences, tells_objects: false, tells_putters: false })
    }
}

impl<'s> Causes<'s> {
    /// Ingredients tell, too, which object or array something was read from.
    #[must_use]
    pub fn telling_objects(self, tells_objects: bool) -> Causes<'s> {
        Causes { tells_objects, ..self }
    }

    /// With all calls that may have put something where a step finds it, which takes a look at more of the run.
    #[must_use]
    pub fn telling_putters(self) -> Causes<'s> {
        Causes { tells_putters: true, ..self }
    }

    pub(crate) fn session(&self) -> &'s Session {
        self.session
    }

    pub(crate) fn moments(&self) -> &'s Moments {
        self.moments
    }

    pub(crate) fn dependences(&self) -> &Dependences<'s> {
        &self.dependences
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
        let decided_by = self.decider(first)?;
        let threw = self.throw_among(&executed)?;
        let calls = if threw.as_ref().is_some_and(Throw::is_by_call) { Of::Arguments } else { Of::Results };
        let ingredients = self.ingredients_of(&executed, calls)?;
        Ok(Some(StepCauses { place: named.place, effects, ingredients, decided_by, threw }))
    }

    /// What a cause was made of, each thing once.
    pub fn ingredients(&self, cause: &Cause) -> Result<Vec<Ingredient>, SessionError> {
        let mut made_of = self.ingredients_of(&[cause.executed], Of::Results)?;
        if cause.kind == CauseKind::Receiver {
            made_of.iter_mut().for_each(|ingredient| ingredient.role = Role::Value);
        }
        Ok(made_of)
    }

    /// What decided that an instruction ran.
    pub fn decision(&self, cause: &Cause) -> Result<Result<Cause, Unknown>, SessionError> {
        self.decider(cause.executed)
    }

    /// A call of unrecorded code whose frame goes on elsewhere because of it has thrown.
    fn decider(&self, executed: Executed) -> Result<Result<Cause, Unknown>, SessionError> {
        let decided = self.cause_of(self.dependences.decision(executed)?)?;
        let Ok(mut cause) = decided else { return Ok(decided) };
        let frame = |executed| Ok::<_, SessionError>(self.dependences.describe(executed)?.map(|found| found.frame));
        let (own, other) = (frame(executed)?, frame(cause.executed)?);
        // What a call calls is above it; a handler is not.
        let is_above = own.zip(other).is_none_or(|(own, other)| own.depth > other.depth);
        if cause.kind == CauseKind::Unrecorded && !is_above && cause.executed.thread() == executed.thread() {
            cause.kind = CauseKind::Throw;
        }
        Ok(Ok(cause))
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

    pub(crate) fn cause(&self, executed: Executed) -> Result<Cause, SessionError> {
        Ok(self.named(executed)?.into_cause(executed))
    }

    pub(super) fn line_of(&self, method: MethodIndex, pc: Pc) -> Option<u32> {
        self.session.program().code(method).ok()?.line(pc)
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
