//! What is known of objects whose ids follow each other: in lines of 64, and pages of 4096.

use crate::pieces::damaged;
use std::io;
use whydunit_trace::{ClassId, ObjectId, ThreadId};

const LINE_BITS: u32 = 6;
const LINE: usize = 1 << LINE_BITS;
const PAGE_BITS: u32 = 12;
const LINES_IN_PAGE: usize = 1 << (PAGE_BITS - LINE_BITS);

const ENTRY_BYTES: usize = 20;
/// With a checksum.
pub(super) const LINE_BYTES: usize = LINE * ENTRY_BYTES + 4;
pub(super) const PAGE_BYTES: usize = LINES_IN_PAGE * LINE_BYTES;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct PageNumber(pub(super) u32);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct LineNumber(u32);

impl PageNumber {
    pub(super) fn of(id: ObjectId) -> PageNumber {
        PageNumber(id.0 >> PAGE_BITS)
    }

    /// The first id behind it.
    pub(super) fn end(self) -> u32 {
        (self.0 + 1) << PAGE_BITS
    }
}

impl LineNumber {
    #[inline]
    pub(super) fn of(id: ObjectId) -> LineNumber {
        LineNumber(id.0 >> LINE_BITS)
    }

    #[inline]
    pub(super) fn index(self) -> usize {
        self.0 as usize
    }

    pub(super) fn page(self) -> PageNumber {
        PageNumber(self.0 >> (PAGE_BITS - LINE_BITS))
    }

    /// Its place in the page.
    pub(super) fn in_page(self) -> usize {
        self.0 as usize & (LINES_IN_PAGE - 1)
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
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

    /// Only an array's means something.
    pub(super) fn length(self) -> u32 {
        self.low
    }

    pub(super) fn place(self) -> Option<(ThreadId, u64)> {
        (self.thread != 0).then(|| (ThreadId(self.thread), u64::from(self.low) | u64::from(self.high) << 32))
    }
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Line([Entry; LINE]);

impl Line {
    const EMPTY: Line = Line([Entry { class: 0, number: 0, thread: 0, low: 0, high: 0 }; LINE]);

    #[inline]
    pub(super) fn get(&self, id: ObjectId) -> Option<Entry> {
        Some(self.0[id.index() & (LINE - 1)]).filter(|entry| entry.class != 0)
    }

    pub(super) fn shortened(&self) -> ShortLine {
        ShortLine(self.0.map(|entry| (entry.class, entry.low)))
    }

    fn write(&self, out: &mut Vec<u8>) {
        let start = out.len();
        for entry in &self.0 {
            for number in [entry.class, entry.number, entry.thread, entry.low, entry.high] {
                out.extend(number.to_le_bytes());
            }
        }
        let checksum = crc32fast::hash(&out[start..]);
        out.extend(checksum.to_le_bytes());
    }

    pub(super) fn read(bytes: &[u8]) -> io::Result<Line> {
        let (entries, checksum) = bytes.split_last_chunk::<4>().ok_or_else(damaged)?;
        if entries.len() != LINE * ENTRY_BYTES || crc32fast::hash(entries) != u32::from_le_bytes(*checksum) {
            return Err(damaged());
        }
        let mut line = Line::EMPTY;
        for (entry, bytes) in line.0.iter_mut().zip(entries.chunks_exact(ENTRY_BYTES)) {
            let mut numbers = bytes.chunks_exact(4).map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]]));
            let mut next = || numbers.next().unwrap_or_default();
            *entry = Entry { class: next(), number: next(), thread: next(), low: next(), high: next() };
        }
        Ok(line)
    }
}

/// What a replay asks for: classes, and the lengths of arrays.
#[derive(Clone, Copy, Debug)]
pub(super) struct ShortLine([(u32, u32); LINE]);

impl ShortLine {
    /// The length means something only for arrays.
    #[inline]
    pub(super) fn get(&self, id: ObjectId) -> Option<(ClassId, u32)> {
        let (class, length) = self.0[id.index() & (LINE - 1)];
        (class != 0).then_some((ClassId(class), length))
    }
}

#[derive(Clone, Debug)]
pub(super) struct Page(Box<[Line]>);

impl Page {
    pub(super) fn empty() -> Page {
        Page(vec![Line::EMPTY; LINES_IN_PAGE].into_boxed_slice())
    }

    pub(super) fn line(&self, number: LineNumber) -> Line {
        self.0[number.in_page()]
    }

    /// The objects that are known, if this is the page of that number.
    pub(super) fn entries(&self, number: PageNumber) -> impl Iterator<Item = (ObjectId, Entry)> {
        let ids = (number.0 << PAGE_BITS..).map(ObjectId);
        ids.zip(self.0.iter().flat_map(|line| line.0)).filter(|(_, entry)| entry.class != 0)
    }

    pub(super) fn set(&mut self, id: ObjectId, entry: Entry) {
        self.0[LineNumber::of(id).in_page()].0[id.index() & (LINE - 1)] = entry;
    }

    /// [`PAGE_BYTES`] of them.
    pub(super) fn bytes(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(PAGE_BYTES);
        self.0.iter().for_each(|line| line.write(&mut out));
        out
    }

    pub(super) fn read(bytes: &[u8]) -> io::Result<Page> {
        let lines: Vec<Line> = bytes.chunks(LINE_BYTES).map(Line::read).collect::<io::Result<_>>()?;
        if lines.len() == LINES_IN_PAGE { Ok(Page(lines.into())) } else { Err(damaged()) }
    }
}
