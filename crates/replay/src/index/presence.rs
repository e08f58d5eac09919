//! Where something may have happened, as the filters of an index tell: in one segment, or in the last one before another.

use super::query::{OfUnidentified, WriteKey, caught_key, local_key, made_key, ran_key};
use super::side_by_side::GROUP;
use super::{SegmentEntry, ThreadIndex};
use crate::program::MethodIndex;
use rustc_hash::{FxHashMap, FxHashSet};
use std::io;
use std::ops::Range;
use whydunit_trace::ObjectId;

/// Instructions behind the end of a segment in which searches look for the id of an object that they have found there.
pub(super) const MAX_BEHIND: u64 = 1 << 20;

/// Successive stretches of a thread, and where something may have happened in them.
pub trait Presence {
    /// The last of some stretches in which something may have been written.
    fn last_write_in(&self, stretches: &Range<usize>, key: &WriteKey) -> io::Result<Option<usize>>;

    /// The last of some stretches in which an object may have been made.
    fn last_made_in(&self, stretches: &Range<usize>, object: ObjectId) -> io::Result<Option<usize>>;

    /// Whether the frame at this depth may have come or gone in a stretch.
    fn may_have_come(&self, stretch: usize, depth: u32) -> bool;

    /// The last stretch before another in which the frame at this depth may have come or gone.
    fn last_come_before(&self, end: usize, depth: u32) -> Option<usize>;

    /// The last of some stretches in which a local may have been written, in whatever frame of the method.
    fn last_local_in(&self, stretches: &Range<usize>, method: MethodIndex, slot: u16) -> io::Result<Option<usize>>;

    /// The last of some stretches in which anything of a line may have run; 0 stands for what has no line.
    fn last_line_in(&self, stretches: &Range<usize>, method: MethodIndex, line: u16) -> io::Result<Option<usize>>;

    /// The last of some stretches in which a frame of a method may have caught something.
    fn last_catch_in(&self, stretches: &Range<usize>, method: MethodIndex) -> io::Result<Option<usize>>;

    /// Whether the frame at this depth may have run, come or gone in a stretch.
    fn may_have_run(&self, stretch: usize, depth: u32) -> bool {
        self.may_have_come(stretch, depth + 1)
    }

    /// The last stretch before another in which the frame at this depth may have run, come or gone.
    fn last_run_before(&self, end: usize, depth: u32) -> Option<usize> {
        self.last_come_before(end, depth + 1)
    }
}

/// What can be told without the file.
#[derive(Debug, Default)]
pub(super) struct Outline {
    /// By group of segments: the least depth of which a frame may have come or gone.
    lowest: Vec<u32>,
    /// By key of a field: the segments in which one of an object without an id was written.
    unidentified_fields: FxHashMap<u64, Vec<u32>>,
    /// Segments in which unrecorded code has met objects without an id.
    unidentified_met: Vec<u32>,
    /// Objects that had no id yet at the end of some segments: the first of them, and the one in which they got it.
    waited: FxHashMap<ObjectId, Range<usize>>,
}

impl Outline {
    pub(super) fn of(segments: &[SegmentEntry]) -> Outline {
        let lowest = |group: &[SegmentEntry]| group.iter().map(SegmentEntry::lowest_changed).min().unwrap_or(u32::MAX);
        let mut outline = Outline { lowest: segments.chunks(GROUP).map(lowest).collect(), ..Outline::default() };
        for (number, segment) in (0..).zip(segments) {
            for &field in &segment.unidentified.fields {
                outline.unidentified_fields.entry(field).or_default().push(number);
            }
            if segment.unidentified.has_met {
                outline.unidentified_met.push(number);
            }
            for waited in &segment.unidentified.identified {
                outline.waited.insert(waited.object, waited.since as usize..number as usize);
            }
        }
        outline
    }

    /// The segments in which something may have been done to an object that had no id yet.
    fn unidentified(&self, kind: OfUnidentified) -> &[u32] {
        match kind {
            OfUnidentified::No => &[],
            OfUnidentified::Field(field) => self.unidentified_fields.get(&field).map(Vec::as_slice).unwrap_or_default(),
            OfUnidentified::Met => &self.unidentified_met,
        }
    }
}

impl SegmentEntry {
    /// The least depth of which a frame may have come or gone.
    fn lowest_changed(&self) -> u32 {
        self.lowest.min(self.frames)
    }
}

impl ThreadIndex {
    /// `false`: nobody has written it in a segment.
    pub fn may_write(&self, index: usize, key: &WriteKey) -> io::Result<bool> {
        Ok(self.last_write_in(&(index..index + 1), key)?.is_some())
    }

    /// Whether an object that was there at the end of a segment has got its id only later.
    fn gets_id_behind(&self, index: usize, object: ObjectId) -> bool {
        self.outline.waited.get(&object).is_some_and(|waited| waited.contains(&index))
    }

    /// What temporary references at the end of a segment turn out to be later: each with its object.
    pub fn identified_behind(&self, index: usize, references: &FxHashSet<u64>) -> Vec<(u64, ObjectId)> {
        let mut found = Vec::new();
        for pair in self.directory.segments.windows(2).skip(index) {
            let [before, segment] = pair else { break };
            if !before.unidentified.is_any || found.len() == references.len() {
                break;
            }
            let waited = segment.unidentified.identified.iter().filter(|waited| waited.since as usize <= index);
            let wanted = waited.filter(|waited| references.contains(&waited.temporary));
            found.extend(wanted.map(|waited| (waited.temporary, waited.object)));
        }
        found
    }

