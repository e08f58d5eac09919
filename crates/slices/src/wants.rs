//! Questions that one stretch of a thread passes on to those before it.

use crate::captures::Capture;
use crate::dependences::{Dependences, Position};
use crate::graph::{FrameInfo, Need, NodeId, Origin, OriginKind, Place};
use crate::shape::Shape;
use crate::stretch::Stretch;
use rustc_hash::FxHashMap;
use std::ops::Range;
use whydunit_model::Decider;
use whydunit_replay::ReplayError;
use whydunit_replay::index::{FieldKey, Presence, WriteKey};
use whydunit_replay::program::{MethodIndex, Pc};
use whydunit_trace::{ObjectId, ThreadId};

/// A [`Need`] in words that hold in every stretch: frames are told by their depth and first step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Want {
    Slot {
        frame: FrameKey,
        slot: u16,
    },
    Decision {
        frame: FrameKey,
        pc: Pc,
    },
    /// Which statement that jumps has led a frame to an instruction.
    Jump {
        frame: FrameKey,
        pc: Pc,
    },
    Pending(FrameKey),
    Caller(FrameKey),
    Written(Place),
    /// Whoever else has put something where it was found.
    AlsoPut(Place),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FrameKey {
    pub depth: u32,
    pub entered: u64,
    pub method: MethodIndex,
}

/// Why there is no instruction behind a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Unknown {
    /// Unrecorded code started the frame and gave it its arguments.
    Outside,
    /// Unrecorded code has an object from somewhere.
    Given(ObjectId),
    /// Unrecorded code has a function from somewhere, and ran it.
    Function(Capture),
    /// A place that no recorded instruction has written before.
    NotWritten(Place),
    /// Unrecorded code has written the place after recorded code did.
    Changed(Place),
    /// The slot was never set, or the recording does not reach so far.
    Nothing,
}

impl Want {
    /// What it means that no stretch has an answer.
    pub(crate) fn unanswered(self) -> Unknown {
        match self {
            Want::Written(place) => Unknown::NotWritten(place),
            Want::Slot { .. } | Want::Decision { .. } | Want::Jump { .. } => Unknown::Nothing,
            Want::Pending(_) | Want::Caller(_) | Want::AlsoPut(_) => Unknown::Nothing,
        }
    }
}

/// What a stretch says to a want.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Answer {
    Node(NodeId),
    /// Ask the stretch before; where something was put, there may be several places to ask for.
    Before(Vec<Want>),
    Unknown(Unknown),
}

impl Stretch<'_> {
    /// What an origin in this stretch means.
    pub(crate) fn meaning(&self, origin: Origin) -> Answer {
        match origin.kind() {
            OriginKind::None => Answer::Unknown(Unknown::Nothing),
            OriginKind::Node(node) => Answer::Node(node),
            OriginKind::Before(position) => match self.need(position) {
                Some(need) => self.pass_on(need),
                None => Answer::Unknown(Unknown::Nothing),
            },
        }
    }

    fn pass_on(&self, need: Need) -> Answer {
        let key = |frame| self.frame(frame).map(FrameInfo::key);
        let want = match need {
            Need::Slot { frame, slot } => key(frame).map(|frame| Want::Slot { frame, slot }),
            Need::Decision { frame, pc } => key(frame).map(|frame| Want::Decision { frame, pc }),
            Need::Pending(frame) => key(frame).map(Want::Pending),
            Need::Written(place @ Place::Entry(..)) => {
                let places = self.last_held(place).err().unwrap_or_else(|| vec![place]);
                return Answer::Before(
                    places.into_iter().map(|place| Want::Written(self.known_place(place))).collect(),
                );
            }
            Need::Written(place) => Some(Want::Written(self.known_place(place))),
            Need::Changed(place) => return Answer::Unknown(Unknown::Changed(place)),
            Need::Caller(frame) => key(frame).map(Want::Caller),
            Need::Given(object) => return Answer::Unknown(Unknown::Given(object)),
            Need::Begun(capture) => return Answer::Unknown(Unknown::Function(capture)),
            Need::Outside => return Answer::Unknown(Unknown::Outside),
        };
        want.map_or(Answer::Unknown(Unknown::Nothing), |want| Answer::Before(vec![want]))
    }

    /// The answer to a want of the stretch behind this one.
    pub(crate) fn answer(&self, want: Want) -> Answer {
        let origin = match want {
            Want::Slot { frame, slot } => self.last_slot(frame.depth, frame.entered, slot),
            Want::Pending(frame) => self.last_pending(frame.depth, frame.entered),
            Want::Caller(frame) => self.last_caller(frame.depth, frame.entered),
            Want::Decision { frame, pc } => match self.last_decision(frame.depth, frame.entered, pc) {
                Some(Err(need)) => return self.pass_on(need),
                Some(Ok(origin)) => Some(origin),
                None => None,
            },
            Want::Written(place @ (Place::Item(..) | Place::Entry(..))) => match self.last_held(place) {
                Ok(origin) => Some(origin),
                Err(places) => return Answer::Before(places.into_iter().map(Want::Written).collect()),
            },
            Want::AlsoPut(_) | Want::Jump { .. } => return Answer::Before(vec![want]),
            Want::Written(place) => match self.last_written(place) {
                None => return Answer::Before(vec![want]),
                origin => origin,
            },
        };
        origin.map_or(Answer::Unknown(Unknown::Nothing), |origin| self.meaning(origin))
    }
}

