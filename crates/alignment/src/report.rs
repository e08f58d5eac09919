//! Collects differences: those of the same kind at the same place are counted only.

use crate::difference::{Difference, Group, Ignored, Kind, Point, What};
use crate::side::Pair;
use rustc_hash::FxHashMap;
use std::mem::{Discriminant, discriminant};
use whydunit_replay::program::{MethodIndex, Pc};

/// What makes differences the same.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Place {
    at: Pair<Option<(MethodIndex, Pc)>>,
    kind: Discriminant<Kind>,
    what: Option<What>,
}

#[derive(Debug, Default)]
pub(crate) struct Collector {
    pub(crate) groups: Vec<Group>,
    places: FxHashMap<Place, usize>,
    ignored: FxHashMap<(Box<str>, Box<str>), u64>,
}

/// Position of a group.
#[derive(Clone, Copy, Debug)]
pub(crate) struct GroupId(usize);

impl Collector {
    /// Notes a difference; `complete` is asked for the first of its place.
    pub(crate) fn add(
        &mut self,
        at: Pair<Option<Point>>,
        kind: Kind,
        complete: impl FnOnce(Kind) -> Difference,
    ) -> GroupId {
        let what = match &kind {
            Kind::Value { what, .. } => Some(what.clone()),
            _ => None,
        };
        let code_place = |point: Option<Point>| point.map(|point| (point.method, point.pc));
        let place = Place { at: at.map(code_place), kind: discriminant(&kind), what };
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
        (self.groups, ignored)
    }
}
