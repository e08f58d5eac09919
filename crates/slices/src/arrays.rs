//! Arrays that unrecorded code is given: it may read every element.

use crate::graph::{Input, Need, NodeId, Origin, Place, Role};
use crate::recorder::Recorder;
use crate::stretch::Stretch;
use rustc_hash::{FxHashMap, FxHashSet};
use std::ops::Range;
use whydunit_trace::ObjectId;

/// Elements of an array that are looked at one by one, whatever is known of the array.
const FEW: usize = 1024;

/// Origins that an instruction has among its other inputs. Calls that read more may share them.
const MOST_OWN: usize = 64;

/// Origins of elements that are kept of a stretch. What calls read beyond that is said not to be known.
const MOST_KEPT: usize = 1 << 18;

/// What calls of a stretch have read of arrays.
#[derive(Debug, Default)]
pub(crate) struct ElementsRead {
    origins: Vec<Origin>,
    by_call: FxHashMap<NodeId, OfCall>,
}

/// Which of the origins a call has read, by array, and what they are to it.
#[derive(Clone, Debug)]
struct OfCall {
    kept: Vec<Range<usize>>,
    role: Role,
}

impl ElementsRead {
    pub(crate) fn of(&self, call: NodeId) -> impl Iterator<Item = Input> {
        self.by_call.get(&call).into_iter().flat_map(|read| {
            let origins = read.kept.iter().flat_map(|kept| self.origins.get(kept.clone()).unwrap_or_default());
            origins.map(|&origin| Input { origin, role: read.role })
        })
    }

    fn keep(&mut self, origins: Vec<Origin>) -> Range<usize> {
        let first = self.origins.len();
        self.origins.extend(origins);
        first..self.origins.len()
    }

    fn note(&mut self, call: NodeId, kept: Range<usize>) {
        self.by_call.entry(call).or_insert(OfCall { kept: Vec::new(), role: Role::Value }).kept.push(kept);
    }

    /// A part of a call has read the same.
    pub(crate) fn share(&mut self, call: NodeId, part: NodeId) {
        if let Some(read) = self.by_call.get(&call).cloned() {
            self.by_call.insert(part, read);
        }
    }

    /// The result of a call is not made of what it has read.
    pub(crate) fn make_addresses(&mut self, call: NodeId) {
        if let Some(read) = self.by_call.get_mut(&call) {
            read.role = Role::Address;
        }
    }
}

impl Stretch<'_> {
    /// All that an instruction has its values from.
    pub(crate) fn all_inputs(&self, node: NodeId) -> impl Iterator<Item = Input> {
        self.inputs(node).iter().copied().chain(self.elements_read().of(node))
    }
}

impl Recorder<'_> {
    /// A call of unrecorded code depends on the elements of an array that it is given.
    pub(crate) fn take_elements(&mut self, call: NodeId, array: ObjectId) {
        let length = self.library.array_length(array).and_then(|length| i32::try_from(length).ok());
        self.take_some_elements(call, array, 0..length.unwrap_or(i32::MAX));
    }

    /// The same of a call that depends on some elements only.
    pub(crate) fn take_some_elements(&mut self, call: NodeId, array: ObjectId, range: Range<i32>) {
        if let Some(known) = self.heap.read_before(array, &range) {
            return self.graph.elements_read.note(call, known);
        }
        let mut seen = FxHashSet::default();
        let mut origins = self.element_origins(array, &range);
        origins.retain(|origin| seen.insert(*origin));
        if origins.len() <= MOST_OWN {
            return origins.into_iter().for_each(|origin| self.add_input(call, origin, Role::Value));
        }
        let kept = self.graph.elements_read.keep(origins);
        self.graph.elements_read.note(call, kept.clone());
        self.heap.note_read(array, range, kept);
    }

    fn element_origins(&mut self, array: ObjectId, range: &Range<i32>) -> Vec<Origin> {
        let is_few = range.len() <= FEW;
        let is_known = self.heap.is_made(array) || self.heap.get(Place::Content(array)).is_some();
        let is_array = range.end < i32::MAX;
        let has_room = self.graph.elements_read.origins.len() + range.len() <= MOST_KEPT;
        let is_each_asked = is_few || is_array && has_room && !is_known;
        let indexes: Vec<i32> = match is_each_asked {
            true => range.clone().collect(),
            false => self.heap.indexes(array).iter().copied().filter(|index| range.contains(index)).collect(),
        };
        let mut origins: Vec<Origin> = Vec::new();
        for place in indexes.into_iter().map(|index| Place::Element(array, index)) {
            match self.heap.get(place) {
                Some(origin) => origins.push(origin),
                None if self.heap.is_made(array) => {}
                None => origins.push(self.graph.need(Need::Written(place))),
            }
        }
        if !is_each_asked {
            origins.extend(self.heap.ranges(array, range));
        }
        if !is_each_asked && !is_known && is_array {
            origins.push(self.graph.need(Need::Changed(Place::Content(array))));
        }
        origins
    }

    /// Who wrote what a place holds.
    pub(crate) fn place_origin(&mut self, place: Place) -> Origin {
        match self.heap.get(place) {
            Some(origin) => origin,
            None => self.graph.need(self.heap.need(place)),
        }
    }
}
