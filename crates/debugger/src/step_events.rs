//! The events of one step in its own frame.

use crate::session::{Session, SessionError};
use crate::state::Moments;
use std::ops::ControlFlow;
use whydunit_replay::events::{Event, EventKind};
use whydunit_replay::index::Walk;
use whydunit_trace::ThreadId;

/// Instructions of the step and of what it calls.
const BUDGET: u64 = 20_000_000;

impl Session {
    /// What the frame at `depth` does in a step of its thread; of what it calls only entries and ends.
    pub(crate) fn events_of_step(
        &self,
        moments: &Moments,
        thread: ThreadId,
        step: u64,
        depth: u32,
    ) -> Result<Vec<Event>, SessionError> {
        let mut events = Vec::new();
        let Some(index) = moments.thread_index(thread) else { return Ok(events) };
        let walk = Walk { from: step, deepest: depth, lowest: Some(depth), budget: BUDGET, marks: &|_| None };
        index.walk(self.program(), self.objects(), &walk, &mut |event| {
            let is_own = event.depth == depth;
            if event.depth < depth || is_own && event.kind == EventKind::Step && event.step != step {
                return ControlFlow::Break(());
            }
            events.push(event.clone());
            let is_end = is_own && matches!(event.kind, EventKind::Return { .. } | EventKind::Unwind { .. });
            if is_end { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })?;
        Ok(events)
    }
}
