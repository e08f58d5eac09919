//! Collects differences: those of the same kind at the same place are counted only.

use crate::difference::{Difference, Group, Ignored, Kind, Point, What};
use crate::side::Pair;
use rustc_hash::FxHashMap;
use std::collections::hash_map::Entry;
use std::mem::{Discriminant, discriminant};
use whydunit_replay::program::{MethodIndex, Pc};
use whydunit_trace::ThreadId;

/// What makes differences the same.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Place {
    at: Pair<Option<(MethodIndex, Pc)>>,
    kind: Discriminant<Kind>,
    what: Option<What>,
}

impl Place {
    fn of(at: Pair<Option<Point>>, kind: &Kind) -> Place {
        let what = match kind {
            Kind::Value { what, .. } => Some(what.clone()),
            _ => None,
        };
        let code_place = |point: Option<Point>| point.map(|point| (point.method, point.pc));
        Place { at: at.map(code_place), kind: discriminant(kind), what }
    }
}

#[derive(Debug, Default)]
pub(crate) struct Collector {
    groups: Vec<Group>,
    places: FxHashMap<(ThreadId, Place), usize>,
    ignored: FxHashMap<(Box<str>, Box<str>), u64>,
}

/// Position of a group.
#[derive(Clone, Copy, Debug)]
pub(crate) struct GroupId(usize);

impl Collector {
    /// Notes a difference; `complete` is asked for the first of its place.
    pub(crate) fn add(
        &mut self,
        thread: ThreadId,
        at: Pair<Option<Point>>,
        kind: Kind,
        complete: impl FnOnce(Kind) -> Difference,
    ) -> GroupId {
        let place = (thread, Place::of(at, &kind));
        if let Some(&known) = self.places.get(&place) {
            self.groups[known].count += 1;
            return GroupId(known);
        }
        let number = self.groups.len();
        self.places.insert(place, number);
        self.groups.push(Group { first: complete(kind), count: 1, apart: Pair::default() });
        GroupId(number)
    }

    /// The runs were apart for so many steps.
    pub(crate) fn add_steps(&mut self, group: GroupId, steps: Pair<u64>) {
        let group = &mut self.groups[group.0];
        group.apart.left += steps.left;
        group.apart.right += steps.right;
    }

    pub(crate) fn ignore(&mut self, class: &str, name: &str) {
        *self.ignored.entry((class.into(), name.into())).or_default() += 1;
    }

    /// The groups, and what was ignored, the most frequent first.
    pub(crate) fn finish(self) -> (Vec<Group>, Vec<Ignored>) {
        let ignored = self.ignored.into_iter().map(|((class, name), count)| Ignored { class, name, count });
        let mut ignored: Vec<Ignored> = ignored.collect();
        ignored.sort_by(|a, b| (b.count, &a.class, &a.name).cmp(&(a.count, &b.class, &b.name)));
        (in_order(self.groups), ignored)
    }
}

/// Threads were compared one after the other: puts their differences in the order of the run, those of the same place
/// together with the first.
fn in_order(mut groups: Vec<Group>) -> Vec<Group> {
    // In a thread, they are in order, and so are its sequence numbers.
    groups.sort_by_key(|group| group.first.sequence);
    let mut known: FxHashMap<Place, usize> = FxHashMap::default();
    let mut ordered: Vec<Group> = Vec::new();
    for group in groups {
        match known.entry(Place::of(group.first.at, &group.first.kind)) {
            Entry::Occupied(first) => {
                let first = &mut ordered[*first.get()];
                first.count += group.count;
                first.apart.left += group.apart.left;
                first.apart.right += group.apart.right;
            }
            Entry::Vacant(new) => {
                new.insert(ordered.len());
                ordered.push(group);
            }
        }
    }
    ordered
}
