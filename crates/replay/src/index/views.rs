//! Objects that show what is in others, such as iterators and `subList`: who has to do with one has to do with what it
//! shows. A segment has to know of those that are older than itself.

use super::query::objects_given;
use crate::interpreter::{At, TEMPORARY};
use crate::objects::ObjectTable;
use crate::program::{Call, CallKind, MethodIndex, Pc, Program};
use crate::unrecorded::{Method, Owners, class_has_content, is_view, is_wrapping};
use rustc_hash::FxHashMap;
use std::sync::Arc;
use whydunit_trace::{LogKind, ObjectId};

/// Views that were made or met last. Of those that were not for long, as many again are known.
const MOST: usize = 1 << 18;

/// Objects that were met last and are no views, so that few are looked up again. A power of two.
const RECENT: usize = 1 << 10;

/// A view and something that it shows.
pub(super) type Pair = (ObjectId, ObjectId);

#[derive(Debug)]
pub(super) struct Views<'p> {
    program: &'p Program,
    objects: &'p ObjectTable,
    owners: Arc<Owners>,
    /// What the calls of instructions make.
    calls: FxHashMap<(MethodIndex, Pc), Making>,
    young: FxHashMap<ObjectId, View>,
    old: FxHashMap<ObjectId, View>,
    /// Those that have no id yet.
    unidentified: FxHashMap<ObjectId, View>,
    others: Box<[ObjectId; RECENT]>,
    /// Calls that have not given back their view yet, the lowest frame first.
    under_way: Vec<UnderWay>,
    /// Views older than the segment that came up in it.
    older: Vec<Pair>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Making {
    Nothing,
    /// The result shows what the call was given first.
    Result {
        has_entries: bool,
    },
    /// The result may be an entry of what the receiver goes through.
    Entry,
    /// The new object passes on what it is asked to what its constructor was given.
    Wrapper,
}

#[derive(Debug)]
struct View {
    shown: Vec<ObjectId>,
    /// Its elements are entries of a map.
    has_entries: bool,
    /// The last segment in which it was made, or that knows of it.
    segment: u32,
}

#[derive(Debug)]
struct UnderWay {
    depth: u32,
    at: (MethodIndex, Pc),
    making: Making,
    of: ObjectId,
}

