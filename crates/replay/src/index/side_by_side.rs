//! Filters of many segments side by side, so that one look at the file tells for all of them where a key may be.
//!
//! A group has up to [`GROUP`] segments. Each segment sets the same bits for a key; bit *n* of a row is that bit of the
//! group's *n*th segment. All rows of a key are in one page.

use super::bloom::mixed;
use super::filters::{CHECKSUM, checked};
use crate::pieces::{Writer, damaged};
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::sync::{Arc, Mutex, PoisonError};

/// Segments of a group.
pub(super) const GROUP: usize = 64;

/// Rows of a page.
const ROWS: usize = 512;
const PAGE_WORDS: usize = ROWS / 64;

/// Pages of a filter that is being filled. It has many divisors: a filter of a divisor's size is this one folded.
const PAGES: usize = 1440;

/// Rows of a key.
const ROWS_OF_KEY: usize = 8;

const PAGE_BYTES: usize = ROWS * 8 + CHECKSUM;

/// The keys of one segment.
#[derive(Clone, Debug)]
pub(super) struct Keys {
    words: Vec<u64>,
}

impl Default for Keys {
    fn default() -> Keys {
        Keys { words: vec![0; PAGES * PAGE_WORDS] }
    }
}

impl Keys {
    #[inline]
    pub(super) fn insert(&mut self, key: u64) {
        let hash = mixed(key);
        let first = page_of(hash, PAGES) * PAGE_WORDS;
        let page = &mut self.words[first..first + PAGE_WORDS];
        for row in rows_of(hash) {
            page[row / 64] |= 1 << (row % 64);
        }
    }

    /// How many pages it should have, so that not too much of it is set.
    fn pages_needed(&self) -> f64 {
        let (bits, set) =
            (self.words.len() * 64, self.words.iter().map(|word| u64::from(word.count_ones())).sum::<u64>());
        let empty = 1.0 - set as f64 / bits as f64;
        // Each of the rows of all keys has left a bit alone with the same probability.
        bits as f64 * empty.ln() / (1.0 - DENSE).ln() / ROWS as f64
    }

    fn folded(&self, pages: usize) -> Vec<u64> {
        let mut folded = vec![0; pages * PAGE_WORDS];
        for (number, page) in self.words.chunks_exact(PAGE_WORDS).enumerate() {
            let to = number % pages * PAGE_WORDS;
            folded[to..to + PAGE_WORDS].iter_mut().zip(page).for_each(|(to, from)| *to |= from);
        }
        folded
    }
}

/// More than this part of the bits of a segment is not set, if it can be helped: one of some five thousand keys is then
/// wrongly said to be there.
const DENSE: f64 = 0.35;

/// Where the filters of a group are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct GroupPlace {
    at: u64,
    pages: u32,
}

/// Writes the filters of successive segments.
pub(super) fn write(writer: &mut Writer, segments: &[Keys]) -> io::Result<GroupPlace> {
    let needed = segments.iter().map(Keys::pages_needed).fold(0.0, f64::max);
    let fits = |pages: &usize| PAGES.is_multiple_of(*pages) && *pages as f64 >= needed;
    let pages = (1..=PAGES).find(fits).unwrap_or(PAGES);
    let folded: Vec<Vec<u64>> = segments.iter().map(|keys| keys.folded(pages)).collect();
    let mut bytes = Vec::with_capacity(pages * PAGE_BYTES);
    for page in 0..pages {
        let start = bytes.len();
        for word in page * PAGE_WORDS..(page + 1) * PAGE_WORDS {
            let mut square = [0; 64];
            folded.iter().zip(&mut square).for_each(|(keys, to)| *to = keys[word]);
            transpose(&mut square);
            bytes.extend(square.iter().flat_map(|row| row.to_le_bytes()));
        }
        let checksum = crc32fast::hash(&bytes[start..]);
        bytes.extend(checksum.to_le_bytes());
    }
    Ok(GroupPlace { at: writer.raw(&bytes)?, pages: pages as u32 })
}

/// Pages that were read, by a hash of their place: 64 MB at most.
const KEPT: usize = 1 << 14;

type Page = [u64; ROWS];

/// A page and its place in the file.
type Known = (u64, Arc<Page>);