/// The last stretches before one segment that may have something to say to wants.
#[derive(Debug, Default)]
pub(crate) struct AskedOfSegments {
    before: Option<Position>,
    found: FxHashMap<Want, Option<Position>>,
}

impl AskedOfSegments {
    /// What is known of another segment is forgotten.
    fn before(&mut self, segment: Position) -> &mut FxHashMap<Want, Option<Position>> {
        if self.before != Some(segment) {
            self.before = Some(segment);
            self.found.clear();
        }
        &mut self.found
    }
}

impl Dependences<'_> {
    /// The last stretch before one of the same thread that can have another answer to a want than [`Answer::Before`] the
    /// same.
    pub(crate) fn last_answering(&self, want: Want, before: Position) -> Result<Option<Position>, ReplayError> {
        let find = |among: &dyn Presence, end| match want {
            Want::Slot { frame, slot } => self.last_setting(frame, slot, among, end),
            Want::Decision { frame, pc } => self.last_deciding(frame, among, end, |shape| shape.flow.deciders(pc)),
            Want::Jump { frame, pc } => self.last_deciding(frame, among, end, |shape| shape.jumps.deciders(pc)),
            Want::Pending(frame) => Ok(among.last_run_before(end, frame.depth)),
            Want::Caller(frame) => Ok(among.last_come_before(end, frame.depth)),
            Want::Written(place) | Want::AlsoPut(place) => self.last_writing_among(place, among, &(0..end)),
        };
        if before.part().is_none() {
            return self.last_before(before, find);
        }
        if let Some(part) = self.last_among_parts(before, find)? {
            return Ok(Some(part));
        }
        // Several parts of a segment mostly want the same of what is before it.
        let whole = before.of_segment(before.segment);
        if let Some(known) = self.asked_of_segments.borrow_mut().before(whole).get(&want) {
            return Ok(*known);
        }
        let found = self.last_before(whole, find)?;
        self.asked_of_segments.borrow_mut().before(whole).insert(want, found);
        Ok(found)
    }

    /// The last part of a segment before another that is found.
    fn last_among_parts(
        &self,
        before: Position,
        find: impl Fn(&dyn Presence, usize) -> Result<Option<usize>, ReplayError>,
    ) -> Result<Option<Position>, ReplayError> {
        let Some(end) = before.part() else { return Ok(None) };
        Ok(find(&*self.parts_of(before)?, end)?.map(|part| before.of_part(part)))
    }

    /// The last stretch before one of the same thread that is found among the parts of its segment, or else among the
    /// segments before.
    pub(crate) fn last_before(
        &self,
        before: Position,
        find: impl Fn(&dyn Presence, usize) -> Result<Option<usize>, ReplayError>,
    ) -> Result<Option<Position>, ReplayError> {
        if let Some(part) = self.last_among_parts(before, &find)? {
            return Ok(Some(part));
        }
        let segment = find(self.index(before.thread)?, before.segment)?;
        Ok(segment.map(|segment| before.of_segment(segment)))
    }

    /// Whether a stretch can have another answer to a want than [`Answer::Before`] the same.
    pub(crate) fn may_answer(&self, want: Want, at: Position) -> Result<bool, ReplayError> {
        match (want, at.part()) {
            (Want::Written(place), None) => self.may_write(place, at),
            (Want::Written(place), Some(part)) => {
                Ok(self.last_writing_among(place, &*self.parts_of(at)?, &(part..part + 1))?.is_some())
            }
            _ => Ok(self.last_answering(want, at.next())? == Some(at)),
        }
    }

    /// The last stretch before one that can have set a slot of a frame.
    fn last_setting(
        &self,
        frame: FrameKey,
        slot: u16,
        among: &dyn Presence,
        end: usize,
    ) -> Result<Option<usize>, ReplayError> {
        let is_local = self.program.code(frame.method).is_ok_and(|code| slot < code.max_locals);
        if !is_local {
            return Ok(among.last_run_before(end, frame.depth));
        }
        let come = among.last_come_before(end, frame.depth);
        let local = |range: &Range<usize>| among.last_local_in(range, frame.method, slot);
        let last = last_running(frame, among, behind(come)..end, local)?;
        Ok(last.max(come))
    }

    /// The last stretch before one that can have what decided that a frame comes to an instruction.
    fn last_deciding(
        &self,
        frame: FrameKey,
        among: &dyn Presence,
        end: usize,
        deciders: impl Fn(&Shape) -> &[Decider],
    ) -> Result<Option<usize>, ReplayError> {
        let mut last = among.last_come_before(end, frame.depth);
        let Ok(code) = self.program.code(frame.method) else { return Ok(last) };
        for decider in deciders(self.flows.shape(code)) {
            let found = match decider {
                // An exception that the frame has caught.
                Decider::Entry => {
                    let caught = |range: &Range<usize>| among.last_catch_in(range, frame.method);
                    last_running(frame, among, behind(last)..end, caught)?
                }
                Decider::Branch(branch) => {
                    let line = code.lines.get(*branch as usize).copied().unwrap_or_default();
                    let ran = |range: &Range<usize>| among.last_line_in(range, frame.method, line);
                    last_running(frame, among, behind(last)..end, ran)?
                }
            };
            last = last.max(found);
        }
        Ok(last)
    }

    /// The last of some stretches of a thread that can have written a place.
    pub(crate) fn last_writing(
        &self,
        place: Place,
        thread: ThreadId,
        segments: &Range<usize>,
    ) -> Result<Option<usize>, ReplayError> {
        self.last_writing_among(place, self.index(thread)?, segments)
    }

    /// The last of some stretches of another thread that can have written a place. What was put there is known in it:
    /// what other threads copy from elsewhere is not followed.
    pub(crate) fn last_writing_elsewhere(
        &self,
        place: Place,
        thread: ThreadId,
        segments: &Range<usize>,
    ) -> Result<Option<usize>, ReplayError> {
        let (Place::Item(_, item) | Place::Entry(_, _, item)) = place else {
            return self.last_writing(place, thread, segments);
        };
        let index = self.index(thread)?;
        let mut segments = segments.clone();
        while let Some(found) = self.last_writing(place, thread, &segments)? {
            if index.may_have_used(found, item)? {
                return Ok(Some(found));
            }
            segments.end = found;
        }
        Ok(None)
    }

    fn last_writing_among(
        &self,
        place: Place,
        among: &dyn Presence,
        stretches: &Range<usize>,
    ) -> Result<Option<usize>, ReplayError> {
        if let Place::Captured(Capture { run, .. }) = place {
            let Some((method, line)) = self.flows.line_made(self.program, run) else { return Ok(None) };
            return Ok(among.last_line_in(stretches, method, line)?);
        }
        let Some(key) = self.write_key(place) else { return Ok(None) };
        let written = among.last_write_in(stretches, &key)?;
        match place {
            Place::Field(object, _) if self.may_be_clone(object)? => {
                Ok(written.max(among.last_write_in(stretches, &WriteKey::met(object))?))
            }
            _ => Ok(written),
        }
    }

    /// Whether a segment can have written a place.
    pub(crate) fn may_write(&self, place: Place, at: Position) -> Result<bool, ReplayError> {
        Ok(self.last_writing(place, at.thread, &(at.segment..at.segment + 1))?.is_some())
    }

    /// As indexes know a place of the heap; `None` when no code names it.
    fn write_key(&self, place: Place) -> Option<WriteKey> {
        Some(match place {
            Place::Static(number) => WriteKey::static_field(self.field_key(number)?),
            Place::Field(object, number) => WriteKey::field(object, self.field_key(number)?),
            Place::Element(array, index) => WriteKey::element(array, index),
            Place::Content(object) | Place::Item(object, _) | Place::Entry(object, ..) => WriteKey::met(object),
            Place::Captured(_) => return None,
        })
    }

    fn field_key(&self, number: u32) -> Option<FieldKey> {
        let mut known = self.field_keys.borrow_mut();
        *known.entry(number).or_insert_with(|| self.program.field(number).as_ref().map(FieldKey::of))
    }
}

/// The last of some stretches in which a frame may have run and something is found.
fn last_running(
    frame: FrameKey,
    among: &dyn Presence,
    mut stretches: Range<usize>,
    find: impl Fn(&Range<usize>) -> std::io::Result<Option<usize>>,
) -> Result<Option<usize>, ReplayError> {
    while let Some(found) = find(&stretches)? {
        if among.may_have_run(found, frame.depth) {
            return Ok(Some(found));
        }
        stretches.end = found;
    }
    Ok(None)
}

/// Where the stretches behind one start.
fn behind(stretch: Option<usize>) -> usize {
    stretch.map_or(0, |stretch| stretch + 1)
}
