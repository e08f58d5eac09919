//! Where something happens, nearest to a step.

use super::presence::MAX_BEHIND;
use super::query::Query;
use super::{SegmentEntry, ThreadIndex, Until};
use crate::error::ReplayError;
use crate::interpreter::{
    At, ElementAccess, Entry, FieldAccess, Interruption, Observer, Phase, Progress, TEMPORARY, ThreadReplay, When,
};
use crate::objects::ObjectTable;
use crate::program::{Field, MethodIndex, Pc, Program};
use crate::steps::StepCounter;
use crate::value::Value;
use rustc_hash::{FxHashMap, FxHashSet};
use std::ops::{ControlFlow, RangeInclusive};
use whydunit_trace::{LogKind, ObjectId, ThreadId};

/// A place at which a query is met.
#[derive(Clone, Debug, PartialEq)]
pub struct Hit {
    pub thread: ThreadId,
    /// The step of the frame.
    pub step: u64,
    /// The step of the thread, which is later when the frame has called others in its step.
    pub latest: u64,
    /// Number of the instruction in its thread.
    pub number: u64,
    pub method: MethodIndex,
    pub pc: Pc,
    pub line: Option<u32>,
    pub depth: u32,
    /// What was written, thrown or caught.
    pub value: Option<Value>,
    /// The object or array that was written to.
    pub object: Option<Value>,
    /// The element that was written.
    pub element: Option<i32>,
}

impl ThreadIndex {
    /// The last hit before the start of a step.
    pub fn last_before(
        &self,
        program: &Program,
        objects: &ObjectTable,
        query: &Query,
        step: u64,
    ) -> Result<Option<Hit>, ReplayError> {
        self.last_before_within(program, objects, query, Until::step(step), usize::MAX)
    }

    /// The last hit until then, if there is one in the `most` segments before.
    pub fn last_before_within(
        &self,
        program: &Program,
        objects: &ObjectTable,
        query: &Query,
        until: Until,
        most: usize,
    ) -> Result<Option<Hit>, ReplayError> {
        for index in self.segments_until(until).rev().take(most) {
            for hit in self.hits_in(program, objects, query, index)?.into_iter().rev() {
                let when = When { instruction: hit.number, phase: Phase::Start };
                if hit.latest < until.step && self.sequence_at(when)? < until.sequence {
                    return Ok(Some(hit));
                }
            }
        }
        Ok(None)
    }

    /// The last hit in some steps of the thread that is accepted.
    pub fn last_in(
        &self,
        program: &Program,
        objects: &ObjectTable,
        query: &Query,
        steps: RangeInclusive<u64>,
        accept: &dyn Fn(&Hit) -> bool,
    ) -> Result<Option<Hit>, ReplayError> {
        let end = self.directory.segments.partition_point(|segment| segment.steps < steps.end().saturating_add(1));
        for index in (self.first_reaching(*steps.start())..end).rev() {
            let hits = self.hits_in(program, objects, query, index)?;
            if let Some(hit) = hits.into_iter().rev().find(|hit| steps.contains(&hit.latest) && accept(hit)) {
                return Ok(Some(hit));
            }
        }
        Ok(None)
    }

    /// The first hit from the start of a step on.
    pub fn first_after(
        &self,
        program: &Program,
        objects: &ObjectTable,
        query: &Query,
        step: u64,
    ) -> Result<Option<Hit>, ReplayError> {
        for index in self.first_reaching(step)..self.checkpoints() {
            let hits = self.hits_in(program, objects, query, index)?;
            if let Some(hit) = hits.into_iter().find(|hit| hit.latest >= step) {
                return Ok(Some(hit));
            }
        }
        Ok(None)
    }

