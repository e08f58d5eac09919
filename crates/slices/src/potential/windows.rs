//! When threads need what others could have written: from the write that a value comes from to its reader.

use super::keys::{Bits, Key, Keys};
use crate::dependences::Executed;
use rustc_hash::FxHashMap;
use std::ops::Range;
use whydunit_trace::ThreadId;

/// A time in which what a key stands for is needed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Window {
    pub(crate) key: Key,
    /// Who has written it; `None` when nobody has.
    pub(crate) writer: Option<Executed>,
    pub(crate) reader: Executed,
    /// Whether the reader's own thread was not asked yet.
    pub(crate) has_own: bool,
    /// Last sequence numbers of a thread that runs meanwhile.
    pub(crate) sequences: Range<u64>,
}

#[derive(Debug, Default)]
pub(crate) struct Windows {
    /// The last reader of each of these.
    known: FxHashMap<Start, Executed>,
    /// Those that threads were not told of yet.
    fresh: Vec<Window>,
}

/// What windows that begin together have in common; the last is the thread of the reader.
type Start = (Key, Option<Executed>, u64, bool, ThreadId);

impl Windows {
    pub(crate) fn add(&mut self, window: Window) {
        let Window { key, writer, reader, has_own, ref sequences } = window;
        let start = (key, writer, sequences.start, has_own, reader.thread());
        if self.known.get(&start).is_some_and(|&last| last >= reader) {
            return;
        }
        self.known.insert(start, reader);
        self.fresh.push(window);
    }

    pub(crate) fn has_fresh(&self) -> bool {
        !self.fresh.is_empty()
    }

    pub(crate) fn take_fresh(&mut self) -> Vec<Window> {
        std::mem::take(&mut self.fresh)
    }
}

/// What other threads need while a stretch runs.
#[derive(Debug, Default)]
pub(crate) struct NeededElsewhere {
    /// From the first to behind the last instruction of the stretch.
    whole: Option<Bits>,
    /// Sections that more is needed in, each from an instruction to another, in their order.
    sections: Vec<(Range<u32>, Bits)>,
    end: u32,
}

impl NeededElsewhere {
    /// What is needed in all of a stretch of so many instructions, and keys that are needed between two of them.
    pub(crate) fn new(
        keys: &Keys,
        whole: Option<Bits>,
        needed: &[(Key, Range<u32>)],
        instructions: usize,
    ) -> NeededElsewhere {
        let mut bounds: Vec<(u32, Key, bool)> =
            needed.iter().flat_map(|(key, range)| [(range.start, *key, true), (range.end, *key, false)]).collect();
        bounds.sort_unstable();
        let mut open: FxHashMap<Key, u32> = FxHashMap::default();
        let mut sections: Vec<(Range<u32>, Bits)> = Vec::new();
        let mut before = 0;
        for (at, key, is_start) in bounds {
            if before < at && !open.is_empty() {
                let mut bits = Bits::new(keys);
                open.keys().for_each(|&key| bits.insert(key));
                sections.push((before..at, bits));
            }
            before = at;
            let count = open.entry(key).or_default();
            *count = if is_start { *count + 1 } else { count.saturating_sub(1) };
            if *count == 0 {
                open.remove(&key);
            }
        }
        let end = if whole.is_some() { instructions as u32 } else { sections.last().map_or(0, |(last, _)| last.end) };
        NeededElsewhere { whole, sections, end }
    }

    /// When an instruction runs.
    pub(crate) fn at(&self, instruction: u32) -> impl Iterator<Item = &Bits> {
        let position = self.sections.partition_point(|(section, _)| section.end <= instruction);
        let section = self.sections.get(position).filter(|(section, _)| section.contains(&instruction));
        self.whole.iter().chain(section.map(|(_, bits)| bits))
    }

    /// Behind the last instruction during which anything is needed.
    pub(crate) fn end(&self) -> u32 {
        self.end
    }

    /// Whether nothing is needed before an instruction.
    pub(crate) fn is_over(&self, instruction: u32) -> bool {
        self.whole.is_none() && self.sections.first().is_none_or(|(first, _)| first.start >= instruction)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::potential::keys::KeySet;
    use proptest::prelude::*;

    const INSTRUCTIONS: u32 = 30;

    fn set(keys: &Keys, key: u32) -> KeySet {
        let mut bits = Bits::new(keys);
        bits.insert(Key(key));
        bits.to_set()
    }

    proptest! {
        #[test]
        fn keys_are_needed_in_the_sections_that_were_given(
            given in proptest::collection::vec((0u32..90, 0u32..INSTRUCTIONS, 1u32..INSTRUCTIONS), 0..12),
            whole in proptest::option::of(0u32..90),
        ) {
            let keys = Keys::with_fields(90);
            let needed: Vec<(Key, Range<u32>)> = given
                .iter()
                .map(|&(key, start, length)| (Key(key), start..(start + length).min(INSTRUCTIONS)))
                .collect();
            let all = whole.map(|key| {
                let mut bits = Bits::new(&keys);
                bits.insert(Key(key));
                bits
            });
            let elsewhere = NeededElsewhere::new(&keys, all, &needed, INSTRUCTIONS as usize);
            for at in 0..INSTRUCTIONS {
                for key in 0..90 {
                    let is_given = whole == Some(key)
                        || needed.iter().any(|(one, range)| *one == Key(key) && range.contains(&at));
                    let of_key = set(&keys, key);
                    let is_found = elsewhere.at(at).any(|bits| of_key.first_common(bits).is_some());
                    prop_assert_eq!(is_found, is_given, "key {} at {}", key, at);
                    prop_assert!(!is_found || at < elsewhere.end() && !elsewhere.is_over(at + 1));
                }
            }
        }
    }
}
