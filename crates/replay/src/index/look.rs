//! States of a thread at some moments of one segment, and what the heap held there as far as the segment tells.

use super::ThreadIndex;
use crate::error::ReplayError;
use crate::interpreter::{
    At, ElementAccess, Entry, FieldAccess, Interruption, Observer, Progress, TEMPORARY, ThreadReplay,
};
use crate::objects::ObjectTable;
use crate::program::{Call, Field, Program};
use crate::state::{State, state_of};
use crate::steps::StepCounter;
use crate::value::Value;
use rustc_hash::FxHashMap;
use whydunit_trace::{LogKind, ObjectId};

/// The moment at which a look stops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// At the start of a step.
    Step(u64),
    /// Before an instruction.
    Instruction(u64),
}

/// What to look at.
pub struct Look<'l> {
    /// In the order of execution.
    pub stops: &'l [Stop],
    /// How many of the newest frames are wanted.
    pub frames: usize,
    /// The fields whose reads and writes are noted.
    pub fields: &'l dyn Fn(&Field) -> bool,
    /// Reads and writes of elements are noted.
    pub elements: bool,
}

impl std::fmt::Debug for Look<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Look { stops, frames, fields: _, elements } = self;
        f.debug_struct("Look")
            .field("stops", stops)
            .field("frames", frames)
            .field("elements", elements)
            .finish_non_exhaustive()
    }
}

#[derive(Debug, Default)]
pub struct Looked {
    /// One for each stop; `None` when the segment does not come to it.
    pub states: Vec<Option<State>>,
    pub accesses: Accesses,
}

/// A place in the heap.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Spot {
    Static(Field),
    Field(ObjectId, Field),
    Element(ObjectId, i32),
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HeapAccess {
    /// Of the instruction.
    pub number: u64,
    /// The step of the thread.
    pub latest: u64,
    /// The step of the frame.
    pub step: u64,
    pub value: Value,
    pub is_write: bool,
}

/// The reads and writes of a segment.
#[derive(Debug, Default)]
pub struct Accesses {
    by_spot: FxHashMap<Spot, Vec<HeapAccess>>,
    /// Instructions after which unrecorded code ran.
    outside: Vec<u64>,
}

impl Accesses {
    /// The last access before an instruction, and the first one from it on if that is a read.
    pub fn around(&self, spot: &Spot, number: u64) -> (Option<HeapAccess>, Option<HeapAccess>) {
        let all = self.by_spot.get(spot).map(Vec::as_slice).unwrap_or_default();
        let at = all.partition_point(|access| access.number < number);
        let before = at.checked_sub(1).and_then(|last| all.get(last)).copied();
        (before, all.get(at).copied().filter(|access| !access.is_write))
    }

    /// Whether the thread ran no unrecorded code from one instruction to another.
    pub fn is_quiet(&self, from: u64, to: u64) -> bool {
        let first = self.outside.partition_point(|&number| number < from);
        self.outside.get(first).is_none_or(|&number| number >= to)
    }
}

impl ThreadIndex {
    /// Replays one segment and stops where it is told.
    pub fn look(
        &self,
        program: &Program,
        objects: &ObjectTable,
        index: usize,
        look: &Look<'_>,
    ) -> Result<Looked, ReplayError> {
        let checkpoint = self.checkpoint(index)?;
        let mut replay = ThreadReplay::from_snapshot(program, objects, self.thread(), &checkpoint.replay)?;
        let mut looker = Looker {
            program,
            look,
            next: 0,
            steps: checkpoint.steps,
            is_counted: false,
            fields: FxHashMap::default(),
            raw: FxHashMap::default(),
            identities: FxHashMap::default(),
            outside: Vec::new(),
        };
        let mut states: Vec<Option<State>> = Vec::with_capacity(look.stops.len());
        let end = self.end_of(index);
        // An entry at the very end has its first step in the next segment.
        let mut limit = end;
        loop {
            match replay.run(&mut looker, limit) {
                Ok(Progress::Paused) if looker.is_counted => {
                    let stop = look.stops.get(looker.next);
                    let same = look.stops.iter().skip(looker.next).take_while(|next| Some(*next) == stop).count();
                    let state = state_of(&replay, &looker.steps, looker.steps.steps(), look.frames);
                    looker.next += same.max(1);
                    states.resize(looker.next, Some(state));
                }
                Ok(Progress::Paused) if looker.next < look.stops.len() && limit == end => limit = end.saturating_add(1),
                // The index ends there, too.
                Ok(_) | Err(ReplayError::Divergence(_)) => break,
                Err(error) => return Err(error),
            }
        }
        states.resize_with(look.stops.len(), || None);
        Ok(looker.finish(objects, states))
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum RawSpot {
    Static(u32),
    Field(u64, u32),
    Element(u64, i32),
}

#[derive(Clone, Copy)]
struct RawAccess {
    kind: LogKind,
    bits: u64,
    number: u64,
    latest: u64,
    step: u64,
    is_write: bool,
}

struct Looker<'l> {
    program: &'l Program,
    look: &'l Look<'l>,
    /// The stop that comes next.
    next: usize,
    steps: StepCounter,
    /// The next instruction was counted before.
    is_counted: bool,
    /// Fields by number: whether they are wanted.
    fields: FxHashMap<u32, bool>,
    raw: FxHashMap<RawSpot, Vec<RawAccess>>,
    identities: FxHashMap<u64, u64>,
    /// Rising.
    outside: Vec<u64>,
}

impl Looker<'_> {
    fn note(&mut self, at: At<'_>, spot: RawSpot, (kind, bits): (LogKind, u64), is_write: bool) {
        let (latest, step) = (self.steps.steps(), self.steps.current(at.depth));
        let access = RawAccess { kind, bits, number: at.number, latest, step, is_write };
        self.raw.entry(spot).or_default().push(access);
    }

