//! Looking objects up without asking the system each time.

use super::page::{Entry, LineNumber, ShortLine};
use super::{ObjectTable, content_at};
use rustc_hash::FxHashMap;
use std::io;
use whydunit_trace::block::BlockKind;
use whydunit_trace::stream::{Content, StreamError, StreamReader};
use whydunit_trace::{ClassId, ObjectId, ThreadId};

/// Lines that a reader remembers at first and at the most; powers of two. At the most they are some 32 MB.
const FEWEST: usize = 1 << 4;
const MOST: usize = 1 << 16;

/// Objects that a reader knows without its lines: few enough for the processor's own memory.
const RECENT: usize = 1 << 13;

/// One thread's view of the table.
#[derive(Debug)]
pub struct ObjectReader<'t> {
    table: &'t ObjectTable,
    /// The object of this id modulo the length.
    recent: Box<[Recent; RECENT]>,
    /// The line of this number modulo the length.
    remembered: Vec<Option<(LineNumber, ShortLine)>>,
    /// Lines that were fetched since there is room for that many.
    fetched: usize,
    /// Where contents were read last, by the thread that met the object first.
    contents: FxHashMap<ThreadId, StreamReader>,
}

#[derive(Clone, Copy, Debug)]
struct Recent {
    id: ObjectId,
    class: ClassId,
    /// Of an array.
    length: u32,
}

impl Recent {
    /// No object has this id.
    const NOTHING: Recent = Recent { id: ObjectId::NULL, class: ClassId(0), length: 0 };
}

impl<'t> ObjectReader<'t> {
    pub fn new(table: &'t ObjectTable) -> ObjectReader<'t> {
        let recent = Box::new([Recent::NOTHING; RECENT]);
        ObjectReader { table, recent, remembered: vec![None; FEWEST], fetched: 0, contents: FxHashMap::default() }
    }

    pub(crate) fn table(&self) -> &'t ObjectTable {
        self.table
    }

    /// An object other than `null` that was looked up not long ago.
    #[inline(always)]
    fn recent(&self, id: ObjectId) -> Option<Recent> {
        Some(self.recent[id.index() & (RECENT - 1)]).filter(|recent| recent.id == id)
    }

    #[cold]
    fn look_up(&mut self, id: ObjectId) -> io::Result<Option<Recent>> {
        let found = self.short_entry(id)?.map(|(class, length)| Recent { id, class, length });
        if let Some(found) = found {
            self.recent[id.index() & (RECENT - 1)] = found;
        }
        Ok(found)
    }

    fn short_entry(&mut self, id: ObjectId) -> io::Result<Option<(ClassId, u32)>> {
        let number = LineNumber::of(id);
        match &self.remembered[number.index() & (self.remembered.len() - 1)] {
            Some((known, line)) if *known == number => Ok(line.get(id)),
            _ => self.fetch(number, id),
        }
    }

    fn fetch(&mut self, number: LineNumber, id: ObjectId) -> io::Result<Option<(ClassId, u32)>> {
        let Some(line) = self.table.pages.line(number)? else {
            return Ok(None);
        };
        self.fetched += 1;
        if self.fetched > self.remembered.len() && self.remembered.len() < MOST {
            self.remembered = vec![None; self.remembered.len() * 8];
            self.fetched = 0;
        }
        let slot = number.index() & (self.remembered.len() - 1);
        let line = line.shortened();
        let found = line.get(id);
        self.remembered[slot] = Some((number, line));
        Ok(found)
    }

    /// The class of an object other than `null` that was looked up not long ago.
    #[inline(always)]
    pub(crate) fn recent_class(&self, id: ObjectId) -> Option<ClassId> {
        self.recent(id).map(|recent| recent.class)
    }

    #[inline]
    pub fn class(&mut self, id: ObjectId) -> io::Result<Option<ClassId>> {
        match self.recent(id) {
            Some(recent) if id != ObjectId::NULL => Ok(Some(recent.class)),
            _ => Ok(self.look_up(id)?.map(|found| found.class)),
        }
    }

    /// The length of an object that is known to be an array.
    #[inline]
    pub(crate) fn array_length(&mut self, id: ObjectId) -> io::Result<Option<u32>> {
        match self.recent(id) {
            Some(recent) if id != ObjectId::NULL => Ok(Some(recent.length)),
            _ => Ok(self.look_up(id)?.map(|found| found.length)),
        }
    }

    /// [`ObjectTable::content`], quick when the object was met about when the one before was.
    pub fn content(&mut self, id: ObjectId) -> Result<Option<Content>, StreamError> {
        let entry = self.table.entry(id).map_err(StreamError::Io)?;
        let Some((thread, offset)) = entry.and_then(Entry::place) else {
            return Ok(None);
        };
        let open = || self.table.recording.stream(thread, BlockKind::Objects);
        content_at(self.contents.entry(thread).or_insert_with(open), offset, id)
    }
}
