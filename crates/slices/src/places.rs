//! What is known of places, by place. Most are fields and elements, whose keys are small.

use crate::graph::Place;
use crate::heap::Written;
use rustc_hash::FxHashMap;
use whydunit_trace::ObjectId;

#[derive(Debug, Default)]
pub(crate) struct Places {
    /// By object and number of the field.
    fields: FxHashMap<u64, Written>,
    /// By array and index.
    elements: FxHashMap<u64, Written>,
    others: FxHashMap<Place, Written>,
}

impl Places {
    pub(crate) fn clear(&mut self) {
        self.fields.clear();
        self.elements.clear();
        self.others.clear();
    }

    #[inline]
    pub(crate) fn get(&self, place: Place) -> Option<Written> {
        match place {
            Place::Field(object, field) => self.fields.get(&pair(object, field)).copied(),
            Place::Element(array, index) => self.elements.get(&pair(array, index as u32)).copied(),
            other => self.others.get(&other).copied(),
        }
    }

    /// Gives back what was known before.
    #[inline]
    pub(crate) fn insert(&mut self, place: Place, written: Written) -> Option<Written> {
        match place {
            Place::Field(object, field) => self.fields.insert(pair(object, field), written),
            Place::Element(array, index) => self.elements.insert(pair(array, index as u32), written),
            other => self.others.insert(other, written),
        }
    }

    pub(crate) fn remove(&mut self, place: Place) -> Option<Written> {
        match place {
            Place::Field(object, field) => self.fields.remove(&pair(object, field)),
            Place::Element(array, index) => self.elements.remove(&pair(array, index as u32)),
            other => self.others.remove(&other),
        }
    }
}

fn pair(object: ObjectId, number: u32) -> u64 {
    u64::from(object.0) << 32 | u64::from(number)
}
