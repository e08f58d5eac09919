//! Where something happened in the run, one occurrence after the other in the order of all threads.

use crate::in_order::{InOrder, Placed};
use crate::numbers::StepNumbers;
use crate::session::{Session, SessionError};
use crate::state::Moments;
use std::cell::OnceCell;
use std::rc::Rc;
use whydunit_replay::ReplayError;
use whydunit_replay::Value;
use whydunit_replay::index::{HeapAccess, Hit, Look, Looked, Query, Rank, Spot, Stop, ThreadIndex};
use whydunit_replay::naming::simple_name;
use whydunit_replay::program::{Field, MethodIndex};
use whydunit_replay::state::State;
use whydunit_trace::ThreadId;

/// Occurrences whose states are held at the same time.
const BATCH: usize = 1024;

/// A moment of the run: before an instruction of a thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moment {
    pub thread: ThreadId,
    /// The instruction, in its thread.
    pub instruction: u64,
    /// The latest step of the thread.
    pub latest: u64,
    pub order: Rank,
}

impl Moment {
    /// In the order of all threads.
    pub fn is_before(&self, other: &Moment) -> bool {
        if self.thread == other.thread { self.instruction < other.instruction } else { self.order < other.order }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    Forwards,
    Backwards,
}

/// What to look for, and where.
#[derive(Clone, Debug)]
pub struct SearchPlan {
    /// Any of these.
    pub queries: Vec<Query>,
    pub direction: Direction,
    /// Only what happened after this moment.
    pub after: Option<Moment>,
    /// Only what happened before this moment.
    pub before: Option<Moment>,
    /// Only what this thread did.
    pub thread: Option<ThreadId>,
}

/// What of the heap a condition may ask for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Noted {
    /// Fields of these names, and elements if it says so.
    Some {
        fields: Vec<Box<str>>,
        elements: bool,
    },
    All,
}

/// An occurrence.
#[derive(Clone, Debug)]
pub struct Found {
    pub hit: Hit,
    pub moment: Moment,
    /// Which of the plan's queries it meets.
    pub query: usize,
    batch: Rc<Batch>,
    at: usize,
}

#[derive(Debug)]
pub(crate) struct Batch {
    pub(crate) thread: ThreadId,
    pub(crate) segment: usize,
    pub(crate) stops: Vec<Stop>,
    pub(crate) looked: OnceCell<Looked>,
}

/// The state at a moment, and what the heap held then.
#[derive(Clone, Debug)]
pub struct Sight {
    pub moment: Moment,
    /// Of the frames that were asked for.
    pub state: State,
    pub(crate) source: SightSource,
}

#[derive(Clone, Debug)]
pub(crate) enum SightSource {
    Own(Rc<Looked>),
    Batch(Rc<Batch>),
}

/// Occurrences of something in the order of all threads.
#[derive(Debug)]
pub struct Search<'s> {
    session: &'s Session,
    numbers: StepNumbers<'s>,
    plan: SearchPlan,
    threads: InOrder<'s, Found>,
    passed: u64,
}

impl Session {
    pub fn search<'s>(&'s self, moments: &'s Moments, plan: SearchPlan) -> Result<Search<'s>, SessionError> {
        let numbers = StepNumbers::new(moments);
        let mut segments = Vec::new();
        for index in moments.indexes().filter(|index| plan.thread.is_none_or(|thread| thread == index.thread())) {
            let start = match &plan.after {
                Some(after) if after.thread == index.thread() => index.segment_of_instruction(after.instruction),
                Some(after) => index.segments_after(after.order).start,
                None => 0,
            };
            let end = match &plan.before {
                Some(before) if before.thread == index.thread() => index.segment_of_instruction(before.instruction) + 1,
                Some(before) => index.segments_before(before.order).end,
                None => index.checkpoints(),
            };
            segments.push((index, start..end.min(index.checkpoints())));
        }
        let threads = InOrder::new(plan.direction, segments);
        Ok(Search { session: self, numbers, plan, threads, passed: 0 })
    }