    /// Shows all hits to `visit`, in order, until it breaks.
    pub fn for_each_hit(
        &self,
        program: &Program,
        objects: &ObjectTable,
        query: &Query,
        visit: &mut dyn FnMut(Hit) -> ControlFlow<()>,
    ) -> Result<(), ReplayError> {
        for index in 0..self.checkpoints() {
            for hit in self.hits_in(program, objects, query, index)? {
                if visit(hit).is_break() {
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    /// The first segment with anything at or behind a step. An entry at the very end of a segment belongs to
    /// the step that comes after it.
    pub(super) fn first_reaching(&self, step: u64) -> usize {
        let is_before = |next: &SegmentEntry| next.steps + 1 < step;
        self.directory.segments.get(1..).unwrap_or_default().partition_point(is_before)
    }

    /// The hits in a segment, in order.
    pub fn hits_in(
        &self,
        program: &Program,
        objects: &ObjectTable,
        query: &Query,
        index: usize,
    ) -> Result<Vec<Hit>, ReplayError> {
        if !self.may_contain(index, query)? {
            return Ok(Vec::new());
        }
        let checkpoint = self.checkpoint(index)?;
        let mut replay = ThreadReplay::from_snapshot(program, objects, self.thread, &checkpoint.replay)?;
        let mut finder = Finder {
            program,
            thread: self.thread,
            query,
            steps: checkpoint.steps,
            fields: FxHashMap::default(),
            hits: Vec::new(),
            unidentified: 0,
            is_behind: false,
            identities: FxHashMap::default(),
            thrown: None,
            caught: None,
        };
        let end = self.end_of(index);
        let mut progress = run(&mut replay, &mut finder, end)?;
        finder.is_behind = true;
        finder.forget_others(&replay.unidentified());
        if finder.unidentified > 0 && progress == Progress::Paused {
            progress = run(&mut replay, &mut finder, end.saturating_add(MAX_BEHIND))?;
        }
        debug_assert!(progress != Progress::Paused || replay.number() >= end);
        let identities = finder.identities;
        let known = |value: Option<Value>| match value {
            Some(Value::Fresh(number)) => identities.get(&number).map(|&object| Value::Ref(object)).or(value),
            value => value,
        };
        let hits = finder.hits.into_iter().filter(|(reference, _)| *reference == 0);
        Ok(hits.map(|(_, hit)| Hit { value: known(hit.value), object: known(hit.object), ..hit }).collect())
    }
}

/// The end of an index is where the replay ended, for whatever reason.
fn run(replay: &mut ThreadReplay<'_>, finder: &mut Finder<'_>, limit: u64) -> Result<Progress, ReplayError> {
    match replay.run(finder, limit) {
        Err(ReplayError::Divergence(_)) => Ok(Progress::Ended(crate::interpreter::End::CutOff)),
        outcome => outcome,
    }
}

struct Finder<'q> {
    program: &'q Program,
    thread: ThreadId,
    query: &'q Query,
    steps: StepCounter,
    /// Fields by number: whether it is the one.
    fields: FxHashMap<u32, bool>,
    /// With the temporary reference of an object that has no id yet, or 0.
    hits: Vec<(u64, Hit)>,
    /// Hits that wait for the id of their object.
    unidentified: usize,
    /// Past the segment, only for the ids.
    is_behind: bool,
    /// Objects that got their id.
    identities: FxHashMap<u32, ObjectId>,
    /// The hit whose exception is not known yet.
    thrown: Option<usize>,
    /// What the handler was given that starts with the next instruction.
    caught: Option<u64>,
}

impl Finder<'_> {
    fn hit(&mut self, at: At<'_>, step: u64, latest: u64, reference: u64, value: Option<Value>) {
        if self.is_behind {
            return;
        }
        let hit = Hit {
            thread: self.thread,
            step,
            latest,
            number: at.number,
            method: at.code.index,
            pc: at.pc,
            line: at.line(),
            depth: at.depth,
            value,
            object: None,
            element: None,
        };
        self.unidentified += usize::from(reference != 0);
        self.hits.push((reference, hit));
    }

    /// Only these temporary references can still get an id.
    fn forget_others(&mut self, unidentified: &FxHashSet<u64>) {
        self.hits.retain(|(reference, _)| *reference == 0 || unidentified.contains(reference));
        self.unidentified = self.hits.iter().filter(|(reference, _)| *reference != 0).count();
    }

    fn hit_now(&mut self, at: At<'_>, reference: u64, value: Option<Value>) {
        self.hit(at, self.steps.current(at.depth), self.steps.steps(), reference, value);
    }

    /// Something was written to a part of an object or array.
    fn written(&mut self, at: At<'_>, reference: u64, value: Value, object: u64, element: Option<i32>) {
        let before = self.hits.len();
        self.hit_now(at, reference, Some(value));
        for (_, hit) in self.hits.iter_mut().skip(before) {
            hit.object = Some(Value::reference(object)).filter(|object| *object != Value::Null);
            hit.element = element;
        }
    }

    /// Now it is known what was thrown.
    fn tell_thrown(&mut self, exception: u64) {
        if let Some(thrown) = self.thrown.take()
            && let Some((_, hit)) = self.hits.get_mut(thrown)
            && exception != 0
        {
            hit.value = Some(Value::reference(exception));
        }
    }

    fn is_field(&mut self, number: u32, wanted: &Field) -> bool {
        let program = self.program;
        *self.fields.entry(number).or_insert_with(|| program.field(number).as_ref() == Some(wanted))
    }
}

impl Observer for Finder<'_> {
    fn interruption(&mut self, at: At<'_>) -> Option<Interruption> {
        let starts = self.steps.instruction(at);
        if let Some(exception) = self.caught.take() {
            self.hit_now(at, 0, Some(Value::reference(exception)));
        }
        if starts
            && let Query::Line { methods, line } = self.query
            && at.code.lines.get(at.pc as usize) == Some(line)
            && methods.contains(&at.code.index)
        {
            self.hit(at, self.steps.steps(), self.steps.steps(), 0, None);
        }
        (self.is_behind && self.unidentified == 0).then_some(Interruption::Pause)
    }

    fn entered(&mut self, at: At<'_>, _arguments: &[u64], _entry: Entry) {
        self.steps.entered(at.depth);
        if matches!(self.query, Query::Entry(method) if *method == at.code.index) {
            let step = self.steps.steps() + 1;
            self.hit(at, step, step, 0, None);
        }
    }

    fn local_written(&mut self, at: At<'_>, local: u16, kind: LogKind, bits: u64) {
        if matches!(self.query, Query::Local { method, slot } if *method == at.code.index && *slot == local) {
            self.hit_now(at, 0, Some(Value::of(kind, bits, None)));
        }
    }

    fn thrown(&mut self, at: At<'_>) {
        self.thrown = None;
        if matches!(self.query, Query::Thrown) && !self.is_behind {
            self.thrown = Some(self.hits.len());
            self.hit_now(at, 0, None);
        }
    }

    fn unwound(&mut self, _at: At<'_>, exception: u64) {
        self.tell_thrown(exception);
    }

    fn caught(&mut self, _at: At<'_>, exception: u64) {
        self.tell_thrown(exception);
        self.caught = matches!(self.query, Query::Caught).then_some(exception);
    }

    fn field_written(&mut self, at: At<'_>, access: FieldAccess) {
        let (wanted, reference) = match self.query {
            Query::Field(field) => (field, 0),
            Query::ObjectField { field, .. } if access.object & TEMPORARY != 0 => (field, access.object),
            Query::ObjectField { object, field } if ObjectId(access.object as u32) == *object => (field, 0),
            _ => return,
        };
        if self.is_field(access.field, wanted) {
            let value = Value::of(access.kind, access.bits, Some(&wanted.descriptor));
            self.written(at, reference, value, access.object, None);
        }
    }

    fn element_written(&mut self, at: At<'_>, access: ElementAccess) {
        let array = ObjectId(access.array as u32);
        let is_asked = match self.query {
            Query::Element { array: asked, index } => *asked == array && *index == access.index,
            Query::Elements(asked) => asked.contains(&array),
            _ => false,
        };
        if is_asked {
            self.written(at, 0, Value::of(access.kind, access.bits, None), access.array, Some(access.index));
        }
    }

    fn identified(&mut self, temporary: u64, found: u64) {
        self.identities.insert((temporary & (TEMPORARY - 1)) as u32, ObjectId(found as u32));
        let Query::ObjectField { object, .. } = self.query else { return };
        if self.unidentified == 0 {
            return;
        }
        let is_wanted = ObjectId(found as u32) == *object;
        let unidentified = &mut self.unidentified;
        self.hits.retain_mut(|(reference, _)| {
            if *reference != temporary {
                return true;
            }
            *reference = 0;
            *unidentified -= 1;
            is_wanted
        });
    }
}
