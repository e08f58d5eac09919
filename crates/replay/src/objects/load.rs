//! Reading the objects streams of all threads into a table.

use super::page::{Entry, PageNumber};
use super::pages::{PageWriter, Pages, RESIDENT};
use super::{ObjectTable, next_sighting};
use crate::naming::simple_name;
use crate::pieces::{self, Key, Writer};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::path::Path;
use std::sync::Arc;
use whydunit_trace::ClassId;
use whydunit_trace::block::BlockKind;
use whydunit_trace::reader::Recording;
use whydunit_trace::stream::{Content, Sighting, StreamError, Texts};

/// A table of fewer objects is read as quickly from the recording as from a file of its own.
const WORTH_A_FILE: u64 = 100_000;

const FILE_NAME: &str = "objects.wdi";

#[derive(Debug, Serialize, Deserialize)]
struct Directory {
    count: u64,
    /// Numbers, and where they stand in the file.
    pages: Vec<(u32, u64)>,
}

impl ObjectTable {
    /// Reads the recording. What does not fit into the memory set aside for it goes to a temporary file.
    pub fn load(recording: &Arc<Recording>) -> Result<ObjectTable, StreamError> {
        let mut pages = PageWriter::new(RESIDENT);
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
        match pieces::replace(&path, |writer| ObjectTable::build(writer, &path, key, recording)) {
            // The folder cannot be written to, which is no reason not to answer.
            Err(StreamError::Io(_)) => ObjectTable::load(recording),
            built => built,
        }
    }

    fn open(path: &Path, key: Key, recording: &Arc<Recording>) -> Option<ObjectTable> {
        let (file, directory): (File, Directory) = pieces::open(path, key)?;
        Some(ObjectTable::in_file(file, path, directory, recording))
    }

    fn build(writer: Writer, path: &Path, key: Key, recording: &Arc<Recording>) -> Result<ObjectTable, StreamError> {
        let mut pages = PageWriter::to(writer);
        let count = read_all(recording, &mut pages)?;
        let (writer, places) = pages.finish_file()?;
        let mut pages: Vec<_> = places.into_iter().map(|(number, at)| (number.0, at)).collect();
        pages.sort_unstable();
        let directory = Directory { count, pages };
        let file = writer.finish(key, &directory)?;
        Ok(ObjectTable::in_file(file, path, directory, recording))
    }

    fn in_file(file: File, path: &Path, directory: Directory, recording: &Arc<Recording>) -> ObjectTable {
        let places = directory.pages.into_iter().map(|(number, at)| (PageNumber(number), at)).collect();
        let pages = Pages::in_file(file, Some(path.to_owned()), places);
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
            let offset = stream.offset();
            let Some(sighting) = next_sighting(&mut stream, Texts::PassedOver)? else { break };
            let Sighting { id, class, content } = sighting;
            let number = numbers.next(class);
            let entry = match content {
                Content::Plain => Entry::plain(class, number),
                Content::Array { length } => Entry::array(class, number, length),
                Content::String { .. } | Content::Boxed { .. } | Content::Class { .. } => {
                    Entry::with_content(class, number, thread, offset)
                }
            };
            pages.page(PageNumber::of(id))?.set(id, entry);
            count += 1;
        }
    }
    Ok(count)
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::FileExt;
    use tempfile::TempDir;
    use whydunit_trace::block::{BlockWriter, Flags};
    use whydunit_trace::{ObjectId, ThreadId};

    const OBJECTS: u32 = 150_000;

    /// Arrays whose length tells their id.
    fn recording(folder: &TempDir) -> Arc<Recording> {
        let path = folder.path().join("trace.wdt");
        let mut writer = BlockWriter::create(File::create(&path).expect("a file"), Flags::default()).expect("a header");
        let mut objects = Vec::new();
        for id in 1..=OBJECTS {
            objects.extend(id.to_le_bytes());
            objects.extend(7u32.to_le_bytes());
            objects.push(1);
            objects.extend((id * 3).to_le_bytes());
        }
        writer.stream(BlockKind::Objects, ThreadId(1), 0, &objects).expect("written");
        writer.finish().expect("closed");
        Arc::new(Recording::open(&path).expect("a recording"))
    }

    fn check(table: &ObjectTable) {
        assert_eq!(table.len(), u64::from(OBJECTS));
        let mut reader = crate::objects::ObjectReader::new(table);
        for id in [1, 4095, 4096, 70_000, OBJECTS] {
            assert_eq!(reader.array_length(ObjectId(id)).expect("a page"), Some(id * 3));
            assert_eq!(table.class(ObjectId(id)).expect("a page"), Some(ClassId(7)));
        }
        for id in [0, OBJECTS + 1, 1 << 30] {
            assert_eq!(table.class(ObjectId(id)).expect("a page"), None);
        }
    }

    #[test]
    fn a_large_table_is_kept_in_the_folder() {
        let folder = tempfile::tempdir().expect("a folder");
        let recording = recording(&folder);
        let index = folder.path().join("index");
        check(&ObjectTable::load(&recording).expect("objects"));
        assert!(!index.exists());
        check(&ObjectTable::open_or_load(&recording, &index).expect("objects"));
        let file = index.join(FILE_NAME);
        let key = Key::of_objects(&recording);
        check(&ObjectTable::open(&file, key, &recording).expect("the file of the table"));
        let names: Vec<_> = std::fs::read_dir(&index).expect("a folder").flatten().map(|e| e.file_name()).collect();
        assert_eq!(names, [FILE_NAME]);
    }

    #[test]
    fn a_damaged_page_is_an_error_once() {
        let folder = tempfile::tempdir().expect("a folder");
        let recording = recording(&folder);
        let index = folder.path().join("index");
        let open = || ObjectTable::open_or_load(&recording, &index).expect("objects");
        check(&open());
        let file = File::options().write(true).open(index.join(FILE_NAME)).expect("the file");
        file.write_all_at(&[0xff; 16], 20).expect("damage");
        assert!(open().class(ObjectId(1)).is_err());
        check(&open());
    }

    #[test]
    fn without_a_folder_to_write_to() {
        let folder = tempfile::tempdir().expect("a folder");
        let recording = recording(&folder);
        // A file where the folder should be.
        let index = folder.path().join("trace.wdt");
        check(&ObjectTable::open_or_load(&recording, &index).expect("objects"));
    }
}
