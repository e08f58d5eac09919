//! The recording reader on arbitrary contents: the input is a list of blocks, each two bytes for its kind and
//! thread, one for its length, and its payload. What follows the first block of no known kind is taken as it
//! is, with the checksums made right, so that damaged headers are reached, too.

#![no_main]

use libfuzzer_sys::fuzz_target;
use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::sync::LazyLock;
use whydunit_trace::ThreadId;
use whydunit_trace::block::{BLOCK_HEADER_SIZE, BlockKind, BlockWriter, FILE_HEADER_SIZE, Flags};
use whydunit_trace::reader::Recording;
use whydunit_trace::stream::{Control, Sighting, Texts};

static SCRATCH: LazyLock<PathBuf> =
    LazyLock::new(|| std::env::temp_dir().join(format!("whydunit-fuzz-{}.wdt", std::process::id())));

fuzz_target!(|input: &[u8]| {
    let mut bytes = recording_of(input);
    seal(&mut bytes);
    fs::write(&*SCRATCH, &bytes).expect("a file");
    let Ok(recording) = Recording::open(&SCRATCH) else { return };
    assert!(recording.readable <= bytes.len() as u64);
    let seek_to = input.len() as u64 / 2;
    for &thread in recording.threads.keys() {
        for kind in [BlockKind::Values, BlockKind::Control, BlockKind::Objects, BlockKind::Check] {
            let mut stream = recording.stream(thread, kind);
            // A few bytes can stand for many: enough is enough.
            for _ in 0..1000 {
                if stream.take::<13>().is_err() {
                    break;
                }
            }
            let _ = stream.seek(seek_to);
            let _ = (stream.u64(), stream.bytes(100));
        }
        let mut control = recording.stream(thread, BlockKind::Control);
        let _ = (0..1000).all(|_| Control::read(&mut control).is_ok_and(|record| record.is_some()));
        let mut objects = recording.stream(thread, BlockKind::Objects);
        let _ = (0..1000).all(|_| Sighting::read(&mut objects, Texts::Read).is_ok_and(|record| record.is_some()));
    }
});

fn recording_of(mut input: &[u8]) -> Vec<u8> {
    let mut writer = BlockWriter::create(Vec::new(), Flags::default()).expect("a header");
    let mut offsets = BTreeMap::new();
    while let Some((&[kind, thread, length], rest)) = input.split_first_chunk::<3>() {
        let Some(kind) = BlockKind::from_byte(kind) else { break };
        let (payload, rest) = rest.split_at(rest.len().min(length.into()));
        let thread = ThreadId((thread % 4).into());
        let offset = offsets.entry((kind, thread)).or_insert(0);
        writer.stream(kind, thread, *offset, payload).expect("memory");
        *offset += payload.len() as u64;
        input = rest;
    }
    let mut bytes = writer.finish().expect("memory");
    bytes.extend_from_slice(input);
    bytes
}

fn seal(bytes: &mut [u8]) {
    let mut start = FILE_HEADER_SIZE;
    while let Some(block) = bytes.get_mut(start..) {
        let Some((header, rest)) = block.split_at_mut_checked(BLOCK_HEADER_SIZE) else { return };
        let stored = u32::from_le_bytes([header[24], header[25], header[26], header[27]]) as usize;
        let Some(payload) = rest.get(..stored) else { return };
        let mut hasher = crc32fast::Hasher::new();
        hasher.update(&header[..BLOCK_HEADER_SIZE - 4]);
        hasher.update(payload);
        header[BLOCK_HEADER_SIZE - 4..].copy_from_slice(&hasher.finalize().to_le_bytes());
        start += BLOCK_HEADER_SIZE + stored;
    }
}
