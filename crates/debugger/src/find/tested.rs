//! What other tests say of lines: one that a test has run which passed is less likely to be wrong.

use super::chronicle::CodeLine;
use super::tests_of::{TestEnd, is_test, test_end};
use crate::session::{Session, SessionError};
use crate::state::Moments;
use rustc_hash::{FxHashMap, FxHashSet};
use std::ops::{ControlFlow, RangeInclusive};
use whydunit_feedback::Tested;
use whydunit_replay::index::{GlobalOrder, LowestCall, ThreadIndex};
use whydunit_replay::program::MethodIndex;
use whydunit_replay::{Program, ReplayError};
use whydunit_trace::ThreadId;

/// Tests of some runs, other than the one that fails.
#[derive(Debug, Default)]
pub struct OtherTests {
    /// Of all of them, with none that was spared.
    tests: Tested,
    /// By method, with its class, and line.
    lines: FxHashMap<String, FxHashMap<u32, Tested>>,
    /// The first step of what the failing test consists of, in its thread.
    pub(super) start: u64,
}

impl OtherTests {
    /// All of them.
    pub fn tests(&self) -> Tested {
        self.tests
    }

    /// Those of another run of the same program.
    pub fn add(&mut self, other: OtherTests) {
        self.tests.add(other.tests);
        for (method, lines) in other.lines {
            let known = self.lines.entry(method).or_default();
            lines.into_iter().for_each(|(line, tested)| known.entry(line).or_default().add(tested));
        }
    }

    pub(super) fn of_line(&self, program: &Program, (method, line): CodeLine) -> Tested {
        if self.lines.is_empty() {
            return Tested::default();
        }
        let tested = || self.lines.get(&program.method_name(method))?.get(&line?).copied();
        let tested = tested().unwrap_or_default();
        Tested { spared: self.tests.failed.saturating_sub(tested.failed), ..tested }
    }
}

impl Session {
    /// The tests of this run, but for the one to which a step belongs.
    pub fn other_tests(&self, moments: &Moments, failing: Option<(ThreadId, u64)>) -> Result<OtherTests, SessionError> {
        let mut others = OtherTests::default();
        for index in moments.indexes() {
            let failing = failing.map(|(thread, step)| failing_in(moments, index, thread, step)).transpose()?;
            let mut counter = Counter { session: self, index, failing, ..Counter::new(self, index) };
            counter.count()?;
            others.tests.add(counter.tests);
            others.start = others.start.max(counter.start);
            for ((method, line), tested) in counter.all_lines() {
                let known = others.lines.entry(self.program().method_name(method)).or_default();
                known.entry(u32::from(line)).or_default().add(tested);
            }
        }
        Ok(others)
    }
}

/// Where a thread is when a step of a thread fails.
#[derive(Clone, Copy, Debug)]
struct Failing {
    /// The last step that has started.
    step: u64,
    is_own: bool,
}

fn failing_in(moments: &Moments, index: &ThreadIndex, thread: ThreadId, step: u64) -> Result<Failing, ReplayError> {
    if thread == index.thread() {
        return Ok(Failing { step, is_own: true });
    }
    let step = GlobalOrder::new(moments.indexes()).steps_before(thread, step, index.thread())?;
    Ok(Failing { step, is_own: false })
}

/// Goes through the tests of a thread.
struct Counter<'c> {
    session: &'c Session,
    index: &'c ThreadIndex,
    failing: Option<Failing>,
    tests: Tested,
    start: u64,
    lines: FxHashMap<CountedLine, Tested>,
    /// What has run once for all later tests, with the tests before.
    lasting: FxHashMap<CountedLine, Tested>,
}

type CountedLine = (MethodIndex, u16);

impl<'c> Counter<'c> {
    fn new(session: &'c Session, index: &'c ThreadIndex) -> Counter<'c> {
        Counter {
            session,
            index,
            failing: None,
            tests: Tested::default(),
            start: 0,
            lines: FxHashMap::default(),
            lasting: FxHashMap::default(),
        }
    }

    /// What ran since the test before belongs to a test: its constructor, and what prepares it.
    fn count(&mut self) -> Result<(), SessionError> {
        let (program, objects) = (self.session.program(), self.session.objects());
        let mut tests: FxHashMap<MethodIndex, bool> = FxHashMap::default();
        let mut ran: FxHashSet<CountedLine> = FxHashSet::default();
        let mut first = 1;
        self.index.for_each_lowest_call(program, objects, &mut |call| {
            let is_test = *tests.entry(call.method).or_insert_with(|| is_test(program, call.method));
            ran.extend(&call.lines);
            for &line in &call.initialising {
                self.lasting.entry(line).or_insert(self.tests);
            }
            if is_test || self.is_own_failing(&call.steps) {
                self.count_test(&call, first, &ran);
                ran.clear();
                first = call.steps.end() + 1;
            }
            ControlFlow::Continue(())
        })?;
        Ok(())
    }

    fn is_own_failing(&self, steps: &RangeInclusive<u64>) -> bool {
        self.failing.is_some_and(|failing| failing.is_own && steps.contains(&failing.step))
    }

    fn count_test(&mut self, call: &LowestCall, first: u64, ran: &FxHashSet<CountedLine>) {
        if self.is_own_failing(&call.steps) {
            self.start = first;
        }
        // A test may have threads of its own that fail.
        if self.failing.is_some_and(|failing| call.steps.contains(&failing.step)) {
            return;
        }
        let tested = match test_end(self.session, self.index, call) {
            TestEnd::Passed => Tested { passed: 1, ..Tested::default() },
            TestEnd::Failed => Tested { failed: 1, ..Tested::default() },
            TestEnd::Unknown => return,
        };
        self.tests.add(tested);
        for &line in ran {
            self.lines.entry(line).or_default().add(tested);
        }
    }

    fn all_lines(mut self) -> impl Iterator<Item = (CountedLine, Tested)> {
        for (line, before) in self.lasting {
            let (passed, failed) = (self.tests.passed - before.passed, self.tests.failed - before.failed);
            self.lines.insert(line, Tested { passed, failed, ..Tested::default() });
        }
        self.lines.into_iter().filter(|((_, line), _)| *line != 0)
    }
}
