//! Looking objects up without waiting for other threads.

use super::ObjectTable;
use super::page::{Entry, Page, PageNumber};
use std::io;
use std::sync::Arc;
use whydunit_trace::{ClassId, ObjectId};

/// Pages that a reader remembers; a power of two.
const REMEMBERED: usize = 128;

/// One thread's view of the table.
#[derive(Debug)]
pub(crate) struct ObjectReader<'t> {
    table: &'t ObjectTable,
    /// The page of this number modulo the length.
    remembered: Vec<Option<(PageNumber, Arc<Page>)>>,
}

impl<'t> ObjectReader<'t> {
    pub(crate) fn new(table: &'t ObjectTable) -> ObjectReader<'t> {
        ObjectReader { table, remembered: vec![None; REMEMBERED] }
    }

    pub(crate) fn table(&self) -> &'t ObjectTable {
        self.table
    }

    #[inline]
    fn entry(&mut self, id: ObjectId) -> io::Result<Option<Entry>> {
        let number = PageNumber::of(id);
        match &self.remembered[number.index() % REMEMBERED] {
            Some((known, page)) if *known == number => Ok(page.get(id)),
            _ => self.fetch(number, id),
        }
    }

    #[cold]
    fn fetch(&mut self, number: PageNumber, id: ObjectId) -> io::Result<Option<Entry>> {
        let Some(page) = self.table.pages.get(number)? else {
            return Ok(None);
        };
        let entry = page.get(id);
        self.remembered[number.index() % REMEMBERED] = Some((number, page));
        Ok(entry)
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
