//! One replay of a thread up to the failure, for the chronicle.

use super::chronicle::{Chronicle, Standing, Visit, Wanted};
use crate::nesting::chain;
use crate::session::{Session, SessionError};
use crate::tests_of::{is_check, is_of_tests};
use rustc_hash::{FxHashMap, FxHashSet};
use std::ops::RangeInclusive;
use whydunit_classfile::access;
use whydunit_model::{Flow, LoopId};
use whydunit_replay::ReplayError;
use whydunit_replay::index::ThreadIndex;
use whydunit_replay::interpreter::{At, Entry, Interruption, Observer, ThreadReplay, When};
use whydunit_replay::program::{Call, MethodCode, MethodIndex};
use whydunit_replay::steps::StepCounter;
use whydunit_trace::{LogKind, ObjectId, ThreadId};

pub(super) struct Scribe<'c, 's> {
    session: &'s Session,
    chronicle: &'c mut Chronicle,
    thread: ThreadId,
    steps: StepCounter,
    frames: Vec<Frame<'s>>,
    /// Whether methods are of tests.
    tests: FxHashMap<MethodIndex, bool>,
    /// Checks that held so far.
    held: u32,
    /// Steps that are asked for and have not come yet, in rising order.
    asked: &'c [u64],
    objects: &'c FxHashSet<ObjectId>,
    until: Until,
    /// Steps whose visits do not count, but for those of static initialisers: what is left of these.
    passed_over: &'c [RangeInclusive<u64>],
    /// Since the step of the failure has started.
    end: Option<End>,
    /// The last sequence number.
    sequence: u64,
    /// When all of interest is over: the last step.
    last: Option<u64>,
}

const INITIALISER: &str = "<clinit>";

/// How far a thread is of interest.
#[derive(Clone, Copy, Debug)]
pub(super) enum Until {
    /// To the end of the step in which the failure was seen.
    Step(u64),
    /// Up to a sequence number, which another thread had then.
    Sequence(u64),
}

/// Where the failure was seen.
pub(super) struct End {
    pub(super) sequence: u64,
    depth: usize,
    pub(super) methods: Vec<MethodIndex>,
    /// Internal names of the classes of the test.
    pub(super) tests: Vec<String>,
}

struct Frame<'s> {
    method: MethodIndex,
    flow: Option<&'s Flow>,
    this: Option<ObjectId>,
    /// Those of the asked objects that it was called on or given.
    asked: Vec<ObjectId>,
    is_test: bool,
    is_checking: bool,
    /// Of a static initialiser, or called by one.
    is_initialising: bool,
    /// Calls and loops around it.
    around: u32,
    innermost: Option<LoopId>,
    /// With the step that has started each.
    loops: Vec<(LoopId, u64)>,
    step: u64,
    line: Option<u32>,
}

impl<'c, 's> Scribe<'c, 's> {
    pub(super) fn new(
        session: &'s Session,
        chronicle: &'c mut Chronicle,
        thread: ThreadId,
        wanted: &'c Wanted,
        until: Until,
    ) -> Scribe<'c, 's> {
        Scribe {
            session,
            chronicle,
            thread,
            steps: StepCounter::default(),
            frames: Vec::new(),
            tests: FxHashMap::default(),
            held: 0,
            asked: wanted.steps.get(&thread).map(Vec::as_slice).unwrap_or_default(),
            objects: &wanted.objects,
            until,
            passed_over: if matches!(until, Until::Step(_)) { &wanted.passed_over } else { &[] },
            end: None,
            sequence: 0,
            last: None,
        }
    }

    /// With how many checks held before the failure. What belongs to other tests alone is not replayed.
    pub(super) fn write(&mut self, index: &ThreadIndex) -> Result<Option<(End, u32)>, SessionError> {
        let (program, objects) = (self.session.program(), self.session.objects());
        let mut under_way: Option<ThreadReplay<'_>> = None;
        for segment in 0..index.checkpoints() {
            if self.can_leave_out(index, segment)? {
                under_way = None;
                continue;
            }
            let replay = match &mut under_way {
                Some(replay) => replay,
                None => {
                    let checkpoint = index.checkpoint(segment).map_err(ReplayError::from)?;
                    let replay = ThreadReplay::from_snapshot(program, objects, self.thread, &checkpoint.replay)?;
                    self.sequence = index.sequences_of(segment).map_err(ReplayError::from)?.start;
                    self.take_up(checkpoint.steps, &replay);
                    under_way.insert(replay)
                }
            };
            match replay.run(self, index.end_of(segment)) {
                // The recording says no more.
                Err(ReplayError::Divergence(_)) => break,
                outcome => outcome?,
            };
            if self.last.is_some() {
                break;
            }
        }
        // What has called the failing code is not over, but all that it has called so far is beneath it.
        self.leave(0, self.last.unwrap_or(self.steps.steps()));
        Ok(self.end.take().map(|end| (end, self.held)))
    }

