//! What the fields of an object, or the elements of an array, held at a step, as far as recorded code has met them.

use super::query::Query;
use super::{ThreadIndex, Until};
use crate::error::ReplayError;
use crate::interpreter::{At, ElementAccess, Entry, FieldAccess, Interruption, Observer, ThreadReplay, When};
use crate::objects::ObjectTable;
use crate::program::{Call, Field, Program};
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
    /// The step of the frame that wrote or read it.
    pub step: u64,
    /// The step of the thread, which is later when the frame has called others in its step.
    pub latest: u64,
    /// Number of the instruction in its thread.
    pub number: u64,
    pub from: Evidence,
}

/// What a thread tells of a part around a step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct HeldAround {
    /// When it was last written or read before.
    pub before: Option<Held>,
    /// When it was first read from the step on, if this thread did not write it until then.
    pub later: Option<Held>,
    /// The thread ran no unrecorded code between the last time and the step.
    pub is_quiet_before: bool,
    /// The thread ran no unrecorded code between the step and the first time.
    pub is_quiet_until: bool,
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
const NEAR: usize = 25;

impl ThreadIndex {
    /// What parts of an object held then, by what this thread did until then and afterwards. Writes are looked for in the
    /// `most` segments before, reads in the nearest and in those that are looked at for the writes.
    pub fn contents_at(
        &self,
        program: &Program,
        objects: &ObjectTable,
        object: ObjectId,
        parts: &[Part],
        until: Until,
        most: usize,
    ) -> Result<Vec<HeldAround>, ReplayError> {
        let mut held: Vec<HeldAround> = vec![HeldAround::default(); parts.len()];
        let end = self.segments_until(until).end;
        for index in (0..end).rev().take(most.max(1)) {
            let is_first = index + 1 == end;
            if held.iter().all(|held| held.before.is_some()) {
                break;
            }
            if !(is_first || end - index <= NEAR && self.may_come_up(index, object)?) {
                let mut may_be_there = false;
                for (part, _) in parts.iter().zip(&held).filter(|(_, held)| held.before.is_none()) {
                    may_be_there = may_be_there || self.may_contain(index, &query(object, part))?;
                }
                if !may_be_there {
                    continue;
                }
            }
            let meetings = self.meetings_with(program, objects, object, index, until)?;
            for (part, held) in parts.iter().zip(&mut held) {
                match meetings.get(part) {
                    Some(found) if is_first => *held = *found,
                    Some(found) => held.before = held.before.or(found.before),
                    None => {}
                }
            }
        }
        Ok(held)
    }

    fn meetings_with(
        &self,
        program: &Program,
        objects: &ObjectTable,
        object: ObjectId,
        index: usize,
        until: Until,
    ) -> Result<FxHashMap<Part, HeldAround>, ReplayError> {
        let checkpoint = self.checkpoint(index)?;
        let mut replay = ThreadReplay::from_snapshot(program, objects, self.thread, &checkpoint.replay)?;
        let mut observer = Contents {
            object: u64::from(object.0),
            until,
            steps: checkpoint.steps,
            sequence: self.segment(index)?.sequence,
            fields: FxHashMap::default(),
            elements: FxHashMap::default(),
            outside: Outside::default(),
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
            let held = raw.with_type(Some(&field.descriptor), observer.outside);
            Some((Part::Field(field), held))
        });
        let elements = observer.elements.into_iter();
        let elements = elements.map(|(index, raw)| (Part::Element(index), raw.with_type(element, observer.outside)));
        Ok(fields.chain(elements).collect())
    }
}

fn query(object: ObjectId, part: &Part) -> Query {
    match part {
        Part::Field(field) => Query::ObjectField { object, field: field.clone() },
        Part::Element(index) => Query::Element { array: object, index: *index },
    }
}

/// Instructions after which unrecorded code ran: the last one before the step, and the first one from it on.
#[derive(Clone, Copy, Default)]
struct Outside {
    before: u64,
    after: Option<u64>,
}

/// The last time before the step and the first time from it on.
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
    latest: u64,
    number: u64,
    from: Evidence,
}

impl Raw {
    fn with_type(self, descriptor: Option<&str>, outside: Outside) -> HeldAround {
        let held = |raw: RawHeld| {
            let RawHeld { kind, bits, step, latest, number, from } = raw;
            Held { value: Value::of(kind, bits, descriptor), step, latest, number, from }
        };
        HeldAround {
            before: self.before.map(held),
            later: self.after.map(held),
            is_quiet_before: self.before.is_some_and(|before| outside.before < before.number),
            is_quiet_until: self.after.is_some_and(|later| outside.after.is_none_or(|after| after >= later.number)),
        }
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
    until: Until,
    steps: StepCounter,
    sequence: u64,
    fields: FxHashMap<u32, Raw>,
    elements: FxHashMap<i32, Raw>,
    outside: Outside,
}

impl Contents {
    fn held(&self, at: At<'_>, (kind, bits): (LogKind, u64), from: Evidence) -> RawHeld {
        let (step, latest) = (self.steps.current(at.depth), self.steps.steps());
        RawHeld { kind, bits, step, latest, number: at.number, from }
    }

    fn is_before(&self) -> bool {
        self.steps.steps() < self.until.step && self.sequence < self.until.sequence
    }

    /// Unrecorded code ran, or is about to.
    fn leaves(&mut self, at: At<'_>) {
        if self.is_before() {
            self.outside.before = at.number;
        } else {
            self.outside.after.get_or_insert(at.number);
        }
    }

    fn field(&mut self, at: At<'_>, access: FieldAccess, from: Evidence) {
        if access.object == self.object && !access.is_static {
            let held = self.held(at, (access.kind, access.bits), from);
            let is_before = self.is_before();
            self.fields.entry(access.field).or_default().met(held, is_before);
        }
    }

    fn element(&mut self, at: At<'_>, access: ElementAccess, from: Evidence) {
        if access.array == self.object {
            let held = self.held(at, (access.kind, access.bits), from);
            let is_before = self.is_before();
            self.elements.entry(access.index).or_default().met(held, is_before);
        }
    }
}

impl Observer for Contents {
    #[inline]
    fn entered(&mut self, at: At<'_>, _arguments: &[u64], entry: Entry) {
        self.steps.entered(at.depth);
        if entry == Entry::CallBack {
            self.leaves(at);
        }
    }

    #[inline]
    fn interruption(&mut self, at: At<'_>) -> Option<Interruption> {
        self.steps.instruction(at);
        None
    }

    fn synchronised(&mut self, sequence: u64, _when: When) {
        self.sequence = sequence;
    }

    fn calling(&mut self, at: At<'_>, _call: &Call, _arguments: &[u64]) {
        self.leaves(at);
    }

    fn called(&mut self, at: At<'_>, _call: &Call, _bits: u64) {
        self.leaves(at);
    }

    fn caught(&mut self, at: At<'_>, _exception: u64) {
        self.leaves(at);
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
