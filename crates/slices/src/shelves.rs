//! What was put into objects of unrecorded classes: elements of collections, values of maps, what streams and
//! iterators pass on.
//!
//! Unrecorded code makes up no references: an object that it gives back was given to it before, or it is new. So the
//! element that `get` returns is the one that some call has put there, whatever the class does inside.

use crate::library::Method;
use rustc_hash::FxHashMap;
use whydunit_replay::program::Call;
use whydunit_trace::ObjectId;

/// Objects that have their elements from others: iterators, views, copies, streams.
#[derive(Debug, Default)]
pub(crate) struct Shelves {
    links: FxHashMap<ObjectId, Vec<ObjectId>>,
    views: FxHashMap<ObjectId, ObjectId>,
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
const ONLY_GETTERS: [&str; 12] = [
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
const ADDERS: [&str; 5] = ["add", "offer", "offerFirst", "offerLast", "addAll"];

/// Methods whose result shows what is in their receiver or first argument, and changes it.
const VIEWS: [&str; 34] = [
    "iterator",
    "listIterator",
    "descendingIterator",
    "keySet",
    "navigableKeySet",
    "descendingKeySet",
    "values",
    "entrySet",
    "subList",
    "headMap",
    "tailMap",
    "subMap",
    "descendingMap",
    "headSet",
    "tailSet",
    "subSet",
    "descendingSet",
    "asList",
    "elements",
    "keys",
    "reversed",
    "newSetFromMap",
    "asLifoQueue",
    "unmodifiableCollection",
    "unmodifiableList",
    "unmodifiableSet",
    "unmodifiableMap",
    "synchronizedCollection",
    "synchronizedList",
    "synchronizedSet",
    "synchronizedMap",
    "checkedCollection",
    "checkedList",
    "checkedMap",
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

pub(crate) fn is_view(method: &Method<'_>) -> bool {
    method.is_platform() && VIEWS.contains(&method.name)
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
        if of != viewed {
            self.views.insert(of, viewed);
        }
    }

    /// An object and what it is a view of.
    pub(crate) fn viewed(&self, object: ObjectId) -> Vec<ObjectId> {
        let mut viewed = vec![object];
        while let Some(next) = viewed.last().and_then(|last| self.views.get(last))
            && viewed.len() < MAX_LINKS
            && !viewed.contains(next)
        {
            viewed.push(*next);
        }
        viewed
    }

    /// Where an element of an object may have been put: the object itself first.
    pub(crate) fn sources(&self, object: ObjectId) -> Vec<ObjectId> {
        let mut sources = vec![object];
        let mut next = 0;
        while let Some(&source) = sources.get(next)
            && sources.len() < MAX_LINKS
        {
            let links = self.links.get(&source).map(Vec::as_slice).unwrap_or_default();
            let room = MAX_SOURCES - sources.len();
            for &link in links.iter().skip(links.len().saturating_sub(room)) {
                if !sources.contains(&link) {
                    sources.push(link);
                }
            }
            next += 1;
        }
        sources
    }

    pub(crate) fn identify(&mut self, temporary: ObjectId, object: ObjectId) {
        if let Some(links) = self.links.remove(&temporary) {
            self.links.insert(object, links);
        }
    }
}
