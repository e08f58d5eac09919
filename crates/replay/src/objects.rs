//! What is known of every object of the recording: twelve bytes each, texts and boxed values read when asked
//! for.

use crate::naming::simple_name;
use rustc_hash::FxHashMap;
use std::sync::Arc;
use whydunit_trace::block::BlockKind;
use whydunit_trace::reader::Recording;
use whydunit_trace::stream::{Content, Sighting, StreamError, StreamReader};
use whydunit_trace::{ClassId, ObjectId, ThreadId};

const PAGE_BITS: u32 = 12;
const PAGE: usize = 1 << PAGE_BITS;

#[derive(Debug)]
pub struct ObjectTable {
    pages: Vec<Option<Box<[Entry]>>>,
    /// Where the records stand that hold more than a length.
    places: Vec<Place>,
    recording: Arc<Recording>,
    count: u64,
}

#[derive(Clone, Copy, Debug, Default)]
struct Entry {
    /// 0 for an object that is not known.
    class: u32,
    /// The length of an array; for other objects 0 or one more than an index into `places`.
    extra: u32,
    /// Counts the objects of a type name.
    number: u32,
}

#[derive(Clone, Copy, Debug)]
struct Place {
    thread: ThreadId,
    offset: u64,
}

impl ObjectTable {
    /// Reads the objects streams of all threads.
    pub fn load(recording: &Arc<Recording>) -> Result<ObjectTable, StreamError> {
        let mut numbers = Numbers::new(recording);
        let mut table =
            ObjectTable { pages: Vec::new(), places: Vec::new(), recording: Arc::clone(recording), count: 0 };
        for &thread in recording.threads.keys() {
            let mut stream = recording.stream(thread, BlockKind::Objects);
            loop {
                match table.record(thread, &mut stream, &mut numbers) {
                    Ok(true) => {}
                    Ok(false) | Err(StreamError::End) => break,
                    Err(error) => return Err(error),
                }
            }
        }
        Ok(table)
    }

    fn record(
        &mut self,
        thread: ThreadId,
        stream: &mut StreamReader,
        numbers: &mut Numbers,
    ) -> Result<bool, StreamError> {
        if stream.is_at_end() {
            return Ok(false);
        }
        let offset = stream.offset();
        let id = stream.u32()?;
        let class = stream.u32()?;
        let extra = match stream.u8()? {
            0 => 0,
            1 => stream.u32()?,
            tag => {
                match tag {
                    2 => {
                        stream.u32()?;
                        let stored = stream.u32()?;
                        stream.u8()?;
                        let end = stream.offset() + u64::from(stored);
                        stream.seek(end)?;
                    }
                    3 => drop(stream.u64()?),
                    4 => drop(stream.u32()?),
                    _ => return Err(StreamError::Malformed(offset)),
                }
                self.places.push(Place { thread, offset });
                self.places.len() as u32
            }
        };
        self.insert(ObjectId(id), Entry { class, extra, number: numbers.next(ClassId(class)) });
        Ok(true)
    }

    fn insert(&mut self, id: ObjectId, entry: Entry) {
        let page = id.index() >> PAGE_BITS;
        if page >= self.pages.len() {
            self.pages.resize_with(page + 1, || None);
        }
        let page = self.pages[page].get_or_insert_with(|| vec![Entry::default(); PAGE].into_boxed_slice());
        page[id.index() & (PAGE - 1)] = entry;
        self.count += 1;
    }

    #[inline]
    fn entry(&self, id: ObjectId) -> Option<Entry> {
        let page = self.pages.get(id.index() >> PAGE_BITS)?.as_ref()?;
        page.get(id.index() & (PAGE - 1)).copied().filter(|entry| entry.class != 0)
    }

    /// Objects in the table.
    pub fn len(&self) -> u64 {
        self.count
    }

    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    #[inline]
    pub fn class(&self, id: ObjectId) -> Option<ClassId> {
        self.entry(id).map(|entry| ClassId(entry.class))
    }

    /// The length of an object that is known to be an array.
    #[inline]
    pub fn array_length(&self, id: ObjectId) -> Option<u32> {
        self.entry(id).map(|entry| entry.extra)
    }

    /// Its place among the objects of the same type name, from 1.
    pub fn number(&self, id: ObjectId) -> Option<u32> {
        self.entry(id).map(|entry| entry.number)
    }

    /// Text, boxed value or class of an object that has one.
    pub fn content(&self, id: ObjectId) -> Result<Option<Content>, StreamError> {
        let Some(place) = self.entry(id).and_then(|e| self.places.get((e.extra as usize).checked_sub(1)?)) else {
            return Ok(None);
        };
        let mut stream = self.recording.stream(place.thread, BlockKind::Objects);
        stream.seek(place.offset)?;
        let sighting = Sighting::read(&mut stream)?;
        Ok(sighting.filter(|sighting| sighting.id == id).map(|sighting| sighting.content))
    }
}

/// Counts objects by the name that is shown of their class.
struct Numbers {
    names: FxHashMap<ClassId, usize>,
    counts: Vec<u32>,
}

impl Numbers {
    fn new(recording: &Recording) -> Numbers {
        let mut by_name: FxHashMap<String, usize> = FxHashMap::default();
        let mut names = FxHashMap::default();
        for class in &recording.classes {
            let next = by_name.len();
            names.insert(class.id, *by_name.entry(simple_name(&class.name)).or_insert(next));
        }
        Numbers { names, counts: vec![0; by_name.len()] }
    }

    fn next(&mut self, class: ClassId) -> u32 {
        let Some(count) = self.names.get(&class).and_then(|&name| self.counts.get_mut(name)) else {
            return 0;
        };
        *count += 1;
        *count
    }
}
