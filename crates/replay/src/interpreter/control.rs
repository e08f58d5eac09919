//! The control stream with a look ahead.

use std::collections::VecDeque;
use whydunit_trace::ObjectId;
use whydunit_trace::stream::{Control, ControlEvent, StreamError, StreamReader};

#[derive(Clone, Debug)]
pub(super) struct ControlCursor {
    stream: StreamReader,
    ahead: VecDeque<Control>,
    /// Offset in the control stream of the record at the head.
    head_start: u64,
    /// Offset in the values stream of the record at the head; `u64::MAX` when there is none.
    next_at: u64,
}

impl ControlCursor {
    pub(super) fn new(stream: StreamReader) -> Result<ControlCursor, StreamError> {
        let head_start = stream.offset();
        let mut cursor = ControlCursor { stream, ahead: VecDeque::new(), head_start, next_at: u64::MAX };
        cursor.settle()?;
        Ok(cursor)
    }

    /// Values offset of the next record.
    #[inline]
    pub(super) fn next_at(&self) -> u64 {
        self.next_at
    }

    /// Offset in the control stream itself.
    pub(super) fn position(&self) -> u64 {
        self.head_start
    }

    pub(super) fn head(&self) -> Option<Control> {
        self.ahead.front().copied()
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

    pub(super) fn advance(&mut self) -> Result<(), StreamError> {
        if let Some(record) = self.ahead.pop_front() {
            self.head_start += size(record.event);
        }
        self.settle()
    }

    fn settle(&mut self) -> Result<(), StreamError> {
        self.next_at = self.nth(0)?.map_or(u64::MAX, |record| record.offset);
        Ok(())
    }
}

/// Bytes that a record takes.
fn size(event: ControlEvent) -> u64 {
    9 + match event {
        ControlEvent::Enter { place: Some(_), .. } => 12,
        ControlEvent::Enter { pending: 0, .. } => 4,
        ControlEvent::Enter { .. } => 8,
        ControlEvent::Catch { .. } => 26,
        ControlEvent::Unwind { .. } => 24,
        ControlEvent::Sync { .. } => 8,
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
