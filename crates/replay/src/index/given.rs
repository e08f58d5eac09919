//! What recorded code gave to unrecorded code: as arguments of calls, and as results of call-backs.
//!
//! Whoever asks for one object of a segment asks for others soon, so that all of a segment are kept.

use super::presence::Presence;
use super::query::{WriteKey, objects_given};
use super::{Hit, ThreadIndex};
use crate::error::ReplayError;
use crate::interpreter::{At, Entry, Observer, ThreadReplay};
use crate::objects::ObjectTable;
use crate::program::{Call, MethodIndex, Pc, Program};
use crate::steps::StepCounter;
use std::ops::RangeInclusive;
use whydunit_trace::{LogKind, ObjectId};

/// By object, those of one in the order of the run.
#[derive(Debug)]
pub(super) struct Given {
    all: Box<[Giving]>,
}

#[derive(Clone, Copy, Debug)]
struct Giving {
    object: ObjectId,
    method: MethodIndex,
    pc: Pc,
    depth: u32,
    step: u64,
    latest: u64,
    number: u64,
}

impl Given {
    fn of(&self, object: ObjectId) -> &[Giving] {
        let first = self.all.partition_point(|giving| giving.object < object);
        let behind = self.all.partition_point(|giving| giving.object <= object);
        &self.all[first..behind]
    }
}

impl ThreadIndex {
    /// The last time in some steps that an object was given to unrecorded code, of those that are accepted.
    pub fn last_given(
        &self,
        program: &Program,
        objects: &ObjectTable,
        object: ObjectId,
        steps: RangeInclusive<u64>,
        accept: &dyn Fn(&Hit) -> bool,
    ) -> Result<Option<Hit>, ReplayError> {
        let mut segments = self.segments_of(&steps);
        while let Some(segment) = self.last_write_in(&segments, &WriteKey::met(object))? {
            let given = self.given.get(segment, || self.given_in(program, objects, segment))?;
            let of_object = given.of(object).iter().rev().filter(|giving| steps.contains(&giving.latest));
            if let Some(hit) = of_object.map(|giving| self.hit(program, giving)).find(accept) {
                return Ok(Some(hit));
            }
            segments.end = segment;
        }
        Ok(None)
    }

    fn hit(&self, program: &Program, giving: &Giving) -> Hit {
        let &Giving { method, pc, depth, step, latest, number, .. } = giving;
        let line = program.code(method).ok().and_then(|code| code.line(pc));
        let thread = self.thread;
        Hit { thread, step, latest, number, method, pc, line, depth, value: None, object: None, element: None }
    }

    fn given_in(&self, program: &Program, objects: &ObjectTable, segment: usize) -> Result<Given, ReplayError> {
        let checkpoint = self.checkpoint(segment)?;
        let mut replay = ThreadReplay::from_snapshot(program, objects, self.thread, &checkpoint.replay)?;
        let is_call_back = |entry: Entry| entry == Entry::CallBack;
        let frames = (0..).zip(replay.frames()).filter(|(_, frame)| is_call_back(frame.entry));
        let call_backs = frames.map(|(depth, _)| depth).collect();
        let mut watcher = Watcher { steps: checkpoint.steps, call_backs, all: Vec::new() };
        match replay.run(&mut watcher, self.end_of(segment)) {
            // The index ends where the replay does, for whatever reason.
            Ok(_) | Err(ReplayError::Divergence(_)) => {}
            Err(error) => return Err(error),
        }
        watcher.all.sort_by_key(|giving| giving.object);
        Ok(Given { all: watcher.all.into() })
    }
}

struct Watcher {
    steps: StepCounter,
    /// Depths of the frames that unrecorded code called.
    call_backs: Vec<u32>,
    all: Vec<Giving>,
}

impl Watcher {
    fn note(&mut self, at: At<'_>, object: ObjectId) {
        let (step, latest) = (self.steps.current(at.depth), self.steps.steps());
        let (method, pc, depth, number) = (at.code.index, at.pc, at.depth, at.number);
        self.all.push(Giving { object, method, pc, depth, step, latest, number });
    }
}

impl Observer for Watcher {
    fn instruction(&mut self, at: At<'_>) {
        self.steps.instruction(at);
    }

    fn entered(&mut self, at: At<'_>, _arguments: &[u64], entry: Entry) {
        self.steps.entered(at.depth);
        if entry == Entry::CallBack {
            self.call_backs.push(at.depth);
        }
    }

    fn returned(&mut self, at: At<'_>, kind: LogKind, bits: u64) {
        if self.call_backs.last() == Some(&at.depth) {
            self.call_backs.pop();
            if kind == LogKind::Reference {
                self.note(at, ObjectId(bits as u32));
            }
        }
    }

    fn unwound(&mut self, at: At<'_>, _exception: u64) {
        if self.call_backs.last() == Some(&at.depth) {
            self.call_backs.pop();
        }
    }

    fn calling(&mut self, at: At<'_>, call: &Call, arguments: &[u64]) {
        let first = self.all.len();
        for object in objects_given(call, arguments) {
            if !self.all[first..].iter().any(|giving| giving.object == object) {
                self.note(at, object);
            }
        }
    }
}