    /// Whether all of a segment belongs to one other test, and none of it was asked for.
    fn can_leave_out(&self, index: &ThreadIndex, segment: usize) -> Result<bool, SessionError> {
        let steps = index.steps_of(segment);
        // The one under way at its start, too.
        let (first, last) = (steps.start.saturating_sub(1), steps.end - 1);
        let test = self.passed_over.iter().find(|test| last <= *test.end());
        if test.is_none_or(|test| *test.start() > first) || self.asked.iter().any(|step| steps.contains(step)) {
            return Ok(false);
        }
        let summary = index.summary(segment).map_err(ReplayError::from)?;
        let program = self.session.program();
        let is_initialiser = |method| program.method(method).is_some_and(|(_, member)| &*member.name == INITIALISER);
        Ok(!summary.lines_run().any(|(method, _)| is_initialiser(method)))
    }

    /// The replay goes on somewhere else. In which loops the frames are that are there is not known: they are of other tests.
    fn take_up(&mut self, steps: StepCounter, replay: &ThreadReplay<'_>) {
        self.leave(0, self.steps.steps());
        self.steps = steps;
        for (depth, frame) in (0..).zip(replay.frames()) {
            let opened = self.frame(frame.code, replay.slots(frame));
            self.frames.push(Frame { step: self.steps.current(depth), line: frame.code.line(frame.pc), ..opened });
        }
    }

    /// Frames from a depth on have ended.
    fn leave(&mut self, depth: usize, latest: u64) {
        while self.frames.len() > depth {
            if let Some(frame) = self.frames.pop() {
                self.close((frame.method, frame.line), frame.step, latest);
            }
        }
    }

    fn close(&mut self, line: (MethodIndex, Option<u32>), step: u64, latest: u64) {
        let beneath = latest.saturating_sub(step);
        if beneath == 0 {
            return;
        }
        if let Some(known) = self.chronicle.standings.get_mut(&(self.thread, step)) {
            known.beneath = beneath;
        }
        if let Some(visits) = self.chronicle.lines.get_mut(&line) {
            visits.close(self.thread, step, beneath);
        }
    }

    fn step(&mut self, at: At<'_>, step: u64) {
        let line = at.line();
        let Some(frame) = self.frames.last_mut() else { return };
        let before = (frame.line, frame.step);
        frame.enter_loops(at, step);
        (frame.step, frame.line) = (step, line);
        let loops = frame.loops.iter().filter(|(_, by)| *by != step).count() as u32;
        let (method, level) = (frame.method, frame.around + 1 + loops);
        let objects = frame.asked.clone();
        let standing = Standing { level, calls: self.frames.len() as u32 - 1, beneath: 0 };
        self.close((method, before.0), before.1, step.saturating_sub(1));
        while self.asked.first().is_some_and(|&asked| asked <= step) {
            if self.asked.first() == Some(&step) {
                self.chronicle.standings.insert((self.thread, step), standing);
            }
            self.asked = &self.asked[1..];
        }
        if self.is_passed_over(step) {
            return;
        }
        let visits = self.chronicle.lines.entry((method, line)).or_default();
        let visit = Visit { thread: self.thread, step, standing };
        visits.add(visit, self.held);
        for object in objects {
            self.chronicle.around_objects.entry((object, (method, line))).or_default().add(visit, self.held);
        }
    }

