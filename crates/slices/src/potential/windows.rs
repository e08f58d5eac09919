//! When places are needed that any thread may write: until they are read, from the last write of the thread that reads them.
//! In that time the others could have written them, too.

use super::keys::{Bits, Key, Keys};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::ops::Range;
use whydunit_trace::ThreadId;

/// A time in which a thread needs what a key stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Window {
    pub(crate) thread: ThreadId,
    pub(crate) key: Key,
    pub(crate) sequences: Range<u64>,
}

#[derive(Debug, Default)]
pub(crate) struct Windows {
    known: FxHashMap<(ThreadId, Key), Times>,
    /// Those that the other threads were not told of yet.
    fresh: Vec<Window>,
}

/// Start and end of each, which do not touch.
#[derive(Debug, Default)]
struct Times(BTreeMap<u64, u64>);

impl Windows {
    pub(crate) fn add(&mut self, window: Window) {
        if !window.sequences.is_empty()
            && self.known.entry((window.thread, window.key)).or_default().add(window.sequences.clone())
        {
            self.fresh.push(window);
        }
    }

    pub(crate) fn take_fresh(&mut self) -> Vec<Window> {
        std::mem::take(&mut self.fresh)
    }
}

impl Times {
    /// Whether anything of it is new.
    fn add(&mut self, Range { mut start, mut end }: Range<u64>) -> bool {
        let before = self.0.range(..=start).next_back().map(|(&start, &end)| start..end);
        if let Some(before) = before.filter(|before| before.end >= start) {
            if before.end >= end {
                return false;
            }
            start = before.start;
        }
        while let Some((&next, &behind)) = self.0.range(start..).next().filter(|(next, _)| **next <= end) {
            self.0.remove(&next);
            end = end.max(behind);
        }
        self.0.insert(start, end);
        true
    }
}

/// What other threads need while a stretch runs.
#[derive(Debug, Default)]
pub(crate) struct NeededElsewhere {
    /// Sections of the stretch that something is needed in, each from an instruction to another.
    sections: Vec<(Range<u32>, Bits)>,
}

impl NeededElsewhere {
    /// Of keys, each needed between two instructions.
    pub(crate) fn new(keys: &Keys, needed: &[(Key, Range<u32>)]) -> NeededElsewhere {
        let mut bounds: Vec<u32> = needed.iter().flat_map(|(_, range)| [range.start, range.end]).collect();
        bounds.sort_unstable();
        bounds.dedup();
        let mut sections: Vec<(Range<u32>, Bits)> =
            bounds.windows(2).map(|pair| (pair[0]..pair[1], Bits::new(keys))).collect();
        for (key, range) in needed {
            let first = sections.partition_point(|(section, _)| section.start < range.start);
            for (_, bits) in sections[first..].iter_mut().take_while(|(section, _)| section.start < range.end) {
                bits.insert(*key);
            }
        }
        NeededElsewhere { sections }
    }

    /// When an instruction runs.
    pub(crate) fn at(&self, instruction: u32) -> Option<&Bits> {
        let position = self.sections.partition_point(|(section, _)| section.end <= instruction);
        self.sections.get(position).filter(|(section, _)| section.contains(&instruction)).map(|(_, bits)| bits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn times_are_those_that_were_added(added in proptest::collection::vec((0u64..60, 0u64..20), 0..12)) {
            let mut times = Times::default();
            let mut covered = [false; 80];
            for (start, length) in added.into_iter().filter(|(_, length)| *length > 0) {
                let range = start as usize..(start + length) as usize;
                let is_new = covered[range.clone()].iter().any(|known| !known);
                covered[range].fill(true);
                prop_assert_eq!(times.add(start..start + length), is_new);
                let inside = |at: u64| times.0.iter().any(|(&start, &end)| (start..end).contains(&at));
                prop_assert!((0..80).all(|at| inside(at) == covered[at as usize]));
            }
        }
    }
}