#[derive(Debug)]
pub(super) struct PagesRead {
    known: Mutex<Box<[Option<Known>]>>,
}

impl PagesRead {
    /// With room for the pages of some groups, if they are not too many: most threads are short.
    pub(super) fn of(groups: &[GroupPlace]) -> PagesRead {
        let pages: usize = groups.iter().map(|group| group.pages as usize).sum();
        PagesRead { known: Mutex::new(vec![None; (2 * pages).clamp(1, KEPT)].into()) }
    }

    /// In which segments of a group a key may be.
    pub(super) fn segments(&self, file: &File, group: GroupPlace, key: u64) -> io::Result<u64> {
        let hash = mixed(key);
        let pages = group.pages as usize;
        if pages == 0 || pages > PAGES {
            return Err(damaged());
        }
        let at = group.at + (page_of(hash, PAGES) % pages * PAGE_BYTES) as u64;
        let page = self.page(file, at)?;
        let mut segments = u64::MAX;
        for row in rows_of(hash) {
            segments &= page[row];
            if segments == 0 {
                break;
            }
        }
        Ok(segments)
    }

    fn page(&self, file: &File, at: u64) -> io::Result<Arc<Page>> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let room = known.len();
        let slot = &mut known[mixed(at) as usize % room];
        if let Some((_, page)) = slot.as_ref().filter(|(known, _)| *known == at) {
            return Ok(Arc::clone(page));
        }
        let mut bytes = [0; PAGE_BYTES];
        file.read_exact_at(&mut bytes, at)?;
        let mut page = [0; ROWS];
        page.iter_mut().zip(checked(&bytes)?).for_each(|(row, word)| *row = word);
        let page = Arc::new(page);
        *slot = Some((at, Arc::clone(&page)));
        Ok(page)
    }
}

fn page_of(hash: u64, pages: usize) -> usize {
    (hash >> 40) as usize % pages
}

/// Some may be the same.
#[inline]
fn rows_of(hash: u64) -> [usize; ROWS_OF_KEY] {
    let first = hash as usize;
    // Odd, so that it meets every row.
    let step = (hash >> 20) as usize | 1;
    std::array::from_fn(|number| first.wrapping_add(step.wrapping_mul(number)) % ROWS)
}

/// Bit *c* of row *r* becomes bit *r* of row *c*.
fn transpose(square: &mut [u64; 64]) {
    let mut width = 32;
    let mut mask = u64::from(u32::MAX);
    while width != 0 {
        for row in (0..64).filter(|row| row & width == 0) {
            let swapped = ((square[row] >> width) ^ square[row + width]) & mask;
            square[row] ^= swapped << width;
            square[row + width] ^= swapped;
        }
        width /= 2;
        mask ^= mask << width;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_square_is_turned() {
        let mut square: [u64; 64] = std::array::from_fn(|row| mixed(row as u64));
        let before = square;
        transpose(&mut square);
        for (row, column) in (0..64).flat_map(|row| (0..64).map(move |column| (row, column))) {
            assert_eq!(before[row] >> column & 1, square[column] >> row & 1);
        }
    }

    #[test]
    fn segments_with_a_key_are_found_and_few_others() {
        for count in [0u64, 1, 50, 3000, 30_000] {
            let key_of = |segment: u64, number: u64| (segment << 40) | (number * 3);
            let filled = |segment: u64| {
                let mut keys = Keys::default();
                (0..count).for_each(|number| keys.insert(key_of(segment, number)));
                keys
            };
            let segments: Vec<Keys> = (0..5).map(filled).collect();
            let file = tempfile::tempfile().unwrap();
            let mut writer = Writer::new(file.try_clone().unwrap());
            let group = write(&mut writer, &segments).unwrap();
            writer.flushed().unwrap();
            let pages = PagesRead::of(&[group]);
            let mut wrong = 0;
            for (segment, number) in (0..5).flat_map(|segment| (0..count).map(move |number| (segment, number))) {
                let found = pages.segments(&file, group, key_of(segment, number)).unwrap();
                assert!(found >> segment & 1 == 1, "{count}: {segment}, {number}");
                wrong += found.count_ones() - 1;
            }
            assert!(f64::from(wrong) <= 0.002 * (count * 20) as f64, "{count}: {wrong}");
        }
    }
}
