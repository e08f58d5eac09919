//! Looks through the run, all threads in one order, and only where the index says that there may be something.

use crate::in_order::{InOrder, Placed};
use crate::notation::Outcome;
use crate::numbers::StepNumbers;
use crate::search::{Direction, Moment};
use crate::session::{Session, SessionError};
use crate::state::Moments;
use crate::step::Place;
use std::collections::VecDeque;
use std::ops::ControlFlow;
use whydunit_replay::events::{Event, EventKind, Wanted};
use whydunit_replay::index::{Rank, ThreadIndex};
use whydunit_replay::interpreter::{Phase, When};
use whydunit_replay::program::Pc;
use whydunit_replay::{ReplayError, Value};
use whydunit_trace::ThreadId;

/// Something that was looked for.
#[derive(Clone, Debug, PartialEq)]
pub struct Occurrence {
    pub thread: ThreadId,
    /// Number among the steps of all threads.
    pub step: u64,
    /// Of the step: for the entry of a method, where that starts.
    pub place: Place,
    /// In the notation of the tree.
    pub text: String,
    pub event: Event,
    /// How a call ended, if it ended at once.
    pub outcome: Outcome,
    /// What a field or an element held before it was written, if that is known.
    pub old: Option<Value>,
    /// Where an exception was caught.
    pub caught: Option<Caught>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Caught {
    pub step: u64,
    pub place: Place,
}

/// An event that was looked for, not yet made ready to be shown.
#[derive(Clone, Debug)]
pub(crate) struct Raw {
    order: Rank,
    pub(crate) event: Event,
    pub(crate) outcome: Outcome,
    pub(crate) old: Option<Value>,
    caught: Option<Box<Event>>,
}

impl Raw {
    pub(crate) fn moment(&self) -> Moment {
        let Event { thread, number, latest, .. } = self.event;
        Moment { thread, instruction: number, latest, order: self.order }
    }
}

/// What is looked for.
pub(crate) trait Seeker {
    fn wanted(&self) -> Wanted {
        Wanted::default()
    }

    /// Whether a segment may have any of it.
    fn may_find(&self, session: &Session, index: &ThreadIndex, segment: usize) -> Result<bool, ReplayError>;

    /// Whether an event is looked for.
    fn accepts(&self, session: &Session, event: &Event) -> bool;
}

/// Which part of the run, from which end.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Scope<'s> {
    pub(crate) threads: Option<&'s [ThreadId]>,
    pub(crate) is_backwards: bool,
    /// More are not wanted.
    pub(crate) most: Option<usize>,
}

impl Session {
    /// Shows what a seeker looks for to `visit`, in the order of the run or against it, until that breaks. `progress` is
    /// told the instructions that were looked at since it was last called.
    pub(crate) fn scan(
        &self,
        moments: &Moments,
        scope: Scope<'_>,
        seeker: &dyn Seeker,
        progress: &dyn Fn(u64),
        visit: &mut dyn FnMut(Raw) -> ControlFlow<()>,
    ) -> Result<(), SessionError> {
        let is_wanted = |thread: &ThreadId| scope.threads.is_none_or(|threads| threads.contains(thread));
        let mut numbers = StepNumbers::new(moments);
        let indexes = moments.indexes().filter(|index| is_wanted(&index.thread()));
        let direction = if scope.is_backwards { Direction::Backwards } else { Direction::Forwards };
        let mut threads = InOrder::new(direction, indexes.map(|index| (index, 0..index.checkpoints())));
        let mut look = |index: &ThreadIndex, segment| {
            let batch = if seeker.may_find(self, index, segment)? {
                self.batch(index, segment, scope, seeker)?
            } else {
                VecDeque::new()
            };
            progress(index.instructions_of(segment));
            batch.into_iter().map(|raw| placed(&mut numbers, raw)).collect()
        };
        while let Some(raw) = threads.next(&mut look)? {
            if visit(raw).is_break() {
                break;
            }
        }
        Ok(())
    }

