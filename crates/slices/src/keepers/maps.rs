//! Maps: what is under which key, and who has taken away what was there.

use super::calls::Done;
use super::{Element, GIVES_DEFAULT, Unfollowed};
use crate::dependences::Executed;
use crate::entries::Key;
use crate::library::Library;
use crate::stretch::Stretch;
use rustc_hash::FxHashMap;
use whydunit_trace::{LogKind, ObjectId};

/// The entries of a map under keys of which it is known which ones are equal.
#[derive(Clone, Debug)]
pub(super) struct Table {
    entries: FxHashMap<Key, Element>,
    /// Calls that have removed what was under a key.
    removed: FxHashMap<Key, Executed>,
    /// Calls of views, such as `keySet`, that have taken away nobody knows what.
    thinned: Vec<Executed>,
    /// How many of these there were when something was put under a key, if there were any.
    thinned_before: FxHashMap<Key, usize>,
    /// The call that has emptied the map last, or made it.
    emptied: Executed,
}

/// What a call that only looks has found under its key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Seen {
    Nothing,
    Something,
}

impl Seen {
    /// `None` when the call does more than to look, or does not tell.
    fn of(done: &Done<'_>, old: Option<Element>) -> Option<Seen> {
        let default = match done.name() {
            "get" => 0,
            GIVES_DEFAULT => u64::from(done.object(2).0),
            _ => return None,
        };
        let is_old = old.is_some_and(|old| u64::from(old.object.0) == done.result);
        match done.result == default {
            true if is_old && default != 0 => None,
            true => Some(Seen::Nothing),
            false => Some(Seen::Something),
        }
    }
}

/// What a call of a map has from where.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Found(pub(super) Vec<Executed>);

impl Found {
    fn one(executed: Executed) -> Found {
        Found(vec![executed])
    }

    /// By one of these; with what the call gives back instead, if it was given that.
    fn taken_away(by: &[Executed], done: &Done<'_>, stretch: &Stretch<'_>) -> Found {
        let default = (done.name() == GIVES_DEFAULT).then(|| done.passing(stretch, 2));
        Found(by.iter().copied().chain(default).collect())
    }
}

impl Table {
    pub(super) fn new(made: Executed) -> Table {
        Table {
            entries: FxHashMap::default(),
            removed: FxHashMap::default(),
            thinned: Vec::new(),
            thinned_before: FxHashMap::default(),
            emptied: made,
        }
    }

    pub(super) fn extend(&mut self, other: Table) -> Result<(), Unfollowed> {
        if !other.thinned.is_empty() {
            return Err(Unfollowed);
        }
        other.entries.into_iter().for_each(|(key, element)| self.set(key, element));
        Ok(())
    }

    /// A call of a view of the map is over, which can do no more than take something away.
    pub(super) fn thin_out(&mut self, call: Executed) {
        self.thinned.push(call);
    }

    /// Calls that may have taken away what is under a key.
    fn thinned_since(&self, key: Key) -> &[Executed] {
        let before = self.thinned_before.get(&key).copied().unwrap_or_default();
        self.thinned.get(before..).unwrap_or_default()
    }

    /// `None` when it is not known what the method does.
    pub(super) fn apply(
        &mut self,
        done: &Done<'_>,
        stretch: &Stretch<'_>,
        library: &Library<'_>,
    ) -> Result<Option<Found>, Unfollowed> {
        if let ("clear", "") = (done.name(), done.parameters()) {
            *self = Table::new(done.executed);
            return Ok(Some(Found::default()));
        }
        if !is_keyed(done.name()) {
            return Ok(None);
        }
        // An object of the program's own may be equal to others like it, but to none of these keys.
        let Some(key) = library.plain_key(done.object(1)) else { return Ok(Some(Found::default())) };
        let old = self.entries.get(&key).copied();
        let is_there = done.result != 0;
        let is_result = |old: &Element| {
            let gives_value = done.call.result == LogKind::Reference && (is_there || done.name() == "get");
            gives_value && u64::from(old.object.0) == done.result
        };
        let is_old = old.as_ref().is_some_and(is_result);
        let seen = Seen::of(done, old);
        if let Some(old) = old {
            match (seen, self.thinned_since(key)) {
                (Some(Seen::Nothing), []) if !old.is_null() => return Err(Unfollowed),
                (_, []) | (Some(Seen::Something), _) => {}
                // It was there, and nobody else can have taken it away.
                (Some(Seen::Nothing), &[call]) if !old.is_null() => self.remove(key, call),
                (Some(Seen::Nothing), thinned) => return Ok(Some(Found::taken_away(thinned, done, stretch))),
                (None, _) if matches!(done.name(), "put" | "putIfAbsent" | "replace" | "remove") => {}
                (None, _) => return Err(Unfollowed),
            }
        }
        let old = self.entries.get(&key).copied();
        let given = |slot| Element { object: done.object(slot), put: done.passing(stretch, slot) };
        let made = Element { object: ObjectId(done.result as u32), put: done.executed };
        let three = done.call.argument_slots == 4;
        match done.name() {
            "get" if old.is_none() && seen == Some(Seen::Nothing) => {
                return Ok(Some(Found::one(self.removed.get(&key).copied().unwrap_or(self.emptied))));
            }
            GIVES_DEFAULT if old.is_none() && seen == Some(Seen::Nothing) => {
                let removed = self.removed.get(&key);
                let found = removed.map(|&removed| Found::taken_away(&[removed], done, stretch));
                return Ok(Some(found.unwrap_or_default()));
            }
            "put" => self.set(key, given(2)),
            "putIfAbsent" if !is_there => self.set(key, given(2)),
            "replace" if is_there => self.set(key, given(if three { 3 } else { 2 })),
            // With a value, its result says whether it has removed something.
            "remove" if is_there || done.call.result == LogKind::Reference && old.is_some_and(Element::is_null) => {
                self.remove(key, done.executed);
            }
            "merge" => {
                self.change(key, made);
                let parts = old.map(|old| vec![old.put, done.passing(stretch, 2)]);
                return Ok(Some(Found(parts.filter(|_| is_there).unwrap_or_default())));
            }
            "computeIfAbsent" if is_old => {}
            "computeIfAbsent" if !is_there => {}
            "compute" | "computeIfPresent" | "computeIfAbsent" => {
                self.change(key, made);
                return Ok(Some(Found::default()));
            }
            _ => {}
        }
        Ok(Some(old.filter(|_| is_old).map(|old| Found::one(old.put)).unwrap_or_default()))
    }

    pub(super) fn get(&self, key: Key) -> Option<Element> {
        self.entries.get(&key).copied()
    }

    pub(super) fn set(&mut self, key: Key, element: Element) {
        self.removed.remove(&key);
        if !self.thinned.is_empty() {
            self.thinned_before.insert(key, self.thinned.len());
        }
        self.entries.insert(key, element);
    }

    fn remove(&mut self, key: Key, by: Executed) {
        self.entries.remove(&key);
        self.removed.insert(key, by);
    }

    /// A function has made what is under a key now; `null`: nothing.
    fn change(&mut self, key: Key, made: Element) {
        if made.object != ObjectId(0) {
            self.set(key, made);
        } else if self.entries.contains_key(&key) {
            self.remove(key, made.put);
        }
    }
}

/// Methods whose first argument is a key.
fn is_keyed(name: &str) -> bool {
    matches!(
        name,
        "get"
            | GIVES_DEFAULT
            | "put"
            | "putIfAbsent"
            | "replace"
            | "remove"
            | "merge"
            | "compute"
            | "computeIfAbsent"
            | "computeIfPresent"
    )
}
