//! A recording with a table beside it is opened as without. Damage that keeps size and time is found when the block is
//! read.

use std::fs::{self, File, FileTimes};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};
use tempfile::TempDir;
use whydunit_trace::ThreadId;
use whydunit_trace::block::{BlockKind, BlockWriter, Flags};
use whydunit_trace::reader::Recording;
use whydunit_trace::record::{End, EndReason, Thread};

const THREAD: ThreadId = ThreadId(1);
const PIECES: u64 = 8;
const PIECE: usize = 500;

struct Place {
    folder: TempDir,
}

impl Place {
    /// A folder with a recording of one stream, and its table.
    fn new() -> Place {
        let place = Place { folder: tempfile::tempdir().expect("a folder") };
        let file = File::create(place.trace()).expect("a file");
        let mut writer = BlockWriter::create(file, Flags::default()).expect("written");
        let info = Thread { name: "main".to_owned(), java_id: 1 };
        writer.record(BlockKind::Thread, THREAD.0, &info).expect("written");
        for piece in 0..PIECES {
            let contents: Vec<u8> = (0..PIECE).map(|i| (i as u64 * 7 + piece) as u8).collect();
            writer.stream(BlockKind::Values, THREAD, piece * PIECE as u64, &contents).expect("written");
        }
        writer.record(BlockKind::End, 0, &End { reason: EndReason::Exit }).expect("written");
        writer.finish().expect("written");
        place.open();
        assert!(place.table().exists());
        place
    }

    fn trace(&self) -> PathBuf {
        self.folder.path().join("trace")
    }

    fn table(&self) -> PathBuf {
        self.folder.path().join("index/table")
    }

    fn open(&self) -> Recording {
        Recording::open_with_table(&self.trace(), &self.table()).expect("a recording")
    }

    /// What is in the recording is the same with and without a table.
    fn check(&self) {
        let (with, without) = (self.open(), Recording::open(&self.trace()).expect("a recording"));
        assert_eq!(with.readable, without.readable);
        assert_eq!(with.damage, without.damage);
        assert_eq!(with.end, without.end);
        let blocks = |recording: &Recording| recording.threads[&THREAD].blocks(BlockKind::Values).to_vec();
        assert_eq!(blocks(&with), blocks(&without));
        assert_eq!(read(&with), read(&without));
    }
}

/// The bytes of the stream up to its end or the first error.
fn read(recording: &Recording) -> Vec<u8> {
    let mut stream = recording.stream(THREAD, BlockKind::Values);
    std::iter::from_fn(|| stream.u8().ok()).collect()
}

fn change_byte(path: &Path, at: usize) {
    let mut bytes = fs::read(path).expect("bytes");
    bytes[at] ^= 0x10;
    fs::write(path, bytes).expect("written");
}

fn set_modified(path: &Path, time: SystemTime) {
    let file = File::options().write(true).open(path).expect("a file");
    file.set_times(FileTimes::new().set_modified(time)).expect("a time");
}

#[test]
fn the_table_is_used() {
    let place = Place::new();
    place.check();
    let modified = fs::metadata(place.trace()).expect("metadata").modified().expect("a time");
    change_byte(&place.trace(), 400);
    set_modified(&place.trace(), modified);
    assert_eq!(place.open().damage, None, "the table is believed about the blocks");
    let intact = Place::new();
    let all = read(&intact.open());
    let before = read(&place.open());
    assert!(before.len() < all.len() && all.starts_with(&before), "damage that the table does not know is an error");
}

#[test]
fn a_damaged_or_missing_table_is_made_anew() {
    let place = Place::new();
    let intact = fs::read(place.table()).expect("bytes");
    for at in 0..intact.len() {
        change_byte(&place.table(), at);
        place.check();
        assert_eq!(fs::read(place.table()).expect("bytes"), intact, "byte {at}");
    }
    for length in 0..intact.len() {
        fs::write(place.table(), &intact[..length]).expect("written");
        place.check();
        assert_eq!(fs::read(place.table()).expect("bytes"), intact, "cut at {length}");
    }
    fs::remove_dir_all(place.table().parent().expect("a folder")).expect("removed");
    place.check();
}

#[test]
fn a_changed_recording_is_read_again() {
    let place = Place::new();
    let bytes = fs::read(place.trace()).expect("bytes");
    fs::write(place.trace(), &bytes[..bytes.len() / 2]).expect("written");
    place.check();
    fs::write(place.trace(), &bytes).expect("written");
    change_byte(&place.trace(), bytes.len() / 2);
    set_modified(&place.trace(), SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000_000));
    assert!(place.open().damage.is_some());
    place.check();
}

#[test]
fn without_a_place_for_the_table_the_recording_opens() {
    let place = Place::new();
    let file = place.folder.path().join("file");
    fs::write(&file, "no folder").expect("written");
    Recording::open_with_table(&place.trace(), &file.join("table")).expect("a recording");
}
