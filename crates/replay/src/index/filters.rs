//! Filters in the file of an index: pages with a checksum each, so that one page can be read alone.

use super::bloom::{Bloom, page_length, page_may_contain, page_number};
use crate::pieces::{Writer, damaged};
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;

/// Behind the words of a page.
pub(super) const CHECKSUM: usize = 4;

/// Larger filters are damage.
const MOST_WORDS: u32 = 1 << 20;

/// Where a filter is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct FilterPlace {
    at: u64,
    words: u32,
}

pub(super) fn write(writer: &mut Writer, filter: &Bloom) -> io::Result<FilterPlace> {
    let mut bytes = Vec::with_capacity(filter.words() * 8 + CHECKSUM);
    for page in filter.pages() {
        let start = bytes.len();
        bytes.extend(page.iter().flat_map(|word| word.to_le_bytes()));
        let checksum = crc32fast::hash(&bytes[start..]);
        bytes.extend(checksum.to_le_bytes());
    }
    Ok(FilterPlace { at: writer.raw(&bytes)?, words: filter.words() as u32 })
}

impl FilterPlace {
    pub(super) fn read(self, file: &File) -> io::Result<Bloom> {
        let length = self.page_length()?;
        let pages = self.words as usize / length;
        let mut bytes = vec![0; pages * stored(length)];
        file.read_exact_at(&mut bytes, self.at)?;
        let mut words = Vec::with_capacity(self.words as usize);
        for page in bytes.chunks_exact(stored(length)) {
            words.extend(checked(page)?);
        }
        Bloom::of_pages(words).ok_or_else(damaged)
    }

    /// Looks at one page of the filter.
    pub(super) fn may_contain(self, file: &File, key: u64) -> io::Result<bool> {
        let length = self.page_length()?;
        let page = page_number(key, self.words as usize);
        let mut bytes = [0; stored(page_length(usize::MAX))];
        let bytes = bytes.get_mut(..stored(length)).ok_or_else(damaged)?;
        file.read_exact_at(bytes, self.at + (page * stored(length)) as u64)?;
        let words: Vec<u64> = checked(bytes)?.collect();
        Ok(page_may_contain(&words, key))
    }

    fn page_length(self) -> io::Result<usize> {
        if self.words > MOST_WORDS || !self.words.is_power_of_two() {
            return Err(damaged());
        }
        Ok(page_length(self.words as usize))
    }
}

/// Bytes of a page of so many words.
const fn stored(words: usize) -> usize {
    words * 8 + CHECKSUM
}

/// The words of a page, if its checksum is right.
pub(super) fn checked(page: &[u8]) -> io::Result<impl Iterator<Item = u64> + '_> {
    let (words, checksum) = page.split_last_chunk::<CHECKSUM>().ok_or_else(damaged)?;
    if crc32fast::hash(words) != u32::from_le_bytes(*checksum) {
        return Err(damaged());
    }
    Ok(words.as_chunks::<8>().0.iter().map(|word| u64::from_le_bytes(*word)))
}