    /// A frame above those that are there, with its first slots.
    fn frame(&mut self, code: &MethodCode, arguments: &[u64]) -> Frame<'s> {
        let session = self.session;
        let is_test = *self.tests.entry(code.index).or_insert_with(|| is_of_tests(session.program(), code.index));
        let below = self.frames.last();
        let is_static = code.access & access::STATIC != 0;
        Frame {
            method: code.index,
            flow: session.code(code.index).map(|code| session.flows().of(code)),
            this: arguments.first().filter(|_| !is_static).map(|&this| ObjectId(this as u32)),
            asked: given(code, arguments).filter(|object| self.objects.contains(object)).collect(),
            is_test,
            is_checking: false,
            is_initialising: &*code.name == INITIALISER || below.is_some_and(|below| below.is_initialising),
            around: below.map_or(0, |below| below.around + 1 + below.loops.len() as u32),
            innermost: None,
            loops: Vec::new(),
            step: self.steps.steps(),
            line: None,
        }
    }

    /// Steps are asked about in their order.
    fn is_passed_over(&mut self, step: u64) -> bool {
        while let Some((first, left)) = self.passed_over.split_first()
            && *first.end() < step
        {
            self.passed_over = left;
        }
        let is_of_other_test = self.passed_over.first().is_some_and(|first| first.contains(&step));
        is_of_other_test && !self.frames.last().is_some_and(|frame| frame.is_initialising)
    }

    fn end_at(&self, depth: usize) -> End {
        let tests = self.frames.iter().filter(|frame| frame.is_test);
        End {
            sequence: self.sequence,
            depth,
            methods: self.frames.iter().map(|frame| frame.method).collect(),
            tests: tests.flat_map(|frame| self.classes(frame)).collect(),
        }
    }

    /// Of a frame: of its method and of its object.
    fn classes(&self, frame: &Frame<'_>) -> Vec<String> {
        let program = self.session.program();
        let definition = program.method(frame.method).and_then(|(definition, _)| program.definition(definition));
        let mut names: Vec<String> = definition.map(|definition| definition.name.to_string()).into_iter().collect();
        let class = frame.this.and_then(|object| self.session.objects().class(object).ok().flatten());
        names.extend(class.and_then(|class| program.classes().get(class)).map(|class| class.name.to_string()));
        names
    }

    fn is_over_at(&self, depth: u32) -> bool {
        self.end.as_ref().is_some_and(|end| depth as usize <= end.depth)
    }

    fn left(&mut self, depth: u32) {
        if self.is_over_at(depth) {
            self.last = Some(self.steps.steps());
        } else {
            self.leave(depth as usize, self.steps.steps());
        }
    }
}

impl Frame<'_> {
    fn enter_loops(&mut self, at: At<'_>, step: u64) {
        let Some(flow) = self.flow else { return };
        let innermost = flow.innermost_loop(at.pc);
        if innermost == self.innermost {
            return;
        }
        self.innermost = innermost;
        let now = chain(flow, at.pc);
        self.loops.retain(|(id, _)| now.contains(id));
        for &id in &now {
            if self.loops.iter().all(|(known, _)| *known != id) {
                // `for (int i = 0; …` has started the loop in the visit before.
                let header = flow.loops().get(id.0 as usize).and_then(|one| at.code.line(one.header));
                let by = if self.line == header { self.step } else { step };
                self.loops.push((id, by));
            }
        }
    }
}

/// The objects that a method was called on or given. A constructor's own has no number yet.
fn given(code: &MethodCode, arguments: &[u64]) -> impl Iterator<Item = ObjectId> {
    let mut slot = usize::from(code.is_constructor);
    code.logged_arguments.iter().filter_map(move |&kind| {
        let bits = arguments.get(slot).copied();
        slot += usize::from(kind.slots());
        bits.filter(|_| kind == LogKind::Reference).map(|bits| ObjectId(bits as u32))
    })
}

impl Observer for Scribe<'_, '_> {
    fn interruption(&mut self, at: At<'_>) -> Option<Interruption> {
        if self.last.is_some() {
            return Some(Interruption::Pause);
        }
        if !self.steps.instruction(at) {
            return None;
        }
        let step = self.steps.steps();
        if self.is_over_at(at.depth) {
            self.last = Some(step - 1);
            return Some(Interruption::Pause);
        }
        self.leave(at.depth as usize + 1, step - 1);
        self.step(at, step);
        if matches!(self.until, Until::Step(failing) if failing == step) {
            self.end = Some(self.end_at(at.depth as usize));
        }
        None
    }

    fn entered(&mut self, at: At<'_>, arguments: &[u64], _entry: Entry) {
        self.leave(at.depth as usize, self.steps.steps());
        self.steps.entered(at.depth);
        let frame = self.frame(at.code, arguments);
        self.frames.push(frame);
    }

    fn returned(&mut self, at: At<'_>, _kind: LogKind, _bits: u64) {
        self.left(at.depth);
    }

    fn unwound(&mut self, at: At<'_>, _exception: u64) {
        self.left(at.depth);
    }

    fn synchronised(&mut self, sequence: u64, _when: When) {
        self.sequence = sequence;
        if matches!(self.until, Until::Sequence(end) if sequence > end) {
            self.last = Some(self.steps.steps());
        }
    }

    fn calling(&mut self, at: At<'_>, call: &Call, _arguments: &[u64]) {
        if let Some(frame) = self.frames.get_mut(at.depth as usize).filter(|frame| frame.is_test) {
            frame.is_checking = is_check(&call.owner, &call.name);
        }
    }

    fn called(&mut self, at: At<'_>, _call: &Call, _bits: u64) {
        if let Some(frame) = self.frames.get_mut(at.depth as usize)
            && std::mem::take(&mut frame.is_checking)
            && !self.is_passed_over(self.steps.steps())
        {
            self.held += 1;
        }
    }
}
