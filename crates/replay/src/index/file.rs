//! The file of a thread's index: pieces with checksums, a directory of them and a trailer with its place.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::os::unix::fs::FileExt;
use std::path::Path;
use whydunit_trace::ThreadId;
use whydunit_trace::block::BlockKind;
use whydunit_trace::reader::Recording;

/// Changes whenever the contents or the numbering of steps do.
const VERSION: u32 = 2;

const MAGIC: [u8; 8] = *b"WDINDEX\x01";
const TRAILER_SIZE: u64 = 24;

/// Larger pieces are damage.
const MAX_PIECE: u32 = 1 << 30;

/// What a file was made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Key {
    version: u32,
    pub(super) interval: u64,
    pub(super) thread: ThreadId,
    trace_size: u64,
    trace_checksum: u32,
}

impl Key {
    pub(super) fn new(recording: &Recording, thread: ThreadId, interval: u64) -> Key {
        let mut checksum = crc32fast::Hasher::new();
        for streams in recording.threads.values() {
            for kind in [BlockKind::Values, BlockKind::Control, BlockKind::Objects] {
                for block in streams.blocks(kind) {
                    for number in [block.at, block.offset, u64::from(block.raw), u64::from(block.stored)] {
                        checksum.update(&number.to_le_bytes());
                    }
                }
            }
        }
        for definition in &recording.definitions {
            checksum.update(&definition.bytes);
        }
        let (trace_size, trace_checksum) = (recording.readable, checksum.finalize());
        Key { version: VERSION, interval, thread, trace_size, trace_checksum }
    }
}

/// Where a piece is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Place {
    at: u64,
    length: u32,
    checksum: u32,
}

pub(super) fn read<T: DeserializeOwned>(file: &File, place: Place) -> io::Result<T> {
    let damaged = || io::Error::new(io::ErrorKind::InvalidData, "the index is damaged");
    if place.length > MAX_PIECE {
        return Err(damaged());
    }
    let mut bytes = vec![0; place.length as usize];
    file.read_exact_at(&mut bytes, place.at)?;
    if crc32fast::hash(&bytes) != place.checksum {
        return Err(damaged());
    }
    postcard::from_bytes(&bytes).map_err(|_| damaged())
}

/// The file's directory; `None` when the file is missing, damaged or made of something else.
pub(super) fn open<D: DeserializeOwned>(path: &Path, key: Key) -> Option<(File, D)> {
    let file = File::open(path).ok()?;
    let size = file.metadata().ok()?.len();
    let mut trailer = [0; TRAILER_SIZE as usize];
    file.read_exact_at(&mut trailer, size.checked_sub(TRAILER_SIZE)?).ok()?;
    let (at, rest) = trailer.split_first_chunk()?;
    let (length, rest) = rest.split_first_chunk()?;
    let (checksum, magic) = rest.split_first_chunk()?;
    let place = Place {
        at: u64::from_le_bytes(*at),
        length: u32::from_le_bytes(*length),
        checksum: u32::from_le_bytes(*checksum),
    };
    if magic != MAGIC {
        return None;
    }
    let (found, directory): (Key, D) = read(&file, place).ok()?;
    (found == key).then_some((file, directory))
}

/// Writes pieces one after the other.
#[derive(Debug)]
pub(super) struct Writer {
    out: BufWriter<File>,
    at: u64,
}

impl Writer {
    pub(super) fn create(path: &Path) -> io::Result<Writer> {
        let file = File::options().read(true).write(true).create(true).truncate(true).open(path)?;
        Ok(Writer { out: BufWriter::new(file), at: 0 })
    }

    pub(super) fn piece(&mut self, contents: &impl Serialize) -> io::Result<Place> {
        let bytes = postcard::to_stdvec(contents).map_err(io::Error::other)?;
        self.out.write_all(&bytes)?;
        let place = Place { at: self.at, length: bytes.len() as u32, checksum: crc32fast::hash(&bytes) };
        self.at += bytes.len() as u64;
        Ok(place)
    }

    pub(super) fn finish(mut self, key: Key, directory: &impl Serialize) -> io::Result<File> {
        let place = self.piece(&(key, directory))?;
        self.out.write_all(&place.at.to_le_bytes())?;
        self.out.write_all(&place.length.to_le_bytes())?;
        self.out.write_all(&place.checksum.to_le_bytes())?;
        self.out.write_all(&MAGIC)?;
        self.out.into_inner().map_err(io::IntoInnerError::into_error)
    }
}
