//! Reading a thread's stream value by value, and the records of the control and objects streams.

use crate::ahead::ReadAhead;
use crate::ids::{ClassId, MethodId, ObjectId};
use crate::reader::BlockRef;
use std::fs::File;
use std::io;
use std::sync::Arc;

/// A cursor over one stream that unpacks one block at a time.
#[derive(Debug)]
pub struct StreamReader {
    file: Arc<File>,
    blocks: Vec<BlockRef>,
    /// The block that comes after the one in `buffer`.
    next_block: usize,
    buffer: Vec<u8>,
    position: usize,
    /// Stream offset of `buffer[0]`.
    base: u64,
    /// The blocks from `next_block` on.
    ahead: Option<ReadAhead>,
}

impl Clone for StreamReader {
    /// Does not read ahead.
    fn clone(&self) -> StreamReader {
        StreamReader {
            file: Arc::clone(&self.file),
            blocks: self.blocks.clone(),
            buffer: self.buffer.clone(),
            ahead: None,
            ..*self
        }
    }
}

#[derive(Debug, thiserror::Error)]
pub enum StreamError {
    /// The log was not written further: the thread was killed, or the file is cut off.
    #[error("the log ends here")]
    End,
    #[error("cannot read the recording")]
    Io(#[from] io::Error),
    #[error("the log has an impossible record at offset {0}")]
    Malformed(u64),
}

impl StreamReader {
    pub(crate) fn new(file: Arc<File>, blocks: Vec<BlockRef>) -> StreamReader {
        StreamReader { file, blocks, next_block: 0, buffer: Vec::new(), position: 0, base: 0, ahead: None }
    }

    /// From here on blocks are unpacked on another thread before they are needed, until the next jump.
    pub fn read_ahead(&mut self) {
        let blocks = self.blocks.get(self.next_block..).unwrap_or_default();
        // Without another thread they are unpacked when they are needed.
        self.ahead = ReadAhead::start(Arc::clone(&self.file), blocks.to_vec()).ok();
    }

    pub fn offset(&self) -> u64 {
        self.base + self.position as u64
    }

    pub fn size(&self) -> u64 {
        self.blocks.last().map_or(0, |b| b.offset + u64::from(b.raw))
    }

    pub fn is_at_end(&self) -> bool {
        self.offset() >= self.size()
    }

    pub fn seek(&mut self, offset: u64) -> Result<(), StreamError> {
        if offset >= self.base && offset - self.base <= self.buffer.len() as u64 {
            self.position = (offset - self.base) as usize;
            return Ok(());
        }
        let index = self.blocks.partition_point(|b| b.offset + u64::from(b.raw) <= offset);
        self.next_block = index;
        self.ahead = None;
        self.buffer.clear();
        self.position = 0;
        self.base = offset;
        if let Some(block) = self.blocks.get(index) {
            self.base = block.offset;
            self.load_next()?;
            self.position =
                usize::try_from(offset.saturating_sub(self.base)).unwrap_or(usize::MAX).min(self.buffer.len());
        } else if offset > self.size() {
            self.base = self.size();
            return Err(StreamError::End);
        }
        Ok(())
    }

    fn load_next(&mut self) -> Result<(), StreamError> {
        let block = *self.blocks.get(self.next_block).ok_or(StreamError::End)?;
        match self.ahead.as_ref().and_then(ReadAhead::next) {
            Some(Ok(unpacked)) => self.buffer = unpacked,
            Some(Err(error)) => {
                self.ahead = None;
                return Err(error.into());
            }
            None => block.load(&self.file, &mut self.buffer)?,
        }
        self.base = block.offset;
        self.position = 0;
        self.next_block += 1;
        Ok(())
    }

    #[inline]
    pub fn take<const N: usize>(&mut self) -> Result<[u8; N], StreamError> {
        if let Some(bytes) = self.buffer.get(self.position..).and_then(|rest| rest.first_chunk::<N>()) {
            self.position += N;
            return Ok(*bytes);
        }
        self.take_across::<N>()
    }

    /// Values may span two blocks.
    #[cold]
    fn take_across<const N: usize>(&mut self) -> Result<[u8; N], StreamError> {
        if self.size().saturating_sub(self.offset()) < N as u64 {
            return Err(StreamError::End);
        }
        let mut bytes = [0; N];
        for byte in &mut bytes {
            while self.position >= self.buffer.len() {
                self.load_next()?;
            }
            *byte = self.buffer[self.position];
            self.position += 1;
        }
        Ok(bytes)
    }

    #[inline]
    pub fn u8(&mut self) -> Result<u8, StreamError> {
        self.take::<1>().map(|b| b[0])
    }

    #[inline]
    pub fn u16(&mut self) -> Result<u16, StreamError> {
        self.take().map(u16::from_le_bytes)
    }

    #[inline]
    pub fn u32(&mut self) -> Result<u32, StreamError> {
        self.take().map(u32::from_le_bytes)
    }

    #[inline]
    pub fn u64(&mut self) -> Result<u64, StreamError> {
        self.take().map(u64::from_le_bytes)
    }

