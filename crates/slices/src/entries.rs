//! Maps: which call has put a value there under which key.

use crate::dependences::{Dependences, Executed, Found};
use crate::digest::Digest;
use crate::graph::{Need, NodeId, Origin, Place};
use crate::heap::Under;
use crate::library::Library;
use crate::outside::Given;
use crate::recorder::{Recorder, is_temporary};
use crate::wants::Unknown;
use whydunit_replay::ReplayError;
use whydunit_replay::program::Call;
use whydunit_trace::ObjectId;
use whydunit_trace::stream::Content;

/// A key of a map. Texts and boxed values are the same key when they have the same content; of other objects it is not
/// known which ones are equal, so that each is a key of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key(Digest);

impl Key {
    fn plain(digest: Digest) -> Key {
        Key(digest.marked(true))
    }

    fn of_its_own(object: ObjectId) -> Key {
        Key(Digest::of(object).marked(false))
    }

    /// Whether it is known which others are equal.
    pub(crate) fn is_plain(self) -> bool {
        self.0.is_marked()
    }
}

/// Methods that put their second argument under their first.
const PUTTERS: [&str; 3] = ["put", "putIfAbsent", "replace"];

/// Methods that give back what is under their first argument.
const GETTERS: [&str; 3] = ["get", "getOrDefault", "remove"];

/// What an item that a call puts into a map is there.
pub(crate) fn put_under(call: &Call, key: Option<Key>, slot: u16) -> Under {
    let is_put = PUTTERS.contains(&&*call.name) && call.argument_slots == 3;
    match (key.filter(|_| is_put), slot) {
        (Some(_), 1) => Under::ItselfAsKey,
        (Some(key), 2) => Under::Key(key),
        _ => Under::Unknown,
    }
}

/// What a call puts under a key.
pub(crate) fn put_value<'g>(call: &Call, given: &'g [Given]) -> Option<&'g Given> {
    let is_put = PUTTERS.contains(&&*call.name) && call.argument_slots == 3;
    given.iter().find(|given| is_put && given.slot == 2)
}

/// The key that a call names, if it is a method of maps.
fn named_key<'g>(call: &Call, given: &'g [Given]) -> Option<&'g Given> {
    let is_keyed = PUTTERS.contains(&&*call.name) || GETTERS.contains(&&*call.name);
    given.iter().find(|given| is_keyed && given.slot == 1)
}

impl Library<'_> {
    /// The key that a call of a map's method names.
    pub(crate) fn key(&self, call: &Call, map: ObjectId, given: &[Given]) -> Option<Key> {
        let key = named_key(call, given)?.object;
        let is_receiver = given.first().is_some_and(|given| given.slot == 0 && given.object == map);
        if !is_receiver || is_temporary(map) || is_temporary(key) || !self.is_map(map) {
            return None;
        }
        Some(*self.keys.borrow_mut().entry(key).or_insert_with(|| self.key_of(key)))
    }

    fn key_of(&self, key: ObjectId) -> Key {
        self.plain_key(key).unwrap_or_else(|| Key::of_its_own(key))
    }

    /// The key that an object is, if it is known which others are equal to it.
    pub(crate) fn plain_key(&self, key: ObjectId) -> Option<Key> {
        match self.content(key) {
            Some(Content::String { length, beginning }) if beginning.encode_utf16().count() == length as usize => {
                Some(Key::plain(Digest::of(beginning)))
            }
            Some(Content::Boxed { bits }) => Some(Key::plain(Digest::of((self.class(key), bits)))),
            _ => self.is_enum(key).then(|| Key::plain(Digest::of(key))),
        }
    }
}

impl Recorder<'_> {
    /// Who may have put an item into an object that a call has got it from.
    pub(crate) fn holders(&mut self, reader: NodeId, call: &Call, shelf: ObjectId, item: ObjectId) -> Vec<Origin> {
        let given = self.frames.last().map(|frame| frame.given.clone()).unwrap_or_default();
        let is_getter = GETTERS.contains(&&*call.name);
        let Some(key) = self.library.key(call, shelf, &given).filter(|_| is_getter) else {
            return self.putters(reader, shelf, item);
        };
        let place = Place::Entry(shelf, key, item);
        let origin = match self.heap.held(place) {
            Ok(origin) => origin,
            Err(_) => {
                let origin = self.graph.need(Need::Written(place));
                let by_identity = self.putters(reader, shelf, item);
                self.graph.by_identity.insert((reader, origin), by_identity);
                origin
            }
        };
        self.graph.looked.push((reader, origin, place));
        vec![origin]
    }
}

impl Dependences<'_> {
    /// A value that nobody is known to have put under its key was put there in another way.
    pub(crate) fn by_identity(&self, executed: Executed, origin: Origin, entry: Place) -> Result<Found, ReplayError> {
        let mut found = Err(Unknown::NotWritten(entry));
        for other in self.stretch(executed.at)?.by_identity(executed.node, origin) {
            let next = self.source(executed, other)?;
            // What is in the map itself came with it, whatever else it may have come from.
            let came_with_it = matches!(found, Err(Unknown::NotWritten(Place::Content(_))));
            if next.is_ok() || !came_with_it {
                found = next;
            }
            if found.is_ok() {
                break;
            }
        }
        Ok(found)
    }

    /// Whether it is certain that an instruction has got its value by the key or position at which it was put, or from the
    /// task of its future: an entry that was put under the key may have been replaced since in a way that is not followed.
    pub fn is_by_key(&self, reader: Executed) -> Result<bool, ReplayError> {
        Ok(self.is_followed(reader)? || self.is_followed_future(reader)?)
    }
}
