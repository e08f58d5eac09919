//! What other tests say of lines: one that a test has run which passed is less likely to be wrong.

use super::chronicle::CodeLine;
use super::groups::{CountedLine, Group, Groups};
use crate::session::{Session, SessionError};
use crate::state::Moments;
use crate::tests_of::{TestEnd, may_have_tests};
use rustc_hash::{FxHashMap, FxHasher};
use std::hash::{Hash, Hasher};
use std::ops::{ControlFlow, RangeInclusive};
use whydunit_feedback::Tested;
use whydunit_replay::index::{GlobalOrder, LowestCall, LowestEnd, ThreadIndex};
use whydunit_replay::program::MethodIndex;
use whydunit_replay::{Program, ReplayError};
use whydunit_trace::ThreadId;

/// Tests of some runs, other than the one that fails.
#[derive(Debug, Default)]
pub struct OtherTests {
    /// Of all of them, with none that was spared.
    tests: Tested,
    /// By method and line.
    lines: FxHashMap<MethodKey, FxHashMap<u32, LineTests>>,
    /// What of the failing test's thread belongs to other tests, in the order of the run.
    pub(super) passed_over: Vec<RangeInclusive<u64>>,
    /// The method of the failing test, if it is one.
    failing: Option<String>,
}

/// Its name with its class, and a digest of its lines: those of another version of the code are others.
type MethodKey = (String, u64);

#[derive(Clone, Copy, Debug, Default)]
struct LineTests {
    tested: Tested,
    /// It has run for several tests at once, so that a test may have failed without it and because of it.
    is_shared: bool,
}

impl OtherTests {
    /// All of them.
    pub fn tests(&self) -> Tested {
        self.tests
    }

    /// Those of another run of the same program, but for the failing one. Whether there were any.
    pub fn add_run(&mut self, session: &Session, moments: &Moments) -> Result<bool, SessionError> {
        let excluded = self.failing.clone();
        let counted = Counted::of_run(session, moments, None, excluded.as_deref())?;
        let has_tests = counted.tests != Tested::default();
        self.add(session.program(), counted);
        Ok(has_tests)
    }

    /// Whether a step of the failing test's thread belongs to another test.
    pub(super) fn is_passed_over(&self, step: u64) -> bool {
        let after = self.passed_over.partition_point(|steps| *steps.start() <= step);
        after.checked_sub(1).is_some_and(|last| self.passed_over[last].contains(&step))
    }

    fn add(&mut self, program: &Program, counted: Counted) {
        self.tests.add(counted.tests);
        for ((method, line), found) in counted.lines {
            let Some(key) = key_of(program, method) else { continue };
            let known = self.lines.entry(key).or_default().entry(u32::from(line)).or_default();
            known.tested.add(found.tested);
            known.is_shared |= found.is_shared;
        }
    }

    pub(super) fn of_line(&self, program: &Program, (method, line): CodeLine) -> Tested {
        if self.lines.is_empty() {
            return Tested::default();
        }
        let known = || self.lines.get(&key_of(program, method)?)?.get(&line?).copied();
        let LineTests { tested, is_shared } = known().unwrap_or_default();
        let spared = if is_shared { 0 } else { self.tests.failed.saturating_sub(tested.failed) };
        Tested { spared, ..tested }
    }
}

fn key_of(program: &Program, method: MethodIndex) -> Option<MethodKey> {
    let code = program.code(method).ok()?;
    let mut hasher = FxHasher::default();
    code.lines.hash(&mut hasher);
    Some((program.method_name(method), hasher.finish()))
}

impl Session {
    /// The tests of this run, but for the one to which a step belongs.
    pub fn other_tests(&self, moments: &Moments, failing: (ThreadId, u64)) -> Result<OtherTests, SessionError> {
        let mut counted = Counted::of_run(self, moments, Some(failing), None)?;
        let mut others = OtherTests {
            passed_over: std::mem::take(&mut counted.passed_over),
            failing: counted.failing.take().map(|method| self.program().method_name(method)),
            ..OtherTests::default()
        };
        others.add(self.program(), counted);
        Ok(others)
    }
}

/// What was found out of one run.
#[derive(Default)]
struct Counted {
    tests: Tested,
    lines: FxHashMap<CountedLine, LineTests>,
    passed_over: Vec<RangeInclusive<u64>>,
    failing: Option<MethodIndex>,
}

/// Where a thread is when a step of a thread fails.
#[derive(Clone, Copy, Debug)]
struct Failing {
    /// The last step that has started.
    step: u64,
    is_own: bool,
}