    fn field(&mut self, at: At<'_>, access: FieldAccess, is_write: bool) {
        let (program, wanted) = (self.program, self.look.fields);
        let is_wanted = |number: u32| program.field(number).is_some_and(|field| wanted(&field));
        if *self.fields.entry(access.field).or_insert_with(|| is_wanted(access.field)) {
            let spot = match access.is_static {
                true => RawSpot::Static(access.field),
                false => RawSpot::Field(access.object, access.field),
            };
            self.note(at, spot, (access.kind, access.bits), is_write);
        }
    }

    fn element(&mut self, at: At<'_>, access: ElementAccess, is_write: bool) {
        if self.look.elements {
            self.note(at, RawSpot::Element(access.array, access.index), (access.kind, access.bits), is_write);
        }
    }

    fn identity(&self, reference: u64) -> u64 {
        self.identities.get(&reference).copied().unwrap_or(reference)
    }

    fn finish(self, objects: &ObjectTable, states: Vec<Option<State>>) -> Looked {
        let known = |value: Value| match value {
            Value::Fresh(number) => Value::reference(self.identity(TEMPORARY | u64::from(number))),
            value => value,
        };
        let states = states.into_iter().map(|state| {
            state.map(|mut state| {
                for frame in &mut state.frames {
                    frame.locals.iter_mut().for_each(|local| local.value = known(local.value));
                }
                state
            })
        });
        let mut by_spot: FxHashMap<Spot, Vec<HeapAccess>> = FxHashMap::default();
        for (&spot, accesses) in &self.raw {
            let object = |reference: u64| Some(self.identity(reference)).filter(|object| object & TEMPORARY == 0);
            let element_type = |array: u64| {
                let class = objects.class(ObjectId(array as u32)).ok().flatten();
                class.and_then(|class| self.program.classes().get(class))
            };
            let found = match spot {
                RawSpot::Static(number) => self.program.field(number).map(|field| {
                    let descriptor = field.descriptor.clone();
                    (Spot::Static(field), Some(descriptor))
                }),
                RawSpot::Field(of, number) => self.program.field(number).zip(object(of)).map(|(field, object)| {
                    let descriptor = field.descriptor.clone();
                    (Spot::Field(ObjectId(object as u32), field), Some(descriptor))
                }),
                RawSpot::Element(array, index) => object(array).map(|array| {
                    let element = element_type(array).and_then(|class| class.name.strip_prefix('['));
                    (Spot::Element(ObjectId(array as u32), index), element.map(Box::from))
                }),
            };
            let Some((spot, descriptor)) = found else { continue };
            let accesses = accesses.iter().map(|raw| {
                let bits = if raw.kind == LogKind::Reference { self.identity(raw.bits) } else { raw.bits };
                let value = Value::of(raw.kind, bits, descriptor.as_deref());
                HeapAccess { number: raw.number, latest: raw.latest, step: raw.step, value, is_write: raw.is_write }
            });
            let all = by_spot.entry(spot).or_default();
            all.extend(accesses);
            // Before and after the object got its id.
            all.sort_by_key(|access| access.number);
        }
        let states = states.collect();
        Looked { states, accesses: Accesses { by_spot, outside: self.outside } }
    }
}

impl Observer for Looker<'_> {
    fn interruption(&mut self, at: At<'_>) -> Option<Interruption> {
        if std::mem::take(&mut self.is_counted) {
            return None;
        }
        let starts = self.steps.instruction(at);
        let is_there = match self.look.stops.get(self.next) {
            Some(Stop::Step(step)) => starts && self.steps.steps() == *step,
            Some(Stop::Instruction(number)) => at.number == *number,
            None => false,
        };
        self.is_counted = is_there;
        is_there.then_some(Interruption::Pause)
    }

    fn entered(&mut self, at: At<'_>, _arguments: &[u64], entry: Entry) {
        self.steps.entered(at.depth);
        if entry == Entry::CallBack {
            self.outside.push(at.number);
        }
    }

    fn calling(&mut self, at: At<'_>, _call: &Call, _arguments: &[u64]) {
        self.outside.push(at.number);
    }

    fn called(&mut self, at: At<'_>, _call: &Call, _bits: u64) {
        self.outside.push(at.number);
    }

    fn caught(&mut self, at: At<'_>, _exception: u64) {
        self.outside.push(at.number);
    }

    fn field_read(&mut self, at: At<'_>, access: FieldAccess) {
        self.field(at, access, false);
    }

    fn field_written(&mut self, at: At<'_>, access: FieldAccess) {
        self.field(at, access, true);
    }

    fn element_read(&mut self, at: At<'_>, access: ElementAccess) {
        self.element(at, access, false);
    }

    fn element_written(&mut self, at: At<'_>, access: ElementAccess) {
        self.element(at, access, true);
    }

    fn identified(&mut self, temporary: u64, object: u64) {
        self.identities.insert(temporary, object);
    }
}
