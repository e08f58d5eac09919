//! What calls of unrecorded code are given, what they read of it and what they keep.

use crate::entries::{put_under, put_value};
use crate::graph::{Origin, OriginKind, Place, Role};
use crate::heap::Put;
use crate::library::Effects;
use crate::parts::Part;
use crate::recorder::{Recorder, is_temporary};
use crate::shelves::is_remover;
use whydunit_classfile::access;
use whydunit_replay::program::{Call, CallKind, DefinitionIndex, Field};
use whydunit_replay::unrecorded::{Emptying, emptying, is_mover, is_wrapping};
use whydunit_trace::{LogKind, ObjectId};

/// A reference that unrecorded code is given.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Given {
    pub(crate) object: ObjectId,
    pub(crate) origin: Origin,
    /// Among the slots of the arguments.
    pub(crate) slot: u16,
}

impl Recorder<'_> {
    /// A call into unrecorded code starts: what it is given, and what it may keep.
    pub(crate) fn start_call(&mut self, call: &Call, arguments: &[u64]) {
        self.take_arguments(call, arguments);
        let Some(frame) = self.frames.last() else { return };
        let (given, read, written) = (frame.given.clone(), frame.read.clone(), frame.written.clone());
        let origin = frame.pending;
        if let Some((Part { to: Some(to), .. }, _)) = frame.part {
            read.iter().for_each(|&from| self.heap.link(to, from));
        }
        if written.is_empty() {
            return;
        }
        let items: Vec<(ObjectId, Origin)> =
            given.iter().map(|given| (given.object, self.pass_item(origin, given))).collect();
        let keeps = !is_remover(&self.library.method(call));
        let mut put = Vec::new();
        for shelf in written {
            self.heap.note_content(shelf, origin);
            let key = self.library.key(call, shelf, &given);
            let kept = given.iter().zip(&items).filter(|(_, (item, _))| keeps && *item != shelf);
            for (&Given { slot, .. }, &(item, passing)) in kept {
                let place = Place::Item(shelf, item);
                put.push((place, self.heap.written(place)));
                let under = put_under(call, key, slot);
                self.heap.note_put(Put { shelf, item, origin: passing, under });
                self.keep_change(place, passing);
                if read.contains(&item) {
                    self.heap.link(shelf, item);
                }
            }
            if let (Some(key), Some(value)) = (key, put_value(call, &given))
                && let Some(&(item, passing)) = items.iter().find(|(item, _)| *item == value.object)
                && !is_temporary(item)
            {
                let place = Place::Entry(shelf, key, item);
                put.push((place, self.heap.written(place)));
                self.heap.note_entry(place, passing);
                self.keep_change(place, passing);
            }
        }
        if let Some(frame) = self.frames.last_mut() {
            frame.put = put;
        }
    }

    /// What a call gives unrecorded code to keep is made of that alone, and not of all that the call is given.
    pub(crate) fn pass_item(&mut self, call: Origin, given: &Given) -> Origin {
        let OriginKind::Node(node) = call.kind() else { return call };
        self.pass_argument(node, given.slot, u64::from(given.object.0), given.origin).map_or(call, Origin::node)
    }

    /// The inputs of a call into unrecorded code.
    pub(crate) fn take_arguments(&mut self, call: &Call, arguments: &[u64]) {
        let Some(frame) = self.frames.last() else { return };
        let OriginKind::Node(node) = frame.pending.kind() else { return };
        let first = self.top_of(frame).saturating_sub(arguments.len());
        let mut effects = self.library.effects(call, arguments);
        self.add_viewed(call, arguments, &mut effects);
        let part = self.part(call, arguments);
        if let Some(part) = part {
            let is_left = |array: &ObjectId| part.to != Some(*array) || part.reads(*array);
            effects.read.retain(is_left);
            effects.written.retain(|&array| part.to != Some(array));
        }
        let emptied = self.emptied(call, first, arguments);
        let mut given = Vec::new();
        let mut slot = 0;
        for &kind in &call.arguments {
            let (origin, bits) = (self.slot(first + slot), arguments.get(slot).copied().unwrap_or_default());
            let position = slot as u16;
            let is_position = match part {
                Some(part) => part.is_position(kind, slot),
                None => emptied.is_some() && kind == LogKind::Int,
            };
            slot += usize::from(kind.slots());
            let object = ObjectId(bits as u32);
            // What is made of an object with contents is made of these.
            let has_content = kind == LogKind::Reference && effects.read.contains(&object);
            if origin != Origin::NONE {
                self.add_input(node, origin, if has_content || is_position { Role::Address } else { Role::Value });
            }
            if kind == LogKind::Reference && bits != 0 {
                given.push(Given { object, origin, slot: position });
            }
        }
        for &object in effects.read.iter().filter(|object| Some(**object) != emptied) {
            let place = Place::Content(object);
            let origin = self.place_origin(place);
            self.graph.looked.push((node, origin, place));
            self.add_input(node, origin, Role::Value);
            self.graph.contents.push((node, object, origin));
            match part.and_then(|part| part.copied(object)) {
                Some(range) => self.take_some_elements(node, object, range),
                None => self.take_elements(node, object),
            }
        }
        for place in self.record_places(call, arguments) {
            let origin = self.place_origin(place);
            self.add_input(node, origin, Role::Value);
        }
        let part = part.map(|part| (part, self.slot(first + part.source_slot())));
        if let Some(frame) = self.frames.last_mut() {
            frame.part = part;
            frame.given = given;
            frame.read = effects.read;
            frame.written = effects.written;
        }
        self.take_keepers(call, arguments);
        if call.kind == CallKind::Dynamic {
            self.note_captured(first, arguments);
        }
    }

    /// The object that a call leaves empty, whatever was in it.
    fn emptied(&mut self, call: &Call, first: usize, arguments: &[u64]) -> Option<ObjectId> {
        let object = arguments.first().map(|&bits| ObjectId(bits as u32))?;
        let is_all = match emptying(call, &self.library.method(call), arguments)? {
            Emptying::All => true,
            Emptying::Up(slot) => self.is_length_of(self.slot(first + slot), object),
        };
        is_all.then_some(object)
    }

    /// Whether a value is what `length()` has said of an object that nobody has changed since.
    fn is_length_of(&mut self, value: Origin, object: ObjectId) -> bool {
        let OriginKind::Node(node) = value.kind() else { return false };
        let read = (node, object, self.place_origin(Place::Content(object)));
        let Some(found) = self.graph.nodes.get(node.0 as usize) else { return false };
        let method =
            self.graph.frames.get(found.frame.0 as usize).and_then(|frame| self.program.code(frame.method).ok());
        let is_length = method.and_then(|code| code.call_at(found.pc())).is_some_and(|call| &*call.name == "length");
        is_length && self.graph.contents_of(node).first() == Some(&read)
    }

    /// Who has to do with a view has to do with what it shows.
    fn add_viewed(&mut self, call: &Call, arguments: &[u64], effects: &mut Effects) {
        let method = self.library.method(call);
        if let Some(wrapper) =
            arguments.first().filter(|_| is_wrapping(call, &method)).map(|&bits| ObjectId(bits as u32))
        {
            effects.read.iter().for_each(|&wrapped| self.heap.view(wrapper, wrapped));
        }
        let add = |objects: &mut Vec<ObjectId>| {
            for object in objects.clone() {
                let viewed = self.heap.viewed(object);
                objects.extend(viewed.into_iter().filter(|viewed| !objects.contains(viewed)).collect::<Vec<_>>());
            }
        };
        add(&mut effects.read);
        if !is_mover(&method) {
            add(&mut effects.written);
        }
        // A function that the call is given may be called.
        for function in effects.read.clone().into_iter().filter(|&object| self.heap.is_acting(object)) {
            let changed = self.heap.viewed(function).into_iter().skip(1);
            effects.written.extend(changed.filter(|changed| !effects.written.contains(changed)).collect::<Vec<_>>());
        }
    }

    /// What the platform reads of a record whose `equals`, `hashCode` or `toString` it has made.
    fn record_places(&self, call: &Call, arguments: &[u64]) -> Vec<Place> {
        let is_made = call.kind == CallKind::Dynamic && matches!(&*call.name, "equals" | "hashCode" | "toString");
        let method = self.frames.last().filter(|_| is_made).and_then(|frame| self.program.code(frame.method).ok());
        let Some(definition) = method.map(|code| code.definition) else { return Vec::new() };
        let (Some(record), Some(summary)) = (self.program.definition(definition), self.program.summary(definition))
        else {
            return Vec::new();
        };
        if summary.superclass.as_deref() != Some("java/lang/Record") {
            return Vec::new();
        }
        let numbers = self.fields_of(definition);
        // `equals` is given any object; one that is no such record has no such fields.
        let objects = arguments.iter().enumerate().filter(|(position, _)| {
            *position == 0 || self.library.is_of(ObjectId(arguments[*position] as u32), record.id)
        });
        let places = objects
            .flat_map(|(_, &object)| numbers.iter().map(move |&number| Place::Field(ObjectId(object as u32), number)));
        places.collect()
    }

    /// The numbers of the fields that objects have by a class.
    pub(crate) fn fields_of(&self, definition: DefinitionIndex) -> Vec<u32> {
        let (Some(class), Some(summary)) = (self.program.definition(definition), self.program.summary(definition))
        else {
            return Vec::new();
        };
        let own = summary.fields.iter().filter(|field| field.access & access::STATIC == 0);
        let number = |(name, descriptor)| {
            self.program.field_number(Field { owner: class.name.as_str().into(), name, descriptor })
        };
        own.map(|field| (field.name.clone(), field.descriptor.clone())).map(number).collect()
    }

    pub(crate) fn keep_change(&mut self, place: Place, origin: Origin) {
        if let OriginKind::Node(node) = origin.kind() {
            self.heap.keep_change(place, node, self.graph.nodes.len());
        }
    }
}
