//! What a run is most likely looked at for: an exception that nobody recorded has caught.

use crate::numbers::StepNumbers;
use crate::session::{Session, SessionError};
use crate::state::Moments;
use crate::tests_of::Part;
use std::cmp::Reverse;
use std::ops::RangeInclusive;
use whydunit_replay::index::{Hit, Query, ThreadIndex};
use whydunit_replay::program::MethodIndex;
use whydunit_replay::{ReplayError, Value};
use whydunit_trace::ThreadId;

/// With these, frameworks of tests are told that a test does not apply.
const SKIPS: [&str; 4] = [
    "org/junit/AssumptionViolatedException",
    "org/junit/internal/AssumptionViolatedException",
    "org/opentest4j/TestAbortedException",
    "org/testng/SkipException",
];

/// Times that one exception is thrown again, at most.
const MOST_THROWS: usize = 20;

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

    /// All of the run, in its order; of many, the last ones of each thread. Tests that were skipped are none, nor are those
    /// that wait for the exception.
    pub fn failures(&self, moments: &Moments) -> Result<Vec<Failure>, SessionError> {
        let mut numbers = StepNumbers::new(moments);
        let mut failures = Vec::new();
        for index in moments.indexes() {
            for departure in index.departures() {
                let (exception, method) = (departure.exception(), departure.method());
                if self.is_wanted(exception, method)? {
                    continue;
                }
                let first = self.first_throw(index, departure.entered..=departure.left, exception)?;
                let step = first.map_or(departure.left, |hit| hit.step);
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

    /// Whether an exception only says that a test does not apply here, or is the one that the test waits for.
    fn is_wanted(&self, exception: Value, method: MethodIndex) -> Result<bool, SessionError> {
        let Value::Ref(exception) = exception else { return Ok(false) };
        Ok(self.is_of_any(exception, &SKIPS)?
            || match Part::of(self.program(), method) {
                Part::Test(expected) => self.is_expected(exception, &expected)?,
                Part::Constructor | Part::OfObject | Part::Shared => false,
            })
    }

    /// Where an exception was thrown first in some steps: handlers such as `finally` throw it again.
    pub(crate) fn first_throw(
        &self,
        index: &ThreadIndex,
        steps: RangeInclusive<u64>,
        exception: Value,
    ) -> Result<Option<Hit>, SessionError> {
        let mut first: Option<Hit> = None;
        for _ in 0..MOST_THROWS {
            // A frame below may throw it in the same step and after the same instruction.
            let order = |hit: &Hit| (hit.latest, hit.number, Reverse(hit.depth));
            let is_earlier = |hit: &Hit| first.as_ref().is_none_or(|first| order(hit) < order(first));
            let is_it = |hit: &Hit| hit.value == Some(exception) && is_earlier(hit);
            let until = first.as_ref().map_or(*steps.end(), |first| first.latest);
            let steps = *steps.start()..=until;
            let hit = index.last_in(self.program(), self.objects(), &Query::Thrown, steps, &is_it)?;
            match hit {
                Some(hit) => first = Some(hit),
                None => break,
            }
        }
        Ok(first)
    }
}
