//! Arrays that unrecorded code is given: it may read every element.

use crate::graph::{Need, NodeId, Origin, Place, Role};
use crate::recorder::Recorder;
use rustc_hash::FxHashSet;
use std::ops::Range;
use whydunit_trace::ObjectId;

/// Elements of an older array that are asked for one by one. Of a longer one only what the stretch itself has written
/// and what unrecorded code has done to it is known.
const MOST_ASKED: usize = 1024;

impl Recorder<'_> {
    /// A call of unrecorded code depends on the elements of an array that it is given.
    pub(crate) fn take_elements(&mut self, call: NodeId, array: ObjectId) {
        let length = self.library.array_length(array).and_then(|length| i32::try_from(length).ok());
        self.take_some_elements(call, array, 0..length.unwrap_or(i32::MAX));
    }

    /// The same of a call that depends on some elements only.
    pub(crate) fn take_some_elements(&mut self, call: NodeId, array: ObjectId, range: Range<i32>) {
        let is_short = range.len() <= MOST_ASKED;
        let indexes: Vec<i32> = match is_short {
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
        if !is_short {
            origins.extend(self.heap.ranges(array, &range));
        }
        let mut seen = FxHashSet::default();
        for origin in origins.into_iter().filter(|origin| seen.insert(*origin)) {
            self.add_input(call, origin, Role::Value);
        }
    }

    /// Who wrote what a place holds.
    pub(crate) fn place_origin(&mut self, place: Place) -> Origin {
        match self.heap.get(place) {
            Some(origin) => origin,
            None => self.graph.need(self.heap.need(place)),
        }
    }
}
