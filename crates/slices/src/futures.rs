//! Whose result a future gives back: that of the task that was given away when the future was made.

use crate::captures::{Capture, Values};
use crate::dependences::{Dependences, Executed, Position};
use crate::graph::{FrameInfo, Node, NodeId, Place};
use crate::wants::Unknown;
use std::cell::RefCell;
use whydunit_replay::ReplayError;
use whydunit_replay::index::{Departure, Hit};
use whydunit_replay::program::CallKind;
use whydunit_trace::{ObjectId, ThreadId};

/// What a future waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Task {
    Function(Capture),
    /// Of a recorded class.
    Object(ObjectId),
}

/// Futures that are made of futures, at most.
const MOST_STAGES: usize = 8;

/// Collections that a future is put into and taken out of again, at most.
const MOST_HANDS: usize = 4;

impl Dependences<'_> {
    /// The call-back that returned an item, if it was the task of the future that a call has the item from.
    pub(crate) fn returned_for(&self, reader: Executed, item: ObjectId) -> Result<Option<Executed>, ReplayError> {
        if !self.is_of_future(reader)? {
            return Ok(None);
        }
        let Some((future, _)) = self.stretch(reader.at)?.contents_read(reader.node).next() else { return Ok(None) };
        let maker = self.maker(reader, future)?;
        let Some((task, _)) = self.task_of(maker, future)? else { return Ok(None) };
        // What cannot be read ends the search, too.
        let failure: RefCell<Option<ReplayError>> = RefCell::default();
        let is_it = |hit: &Hit| {
            let is_run = || self.is_run_of(hit, task).unwrap_or_else(|error| failure.replace(Some(error)).is_none());
            self.is_return(hit) && is_run()
        };
        let found = self.last_handed(item, self.end_of(reader)?, &is_it);
        failure.into_inner().map_or(found, Err)
    }

    /// What has returned the result of a future: its task, or if that is not known, the last that has returned the same.
    pub(crate) fn returned_to_future(&self, reader: Executed, item: ObjectId) -> Result<Option<Executed>, ReplayError> {
        match self.returned_for(reader, item)? {
            None => self.last_handed(item, self.end_of(reader)?, &|hit| self.is_return(hit)),
            found => Ok(found),
        }
    }

    /// The exception that has left the task of the future that a call has waited for, or of one that it was made of, and
    /// the thread in which it did.
    pub fn thrown_to_future(&self, reader: Executed) -> Result<Option<(ThreadId, Departure)>, ReplayError> {
        if !self.is_of_future(reader)? {
            return Ok(None);
        }
        let Some((mut future, _)) = self.stretch(reader.at)?.contents_read(reader.node).next() else { return Ok(None) };
        let mut maker = self.maker(reader, future)?;
        for _ in 0..MOST_STAGES {
            let Some((task, made)) = self.task_of(maker, future)? else { break };
            let mut found = None;
            for (&thread, index) in &self.threads {
                // What the reader runs itself has not ended yet. Others are not ordered by a call that throws.
                let own = self.stretch(reader.at)?.lowest_entered(reader.node);
                let last = if thread == reader.thread() { own.saturating_sub(1) } else { u64::MAX };
                for departure in index.departures().iter().filter(|departure| departure.left <= last) {
                    let at = Position { thread, segment: index.segment_before(departure.entered) };
                    for frame in self.frames_of(at, departure.entered)? {
                        if frame.entered != departure.entered || !self.is_run_in(at, &frame, task)? {
                            continue;
                        }
                        // Of several that ran the same function, it is not known which one is meant.
                        if found.is_some_and(|known| known != (thread, *departure)) {
                            return Ok(None);
                        }
                        found = Some((thread, *departure));
                    }
                }
            }
            if found.is_some() {
                return Ok(found);
            }
            // `thenApply` makes a future of a future.
            let Some(receiver) = self.arguments_of(made)?.first().copied() else { break };
            let Some(found) = self.describe(receiver)?.filter(|found| found.node.argument() == Some(0)) else { break };
            future = ObjectId(self.identity(receiver, found.node.bits)? as u32);
            maker = self.maker_behind(receiver, future)?;
        }
        Ok(None)
    }

    /// The frames that have run in a step.
    fn frames_of(&self, at: Position, step: u64) -> Result<Vec<FrameInfo>, ReplayError> {
        let stretch = self.stretch(at)?;
        let nodes = stretch.of_step(step).iter().filter_map(|&id| stretch.node(id));
        Ok(nodes.filter_map(|node| stretch.frame(node.frame).copied()).collect())
    }

    /// Whether a call reads a future of the platform.
    pub(crate) fn is_of_future(&self, reader: Executed) -> Result<bool, ReplayError> {
        let Some((read, _)) = self.stretch(reader.at)?.contents_read(reader.node).next() else { return Ok(false) };
        let class = self.objects.class(read)?.and_then(|class| self.program.classes().get(class));
        let name = class.and_then(|class| class.name.strip_prefix("java/util/concurrent/"));
        Ok(name.is_some_and(|name| name.contains("Future")))
    }

    /// Whether a call has given a future its result, in place of its task.
    pub(crate) fn is_completed_by(&self, source: Option<Executed>) -> Result<bool, ReplayError> {
        let Some(found) = source.map(|source| self.describe(source)).transpose()?.flatten() else { return Ok(false) };
        let code = self.program.code(found.frame.method).ok();
        let call = code.and_then(|code| code.call_at(found.node.pc()));
        Ok(call.is_some_and(|call| matches!(&*call.name, "complete" | "completeOnTimeout" | "obtrudeValue")))
    }

    /// Whether it is known which task has given back what a call has got.
    pub(crate) fn is_followed_future(&self, reader: Executed) -> Result<bool, ReplayError> {
        let Some(found) = self.describe(reader)? else { return Ok(false) };
        let item = ObjectId(self.identity(reader, found.node.bits)? as u32);
        Ok(self.is_call(reader)? && self.returned_for(reader, item)?.is_some())
    }

    /// The task of a future, and the call that was given it.
    fn task_of(&self, mut maker: Option<Executed>, future: ObjectId) -> Result<Option<(Task, Executed)>, ReplayError> {
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
    fn arguments_of(&self, call: Executed) -> Result<Vec<Executed>, ReplayError> {
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
    fn is_run_of(&self, hit: &Hit, task: Task) -> Result<bool, ReplayError> {
        let segment = self.index(hit.thread)?.segment_of_instruction(hit.number);
        let at = Position { thread: hit.thread, segment };
        let stretch = self.stretch(at)?;
        let of_step = stretch.of_step(hit.step).iter().filter_map(|&id| stretch.node(id));
        let frame = of_step.filter(|node| node.pc() == hit.pc).find_map(|node| stretch.frame(node.frame));
        frame.map_or(Ok(false), |frame| self.is_run_in(at, frame, task))
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
}
