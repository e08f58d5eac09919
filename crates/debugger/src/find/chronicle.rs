//! What is known of every line that ran up to the failure: how often, with which checks, and where its steps stand in the
//! tree of calls and loops.

use super::scribe::{End, Scribe, Until};
use crate::causes::Causes;
use crate::session::{Session, SessionError};
use rustc_hash::{FxHashMap, FxHashSet};
use std::ops::RangeInclusive;
use whydunit_feedback::{History, Kinship};
use whydunit_replay::index::ThreadIndex;
use whydunit_replay::naming::simple_name;
use whydunit_replay::program::MethodIndex;
use whydunit_trace::{ObjectId, ThreadId};

/// Visits of a line that are remembered one by one: the first ones and as many of the last ones.
const REMEMBERED: usize = 2;

/// A line of a method.
pub(super) type CodeLine = (MethodIndex, Option<u32>);

#[derive(Debug, Default)]
pub(super) struct Chronicle {
    pub(super) lines: FxHashMap<CodeLine, LineVisits>,
    /// Of the steps that were asked for.
    pub(super) standings: FxHashMap<(ThreadId, u64), Standing>,
    /// Of the objects that were asked for: the lines of methods that were called on them or were given them.
    pub(super) around_objects: FxHashMap<(ObjectId, CodeLine), LineVisits>,
}

/// What is to be told beyond the lines.
#[derive(Debug, Default)]
pub(super) struct Wanted {
    /// Steps of which it is to be told where they stand, by thread, in rising order.
    pub(super) steps: FxHashMap<ThreadId, Vec<u64>>,
    pub(super) objects: FxHashSet<ObjectId>,
    /// What of the failing thread belongs to other tests, in the order of the run: their visits say nothing of the failure.
    pub(super) passed_over: Vec<RangeInclusive<u64>>,
}

/// Of a step.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Standing {
    /// Calls and loops around it; 1 in the lowest recorded frame.
    pub(super) level: u32,
    /// Calls around it; 0 in the lowest recorded frame.
    pub(super) calls: u32,
    /// How many steps its calls take.
    pub(super) beneath: u64,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Visit {
    pub(super) thread: ThreadId,
    pub(super) step: u64,
    pub(super) standing: Standing,
}

#[derive(Clone, Debug, Default)]
pub(super) struct LineVisits {
    pub(super) history: History,
    first: Vec<Visit>,
    last: Vec<Visit>,
    /// The number of checks that had held when it last ran.
    epoch: Option<u32>,
}

impl LineVisits {
    pub(super) fn add(&mut self, visit: Visit, epoch: u32) {
        self.history.visits = self.history.visits.saturating_add(1);
        if self.first.len() < REMEMBERED {
            self.first.push(visit);
        } else if self.last.len() < REMEMBERED {
            self.last.push(visit);
        } else {
            self.last.rotate_left(1);
            self.last[REMEMBERED - 1] = visit;
        }
        if self.epoch != Some(epoch) {
            self.history.held += u32::from(self.epoch.is_some());
            self.epoch = Some(epoch);
        }
    }

    pub(super) fn visits(&self) -> impl Iterator<Item = &Visit> {
        self.first.iter().chain(&self.last)
    }

    /// What the calls of a step take is known when they are over.
    pub(super) fn close(&mut self, thread: ThreadId, step: u64, beneath: u64) {
        let is_it = |visit: &&mut Visit| (visit.thread, visit.step) == (thread, step);
        if let Some(visit) = self.first.iter_mut().chain(&mut self.last).find(is_it) {
            visit.standing.beneath = beneath;
        }
    }
}

impl Chronicle {
    /// Everything up to the failure in a step of a thread, of all threads.
    pub(super) fn of(
        causes: &Causes<'_>,
        thread: ThreadId,
        failing: u64,
        wanted: &Wanted,
    ) -> Result<Chronicle, SessionError> {
        let session = causes.session();
        let mut chronicle = Chronicle::default();
        let write = |chronicle: &mut Chronicle, index: &ThreadIndex, until: Until| {
            Scribe::new(session, chronicle, index.thread(), wanted, until).write(index)
        };
        let Some(own) = causes.moments().thread_index(thread) else { return Ok(chronicle) };
        let end = write(&mut chronicle, own, Until::Step(failing))?;
        let sequence = end.as_ref().map_or(u64::MAX, |(end, _)| end.sequence);
        for index in causes.moments().indexes().filter(|index| index.thread() != thread) {
            write(&mut chronicle, index, Until::Sequence(sequence))?;
        }
        if let Some((end, held)) = end {
            chronicle.finish(session, &end, held);
        }
        Ok(chronicle)
    }

    /// What is known only when the failure has come.
    fn finish(&mut self, session: &Session, end: &End, held: u32) {
        for ((method, _), line) in &mut self.lines {
            let is_recent = line.epoch == Some(held);
            line.history.is_recent = is_recent;
            line.history.held += u32::from(line.epoch.is_some() && !is_recent);
            line.history.is_on_stack = end.methods.contains(method);
            line.history.kinship = session.kinship(*method, &end.tests);
        }
    }
}

impl Session {
    fn kinship(&self, method: MethodIndex, tests: &[String]) -> Kinship {
        let program = self.program();
        let definition = program.method(method).and_then(|(definition, _)| program.definition(definition));
        let Some(definition) = definition else { return Kinship::None };
        let name: &str = &definition.name;
        let outer = name.split('$').next().unwrap_or(name);
        let package = |name: &str| name.rsplit_once('/').map(|(package, _)| package.to_owned());
        let is_named = |test: &String| {
            let test = simple_name(test.split('$').next().unwrap_or(test));
            let subject = test.replace("Abstract", "").replace("TestCase", "").replace("Tests", "").replace("Test", "");
            !subject.is_empty() && simple_name(outer).replace("Abstract", "") == subject
        };
        if tests.iter().any(is_named) {
            Kinship::Class
        } else if tests.iter().any(|test| package(test) == package(outer)) {
            Kinship::Package
        } else {
            Kinship::None
        }
    }
}
