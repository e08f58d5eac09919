//! What was put into objects of unrecorded classes: elements of collections, values of maps, what streams and
//! iterators pass on.
//!
//! Unrecorded code makes up no references: an object that it gives back was given to it before, or it is new. So the
//! element that `get` returns is the one that some call has put there, whatever the class does inside.

use crate::recorder::is_temporary;
use rustc_hash::{FxHashMap, FxHashSet};
use whydunit_replay::program::Call;
use whydunit_replay::unrecorded::Method;
use whydunit_trace::ObjectId;

/// Objects that have their elements from others: iterators, views, copies, streams.
#[derive(Debug, Default)]
pub(crate) struct Shelves {
    links: FxHashMap<ObjectId, Vec<ObjectId>>,
    views: FxHashMap<ObjectId, Vec<ObjectId>>,
    /// Functions that change what they are views of: `list::add`.
    acting: FxHashSet<ObjectId>,
    /// Objects without an id that others are views of.
    viewed_unidentified: FxHashSet<ObjectId>,
}

/// Longer chains of views are not followed.
const MAX_LINKS: usize = 16;

/// Of an object that has its elements from more others, the latest ones are looked at: what is put together of thousands
/// would have each of its elements looked for in each of them.
const MAX_SOURCES: usize = 64;

/// Methods that give back what was put in.
const GETTERS: [&str; 61] = [
    "get",
    "getOrDefault",
    "getFirst",
    "getLast",
    "elementAt",
    "firstElement",
    "lastElement",
    "element",
    "peek",
    "peekFirst",
    "peekLast",
    "poll",
    "pollFirst",
    "pollLast",
    "pop",
    "remove",
    "removeFirst",
    "removeLast",
    "take",
    "takeFirst",
    "takeLast",
    "next",
    "previous",
    "nextElement",
    "getKey",
    "getValue",
    "setValue",
    "set",
    "put",
    "putIfAbsent",
    "replace",
    "computeIfAbsent",
    "computeIfPresent",
    "compute",
    "merge",
    "first",
    "last",
    "floor",
    "ceiling",
    "lower",
    "higher",
    "firstKey",
    "lastKey",
    "floorKey",
    "ceilingKey",
    "lowerKey",
    "higherKey",
    "orElse",
    "orElseGet",
    "orElseThrow",
    "getAndSet",
    "updateAndGet",
    "getAndUpdate",
    "getPlain",
    "getAcquire",
    "join",
    "resultNow",
    "getNow",
    "getCause",
    "getMessage",
    "getLocalizedMessage",
];

/// Methods whose arguments only say which element is meant.
const ONLY_GETTERS: [&str; 20] = [
    "getAndSet",
    "getAndUpdate",
    "getAndAccumulate",
    "set",
    "setValue",
    "put",
    "putIfAbsent",
    "replace",
    "get",
    "remove",
    "floor",
    "ceiling",
    "lower",
    "higher",
    "floorKey",
    "ceilingKey",
    "lowerKey",
    "higherKey",
    "elementAt",
    "nextElement",
];

/// Methods that are given elements and put none of them in.
const REMOVERS: [&str; 8] = [
    "remove",
    "removeAll",
    "removeIf",
    "retainAll",
    "removeFirstOccurrence",
    "removeLastOccurrence",
    "removeElement",
    "delete",
];

/// Methods that put nothing in when they return `false`.
const ADDERS: [&str; 9] = [
    "add",
    "offer",
    "offerFirst",
    "offerLast",
    "addAll",
    "replace",
    "compareAndSet",
    "weakCompareAndSetPlain",
    "weakCompareAndSetVolatile",
];

/// Methods that have put nothing in when they throw an exception: they put in one thing or none.
const PUTTERS: [&str; 18] = [
    "add",
    "addFirst",
    "addLast",
    "addElement",
    "offer",
    "offerFirst",
    "offerLast",
    "push",
    "put",
    "putFirst",
    "putLast",
    "putIfAbsent",
    "replace",
    "set",
    "setElementAt",
    "insertElementAt",
    "setValue",
    "insert",
];

