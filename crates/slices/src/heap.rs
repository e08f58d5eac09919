//! Who wrote which place of the heap last, as far as a stretch knows.

use crate::captures::{Capture, Values};
use crate::entries::Key;
use crate::graph::{Need, NodeId, Origin, OriginKind, Place};
use crate::places::Places;
use crate::recorder::is_temporary;
use crate::shelves::Shelves;
use rustc_hash::{FxHashMap, FxHashSet};
use std::ops::Range;
use whydunit_replay::interpreter::is_same;
use whydunit_trace::{LogKind, ObjectId};

#[derive(Debug, Default)]
pub(crate) struct Heap {
    places: Places,
    /// Objects without an id and their fields in [`Heap::places`].
    unidentified: FxHashMap<ObjectId, Vec<u32>>,
    identities: FxHashMap<ObjectId, ObjectId>,
    /// What functions have captured, with objects without an id; by such an object: which of them.
    unidentified_values: Vec<Values>,
    unidentified_captures: FxHashMap<ObjectId, Vec<usize>>,
    /// Captures of objects that have got their id since, and what they are now.
    identified_captures: FxHashMap<Capture, Capture>,
    /// Objects without an id and what is in them.
    unidentified_shelves: FxHashMap<ObjectId, Vec<ObjectId>>,
    shelves: Shelves,
    /// What unrecorded code was given to keep, and what it may have changed, in the order of execution.
    changes: Vec<Change>,
    /// All that was put into objects, in the order of execution.
    puts: Vec<Put>,
    /// Objects that were put into arrays.
    elements: FxHashMap<ObjectId, Vec<ObjectId>>,
    /// The elements of arrays that are in [`Heap::places`].
    indexes: FxHashMap<ObjectId, Vec<i32>>,
    /// Parts of arrays that unrecorded code has written, in the order of execution.
    ranges: FxHashMap<ObjectId, Vec<(Range<i32>, Origin)>>,
    /// Objects whose content, or a part of it, unrecorded code has changed.
    changed: FxHashSet<ObjectId>,
    /// Arrays that were made in the stretch.
    made: FxHashSet<ObjectId>,
    /// Elements that unrecorded code has read of arrays that nobody has written to since, and where the graph has them.
    read: FxHashMap<ObjectId, (Range<i32>, Range<usize>)>,
    /// Elements that were copied one by one.
    copied: usize,
    /// Parts of arrays that unrecorded code has written, with the number of instructions of the stretch before.
    written_parts: Vec<WrittenPart>,
}

/// Something that was put into an object.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Put {
    pub(crate) shelf: ObjectId,
    pub(crate) item: ObjectId,
    pub(crate) origin: Origin,
    pub(crate) under: Under,
}

/// What is known of the key under which something was put into a map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Under {
    Unknown,
    Key(Key),
    ItselfAsKey,
}

/// A part of an array that a call of unrecorded code has written.
#[derive(Clone, Debug)]
pub(crate) struct WrittenPart {
    pub(crate) array: ObjectId,
    pub(crate) elements: Range<i32>,
    pub(crate) call: NodeId,
    /// Instructions of the stretch before it was over.
    pub(crate) before: u32,
}

/// Something that a call of unrecorded code has done.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Change {
    pub(crate) place: Place,
    pub(crate) call: NodeId,
    /// Instructions of the stretch before it: a call may have waited.
    pub(crate) before: u32,
}

/// The last that is known of a place.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Written {
    pub(crate) origin: Origin,
    pub(crate) kind: LogKind,
    pub(crate) bits: u64,
}

impl Heap {
    /// An empty one in the room of another.
    pub(crate) fn emptied(self) -> Heap {
        let Heap { mut places, .. } = self;
        places.clear();
        Heap { places, ..Heap::default() }
    }

    /// Who wrote the value that is read; `None` when this stretch does not know.
    pub(crate) fn read(&self, place: Place, kind: LogKind, bits: u64) -> Option<Origin> {
        let written = self.last(place)?;
        (written.kind == LogKind::Nothing || is_same(kind, written.bits, bits)).then_some(written.origin)
    }

    pub(crate) fn get(&self, place: Place) -> Option<Origin> {
        self.last(place).map(|written| written.origin)
    }

