//! Calls of unrecorded code that may have written to one array, as the run goes on.

use crate::held::PossibleChange;
use crate::numbers::StepNumbers;
use crate::scan::Raw;
use crate::session::{Session, SessionError};
use crate::state::Moments;
use std::collections::VecDeque;
use std::ops::Range;
use whydunit_replay::events::EventKind;
use whydunit_trace::ObjectId;

/// Those that were not passed yet, in the order of the run, each with the elements.
#[derive(Debug)]
pub(crate) struct Touches(VecDeque<(Range<i32>, PossibleChange)>);

impl Session {
    pub(crate) fn touches(&self, moments: &Moments, array: ObjectId) -> Result<Touches, SessionError> {
        let mut numbers = StepNumbers::new(moments);
        let mut all = Vec::new();
        for index in moments.indexes() {
            for (elements, hit) in index.touches_of(self.program(), self.objects(), array)? {
                all.push((elements, self.possible_change(&mut numbers, hit)?));
            }
        }
        // Those of a thread are in order.
        all.sort_by_key(|(_, change)| change.moment.order);
        Ok(Touches(all.into()))
    }
}

impl Touches {
    /// The next one that comes before an event.
    pub(crate) fn next_before(&mut self, raw: &Raw) -> Option<(Range<i32>, PossibleChange)> {
        let moment = raw.moment();
        let is_before = self.0.front().is_some_and(|(_, change)| change.moment.is_before(&moment));
        if is_before { self.0.pop_front() } else { None }
    }

    /// Whether an event is a call that may write to the array, or to an element of it: `[3]`.
    pub(crate) fn has(&self, raw: &Raw, element: Option<&str>) -> bool {
        let number = |name: &str| name.strip_prefix('[')?.strip_suffix(']')?.parse::<i32>().ok();
        let is_asked = |elements: &Range<i32>| match element {
            Some(element) => number(element).is_some_and(|element| elements.contains(&element)),
            None => true,
        };
        let moment = raw.moment();
        let is_now = |(_, change): &&(Range<i32>, PossibleChange)| !moment.is_before(&change.moment);
        let mut now = self.0.iter().take_while(is_now);
        let is_it = |(elements, change): &(Range<i32>, PossibleChange)| {
            let (call, event) = (&change.moment, &moment);
            (call.thread, call.instruction) == (event.thread, event.instruction) && is_asked(elements)
        };
        matches!(raw.event.kind, EventKind::Call { .. }) && now.any(is_it)
    }

    /// The last of those that are left.
    pub(crate) fn into_last(mut self) -> Option<PossibleChange> {
        self.0.pop_back().map(|(_, change)| change)
    }
}
