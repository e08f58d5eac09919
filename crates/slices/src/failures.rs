//! What tasks have thrown: it comes out again where their futures are waited for, and where call-backs are told of it.

use crate::begun::Begun;
use crate::dependences::{Dependences, Executed, Position};
use crate::graph::{FrameInfo, Role};
use crate::wants::Unknown;
use whydunit_replay::ReplayError;
use whydunit_replay::index::Departure;
use whydunit_trace::{ObjectId, ThreadId};

/// Futures that are made of futures, at most.
const MOST_STAGES: usize = 8;

impl Dependences<'_> {
    /// The exception that has left the task of the future that a call has waited for, or of one that it was made of, and
    /// the thread in which it did.
    pub fn thrown_to_future(&self, reader: Executed) -> Result<Option<(ThreadId, Departure)>, ReplayError> {
        if !self.is_of_future(reader)? {
            return Ok(None);
        }
        let Some((future, _)) = self.stretch(reader.at)?.contents_read(reader.node).next() else { return Ok(None) };
        self.thrown_into(reader, future, self.maker(reader, future)?)
    }

    /// What has thrown the exception that a call has found in a future.
    pub(crate) fn failed_task(&self, reader: Executed) -> Result<Option<Executed>, ReplayError> {
        let has_thrown = self.describe(reader)?.is_some_and(|found| found.has_thrown);
        if !has_thrown || !self.is_call(reader)? {
            return Ok(None);
        }
        self.thrown_to_future(reader)?.map_or(Ok(None), |(thread, departure)| self.throw_of(thread, departure))
    }

    /// What has thrown the exception that unrecorded code tells a call-back of, if it found it in a future.
    pub(crate) fn told_failure(&self, told: Executed, exception: ObjectId) -> Result<Option<Executed>, ReplayError> {
        if !self.is_throwable(exception) {
            return Ok(None);
        }
        let call = self.call_back_of(told)?;
        let receiver = call.map_or(Ok(Vec::new()), |call| self.arguments_of(call))?.first().copied();
        let Some((future, maker)) = receiver.map_or(Ok(None), |receiver| self.future_given(receiver))? else {
            return Ok(None);
        };
        self.thrown_into(told, future, maker)?.map_or(Ok(None), |(thread, departure)| self.throw_of(thread, departure))
    }

    /// The call of unrecorded code that has told an instruction something: the call-back is run by it, or for it by
    /// another thread.
    fn call_back_of(&self, told: Executed) -> Result<Option<Executed>, ReplayError> {
        let stretch = self.stretch(told.at)?;
        if stretch.node(told.node).is_some_and(|node| node.argument().is_some()) {
            let call = stretch.inputs(told.node).iter().rfind(|input| input.role == Role::Address);
            return call.map_or(Ok(None), |call| Ok(self.find(told.at, call.origin)?.ok()));
        }
        match self.call_of(told)? {
            Err(Unknown::Function(capture)) => self.begun(Begun::Function(capture), self.entry_of(told)?),
            _ => Ok(None),
        }
    }

    /// The future that a method is called on, and who has made it.
    fn future_given(&self, receiver: Executed) -> Result<Option<(ObjectId, Option<Executed>)>, ReplayError> {
        let Some(found) = self.describe(receiver)?.filter(|found| found.node.argument() == Some(0)) else {
            return Ok(None);
        };
        let future = ObjectId(self.identity(receiver, found.node.bits)? as u32);
        if !self.is_future(future)? {
            return Ok(None);
        }
        Ok(Some((future, self.maker_behind(receiver, future)?)))
    }

    /// The exception that has left the task of a future, or of one that it was made of.
    fn thrown_into(
        &self,
        reader: Executed,
        mut future: ObjectId,
        mut maker: Option<Executed>,
    ) -> Result<Option<(ThreadId, Departure)>, ReplayError> {
        for _ in 0..MOST_STAGES {
            let Some((task, made)) = self.task_of(maker, future)? else { break };
            let methods = self.methods_of(task);
            let mut found = None;
            for (&thread, index) in &self.threads {
                // What the reader runs itself has not ended yet. Others are not ordered by a call that throws.
                let own = self.stretch(reader.at)?.lowest_entered(reader.node);
                let last = if thread == reader.thread() { own.saturating_sub(1) } else { u64::MAX };
                let may_be = |departure: &&Departure| {
                    departure.left <= last
                        && methods.as_ref().is_none_or(|methods| methods.contains(&departure.method()))
                };
                for departure in index.departures().iter().filter(may_be) {
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
            let Some(&receiver) = self.arguments_of(made)?.first() else { break };
            let Some(before) = self.future_given(receiver)? else { break };
            (future, maker) = before;
        }
        Ok(None)
    }

    /// What has thrown the exception that left the lowest frame of a thread.
    fn throw_of(&self, thread: ThreadId, departure: Departure) -> Result<Option<Executed>, ReplayError> {
        let index = self.index(thread)?;
        // The step that is under way then may go on in the stretches behind the one that it starts in.
        for segment in index.segment_before(departure.left)..=index.segment_before(departure.left + 1) {
            let at = Position { thread, segment };
            if let Some(node) = self.stretch(at)?.left_by(departure.entered) {
                return Ok(Some(Executed { at, node }));
            }
        }
        Ok(None)
    }

    /// The frames that have run in a step.
    fn frames_of(&self, at: Position, step: u64) -> Result<Vec<FrameInfo>, ReplayError> {
        let stretch = self.stretch(at)?;
        let nodes = stretch.of_step(step).iter().filter_map(|&id| stretch.node(id));
        Ok(nodes.filter_map(|node| stretch.frame(node.frame).copied()).collect())
    }

    fn is_throwable(&self, object: ObjectId) -> bool {
        let class = self.objects.class(object).ok().flatten();
        let above = class.map(|class| self.program.classes().supertypes(class)).unwrap_or_default();
        above.iter().any(|class| class.name == "java/lang/Throwable")
    }
}
