//! Opening a recording: its blocks, its records, and where it is damaged.

use crate::block::{
    BLOCK_HEADER_SIZE, BLOCK_MAGIC, BlockKind, Codec, FILE_HEADER_SIZE, FILE_MAGIC, Flags, MAX_BLOCK, checksum,
};
use crate::ids::ThreadId;
use crate::record::{Class, Definition, End, EndReason, Loader, Thread, ThreadEnd};
use crate::stream::StreamReader;
use crate::table::{self, Stamp};
use crate::token::Token;
use crate::version::FormatVersion;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;
use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// An open recording. Cheap to clone; reading from several threads at once is fine.
#[derive(Clone, Debug)]
pub struct Recording {
    pub flags: Flags,
    pub definitions: Vec<Definition>,
    pub classes: Vec<Class>,
    pub loaders: Vec<Loader>,
    pub threads: BTreeMap<ThreadId, ThreadStreams>,
    /// Names that do not have the token that they should have.
    pub moved_tokens: Vec<Token>,
    pub end: Option<End>,
    /// What is wrong with the file, if anything; all else is what stands before it.
    pub damage: Option<Damage>,
    /// Bytes of the file that could be read.
    pub readable: u64,
    file: Arc<File>,
}

/// The streams of one thread.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct ThreadStreams {
    pub info: Option<Thread>,
    /// The thread ended; otherwise it was cut off with the JVM or the recording.
    pub has_ended: bool,
    streams: BTreeMap<BlockKind, Vec<BlockRef>>,
}

impl ThreadStreams {
    pub fn blocks(&self, kind: BlockKind) -> &[BlockRef] {
        self.streams.get(&kind).map_or(&[], Vec::as_slice)
    }

    /// Bytes in the stream before compression.
    pub fn raw_size(&self, kind: BlockKind) -> u64 {
        self.blocks(kind).iter().map(|b| u64::from(b.raw)).sum()
    }

    /// Bytes that the stream takes in the file.
    pub fn stored_size(&self, kind: BlockKind) -> u64 {
        self.blocks(kind).iter().map(|b| u64::from(b.stored) + BLOCK_HEADER_SIZE as u64).sum()
    }
}

/// Where a block stands in the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BlockRef {
    /// Offset of the payload in the file.
    pub at: u64,
    /// Offset of the payload in its stream.
    pub offset: u64,
    pub raw: u32,
    pub stored: u32,
    codec: Codec,
}

/// The file is readable up to `at` only.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Damage {
    pub at: u64,
    pub kind: DamageKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum DamageKind {
    /// The file ends inside a block.
    CutOff,
    /// A block does not start with the block magic.
    NotABlock,
    /// A block's checksum does not match.
    Checksum,
    /// A block of a kind or shape that this version does not write.
    Unreadable,
    /// A piece of a stream does not continue where the last one ended.
    Gap,
}

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = match self.kind {
            DamageKind::CutOff => "the file ends in the middle of a block",
            DamageKind::NotABlock => "there is no block where one should start",
            DamageKind::Checksum => "a block's checksum does not match",
            DamageKind::Unreadable => "a block has unreadable contents",
            DamageKind::Gap => "a piece of a thread's log is missing",
        };
        write!(f, "{what} (at byte {})", self.at)
    }
}

#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    #[error("cannot read {path}", path = .path.display())]
    Io { path: PathBuf, source: io::Error },
    #[error("{path} is not a Whydunit recording", path = .path.display())]
    NotARecording { path: PathBuf },
    #[error("{path} has format {found}; this version reads format {current}", path = .path.display(), current = FormatVersion::CURRENT)]
    Version { path: PathBuf, found: FormatVersion },
}

impl Recording {
    /// Reads the blocks' headers and all structured records. Damage is not an error: see
    /// [`Recording::damage`].
    pub fn open(path: &Path) -> Result<Recording, OpenError> {
        let (file, flags) = open_file(path)?;
        let contents = scan(&file, flags).map_err(|source| OpenError::Io { path: path.to_owned(), source })?;
        Ok(contents.into_recording(file))
    }

    /// As [`Recording::open`], but the file is not read through when the table says what is in it. Otherwise the
    /// table is written for the next time, if it can be.
    pub fn open_with_table(path: &Path, table_path: &Path) -> Result<Recording, OpenError> {
        let io_error = |source| OpenError::Io { path: path.to_owned(), source };
        let (file, flags) = open_file(path)?;
        let stamp = Stamp::of(&file).map_err(io_error)?;
        if let Some(contents) = table::read(table_path, stamp) {
            return Ok(contents.into_recording(file));
        }
        let contents = scan(&file, flags).map_err(io_error)?;
        // A table that cannot be written costs the next opening its time, and nothing else.
        let _ = table::write(table_path, stamp, &contents);
        Ok(contents.into_recording(file))
    }