    fn batch(
        &self,
        index: &ThreadIndex,
        segment: usize,
        scope: Scope<'_>,
        seeker: &dyn Seeker,
    ) -> Result<VecDeque<Raw>, SessionError> {
        let mut batch: VecDeque<Raw> = VecDeque::new();
        let most = scope.most.unwrap_or(usize::MAX);
        // A call of unrecorded code that may end with the next event, and whether it is in the batch.
        let mut call: Option<(Event, bool)> = None;
        // A store that the line of the last event tells as well.
        let mut told = None;
        let mut has_caught = false;
        let wanted = seeker.wanted();
        let ended = index.events_in(self.program(), self.objects(), segment, &wanted, &mut |event| {
            let before = call.take();
            let ends_call = |(call, _): &(Event, bool)| call.number == event.number && call.depth == event.depth;
            let before = before.filter(ends_call);
            let outcome = match (&event.kind, &before) {
                (EventKind::CallReturned { result }, Some(_)) => Outcome::Returned(*result),
                (EventKind::Throw { exception: Some(exception) }, Some(_)) => Outcome::Threw(*exception),
                _ => Outcome::Unknown,
            };
            let is_told = matches!(event.kind, EventKind::LocalWritten(_))
                && (told == Some((event.depth, event.pc)) || self.is_made_before(event));
            told = self.store_told_with(event).map(|pc| (event.depth, pc));
            let is_accepted = !is_told && seeker.accepts(self, event);
            let caught_before = std::mem::take(&mut has_caught);
            if let EventKind::Catch { exception } = &event.kind {
                has_caught = true;
                let is_thrown = |raw: &&mut Raw| {
                    matches!(raw.event.kind, EventKind::Throw { exception: thrown } if thrown == Some(*exception))
                };
                if let Some(raw) = batch.iter_mut().rev().find(is_thrown) {
                    raw.caught.get_or_insert_with(|| Box::new(event.clone()));
                }
            }
            // The handler is where the step that it starts is; in the line of what threw it starts none.
            if caught_before && matches!(event.kind, EventKind::Step) {
                let is_caught = |caught: &&mut Box<Event>| {
                    let is_start = (caught.depth, caught.pc) == (event.depth, event.pc);
                    matches!(caught.kind, EventKind::Catch { .. }) && is_start
                };
                if let Some(caught) = batch.iter_mut().rev().find_map(|raw| raw.caught.as_mut()).filter(is_caught) {
                    **caught = event.clone();
                }
            }
            match (&event.kind, before) {
                (EventKind::CallReturned { .. }, Some((_, true))) => {
                    if let Some(last) = batch.back_mut() {
                        last.outcome = outcome;
                    }
                }
                (EventKind::CallReturned { .. }, Some((call, false))) if is_accepted => {
                    batch.push_back(Raw { order: Rank::default(), event: call, outcome, old: None, caught: None });
                }
                (kind, before) => {
                    if let (EventKind::Throw { .. }, Some((_, true)), Some(last)) = (kind, &before, batch.back_mut()) {
                        last.outcome = outcome;
                    }
                    if is_accepted {
                        let event = event.clone();
                        let (order, outcome) = (Rank::default(), Outcome::Unknown);
                        batch.push_back(Raw { order, event, outcome, old: None, caught: None });
                    }
                }
            }
            if matches!(event.kind, EventKind::Call { .. }) {
                call = Some((event.clone(), is_accepted));
            }
            // One more, so that the last one is complete.
            match (batch.len() > most.saturating_add(1), scope.is_backwards) {
                (true, false) => return ControlFlow::Break(()),
                (true, true) => drop(batch.pop_front()),
                _ => {}
            }
            ControlFlow::Continue(())
        })?;
        // What is behind is not wanted: others come first.
        let _ = ended;
        Ok(batch)
    }

    /// The store into a local that the line of the event tells as well.
    fn store_told_with(&self, event: &Event) -> Option<Pc> {
        match &event.kind {
            EventKind::CallReturned { .. } => self.code(event.method)?.stored_after(event.pc).map(|(_, pc)| pc),
            EventKind::Call { .. } | EventKind::Enter { .. } => None,
            _ => self.store_told(event),
        }
    }

    /// Whether a local is given the object that a constructor was just called for, which the line of that call tells.
    fn is_made_before(&self, event: &Event) -> bool {
        let before = event.pc.checked_sub(1);
        let call = before.and_then(|before| self.code(event.method)?.call_at(before));
        call.is_some_and(|call| &*call.name == "<init>")
    }

    /// Makes it ready to be shown.
    pub(crate) fn found(&self, numbers: &mut StepNumbers<'_>, raw: Raw) -> Result<Occurrence, SessionError> {
        let Raw { event, outcome, old, caught, .. } = raw;
        let mut number = |event: &Event| -> Result<u64, SessionError> {
            let number = numbers.number(event.thread, event.step).map_err(ReplayError::from)?;
            Ok(number.unwrap_or(event.step))
        };
        let step = number(&event)?;
        let caught = match caught {
            Some(caught) => Some(Caught { step: number(&caught)?, place: self.place(caught.method, caught.line) }),
            None => None,
        };
        let place = self.place(event.method, event.line);
        let text = match &event.kind {
            EventKind::CallReturned { result } => self.late_return(&event, *result),
            _ => self.notation(&event, outcome),
        };
        Ok(Occurrence { thread: event.thread, step, place, text, event, outcome, old, caught })
    }

    /// A call that was made before and has called recorded code meanwhile.
    fn late_return(&self, event: &Event, result: Option<Value>) -> String {
        let call = self.code(event.method).and_then(|code| code.call_at(event.pc));
        let name = call.map_or("…", |call| &*call.name);
        match result {
            Some(result) => format!("{name}(…) => {}", self.words(result)),
            None => format!("{name}(…)"),
        }
    }
}

fn placed(numbers: &mut StepNumbers<'_>, raw: Raw) -> Result<Placed<Raw>, SessionError> {
    let event = &raw.event;
    // A call has what it waited for when it is over, and a synchronized method its lock when it is entered.
    let is_over = matches!(event.kind, EventKind::CallReturned { .. } | EventKind::Enter { .. });
    let phase = if is_over { Phase::End } else { Phase::Start };
    let when = When { instruction: event.number, phase };
    let order = numbers.rank_when(event.thread, event.latest, when).map_err(ReplayError::from)?;
    // An entry at the very end of a thread belongs to a step that never came.
    let order = order.unwrap_or(Rank { steps: u64::MAX, sequence: u64::MAX });
    Ok((order, Raw { order, ..raw }))
}
