//! Looking objects up without asking the system each time.

use super::ObjectTable;
use super::page::{LineNumber, ShortLine};
use std::io;
use whydunit_trace::{ClassId, ObjectId};

/// Lines that a reader remembers at first and at the most; powers of two. At the most they are some 32 MB.
const FEWEST: usize = 1 << 4;
const MOST: usize = 1 << 16;

/// Objects that a reader knows without its lines: few enough for the processor's own memory.
const RECENT: usize = 1 << 13;

/// One thread's view of the table.
#[derive(Debug)]
pub(crate) struct ObjectReader<'t> {
    table: &'t ObjectTable,
    /// The object of this id modulo the length.
    recent: Box<[Recent; RECENT]>,
    /// The line of this number modulo the length.
    remembered: Vec<Option<(LineNumber, ShortLine)>>,
    /// Lines that were fetched since there is room for that many.
    fetched: usize,
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
    pub(crate) fn new(table: &'t ObjectTable) -> ObjectReader<'t> {
        let recent = Box::new([Recent::NOTHING; RECENT]);
        ObjectReader { table, recent, remembered: vec![None; FEWEST], fetched: 0 }
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
    pub(crate) fn class(&mut self, id: ObjectId) -> io::Result<Option<ClassId>> {
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
}