    pub fn bytes(&mut self, length: usize) -> Result<Vec<u8>, StreamError> {
        if self.size().saturating_sub(self.offset()) < length as u64 {
            return Err(StreamError::End);
        }
        let mut bytes = Vec::with_capacity(length);
        while bytes.len() < length {
            if self.position >= self.buffer.len() {
                self.load_next()?;
            }
            let take = (length - bytes.len()).min(self.buffer.len() - self.position);
            bytes.extend_from_slice(&self.buffer[self.position..self.position + take]);
            self.position += take;
        }
        Ok(bytes)
    }
}

/// A record of the control stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Control {
    /// The offset of the values stream at which it happened.
    pub offset: u64,
    pub event: ControlEvent,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ControlEvent {
    /// `pending` is the token of a call that is under way and whose method has not been entered yet; 0 for none.
    Enter {
        method: MethodId,
        pending: u32,
        place: Option<Place>,
    },
    /// `left` counts frames whose own record was lost to a full stack before this one; `depth` the recorded
    /// frames, this one included, or is 0; `check` is the offset in the check stream.
    Catch {
        exception: ObjectId,
        method: MethodId,
        handler: u16,
        left: u32,
        depth: u32,
        check: u64,
    },
    /// `left` counts this frame and those whose own record was lost before it; the rest is as above.
    Unwind {
        exception: ObjectId,
        method: MethodId,
        left: u32,
        depth: u32,
        check: u64,
    },
    Sync {
        sequence: u64,
    },
}

/// The instruction that was under way when unrecorded code entered recorded code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// Recorded frames below.
    pub depth: u32,
    /// The address of the instruction of the topmost of them, plus 1; 0 when it has come to none yet.
    pub site: u32,
}

pub const ENTER: u8 = 1;
pub const CATCH: u8 = 2;
pub const UNWIND: u8 = 3;
pub const SYNC: u8 = 4;
pub const ENTER_DURING_CALL: u8 = 5;
pub const ENTER_AT_PLACE: u8 = 6;

impl Control {
    /// The next record, or `None` at the end of the stream.
    pub fn read(stream: &mut StreamReader) -> Result<Option<Control>, StreamError> {
        if stream.is_at_end() {
            return Ok(None);
        }
        let start = stream.offset();
        let tag = stream.u8()?;
        let offset = stream.u64()?;
        let event = match tag {
            ENTER => ControlEvent::Enter { method: MethodId(stream.u32()?), pending: 0, place: None },
            ENTER_DURING_CALL => {
                ControlEvent::Enter { method: MethodId(stream.u32()?), pending: stream.u32()?.max(1), place: None }
            }
            ENTER_AT_PLACE => ControlEvent::Enter {
                method: MethodId(stream.u32()?),
                pending: 0,
                place: Some(Place { depth: stream.u32()?, site: stream.u32()? }),
            },
            CATCH => ControlEvent::Catch {
                exception: ObjectId(stream.u32()?),
                method: MethodId(stream.u32()?),
                handler: stream.u16()?,
                left: stream.u32()?,
                depth: stream.u32()?,
                check: stream.u64()?,
            },
            UNWIND => ControlEvent::Unwind {
                exception: ObjectId(stream.u32()?),
                method: MethodId(stream.u32()?),
                left: stream.u32()?,
                depth: stream.u32()?,
                check: stream.u64()?,
            },
            SYNC => ControlEvent::Sync { sequence: stream.u64()? },
            _ => return Err(StreamError::Malformed(start)),
        };
        Ok(Some(Control { offset, event }))
    }
}

/// A record of the objects stream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sighting {
    pub id: ObjectId,
    pub class: ClassId,
    pub content: Content,
}

/// What is known of an object from its first sight on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Content {
    Plain,
    Array {
        length: u32,
    },
    /// The beginning of a string; `length` counts the UTF-16 units of all of it.
    String {
        length: u32,
        beginning: String,
    },
    Boxed {
        bits: u64,
    },
    Class {
        class: ClassId,
    },
}

/// Whether the texts of strings are read, or passed over and left empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Texts {
    Read,
    PassedOver,
}

impl Sighting {
    /// The next record, or `None` at the end of the stream.
    pub fn read(stream: &mut StreamReader, texts: Texts) -> Result<Option<Sighting>, StreamError> {
        if stream.is_at_end() {
            return Ok(None);
        }
        let start = stream.offset();
        let id = ObjectId(stream.u32()?);
        let class = ClassId(stream.u32()?);
        let content = match stream.u8()? {
            0 => Content::Plain,
            1 => Content::Array { length: stream.u32()? },
            2 => Content::String { length: stream.u32()?, beginning: Self::string(stream, texts)? },
            3 => Content::Boxed { bits: stream.u64()? },
            4 => Content::Class { class: ClassId(stream.u32()?) },
            _ => return Err(StreamError::Malformed(start)),
        };
        Ok(Some(Sighting { id, class, content }))
    }

    fn string(stream: &mut StreamReader, texts: Texts) -> Result<String, StreamError> {
        let start = stream.offset();
        let stored = stream.u32()?;
        let coder = stream.u8()?;
        if texts == Texts::PassedOver {
            stream.seek(stream.offset() + u64::from(stored))?;
            return Ok(String::new());
        }
        let bytes = stream.bytes(stored as usize)?;
        match coder {
            0 => Ok(bytes.iter().map(|&b| char::from(b)).collect()),
            1 => {
                let units: Vec<u16> = bytes.chunks_exact(2).map(|c| u16::from_le_bytes([c[0], c[1]])).collect();
                Ok(String::from_utf16_lossy(&units))
            }
            _ => Err(StreamError::Malformed(start)),
        }
    }
}
