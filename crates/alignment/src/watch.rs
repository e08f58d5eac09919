//! One side: a replay on a thread of its own that tells its events in batches, never far ahead of who reads them.

use crate::event::{Event, Tag};
use crate::shapes::{Detail, Shape, Shapes};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::Scope;
use whydunit_replay::interpreter::{
    At, ElementAccess, End, Entry, FieldAccess, Observer, Progress, ThreadReplay, When,
};
use whydunit_replay::program::{Call, MethodCode, Pc, SlotType};
use whydunit_replay::steps::StepCounter;
use whydunit_replay::{ObjectTable, ReplayError};
use whydunit_trace::{LogKind, ThreadId};

/// Instructions whose events are handed over at once, and how many batches may wait.
const BATCH: u64 = 1 << 14;
const WAITING: usize = 4;

/// The events of some instructions.
#[derive(Debug, Default)]
pub(crate) struct Batch {
    pub(crate) events: Vec<Event>,
    /// Instructions run.
    pub(crate) instructions: u64,
}

/// What a replay hands over: batches, and at last how it ended.
#[derive(Debug)]
pub(crate) struct Feed {
    pub(crate) batches: Receiver<Batch>,
    /// Batches to be filled again.
    pub(crate) used: SyncSender<Batch>,
    pub(crate) end: Receiver<Result<End, ReplayError>>,
}

/// Starts the replay of a thread. It ends early when nobody reads the feed any more.
pub(crate) fn start<'scope, 'e, 'p: 'scope>(
    scope: &'scope Scope<'scope, 'e>,
    shapes: &'p Shapes<'p>,
    objects: &'p ObjectTable,
    thread: ThreadId,
) -> Feed {
    let (batch_out, batches) = sync_channel(WAITING);
    let (used, used_in) = sync_channel(WAITING + 2);
    let (end_out, end) = sync_channel(1);
    scope.spawn(move || {
        let mut watch = Watch::new(shapes);
        let ended = replay(&mut watch, objects, thread, &batch_out, &used_in);
        // Nobody reads it when the comparison was broken off.
        let _ = end_out.send(ended.map(|end| end.unwrap_or(End::CutOff)));
    });
    Feed { batches, used, end }
}

fn replay(
    watch: &mut Watch<'_>,
    objects: &ObjectTable,
    thread: ThreadId,
    out: &SyncSender<Batch>,
    used: &Receiver<Batch>,
) -> Result<Option<End>, ReplayError> {
    let mut replay = ThreadReplay::new(watch.shapes.program(), objects, thread)?;
    loop {
        let before = replay.number();
        let progress = replay.run(watch, before + BATCH);
        let mut batch = used.try_recv().unwrap_or_default();
        batch.events.clear();
        std::mem::swap(&mut batch, &mut watch.batch);
        batch.instructions = replay.number() - before;
        if out.send(batch).is_err() {
            return Ok(None);
        }
        if let Progress::Ended(end) = progress? {
            return Ok(Some(end));
        }
    }
}

struct Watch<'p> {
    shapes: &'p Shapes<'p>,
    detail: Detail,
    steps: StepCounter,
    frames: Vec<Frame<'p>>,
    batch: Batch,
}

struct Frame<'p> {
    shape: &'p Shape,
    pc: Pc,
    is_call_back: bool,
    /// The instruction at `pc` goes on after a call-back.
    is_resumed: bool,
}

impl<'p> Watch<'p> {
    fn new(shapes: &'p Shapes<'p>) -> Watch<'p> {
        let detail = shapes.detail();
        Watch { shapes, detail, steps: StepCounter::default(), frames: Vec::new(), batch: Batch::default() }
    }

    #[inline]
    fn event(&self, at: At<'_>, tag: Tag) -> Event {
        let step = self.steps.current(at.depth);
        Event { tag, pc: at.pc, depth: at.depth, step, number: at.number, ..Event::END }
    }

    fn left(&mut self, depth: u32) {
        if let Some(frame) = self.frames.get(depth as usize)
            && frame.is_call_back
            && let Some(below) = depth.checked_sub(1).and_then(|below| self.frames.get_mut(below as usize))
        {
            below.is_resumed = true;
        }
        self.frames.truncate(depth as usize);
    }

    fn value(&mut self, event: Event) {
        if self.detail.has_values {
            self.batch.events.push(event);
        }
    }
}

