//! What was put into objects of unrecorded classes: elements of collections, values of maps, what streams and
//! iterators pass on.
//!
//! Unrecorded code makes up no references: an object that it gives back was given to it before, or it is new. So the
//! element that `get` returns is the one that some call has put there, whatever the class does inside.

use rustc_hash::FxHashMap;
use whydunit_replay::program::{Call, CallKind};
use whydunit_trace::ObjectId;

/// Objects that have their elements from others: iterators, views, copies, streams.
#[derive(Debug, Default)]
pub(crate) struct Shelves {
    links: FxHashMap<ObjectId, Vec<ObjectId>>,
}

/// Longer chains of views are not followed.
const MAX_LINKS: usize = 16;

/// Methods that give back what was put in.
const GETTERS: [&str; 58] = [
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
];

/// Whether a call gives back something that was put into its receiver.
pub(crate) fn is_getter(call: &Call) -> bool {
    call.kind == CallKind::Virtual && call.owner.starts_with("java/") && GETTERS.contains(&&*call.name)
}

impl Shelves {
    /// What is in `from` may be found in `to`.
    pub(crate) fn link(&mut self, to: ObjectId, from: ObjectId) {
        let links = self.links.entry(to).or_default();
        if to != from && !links.contains(&from) {
            links.push(from);
        }
    }

    /// Where an element of an object may have been put: the object itself first.
    pub(crate) fn sources(&self, object: ObjectId) -> Vec<ObjectId> {
        let mut sources = vec![object];
        let mut next = 0;
        while let Some(&source) = sources.get(next)
            && sources.len() < MAX_LINKS
        {
            for &link in self.links.get(&source).map(Vec::as_slice).unwrap_or_default() {
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