    fn last(&self, place: Place) -> Option<Written> {
        let own = self.places.get(place);
        let Place::Element(array, index) = place else { return own };
        if !self.changed.contains(&array) {
            return own;
        }
        // Unrecorded code may have written the whole array since, or a part of it.
        let content = self.places.get(Place::Content(array));
        let parts = self.ranges.get(&array).map(Vec::as_slice).unwrap_or_default();
        let part = parts.iter().rfind(|(range, _)| range.contains(&index)).map(|&(_, origin)| by_unrecorded(origin));
        let later = |one: Option<Written>, other: Option<Written>| match (one, other) {
            (Some(one), Some(other)) => Some(if position(one) >= position(other) { one } else { other }),
            (one, other) => one.or(other),
        };
        later(own, later(part, content))
    }

    /// What a read has to ask the time before, when [`Heap::read`] does not know.
    pub(crate) fn need(&self, place: Place) -> Need {
        if self.last(place).is_some() { Need::Changed(place) } else { Need::Written(place) }
    }

    pub(crate) fn note(&mut self, place: Place, written: Written) {
        if let Place::Field(object, field) = place
            && is_temporary(object)
        {
            let fields = self.unidentified.entry(object).or_default();
            if !fields.contains(&field) {
                fields.push(field);
            }
        }
        let before = self.places.insert(place, written);
        let Place::Element(array, index) = place else { return };
        if before.is_none() {
            self.indexes.entry(array).or_default().push(index);
        }
        // Who reads an element first learns no more than whoever has read all.
        let is_first_read = before.is_none() && position(written).is_none() && !self.changed.contains(&array);
        if !self.read.is_empty() && !is_first_read {
            self.read.remove(&array);
        }
    }

    /// What the graph has of the last call that has read these elements of an array, if nobody has written to it since.
    pub(crate) fn read_before(&self, array: ObjectId, elements: &Range<i32>) -> Option<Range<usize>> {
        self.read.get(&array).filter(|(known, _)| known == elements).map(|(_, kept)| kept.clone())
    }

    pub(crate) fn note_read(&mut self, array: ObjectId, elements: Range<i32>, kept: Range<usize>) {
        self.read.insert(array, (elements, kept));
    }

    pub(crate) fn copied(&self) -> usize {
        self.copied
    }

    pub(crate) fn count_copied(&mut self, elements: usize) {
        self.copied += elements;
    }

    pub(crate) fn note_made(&mut self, array: ObjectId) {
        self.made.insert(array);
    }

    /// Whether an array is as old as the stretch, so that nobody has written to it before.
    pub(crate) fn is_made(&self, array: ObjectId) -> bool {
        self.made.contains(&array)
    }

    /// The elements of an array of which the stretch knows something.
    pub(crate) fn indexes(&self, array: ObjectId) -> &[i32] {
        self.indexes.get(&array).map(Vec::as_slice).unwrap_or_default()
    }

    /// Unrecorded code has written some elements of an array.
    pub(crate) fn note_range(&mut self, array: ObjectId, range: Range<i32>, origin: Origin) {
        self.ranges.entry(array).or_default().push((range, origin));
        self.changed.insert(array);
        self.read.remove(&array);
    }

    /// For other threads.
    pub(crate) fn keep_part(&mut self, part: WrittenPart) {
        self.written_parts.push(part);
    }

    pub(crate) fn written_parts(&self) -> impl Iterator<Item = WrittenPart> {
        self.written_parts.iter().map(|part| WrittenPart { array: self.identity(part.array), ..part.clone() })
    }

    /// Who has written parts of an array that have to do with some elements, since the whole was written.
    pub(crate) fn ranges(&self, array: ObjectId, elements: &Range<i32>) -> Vec<Origin> {
        let parts = self.ranges.get(&array).map(Vec::as_slice).unwrap_or_default();
        let is_meant = |part: &Range<i32>| part.start < elements.end && elements.start < part.end;
        let since = self.places.get(Place::Content(array)).and_then(position);
        let is_left = |origin: Origin| position(by_unrecorded(origin)) >= since;
        parts.iter().filter(|(part, origin)| is_meant(part) && is_left(*origin)).map(|&(_, origin)| origin).collect()
    }

    /// Unrecorded code has copied something to a place.
    pub(crate) fn note_copied(&mut self, place: Place, origin: Origin) {
        self.note(place, by_unrecorded(origin));
    }

    /// Unrecorded code is given an item to keep in an object.
    pub(crate) fn note_item(&mut self, shelf: ObjectId, item: ObjectId, origin: Origin) {
        self.note_put(Put { shelf, item, origin, under: Under::Unknown });
    }

