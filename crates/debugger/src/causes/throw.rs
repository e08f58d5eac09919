//! Exceptions: where they were thrown, and the values that made that happen.

use super::ingredients::Of;
use super::{Cause, CauseKind, Causes, Ingredient, StepPlace};
use crate::session::{Session, SessionError};
use crate::state::Moments;
use whydunit_replay::Value;
use whydunit_replay::events::EventKind;
use whydunit_replay::index::{Hit, Query};
use whydunit_replay::naming::Shown;
use whydunit_replay::program::CallKind;
use whydunit_slices::{Executed, Place, Role, Unknown};
use whydunit_trace::{ObjectId, ThreadId};

/// An exception that a step throws.
#[derive(Clone, Debug, PartialEq)]
pub struct Throw {
    /// `None` when the log does not tell.
    pub exception: Option<Value>,
    pub cause: Cause,
    /// What the instruction that threw was given: a null, an index and an array, arguments. For a `throw` it is what
    /// the step reads, for an unrecorded call without arguments what the last call-backs have returned to it.
    pub given: Vec<Ingredient>,
    /// What a method was to be called on and was null, as the source writes it.
    pub null_receiver: Option<String>,
    /// What the task of a future has thrown that was waited for, and where.
    pub by_task: Option<(StepPlace, Value)>,
}

impl Throw {
    /// Whether the source says `throw`.
    pub fn is_statement(&self) -> bool {
        self.cause.kind == CauseKind::Throw
    }

    /// Whether it came out of code that is not recorded.
    pub fn is_by_call(&self) -> bool {
        self.cause.kind == CauseKind::Unrecorded
    }
}

/// Variables, fields and calls through which an object is followed to the call that gave it out.
const MOST_MOVES: usize = 32;

/// What call-backs returned last says more than what they returned first.
const MOST_RETURNED: usize = 3;

