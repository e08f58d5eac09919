//! What a place in the heap held at a moment, as far as recorded code has met it, and what may have changed it unseen.

use crate::compared::name_of_call;
use crate::contents::Known;
use crate::numbers::StepNumbers;
use crate::search::{Moment, Sight, query_of};
use crate::session::{Session, SessionError};
use crate::state::Moments;
use std::cell::Cell;
use std::cmp::Ordering;
use std::io;
use whydunit_replay::index::{Evidence, HeapAccess, Hit, Part, Query, Rank, Spot, ThreadIndex};
use whydunit_replay::naming::simple_name;
use whydunit_replay::{ReplayError, Value};
use whydunit_trace::ThreadId;

/// A call of code that is not recorded and that may have written to an array.
#[derive(Clone, Debug, PartialEq)]
pub struct PossibleChange {
    pub hit: Hit,
    /// When the code ran: after the call, or after the last of its call-backs.
    pub moment: Moment,
    /// Number, among the steps of all threads, of the step of the call.
    pub step: u64,
    /// `Arrays.sort()`
    pub call: String,
}

/// What is known of a place around a moment.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Around {
    /// By what was last before.
    pub before: Option<Known>,
    /// What may have changed it since.
    pub changed: Option<PossibleChange>,
    /// By what was read first afterwards, if nobody is known to have written in between.
    pub later: Option<Known>,
    /// Nothing unrecorded ran between the last time and the moment.
    pub(crate) is_quiet_before: bool,
    /// Nothing unrecorded ran between the moment and the first time.
    pub(crate) is_quiet_until: bool,
}

/// What that says of the moment.
#[derive(Clone, Debug, PartialEq)]
pub enum Told {
    /// Recorded code has not met it.
    Nothing,
    Held(Known),
    MayHaveChanged(PossibleChange),
    /// Unrecorded code has changed it, before the moment or after it.
    Between {
        before: Known,
        later: Known,
    },
}

impl Around {
    pub fn told(&self) -> Told {
        match (self.before, &self.changed, self.later) {
            (_, Some(_), Some(later)) => Told::Held(later),
            (_, Some(changed), None) => Told::MayHaveChanged(changed.clone()),
            (Some(before), None, Some(later)) if !is_same(before.value, later.value) && !self.is_quiet_before => {
                if self.is_quiet_until { Told::Held(later) } else { Told::Between { before, later } }
            }
            (Some(held), None, _) | (None, None, Some(held)) => Told::Held(held),
            (None, None, None) => Told::Nothing,
        }
    }
}

impl Told {
    pub fn known(&self) -> Option<Known> {
        match self {
            Told::Held(known) => Some(*known),
            _ => None,
        }
    }
}

/// Whether two values that were told at different times may be the same.
pub fn is_same(one: Value, other: Value) -> bool {
    match (one, other) {
        (Value::Float(one), Value::Float(other)) => one.to_bits() == other.to_bits(),
        (Value::Double(one), Value::Double(other)) => one.to_bits() == other.to_bits(),
        // An object that has no id yet when it is written.
        (Value::Fresh(_), Value::Ref(_)) | (Value::Ref(_), Value::Fresh(_)) => true,
        _ => one == other,
    }
}

/// A time in the order of all threads; of one thread, the instruction may be known.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Time {
    pub(crate) order: Rank,
    pub(crate) instruction: Option<(ThreadId, u64)>,
}

impl Time {
    pub(crate) const START: Time = Time { order: Rank { steps: 0, sequence: 0 }, instruction: None };

    pub(crate) fn of_access(thread: ThreadId, number: u64, order: Rank) -> Time {
        Time { order, instruction: Some((thread, number)) }
    }

    fn instruction_of(&self, thread: ThreadId) -> Option<u64> {
        self.instruction.filter(|(known, _)| *known == thread).map(|(_, number)| number)
    }
}

impl From<&Moment> for Time {
    fn from(moment: &Moment) -> Time {
        Time { order: moment.order, instruction: Some((moment.thread, moment.instruction)) }
    }
}

/// What tells a value, and when it was met.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Met {
    pub(crate) known: Known,
    pub(crate) at: Time,
}

impl Session {
    /// What a place in the heap held.
    pub fn held(&self, moments: &Moments, sight: &Sight, spot: &Spot) -> Result<Told, SessionError> {
        // The step itself often reads what is asked for: nothing older has to be looked up then.
        if let (None, Some(read)) = sight.around(spot)
            && sight.is_quiet(sight.moment.instruction, read.number)
        {
            let read = self.met(moments, sight.moment.thread, &read, Evidence::ReadLater)?;
            if !self.is_changed_between(moments, spot, Time::from(&sight.moment), read.at)? {
                return Ok(Told::Held(read.known));
            }
        }
        Ok(self.held_around(moments, sight, spot)?.told())
    }

