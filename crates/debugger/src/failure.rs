//! What a run is most likely looked at for: an exception that nobody recorded has caught.

use crate::numbers::StepNumbers;
use crate::session::{Session, SessionError};
use crate::state::Moments;
use std::collections::VecDeque;
use std::ops::{ControlFlow, RangeInclusive};
use whydunit_replay::events::EventKind;
use whydunit_replay::index::{Hit, Query, ThreadIndex, Walk, WalkEnd};
use whydunit_replay::program::MethodIndex;
use whydunit_replay::state::FrameState;
use whydunit_replay::{ReplayError, Value};
use whydunit_trace::ThreadId;

/// Instructions to replay for one thread.
const BUDGET: u64 = 20_000_000;

/// Calls of unrecorded code in which something is thrown that are looked at in a long run, from its end on.
const MOST_CALLS: usize = 1000;

/// Times that one exception is thrown again, at most.
const MOST_THROWS: usize = 20;

/// Failures of one thread that are told, the last ones.
const MOST_FAILURES: usize = 100;

/// An exception that left all recorded code: it ended its thread, or a test failed with it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Failure {
    /// That threw it first; number among the steps of all threads.
    pub step: u64,
    pub thread: ThreadId,
    pub exception: Value,
    /// The lowest recorded method that it left, such as a test.
    pub method: MethodIndex,
}

impl Session {
    /// The last one of the run.
    pub fn failure(&self, moments: &Moments) -> Result<Option<Failure>, SessionError> {
        Ok(self.failures(moments)?.pop())
    }

    /// All of the run, as far as they are looked for, in its order.
    pub fn failures(&self, moments: &Moments) -> Result<Vec<Failure>, SessionError> {
        let mut numbers = StepNumbers::new(moments);
        let mut failures = Vec::new();
        for index in moments.indexes() {
            for Uncaught { entered, left, exception, method } in self.uncaught(index)? {
                let first = self.first_throw(index, entered..=left, exception)?;
                let step = first.map_or(left, |hit| hit.step);
                let number = numbers.number(index.thread(), step).map_err(ReplayError::from)?;
                failures.extend(number.map(|step| Failure { step, thread: index.thread(), exception, method }));
            }
        }
        failures.sort_by_key(|failure| failure.step);
        Ok(failures)
    }

    /// The last step of a thread that is called `main`, or of the run.
    pub fn end_of_main(&self, moments: &Moments) -> Result<Option<u64>, SessionError> {
        let main =
            moments.indexes().find(|index| self.thread_name(index.thread()) == Some("main") && index.steps() > 0);
        match main {
            Some(main) => moments.global_step(main.thread(), main.steps()),
            None => Ok(Some(moments.all_steps()).filter(|&steps| steps > 0)),
        }
    }

    /// Those of a thread; in a long run only the last one.
    fn uncaught(&self, index: &ThreadIndex) -> Result<Vec<Uncaught>, SessionError> {
        let mut all = VecDeque::new();
        let walk = Walk { from: 0, deepest: 0, lowest: None, budget: BUDGET, marks: &|_| None };
        let mut entered = 1;
        let end = index.walk(self.program(), self.objects(), &walk, &mut |event| {
            match event.kind {
                EventKind::Enter { .. } if event.depth == 0 => entered = event.step,
                EventKind::Unwind { exception } if event.depth == 0 => {
                    all.push_back(Uncaught { entered, left: event.latest, exception, method: event.method });
                    if all.len() > MOST_FAILURES {
                        all.pop_front();
                    }
                }
                _ => {}
            }
            ControlFlow::Continue(())
        })?;
        match end {
            WalkEnd::Exhausted => Ok(self.last_left_by_exception(index)?.into_iter().collect()),
            WalkEnd::Stopped | WalkEnd::Ended => Ok(all.into()),
        }
    }

    /// In a long run: the last call of unrecorded code that ended so, from throw to throw.
    fn last_left_by_exception(&self, index: &ThreadIndex) -> Result<Option<Uncaught>, SessionError> {
        let (program, objects) = (self.program(), self.objects());
        let mut until = index.steps();
        for _ in 0..MOST_CALLS {
            let Some(thrown) = index.last_in(program, objects, &Query::Thrown, 1..=until, &|_| true)? else { break };
            let Some(state) = index.state_at(program, objects, thrown.step)? else { break };
            let Some(&FrameState { entered, method, .. }) = state.frames.first() else { break };
            let end = index.end_of_call(program, objects, thrown.step, 0)?.filter(|end| end.is_exception);
            if let Some((end, exception)) = end.zip(thrown.value) {
                return Ok(Some(Uncaught { entered, left: end.latest, exception, method }));
            }
            until = entered.saturating_sub(1);
        }
        Ok(None)
    }

    /// Where an exception was thrown first in some steps: handlers such as `finally` throw it again.
    pub(crate) fn first_throw(
        &self,
        index: &ThreadIndex,
        steps: RangeInclusive<u64>,
        exception: Value,
    ) -> Result<Option<Hit>, SessionError> {
        let (entered, mut until) = (*steps.start(), *steps.end());
        let mut first = None;
        for _ in 0..MOST_THROWS {
            let is_it = |hit: &Hit| hit.value == Some(exception);
            let hit = index.last_in(self.program(), self.objects(), &Query::Thrown, entered..=until, &is_it)?;
            let Some(hit) = hit else { break };
            let before = hit.latest.checked_sub(1).filter(|&before| before >= entered);
            first = Some(hit);
            match before {
                Some(before) => until = before,
                None => break,
            }
        }
        Ok(first)
    }
}

/// A call that no recorded code made, and that an exception left.
struct Uncaught {
    entered: u64,
    left: u64,
    exception: Value,
    method: MethodIndex,
}
