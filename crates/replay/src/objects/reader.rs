//! Looking objects up without asking the system each time.

use super::ObjectTable;
use super::page::{Entry, Line, LineNumber};
use std::io;
use whydunit_trace::{ClassId, ObjectId};

/// Lines that a reader remembers at first and at the most; powers of two. At the most they are some 40 MB.
const FEWEST: usize = 1 << 4;
const MOST: usize = 1 << 15;

/// One thread's view of the table.
#[derive(Debug)]
pub(crate) struct ObjectReader<'t> {
    table: &'t ObjectTable,
    /// The line of this number modulo the length.
    remembered: Vec<Option<(LineNumber, Line)>>,
    /// Lines that were fetched since there is room for that many.
    fetched: usize,
}

impl<'t> ObjectReader<'t> {
    pub(crate) fn new(table: &'t ObjectTable) -> ObjectReader<'t> {
        ObjectReader { table, remembered: vec![None; FEWEST], fetched: 0 }
    }

    pub(crate) fn table(&self) -> &'t ObjectTable {
        self.table
    }

    #[inline]
    fn entry(&mut self, id: ObjectId) -> io::Result<Option<Entry>> {
        let number = LineNumber::of(id);
        match &self.remembered[number.index() & (self.remembered.len() - 1)] {
            Some((known, line)) if *known == number => Ok(line.get(id)),
            _ => self.fetch(number, id),
        }
    }

    #[cold]
    fn fetch(&mut self, number: LineNumber, id: ObjectId) -> io::Result<Option<Entry>> {
        let Some(line) = self.table.pages.line(number)? else {
            return Ok(None);
        };
        self.fetched += 1;
        if self.fetched > self.remembered.len() && self.remembered.len() < MOST {
            self.remembered = vec![None; self.remembered.len() * 8];
            self.fetched = 0;
        }
        let slot = number.index() & (self.remembered.len() - 1);
        self.remembered[slot] = Some((number, line));
        Ok(line.get(id))
    }

    #[inline]
    pub(crate) fn class(&mut self, id: ObjectId) -> io::Result<Option<ClassId>> {
        Ok(self.entry(id)?.map(|entry| ClassId(entry.class)))
    }

    /// The length of an object that is known to be an array.
    #[inline]
    pub(crate) fn array_length(&mut self, id: ObjectId) -> io::Result<Option<u32>> {
        Ok(self.entry(id)?.map(Entry::length))
    }
}