    /// What is known of a place in the heap around a moment.
    pub fn held_around(&self, moments: &Moments, sight: &Sight, spot: &Spot) -> Result<Around, SessionError> {
        let moment = sight.moment;
        let (before, after) = sight.around(spot);
        let is_quiet_before = before.is_some_and(|access| sight.is_quiet(access.number, moment.instruction));
        let is_quiet_until = after.is_some_and(|access| sight.is_quiet(moment.instruction, access.number));
        let met = |access: HeapAccess, from| self.met(moments, moment.thread, &access, from);
        let mut last = before
            .map(|access| met(access, if access.is_write { Evidence::Written } else { Evidence::Read }))
            .transpose()?;
        let mut later = after.map(|access| met(access, Evidence::ReadLater)).transpose()?;
        if last.is_none() {
            let (earlier, read_later) = self.held_earlier(moments, &moment, spot)?;
            last = earlier;
            later = later.or(read_later);
        }
        // Another thread may have written since.
        let mut numbers = StepNumbers::new(moments);
        for index in moments.indexes().filter(|index| index.thread() != moment.thread) {
            let since = last.as_ref().map_or(Time::START, |last| last.at);
            let found = self.last_write_between(&numbers, index, &query_of(spot), since, Time::from(&moment))?;
            if let Some(hit) = found
                && let Some(value) = hit.value
            {
                let thread = index.thread();
                let step = numbers.number(thread, hit.step).map_err(ReplayError::from)?.unwrap_or_default();
                let order = numbers.rank(thread, hit.latest, hit.number).map_err(ReplayError::from)?;
                let order = order.unwrap_or_default();
                let known = Known { value: self.typed(spot, value), from: Evidence::Written, step };
                last = Some(Met { known, at: Time::of_access(thread, hit.number, order) });
            }
        }
        let around = self.settled(moments, spot, Time::from(&moment), last, later)?;
        Ok(Around { is_quiet_before, is_quiet_until, ..around })
    }

    /// What came before a moment and after it, with what may have happened in between.
    pub(crate) fn settled(
        &self,
        moments: &Moments,
        spot: &Spot,
        moment: Time,
        before: Option<Met>,
        later: Option<Met>,
    ) -> Result<Around, SessionError> {
        let since = before.map_or(Time::START, |before| before.at);
        let changed = self.last_possible_change(moments, spot, since, moment)?;
        // What was read later does not matter if it says the same.
        let is_needed = |later: &Met| {
            changed.is_some() || before.is_none_or(|before| !is_same(before.known.value, later.known.value))
        };
        let later = match later.filter(is_needed) {
            Some(later) if self.is_changed_between(moments, spot, moment, later.at)? => None,
            later => later,
        };
        let (before, later) = (before.map(|met| met.known), later.map(|met| met.known));
        Ok(Around { before, changed, later, ..Around::default() })
    }

    /// The last call of unrecorded code before a moment that may have changed an element.
    pub fn possible_change_before(
        &self,
        moments: &Moments,
        moment: &Moment,
        spot: &Spot,
    ) -> Result<Option<PossibleChange>, SessionError> {
        self.last_possible_change(moments, spot, Time::START, Time::from(moment))
    }

    fn last_possible_change(
        &self,
        moments: &Moments,
        spot: &Spot,
        after: Time,
        before: Time,
    ) -> Result<Option<PossibleChange>, SessionError> {
        let &Spot::Element(array, element) = spot else { return Ok(None) };
        let mut numbers = StepNumbers::new(moments);
        let mut last: Option<PossibleChange> = None;
        for index in moments.indexes() {
            let thread = index.thread();
            let Some(steps) = steps_between(&numbers, thread, after, before)? else { continue };
            let asked = (array, Some(element));
            let hit = accepted(&numbers, after, before, |accept| {
                index.last_touch(self.program(), self.objects(), asked, steps, accept)
            })?;
            let Some(hit) = hit else { continue };
            let found = self.possible_change(&mut numbers, hit)?;
            if last.as_ref().is_none_or(|last| last.moment.order < found.moment.order) {
                last = Some(found);
            }
        }
        Ok(last)
    }

    pub(crate) fn possible_change(
        &self,
        numbers: &mut StepNumbers<'_>,
        hit: Hit,
    ) -> Result<PossibleChange, SessionError> {
        let Hit { thread, step, latest, number, method, pc, .. } = hit;
        let order = numbers.rank(thread, latest, number).map_err(ReplayError::from)?.unwrap_or_default();
        let step = numbers.number(thread, step).map_err(ReplayError::from)?.unwrap_or_default();
        let call = self.code(method).and_then(|code| code.call_at(pc)).map_or_else(String::new, |call| {
            if &*call.name == "<init>" { format!("new {}()", simple_name(&call.owner)) } else { name_of_call(call) }
        });
        Ok(PossibleChange { hit, moment: Moment { thread, instruction: number, latest, order }, step, call })
    }

