//! Files of an index: pieces with checksums, a directory of them and a trailer with its place.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::os::unix::fs::FileExt;
use std::path::Path;
use whydunit_trace::block::BlockKind;
use whydunit_trace::reader::Recording;
use whydunit_trace::{NewFile, ThreadId};

/// Changes whenever the contents or the numbering of steps do.
const VERSION: u32 = 23;

const MAGIC: [u8; 8] = *b"WDINDEX\x01";
const TRAILER_SIZE: u64 = 24;

/// Larger pieces are damage.
const MAX_PIECE: u32 = 1 << 30;

/// What a file was made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Key {
    version: u32,
    pub(crate) interval: u64,
    pub(crate) thread: ThreadId,
    trace_size: u64,
    trace_checksum: u32,
}

impl Key {
    /// Of what is known of the objects of all threads.
    pub(crate) fn of_objects(recording: &Recording) -> Key {
        Key::new(recording, ThreadId(0), 0)
    }

    pub(crate) fn new(recording: &Recording, thread: ThreadId, interval: u64) -> Key {
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
pub(crate) struct Place {
    at: u64,
    length: u32,
    checksum: u32,
}

pub(crate) fn read<T: DeserializeOwned>(file: &File, place: Place) -> io::Result<T> {
    postcard::from_bytes(&read_bytes(file, place)?).map_err(|_| damaged())
}

fn read_bytes(file: &File, place: Place) -> io::Result<Vec<u8>> {
    if place.length > MAX_PIECE {
        return Err(damaged());
    }
    let mut bytes = vec![0; place.length as usize];
    file.read_exact_at(&mut bytes, place.at)?;
    if crc32fast::hash(&bytes) == place.checksum { Ok(bytes) } else { Err(damaged()) }
}

pub(crate) fn damaged() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "the index was damaged and is deleted; ask again to have it built anew")
}

/// A damaged file must not stand in the way of the next question.
pub(crate) fn drop_damaged(path: impl AsRef<Path>) {
    // If it cannot be deleted, the user is told of the damage all the same.
    let _ = std::fs::remove_file(path);
}

/// The file's directory; `None` when the file is missing, damaged or made of something else.
pub(crate) fn open<D: DeserializeOwned>(path: &Path, key: Key) -> Option<(File, D)> {
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

/// A file that takes the place of what is at `path` when it is complete; see [`NewFile`] for what else is left.
pub(crate) fn replace<T, E: From<io::Error>>(path: &Path, build: impl FnOnce(Writer) -> Result<T, E>) -> Result<T, E> {
    let file = NewFile::create(path)?;
    let built = build(Writer::new(file.handle()?))?;
    file.finish()?;
    Ok(built)
}

/// Writes pieces one after the other.
#[derive(Debug)]
pub(crate) struct Writer {
    out: BufWriter<File>,
    at: u64,
}

impl Writer {
    /// Writes to an empty file that can be read, too.
    pub(crate) fn new(file: File) -> Writer {
        Writer { out: BufWriter::new(file), at: 0 }
    }

    pub(crate) fn piece(&mut self, contents: &impl Serialize) -> io::Result<Place> {
        self.bytes(&postcard::to_stdvec(contents).map_err(io::Error::other)?)
    }

    /// Bytes that are not read as a piece; where they start.
    pub(crate) fn raw(&mut self, bytes: &[u8]) -> io::Result<u64> {
        self.out.write_all(bytes)?;
        let at = self.at;
        self.at += bytes.len() as u64;
        Ok(at)
    }

    fn bytes(&mut self, bytes: &[u8]) -> io::Result<Place> {
        let at = self.raw(bytes)?;
        Ok(Place { at, length: bytes.len() as u32, checksum: crc32fast::hash(bytes) })
    }

    pub(crate) fn finish(mut self, key: Key, directory: &impl Serialize) -> io::Result<File> {
        let place = self.piece(&(key, directory))?;
        self.out.write_all(&place.at.to_le_bytes())?;
        self.out.write_all(&place.length.to_le_bytes())?;
        self.out.write_all(&place.checksum.to_le_bytes())?;
        self.out.write_all(&MAGIC)?;
        self.into_file()
    }

    /// What was written so far, to be read.
    pub(crate) fn flushed(&mut self) -> io::Result<&File> {
        self.out.flush()?;
        Ok(self.out.get_ref())
    }

    /// The file without a directory.
    pub(crate) fn into_file(self) -> io::Result<File> {
        self.out.into_inner().map_err(io::IntoInnerError::into_error)
    }
}
