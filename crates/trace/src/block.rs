//! The file as a sequence of blocks, and its writer.

use crate::ids::ThreadId;
use crate::version::FormatVersion;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::fs::File;
use std::io::{self, Seek, SeekFrom, Write};
use zstd::zstd_safe::CParameter;

pub const FILE_MAGIC: &[u8; 8] = b"WHYDUNIT";
pub const BLOCK_MAGIC: &[u8; 4] = b"WDB\x01";
pub const FILE_HEADER_SIZE: usize = 16;
pub const BLOCK_HEADER_SIZE: usize = 32;

/// No block is larger, so that a damaged length cannot ask for all memory.
pub const MAX_BLOCK: usize = 256 << 20;

/// Facts about the whole recording that the replay depends on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Flags {
    pub check: bool,
    pub handshake: bool,
    /// Entries from unrecorded code tell which instruction they interrupt.
    pub places: bool,
}

impl Flags {
    /// The lower half; the upper half is its complement, so that no damage goes unnoticed.
    fn bits(self) -> u32 {
        let flags = u32::from(self.check) | u32::from(self.handshake) << 1 | u32::from(self.places) << 2;
        flags | !flags << 16
    }

    pub(crate) fn from_bits(bits: u32) -> Option<Flags> {
        let flags = Flags { check: bits & 1 != 0, handshake: bits & 2 != 0, places: bits & 4 != 0 };
        (flags.bits() == bits).then_some(flags)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[repr(u8)]
pub enum BlockKind {
    Values = 1,
    Control = 2,
    Objects = 3,
    Check = 4,
    Definition = 16,
    Class = 17,
    Loader = 18,
    Thread = 19,
    End = 20,
    ThreadEnd = 21,
    Token = 22,
}

impl BlockKind {
    pub fn from_byte(byte: u8) -> Option<BlockKind> {
        Some(match byte {
            1 => BlockKind::Values,
            2 => BlockKind::Control,
            3 => BlockKind::Objects,
            4 => BlockKind::Check,
            16 => BlockKind::Definition,
            17 => BlockKind::Class,
            18 => BlockKind::Loader,
            19 => BlockKind::Thread,
            20 => BlockKind::End,
            21 => BlockKind::ThreadEnd,
            22 => BlockKind::Token,
            _ => return None,
        })
    }

    pub fn is_stream(self) -> bool {
        matches!(self, BlockKind::Values | BlockKind::Control | BlockKind::Objects | BlockKind::Check)
    }
}

/// How the payload of a block is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[repr(u8)]
pub enum Codec {
    Raw = 0,
    Zstd = 1,
}

/// Level 1 without the coding of what matches nothing: a tenth quicker than by itself on the logs of real programs, for
/// a twelfth more bytes. The program waits when this falls behind.
const COMPRESSION_LEVEL: i32 = 1;
const COMPRESSION: CParameter = CParameter::TargetLength(1);

/// Writes blocks, each in a single `write_all`, so that a kill leaves whole blocks.
pub struct BlockWriter<W> {
    out: W,
    written: u64,
    compressor: zstd::bulk::Compressor<'static>,
    scratch: Vec<u8>,
}

impl<W: fmt::Debug> fmt::Debug for BlockWriter<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BlockWriter").field("out", &self.out).field("written", &self.written).finish_non_exhaustive()
    }
}

impl<W: Write> BlockWriter<W> {
    pub fn create(mut out: W, flags: Flags) -> io::Result<BlockWriter<W>> {
        let mut header = [0u8; FILE_HEADER_SIZE];
        header[..8].copy_from_slice(FILE_MAGIC);
        header[8..12].copy_from_slice(&FormatVersion::CURRENT.0.to_le_bytes());
        header[12..].copy_from_slice(&flags.bits().to_le_bytes());
        out.write_all(&header)?;
        let mut compressor = zstd::bulk::Compressor::new(COMPRESSION_LEVEL)?;
        compressor.set_parameter(COMPRESSION)?;
        Ok(BlockWriter { out, written: FILE_HEADER_SIZE as u64, compressor, scratch: Vec::new() })
    }

    /// Bytes in the file so far.
    pub fn written(&self) -> u64 {
        self.written
    }

    /// A piece of a thread's stream. Pieces of one stream must be written in order.
    pub fn stream(&mut self, kind: BlockKind, thread: ThreadId, offset: u64, payload: &[u8]) -> io::Result<()> {
        self.block(kind, thread.0, offset, payload)
    }

    /// A structured record; `thread` is 0 except for [`BlockKind::Thread`] and [`BlockKind::ThreadEnd`].
    pub fn record<T: Serialize>(&mut self, kind: BlockKind, thread: u32, record: &T) -> io::Result<()> {
        let payload = postcard::to_stdvec(record).map_err(io::Error::other)?;
        self.block(kind, thread, 0, &payload)
    }

    fn block(&mut self, kind: BlockKind, thread: u32, offset: u64, payload: &[u8]) -> io::Result<()> {
        let bound = zstd::zstd_safe::compress_bound(payload.len());
        if self.scratch.len() < BLOCK_HEADER_SIZE + bound {
            self.scratch.resize(BLOCK_HEADER_SIZE + bound, 0);
        }
        let (header, body) = self.scratch.split_at_mut(BLOCK_HEADER_SIZE);
        let (codec, stored) = match self.compressor.compress_to_buffer(payload, body) {
            Ok(size) if size < payload.len() => (Codec::Zstd, size),
            _ => {
                body[..payload.len()].copy_from_slice(payload);
                (Codec::Raw, payload.len())
            }
        };
        header[..4].copy_from_slice(BLOCK_MAGIC);
        header[4] = kind as u8;
        header[5] = codec as u8;
        header[6..8].fill(0);
        header[8..12].copy_from_slice(&thread.to_le_bytes());
        header[12..20].copy_from_slice(&offset.to_le_bytes());
        header[20..24].copy_from_slice(&(payload.len() as u32).to_le_bytes());
        header[24..28].copy_from_slice(&(stored as u32).to_le_bytes());
        let crc = checksum(&header[..28], &body[..stored]);
        header[28..].copy_from_slice(&crc.to_le_bytes());
        let block = &self.scratch[..BLOCK_HEADER_SIZE + stored];
        self.out.write_all(block)?;
        self.written += block.len() as u64;
        Ok(())
    }

    pub fn finish(mut self) -> io::Result<W> {
        self.out.flush()?;
        Ok(self.out)
    }
}

impl BlockWriter<File> {
    /// Cuts off what a failed write has left of a block, which also makes room for a last one on a full disk.
    pub fn drop_unfinished_block(&mut self) -> io::Result<()> {
        self.out.set_len(self.written)?;
        self.out.seek(SeekFrom::Start(self.written)).map(|_| ())
    }
}

pub(crate) fn checksum(header: &[u8], payload: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(header);
    hasher.update(payload);
    hasher.finalize()
}