/// Whether a method gives back something that was put into its receiver.
pub(crate) fn is_getter(method: &Method<'_>) -> bool {
    method.has_receiver && method.is_platform() && GETTERS.contains(&method.name)
}

/// Whether a getter never gives back what it is given with the question.
pub(crate) fn is_only_getter(method: &Method<'_>) -> bool {
    method.is_platform() && ONLY_GETTERS.contains(&method.name)
}

pub(crate) fn is_remover(method: &Method<'_>) -> bool {
    method.has_receiver && method.is_platform() && REMOVERS.contains(&method.name)
}

/// Whether a call that throws an exception has put nothing in.
pub(crate) fn is_undone(method: &Method<'_>) -> bool {
    method.has_receiver && method.is_platform() && PUTTERS.contains(&method.name)
}

/// Whether the result of a call says that nothing was put in.
pub(crate) fn is_refused(call: &Call, result: u64) -> bool {
    match &*call.name {
        "putIfAbsent" => result != 0,
        name => call.descriptor.ends_with(")Z") && result == 0 && ADDERS.contains(&name),
    }
}

impl Shelves {
    /// What is in `from` may be found in `to`.
    pub(crate) fn link(&mut self, to: ObjectId, from: ObjectId) {
        let links = self.links.entry(to).or_default();
        if to != from && !links.contains(&from) {
            links.push(from);
        }
    }

    /// What is changed in `of` is changed in `viewed`.
    pub(crate) fn view(&mut self, of: ObjectId, viewed: ObjectId) {
        let known = self.views.entry(of).or_default();
        if of != viewed && !known.contains(&viewed) {
            known.push(viewed);
        }
        if is_temporary(viewed) {
            self.viewed_unidentified.insert(viewed);
        }
    }

    /// Whoever is given a function may change an object.
    pub(crate) fn act(&mut self, function: ObjectId, on: ObjectId) {
        self.view(function, on);
        self.acting.insert(function);
    }

    pub(crate) fn is_acting(&self, function: ObjectId) -> bool {
        self.acting.contains(&function)
    }

    /// An object and what it is a view of.
    pub(crate) fn viewed(&self, object: ObjectId) -> Vec<ObjectId> {
        reached(&self.views, object)
    }

    pub(crate) fn has_one_source(&self, object: ObjectId) -> bool {
        self.links.get(&object).is_some_and(|links| links.len() == 1)
    }

    /// Where an element of an object may have been put: the object itself first.
    pub(crate) fn sources(&self, object: ObjectId) -> Vec<ObjectId> {
        reached(&self.links, object)
    }

    pub(crate) fn identify(&mut self, temporary: ObjectId, object: ObjectId) {
        for known in [&mut self.links, &mut self.views] {
            if let Some(others) = known.remove(&temporary) {
                known.insert(object, others);
            }
        }
        if self.viewed_unidentified.remove(&temporary) {
            let viewed = self.views.values_mut().flatten();
            viewed.filter(|viewed| **viewed == temporary).for_each(|viewed| *viewed = object);
        }
    }
}

/// An object and those that it leads to, the nearest first.
fn reached(ways: &FxHashMap<ObjectId, Vec<ObjectId>>, object: ObjectId) -> Vec<ObjectId> {
    let mut reached = vec![object];
    let mut next = 0;
    while let Some(from) = reached.get(next)
        && reached.len() < MAX_LINKS
    {
        let ways = ways.get(from).map(Vec::as_slice).unwrap_or_default();
        let room = MAX_SOURCES - reached.len();
        for &to in ways.iter().skip(ways.len().saturating_sub(room)) {
            if !reached.contains(&to) {
                reached.push(to);
            }
        }
        next += 1;
    }
    reached
}
