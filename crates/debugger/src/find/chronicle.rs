//! One walk through a run up to the failure: every line that ran, how often, with which checks, and where each step stands
//! in the tree of calls and loops.

use super::tests_of::{is_check, is_of_tests};
use crate::causes::Causes;
use crate::nesting::chain;
use crate::session::{Session, SessionError};
use rustc_hash::FxHashMap;
use std::num::NonZeroU32;
use std::ops::ControlFlow;
use whydunit_feedback::{History, Kinship};
use whydunit_model::LoopId;
use whydunit_replay::Value;
use whydunit_replay::events::{Event, EventKind};
use whydunit_replay::index::{ThreadIndex, Walk};
use whydunit_replay::naming::simple_name;
use whydunit_replay::program::MethodIndex;
use whydunit_trace::ThreadId;

/// Visits of a line that are remembered one by one: the first ones and as many of the last ones.
const REMEMBERED: usize = 2;

/// A line of a method.
pub(super) type CodeLine = (MethodIndex, Option<u32>);

#[derive(Debug, Default)]
pub(super) struct Chronicle {
    pub(super) lines: FxHashMap<CodeLine, LineVisits>,
    threads: FxHashMap<ThreadId, Vec<Standing>>,
}

/// Of a step.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Standing {
    /// Calls and loops around it; 1 in the lowest recorded frame.
    pub(super) level: u16,
    /// Calls around it; 0 in the lowest recorded frame.
    pub(super) calls: u16,
    /// How many steps its calls take.
    pub(super) beneath: u32,
    /// Of a step in a constructor.
    constructor: Option<NonZeroU32>,
}

#[derive(Clone, Debug, Default)]
pub(super) struct LineVisits {
    pub(super) history: History,
    pub(super) first: Vec<(ThreadId, u64)>,
    pub(super) last: Vec<(ThreadId, u64)>,
    /// The number of checks that had held when it last ran.
    epoch: Option<u32>,
}

impl LineVisits {
    fn add(&mut self, thread: ThreadId, step: u64, epoch: u32) {
        self.history.visits = self.history.visits.saturating_add(1);
        if self.first.len() < REMEMBERED {
            self.first.push((thread, step));
        } else {
            if self.last.len() == REMEMBERED {
                self.last.remove(0);
            }
            self.last.push((thread, step));
        }
        if self.epoch != Some(epoch) {
            self.history.held += u32::from(self.epoch.is_some());
            self.epoch = Some(epoch);
        }
    }
}

impl Chronicle {
    pub(super) fn standing(&self, thread: ThreadId, step: u64) -> Standing {
        let number = usize::try_from(step).ok();
        let steps = self.threads.get(&thread);
        steps.zip(number).and_then(|(steps, number)| steps.get(number)).copied().unwrap_or_default()
    }

    /// The steps in constructors that a step has called, with these.
    pub(super) fn constructing(&self, thread: ThreadId, step: u64) -> impl Iterator<Item = (u64, MethodIndex)> {
        let end = step + u64::from(self.standing(thread, step).beneath);
        let in_constructor = move |step: u64| {
            let constructor = self.standing(thread, step).constructor?;
            Some((step, MethodIndex(constructor.get() - 1)))
        };
        (step + 1..=end).filter_map(in_constructor)
    }

