//! Frames, variables and operands of a thread at the start of a step.

use crate::checkpoint::Checkpoint;
use crate::error::ReplayError;
use crate::events::Variable;
use crate::interpreter::{At, Entry, Frame, Interruption, Observer, Progress, ThreadReplay};
use crate::objects::ObjectTable;
use crate::program::{MethodIndex, Program, SlotType};
use crate::steps::StepCounter;
use crate::value::Value;
use whydunit_trace::{LogKind, ThreadId};

#[derive(Clone, Debug, PartialEq)]
pub struct State {
    pub thread: ThreadId,
    pub step: u64,
    /// Instructions of the thread before it.
    pub number: u64,
    /// Lowest first.
    pub frames: Vec<FrameState>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct FrameState {
    pub method: MethodIndex,
    pub line: Option<u32>,
    /// Address in the class file of the next instruction, or of the call that is under way.
    pub address: u32,
    /// The step that the frame is in.
    pub step: u64,
    /// The first step of the frame.
    pub entered: u64,
    pub is_call_back: bool,
    /// The locals that have a value.
    pub locals: Vec<Variable>,
    /// Lowest first; without the arguments of a call that is under way.
    pub operands: Vec<Value>,
}

/// Counts steps and pauses before the first instruction of the wanted one.
#[derive(Debug)]
pub(crate) struct StepWatch {
    pub(crate) steps: StepCounter,
    wanted: u64,
}

impl StepWatch {
    pub(crate) fn new(steps: StepCounter, wanted: u64) -> StepWatch {
        StepWatch { steps, wanted }
    }
}

impl Observer for StepWatch {
    #[inline]
    fn entered(&mut self, at: At<'_>, _arguments: &[u64], _entry: Entry) {
        self.steps.entered(at.depth);
    }

    #[inline]
    fn interruption(&mut self, at: At<'_>) -> Option<Interruption> {
        (self.steps.instruction(at) && self.steps.steps() == self.wanted).then_some(Interruption::Pause)
    }
}

/// The state at the start of a step that comes after the checkpoint; `None` when the thread has no such step.
pub fn state_after(
    program: &Program,
    objects: &ObjectTable,
    thread: ThreadId,
    checkpoint: Checkpoint,
    step: u64,
) -> Result<Option<State>, ReplayError> {
    if checkpoint.steps.steps() >= step {
        return Ok(None);
    }
    let mut replay = ThreadReplay::from_snapshot(program, objects, thread, &checkpoint.replay)?;
    let mut watch = StepWatch::new(checkpoint.steps, step);
    Ok(match replay.run(&mut watch, u64::MAX)? {
        Progress::Paused => Some(state_of(&replay, &watch.steps, step, usize::MAX)),
        Progress::Ended(_) => None,
    })
}

/// The state at the start of a step, by a replay from the start of the thread.
pub fn state_from_start(
    program: &Program,
    objects: &ObjectTable,
    thread: ThreadId,
    step: u64,
) -> Result<Option<State>, ReplayError> {
    let replay = ThreadReplay::new(program, objects, thread)?.snapshot();
    state_after(program, objects, thread, Checkpoint { steps: StepCounter::default(), replay }, step)
}

/// With the `newest` frames only.
pub(crate) fn state_of(replay: &ThreadReplay<'_>, steps: &StepCounter, step: u64, newest: usize) -> State {
    let frames = replay.frames().iter().zip(0..).skip(replay.frames().len().saturating_sub(newest));
    let frames = frames.map(|(frame, depth)| FrameState {
        method: frame.code.index,
        line: frame.code.line(frame.pc),
        address: address_of(frame),
        step: steps.current(depth),
        entered: steps.first(depth),
        is_call_back: frame.entry == Entry::CallBack,
        locals: locals_of(frame, replay.slots(frame)),
        operands: operands_of(frame, replay.slots(frame)),
    });
    State { thread: replay.thread(), step, number: replay.number(), frames: frames.collect() }
}

fn address_of(frame: &Frame<'_>) -> u32 {
    frame.code.addresses.get(frame.pc as usize).copied().unwrap_or_default()
}

fn locals_of(frame: &Frame<'_>, slots: &[u64]) -> Vec<Variable> {
    let types = frame.code.types.before(frame.pc);
    let locals = slots.iter().zip(types).zip(0..frame.code.max_locals);
    locals
        .filter_map(|((&bits, &slot_type), slot)| {
            let kind = kind_of(slot_type)?;
            let variable = frame.code.variable_at(slot, address_of(frame));
            let value = Value::of(kind, bits, variable.map(|variable| &*variable.descriptor));
            Some(Variable { name: variable.map(|variable| variable.name.clone()), slot, value })
        })
        .collect()
}

fn operands_of(frame: &Frame<'_>, slots: &[u64]) -> Vec<Value> {
    let types = frame.code.types.before(frame.pc);
    let operands = slots.iter().zip(types).skip(usize::from(frame.code.max_locals));
    operands.filter_map(|(&bits, &slot_type)| Some(Value::of(kind_of(slot_type)?, bits, None))).collect()
}

fn kind_of(slot_type: SlotType) -> Option<LogKind> {
    match slot_type {
        SlotType::Int => Some(LogKind::Int),
        SlotType::Float => Some(LogKind::Float),
        SlotType::Long => Some(LogKind::Long),
        SlotType::Double => Some(LogKind::Double),
        SlotType::Reference => Some(LogKind::Reference),
        SlotType::Unset | SlotType::Second => None,
    }
}
