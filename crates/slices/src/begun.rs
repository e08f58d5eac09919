//! What made a thread run something of its own: whoever gave unrecorded code the function, or the object, to run.

use crate::captures::{Capture, Values};
use crate::dependences::{Dependences, Executed, Position};
use crate::elsewhere::Moment;
use crate::graph::Place;
use whydunit_replay::ReplayError;
use whydunit_replay::index::Hit;
use whydunit_replay::program::CallKind;
use whydunit_trace::{LogKind, ObjectId};

/// What runs in the lowest frame of a thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Begun {
    Function(Capture),
    /// A method of an object.
    By(ObjectId),
}

/// Objects that are made of objects that are made of what is run: a task of a function, a thread of a task.
const MOST_WRAPPED: usize = 4;

/// Methods without arguments that make their receiver run.
const STARTERS: [&str; 5] = ["start", "fork", "invoke", "run", "call"];

impl Dependences<'_> {
    /// Who gave away what was run at a moment; when nobody is known to have given a function away, who made it.
    pub(crate) fn begun(&self, what: Begun, before: Moment) -> Result<Option<Executed>, ReplayError> {
        if let Some(&known) = self.begun.borrow().get(&(what, before)) {
            return Ok(known);
        }
        let (made, object) = match what {
            Begun::By(object) => (None, Some(object)),
            Begun::Function(capture) => {
                let made = self.last_made(Place::Captured(capture), before)?;
                let node = made.map_or(Ok(None), |made| self.describe(made))?;
                // What it has captured comes from where it was made.
                let node = node.filter(|_| capture.slot.is_none());
                (made, node.map(|found| ObjectId(found.node.bits as u32)))
            }
        };
        let given = object.map_or(Ok(None), |object| self.given_away(object, before))?;
        let found = given.or(made);
        self.begun.borrow_mut().insert((what, before), found);
        Ok(found)
    }

    /// Who was the last to give away a reference to the method that runs in the frame of an instruction, if there was one.
    pub(crate) fn begun_by_reference(
        &self,
        executed: Executed,
        receiver: Option<ObjectId>,
    ) -> Result<Option<Executed>, ReplayError> {
        let stretch = self.stretch(executed.at)?;
        let frame = stretch.node(executed.node).and_then(|node| stretch.frame(node.frame));
        let Some(method) = frame.map(|frame| frame.method) else { return Ok(None) };
        let before = self.entry_of(executed)?;
        let mut last: Option<(u64, Executed)> = None;
        for function in self.flows.naming(self.program, method) {
            let receiver = receiver.filter(|_| !function.captured.is_empty()).map(|object| u64::from(object.0));
            let capture = Values::new(function, receiver.as_slice()).whole();
            if let Some(found) = self.begun(Begun::Function(capture), before)? {
                last = last.max(Some((self.number(found)?, found)));
            }
        }
        Ok(last.map(|(_, found)| found))
    }

    /// The last call before a moment that gave away an object, or what was made of it: `new Thread(task)` starts nothing.
    fn given_away(&self, mut object: ObjectId, before: Moment) -> Result<Option<Executed>, ReplayError> {
        let is_start = |hit: &Hit| self.may_start(hit);
        let mut given = self.last_handed(object, before, &is_start)?;
        for _ in 0..MOST_WRAPPED {
            let Some(made) = given.map_or(Ok(None), |call| self.made_of(call, object))? else { break };
            let Some(next) = self.last_handed(made, before, &is_start)?.filter(|&next| Some(next) != given) else {
                break;
            };
            (given, object) = (Some(next), made);
        }
        Ok(given)
    }

    /// Whether a call that has to do with an object can make unrecorded code run it: it is given it, or starts it.
    /// Whoever waits for it does neither.
    fn may_start(&self, hit: &Hit) -> bool {
        let code = self.program.code(hit.method).ok();
        let Some(call) = code.and_then(|code| code.call_at(hit.pc)) else { return true };
        let is_given_something = call.arguments.iter().skip(1).any(|&kind| kind == LogKind::Reference);
        // Whoever captures it has not given it away yet.
        matches!(call.kind, CallKind::Static | CallKind::Constructor)
            || STARTERS.contains(&&*call.name)
            || is_given_something && call.kind != CallKind::Dynamic && &*call.name != "get"
    }

    /// The object that a constructor of unrecorded code made of another.
    fn made_of(&self, call: Executed, object: ObjectId) -> Result<Option<ObjectId>, ReplayError> {
        let stretch = self.stretch(call.at)?;
        let Some(&node) = stretch.node(call.node) else { return Ok(None) };
        let code = stretch.frame(node.frame).and_then(|frame| self.program.code(frame.method).ok());
        if code.and_then(|code| code.call_at(node.pc())).is_none_or(|call| call.kind != CallKind::Constructor) {
            return Ok(None);
        }
        let is_same_call = |id| {
            stretch
                .node(id)
                .is_some_and(|other| (other.step, other.pc(), other.frame) == (node.step, node.pc(), node.frame))
        };
        let made = stretch.changes().filter(|change| is_same_call(change.call)).find_map(|change| match change.place {
            Place::Item(made, item) if item == object => Some(made),
            _ => None,
        });
        Ok(made)
    }

    /// The last instruction of whichever thread that wrote a place before a moment.
    fn last_made(&self, place: Place, before: Moment) -> Result<Option<Executed>, ReplayError> {
        let mut best: Option<(u64, Executed)> = None;
        for (&thread, index) in &self.threads {
            let end = if thread == before.thread {
                before.step.saturating_sub(1)
            } else {
                self.order.steps_before(before.thread, before.step, thread)?
            };
            for segment in (0..=index.segment_before(end + 1)).rev() {
                let at = Position::whole(thread, segment);
                if !self.may_write(place, at)? {
                    continue;
                }
                let stretch = self.stretch(at)?;
                let timeline = stretch.timeline(self.program);
                let mut writes = timeline.writes(place, 0..u64::MAX);
                if let Some(node) = writes.rfind(|&node| timeline.latest(node) <= end) {
                    let number = self.order.number_of(thread, timeline.latest(node))?.unwrap_or_default();
                    best = best.filter(|(known, _)| *known > number).or(Some((number, Executed { at, node })));
                    break;
                }
            }
        }
        Ok(best.map(|(_, executed)| executed))
    }
}