impl<'p> Views<'p> {
    pub(super) fn new(program: &'p Program, objects: &'p ObjectTable, owners: Arc<Owners>) -> Views<'p> {
        Views {
            program,
            objects,
            owners,
            calls: FxHashMap::default(),
            young: FxHashMap::default(),
            old: FxHashMap::default(),
            unidentified: FxHashMap::default(),
            others: Box::new([ObjectId::NULL; RECENT]),
            under_way: Vec::new(),
            older: Vec::new(),
        }
    }

    /// Those that came up in the segment that ends.
    pub(super) fn take(&mut self) -> Vec<Pair> {
        std::mem::take(&mut self.older)
    }

    /// Unrecorded code is given an object. What it shows, if the segment did not know of it so far.
    pub(super) fn meet(&mut self, object: ObjectId, segment: u32) -> Vec<ObjectId> {
        let mut shown = Vec::new();
        if self.others[object.0 as usize & (RECENT - 1)] == object {
            return shown;
        }
        let mut next = Some(object);
        let mut following = 0;
        while let Some(object) = next {
            if let Some(view) = self.known(object).filter(|view| view.segment != segment) {
                view.segment = segment;
                let viewed = view.shown.clone();
                self.older.extend(viewed.iter().map(|&viewed| (object, viewed)));
                shown.extend(viewed);
            }
            next = shown.get(following).copied();
            following += 1;
        }
        shown
    }

    /// Views that are known from the start.
    pub(super) fn add_older(&mut self, pairs: Vec<Pair>) {
        for (view, shown) in pairs {
            match self.young.get_mut(&view) {
                Some(known) => known.shown.push(shown),
                None => self.insert(view, View { shown: vec![shown], has_entries: false, segment: 0 }),
            }
        }
    }

    /// What an object shows, and what that shows: each with its view.
    pub(super) fn shown_by(&mut self, object: ObjectId) -> Vec<Pair> {
        let mut found: Vec<Pair> = Vec::new();
        let mut next = Some(object);
        let mut following = 0;
        while let Some(view) = next {
            let shown = self.known(view).map(|view| view.shown.clone()).unwrap_or_default();
            let is_new = |&shown: &ObjectId| shown != object && !found.iter().any(|&(_, known)| known == shown);
            let new: Vec<Pair> = shown.into_iter().filter(is_new).map(|shown| (view, shown)).collect();
            found.extend(new);
            next = found.get(following).map(|&(_, shown)| shown);
            following += 1;
        }
        found
    }

    /// A call of unrecorded code starts.
    pub(super) fn start(&mut self, at: At<'_>, call: &Call, arguments: &[u64], segment: u32) {
        if call.result != LogKind::Reference && call.kind != CallKind::Constructor {
            return;
        }
        let place = (at.code.index, at.pc);
        let owners = &self.owners;
        let making = *self.calls.entry(place).or_insert_with(|| making(call, &owners.method(call)));
        if making == Making::Nothing {
            return;
        }
        let mut given = objects_given(call, arguments);
        let Some(first) = given.next() else { return };
        if making == Making::Wrapper {
            let shown: Vec<ObjectId> = given.filter(|&given| given != first && self.has_content(given)).collect();
            return self.add(first, shown, false, segment);
        }
        self.under_way.truncate(self.under_way.partition_point(|call| call.depth < at.depth));
        self.under_way.push(UnderWay { depth: at.depth, at: place, making, of: first });
    }

    /// A call of unrecorded code gives back an object.
    pub(super) fn finish(&mut self, at: At<'_>, result: ObjectId, segment: u32) {
        let is_it = |call: &mut UnderWay| call.depth == at.depth && call.at == (at.code.index, at.pc);
        let Some(UnderWay { making, of, .. }) = self.under_way.pop_if(is_it) else { return };
        let receiver = self.known(of).map(|view| (view.shown.first().copied(), view.has_entries));
        match (making, receiver) {
            _ if of == result => {}
            (Making::Result { has_entries }, receiver) => {
                let has_entries = has_entries || receiver.is_some_and(|(_, has_entries)| has_entries);
                self.add(result, vec![of], has_entries, segment);
            }
            (Making::Entry, Some((Some(shown), true))) => self.add(result, vec![shown], false, segment),
            _ => {}
        }
    }

    /// An object has got its id.
    pub(super) fn identify(&mut self, temporary: u64, object: ObjectId) {
        if !self.unidentified.is_empty()
            && let Some(view) = self.unidentified.remove(&ObjectId(temporary as u32))
        {
            self.insert(object, view);
        }
    }

    fn add(&mut self, view: ObjectId, mut shown: Vec<ObjectId>, has_entries: bool, segment: u32) {
        let is_temporary = |object: ObjectId| u64::from(object.0) & TEMPORARY != 0;
        // What it is then, nobody can find out later.
        shown.retain(|&shown| !is_temporary(shown));
        let added = View { shown, has_entries, segment };
        match (added.shown.is_empty(), is_temporary(view)) {
            (true, _) => {}
            (false, false) => self.insert(view, added),
            // Many constructors have failed.
            (false, true) if self.unidentified.len() >= MOST => self.unidentified.clear(),
            (false, true) => drop(self.unidentified.insert(view, added)),
        }
    }

    fn insert(&mut self, object: ObjectId, view: View) {
        if self.young.len() >= MOST {
            self.old = std::mem::take(&mut self.young);
        }
        let other = &mut self.others[object.0 as usize & (RECENT - 1)];
        if *other == object {
            *other = ObjectId::NULL;
        }
        self.young.insert(object, view);
    }

    /// A view, which from now on is one of those that were met last.
    fn known(&mut self, object: ObjectId) -> Option<&mut View> {
        if !self.young.contains_key(&object) {
            let Some(view) = self.old.remove(&object) else {
                self.others[object.0 as usize & (RECENT - 1)] = object;
                return None;
            };
            self.insert(object, view);
        }
        self.young.get_mut(&object)
    }

    fn has_content(&self, object: ObjectId) -> bool {
        let class = self.objects.class(object).ok().flatten();
        class.is_none_or(|class| class_has_content(self.program, class))
    }
}

fn making(call: &Call, method: &Method<'_>) -> Making {
    let is_iterator = method.has_receiver && method.is_platform() && method.owner.contains("terator");
    match method.name {
        _ if is_wrapping(call, method) => Making::Wrapper,
        _ if is_view(method) => Making::Result { has_entries: method.name == "entrySet" },
        "next" | "previous" if is_iterator => Making::Entry,
        _ => Making::Nothing,
    }
}
