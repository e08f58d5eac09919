//! Whose result a future gives back: that of the task that was given away when the future was made.

use crate::dependences::{Dependences, Executed, Position};
use crate::graph::NodeId;
use crate::tasks::Task;
use std::cell::RefCell;
use whydunit_classfile::descriptor;
use whydunit_replay::ReplayError;
use whydunit_replay::index::{Hit, Query};
use whydunit_replay::program::{MethodIndex, Op};
use whydunit_trace::stream::Content;
use whydunit_trace::{LogKind, ObjectId};

impl Dependences<'_> {
    /// The call-back that returned an item, if it was the task of the future that a call has the item from.
    pub(crate) fn returned_for(&self, reader: Executed, item: ObjectId) -> Result<Option<Executed>, ReplayError> {
        if !self.is_of_future(reader)? {
            return Ok(None);
        }
        let Some((future, _)) = self.stretch(reader.at)?.contents_read(reader.node).next() else { return Ok(None) };
        let maker = self.maker(reader, future)?;
        let Some((task, made)) = self.task_of(maker, future)? else { return Ok(None) };
        let found = accepted(
            |accept| self.last_handed(item, self.end_of(reader)?, accept),
            |hit| Ok(self.is_return(hit) && self.is_run_of(hit, task)?),
        )?;
        match found {
            None => self.returned_unboxed(reader, item, task, made),
            found => Ok(found),
        }
    }

    /// What the task of a future has returned, if that was no object yet: references such as `Worker::count` leave it to
    /// the platform to box what the method returns. Of several runs that have returned the same since the future was made,
    /// it is not known which one is meant.
    fn returned_unboxed(
        &self,
        reader: Executed,
        item: ObjectId,
        task: Task,
        made: Executed,
    ) -> Result<Option<Executed>, ReplayError> {
        let Some(Content::Boxed { bits }) = self.objects.content(item).ok().flatten() else { return Ok(None) };
        let mut methods = self.methods_of(task).unwrap_or_default();
        methods.retain(|&method| self.gives_back_number(method));
        let (made, before) = (self.number(made)?, self.end_of(reader)?);
        let mut found = None;
        let threads = self.threads.iter().flat_map(|thread| methods.iter().map(move |method| (thread, method)));
        for ((&thread, index), &method) in threads {
            let mut end = match thread == reader.thread() {
                true => self.stretch(reader.at)?.lowest_entered(reader.node).saturating_sub(1),
                false => self.order.steps_before(before.thread, before.step, thread)?,
            };
            while let Some(hit) = accepted(
                |accept| index.last_in(self.program, self.objects, &Query::Entry(method), 1..=end, accept),
                |hit| Ok(hit.depth == 0 && self.is_run_entered(thread, hit.step, task)?),
            )? {
                if self.order.number_of(thread, hit.step)?.is_none_or(|number| number < made) {
                    break;
                }
                let last = std::mem::replace(&mut end, hit.step.saturating_sub(1));
                let Some(returned) = self.return_of(&hit, last, bits)? else { continue };
                if found.replace(returned).is_some() {
                    return Ok(None);
                }
            }
        }
        Ok(found)
    }

    fn gives_back_number(&self, method: MethodIndex) -> bool {
        let member = self.program.method(method).map(|(_, member)| member);
        let result = member.and_then(|member| descriptor::return_type(&member.descriptor).ok().flatten());
        result.is_some_and(|(base, _)| LogKind::of(base) != LogKind::Reference)
    }

    /// The instruction by which the lowest frame of a thread was left that was entered, if it has returned a number until
    /// a step.
    fn return_of(&self, entry: &Hit, until: u64, number: u64) -> Result<Option<Executed>, ReplayError> {
        let index = self.index(entry.thread)?;
        let end = index.end_of_call(self.program, self.objects, entry.step, entry.depth)?;
        let Some(end) = end.filter(|end| end.latest <= until && !end.is_exception) else { return Ok(None) };
        let at = Position::whole(entry.thread, index.segment_of_instruction(end.number));
        let stretch = self.stretch(at)?;
        let is_it = |id: NodeId| {
            let node = stretch.node(id)?;
            let frame = stretch.frame(node.frame).filter(|frame| (frame.depth, frame.entered) == (0, entry.step))?;
            let Op::Return(kind) = self.program.code(frame.method).ok()?.ops.get(node.pc() as usize)? else {
                return None;
            };
            let is_same = if kind.slots() == 1 { node.bits as u32 == number as u32 } else { node.bits == number };
            is_same.then_some(id)
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
        let call = source.map(|source| self.call_made(source)).transpose()?.flatten();
        Ok(call.is_some_and(|call| matches!(&*call.name, "complete" | "completeOnTimeout" | "obtrudeValue")))
    }

    /// Whether it is known which task has given back what a call has got.
    pub(crate) fn is_followed_future(&self, reader: Executed) -> Result<bool, ReplayError> {
        let Some(found) = self.describe(reader)? else { return Ok(false) };
        let item = ObjectId(self.identity(reader, found.node.bits)? as u32);
        Ok(self.is_call(reader)? && self.returned_for(reader, item)?.is_some())
    }
}

/// What is found of what is accepted. What cannot be read ends the search, too.
fn accepted<T>(
    find: impl FnOnce(&dyn Fn(&Hit) -> bool) -> Result<T, ReplayError>,
    accept: impl Fn(&Hit) -> Result<bool, ReplayError>,
) -> Result<T, ReplayError> {
    let failure: RefCell<Option<ReplayError>> = RefCell::default();
    let found = find(&|hit| accept(hit).unwrap_or_else(|error| failure.replace(Some(error)).is_none()));
    failure.into_inner().map_or(found, Err)
}