    /// Nothing is missing: it was closed when the JVM ended.
    pub fn is_complete(&self) -> bool {
        self.damage.is_none() && self.end.as_ref().is_some_and(|end| end.reason == EndReason::Exit)
    }

    /// A thread's stream from its beginning.
    pub fn stream(&self, thread: ThreadId, kind: BlockKind) -> StreamReader {
        let blocks = self.threads.get(&thread).map_or(&[][..], |t| t.blocks(kind));
        StreamReader::new(Arc::clone(&self.file), blocks.to_vec())
    }
}

/// Opens the file and reads its header.
fn open_file(path: &Path) -> Result<(File, Flags), OpenError> {
    let io_error = |source| OpenError::Io { path: path.to_owned(), source };
    let file = File::open(path).map_err(io_error)?;
    let mut header = [0u8; FILE_HEADER_SIZE];
    match file.read_exact_at(&mut header, 0) {
        Err(e) if e.kind() == io::ErrorKind::UnexpectedEof => {
            return Err(OpenError::NotARecording { path: path.to_owned() });
        }
        other => other.map_err(io_error)?,
    }
    if &header[..8] != FILE_MAGIC {
        return Err(OpenError::NotARecording { path: path.to_owned() });
    }
    let found = FormatVersion(u32_at(&header, 8));
    if !found.is_readable() {
        return Err(OpenError::Version { path: path.to_owned(), found });
    }
    match Flags::from_bits(u32_at(&header, 12)) {
        Some(flags) => Ok((file, flags)),
        None => Err(OpenError::NotARecording { path: path.to_owned() }),
    }
}

impl BlockRef {
    /// The uncompressed payload. The checksum is compared again: a table beside the recording may be older than
    /// the damage.
    pub(crate) fn load(&self, file: &File, into: &mut Vec<u8>) -> io::Result<()> {
        let mut stored = vec![0u8; self.stored as usize];
        let mut header = [0u8; BLOCK_HEADER_SIZE];
        file.read_exact_at(&mut header, self.at - BLOCK_HEADER_SIZE as u64)?;
        file.read_exact_at(&mut stored, self.at)?;
        if checksum(&header[..BLOCK_HEADER_SIZE - 4], &stored) != u32_at(&header, BLOCK_HEADER_SIZE - 4) {
            let at = self.at - BLOCK_HEADER_SIZE as u64;
            let what = format!(
                "the block at byte {at} was damaged since the run was indexed; delete the run's folder `index` to read \
                 what stands before it"
            );
            return Err(io::Error::new(io::ErrorKind::InvalidData, what));
        }
        unpack(self.codec, stored, self.raw as usize, into)
    }
}

fn unpack(codec: Codec, stored: Vec<u8>, raw: usize, into: &mut Vec<u8>) -> io::Result<()> {
    match codec {
        Codec::Raw => *into = stored,
        Codec::Zstd => {
            into.clear();
            into.resize(raw, 0);
            let size = zstd::bulk::decompress_to_buffer(&stored, into.as_mut_slice())?;
            into.truncate(size);
        }
    }
    if into.len() == raw {
        Ok(())
    } else {
        Err(io::Error::new(io::ErrorKind::InvalidData, "block has another size than its header says"))
    }
}

/// One pass over the file.
struct Scan {
    contents: Contents,
    at: u64,
    next_offset: BTreeMap<(ThreadId, BlockKind), u64>,
}

/// What one pass over the file finds.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct Contents {
    flags: Flags,
    definitions: Vec<Definition>,
    classes: Vec<Class>,
    loaders: Vec<Loader>,
    threads: BTreeMap<ThreadId, ThreadStreams>,
    moved_tokens: Vec<Token>,
    end: Option<End>,
    damage: Option<Damage>,
    readable: u64,
}

fn scan(file: &File, flags: Flags) -> io::Result<Contents> {
    let size = file.metadata()?.len();
    let contents = Contents { flags, ..Contents::default() };
    let mut scan = Scan { contents, at: FILE_HEADER_SIZE as u64, next_offset: BTreeMap::new() };
    scan.run(&mut BufReader::with_capacity(1 << 16, file), size)?;
    Ok(Contents { readable: scan.at, ..scan.contents })
}

impl Scan {
    fn run(&mut self, input: &mut BufReader<&File>, size: u64) -> io::Result<()> {
        input.seek(SeekFrom::Start(self.at))?;
        let mut stored = Vec::new();
        while self.at < size {
            match self.block(input, size, &mut stored)? {
                Ok(length) => self.at += length,
                Err(kind) => {
                    self.contents.damage = Some(Damage { at: self.at, kind });
                    break;
                }
            }
        }
        Ok(())
    }

