//! Looking for objects by what is in them.

use super::{ObjectTable, next_sighting};
use rustc_hash::FxHashSet;
use whydunit_trace::ObjectId;
use whydunit_trace::block::BlockKind;
use whydunit_trace::stream::{Sighting, StreamError, Texts};

impl ObjectTable {
    /// The objects that are accepted by their class and content. Reads the recording's objects through, each block once.
    pub fn all_with(
        &self,
        texts: Texts,
        is_it: impl Fn(&Sighting) -> bool,
    ) -> Result<FxHashSet<ObjectId>, StreamError> {
        let mut found = FxHashSet::default();
        for &thread in self.recording.threads.keys() {
            let mut stream = self.recording.stream(thread, BlockKind::Objects);
            while let Some(sighting) = next_sighting(&mut stream, texts)? {
                // Of several records of an id the last one holds, as in the table.
                if is_it(&sighting) {
                    found.insert(sighting.id);
                } else {
                    found.remove(&sighting.id);
                }
            }
        }
        Ok(found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::File;
    use std::sync::Arc;
    use whydunit_trace::ThreadId;
    use whydunit_trace::block::{BlockWriter, Flags};
    use whydunit_trace::reader::Recording;
    use whydunit_trace::stream::Content;

    const BOX: u32 = 7;
    const STRING: u32 = 8;

    fn boxed(id: u32, bits: u64) -> Vec<u8> {
        let head = [id.to_le_bytes(), BOX.to_le_bytes()].concat();
        [&head[..], &[3], &bits.to_le_bytes()].concat()
    }

    fn string(id: u32, text: &str) -> Vec<u8> {
        let length = (text.len() as u32).to_le_bytes();
        let head = [id.to_le_bytes(), STRING.to_le_bytes()].concat();
        [&head[..], &[2], &length, &length, &[0], text.as_bytes()].concat()
    }

    /// Two threads, whose ids are mixed; each has its records in small blocks, which records go across.
    fn recording(folder: &tempfile::TempDir) -> Arc<Recording> {
        let path = folder.path().join("trace.wdt");
        let mut writer = BlockWriter::create(File::create(&path).expect("a file"), Flags::default()).expect("a header");
        for thread in [1, 2] {
            let ids = (1..500).map(|id| id * 2 + thread);
            let mut records: Vec<u8> = ids
                .flat_map(
                    |id| if id % 3 == 0 { string(id, &format!("k{}", id % 10)) } else { boxed(id, (id % 10).into()) },
                )
                .collect();
            // Both threads have met it.
            records.extend(if thread == 1 { boxed(5000, 3) } else { boxed(5000, 4) });
            let mut offset = 0;
            for block in records.chunks(100) {
                writer.stream(BlockKind::Objects, ThreadId(thread), offset, block).expect("written");
                offset += block.len() as u64;
            }
        }
        writer.finish().expect("closed");
        Arc::new(Recording::open(&path).expect("a recording"))
    }

    /// Finds the same objects as one look at each of them.
    fn check(texts: Texts, is_it: impl Fn(&Content) -> bool) -> usize {
        let folder = tempfile::tempdir().expect("a folder");
        let table = ObjectTable::load(&recording(&folder)).expect("objects");
        let found = table.all_with(texts, |sighting| is_it(&sighting.content)).expect("objects");
        let all = table.all_of(|_| true).expect("objects");
        let expected = all.into_iter().filter(|&id| table.content(id).expect("content").is_some_and(|one| is_it(&one)));
        assert_eq!(found, expected.collect());
        found.len()
    }

    #[test]
    fn the_same_as_by_looking_at_each_object() {
        let numbers = |asked: u64| move |content: &Content| *content == Content::Boxed { bits: asked };
        let plain = check(Texts::PassedOver, numbers(3));
        assert_eq!(check(Texts::Read, numbers(3)), plain);
        assert!(plain > 50);
        check(Texts::PassedOver, numbers(4));
        let texts = |content: &Content| matches!(content, Content::String { beginning, .. } if beginning == "k3");
        assert!(check(Texts::Read, texts) > 20);
    }
}
