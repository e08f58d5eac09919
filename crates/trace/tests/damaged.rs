//! Damaged recordings are read up to the damage, and never with a panic.

use proptest::prelude::*;
use std::io::Write;
use tempfile::NamedTempFile;
use whydunit_trace::block::{BLOCK_HEADER_SIZE, BlockKind, BlockWriter, FILE_HEADER_SIZE, Flags};
use whydunit_trace::ids::{DefinitionId, LoaderId};
use whydunit_trace::reader::Recording;
use whydunit_trace::record::{Definition, End, EndReason, Loader, MethodStatus, Thread};
use whydunit_trace::stream::{Control, ENTER, Sighting, StreamReader, Texts};
use whydunit_trace::{MethodId, ThreadId};

const STREAMS: [BlockKind; 4] = [BlockKind::Values, BlockKind::Control, BlockKind::Objects, BlockKind::Check];

/// A recording of two threads with several pieces of each stream. Returns the ends of its blocks, too.
fn sample() -> (Vec<u8>, Vec<usize>) {
    let mut ends = Vec::new();
    let flags = Flags { check: true, handshake: true, places: false };
    let mut writer = BlockWriter::create(Vec::new(), flags).expect("written");
    let definition = Definition {
        id: DefinitionId(1),
        name: "com/acme/Main".to_owned(),
        loader: LoaderId(1),
        first_method: MethodId(1),
        methods: vec![MethodStatus::Recorded, MethodStatus::NoCode],
        replaces: None,
        bytes: (0..200).collect(),
    };
    let loader = Loader { id: LoaderId(1), class_name: "Loader".to_owned(), parent: LoaderId(0) };
    writer.record(BlockKind::Loader, 0, &loader).expect("written");
    ends.push(writer.written());
    writer.record(BlockKind::Definition, 0, &definition).expect("written");
    ends.push(writer.written());
    for thread in [1, 2] {
        let info = Thread { name: format!("thread {thread}"), java_id: u64::from(thread) };
        writer.record(BlockKind::Thread, thread, &info).expect("written");
        ends.push(writer.written());
    }
    for piece in 0..4_u64 {
        for thread in [ThreadId(1), ThreadId(2)] {
            for (kind, contents) in STREAMS.into_iter().zip([values(), control(piece), objects(), values()]) {
                let offset = piece * contents.len() as u64;
                writer.stream(kind, thread, offset, &contents).expect("written");
                ends.push(writer.written());
            }
        }
    }
    writer.record(BlockKind::End, 0, &End { reason: EndReason::Exit }).expect("written");
    ends.push(writer.written());
    let ends = ends.into_iter().map(|end| usize::try_from(end).expect("small")).collect();
    (writer.finish().expect("written"), ends)
}

fn values() -> Vec<u8> {
    (0..=255).cycle().take(700).collect()
}

fn control(piece: u64) -> Vec<u8> {
    let mut bytes = vec![ENTER];
    bytes.extend_from_slice(&(piece * 700).to_le_bytes());
    bytes.extend_from_slice(&1_u32.to_le_bytes());
    bytes
}

fn objects() -> Vec<u8> {
    let mut bytes = Vec::new();
    for (tag, rest) in [(0_u8, vec![]), (1, vec![5, 0, 0, 0]), (2, vec![2, 0, 0, 0, 2, 0, 0, 0, 0, b'h', b'i'])] {
        bytes.extend_from_slice(&[7, 0, 0, 0, 9, 0, 0, 0, tag]);
        bytes.extend(rest);
    }
    bytes
}

fn open(bytes: &[u8]) -> Option<Recording> {
    let mut file = NamedTempFile::new().expect("a file");
    file.write_all(bytes).expect("written");
    Recording::open(file.path()).ok()
}

/// Reads all streams in every way there is.
fn read_everything(recording: &Recording, seek_to: u64) {
    for &thread in recording.threads.keys() {
        for kind in STREAMS {
            let mut stream = recording.stream(thread, kind);
            while stream.u8().is_ok() {}
            let _ = stream.seek(seek_to);
            while stream.take::<13>().is_ok() {}
            let _ = stream.seek(0);
            let _ = stream.bytes(usize::try_from(seek_to).unwrap_or(usize::MAX));
        }
        read_records(recording.stream(thread, BlockKind::Control), |stream| Control::read(stream).map(|r| r.is_some()));
        for texts in [Texts::Read, Texts::PassedOver] {
            read_records(recording.stream(thread, BlockKind::Objects), |stream| {
                Sighting::read(stream, texts).map(|record| record.is_some())
            });
        }
    }
}

fn read_records<E>(mut stream: StreamReader, read: impl Fn(&mut StreamReader) -> Result<bool, E>) {
    while let Ok(true) = read(&mut stream) {}
}

#[test]
fn cut_at_every_byte() {
    let (bytes, ends) = sample();
    for cut in FILE_HEADER_SIZE..=bytes.len() {
        let recording = open(&bytes[..cut]).expect("a recording");
        let readable = ends.iter().copied().rfind(|&end| end <= cut).unwrap_or(FILE_HEADER_SIZE);
        assert_eq!(recording.readable, readable as u64, "cut at {cut}");
        assert_eq!(recording.damage.is_some(), readable != cut, "cut at {cut}");
        read_everything(&recording, cut as u64);
    }
}

#[test]
fn every_byte_changed() {
    let (bytes, ends) = sample();
    for position in FILE_HEADER_SIZE..bytes.len() {
        let mut changed = bytes.clone();
        changed[position] ^= 0x11;
        let recording = open(&changed).expect("a recording");
        let readable = ends.iter().copied().rfind(|&end| end <= position).unwrap_or(FILE_HEADER_SIZE);
        assert_eq!(recording.readable, readable as u64, "byte {position} changed");
        read_everything(&recording, position as u64);
    }
}

/// Makes the checksums of all blocks right, so that what is behind them is reached.
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

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn random_blocks(rest in prop::collection::vec(any::<u8>(), 0..600), seek_to: u64) {
        let mut bytes = sample().0;
        bytes.truncate(FILE_HEADER_SIZE);
        bytes.extend(rest);
        seal(&mut bytes);
        if let Some(recording) = open(&bytes) {
            read_everything(&recording, seek_to);
        }
    }

    #[test]
    fn changed_with_right_checksums(
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6),
        seek_to in 0_u64..4000,
    ) {
        let mut bytes = sample().0;
        for (place, value) in changes {
            let place = place.index(bytes.len());
            bytes[place] = value;
        }
        seal(&mut bytes);
        if let Some(recording) = open(&bytes) {
            read_everything(&recording, seek_to);
        }
    }
}
