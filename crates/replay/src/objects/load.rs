//! Reading the objects streams of all threads into a table.

use super::ObjectTable;
use super::page::{Entry, PageNumber};
use super::pages::{PageWriter, Pages, RESIDENT};
use crate::naming::simple_name;
use crate::pieces::{self, Key, Place, Writer};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use std::fs::{self, File};
use std::path::Path;
use std::sync::Arc;
use whydunit_trace::block::BlockKind;
use whydunit_trace::reader::Recording;
use whydunit_trace::stream::{StreamError, StreamReader};
use whydunit_trace::{ClassId, ObjectId, ThreadId};

/// A table of fewer objects is read as quickly from the recording as from a file of its own.
const WORTH_A_FILE: u64 = 100_000;

const FILE_NAME: &str = "objects.wdi";

#[derive(Debug, Serialize, Deserialize)]
struct Directory {
    count: u64,
    pages: Vec<(PageNumber, Place)>,
}

impl ObjectTable {
    /// Reads the recording. What does not fit into the memory set aside for it goes to a temporary file.
    pub fn load(recording: &Arc<Recording>) -> Result<ObjectTable, StreamError> {
        let mut pages = PageWriter::new(RESIDENT, || Ok(Writer::new(tempfile::tempfile()?)));
        let count = read_all(recording, &mut pages)?;
        Ok(ObjectTable { pages: pages.finish()?, recording: Arc::clone(recording), count })
    }

    /// Opens the table in `folder`, or reads the recording and leaves a table there if it is a large one.
    pub fn open_or_load(recording: &Arc<Recording>, folder: &Path) -> Result<ObjectTable, StreamError> {
        let key = Key::of_objects(recording);
        let path = folder.join(FILE_NAME);
        if let Some(table) = ObjectTable::open(&path, key, recording) {
            return Ok(table);
        }
        if raw_size(recording) < WORTH_A_FILE * SMALLEST_RECORD {
            return ObjectTable::load(recording);
        }
        fs::create_dir_all(folder)?;
        let temporary = folder.join(format!(".new-objects-{}", std::process::id()));
        let built = ObjectTable::build(&temporary, key, recording).and_then(|table| {
            fs::rename(&temporary, &path)?;
            Ok(table)
        });
        if built.is_err() {
            // The error that matters is the first one.
            let _ = fs::remove_file(&temporary);
        }
        built
    }

    fn open(path: &Path, key: Key, recording: &Arc<Recording>) -> Option<ObjectTable> {
        let (file, directory): (File, Directory) = pieces::open(path, key)?;
        Some(ObjectTable::in_file(file, directory, recording))
    }

    fn build(path: &Path, key: Key, recording: &Arc<Recording>) -> Result<ObjectTable, StreamError> {
        let owned = path.to_owned();
        let mut pages = PageWriter::new(RESIDENT, move || Writer::create(&owned));
        let count = read_all(recording, &mut pages)?;
        let (writer, places) = pages.finish_file()?;
        let mut pages: Vec<_> = places.into_iter().collect();
        pages.sort_unstable_by_key(|&(number, _)| number);
        let directory = Directory { count, pages };
        let file = writer.finish(key, &directory)?;
        Ok(ObjectTable::in_file(file, directory, recording))
    }

    fn in_file(file: File, directory: Directory, recording: &Arc<Recording>) -> ObjectTable {
        let places = directory.pages.into_iter().collect();
        let pages = Pages::new(Some(file), places, FxHashMap::default());
        ObjectTable { pages, recording: Arc::clone(recording), count: directory.count }
    }
}

/// Bytes of the record of a plain object.
const SMALLEST_RECORD: u64 = 9;

fn raw_size(recording: &Recording) -> u64 {
    recording.threads.values().map(|streams| streams.raw_size(BlockKind::Objects)).sum()
}

/// Returns how many objects there are.
fn read_all(recording: &Recording, pages: &mut PageWriter) -> Result<u64, StreamError> {
    let mut numbers = Numbers::new(recording);
    let mut count = 0;
    for &thread in recording.threads.keys() {
        let mut stream = recording.stream(thread, BlockKind::Objects);
        loop {
            match read_one(thread, &mut stream, &mut numbers) {
                Ok(Some((id, entry))) => {
                    pages.page(PageNumber::of(id))?.set(id, entry);
                    count += 1;
                }
                Ok(None) | Err(StreamError::End) => break,
                Err(error) => return Err(error),
            }
        }
    }
    Ok(count)
}

fn read_one(
    thread: ThreadId,
    stream: &mut StreamReader,
    numbers: &mut Numbers,
) -> Result<Option<(ObjectId, Entry)>, StreamError> {
    if stream.is_at_end() {
        return Ok(None);
    }
    let offset = stream.offset();
    let id = ObjectId(stream.u32()?);
    let class = ClassId(stream.u32()?);
    let entry = match stream.u8()? {
        0 => Entry::plain(class, numbers.next(class)),
        1 => Entry::array(class, numbers.next(class), stream.u32()?),
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
            Entry::with_content(class, numbers.next(class), thread, offset)
        }
    };
    Ok(Some((id, entry)))
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