    pub(crate) fn note_put(&mut self, put: Put) {
        let Put { shelf, item, origin, .. } = put;
        self.puts.push(put);
        if is_temporary(shelf) {
            self.unidentified_shelves.entry(shelf).or_default().push(item);
        }
        self.change(Place::Item(shelf, item), origin);
    }

    /// Recorded code puts an object into an array.
    pub(crate) fn note_element(&mut self, array: ObjectId, element: ObjectId, origin: Origin) {
        self.note_item(array, element, origin);
        self.elements.entry(array).or_default().push(element);
    }

    /// What is in one object may come from another.
    pub(crate) fn link(&mut self, to: ObjectId, from: ObjectId) {
        self.shelves.link(to, from);
        // No index tells where the elements of an array were written.
        for element in self.elements.get(&from).cloned().unwrap_or_default() {
            if let Some(put) = self.places.get(Place::Item(from, element)) {
                self.note_item(to, element, put.origin);
            }
        }
    }

    pub(crate) fn written(&self, place: Place) -> Option<Written> {
        self.places.get(place)
    }

    /// What was noted of a place last is not so.
    pub(crate) fn put_back(&mut self, place: Place, before: Option<Written>) {
        match before {
            Some(before) => self.places.insert(place, before),
            None => self.places.remove(place),
        };
        if let Some(last) = self.changes.iter().rposition(|change| change.place == place) {
            self.changes.remove(last);
        }
        if let Place::Item(shelf, item) = place
            && let Some(last) = self.puts.iter().rposition(|put| (put.shelf, put.item) == (shelf, item))
        {
            self.puts.remove(last);
        }
    }

    /// Who has put what somewhere, in the order of execution.
    pub(crate) fn puts(&self) -> impl Iterator<Item = Put> {
        self.puts.iter().map(|put| Put { shelf: self.identity(put.shelf), item: self.identity(put.item), ..*put })
    }

    /// Whoever changes one object changes the other, which it shows.
    pub(crate) fn view(&mut self, of: ObjectId, viewed: ObjectId) {
        self.shelves.view(of, viewed);
    }

    /// Whoever is given a function may change an object.
    pub(crate) fn act(&mut self, function: ObjectId, on: ObjectId) {
        self.shelves.act(function, on);
    }

    pub(crate) fn is_acting(&self, function: ObjectId) -> bool {
        self.shelves.is_acting(function)
    }

    /// An object and those that it is a view of.
    pub(crate) fn viewed(&self, object: ObjectId) -> Vec<ObjectId> {
        self.shelves.viewed(object)
    }

    /// Whether an object has its items from just one other, whatever that has them from.
    pub(crate) fn has_one_source(&self, shelf: ObjectId) -> bool {
        self.shelves.has_one_source(shelf)
    }

    /// An object and those that it may have its items from.
    pub(crate) fn sources(&self, shelf: ObjectId) -> Vec<ObjectId> {
        self.shelves.sources(shelf)
    }

    /// Who has put an item into an object, or into what the object has its items from. `Err`: where else to ask.
    pub(crate) fn item(&self, shelf: ObjectId, item: ObjectId) -> Result<Origin, Vec<Place>> {
        self.held(Place::Item(shelf, item))
    }

    /// The same for an item that is asked for under a key, too.
    pub(crate) fn held(&self, place: Place) -> Result<Origin, Vec<Place>> {
        let places: Vec<Place> = match place {
            Place::Item(shelf, item) => {
                self.sources(shelf).into_iter().map(|source| Place::Item(source, item)).collect()
            }
            Place::Entry(map, key, item) => {
                self.sources(map).into_iter().map(|source| Place::Entry(source, key, item)).collect()
            }
            other => vec![other],
        };
        match places.iter().find_map(|&place| self.places.get(place)) {
            Some(put) => Ok(put.origin),
            None => Err(places),
        }
    }

    /// Unrecorded code is given an item to keep in a map under a key.
    pub(crate) fn note_entry(&mut self, entry: Place, origin: Origin) {
        self.change(entry, origin);
    }

    /// A function has captured something.
    pub(crate) fn note_capture(&mut self, capture: Capture, origin: Origin) {
        self.change(Place::Captured(capture), origin);
    }