impl Failing {
    /// Whether a call, or what it has begun, is what fails: a test may have threads of its own.
    fn is_in(self, call: &LowestCall) -> bool {
        let is_under_way = call.end != LowestEnd::Returned || self.step < *call.steps.end();
        call.steps.contains(&self.step) && (self.is_own || is_under_way)
    }
}

impl Counted {
    fn of_run(
        session: &Session,
        moments: &Moments,
        failing: Option<(ThreadId, u64)>,
        excluded: Option<&str>,
    ) -> Result<Counted, SessionError> {
        let mut counted = Counted::default();
        if !may_have_tests(session.program()) {
            return Ok(counted);
        }
        let order = GlobalOrder::new(moments.indexes());
        for index in moments.indexes() {
            let failing = match failing {
                Some((thread, step)) if thread == index.thread() => Some(Failing { step, is_own: true }),
                Some((thread, step)) => Some(Failing {
                    step: order.steps_before(thread, step, index.thread()).map_err(ReplayError::from)?,
                    is_own: false,
                }),
                None => None,
            };
            counted.count_thread(session, index, failing, excluded)?;
        }
        Ok(counted)
    }

    fn count_thread(
        &mut self,
        session: &Session,
        index: &ThreadIndex,
        failing: Option<Failing>,
        excluded: Option<&str>,
    ) -> Result<(), SessionError> {
        let (program, objects) = (session.program(), session.objects());
        let mut groups = Groups::new(session, index);
        let mut thread = OfThread { excluded, ..OfThread::default() };
        let mut failed = None;
        let mut add = |groups: &mut Groups<'_>, call: LowestCall| -> Result<(), ReplayError> {
            let is_failing = failing.is_some_and(|failing| failing.is_in(&call));
            for &line in &call.initialising {
                thread.share(line);
            }
            for group in groups.add(call, is_failing)? {
                thread.count(self, program, group, failing);
            }
            Ok(())
        };
        index.for_each_lowest_call(program, objects, &mut |call| match add(&mut groups, call) {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => {
                failed = Some(error);
                ControlFlow::Break(())
            }
        })?;
        if let Some(error) = failed {
            return Err(error.into());
        }
        for group in groups.finish() {
            thread.count(self, program, group, failing);
        }
        thread.finish(self);
        Ok(())
    }
}

/// The tests of one thread.
#[derive(Default)]
struct OfThread<'e> {
    excluded: Option<&'e str>,
    tests: Tested,
    lines: FxHashMap<CountedLine, Tested>,
    /// What has run for all later tests, with the tests before, if it is known for which.
    shared: FxHashMap<CountedLine, Option<Tested>>,
}

impl OfThread<'_> {
    fn share(&mut self, line: CountedLine) {
        self.shared.entry(line).or_insert(Some(self.tests));
    }

    fn count(&mut self, run: &mut Counted, program: &Program, group: Group, failing: Option<Failing>) {
        if group.is_failing {
            run.failing = run.failing.or(group.test);
            return;
        }
        let Some(test) = group.test else {
            // What did not end well has not prepared anything.
            let before = (group.end == TestEnd::Passed).then_some(self.tests);
            group.lines.into_iter().for_each(|line| {
                self.shared.entry(line).or_insert(before);
            });
            return;
        };
        if failing.is_some_and(|failing| failing.is_own && *group.steps.end() < failing.step) {
            run.passed_over.push(group.steps.clone());
        }
        let tested = match group.end {
            TestEnd::Passed => Tested { passed: 1, ..Tested::default() },
            TestEnd::Failed if self.excluded.is_some_and(|name| program.method_name(test) == name) => return,
            TestEnd::Failed => Tested { failed: 1, ..Tested::default() },
            TestEnd::Unknown => return,
        };
        self.tests.add(tested);
        for line in group.lines {
            self.lines.entry(line).or_default().add(tested);
        }
    }

    fn finish(self, run: &mut Counted) {
        run.tests.add(self.tests);
        let mut lines = self.lines;
        for (&line, before) in &self.shared {
            let known = lines.entry(line).or_default();
            if let Some(before) = before {
                known.passed = known.passed.max(self.tests.passed - before.passed);
                known.failed = known.failed.max(self.tests.failed - before.failed);
            }
        }
        for (line, tested) in lines.into_iter().filter(|((_, line), _)| *line != 0) {
            let known = run.lines.entry(line).or_default();
            known.tested.add(tested);
            known.is_shared |= self.shared.contains_key(&line);
        }
    }
}
