//! What a future waits for: the task that was given away when it was made.

use crate::captures::{Capture, Values};
use crate::dependences::{Dependences, Executed, Position};
use crate::graph::{FrameInfo, Node, NodeId, Place};
use crate::wants::Unknown;
use whydunit_replay::ReplayError;
use whydunit_replay::index::Hit;
use whydunit_replay::program::{CallKind, MethodIndex};
use whydunit_trace::{ObjectId, ThreadId};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Task {
    Function(Capture),
    /// Of a recorded class.
    Object(ObjectId),
}

/// Collections that a future is put into and taken out of again, at most.
const MOST_HANDS: usize = 4;

impl Dependences<'_> {
    /// The task of a future, and the call that was given it.
    pub(crate) fn task_of(
        &self,
        mut maker: Option<Executed>,
        future: ObjectId,
    ) -> Result<Option<(Task, Executed)>, ReplayError> {
        for _ in 0..MOST_HANDS {
            let Some(made) = maker else { break };
            for given in self.given_for(made, future)? {
                if let Some(task) = self.task_given(given)? {
                    return Ok(Some((task, made)));
                }
            }
            maker = self.maker_behind(made, future)?;
        }
        Ok(None)
    }

    /// The arguments of the call that has made an object, or what it was given when it was new.
    pub(crate) fn given_for(&self, maker: Executed, object: ObjectId) -> Result<Vec<Executed>, ReplayError> {
        let stretch = self.stretch(maker.at)?;
        let Some(&node) = stretch.node(maker.node) else { return Ok(Vec::new()) };
        if !self.is_call(maker)? {
            let put = stretch.changes().filter(|change| matches!(change.place, Place::Item(of, _) if of == object));
            return Ok(put.map(|change| Executed { at: maker.at, node: change.call }).collect());
        }
        let code = stretch.frame(node.frame).and_then(|frame| self.program.code(frame.method).ok());
        let call = code.and_then(|code| code.call_at(node.pc()));
        let has_receiver = call.is_some_and(|call| !matches!(call.kind, CallKind::Static | CallKind::Dynamic));
        let is_given = |argument: &Executed| {
            let argument = stretch.node(argument.node).and_then(|node| node.argument());
            !has_receiver || argument != Some(0)
        };
        Ok(self.arguments_of(maker)?.into_iter().filter(is_given).collect())
    }

    /// What passes the arguments of a call of unrecorded code, with the receiver.
    pub(crate) fn arguments_of(&self, call: Executed) -> Result<Vec<Executed>, ReplayError> {
        let stretch = self.stretch(call.at)?;
        let Some(&node) = stretch.node(call.node) else { return Ok(Vec::new()) };
        let is_argument = |other: &Node| {
            (other.step, other.pc(), other.frame) == (node.step, node.pc(), node.frame) && other.argument().is_some()
        };
        let behind = (call.node.0 + 1..).map(NodeId);
        let own = behind.take_while(|&id| stretch.node(id).is_some_and(is_argument));
        Ok(own.map(|node| Executed { at: call.at, node }).collect())
    }

    /// What an argument of a call is, if it is something that can be run.
    fn task_given(&self, argument: Executed) -> Result<Option<Task>, ReplayError> {
        let Some(found) = self.describe(argument)? else { return Ok(None) };
        let object = ObjectId(self.identity(argument, found.node.bits)? as u32);
        if let Some(made) = self.maker_behind(argument, object)? {
            let stretch = self.stretch(made.at)?;
            let captures = stretch.changes().filter(|change| change.call == made.node);
            let whole = captures.filter_map(|change| match change.place {
                Place::Captured(capture) if capture.slot.is_none() && capture.function.is_none() => Some(capture),
                _ => None,
            });
            let capture = whole.last().or(self.function_without_captures(made)?);
            if let Some(capture) = capture {
                return Ok(Some(Task::Function(capture)));
            }
        }
        let class = self.objects.class(object)?.and_then(|class| self.program.classes().get(class));
        Ok(class.filter(|class| class.definition.is_some()).map(|_| Task::Object(object)))
    }

    /// The function that an instruction makes, if it captures nothing.
    fn function_without_captures(&self, made: Executed) -> Result<Option<Capture>, ReplayError> {
        let Some(found) = self.describe(made)? else { return Ok(None) };
        let code = self.program.code(found.frame.method).ok();
        let function = code.and_then(|code| self.flows.made(self.program, code, found.node.pc()));
        let function = function.filter(|function| function.captured.is_empty());
        Ok(function.map(|function| Values::new(function, &[]).whole()))
    }

    /// Whether the lowest frame of a thread runs a task.
    pub(crate) fn is_run_of(&self, hit: &Hit, task: Task) -> Result<bool, ReplayError> {
        let segment = self.index(hit.thread)?.segment_of_instruction(hit.number);
        let at = Position::whole(hit.thread, segment);
        let stretch = self.stretch(at)?;
        let of_step = stretch.of_step(hit.step).iter().filter_map(|&id| stretch.node(id));
        let frame = of_step.filter(|node| node.pc() == hit.pc).find_map(|node| stretch.frame(node.frame));
        frame.map_or(Ok(false), |frame| self.is_run_in(at, frame, task))
    }

    /// Whether the lowest frame of a thread that was entered in a step runs a task.
    pub(crate) fn is_run_entered(&self, thread: ThreadId, step: u64, task: Task) -> Result<bool, ReplayError> {
        let at = Position::whole(thread, self.index(thread)?.segment_before(step));
        let frame = self.stretch(at)?.lowest_frame(step).copied();
        frame.map_or(Ok(false), |frame| self.is_run_in(at, &frame, task))
    }

    /// Whether a frame of a stretch is the lowest of its thread, and runs a task.
    fn is_run_in(&self, at: Position, frame: &FrameInfo, task: Task) -> Result<bool, ReplayError> {
        if frame.depth > 0 {
            return Ok(false);
        }
        let run = self.find(at, frame.call)?;
        let named = |receiver: Option<ObjectId>| {
            let bits = receiver.map(|object| u64::from(object.0));
            let functions = self.flows.naming(self.program, frame.method);
            functions.into_iter().any(|function| {
                let bits = bits.filter(|_| !function.captured.is_empty());
                task == Task::Function(Values::new(function, bits.as_slice()).whole())
            })
        };
        Ok(match run {
            Err(Unknown::Function(capture)) => task == Task::Function(capture),
            Err(Unknown::Given(object)) => task == Task::Object(object) || named(Some(object)),
            Err(Unknown::Outside) => named(None),
            _ => false,
        })
    }

    /// The methods that a task may run in the lowest frame of a thread; `None` for whichever.
    pub(crate) fn methods_of(&self, task: Task) -> Option<Vec<MethodIndex>> {
        match task {
            Task::Function(capture) => Some(self.flows.run_by(self.program, capture.run)),
            Task::Object(_) => None,
        }
    }
}
