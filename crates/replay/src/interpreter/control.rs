//! The control stream with a look ahead.

use std::collections::VecDeque;
use whydunit_trace::ObjectId;
use whydunit_trace::stream::{Control, ControlEvent, StreamError, StreamReader};

#[derive(Clone, Debug)]
pub(super) struct ControlCursor {
    stream: StreamReader,
    /// Sequence numbers that stand before the record at the head and were not taken yet, as far as they were read.
    numbers: VecDeque<Number>,
    /// Begins with the record at the head, unless so many numbers stand before it that they were not all read.
    ahead: VecDeque<Control>,
    /// Offset in the control stream of what `ahead` begins with.
    head_start: u64,
    /// Offset in the values stream of the first sequence number, or else of the record at the head; `u64::MAX` when
    /// there is neither.
    next_at: u64,
}

/// A sequence number that the thread took.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Number {
    /// In the values stream.
    pub(super) offset: u64,
    pub(super) sequence: u64,
}

impl ControlCursor {
    pub(super) fn new(stream: StreamReader) -> Result<ControlCursor, StreamError> {
        let head_start = stream.offset();
        let mut cursor =
            ControlCursor { stream, numbers: VecDeque::new(), ahead: VecDeque::new(), head_start, next_at: u64::MAX };
        cursor.settle()?;
        Ok(cursor)
    }

    /// To an offset in the control stream.
    pub(super) fn seek(&mut self, offset: u64) -> Result<(), StreamError> {
        self.stream.seek(offset)?;
        self.numbers.clear();
        self.ahead.clear();
        self.head_start = offset;
        self.settle()
    }

    /// Values offset of the next record.
    #[inline]
    pub(super) fn next_at(&self) -> u64 {
        self.next_at
    }

    /// Offset in the control stream itself of what comes next.
    pub(super) fn position(&self) -> u64 {
        self.head_start - self.numbers.len() as u64 * NUMBER_SIZE
    }

    /// The same of the record at the head.
    pub(super) fn head_position(&self) -> u64 {
        self.head_start
    }

    /// The next sequence number, if it was taken before the value at this offset was logged.
    pub(super) fn take_number(&mut self, offset: u64) -> Result<Option<Number>, StreamError> {
        let Some(number) = self.number().filter(|number| number.offset <= offset) else { return Ok(None) };
        self.numbers.pop_front();
        self.settle()?;
        Ok(Some(number))
    }

    /// The next sequence number.
    pub(super) fn number(&self) -> Option<Number> {
        self.numbers.front().copied()
    }

    /// The next record that is not a sequence number. While many of these stand before it, it cannot be its turn, and
    /// it is not known.
    pub(super) fn head(&self) -> Option<Control> {
        self.ahead.front().copied().filter(|record| !matches!(record.event, ControlEvent::Sync { .. }))
    }

    pub(super) fn is_at_end(&self) -> bool {
        self.numbers.is_empty() && self.ahead.is_empty()
    }

    pub(super) fn nth(&mut self, n: usize) -> Result<Option<Control>, StreamError> {
        while self.ahead.len() <= n {
            match Control::read(&mut self.stream) {
                Ok(Some(record)) => self.ahead.push_back(record),
                Ok(None) | Err(StreamError::End) => return Ok(None),
                Err(error) => return Err(error),
            }
        }
        Ok(self.ahead.get(n).copied())
    }

    /// All sequence numbers before it have been taken.
    pub(super) fn advance(&mut self) -> Result<(), StreamError> {
        debug_assert!(self.numbers.is_empty());
        if let Some(record) = self.ahead.pop_front() {
            self.head_start += size(record.event);
        }
        self.settle()
    }

    fn settle(&mut self) -> Result<(), StreamError> {
        while self.numbers.len() < MOST_NUMBERS
            && let Some(Control { offset, event: ControlEvent::Sync { sequence } }) = self.nth(0)?
        {
            self.numbers.push_back(Number { offset, sequence });
            self.ahead.pop_front();
            self.head_start += NUMBER_SIZE;
        }
        self.note_next();
        Ok(())
    }

    fn note_next(&mut self) {
        let number = self.numbers.front().map(|number| number.offset);
        self.next_at = number.or(self.ahead.front().map(|record| record.offset)).unwrap_or(u64::MAX);
    }
}

/// Numbers that are read before they are taken. An event from outside stands behind one or two of its own.
const MOST_NUMBERS: usize = 64;

/// Bytes that a sequence number takes.
const NUMBER_SIZE: u64 = 17;

/// Bytes that a record takes.
fn size(event: ControlEvent) -> u64 {
    match event {
        ControlEvent::Enter { place: Some(_), .. } => 21,
        ControlEvent::Enter { pending: 0, .. } => 13,
        ControlEvent::Enter { .. } => 17,
        ControlEvent::Catch { .. } => 35,
        ControlEvent::Unwind { .. } => 33,
        ControlEvent::Sync { .. } => NUMBER_SIZE,
    }
}

/// The exception of a record, if it is one.
pub(super) fn exception_of(event: ControlEvent) -> Option<ObjectId> {
    match event {
        ControlEvent::Catch { exception, .. } | ControlEvent::Unwind { exception, .. } => Some(exception),
        ControlEvent::Enter { .. } | ControlEvent::Sync { .. } => None,
    }
}

/// Frames that the exception of a record left before, for whose own records there was no room on the stack.
pub(super) fn frames_lost_before(event: ControlEvent) -> u32 {
    match event {
        ControlEvent::Catch { left, .. } => left,
        ControlEvent::Unwind { left, .. } => left.saturating_sub(1),
        ControlEvent::Enter { .. } | ControlEvent::Sync { .. } => 0,
    }
}

/// How many recorded frames there were when the record was written, if it tells.
pub(super) fn depth_of(event: ControlEvent) -> Option<usize> {
    match event {
        ControlEvent::Catch { depth, .. } | ControlEvent::Unwind { depth, .. } if depth > 0 => Some(depth as usize),
        _ => None,
    }
}

/// The offset of the check stream when an exception's record was written.
pub(super) fn check_offset_of(event: ControlEvent) -> Option<u64> {
    match event {
        ControlEvent::Catch { check, .. } | ControlEvent::Unwind { check, .. } => Some(check),
        ControlEvent::Enter { .. } | ControlEvent::Sync { .. } => None,
    }
}
