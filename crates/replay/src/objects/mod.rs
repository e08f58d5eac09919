//! What is known of every object of the recording. Only what is in use is in memory; texts and boxed values are
//! read from the recording when asked for.

mod contents;
mod load;
mod page;
mod pages;
mod reader;

pub use reader::ObjectReader;

use page::{Entry, LineNumber};
use pages::Pages;
use std::io;
use std::sync::Arc;
use whydunit_trace::block::BlockKind;
use whydunit_trace::reader::Recording;
use whydunit_trace::stream::{Content, Sighting, StreamError, StreamReader, Texts};
use whydunit_trace::{ClassId, ObjectId};

#[derive(Debug)]
pub struct ObjectTable {
    pages: Pages,
    recording: Arc<Recording>,
    count: u64,
}

impl ObjectTable {
    fn entry(&self, id: ObjectId) -> io::Result<Option<Entry>> {
        Ok(self.pages.line(LineNumber::of(id))?.and_then(|line| line.get(id)))
    }

    /// Objects in the table.
    pub fn len(&self) -> u64 {
        self.count
    }

    /// The first gap in the ids: ids are given out from below, in blocks, and what had an identity hash before it was recorded
    /// has its id anywhere. What is told by the order of those before it may be less tight, but not wrong, for some of these.
    pub(crate) fn end_of_order(&self) -> ObjectId {
        let pages = (0..).zip(self.pages.numbers()).take_while(|(place, page)| *place == page.0);
        ObjectId(pages.last().map_or(0, |(_, page)| page.end()))
    }

    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    pub fn class(&self, id: ObjectId) -> io::Result<Option<ClassId>> {
        Ok(self.entry(id)?.map(|entry| ClassId(entry.class)))
    }

    /// Its place among the objects of the same type name, from 1.
    pub fn number(&self, id: ObjectId) -> io::Result<Option<u32>> {
        Ok(self.entry(id)?.map(|entry| entry.number))
    }

    /// The length of an object that is an array.
    pub fn array_length(&self, array: ObjectId) -> io::Result<Option<u32>> {
        Ok(self.entry(array)?.map(Entry::length))
    }

    /// The object that has a number among those of its type name. Looks through the whole table.
    pub fn find(&self, number: u32, is_class: impl Fn(ClassId) -> bool) -> io::Result<Option<ObjectId>> {
        for page in self.pages.numbers() {
            let Some(page_read) = self.pages.page(page)? else { continue };
            let mut entries = page_read.entries(page);
            let found = entries.find(|(_, entry)| entry.number == number && is_class(ClassId(entry.class)));
            if let Some((object, _)) = found {
                return Ok(Some(object));
            }
        }
        Ok(None)
    }

    /// How many objects are of some classes. Looks through the whole table.
    pub fn count_of(&self, is_class: impl Fn(ClassId) -> bool) -> io::Result<u64> {
        let mut count = 0;
        for page in self.pages.numbers() {
            let Some(page_read) = self.pages.page(page)? else { continue };
            count += page_read.entries(page).filter(|(_, entry)| is_class(ClassId(entry.class))).count() as u64;
        }
        Ok(count)
    }

    /// The objects of some classes. Looks through the whole table.
    pub fn all_of(&self, is_class: impl Fn(ClassId) -> bool) -> io::Result<Vec<ObjectId>> {
        let mut found = Vec::new();
        for page in self.pages.numbers() {
            let Some(page_read) = self.pages.page(page)? else { continue };
            let entries = page_read.entries(page).filter(|(_, entry)| is_class(ClassId(entry.class)));
            found.extend(entries.map(|(object, _)| object));
        }
        Ok(found)
    }

    /// Text, boxed value or class of an object that has one.
    pub fn content(&self, id: ObjectId) -> Result<Option<Content>, StreamError> {
        let entry = self.entry(id).map_err(StreamError::Io)?;
        let Some((thread, offset)) = entry.and_then(Entry::place) else {
            return Ok(None);
        };
        content_at(&mut self.recording.stream(thread, BlockKind::Objects), offset, id)
    }
}

fn content_at(stream: &mut StreamReader, offset: u64, id: ObjectId) -> Result<Option<Content>, StreamError> {
    stream.seek(offset)?;
    let sighting = Sighting::read(stream, Texts::Read)?;
    Ok(sighting.filter(|sighting| sighting.id == id).map(|sighting| sighting.content))
}

/// The next record; a log that was cut off ends with its last whole one.
fn next_sighting(stream: &mut StreamReader, texts: Texts) -> Result<Option<Sighting>, StreamError> {
    match Sighting::read(stream, texts) {
        Err(StreamError::End) => Ok(None),
        read => read,
    }
}
