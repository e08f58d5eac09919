//! What is known of 4096 objects whose ids follow each other.

use serde::{Deserialize, Serialize};
use whydunit_trace::{ClassId, ObjectId, ThreadId};

const PAGE_BITS: u32 = 12;
const PAGE: usize = 1 << PAGE_BITS;

/// The number of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub(super) struct PageNumber(u32);

impl PageNumber {
    #[inline]
    pub(super) fn of(id: ObjectId) -> PageNumber {
        PageNumber(id.0 >> PAGE_BITS)
    }

    #[inline]
    pub(super) fn index(self) -> usize {
        self.0 as usize
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Entry {
    /// 0 for an object that is not known.
    pub(super) class: u32,
    /// Counts the objects of a type name.
    pub(super) number: u32,
    /// The thread in whose objects stream the rest stands; 0 for an object of which there is no more.
    thread: u32,
    /// The length of an array, or the lower half of an offset in the objects stream.
    low: u32,
    high: u32,
}

impl Entry {
    pub(super) fn plain(class: ClassId, number: u32) -> Entry {
        Entry { class: class.0, number, ..Entry::default() }
    }

    pub(super) fn array(class: ClassId, number: u32, length: u32) -> Entry {
        Entry { low: length, ..Entry::plain(class, number) }
    }

    pub(super) fn with_content(class: ClassId, number: u32, thread: ThreadId, offset: u64) -> Entry {
        Entry { thread: thread.0, low: offset as u32, high: (offset >> 32) as u32, ..Entry::plain(class, number) }
    }

    #[inline]
    pub(super) fn length(self) -> u32 {
        self.low
    }

    pub(super) fn place(self) -> Option<(ThreadId, u64)> {
        (self.thread != 0).then(|| (ThreadId(self.thread), u64::from(self.low) | u64::from(self.high) << 32))
    }
}

#[derive(Clone, Debug)]
pub(super) struct Page(Box<[Entry]>);

impl Page {
    pub(super) fn empty() -> Page {
        Page(vec![Entry::default(); PAGE].into_boxed_slice())
    }

    /// The entries up to the last one that is in use.
    pub(super) fn used(&self) -> &[Entry] {
        let end = self.0.iter().rposition(|entry| entry.class != 0).map_or(0, |last| last + 1);
        &self.0[..end]
    }

    pub(super) fn from_used(used: &[Entry]) -> Option<Page> {
        let mut page = Page::empty();
        page.0.get_mut(..used.len())?.copy_from_slice(used);
        Some(page)
    }

    #[inline]
    pub(super) fn get(&self, id: ObjectId) -> Option<Entry> {
        Some(self.0[id.index() & (PAGE - 1)]).filter(|entry| entry.class != 0)
    }

    pub(super) fn set(&mut self, id: ObjectId, entry: Entry) {
        self.0[id.index() & (PAGE - 1)] = entry;
    }
}
