//! What other threads have written, and what was handed to unrecorded code before it came out again.
//!
//! Threads are ordered where they meet. Between two meetings a read can see writes that are counted after it, so when
//! none before it fits, those that no meeting puts later are looked at.

use crate::begun::Begun;
use crate::dependences::{Dependences, Executed, Found, Position};
use crate::graph::{Origin, Place};
use crate::timeline::{Held, access};
use crate::wants::Unknown;
use std::ops::Range;
use whydunit_replay::ReplayError;
use whydunit_replay::index::Hit;
use whydunit_replay::program::Op;
use whydunit_trace::stream::Content;
use whydunit_trace::{ObjectId, ThreadId};

/// Numbers of which the platform keeps a boxed one for all; `true`, `false` and small characters are among these, too.
pub(crate) const KEPT: Range<i64> = -128..128;

impl Dependences<'_> {
    /// What is behind an origin of an instruction, when `own` is what its thread knows.
    pub(crate) fn in_all_threads(&self, executed: Executed, origin: Origin, own: Found) -> Result<Found, ReplayError> {
        if let Err(Unknown::Function(capture) | Unknown::NotWritten(Place::Captured(capture))) = own {
            return Ok(self.begun(Begun::Function(capture), self.entry_of(executed)?)?.map_or(own, Ok));
        }
        if let Err(Unknown::Given(object)) = own {
            let before = self.entry_of(executed)?;
            let found = match self.is_control(executed, origin)? {
                true => match self.begun_by_reference(executed, Some(object))? {
                    None => self.begun(Begun::By(object), before)?,
                    found => found,
                },
                false => match self.handed(object, before)? {
                    None => self.told_failure(executed, object)?,
                    found => found,
                },
            };
            return Ok(found.ok_or(Unknown::Given(object)));
        }
        if own == Err(Unknown::Outside) && self.is_control(executed, origin)? {
            return Ok(self.begun_by_reference(executed, None)?.ok_or(Unknown::Outside));
        }
        let has_others = self.threads.len() > 1;
        let Some((place, held)) = self.looked_for(executed, origin, own, has_others)? else { return Ok(own) };
        // What the task has given to others meanwhile is not where the result is from.
        if let Place::Item(_, item) = place
            && self.is_of_future(executed)?
            && !self.is_completed_by(own.ok())?
            && let Some(returned) = self.returned_to_future(executed, item)?
        {
            return Ok(Ok(returned));
        }
        let explains = match own {
            Ok(source) => self.stretch(source.at)?.can_have_written(source.node, held),
            Err(_) => false,
        };
        if has_others && let Some(found) = self.written_elsewhere(executed, place, held, own.ok(), explains)? {
            return Ok(Ok(found));
        }
        match place {
            _ if explains => Ok(own),
            Place::Item(_, item) => {
                let returned = self.returned_for(executed, item)?;
                // A number that everyone has says nothing of where this one has it from.
                if returned.is_none()
                    && self.is_everyones(item)
                    && let Ok(changed) = self.contents_behind(executed, place)?
                {
                    return Ok(Ok(changed));
                }
                let found = match returned {
                    None => match self.handed(item, self.end_of(executed)?)? {
                        None => self.told_failure(executed, item)?,
                        found => found,
                    },
                    found => found,
                };
                match found {
                    Some(found) => Ok(Ok(found)),
                    None => self.contents_behind(executed, place),
                }
            }
            Place::Entry(..) => self.by_identity(executed, origin, place),
            _ => Ok(Err(own.err().unwrap_or(Unknown::Changed(place)))),
        }
    }

    pub(crate) fn is_control(&self, executed: Executed, origin: Origin) -> Result<bool, ReplayError> {
        Ok(self.stretch(executed.at)?.node(executed.node).is_some_and(|node| node.control == origin))
    }

    /// An item that nobody is known to have put into an object comes from whoever has changed that last.
    pub(crate) fn contents_behind(&self, executed: Executed, item: Place) -> Result<Found, ReplayError> {
        let Place::Item(shelf, _) = item else { return Ok(Err(Unknown::NotWritten(item))) };
        let stretch = self.stretch(executed.at)?;
        let read = stretch.contents_read(executed.node).find(|(object, _)| *object == shelf);
        match read {
            Some((_, origin)) => self.source(executed, origin),
            None => Ok(Err(Unknown::NotWritten(item))),
        }
    }

    /// Whether an object is one of the boxed values that the platform keeps: whoever boxes the same value gets it.
    fn is_everyones(&self, object: ObjectId) -> bool {
        let class = self.objects.class(object).ok().flatten().and_then(|class| self.program.classes().get(class));
        let Some(name) = class.and_then(|class| class.name.strip_prefix("java/lang/")) else { return false };
        let bits = match (name, self.objects.content(object)) {
            ("Long", Ok(Some(Content::Boxed { bits }))) => bits as i64,
            ("Byte" | "Short" | "Integer" | "Character" | "Boolean", Ok(Some(Content::Boxed { bits }))) => {
                i64::from(bits as i32)
            }
            _ => return false,
        };
        KEPT.contains(&bits)
    }

    /// The place of the heap that an instruction has looked at for an origin, and what it has found there.
    pub(crate) fn looked_for(
        &self,
        executed: Executed,
        origin: Origin,
        own: Found,
        has_others: bool,
    ) -> Result<Option<(Place, Option<Held>)>, ReplayError> {
        let stretch = self.stretch(executed.at)?;
        let Some(node) = stretch.node(executed.node) else { return Ok(None) };
        if let Some((kind, false)) = access(self.program, &stretch, node) {
            let is_value = stretch.inputs(executed.node).last().is_some_and(|input| input.origin == origin);
            let held = Held { kind, bits: node.bits };
            return Ok(stretch.place(node).filter(|_| is_value).map(|place| (place, Some(held))));
        }
        Ok(match own {
            Err(Unknown::NotWritten(place) | Unknown::Changed(place)) => Some((place, None)),
            Ok(_) if has_others => stretch.timeline(self.program).looked_for(executed.node, origin).map(|p| (p, None)),
            _ => None,
        })
    }

    /// The last write of a place in other threads that comes after the own one and before the read.
    fn written_elsewhere(
        &self,
        reader: Executed,
        place: Place,
        held: Option<Held>,
        own: Option<Executed>,
        explains: bool,
    ) -> Result<Option<Executed>, ReplayError> {
        let thread = reader.thread();
        let read = self.sequence_of(reader)?;
        let since = own.map_or(Ok(0), |own| self.sequence_of(own))?;
        let mut best = self.last_between(thread, since..read, place, held)?.map(|found| (0, found));
        if best.is_some() || explains {
            return Ok(best.map(|(_, found)| found));
        }
        let beside = read..self.index(thread)?.sequence_after(read)?.unwrap_or(u64::MAX);
        for &other in self.threads.keys().filter(|&&other| other != thread) {
            if let Some(found) = self.write_in(other, place, held, beside.clone(), Side::First)? {
                let number = self.number(found)?;
                best = best.filter(|(known, _)| *known < number).or(Some((number, found)));
            }
        }
        Ok(best.map(|(_, found)| found))
    }

    /// The last write of a place in other threads between two meetings.
    pub(crate) fn last_between(
        &self,
        thread: ThreadId,
        sequences: Range<u64>,
        place: Place,
        held: Option<Held>,
    ) -> Result<Option<Executed>, ReplayError> {
        let mut best: Option<(u64, Executed)> = None;
        for &other in self.threads.keys().filter(|&&other| other != thread) {
            if let Some(found) = self.write_in(other, place, held, sequences.clone(), Side::Last)? {
                let number = self.number(found)?;
                best = best.filter(|(known, _)| *known > number).or(Some((number, found)));
            }
        }
        Ok(best.map(|(_, found)| found))
    }

    /// The first or last write of a place by a thread between two meetings.
    fn write_in(
        &self,
        thread: ThreadId,
        place: Place,
        held: Option<Held>,
        sequences: Range<u64>,
        side: Side,
    ) -> Result<Option<Executed>, ReplayError> {
        if sequences.is_empty() {
            return Ok(None);
        }
        let mut segments = self.index(thread)?.segments_between(&sequences)?;
        let mut in_order = Vec::new();
        while let Some(segment) = self.last_writing_elsewhere(place, thread, &segments)? {
            segments.end = segment;
            let at = Position::whole(thread, segment);
            match side {
                Side::First => in_order.push(at),
                Side::Last => match self.write_at(at, place, held, &sequences, side)? {
                    None => {}
                    found => return Ok(found),
                },
            }
        }
        for at in in_order.into_iter().rev() {
            match self.write_at(at, place, held, &sequences, side)? {
                None => {}
                found => return Ok(found),
            }
        }
        Ok(None)
    }

    /// The same in one stretch.
    fn write_at(
        &self,
        at: Position,
        place: Place,
        held: Option<Held>,
        sequences: &Range<u64>,
        side: Side,
    ) -> Result<Option<Executed>, ReplayError> {
        let stretch = self.stretch(at)?;
        let timeline = stretch.timeline(self.program);
        let mut writes = timeline.writes(place, sequences.clone()).filter(|&node| stretch.can_have_written(node, held));
        let found = match side {
            Side::First => writes.next(),
            Side::Last => writes.next_back(),
        };
        Ok(found.map(|node| Executed { at, node }))
    }

    /// The last call before a moment that gave an object to unrecorded code, or call-back that returned it.
    pub(crate) fn handed(&self, object: ObjectId, before: Moment) -> Result<Option<Executed>, ReplayError> {
        if let Some(&known) = self.handed.borrow().get(&(object, before)) {
            return Ok(known);
        }
        let found = self.last_handed(object, before, &|_| true)?;
        self.handed.borrow_mut().insert((object, before), found);
        Ok(found)
    }

    /// The last of these that is accepted.
    pub(crate) fn last_handed(
        &self,
        object: ObjectId,
        before: Moment,
        accept: &dyn Fn(&Hit) -> bool,
    ) -> Result<Option<Executed>, ReplayError> {
        let mut best: Option<(u64, Hit)> = None;
        for (&thread, index) in &self.threads {
            let end = if thread == before.thread {
                before.step.saturating_sub(1)
            } else {
                self.order.steps_before(before.thread, before.step, thread)?
            };
            // In its own thread, a call that was given an object need not have kept it; what a call-back returned was.
            let is_kept = |hit: &Hit| thread != before.thread || self.is_return(hit);
            let is_given = |hit: &Hit| {
                let is_later = (hit.thread, hit.step) == (before.thread, before.under_way) && hit.latest == end;
                !is_later && is_kept(hit) && accept(hit)
            };
            let given = index.last_given(self.program, self.objects, object, 1..=end, &is_given)?;
            let Some(hit) = given else { continue };
            let number = self.order.number_of(thread, hit.latest)?.unwrap_or_default();
            best = best.filter(|(known, _)| *known > number).or(Some((number, hit)));
        }
        let Some((_, hit)) = best else { return Ok(None) };
        let segment = self.index(hit.thread)?.segment_of_instruction(hit.number);
        let at = Position::whole(hit.thread, segment);
        let stretch = self.stretch(at)?;
        let is_it =
            |node: &crate::graph::Node| node.step == hit.step && node.pc() == hit.pc && node.argument().is_none();
        let found = stretch.nodes().filter(|(_, node)| is_it(node)).last();
        Ok(found.map(|(node, _)| Executed { at, node }))
    }

    pub(crate) fn is_return(&self, hit: &Hit) -> bool {
        let code = self.program.code(hit.method).ok();
        matches!(code.and_then(|code| code.ops.get(hit.pc as usize)), Some(Op::Return(_)))
    }

    /// When an instruction is over.
    pub(crate) fn end_of(&self, executed: Executed) -> Result<Moment, ReplayError> {
        let under_way = self.stretch(executed.at)?.node(executed.node).map_or(0, |node| node.step);
        Ok(Moment { thread: executed.thread(), step: self.latest(executed)? + 1, under_way })
    }

    /// When the frame of an instruction was entered.
    pub(crate) fn entry_of(&self, executed: Executed) -> Result<Moment, ReplayError> {
        let stretch = self.stretch(executed.at)?;
        let frame = stretch.node(executed.node).and_then(|node| stretch.frame(node.frame));
        let step = frame.map_or(0, |frame| frame.entered);
        let has_caller = frame.is_some_and(|frame| frame.depth > 0);
        let under_way = if has_caller { step.saturating_sub(1) } else { 0 };
        Ok(Moment { thread: executed.thread(), step, under_way })
    }

    /// The thread's last sequence number when an instruction has its inputs.
    pub(crate) fn sequence_of(&self, executed: Executed) -> Result<u64, ReplayError> {
        Ok(self.stretch(executed.at)?.sequence_of(self.program, executed.node))
    }

    /// The step of the thread in which an instruction was run.
    fn latest(&self, executed: Executed) -> Result<u64, ReplayError> {
        Ok(self.stretch(executed.at)?.timeline(self.program).latest(executed.node))
    }

    pub(crate) fn number(&self, executed: Executed) -> Result<u64, ReplayError> {
        Ok(self.order.number_of(executed.thread(), self.latest(executed)?)?.unwrap_or_default())
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
    First,
    Last,
}

/// The start of a step of a thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Moment {
    pub(crate) thread: ThreadId,
    pub(crate) step: u64,
    /// The step before it whose rest comes later; 0 for none.
    pub(crate) under_way: u64,
}
