//! Arrays that unrecorded code is given: it may read every element.

use crate::graph::{Need, NodeId, Place, Role};
use crate::recorder::Recorder;
use whydunit_trace::ObjectId;

/// Elements of an older array that are asked for one by one. Of a longer one only what the stretch itself has written
/// and what unrecorded code has done to it is known.
const MOST_ASKED: u32 = 1024;

impl Recorder<'_> {
    /// A call of unrecorded code depends on the elements of an array that it is given.
    pub(crate) fn take_elements(&mut self, call: NodeId, array: ObjectId) {
        let known: Vec<i32> = self.heap.indexes(array).to_vec();
        for &index in &known {
            if let Some(origin) = self.heap.get(Place::Element(array, index)) {
                self.add_input(call, origin, Role::Value);
            }
        }
        if self.heap.is_made(array) {
            return;
        }
        let length = self.library.array_length(array).filter(|&length| length <= MOST_ASKED).unwrap_or_default();
        for index in 0..length as i32 {
            let place = Place::Element(array, index);
            if self.heap.get(place).is_none() {
                let origin = self.graph.need(Need::Written(place));
                self.add_input(call, origin, Role::Value);
            }
        }
    }
}