    /// What was captured may be known by other ids later.
    pub(crate) fn expect_identities(&mut self, values: Values) {
        let temporaries: Vec<ObjectId> = values.temporaries().collect();
        for &object in &temporaries {
            self.unidentified_captures.entry(object).or_default().push(self.unidentified_values.len());
        }
        if !temporaries.is_empty() {
            self.unidentified_values.push(values);
        }
    }

    fn identify_captures(&mut self, temporary: ObjectId, object: ObjectId) {
        for position in self.unidentified_captures.remove(&temporary).unwrap_or_default() {
            let values = &mut self.unidentified_values[position];
            let before: Vec<Capture> = values.captures().collect();
            values.identify(temporary, object);
            for (before, now) in before.into_iter().zip(values.captures()).filter(|(before, now)| before != now) {
                self.identified_captures.insert(before, now);
                if let Some(written) = self.places.remove(Place::Captured(before)) {
                    self.places.insert(Place::Captured(now), written);
                }
            }
        }
    }

    /// Unrecorded code may have changed an object.
    pub(crate) fn note_content(&mut self, object: ObjectId, origin: Origin) {
        self.change(Place::Content(object), origin);
    }

    fn change(&mut self, place: Place, origin: Origin) {
        if let Place::Content(object) = place {
            self.changed.insert(object);
            self.read.remove(&object);
        }
        self.places.insert(place, by_unrecorded(origin));
    }

    /// For other threads, which see what a call has done when it is over.
    pub(crate) fn keep_change(&mut self, place: Place, call: NodeId, before: usize) {
        self.changes.push(Change { place, call, before: before as u32 });
    }

    pub(crate) fn changes(&self) -> impl Iterator<Item = Change> {
        self.changes.iter().map(|&change| Change { place: self.known(change.place), ..change })
    }

    /// A place in words that do not change.
    pub(crate) fn known(&self, place: Place) -> Place {
        match place {
            Place::Static(_) => place,
            Place::Field(object, field) => Place::Field(self.identity(object), field),
            Place::Element(array, index) => Place::Element(self.identity(array), index),
            Place::Content(object) => Place::Content(self.identity(object)),
            Place::Item(shelf, item) => Place::Item(self.identity(shelf), self.identity(item)),
            Place::Entry(map, key, item) => Place::Entry(self.identity(map), key, self.identity(item)),
            Place::Captured(mut capture) => {
                while let Some(&now) = self.identified_captures.get(&capture) {
                    capture = now;
                }
                Place::Captured(capture)
            }
        }
    }

    pub(crate) fn identify(&mut self, temporary: ObjectId, object: ObjectId) {
        self.identities.insert(temporary, object);
        self.shelves.identify(temporary, object);
        for item in self.unidentified_shelves.remove(&temporary).unwrap_or_default() {
            if let Some(put) = self.places.remove(Place::Item(temporary, item)) {
                self.places.insert(Place::Item(object, item), put);
            }
        }
        self.identify_captures(temporary, object);
        if let Some(ranges) = self.ranges.remove(&temporary) {
            self.ranges.insert(object, ranges);
        }
        if self.made.remove(&temporary) {
            self.made.insert(object);
        }
        if self.changed.remove(&temporary) {
            self.changed.insert(object);
        }
        for index in self.indexes.remove(&temporary).unwrap_or_default() {
            if let Some(written) = self.places.remove(Place::Element(temporary, index)) {
                self.note(Place::Element(object, index), written);
            }
        }
        if let Some(content) = self.places.remove(Place::Content(temporary)) {
            self.places.insert(Place::Content(object), content);
        }
        for field in self.unidentified.remove(&temporary).unwrap_or_default() {
            if let Some(written) = self.places.remove(Place::Field(temporary, field)) {
                self.places.insert(Place::Field(object, field), written);
            }
        }
    }

    /// The id of an object that may have been known by a temporary one.
    pub(crate) fn identity(&self, object: ObjectId) -> ObjectId {
        self.identities.get(&object).copied().unwrap_or(object)
    }
}

/// What was written is not known.
fn by_unrecorded(origin: Origin) -> Written {
    Written { origin, kind: LogKind::Nothing, bits: 0 }
}

/// Instructions of the stretch come after what was before it.
fn position(written: Written) -> Option<u32> {
    match written.origin.kind() {
        OriginKind::Node(node) => Some(node.0),
        OriginKind::None | OriginKind::Before(_) => None,
    }
}