    /// The state at a moment, of so many of the newest frames.
    pub fn sight(&self, moments: &Moments, moment: Moment, frames: usize) -> Result<Option<Sight>, SessionError> {
        let Some(index) = moments.thread_index(moment.thread) else { return Ok(None) };
        let segment = index.segment_of_instruction(moment.instruction);
        let stops = [Stop::Instruction(moment.instruction)];
        let looked = self.look(index, segment, &stops, frames, &Noted::All)?;
        let looked = Rc::new(looked);
        let state = looked.states.first().cloned().flatten();
        Ok(state.map(|state| Sight { moment, state, source: SightSource::Own(looked) }))
    }

    /// The moment at which a thread's step starts.
    pub fn start_of(&self, moments: &Moments, thread: ThreadId, step: u64) -> Result<Option<Moment>, SessionError> {
        let Some(state) = self.state(moments, thread, step)? else { return Ok(None) };
        let order = StepNumbers::new(moments).rank_of_start(thread, step).map_err(ReplayError::from)?;
        let order = order.unwrap_or_default();
        Ok(Some(Moment { thread, instruction: state.number + 1, latest: step, order }))
    }

    pub(crate) fn look(
        &self,
        index: &ThreadIndex,
        segment: usize,
        stops: &[Stop],
        frames: usize,
        noted: &Noted,
    ) -> Result<Looked, SessionError> {
        let is_wanted = |field: &Field| match noted {
            Noted::Some { fields, .. } => fields.contains(&field.name),
            Noted::All => true,
        };
        let elements = match noted {
            Noted::Some { elements, .. } => *elements,
            Noted::All => true,
        };
        let look = Look { stops, frames, fields: &is_wanted, elements };
        Ok(index.look(self.program(), self.objects(), segment, &look)?)
    }

    /// What is written there.
    pub fn writes_of(&self, spot: &Spot) -> Query {
        query_of(spot)
    }

    /// `<Line:2>.price`, `Cart.count`, `<int[]:1>[3]`
    pub fn name_of_spot(&self, spot: &Spot) -> String {
        match spot {
            Spot::Static(field) => format!("{}.{}", simple_name(&field.owner), field.name),
            Spot::Field(object, field) => format!("{}.{}", self.words(Value::Ref(*object)), field.name),
            Spot::Element(array, index) => format!("{}[{index}]", self.words(Value::Ref(*array))),
        }
    }

    pub(crate) fn typed(&self, spot: &Spot, value: Value) -> Value {
        match spot {
            Spot::Element(array, index) => self.typed_element(Some(Value::Ref(*array)), Some(*index), value),
            _ => value,
        }
    }

    /// An element of the type that its array has; other values as they are.
    pub fn typed_element(&self, array: Option<Value>, index: Option<i32>, value: Value) -> Value {
        match (array, index, value) {
            (Some(Value::Ref(array)), Some(_), Value::Int(int)) => {
                let class = self.objects().class(array).ok().flatten();
                let class = class.and_then(|class| self.program().classes().get(class));
                match class.map(|class| &*class.name) {
                    Some("[Z") => Value::Boolean(int & 1 != 0),
                    Some("[C") => Value::Char(int as u16),
                    Some("[B") => Value::Byte(int as i8),
                    Some("[S") => Value::Short(int as i16),
                    _ => value,
                }
            }
            _ => value,
        }
    }
}

impl Session {
    /// Whether a local is a parameter of its method.
    pub fn is_parameter(&self, method: MethodIndex, slot: u16) -> bool {
        self.program().code(method).is_ok_and(|code| slot < code.argument_slots)
    }
}

/// Writes of a place.
pub(crate) fn query_of(spot: &Spot) -> Query {
    match spot {
        Spot::Static(field) => Query::Field(field.clone()),
        Spot::Field(object, field) => Query::ObjectField { object: *object, field: field.clone() },
        Spot::Element(array, index) => Query::Element { array: *array, index: *index },
    }
}

impl Sight {
    pub(crate) fn around(&self, spot: &Spot) -> (Option<HeapAccess>, Option<HeapAccess>) {
        self.looked().map_or((None, None), |looked| looked.accesses.around(spot, self.moment.instruction))
    }

    /// Whether the thread ran no unrecorded code from one instruction to another, as far as the sight goes.
    pub(crate) fn is_quiet(&self, from: u64, to: u64) -> bool {
        self.looked().is_some_and(|looked| looked.accesses.is_quiet(from, to))
    }

