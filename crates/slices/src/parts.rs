//! Calls of the platform that write a part of an array: each element comes from one that they have copied, or from the value
//! that they were given.

use crate::graph::{About, NodeId, Origin, OriginKind, Place, Role};
use crate::heap::WrittenPart;
use crate::library::Library;
use crate::recorder::Recorder;
use std::ops::Range;
use whydunit_replay::program::Call;
use whydunit_trace::{LogKind, ObjectId};

/// Elements that are copied one by one in a stretch. Those of parts that are too long come from all of what was copied.
const MOST_SINGLE: usize = 1 << 18;

/// A shorter part is kept element by element even if all of it has come from the same instruction.
const SHORT: usize = 16;

/// The part of an array that a call writes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Part {
    /// `None` for what the call gives back.
    pub(crate) to: Option<ObjectId>,
    first: i32,
    count: i32,
    from: Source,
    /// Each element comes from another one.
    is_single: bool,
}

#[derive(Clone, Copy, Debug)]
enum Source {
    /// An array and the first element that is copied, or was meant to be.
    Array(ObjectId, i32),
    /// The slot of the argument.
    Value(usize),
}

impl Part {
    /// The elements of an array that the call copies as a whole.
    pub(crate) fn copied(&self, array: ObjectId) -> Option<Range<i32>> {
        match self.from {
            Source::Array(source, first) if source == array => {
                Some(first..if self.is_single { first } else { first.saturating_add(self.count) })
            }
            _ => None,
        }
    }

    pub(crate) fn reads(&self, array: ObjectId) -> bool {
        matches!(self.from, Source::Array(source, _) if source == array)
    }

    /// Whether an argument says which part it is.
    pub(crate) fn is_position(&self, kind: LogKind, slot: usize) -> bool {
        kind == LogKind::Int && slot != self.source_slot()
    }

    /// The slot of the argument that the values come from.
    pub(crate) fn source_slot(&self) -> usize {
        match self.from {
            Source::Array(..) => 0,
            Source::Value(slot) => slot,
        }
    }
}

impl Library<'_> {
    /// What a call writes if it does not throw, when its arguments tell.
    pub(crate) fn part(&self, call: &Call, slots: &[u64]) -> Option<Part> {
        let number = |slot: usize| slots.get(slot).copied().unwrap_or_default() as i32;
        let object = |slot: usize| ObjectId(slots.get(slot).copied().unwrap_or_default() as u32);
        let first_length = || self.array_length(object(0)).and_then(|length| i32::try_from(length).ok());
        let copy = |to: Option<ObjectId>, first: i32, count: i32, from: i32| {
            Some(Part { to, first, count: count.max(0), from: Source::Array(object(0), from), is_single: true })
        };
        let fill = |first: i32, count: i32, slot: usize| {
            Some(Part { to: Some(object(0)), first, count: count.max(0), from: Source::Value(slot), is_single: false })
        };
        match (&*call.owner, &*call.name) {
            _ if object(0) == ObjectId(0) => None,
            ("java/lang/System", "arraycopy") => copy(Some(object(2)), number(3), number(4), number(1)),
            ("java/util/Arrays", "fill") if call.arguments.len() == 2 => fill(0, i32::MAX, 1),
            ("java/util/Arrays", "fill") => fill(number(1), number(2).saturating_sub(number(1)), 3),
            ("java/util/Arrays", "copyOf") => copy(None, 0, number(1).min(first_length()?), 0),
            ("java/util/Arrays", "copyOfRange") => {
                copy(None, 0, number(2).min(first_length()?).saturating_sub(number(1)), number(1))
            }
            (array, "clone") if array.starts_with('[') => copy(None, 0, first_length()?, 0),
            _ => None,
        }
    }
}

impl Recorder<'_> {
    /// What a call writes if it does not throw, when its arguments tell.
    pub(crate) fn part(&self, call: &Call, slots: &[u64]) -> Option<Part> {
        let part = self.library.part(call, slots)?;
        let has_room = self.heap.copied() + part.count as usize <= MOST_SINGLE;
        Some(Part { is_single: part.is_single && has_room, ..part })
    }

    /// A call that writes a part of an array is over.
    pub(crate) fn write_part(&mut self, result: u64) {
        let Some(frame) = self.frames.last_mut() else { return };
        let (Some((part, source)), OriginKind::Node(call)) = (frame.part.take(), frame.pending.kind()) else { return };
        let to = part.to.unwrap_or(ObjectId(result as u32));
        let range = part.first..part.first.saturating_add(part.count);
        match part.from {
            Source::Value(_) => {
                let filled = self.push_part(call, Place::Content(to), source, Origin::NONE);
                self.note_part(to, range, filled);
            }
            Source::Array(..) if !part.is_single => self.note_part(to, range, Origin::node(call)),
            Source::Array(from, first) => {
                let elements: Vec<Origin> =
                    (first..first + part.count).map(|index| self.place_origin(Place::Element(from, index))).collect();
                if let [one, others @ ..] = &elements[..]
                    && others.len() >= SHORT
                    && others.iter().all(|other| other == one)
                {
                    let copied = self.push_part(call, Place::Content(to), *one, source);
                    return self.note_part(to, range, copied);
                }
                self.heap.count_copied(elements.len());
                for (index, element) in range.zip(elements) {
                    let place = Place::Element(to, index);
                    let copied = self.push_part(call, place, element, source);
                    self.heap.note_copied(place, copied);
                    self.keep_change(place, copied);
                }
            }
        }
    }

    fn note_part(&mut self, array: ObjectId, elements: Range<i32>, by: Origin) {
        self.heap.note_range(array, elements.clone(), by);
        if let OriginKind::Node(call) = by.kind() {
            self.heap.keep_part(WrittenPart { array, elements, call, before: self.graph.nodes.len() as u32 });
        }
    }

    /// A part that was not written as it was meant to: any element may have been.
    pub(crate) fn give_up_part(&mut self) {
        if let Some(frame) = self.frames.last_mut()
            && let Some((Part { to: Some(to), .. }, _)) = frame.part.take()
        {
            frame.written.push(to);
        }
    }

    fn push_part(&mut self, call: NodeId, place: Place, value: Origin, array: Origin) -> Origin {
        let Some(&node) = self.graph.nodes.get(call.0 as usize) else { return Origin::NONE };
        let about = About::place(self.graph.places.len());
        self.graph.places.push(place);
        let id = NodeId(self.graph.nodes.len() as u32);
        let mut part = node.into_change(about);
        part.inputs = 0;
        self.graph.nodes.push(part);
        for (origin, role) in [(value, Role::Value), (Origin::node(call), Role::Address), (array, Role::Address)] {
            if origin != Origin::NONE {
                self.add_input(id, origin, role);
            }
        }
        Origin::node(id)
    }
}