impl Observer for Watch<'_> {
    #[inline]
    fn instruction(&mut self, at: At<'_>) {
        let starts_step = self.steps.instruction(at);
        let Some(frame) = self.frames.get_mut(at.depth as usize) else { return };
        let is_again = std::mem::take(&mut frame.is_resumed) && frame.pc == at.pc;
        frame.pc = at.pc;
        if frame.shape.is_point.get(at.pc as usize) == Some(&true) && !is_again {
            let event = Event { slot: u16::from(starts_step), ..self.event(at, Tag::Block) };
            self.batch.events.push(event);
        }
    }

    fn entered(&mut self, at: At<'_>, arguments: &[u64], entry: Entry) {
        self.steps.entered(at.depth);
        self.frames.truncate(at.depth as usize);
        let shape = self.shapes.of(at.code);
        let is_call_back = entry == Entry::CallBack;
        let below = at.depth.checked_sub(1);
        let enter = Event {
            step: self.steps.steps() + 1,
            pc: self.frames.last().map_or(0, |frame| frame.pc),
            slot: u16::from(is_call_back),
            extra: at.code.index.0,
            b: below.map_or(0, |below| self.steps.current(below)),
            ..self.event(at, Tag::Enter)
        };
        self.batch.events.push(enter);
        self.frames.push(Frame { shape, pc: 0, is_call_back, is_resumed: false });
        for &(slot, kind) in shape.parameters.iter().filter(|_| self.detail.has_values) {
            let a = arguments.get(usize::from(slot)).copied().unwrap_or_default();
            self.batch.events.push(Event { tag: Tag::Argument, kind, slot, a, ..enter });
        }
    }

    fn returned(&mut self, at: At<'_>, kind: LogKind, bits: u64) {
        let event = Event { kind, a: bits, ..self.event(at, Tag::Return) };
        self.batch.events.push(event);
        self.left(at.depth);
    }

    fn calling(&mut self, at: At<'_>, call: &Call, arguments: &[u64]) {
        let count = if self.detail.has_values { call.arguments.len() as u32 } else { 0 };
        let calling = Event { extra: count, b: u64::from(at.code.index.0), ..self.event(at, Tag::Calling) };
        self.batch.events.push(calling);
        let mut slot = 0;
        for &kind in call.arguments.iter().filter(|_| self.detail.has_values) {
            let a = arguments.get(usize::from(slot)).copied().unwrap_or_default();
            self.batch.events.push(Event { tag: Tag::Argument, kind, slot, a, ..calling });
            slot += kind.slots();
        }
    }

    fn called(&mut self, at: At<'_>, call: &Call, bits: u64) {
        let event = Event { kind: call.result, a: bits, ..self.event(at, Tag::Called) };
        self.batch.events.push(event);
    }

    fn thrown(&mut self, at: At<'_>) {
        let event = self.event(at, Tag::Thrown);
        self.batch.events.push(event);
    }

    fn unwound(&mut self, at: At<'_>, exception: u64) {
        let event = Event { kind: LogKind::Reference, a: exception, ..self.event(at, Tag::Unwound) };
        self.batch.events.push(event);
        self.left(at.depth);
    }

    fn caught(&mut self, at: At<'_>, exception: u64) {
        let from = self.frames.get(at.depth as usize).map_or(0, |frame| frame.pc);
        let event = Event { kind: LogKind::Reference, a: exception, extra: from, ..self.event(at, Tag::Caught) };
        self.batch.events.push(event);
    }

    #[inline]
    fn field_written(&mut self, at: At<'_>, access: FieldAccess) {
        let event = Event {
            kind: access.kind,
            extra: access.field,
            a: access.bits,
            b: access.object,
            slot: u16::from(access.is_static),
            ..self.event(at, Tag::Field)
        };
        self.value(event);
    }

    #[inline]
    fn element_written(&mut self, at: At<'_>, access: ElementAccess) {
        let event = Event {
            kind: access.kind,
            extra: access.index.cast_unsigned(),
            a: access.bits,
            b: access.array,
            ..self.event(at, Tag::Element)
        };
        self.value(event);
    }

    #[inline]
    fn local_written(&mut self, at: At<'_>, local: u16, kind: LogKind, bits: u64) {
        let event = Event { kind, slot: local, a: bits, ..self.event(at, Tag::Local) };
        self.value(event);
    }

    #[inline]
    fn local_read(&mut self, at: At<'_>, local: u16, bits: u64) {
        if self.detail.has_reads
            && let Some(kind) = kind_of(at.code, at.pc, local)
        {
            let event = Event { kind, slot: local, a: bits, ..self.event(at, Tag::ReadLocal) };
            self.batch.events.push(event);
        }
    }

    #[inline]
    fn field_read(&mut self, at: At<'_>, access: FieldAccess) {
        if self.detail.has_reads {
            let event =
                Event { kind: access.kind, extra: access.field, a: access.bits, ..self.event(at, Tag::ReadField) };
            self.batch.events.push(event);
        }
    }

    #[inline]
    fn element_read(&mut self, at: At<'_>, access: ElementAccess) {
        if self.detail.has_reads {
            let extra = access.index.cast_unsigned();
            let event = Event { kind: access.kind, extra, a: access.bits, ..self.event(at, Tag::ReadElement) };
            self.batch.events.push(event);
        }
    }

    #[inline]
    fn branched(&mut self, at: At<'_>, operands: [u64; 2], taken: bool) {
        let [a, b] = operands;
        let event = Event { slot: u16::from(taken), a, b, ..self.event(at, Tag::Branch) };
        self.batch.events.push(event);
    }

    #[inline]
    fn compared(&mut self, at: At<'_>, kind: LogKind, operands: [u64; 2]) {
        let [a, b] = operands;
        let event = Event { kind, a, b, ..self.event(at, Tag::Compared) };
        self.batch.events.push(event);
    }

    fn switched(&mut self, at: At<'_>, value: u64, to: Pc) {
        let event = Event { extra: to, a: value, ..self.event(at, Tag::Switch) };
        self.batch.events.push(event);
    }

    #[inline]
    fn identified(&mut self, temporary: u64, object: u64) {
        self.value(Event { tag: Tag::Identified, a: temporary, b: object, ..Event::END });
    }

    #[inline]
    fn synchronised(&mut self, sequence: u64, _when: When) {
        self.batch.events.push(Event { tag: Tag::Met, a: sequence, ..Event::END });
    }
}

/// What a local holds before an instruction.
fn kind_of(code: &MethodCode, pc: Pc, local: u16) -> Option<LogKind> {
    match code.types.before(pc).get(usize::from(local))? {
        SlotType::Int => Some(LogKind::Int),
        SlotType::Float => Some(LogKind::Float),
        SlotType::Long => Some(LogKind::Long),
        SlotType::Double => Some(LogKind::Double),
        SlotType::Reference => Some(LogKind::Reference),
        SlotType::Unset | SlotType::Second => None,
    }
}

/// Where a conditional jump goes on.
pub(crate) fn target_of(code: &MethodCode, pc: Pc, has_jumped: bool) -> Pc {
    let jump = code.ops.get(pc as usize).and_then(|op| op.jump_target());
    if has_jumped { jump.unwrap_or(pc + 1) } else { pc + 1 }
}