    /// Reads one block and returns its length in the file.
    fn block(
        &mut self,
        input: &mut BufReader<&File>,
        size: u64,
        stored: &mut Vec<u8>,
    ) -> io::Result<Result<u64, DamageKind>> {
        if size - self.at < BLOCK_HEADER_SIZE as u64 {
            return Ok(Err(DamageKind::CutOff));
        }
        let mut header = [0u8; BLOCK_HEADER_SIZE];
        input.read_exact(&mut header)?;
        if &header[..4] != BLOCK_MAGIC {
            return Ok(Err(DamageKind::NotABlock));
        }
        let (raw, stored_size) = (u32_at(&header, 20), u32_at(&header, 24));
        if raw as usize > MAX_BLOCK || stored_size as usize > MAX_BLOCK {
            return Ok(Err(DamageKind::Unreadable));
        }
        let length = BLOCK_HEADER_SIZE as u64 + u64::from(stored_size);
        if size - self.at < length {
            return Ok(Err(DamageKind::CutOff));
        }
        stored.resize(stored_size as usize, 0);
        input.read_exact(stored)?;
        if checksum(&header[..BLOCK_HEADER_SIZE - 4], stored) != u32_at(&header, 28) {
            return Ok(Err(DamageKind::Checksum));
        }
        let codec = match header[5] {
            0 => Codec::Raw,
            1 => Codec::Zstd,
            _ => return Ok(Err(DamageKind::Unreadable)),
        };
        let Some(kind) = BlockKind::from_byte(header[4]) else {
            return Ok(Err(DamageKind::Unreadable));
        };
        let thread = ThreadId(u32_at(&header, 8));
        let accepted = if kind.is_stream() {
            let at = self.at + BLOCK_HEADER_SIZE as u64;
            self.stream_block(
                kind,
                thread,
                BlockRef { at, offset: u64_at(&header, 12), raw, stored: stored_size, codec },
            )
        } else {
            let mut payload = Vec::new();
            match unpack(codec, std::mem::take(stored), raw as usize, &mut payload) {
                Ok(()) => self.record(kind, thread, &payload),
                Err(_) => Err(DamageKind::Unreadable),
            }
        };
        Ok(accepted.map(|()| length))
    }

    fn stream_block(&mut self, kind: BlockKind, thread: ThreadId, block: BlockRef) -> Result<(), DamageKind> {
        let next = self.next_offset.entry((thread, kind)).or_insert(0);
        if *next != block.offset {
            return Err(DamageKind::Gap);
        }
        *next += u64::from(block.raw);
        let streams = &mut self.contents.threads.entry(thread).or_default().streams;
        streams.entry(kind).or_default().push(block);
        Ok(())
    }

    fn record(&mut self, kind: BlockKind, thread: ThreadId, payload: &[u8]) -> Result<(), DamageKind> {
        fn decode<T: DeserializeOwned>(payload: &[u8]) -> Result<T, DamageKind> {
            postcard::from_bytes(payload).map_err(|_| DamageKind::Unreadable)
        }
        let parts = &mut self.contents;
        match kind {
            BlockKind::Definition => parts.definitions.push(decode(payload)?),
            BlockKind::Class => parts.classes.push(decode(payload)?),
            BlockKind::Loader => parts.loaders.push(decode(payload)?),
            BlockKind::Thread => parts.threads.entry(thread).or_default().info = Some(decode(payload)?),
            BlockKind::ThreadEnd => {
                let ThreadEnd = decode(payload)?;
                parts.threads.entry(thread).or_default().has_ended = true;
            }
            BlockKind::Token => parts.moved_tokens.push(decode(payload)?),
            BlockKind::End => parts.end = Some(decode(payload)?),
            BlockKind::Values | BlockKind::Control | BlockKind::Objects | BlockKind::Check => {
                return Err(DamageKind::Unreadable);
            }
        }
        Ok(())
    }
}

impl Contents {
    fn into_recording(self, file: File) -> Recording {
        Recording {
            flags: self.flags,
            definitions: self.definitions,
            classes: self.classes,
            loaders: self.loaders,
            threads: self.threads,
            moved_tokens: self.moved_tokens,
            end: self.end,
            damage: self.damage,
            readable: self.readable,
            file: Arc::new(file),
        }
    }
}

fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
}

fn u64_at(bytes: &[u8], at: usize) -> u64 {
    u64::from(u32_at(bytes, at)) | u64::from(u32_at(bytes, at + 4)) << 32
}