    /// Whether recorded code of other threads wrote to a place in some time, or unrecorded code may have.
    fn is_changed_between(
        &self,
        moments: &Moments,
        spot: &Spot,
        after: Time,
        before: Time,
    ) -> Result<bool, SessionError> {
        if self.last_possible_change(moments, spot, after, before)?.is_some() {
            return Ok(true);
        }
        let numbers = StepNumbers::new(moments);
        let reader = before.instruction.map(|(thread, _)| thread);
        for index in moments.indexes().filter(|index| Some(index.thread()) != reader) {
            if self.last_write_between(&numbers, index, &query_of(spot), after, before)?.is_some() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn last_write_between(
        &self,
        numbers: &StepNumbers<'_>,
        index: &ThreadIndex,
        query: &Query,
        after: Time,
        before: Time,
    ) -> Result<Option<Hit>, SessionError> {
        let thread = index.thread();
        let Some(steps) = steps_between(numbers, thread, after, before)? else { return Ok(None) };
        accepted(numbers, after, before, |accept| index.last_in(self.program(), self.objects(), query, steps, accept))
    }

    /// By what came before the segment of the moment, and by what is read behind it.
    fn held_earlier(
        &self,
        moments: &Moments,
        moment: &Moment,
        spot: &Spot,
    ) -> Result<(Option<Met>, Option<Met>), SessionError> {
        let (object, part) = match spot {
            Spot::Field(object, field) => (*object, Part::Field(field.clone())),
            Spot::Element(array, index) => (*array, Part::Element(*index)),
            Spot::Static(field) => {
                let query = Query::Field(field.clone());
                let Some(index) = moments.thread_index(moment.thread) else { return Ok((None, None)) };
                let hit = index.last_before(self.program(), self.objects(), &query, moment.latest)?;
                let Some((hit, value)) = hit.and_then(|hit| hit.value.map(|value| (hit, value))) else {
                    return Ok((None, None));
                };
                let step = moments.global_step(moment.thread, hit.step)?.unwrap_or_default();
                let order = moments.rank(moment.thread, hit.latest, hit.number)?;
                let known = Known { value, from: Evidence::Written, step };
                return Ok((Some(Met { known, at: Time::of_access(moment.thread, hit.number, order) }), None));
            }
        };
        let here = (moment.order, Some((moment.thread, moment.latest)));
        let met = self.met_parts(moments, object, &[part], here, usize::MAX)?;
        Ok(met.into_iter().next().map_or((None, None), |met| (met.before, met.later)))
    }

    fn met(
        &self,
        moments: &Moments,
        thread: ThreadId,
        access: &HeapAccess,
        from: Evidence,
    ) -> Result<Met, SessionError> {
        let step = moments.global_step(thread, access.step)?.unwrap_or_default();
        let order = moments.rank(thread, access.latest, access.number)?;
        let known = Known { value: access.value, from, step };
        Ok(Met { known, at: Time::of_access(thread, access.number, order) })
    }
}

/// The steps of a thread in which something may lie between two times.
fn steps_between(
    numbers: &StepNumbers<'_>,
    thread: ThreadId,
    after: Time,
    before: Time,
) -> Result<Option<std::ops::RangeInclusive<u64>>, SessionError> {
    let from = |order: u64| numbers.first_step_from(thread, order).map_err(ReplayError::from);
    // A step that was under way at either time counts in part.
    let first = from(after.order.steps.saturating_add(1))?.saturating_sub(1).max(1);
    let behind = from(before.order.steps.saturating_add(1))?;
    Ok((first < behind).then(|| first..=behind - 1))
}

/// What is found among the hits between two times.
fn accepted(
    numbers: &StepNumbers<'_>,
    after: Time,
    before: Time,
    find: impl FnOnce(&dyn Fn(&Hit) -> bool) -> Result<Option<Hit>, ReplayError>,
) -> Result<Option<Hit>, SessionError> {
    let failed = Cell::new(None);
    let accept = |hit: &Hit| {
        let is_between = || Ok(order_of(numbers, hit, after)?.is_ge() && order_of(numbers, hit, before)?.is_lt());
        is_between().unwrap_or_else(|error: io::Error| {
            failed.set(Some(error));
            true
        })
    };
    let found = find(&accept)?;
    match failed.into_inner() {
        Some(error) => Err(ReplayError::from(error).into()),
        None => Ok(found),
    }
}

fn order_of(numbers: &StepNumbers<'_>, hit: &Hit, time: Time) -> io::Result<Ordering> {
    match time.instruction_of(hit.thread) {
        Some(instruction) => Ok(hit.number.cmp(&instruction)),
        None => Ok(numbers.rank_of(hit.thread, hit.latest, hit.number)?.unwrap_or_default().cmp(&time.order)),
    }
}