impl Causes<'_> {
    /// The last instruction of a step that throws.
    pub(super) fn throw_among(&self, executed: &[Executed]) -> Result<Option<Throw>, SessionError> {
        for &one in executed.iter().rev() {
            let named = self.named(one)?;
            if !named.has_thrown {
                continue;
            }
            let cause = named.into_cause(one);
            let is_statement = cause.kind == CauseKind::Throw;
            let mut given =
                if is_statement { self.ingredients_of(executed, Of::Results)? } else { self.given_to(one)? };
            if given.is_empty() && cause.kind == CauseKind::Unrecorded {
                given = self.returned_to(one)?;
                given.drain(..given.len().saturating_sub(MOST_RETURNED));
            }
            let StepPlace { thread, step, .. } = cause.place;
            let hit = match self.moments.thread_index(thread) {
                Some(index) => {
                    let is_it = |hit: &Hit| hit.step == step && hit.pc == cause.pc;
                    let (program, objects) = (self.session.program(), self.session.objects());
                    let last = self.last_of_step(&cause)?;
                    index.last_in(program, objects, &Query::Thrown, step..=last, &is_it)?
                }
                None => None,
            };
            let exception = hit.and_then(|hit| hit.value);
            let is_of = |names: &[&str]| exception.is_none_or(|exception| self.is_of_class(exception, names));
            let is_of_null = given.is_empty() && is_of(&["java/lang/NullPointerException"]);
            let by_task = self.thrown_by_task(one)?;
            let null_receiver = if is_of_null { self.receiver(&cause) } else { None };
            if given.is_empty() && null_receiver.is_none() && !is_statement {
                given = self.made_for(one)?;
            }
            return Ok(Some(Throw { exception, cause, given, null_receiver, by_task }));
        }
        Ok(None)
    }

    /// What an instruction was given, each object once. What stands in the source is not told, nor who made an
    /// object that nobody has changed.
    fn given_to(&self, executed: Executed) -> Result<Vec<Ingredient>, SessionError> {
        let mut given: Vec<Ingredient> = Vec::new();
        for one in self.ingredients_of(&[executed], Of::Arguments)? {
            let says_nothing = match &one.source {
                Ok(source) => source.kind == CauseKind::Constant,
                Err(Unknown::NotWritten(Place::Content(_))) => one.value.is_none(),
                Err(_) => false,
            };
            let is_same_object =
                |known: &Ingredient| matches!(one.value, Some(Value::Ref(_))) && known.value == one.value;
            let place = match &one.source {
                Ok(source) => self.dependences.describe(source.executed)?.and_then(|found| found.place),
                Err(_) => None,
            };
            // `builder.named(text)` gives back the builder, and changes it.
            let is_change_of = |known: &Ingredient| match (known.value, place) {
                (Some(Value::Ref(object)), Some(Place::Content(changed))) => {
                    object == changed && same_step(&known.source, &one.source)
                }
                _ => false,
            };
            if !says_nothing && !given.iter().any(|known| is_same_object(known) || is_change_of(known)) {
                given.push(one);
            }
        }
        Ok(given)
    }

    /// What an instruction was given by its own step, of which all else stands in the source.
    fn made_for(&self, executed: Executed) -> Result<Vec<Ingredient>, SessionError> {
        let named = self.named(executed)?;
        let mut made: Vec<Ingredient> = Vec::new();
        for (role, found) in self.inputs_by(executed, &named, Of::Arguments)? {
            let Ok(source) = found else { continue };
            let cause = self.cause(source)?;
            let is_known = |known: &Ingredient| known.name == cause.what && known.value == cause.value;
            if cause.kind != CauseKind::Constant && cause.value.is_some() && !made.iter().any(is_known) {
                made.push(Ingredient::new(cause.what.clone(), cause.value, role, named.pc, Ok(cause)));
            }
        }
        Ok(made)
    }

    fn thrown_by_task(&self, waited: Executed) -> Result<Option<(StepPlace, Value)>, SessionError> {
        let Some((thread, departure)) = self.dependences.thrown_to_future(waited)? else { return Ok(None) };
        let Some(index) = self.moments.thread_index(thread) else { return Ok(None) };
        let exception = departure.exception();
        let first = self.session.first_throw(index, departure.entered..=departure.left, exception)?;
        Ok(first.map(|Hit { step, method, line, .. }| (StepPlace { thread, step, method, line }, exception)))
    }

    fn is_of_class(&self, object: Value, names: &[&str]) -> bool {
        let Value::Ref(object) = object else { return false };
        let class = self.session.objects().class(object).ok().flatten();
        let class = class.and_then(|class| self.session.program().classes().get(class));
        class.is_some_and(|class| names.contains(&&*class.name))
    }

    /// What an object of an unrecorded class was made of: what the unrecorded call was given that gave it out, wherever
    /// it was put since. Nothing for all other values.
    pub fn given_for(&self, ingredient: &Ingredient) -> Result<Vec<Ingredient>, SessionError> {
        let is_opaque = |value: Value| matches!(value, Value::Ref(object) if self.session.is_opaque(object));
        let mut next = ingredient.clone();
        for _ in 0..MOST_MOVES {
            let Some(source) = next.source.as_ref().ok().filter(|_| next.value.is_some_and(is_opaque)) else { break };
            let mut given = self.given_to(source.executed)?;
            if given.iter().all(|one| one.role == Role::Address) {
                given.iter_mut().for_each(|one| one.role = Role::Value);
            }
            given.retain(|one| one.role == Role::Value);
            match &given[..] {
                [moved] if moved.value == next.value => next = moved.clone(),
                _ => return Ok(given),
            }
        }
        Ok(Vec::new())
    }

    /// The text that an exception was made with, which is its message, as the step shows that throws it.
    pub fn message(&self, step: u64, exception: Value) -> Result<Option<String>, SessionError> {
        let Value::Ref(exception) = exception else { return Ok(None) };
        for executed in self.dependences.of_step(self.thread, step)?.into_iter().rev() {
            if !self.dependences.describe(executed)?.is_some_and(|found| found.has_thrown) {
                continue;
            }
            let given = self.dependences.given_to_thrown(executed, exception)?;
            let is_text = |object: &&ObjectId| matches!(self.session.shown(**object), Shown::Text { .. });
            return Ok(given.iter().find(is_text).map(|&text| self.session.words(Value::Ref(text))));
        }
        Ok(None)
    }

    /// The object that an instruction calls a method on. A call on null is given nothing.
    fn receiver(&self, cause: &Cause) -> Option<String> {
        let code = self.session.program().code(cause.place.method).ok()?;
        let call = code.call_at(cause.pc).filter(|call| call.kind == CallKind::Virtual)?;
        self.session.operand_expression(code, cause.pc, usize::from(call.argument_slots))
    }

    /// The last step of the thread that belongs to the step of a cause, by what that calls.
    fn last_of_step(&self, cause: &Cause) -> Result<u64, SessionError> {
        let StepPlace { thread, step, .. } = cause.place;
        let Some(found) = self.dependences.describe(cause.executed)? else { return Ok(step) };
        let events = self.session.events_of_step(self.moments, thread, step, found.frame.depth)?;
        Ok(events.last().map_or(step, |event| event.latest))
    }
}

