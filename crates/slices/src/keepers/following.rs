//! What is known of one collection or map after some of its calls.

use super::calls::{Done, Kind, Part};
use super::lists::{Cursor, Elements};
use super::maps::Table;
use super::{Element, Unfollowed};
use crate::dependences::Executed;
use crate::entries::Key;
use crate::library::Library;
use crate::stretch::Stretch;
use rustc_hash::FxHashMap;
use whydunit_replay::program::{Call, CallKind};
use whydunit_replay::unrecorded::is_view;
use whydunit_trace::{LogKind, ObjectId};

/// What is in a keeper.
#[derive(Clone, Debug)]
pub(super) enum Kept {
    List(Kind, Elements),
    Map(Table),
}

/// What is known of a keeper after some of its calls.
#[derive(Debug)]
pub(super) struct History {
    pub(super) keeper: ObjectId,
    pub(super) kept: Result<Kept, Unfollowed>,
    /// Where iterators stand; `None` when the list was changed otherwise since.
    pub(super) iterators: FxHashMap<ObjectId, Option<Cursor>>,
    /// The keys of a map's entries, as far as somebody has asked for them.
    entries: FxHashMap<ObjectId, Key>,
    /// By call: who has put there what it gives back.
    pub(super) found: Vec<(Executed, Vec<Executed>)>,
}

impl History {
    pub(super) fn new(keeper: ObjectId) -> History {
        History {
            keeper,
            kept: Err(Unfollowed),
            iterators: FxHashMap::default(),
            entries: FxHashMap::default(),
            found: Vec::new(),
        }
    }

    /// A call of a method of the keeper.
    pub(super) fn apply(&mut self, done: &Done<'_>, stretch: &Stretch<'_>, library: &Library<'_>) {
        if done.is_iteration() {
            self.iterators.insert(ObjectId(done.result as u32), Some(Cursor::default()));
            return;
        }
        let Ok(kept) = &mut self.kept else { return };
        let applied = match kept {
            Kept::List(kind, elements) => match elements.apply(*kind, done, stretch, library) {
                Ok(applied) => Ok(applied.map(|applied| {
                    if applied.is_moved {
                        lose(&mut self.iterators);
                    }
                    applied.found.into_iter().collect::<Vec<_>>()
                })),
                Err(unfollowed) => Err(unfollowed),
            },
            Kept::Map(table) => {
                let applied = table.apply(done, stretch, library).map(|found| found.map(|found| found.0));
                self.entries.retain(|_, key| table.get(*key).is_some());
                applied
            }
        };
        match applied {
            Ok(Some(found)) if found.is_empty() => {}
            Ok(Some(found)) => self.found.push((done.executed, found)),
            Ok(None) if done.part == Part::Shown || !changes(done.call, library) => {}
            Ok(None) | Err(Unfollowed) => self.kept = Err(Unfollowed),
        }
    }

    /// A call of a view of the keeper that changes it.
    pub(super) fn apply_view(&mut self, done: &Done<'_>) {
        let is_in_vain = done.call.result == LogKind::Byte && done.result == 0 && !done.has_thrown;
        match &mut self.kept {
            Ok(Kept::Map(_)) if takes_away(done.name()) && is_in_vain => {}
            Ok(Kept::Map(table)) if takes_away(done.name()) => {
                table.thin_out(done.executed);
                self.entries.clear();
            }
            _ => self.kept = Err(Unfollowed),
        }
    }

    /// A call of an entry of the map.
    pub(super) fn apply_entry(&mut self, done: &Done<'_>, stretch: &Stretch<'_>, library: &Library<'_>) {
        let Ok(Kept::Map(table)) = &mut self.kept else { return };
        let key = self.entries.get(&done.receiver).copied();
        let old = key.and_then(|key| table.get(key));
        match done.name() {
            "getKey" => {
                let key = library.plain_key(ObjectId(done.result as u32)).filter(|key| table.get(*key).is_some());
                self.entries.extend(key.map(|key| (done.receiver, key)));
            }
            "getValue" | "setValue" => match (key, old.map(|old| old.seen_as(done.result))) {
                (Some(key), Some(Ok(put))) => {
                    self.found.push((done.executed, vec![put]));
                    if done.name() == "setValue" {
                        table.set(key, Element { object: done.object(1), put: done.passing(stretch, 1) });
                    }
                }
                (_, Some(Err(Unfollowed))) => self.kept = Err(Unfollowed),
                _ if done.name() == "setValue" => self.kept = Err(Unfollowed),
                _ => {}
            },
            _ => {}
        }
    }

