//! What the fields of an object, or the elements of an array, held at a step, as far as recorded code has met them.

use super::ThreadIndex;
use super::query::Query;
use crate::error::ReplayError;
use crate::interpreter::{At, ElementAccess, Entry, FieldAccess, Interruption, Observer, ThreadReplay};
use crate::objects::ObjectTable;
use crate::program::{Field, Program};
use crate::steps::StepCounter;
use crate::value::Value;
use rustc_hash::FxHashMap;
use whydunit_trace::{LogKind, ObjectId};

/// A part of an object that has a value.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Part {
    Field(Field),
    Element(i32),
}

/// What a part held, and how that is known.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Held {
    pub value: Value,
    /// The thread's step at which it was written or read.
    pub step: u64,
    pub from: Evidence,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Evidence {
    /// It was written before, and not again.
    Written,
    /// It was read before.
    Read,
    /// It was read later, and not written in between.
    ReadLater,
}

/// Segments before a step in which reads are looked for.
const NEAR: usize = 8;

impl ThreadIndex {
    /// What parts of an object held at the start of a step, by what this thread did. Writes are looked for in the
    /// `most` segments before the step, reads in the nearest and in those that are looked at for the writes.
    pub fn contents_at(
        &self,
        program: &Program,
        objects: &ObjectTable,
        object: ObjectId,
        parts: &[Part],
        step: u64,
        most: usize,
    ) -> Result<Vec<Option<Held>>, ReplayError> {
        let mut held: Vec<Option<Held>> = vec![None; parts.len()];
        let end = self.directory.segments.partition_point(|segment| segment.steps < step);
        let mut later: Vec<Option<Held>> = vec![None; parts.len()];
        for index in (0..end).rev().take(most.max(1)) {
            let is_first = index + 1 == end;
            if held.iter().all(Option::is_some) {
                break;
            }
            if !(is_first || end - index <= NEAR && self.may_come_up(index, object)?) {
                let mut may_be_there = false;
                for (part, _) in parts.iter().zip(&held).filter(|(_, held)| held.is_none()) {
                    may_be_there = may_be_there || self.may_contain(index, &query(object, part))?;
                }
                if !may_be_there {
                    continue;
                }
            }
            let meetings = self.meetings_with(program, objects, object, index, step)?;
            for ((part, held), later) in parts.iter().zip(&mut held).zip(&mut later) {
                let Some(meeting) = meetings.get(part) else { continue };
                *held = held.or(meeting.before);
                if is_first {
                    *later = meeting.after;
                }
            }
        }
        Ok(held.into_iter().zip(later).map(|(held, later)| held.or(later)).collect())
    }

    fn meetings_with(
        &self,
        program: &Program,
        objects: &ObjectTable,
        object: ObjectId,
        index: usize,
        step: u64,
    ) -> Result<FxHashMap<Part, Meetings>, ReplayError> {
        let checkpoint = self.checkpoint(index)?;
        let mut replay = ThreadReplay::from_snapshot(program, objects, self.thread, &checkpoint.replay)?;
        let mut observer = Contents {
            object: u64::from(object.0),
            step,
            steps: checkpoint.steps,
            fields: FxHashMap::default(),
            elements: FxHashMap::default(),
        };
        match replay.run(&mut observer, self.end_of(index)) {
            // The index ends there, too.
            Ok(_) | Err(ReplayError::Divergence(_)) => {}
            Err(error) => return Err(error),
        }
        let class = objects.class(object).ok().flatten().and_then(|class| program.classes().get(class));
        let element = class.and_then(|class| class.name.strip_prefix('['));
        let fields = observer.fields.into_iter().filter_map(|(number, raw)| {
            let field = program.field(number)?;
            let meetings = raw.with_type(Some(&field.descriptor));
            Some((Part::Field(field), meetings))
        });
        let elements = observer.elements.into_iter().map(|(index, raw)| (Part::Element(index), raw.with_type(element)));
        Ok(fields.chain(elements).collect())
    }
}

fn query(object: ObjectId, part: &Part) -> Query {
    match part {
        Part::Field(field) => Query::ObjectField { object, field: field.clone() },
        Part::Element(index) => Query::Element { array: object, index: *index },
    }
}

/// The last time before the step and the first time from it on.
struct Meetings {
    before: Option<Held>,
    after: Option<Held>,
}

#[derive(Clone, Copy, Default)]
struct Raw {
    before: Option<RawHeld>,
    after: Option<RawHeld>,
    is_written_after: bool,
}

#[derive(Clone, Copy)]
struct RawHeld {
    kind: LogKind,
    bits: u64,
    step: u64,
    from: Evidence,
}

impl Raw {
    fn with_type(self, descriptor: Option<&str>) -> Meetings {
        let held = |raw: RawHeld| {
            let value = Value::of(raw.kind, raw.bits, descriptor);
            Held { value, step: raw.step, from: raw.from }
        };
        Meetings { before: self.before.map(held), after: self.after.map(held) }
    }

    fn met(&mut self, held: RawHeld, is_before: bool) {
        match (is_before, held.from) {
            (true, _) => self.before = Some(held),
            (false, Evidence::Written) => self.is_written_after = true,
            (false, _) if !self.is_written_after && self.after.is_none() => {
                self.after = Some(RawHeld { from: Evidence::ReadLater, ..held });
            }
            (false, _) => {}
        }
    }
}

struct Contents {
    object: u64,
    step: u64,
    steps: StepCounter,
    fields: FxHashMap<u32, Raw>,
    elements: FxHashMap<i32, Raw>,
}

impl Contents {
    fn field(&mut self, at: At<'_>, access: FieldAccess, from: Evidence) {
        if access.object == self.object && !access.is_static {
            let held = RawHeld { kind: access.kind, bits: access.bits, step: self.steps.current(at.depth), from };
            let is_before = self.steps.steps() < self.step;
            self.fields.entry(access.field).or_default().met(held, is_before);
        }
    }

    fn element(&mut self, at: At<'_>, access: ElementAccess, from: Evidence) {
        if access.array == self.object {
            let held = RawHeld { kind: access.kind, bits: access.bits, step: self.steps.current(at.depth), from };
            let is_before = self.steps.steps() < self.step;
            self.elements.entry(access.index).or_default().met(held, is_before);
        }
    }
}

impl Observer for Contents {
    #[inline]
    fn entered(&mut self, at: At<'_>, _arguments: &[u64], _entry: Entry) {
        self.steps.entered(at.depth);
    }

    #[inline]
    fn interruption(&mut self, at: At<'_>) -> Option<Interruption> {
        self.steps.instruction(at);
        None
    }

    #[inline]
    fn field_read(&mut self, at: At<'_>, access: FieldAccess) {
        self.field(at, access, Evidence::Read);
    }

    #[inline]
    fn field_written(&mut self, at: At<'_>, access: FieldAccess) {
        self.field(at, access, Evidence::Written);
    }

    #[inline]
    fn element_read(&mut self, at: At<'_>, access: ElementAccess) {
        self.element(at, access, Evidence::Read);
    }

    #[inline]
    fn element_written(&mut self, at: At<'_>, access: ElementAccess) {
        self.element(at, access, Evidence::Written);
    }
}
