//! Whose result a future gives back: that of the task that was given away when the future was made.

use crate::dependences::{Dependences, Executed, Position};
use crate::graph::NodeId;
use crate::tasks::Task;
use std::cell::RefCell;
use whydunit_classfile::descriptor;
use whydunit_replay::ReplayError;
use whydunit_replay::index::{Hit, Query};
use whydunit_replay::program::{MethodIndex, Op};
use whydunit_trace::{LogKind, ObjectId};

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
        match failure.into_inner().map_or(found, Err)? {
            None => self.returned_unboxed(reader, task),
            found => Ok(found),
        }
    }

    /// What the task of a future has returned, if that was no object yet: references such as `Worker::count` leave it to
    /// the platform to box what the method returns.
    fn returned_unboxed(&self, reader: Executed, task: Task) -> Result<Option<Executed>, ReplayError> {
        let mut methods = self.methods_of(task).unwrap_or_default();
        methods.retain(|&method| self.gives_back_number(method));
        let before = self.end_of(reader)?;
        let mut best: Option<(u64, Hit)> = None;
        let others = self.threads.iter().filter(|(thread, _)| **thread != reader.thread());
        for ((&thread, index), &method) in others.flat_map(|other| methods.iter().map(move |method| (other, method))) {
            let end = self.order.steps_before(before.thread, before.step, thread)?;
            let failure: RefCell<Option<ReplayError>> = RefCell::default();
            let is_it = |hit: &Hit| {
                let is_run =
                    || self.is_run_of(hit, task).unwrap_or_else(|error| failure.replace(Some(error)).is_none());
                hit.depth == 0 && is_run()
            };
            let hit = index.last_in(self.program, self.objects, &Query::Entry(method), 1..=end, &is_it);
            let Some(hit) = failure.into_inner().map_or(hit, Err)? else { continue };
            let number = self.order.number_of(thread, hit.latest)?.unwrap_or_default();
            best = best.filter(|(known, _)| *known > number).or(Some((number, hit)));
        }
        best.map_or(Ok(None), |(_, entry)| self.return_of(&entry))
    }

    fn gives_back_number(&self, method: MethodIndex) -> bool {
        let member = self.program.method(method).map(|(_, member)| member);
        let result = member.and_then(|member| descriptor::return_type(&member.descriptor).ok().flatten());
        result.is_some_and(|(base, _)| LogKind::of(base) != LogKind::Reference)
    }

    /// The instruction by which the lowest frame of a thread was left that was entered.
    fn return_of(&self, entry: &Hit) -> Result<Option<Executed>, ReplayError> {
        let index = self.index(entry.thread)?;
        let Some(end) = index.end_of_call(self.program, self.objects, entry.step, entry.depth)? else {
            return Ok(None);
        };
        let at = Position { thread: entry.thread, segment: index.segment_of_instruction(end.number) };
        let stretch = self.stretch(at)?;
        let is_it = |id: NodeId| {
            let node = stretch.node(id)?;
            let frame = stretch.frame(node.frame).filter(|frame| (frame.depth, frame.entered) == (0, entry.step))?;
            let op = self.program.code(frame.method).ok()?.ops.get(node.pc() as usize)?;
            matches!(op, Op::Return(_)).then_some(id)
        };
        let found = stretch.nodes().filter_map(|(id, _)| is_it(id)).last();
        Ok(found.map(|node| Executed { at, node }))
    }

    /// What has returned the result of a future: its task, or if that is not known, the last that has returned the same.
    pub(crate) fn returned_to_future(&self, reader: Executed, item: ObjectId) -> Result<Option<Executed>, ReplayError> {
        match self.returned_for(reader, item)? {
            None => self.last_handed(item, self.end_of(reader)?, &|hit| self.is_return(hit)),
            found => Ok(found),
        }
    }

    /// Whether a call reads a future of the platform.
    pub(crate) fn is_of_future(&self, reader: Executed) -> Result<bool, ReplayError> {
        let read = self.stretch(reader.at)?.contents_read(reader.node).next();
        read.map_or(Ok(false), |(read, _)| self.is_future(read))
    }

    /// Whether an object is a future of the platform.
    pub(crate) fn is_future(&self, object: ObjectId) -> Result<bool, ReplayError> {
        let class = self.objects.class(object)?.and_then(|class| self.program.classes().get(class));
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
}