    /// Whether something can have been done with an object in a segment, before it had its id, too.
    pub fn may_have_used(&self, index: usize, object: ObjectId) -> io::Result<bool> {
        Ok(self.may_come_up(index, object)? || self.gets_id_behind(index, object))
    }

    /// Some of these segments, without those at the end of which an object had not come up yet.
    fn since_first(&self, segments: &Range<usize>, object: ObjectId) -> Range<usize> {
        let directory = &self.directory;
        let first = match object < directory.unordered {
            true => directory.segments.partition_point(|segment| segment.newest < object),
            false => 0,
        };
        segments.start.max(first)..segments.end
    }

    pub(super) fn is_in_filter(&self, index: usize, key: u64) -> io::Result<bool> {
        Ok(self.last_in_filter(&(index..index + 1), key)?.is_some())
    }

    /// The same where the object comes up, too. Whoever asks for all elements of a long array would be sent to every
    /// segment by one of the keys or another.
    fn last_with(&self, segments: &Range<usize>, key: u64, object: ObjectId) -> io::Result<Option<usize>> {
        let mut segments = segments.clone();
        while let Some(found) = self.last_in_filter(&segments, key)? {
            if self.may_come_up(found, object)? {
                return Ok(Some(found));
            }
            segments.end = found;
        }
        Ok(None)
    }

    fn last_in_filter(&self, segments: &Range<usize>, key: u64) -> io::Result<Option<usize>> {
        let mut end = segments.end.min(self.checkpoints());
        while end > segments.start {
            let group = (end - 1) / GROUP;
            let start = group * GROUP;
            let place = self.directory.groups.get(group).ok_or_else(crate::pieces::damaged)?;
            // Up to the last one that is asked for.
            let before_end = u64::MAX >> (GROUP - (end - start));
            let found = self.dropped_if_damaged(self.pages.segments(&self.file, *place, key))? & before_end;
            if found != 0 {
                let last = start + found.ilog2() as usize;
                return Ok((last >= segments.start).then_some(last));
            }
            end = start;
        }
        Ok(None)
    }
}

impl Presence for ThreadIndex {
    fn last_write_in(&self, segments: &Range<usize>, key: &WriteKey) -> io::Result<Option<usize>> {
        let mut found = None;
        let known = key.object.map_or_else(|| segments.clone(), |object| self.since_first(segments, object));
        for (key, object) in key.in_filter() {
            let rest = found.unwrap_or(known.start)..known.end;
            found = found.max(match object {
                Some(object) => self.last_with(&rest, key, object)?,
                None => self.last_in_filter(&rest, key)?,
            });
        }
        let waiting = self.outline.unidentified(key.unidentified);
        let end = waiting.partition_point(|&segment| (segment as usize) < segments.end);
        for segment in waiting[..end].iter().rev().map(|&segment| segment as usize) {
            if segment < segments.start || found.is_some_and(|found| found >= segment) {
                break;
            }
            let is_possible = match key.object {
                Some(object) => self.gets_id_behind(segment, object),
                None => true,
            };
            if is_possible {
                return Ok(Some(segment));
            }
        }
        Ok(found)
    }

    fn last_made_in(&self, segments: &Range<usize>, object: ObjectId) -> io::Result<Option<usize>> {
        let known = self.last_in_filter(&self.since_first(segments, object), made_key(object))?;
        // One that gets its id in a segment may have been made some segments before.
        let waited = self.outline.waited.get(&object).filter(|waited| waited.start < segments.end);
        let waited = waited.and_then(|waited| waited.end.min(segments.end).checked_sub(1));
        Ok(known.max(waited.filter(|last| segments.contains(last))))
    }

    fn may_have_come(&self, index: usize, depth: u32) -> bool {
        self.directory.segments.get(index).is_none_or(|segment| segment.lowest_changed() <= depth)
    }

    fn last_come_before(&self, end: usize, depth: u32) -> Option<usize> {
        let mut end = end.min(self.checkpoints());
        while end > 0 {
            let group = (end - 1) / GROUP;
            let start = group * GROUP;
            if self.outline.lowest.get(group).is_none_or(|&lowest| lowest <= depth)
                && let Some(found) = (start..end).rev().find(|&segment| self.may_have_come(segment, depth))
            {
                return Some(found);
            }
            end = start;
        }
        None
    }

    fn last_local_in(&self, segments: &Range<usize>, method: MethodIndex, slot: u16) -> io::Result<Option<usize>> {
        self.last_in_filter(segments, local_key(method, slot))
    }

    fn last_line_in(&self, segments: &Range<usize>, method: MethodIndex, line: u16) -> io::Result<Option<usize>> {
        self.last_in_filter(segments, ran_key(method, line))
    }

    fn last_catch_in(&self, segments: &Range<usize>, method: MethodIndex) -> io::Result<Option<usize>> {
        self.last_in_filter(segments, caught_key(method))
    }
}
