//! How a call ended before it came to a line.

use super::NotRun;
use super::call::CallScope;
use crate::causes::StepPlace;
use crate::session::{Session, SessionError};
use crate::state::Moments;
use whydunit_replay::Value;
use whydunit_replay::events::EventKind;
use whydunit_replay::index::{CallEnd, Hit, Query};
use whydunit_replay::naming::simple_name;

/// The exception that left a call.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LeftBy {
    /// `None` when the log does not tell.
    pub exception: Option<Value>,
    /// Where it was thrown first.
    pub thrown: Option<StepPlace>,
    /// Where the call was then.
    pub through: Option<StepPlace>,
}

impl Session {
    pub(super) fn how_call_ended(&self, moments: &Moments, call: &CallScope) -> Result<NotRun, SessionError> {
        let thread = call.thread;
        match call.end {
            None => self.still_running(moments, call),
            Some(end) if end.is_exception => {
                let by = self.left_by(moments, call, end)?;
                Ok(NotRun::Left { thread, end, by })
            }
            Some(end) => Ok(NotRun::Returned { thread, end }),
        }
    }

    fn left_by(&self, moments: &Moments, call: &CallScope, end: CallEnd) -> Result<LeftBy, SessionError> {
        let through = self.place_in_call(moments, call, end.latest)?;
        let Some(index) = moments.thread_index(call.thread) else {
            return Ok(LeftBy { exception: None, thrown: None, through });
        };
        let steps = *call.steps.start()..=end.latest;
        let is_inside = |hit: &Hit| hit.depth >= call.depth && hit.number <= end.number;
        let last = index.last_in(self.program(), self.objects(), &Query::Thrown, steps, &is_inside)?;
        let Some(last) = last else { return Ok(LeftBy { exception: None, thrown: None, through }) };
        let first = match last.value {
            Some(exception) => self.first_throw(index, *call.steps.start()..=end.latest, exception)?.unwrap_or(last),
            None => last,
        };
        let Hit { step, method, line, .. } = first;
        let thrown = StepPlace { thread: call.thread, step, method, line };
        Ok(LeftBy { exception: first.value, thrown: Some(thrown), through })
    }

    fn still_running(&self, moments: &Moments, call: &CallScope) -> Result<NotRun, SessionError> {
        let at = self.place_in_call(moments, call, moments.steps(call.thread))?;
        let calling = match at {
            None => None,
            Some(at) => {
                let events = self.events_of_step(moments, call.thread, at.step, call.depth)?;
                events.last().and_then(|event| match &event.kind {
                    EventKind::Call { class, name, .. } if class.is_empty() => Some(format!("{name}()")),
                    EventKind::Call { class, name, .. } => Some(format!("{}.{name}()", simple_name(class))),
                    _ => None,
                })
            }
        };
        Ok(NotRun::NotYet { at, calling })
    }

    /// Where the call is in a step of its thread.
    fn place_in_call(&self, moments: &Moments, call: &CallScope, step: u64) -> Result<Option<StepPlace>, SessionError> {
        let Some(state) = self.state(moments, call.thread, step)? else { return Ok(None) };
        let frame = state.frames.get(call.depth as usize).filter(|frame| frame.method == call.method);
        let place = |step, line| StepPlace { thread: call.thread, step, method: call.method, line };
        Ok(frame.map(|frame| place(frame.step, frame.line)))
    }
}