    /// A call of what may be an iterator over the list.
    pub(super) fn apply_iterator(&mut self, iterator: ObjectId, done: &Done<'_>) {
        let Some(cursor) = self.iterators.get(&iterator).copied() else { return };
        let Ok(Kept::List(_, elements)) = &mut self.kept else { return };
        let Some(mut cursor) = cursor else {
            // That of an `ArrayDeque` goes on, and may take away what it stands at.
            if done.name() == "remove" {
                self.kept = Err(Unfollowed);
            }
            return;
        };
        match elements.apply_iterator(&mut cursor, done) {
            Ok(applied) => {
                if applied.is_moved {
                    lose(&mut self.iterators);
                }
                self.iterators.insert(iterator, Some(cursor));
                self.found.extend(applied.found.map(|put| (done.executed, vec![put])));
            }
            Err(Unfollowed) => self.kept = Err(Unfollowed),
        }
    }
}

/// It is not known any more where iterators stand.
pub(super) fn lose(iterators: &mut FxHashMap<ObjectId, Option<Cursor>>) {
    iterators.values_mut().for_each(|cursor| *cursor = None);
}

impl Kept {
    pub(super) fn with(self, copied: Kept) -> Result<Kept, Unfollowed> {
        match (self, copied) {
            (Kept::List(kind, mut elements), Kept::List(_, copied)) => {
                elements.extend(copied);
                Ok(Kept::List(kind, elements))
            }
            (Kept::Map(mut table), Kept::Map(copied)) => {
                table.extend(copied)?;
                Ok(Kept::Map(table))
            }
            _ => Err(Unfollowed),
        }
    }
}

impl Done<'_> {
    pub(super) fn is_iteration(&self) -> bool {
        let is_own = matches!(self.part, Part::Receiver | Part::Shown);
        is_own && self.name() == "iterator" && self.parameters().is_empty()
    }
}

/// Methods of collections that only take something away.
fn takes_away(name: &str) -> bool {
    matches!(name, "remove" | "removeIf" | "removeAll" | "retainAll" | "clear" | "pollFirst" | "pollLast")
}

/// A keeper as its constructor leaves it, without what that copies.
pub(super) fn made(kind: Option<Kind>, done: &Done<'_>) -> Option<Kept> {
    let takes_numbers = done.parameters().chars().all(|kind| "IFZ".contains(kind));
    match kind? {
        kind @ (Kind::List | Kind::Deque) if takes_numbers || copies(done) => {
            Some(Kept::List(kind, Elements::default()))
        }
        Kind::Map if takes_numbers || copies(done) || done.parameters() == "Ljava/lang/Class;" => {
            Some(Kept::Map(Table::new(done.executed)))
        }
        _ => None,
    }
}

/// Whether a call puts all of its argument into its receiver.
pub(super) fn copies(done: &Done<'_>) -> bool {
    let is_constructor = done.call.kind == CallKind::Constructor;
    match done.parameters() {
        "Ljava/util/Collection;" => is_constructor || done.name() == "addAll",
        "Ljava/util/Map;" => is_constructor || done.name() == "putAll",
        _ => false,
    }
}

/// Whether a method that is not followed may change its receiver, or gives out something that does.
fn changes(call: &Call, library: &Library<'_>) -> bool {
    let method = library.method(call);
    let is_map_view = matches!(method.name, "keySet" | "values" | "entrySet");
    method.changes(0) || is_view(&method) && !is_map_view
}
