//! The calls at the bottom of a thread that belong to one test: those of the test's object, from its constructor on.

use crate::session::Session;
use crate::tests_of::{Part, TestEnd};
use rustc_hash::{FxHashMap, FxHashSet};
use std::mem;
use std::ops::RangeInclusive;
use whydunit_replay::ReplayError;
use whydunit_replay::index::{LowestCall, LowestEnd, ThreadIndex};
use whydunit_replay::program::MethodIndex;
use whydunit_trace::ObjectId;

pub(super) type CountedLine = (MethodIndex, u16);

/// Calls that belong together: a test with what prepares it and what comes after it, or no test.
#[derive(Debug)]
pub(super) struct Group {
    receiver: Option<ObjectId>,
    pub(super) test: Option<MethodIndex>,
    pub(super) steps: RangeInclusive<u64>,
    pub(super) lines: FxHashSet<CountedLine>,
    /// What has run of them since the test was over: the next test of the same object may need it, too.
    since_test: FxHashSet<CountedLine>,
    pub(super) end: TestEnd,
    /// The failure that is looked for is in it.
    pub(super) is_failing: bool,
}

impl Group {
    fn new(receiver: Option<ObjectId>, first: u64) -> Group {
        Group {
            receiver,
            test: None,
            steps: first..=first,
            lines: FxHashSet::default(),
            since_test: FxHashSet::default(),
            end: TestEnd::Passed,
            is_failing: false,
        }
    }

    fn add(&mut self, call: LowestCall, is_failing: bool) {
        self.steps = *self.steps.start()..=*call.steps.end();
        self.is_failing |= is_failing;
        if self.test.is_some() {
            self.since_test.extend(&call.lines);
        }
        self.lines.extend(call.lines);
    }
}

/// Puts the calls of a thread together.
pub(super) struct Groups<'c> {
    session: &'c Session,
    index: &'c ThreadIndex,
    parts: FxHashMap<MethodIndex, Part>,
    /// The constructor of an object that has no id yet.
    made: Option<Group>,
    open: Option<Group>,
}

impl<'c> Groups<'c> {
    pub(super) fn new(session: &'c Session, index: &'c ThreadIndex) -> Groups<'c> {
        Groups { session, index, parts: FxHashMap::default(), made: None, open: None }
    }

    /// Those that are complete with the next call.
    pub(super) fn add(&mut self, call: LowestCall, is_failing: bool) -> Result<Vec<Group>, ReplayError> {
        let program = self.session.program();
        let part = self.parts.entry(call.method).or_insert_with(|| Part::of(program, call.method)).clone();
        let end = self.end_of(&call, &part)?;
        let mut complete = Vec::new();
        match part {
            Part::Constructor => {
                // JUnit 3 makes the objects of all tests first: which one is of which is not known.
                complete.extend(self.made.replace(alone(call, is_failing, end)));
            }
            Part::OfObject if call.receiver.is_none() => complete.push(alone(call, is_failing, end)),
            Part::Shared => complete.push(alone(call, is_failing, end)),
            Part::Test(_) | Part::OfObject => {
                let is_test = matches!(part, Part::Test(_));
                let receiver = call.receiver;
                let is_same = |group: &mut Group| {
                    receiver.is_some() && group.receiver == receiver && !(is_test && group.test.is_some())
                };
                let mut group = match self.open.take_if(|group| is_same(group)) {
                    Some(group) => group,
                    None => self.next(receiver, *call.steps.start(), &mut complete),
                };
                let test = is_test.then_some(call.method);
                group.add(call, is_failing);
                group.end = worse(group.end, end);
                group.test = group.test.or(test);
                self.open = Some(group);
            }
        }
        Ok(complete)
    }

    /// Those that are left.
    pub(super) fn finish(self) -> impl Iterator<Item = Group> {
        self.made.into_iter().chain(self.open)
    }

    /// The group of another object, or of the next test of the same one.
    fn next(&mut self, receiver: Option<ObjectId>, first: u64, complete: &mut Vec<Group>) -> Group {
        let mut group = self.made.take().unwrap_or_else(|| Group::new(receiver, first));
        group.receiver = receiver;
        if let Some(mut before) = self.open.take() {
            if before.receiver == receiver {
                group.lines.extend(mem::take(&mut before.since_test));
            }
            complete.push(before);
        }
        group
    }

    fn end_of(&self, call: &LowestCall, part: &Part) -> Result<TestEnd, ReplayError> {
        match (part, call.end) {
            (Part::Test(expected), _) => self.session.test_end(self.index, call, expected),
            (_, LowestEnd::Returned) => Ok(TestEnd::Passed),
            _ => self.session.test_end(self.index, call, &[]),
        }
    }
}

/// What belongs to no object.
fn alone(call: LowestCall, is_failing: bool, end: TestEnd) -> Group {
    let mut group = Group::new(None, *call.steps.start());
    group.add(call, is_failing);
    group.end = end;
    group
}

/// How calls ended of which each has ended.
fn worse(one: TestEnd, other: TestEnd) -> TestEnd {
    match (one, other) {
        (TestEnd::Failed, _) | (_, TestEnd::Failed) => TestEnd::Failed,
        (TestEnd::Unknown, _) | (_, TestEnd::Unknown) => TestEnd::Unknown,
        (TestEnd::Passed, TestEnd::Passed) => TestEnd::Passed,
    }
}
