//! What tasks have thrown: it comes out again where their futures are waited for, and where call-backs are told of it.

use crate::begun::Begun;
use crate::dependences::{Dependences, Executed, Position};
use crate::graph::Role;
use crate::tasks::Task;
use crate::wants::Unknown;
use whydunit_replay::index::{Departure, Hit, Query};
use whydunit_replay::program::Pc;
use whydunit_replay::{ReplayError, Value};
use whydunit_trace::{ObjectId, ThreadId};

/// Exceptions that say no more than that a task has thrown one.
const OF_TASKS: [&str; 2] = ["java/util/concurrent/ExecutionException", "java/util/concurrent/CompletionException"];

/// Calls that make a future of one which may have failed, and that has not.
const HANDLING: [&str; 2] = ["handle", "exceptionally"];

/// Futures that are made of futures, at most.
const MOST_STAGES: usize = 8;

/// Exceptions that have left threads among which that of a task is looked for: each may take a look at another stretch.
const MOST_LEFT: usize = 400;

impl Dependences<'_> {
    /// The exception that has left the task of the future that a call has waited for, or of one that it was made of, and
    /// the thread in which it did.
    pub fn thrown_to_future(&self, reader: Executed) -> Result<Option<(ThreadId, Departure)>, ReplayError> {
        if !self.is_of_future(reader)? || !self.has_found_failure(reader)? {
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

    /// Whether a call has thrown because a task has; it may have waited too long, or have been interrupted.
    fn has_found_failure(&self, reader: Executed) -> Result<bool, ReplayError> {
        let Some(found) = self.describe(reader)? else { return Ok(false) };
        let (step, pc) = (found.node.step, found.node.pc());
        let is_it = |hit: &Hit| (hit.step, hit.pc) == (step, pc);
        let steps = step..=self.end_of(reader)?.step;
        let hit = self.index(reader.thread())?.last_in(self.program, self.objects, &Query::Thrown, steps, &is_it)?;
        Ok(hit.is_some_and(|hit| matches!(hit.value, Some(Value::Ref(thrown)) if self.is_one_of(thrown, &OF_TASKS))))
    }

    /// What has thrown the exception that unrecorded code tells a call-back of, if it found it in a future.
    pub(crate) fn told_failure(&self, told: Executed, exception: ObjectId) -> Result<Option<Executed>, ReplayError> {
        if !self.is_one_of(exception, &["java/lang/Throwable"]) {
            return Ok(None);
        }
        let call = self.call_back_of(told)?;
        let receiver = call.map_or(Ok(Vec::new()), |call| self.arguments_of(call))?.first().copied();
        let Some((future, maker)) = receiver.map_or(Ok(None), |receiver| self.future_given(receiver))? else {
            return Ok(None);
        };
        let Some((thread, departure)) = self.thrown_into(told, future, maker)? else { return Ok(None) };
        let is_it = departure.exception() == Value::Ref(exception) || self.is_one_of(exception, &OF_TASKS);
        if is_it { self.throw_of(thread, departure) } else { Ok(None) }
    }

    /// The call of unrecorded code that has told an instruction something: the call-back is run by it, or for it by
    /// another thread.
    fn call_back_of(&self, told: Executed) -> Result<Option<Executed>, ReplayError> {
        let stretch = self.stretch(told.at)?;
        if stretch.node(told.node).is_some_and(|node| node.argument().is_some()) {
            let call = stretch.inputs(told.node).iter().rfind(|input| input.role == Role::Address);
            return call.map_or(Ok(None), |call| Ok(self.find(told.at, call.origin)?.ok()));
        }
        let Err(Unknown::Function(capture)) = self.call_of(told)? else { return Ok(None) };
        let Some(call) = self.begun(Begun::Function(capture), self.entry_of(told)?)? else { return Ok(None) };
        Ok(if self.is_given_once(told, call)? { Some(call) } else { None })
    }

    /// Whether no other call was given what a call was given to call back later: a function that several futures have does
    /// not tell which of them has called it.
    fn is_given_once(&self, told: Executed, call: Executed) -> Result<bool, ReplayError> {
        let Some(made) = self.describe(call)? else { return Ok(false) };
        let place: (ThreadId, u64, Pc) = (call.thread(), made.node.step, made.node.pc());
        let is_other = |hit: &Hit| (hit.thread, hit.step, hit.pc) != place;
        let before = self.entry_of(told)?;
        for argument in self.arguments_of(call)?.into_iter().skip(1) {
            let Some(found) = self.describe(argument)?.filter(|found| found.node.bits != 0) else { continue };
            let given = ObjectId(self.identity(argument, found.node.bits)? as u32);
            if self.last_handed(given, before, &is_other)?.is_some() {
                return Ok(false);
            }
        }
        Ok(true)
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
            match self.departures_of(reader, task, made)?.as_deref() {
                Some([found]) => return Ok(Some(*found)),
                Some([]) if !self.is_handling(made)? => {}
                // Of several that ran the same function, it is not known which one is meant.
                _ => break,
            }
            // `thenApply` makes a future of a future.
            let Some(&receiver) = self.arguments_of(made)?.first() else { break };
            let Some(before) = self.future_given(receiver)? else { break };
            (future, maker) = before;
        }
        Ok(None)
    }

    /// The exceptions that have left runs of a task since its future was made; `None` if there may be others. Threads are
    /// not ordered by a call that throws, so that later ones are among them.
    fn departures_of(
        &self,
        reader: Executed,
        task: Task,
        made: Executed,
    ) -> Result<Option<Vec<(ThreadId, Departure)>>, ReplayError> {
        let (made, methods) = (self.number(made)?, self.methods_of(task));
        // What the reader runs itself has not ended yet.
        let own = self.stretch(reader.at)?.lowest_entered(reader.node);
        let (mut found, mut looked_at) = (Vec::new(), 0);
        for (&thread, index) in &self.threads {
            let is_later = |departure: &Departure| -> Result<bool, ReplayError> {
                Ok(self.order.number_of(thread, departure.entered)?.is_some_and(|number| number > made))
            };
            if let Some(first) = index.departures().first()
                && index.has_forgotten_departures()
                && is_later(first)?
            {
                return Ok(None);
            }
            for departure in index.departures() {
                let may_run = methods.as_ref().is_none_or(|methods| methods.contains(&departure.method()));
                let is_over = thread != reader.thread() || departure.left < own;
                if !may_run || !is_over || !is_later(departure)? {
                    continue;
                }
                looked_at += 1;
                if looked_at > MOST_LEFT {
                    return Ok(None);
                }
                if self.is_run_entered(thread, departure.entered, task)? {
                    found.push((thread, *departure));
                }
            }
        }
        Ok(Some(found))
    }

    /// Whether a call makes a future that does not fail where the one before has failed.
    fn is_handling(&self, made: Executed) -> Result<bool, ReplayError> {
        Ok(self.call_made(made)?.is_some_and(|call| HANDLING.iter().any(|start| call.name.starts_with(start))))
    }

    /// What has thrown the exception that left the lowest frame of a thread.
    fn throw_of(&self, thread: ThreadId, departure: Departure) -> Result<Option<Executed>, ReplayError> {
        let index = self.index(thread)?;
        // The step that is under way then may go on in the stretches behind the one that it starts in.
        for segment in index.segment_before(departure.left)..=index.segment_before(departure.left + 1) {
            let at = Position::whole(thread, segment);
            if let Some(node) = self.stretch(at)?.left_by(departure.entered) {
                return Ok(Some(Executed { at, node }));
            }
        }
        Ok(None)
    }

    /// Whether an object is of one of these classes, or of one below.
    fn is_one_of(&self, object: ObjectId, names: &[&str]) -> bool {
        let class = self.objects.class(object).ok().flatten();
        let above = class.map(|class| self.program.classes().supertypes(class)).unwrap_or_default();
        above.iter().any(|class| names.contains(&class.name.as_str()))
    }
}