    fn looked(&self) -> Option<&Looked> {
        match &self.source {
            SightSource::Own(looked) => Some(&**looked),
            SightSource::Batch(batch) => batch.looked.get(),
        }
    }
}

impl Found {
    /// The place in the heap that was written to.
    pub fn spot(&self, plan: &[Query]) -> Option<Spot> {
        let object = match self.hit.object {
            Some(Value::Ref(object)) => Some(object),
            Some(_) => return None,
            None => None,
        };
        match (plan.get(self.query)?, object) {
            (Query::Field(field) | Query::ObjectField { field, .. }, Some(object)) => {
                Some(Spot::Field(object, field.clone()))
            }
            (Query::Field(field), None) => Some(Spot::Static(field.clone())),
            (Query::Element { .. } | Query::Elements(_), Some(array)) => Some(Spot::Element(array, self.hit.element?)),
            _ => None,
        }
    }

    /// The state at the occurrence. What of the heap is asked for must be the same for all occurrences of a search.
    pub fn sight(
        &self,
        session: &Session,
        moments: &Moments,
        frames: usize,
        noted: &Noted,
    ) -> Result<Option<Sight>, SessionError> {
        let Some(index) = moments.thread_index(self.batch.thread) else { return Ok(None) };
        if self.batch.looked.get().is_none() {
            let looked = session.look(index, self.batch.segment, &self.batch.stops, frames, noted)?;
            // It is empty, and nobody else can fill it.
            let _ = self.batch.looked.set(looked);
        }
        let state = self.batch.looked.get().and_then(|looked| looked.states.get(self.at).cloned().flatten());
        Ok(state.map(|state| Sight { moment: self.moment, state, source: SightSource::Batch(Rc::clone(&self.batch)) }))
    }
}

impl Search<'_> {
    /// The next occurrence.
    pub fn next_found(&mut self) -> Result<Option<Found>, SessionError> {
        let Search { session, numbers, plan, threads, passed } = self;
        threads.next(&mut |index, segment| {
            *passed += index.instructions_of(segment);
            found_in(session, numbers, plan, index, segment)
        })
    }

    /// Instructions of the segments that were gone over since this was last asked.
    pub fn take_passed(&mut self) -> u64 {
        std::mem::take(&mut self.passed)
    }
}

fn found_in(
    session: &Session,
    numbers: &mut StepNumbers<'_>,
    plan: &SearchPlan,
    index: &ThreadIndex,
    segment: usize,
) -> Result<Vec<Placed<Found>>, SessionError> {
    let thread = index.thread();
    let mut hits = Vec::new();
    for (position, query) in plan.queries.iter().enumerate() {
        let found = index.hits_in(session.program(), session.objects(), query, segment)?;
        hits.extend(found.into_iter().map(|hit| (hit, position, matches!(query, Query::Entry(_)))));
    }
    hits.sort_by_key(|(hit, ..)| hit.number);
    let mut found = Vec::new();
    for (hit, query, is_entry) in hits {
        // A method is entered when its call was run.
        let instruction = hit.number + u64::from(is_entry);
        let order = numbers.rank(thread, hit.latest, instruction).map_err(ReplayError::from)?.unwrap_or_default();
        let moment = Moment { thread, instruction, latest: hit.latest, order };
        let is_after = plan.after.as_ref().is_none_or(|after| after.is_before(&moment));
        let is_before = plan.before.as_ref().is_none_or(|before| moment.is_before(before));
        if is_after && is_before {
            let stop = if is_entry { Stop::Step(hit.step) } else { Stop::Instruction(hit.number) };
            found.push((hit, query, moment, stop));
        }
    }
    let mut placed = Vec::with_capacity(found.len());
    for chunk in found.chunks(BATCH) {
        let stops = chunk.iter().map(|(.., stop)| *stop).collect();
        let batch = Rc::new(Batch { thread, segment, stops, looked: OnceCell::new() });
        placed.extend(chunk.iter().enumerate().map(|(at, (hit, query, moment, _))| {
            let found = Found { hit: hit.clone(), moment: *moment, query: *query, batch: Rc::clone(&batch), at };
            (moment.order, found)
        }));
    }
    Ok(placed)
}
