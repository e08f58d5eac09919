//! Every step of a run that fails, compared with a run that does not, with names for what is wrong.

use crate::causes::{Cause, CauseKind, Ingredient, StepPlace};
use crate::compared::value_name;
use crate::diff::DiffError;
use crate::session::Session;
use std::ops::RangeInclusive;
use whydunit_alignment::{Filters, Pair, Part, Report, Run, Side, What, WrongValue};
use whydunit_replay::index::Spot;
use whydunit_replay::program::MethodIndex;
use whydunit_slices::Place as HeapPlace;
use whydunit_trace::{ObjectId, ThreadId};

#[derive(Debug)]
pub struct Verdicts<'s> {
    sessions: Pair<&'s Session>,
    verdicts: whydunit_alignment::Verdicts,
}

/// What is to be said of a step.
#[derive(Clone, Debug, PartialEq)]
pub struct StepVerdict {
    /// The corresponding step of [`Verdicts::partner`]. A step that has none is on a wrong path.
    pub partner: Option<u64>,
    /// In the order of execution.
    pub wrong: Vec<WrongView>,
}

/// A value that is not the one of the other run.
#[derive(Clone, Debug, PartialEq)]
pub struct WrongView {
    /// `total`, `Cart.total`, `argument 1 of List.add()`.
    pub name: String,
    /// In words.
    pub expected: String,
    pub found: String,
    pub value: WrongValue,
}

impl<'s> Verdicts<'s> {
    /// Compares a run, the right one, with a run that is as it should be. Values that are read are compared only if
    /// that is asked for.
    pub fn new(
        sessions: Pair<&'s Session>,
        filters: &Filters,
        has_reads: bool,
        progress: &dyn Fn(u64),
    ) -> Result<Verdicts<'s>, DiffError> {
        let runs = sessions.map(|session| Run { program: session.program(), objects: session.objects() });
        let verdicts = whydunit_alignment::Verdicts::new(runs, filters, has_reads, progress)?;
        Ok(Verdicts { sessions, verdicts })
    }

    pub fn report(&self) -> &Report {
        self.verdicts.report()
    }

    /// The thread of the other run that a thread was compared with.
    pub fn partner(&self, thread: ThreadId) -> Option<ThreadId> {
        self.verdicts.partner(thread)
    }

    /// The verdict on a step, whose method gives values their names.
    pub fn of(&self, place: &StepPlace) -> StepVerdict {
        let verdict = self.verdicts.of(place.thread, place.step);
        let wrong = verdict.wrong.into_iter().map(|value| self.view(place.method, value));
        StepVerdict { partner: verdict.partner, wrong: wrong.collect() }
    }

    /// Values of a thread that are not those of the other run, with their steps.
    pub fn wrong(&self, thread: ThreadId) -> impl Iterator<Item = (u64, &WrongValue)> {
        self.verdicts.wrong(thread)
    }

    /// The steps of a thread that are on a wrong path. `steps` is how many it has.
    pub fn apart(&self, thread: ThreadId, steps: u64) -> Vec<RangeInclusive<u64>> {
        self.verdicts.apart(thread, steps)
    }

    /// Whether something that a step does, one of its effects or the source of an ingredient, is not as in the other run.
    pub fn of_cause(&self, cause: &Cause) -> Option<WrongValue> {
        let is_meant = |wrong: &WrongValue| {
            let is_kind = match (&wrong.what, cause.kind) {
                (What::Argument { number }, CauseKind::Argument | CauseKind::Put) => {
                    self.slot_of(cause, *number) == cause.slot
                }
                (What::Argument { .. } | What::Parameter { .. }, _) | (_, CauseKind::Argument | CauseKind::Put) => {
                    false
                }
                _ => true,
            };
            wrong.pc == cause.pc && !wrong.is_read && is_kind
        };
        self.verdicts.of(cause.place.thread, cause.place.step).wrong.into_iter().find(is_meant)
    }

    /// Whether something that a step reads is not as in the other run. Needs reads to be compared. What came on the
    /// operand stack from another step is looked for there.
    pub fn of_ingredient(&self, place: &StepPlace, ingredient: &Ingredient) -> Option<WrongValue> {
        let is_result = |cause: &Cause| cause.kind == CauseKind::Return;
        let is_meant = |wrong: &WrongValue| match (wrong.is_read, &wrong.what, ingredient.slot) {
            (true, What::Local { slot }, Some(own)) => *slot == own,
            (true, What::Result, None) => {
                ingredient.source.as_ref().is_ok_and(is_result) && Some(wrong.found) == ingredient.value
            }
            (_, What::Field(_) | What::Element { .. } | What::Result, None) => wrong.pc == ingredient.pc,
            _ => false,
        };
        let own = self.verdicts.of(place.thread, place.step).wrong.into_iter().find(is_meant);
        let elsewhere = ingredient.source.as_ref().ok();
        own.or_else(|| self.of_cause(elsewhere?).filter(|wrong| Some(wrong.found) == ingredient.value))
    }

    /// Whether an object holds something else than it should after a step of a thread.
    pub fn is_spoilt(&self, thread: ThreadId, step: u64, object: ObjectId) -> bool {
        self.verdicts.is_spoilt(thread, step, object)
    }

    /// The same of a part of an object; what unrecorded code keeps there is one part.
    pub fn is_part_spoilt(&self, thread: ThreadId, step: u64, place: HeapPlace) -> bool {
        let Pair { left, right } = self.sessions.map(Session::program);
        let (object, part) = match place {
            HeapPlace::Field(object, field) => match right.field(field) {
                Some(field) => (object, Part::Field(left.field_number(field))),
                None => return false,
            },
            HeapPlace::Element(array, index) => (array, Part::Element(index as u32)),
            HeapPlace::Content(object) | HeapPlace::Item(object, _) | HeapPlace::Entry(object, ..) => {
                (object, Part::Content)
            }
            HeapPlace::Static(_) | HeapPlace::Captured(_) => return false,
        };
        self.verdicts.is_part_spoilt(thread, step, object, part)
    }

    /// The same of a field or an element.
    pub fn is_spot_spoilt(&self, thread: ThreadId, step: u64, spot: &Spot) -> bool {
        let left = self.sessions.left.program();
        match spot {
            Spot::Field(object, field) => {
                let part = Part::Field(left.field_number(field.clone()));
                self.verdicts.is_part_spoilt(thread, step, *object, part)
            }
            Spot::Element(array, index) => {
                self.verdicts.is_part_spoilt(thread, step, *array, Part::Element(*index as u32))
            }
            Spot::Static(_) => false,
        }
    }

    /// The slot of an argument of the call that a cause is.
    fn slot_of(&self, cause: &Cause, number: u16) -> Option<u16> {
        let code = self.sessions.right.program().code(cause.place.method).ok()?;
        let arguments = &code.call_at(cause.pc)?.arguments;
        Some(arguments.iter().take(usize::from(number)).map(|kind| kind.slots()).sum())
    }

    fn view(&self, method: MethodIndex, value: WrongValue) -> WrongView {
        let code = self.sessions.right.program().code(method).ok();
        WrongView {
            name: value_name(&value.what, code, value.pc),
            expected: self.sessions[Side::Left].words(value.expected),
            found: self.sessions[Side::Right].words(value.found),
            value,
        }
    }
}