fn same_step(one: &Result<Cause, Unknown>, other: &Result<Cause, Unknown>) -> bool {
    matches!((one, other), (Ok(one), Ok(other)) if one.place.is_same_step(&other.place))
}

impl Session {
    /// Whether nothing can be shown of an object: it is neither of a recorded class nor a text, number, array or class.
    fn is_opaque(&self, object: ObjectId) -> bool {
        let class = self.objects().class(object).ok().flatten().and_then(|class| self.program().classes().get(class));
        let is_unrecorded = class.is_some_and(|class| class.definition.is_none() && !class.name.starts_with('['));
        is_unrecorded && matches!(self.shown(object), Shown::Object { .. })
    }

    /// An exception and its message: `<IllegalStateException:1> "empty"`.
    pub fn words_of_exception(
        &self,
        moments: &Moments,
        (thread, step): (ThreadId, u64),
        exception: Value,
    ) -> Result<String, SessionError> {
        let causes = self.causes(moments, thread);
        let message = causes.map_or(Ok(None), |causes| causes.message(step, exception))?;
        let words = self.words(exception);
        Ok(message.map_or_else(|| words.clone(), |message| format!("{words} {message}")))
    }

    /// Where the exception was first thrown that ends a step of a thread, if one does.
    pub fn exception_in(
        &self,
        moments: &Moments,
        thread: ThreadId,
        step: u64,
    ) -> Result<Option<(StepPlace, Value)>, SessionError> {
        let (Some(index), Some(state)) = (moments.thread_index(thread), self.state(moments, thread, step)?) else {
            return Ok(None);
        };
        let depth = state.frames.len().saturating_sub(1) as u32;
        let events = self.events_of_step(moments, thread, step, depth)?;
        let thrown = events.iter().rev().find_map(|event| match event.kind {
            EventKind::Unwind { exception } | EventKind::Catch { exception } if event.depth == depth => {
                Some((exception, event.latest))
            }
            _ => None,
        });
        let Some((exception, latest)) = thrown.filter(|(exception, _)| *exception != Value::Null) else {
            return Ok(None);
        };
        let first = self.first_throw(index, step..=latest, exception)?;
        Ok(first.map(|Hit { step, method, line, .. }| (StepPlace { thread, step, method, line }, exception)))
    }

    /// The last exception of a type, or with a name such as `<IllegalStateException:1>`, and where it was first thrown.
    pub fn last_exception(
        &self,
        moments: &Moments,
        asked: &str,
    ) -> Result<Result<Option<(StepPlace, Value)>, crate::UnknownName>, SessionError> {
        let is_object = asked.starts_with('<');
        let object = match is_object.then(|| self.find_object(asked)).transpose() {
            Ok(object) => object,
            Err(unknown) => return Ok(Err(unknown)),
        };
        if let Err(unknown) = if is_object { Ok(asked.to_owned()) } else { self.find_type(asked) } {
            return Ok(Err(unknown));
        }
        let classes = self.classes_below(asked);
        let is_asked = |value: Option<Value>| match (value, object) {
            (Some(Value::Ref(thrown)), Some(object)) => thrown == object,
            (Some(Value::Ref(thrown)), None) => {
                self.objects().class(thrown).ok().flatten().is_some_and(|class| classes.contains(&class.0))
            }
            _ => false,
        };
        let mut last: Option<(u64, StepPlace, Value)> = None;
        for index in moments.indexes() {
            let (thread, steps) = (index.thread(), 1..=index.steps());
            let is_it = |hit: &Hit| is_asked(hit.value);
            let hit = index.last_in(self.program(), self.objects(), &Query::Thrown, steps, &is_it)?;
            let Some((hit, exception)) = hit.and_then(|hit| Some((hit.clone(), hit.value?))) else { continue };
            let first = self.first_throw(index, 1..=hit.latest, exception)?.unwrap_or(hit);
            let number = moments.global_step(thread, first.step)?.unwrap_or(first.step);
            if last.as_ref().is_none_or(|(known, ..)| number > *known) {
                let place = StepPlace { thread, step: first.step, method: first.method, line: first.line };
                last = Some((number, place, exception));
            }
        }
        Ok(Ok(last.map(|(_, place, exception)| (place, exception))))
    }
}