    /// Everything up to the failure in a step of a thread; all of the other threads.
    pub(super) fn of(causes: &Causes<'_>, thread: ThreadId, failing: u64) -> Result<Chronicle, SessionError> {
        let session = causes.session();
        let mut chronicle = Chronicle::default();
        for index in causes.moments().indexes() {
            let until = (index.thread() == thread).then_some(failing);
            let mut scribe = Scribe {
                session,
                chronicle: &mut chronicle,
                frames: Vec::new(),
                steps: Vec::new(),
                tests: FxHashMap::default(),
                held: 0,
                until,
                end: None,
            };
            scribe.write(index)?;
            let (held, steps, end) = (scribe.held, scribe.steps, scribe.end);
            chronicle.threads.insert(index.thread(), steps);
            if let Some(end) = end {
                chronicle.finish(session, &end, held);
            }
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

/// Where the failure was seen.
struct End {
    depth: usize,
    methods: Vec<MethodIndex>,
    /// Internal names of the classes of the test.
    tests: Vec<String>,
}

struct Scribe<'c, 's> {
    session: &'s Session,
    chronicle: &'c mut Chronicle,
    frames: Vec<Frame>,
    steps: Vec<Standing>,
    /// Whether methods are of tests.
    tests: FxHashMap<MethodIndex, bool>,
    /// Checks that held so far.
    held: u32,
    until: Option<u64>,
    /// Since the step of the failure has started.
    end: Option<End>,
}

struct Frame {
    method: MethodIndex,
    this: Option<Value>,
    is_test: bool,
    is_constructor: bool,
    is_checking: bool,
    /// With the step that has started each.
    loops: Vec<(LoopId, u64)>,
    step: u64,
    line: Option<u32>,
}

impl Scribe<'_, '_> {
    fn write(&mut self, index: &ThreadIndex) -> Result<(), SessionError> {
        let walk =
            Walk { from: 0, deepest: u32::MAX, lowest: None, budget: u64::MAX, marks: &|_| None, is_outline: true };
        index.walk(self.session.program(), self.session.objects(), &walk, &mut |event| self.note(event))?;
        Ok(())
    }

    fn note(&mut self, event: &Event) -> ControlFlow<()> {
        let depth = event.depth as usize;
        let is_over = self.end.as_ref().is_some_and(|end| depth <= end.depth);
        match &event.kind {
            EventKind::Enter { .. } => {
                self.leave(depth, event.latest);
                self.enter(event);
            }
            EventKind::Step if is_over => return self.stop(event.step.saturating_sub(1)),
            EventKind::Step => {
                self.leave(depth + 1, event.step);
                self.step(event);
                if self.until == Some(event.step) {
                    self.end = Some(self.end_at(depth));
                }
            }
            EventKind::Call { class, name, .. } => {
                if let Some(frame) = self.frames.get_mut(depth) {
                    frame.is_checking = frame.is_test && is_check(class, name);
                }
            }
            EventKind::CallReturned { .. } => {
                if let Some(frame) = self.frames.get_mut(depth)
                    && std::mem::take(&mut frame.is_checking)
                {
                    self.held += 1;
                }
            }
            EventKind::Return { .. } | EventKind::Unwind { .. } if is_over => return self.stop(event.latest),
            EventKind::Return { .. } | EventKind::Unwind { .. } => self.leave(depth, event.latest),
            _ => {}
        }
        ControlFlow::Continue(())
    }

    /// What has called the failing code is not over, but all that it has called so far is beneath it.
    fn stop(&mut self, latest: u64) -> ControlFlow<()> {
        self.leave(0, latest);
        ControlFlow::Break(())
    }

    fn end_at(&self, depth: usize) -> End {
        let tests = self.frames.iter().filter(|frame| frame.is_test);
        End {
            depth,
            methods: self.frames.iter().map(|frame| frame.method).collect(),
            tests: tests.flat_map(|frame| self.classes(frame)).collect(),
        }
    }

    fn enter(&mut self, event: &Event) {
        let program = self.session.program();
        let is_test = *self.tests.entry(event.method).or_insert_with(|| is_of_tests(program, event.method));
        self.frames.push(Frame {
            method: event.method,
            this: event.this,
            is_test,
            is_constructor: program.method(event.method).is_some_and(|(_, member)| &*member.name == "<init>"),
            is_checking: false,
            loops: Vec::new(),
            step: event.latest,
            line: None,
        });
    }

    /// Frames from a depth on have ended.
    fn leave(&mut self, depth: usize, latest: u64) {
        while self.frames.len() > depth {
            if let Some(frame) = self.frames.pop() {
                self.close(frame.step, latest);
            }
        }
    }

    fn close(&mut self, step: u64, latest: u64) {
        if let Some(known) = usize::try_from(step).ok().and_then(|step| self.steps.get_mut(step)) {
            known.beneath = u32::try_from(latest.saturating_sub(step)).unwrap_or(u32::MAX);
        }
    }

    fn step(&mut self, event: &Event) {
        let session = self.session;
        let Some(before) = self.frames.last().map(|frame| frame.step) else { return };
        self.close(before, event.step.saturating_sub(1));
        let around: usize = self.frames.iter().rev().skip(1).map(|frame| 1 + frame.loops.len()).sum();
        let Some(frame) = self.frames.last_mut() else { return };
        if let Some(code) = session.code(event.method) {
            let flow = session.flows().of(code);
            let now = chain(flow, event.pc);
            frame.loops.retain(|(id, _)| now.contains(id));
            for &id in &now {
                if frame.loops.iter().all(|(known, _)| *known != id) {
                    // `for (int i = 0; …` has started the loop in the visit before.
                    let header = flow.loops().get(id.0 as usize).and_then(|one| code.line(one.header));
                    let by = if frame.line == header { frame.step } else { event.step };
                    frame.loops.push((id, by));
                }
            }
        }
        (frame.step, frame.line) = (event.step, event.line);
        let constructor = NonZeroU32::new(event.method.0 + 1).filter(|_| frame.is_constructor);
        let loops = frame.loops.iter().filter(|(_, by)| *by != event.step).count();
        let level = u16::try_from(around + 1 + loops).unwrap_or(u16::MAX);
        let calls = u16::try_from(self.frames.len() - 1).unwrap_or(u16::MAX);
        if let Ok(number) = usize::try_from(event.step) {
            self.steps.resize(self.steps.len().max(number + 1), Standing::default());
            self.steps[number].level = level;
            self.steps[number].calls = calls;
            self.steps[number].constructor = constructor;
        }
        let line = self.chronicle.lines.entry((event.method, event.line)).or_default();
        line.add(event.thread, event.step, self.held);
    }

    /// Of a frame: of its method and of its object.
    fn classes(&self, frame: &Frame) -> Vec<String> {
        let program = self.session.program();
        let definition = program.method(frame.method).and_then(|(definition, _)| program.definition(definition));
        let mut names: Vec<String> = definition.map(|definition| definition.name.to_string()).into_iter().collect();
        if let Some(Value::Ref(object)) = frame.this {
            let class = self.session.objects().class(object).ok().flatten();
            names.extend(class.and_then(|class| program.classes().get(class)).map(|class| class.name.to_string()));
        }
        names
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
