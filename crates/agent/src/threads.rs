//! The buffers of recorded threads.

use crate::config::MAX_STRING;
use crate::sink::{Buffer, Sink};
use crate::vm::Jni;
use jvmti_bindings::sys::jni::{jclass, jfieldID, jobject};
use std::sync::{Mutex, MutexGuard, PoisonError, TryLockError};
use whydunit_trace::ThreadId;
use whydunit_trace::block::BlockKind;

/// Room behind the end of a buffer: more than one log call writes. A buffer that is filled up to its end is
/// handed over before the next is written.
const SLACK: usize = (MAX_STRING as usize) + (4 << 10);

const SMALLEST: usize = 8 << 10;
const LARGEST: usize = 256 << 10;

pub(crate) const STREAMS: [BlockKind; 4] =
    [BlockKind::Values, BlockKind::Control, BlockKind::Objects, BlockKind::Check];

/// Fields of the helper through which buffers are handed over.
#[derive(Debug)]
pub(crate) struct LogFields {
    positions: [jfieldID; 4],
    ends: [jfieldID; 4],
    offset_minus_position: jfieldID,
    check_offset_minus_position: jfieldID,
    handle: jfieldID,
}

// SAFETY: field ids may be used by all threads.
unsafe impl Send for LogFields {}
// SAFETY: as above.
unsafe impl Sync for LogFields {}

impl LogFields {
    pub(crate) fn find(jni: &Jni, class: jclass) -> Option<LogFields> {
        let long = |name| jni.field(class, name, c"J");
        Some(LogFields {
            positions: [
                long(c"position")?,
                long(c"controlPosition")?,
                long(c"objectsPosition")?,
                long(c"checkPosition")?,
            ],
            ends: [long(c"end")?, long(c"controlEnd")?, long(c"objectsEnd")?, long(c"checkEnd")?],
            offset_minus_position: long(c"offsetMinusPosition")?,
            check_offset_minus_position: long(c"checkOffsetMinusPosition")?,
            handle: long(c"handle")?,
        })
    }

    /// 0 when the log was never opened.
    pub(crate) fn handle(&self, jni: &Jni, log: jobject) -> *const ThreadLog {
        jni.long(log, self.handle) as *const ThreadLog
    }

    pub(crate) fn set_handle(&self, jni: &Jni, log: jobject, handle: *const ThreadLog) {
        jni.set_long(log, self.handle, handle as i64);
    }
}

/// The agent's side of a thread's log.
#[derive(Debug)]
pub(crate) struct ThreadLog {
    pub(crate) id: ThreadId,
    /// Global reference to the Java object.
    pub(crate) log: jobject,
    /// Global reference to the thread, to stop it before its log is read from another one.
    pub(crate) thread: jobject,
    /// Locked because a thread that is inside the agent goes on there while the end of the JVM, which has
    /// suspended it, takes what it has logged.
    streams: Mutex<[Stream; 4]>,
}

// SAFETY: global references may be used by all threads, and what changes is behind a lock.
unsafe impl Send for ThreadLog {}
// SAFETY: as above.
unsafe impl Sync for ThreadLog {}

#[derive(Debug)]
struct Stream {
    buffer: Buffer,
    /// Offset in the stream of the buffer's first byte.
    offset: u64,
}

impl ThreadLog {
    pub(crate) fn new(id: ThreadId, log: jobject, thread: jobject, check: bool, sink: &Sink) -> ThreadLog {
        let streams = STREAMS.map(|kind| {
            let is_used = kind != BlockKind::Check || check;
            Stream { buffer: sink.buffer(if is_used { SMALLEST + SLACK } else { 0 }), offset: 0 }
        });
        ThreadLog { id, log, thread, streams: Mutex::new(streams) }
    }

    fn streams(&self) -> MutexGuard<'_, [Stream; 4]> {
        self.streams.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Tells the Java object where its buffers are.
    pub(crate) fn publish(&self, jni: &Jni, fields: &LogFields) {
        for (index, stream) in self.streams().iter_mut().enumerate() {
            self.publish_stream(jni, fields, index, stream);
        }
    }

    fn publish_stream(&self, jni: &Jni, fields: &LogFields, index: usize, stream: &mut Stream) {
        let start = stream.buffer.as_mut_ptr() as i64;
        let usable = stream.buffer.len().saturating_sub(SLACK);
        jni.set_long(self.log, fields.positions[index], start);
        jni.set_long(self.log, fields.ends[index], start + usable as i64);
        let difference = match STREAMS[index] {
            BlockKind::Values => fields.offset_minus_position,
            BlockKind::Check => fields.check_offset_minus_position,
            _ => return,
        };
        jni.set_long(self.log, difference, stream.offset as i64 - start);
    }

    /// Hands the filled part of a buffer over and gives the thread another one.
    ///
    /// Values never reach the file before the other streams' records of the same time: a recording that is cut
    /// off anywhere then has every record that its values need.
    pub(crate) fn hand_over(&self, jni: &Jni, fields: &LogFields, sink: &Sink, index: usize) {
        self.hand_over_locked(&mut self.streams(), jni, fields, sink, index);
    }

    /// Everything, unless the thread is handing over itself: it then holds the lock, and when it was suspended
    /// it holds it until it is resumed.
    pub(crate) fn try_hand_over_all(&self, jni: &Jni, fields: &LogFields, sink: &Sink) -> bool {
        let mut streams = match self.streams.try_lock() {
            Ok(streams) => streams,
            Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
            Err(TryLockError::WouldBlock) => return false,
        };
        self.hand_over_locked(&mut streams, jni, fields, sink, 0);
        true
    }

    fn hand_over_locked(&self, streams: &mut [Stream; 4], jni: &Jni, fields: &LogFields, sink: &Sink, index: usize) {
        if STREAMS[index] == BlockKind::Values {
            for (other, stream) in streams.iter_mut().enumerate().skip(1) {
                self.hand_over_stream(jni, fields, sink, other, stream);
            }
        }
        self.hand_over_stream(jni, fields, sink, index, &mut streams[index]);
    }

    fn hand_over_stream(&self, jni: &Jni, fields: &LogFields, sink: &Sink, index: usize, stream: &mut Stream) {
        let position = jni.long(self.log, fields.positions[index]);
        let filled = (position - stream.buffer.as_ptr() as i64) as usize;
        if filled == 0 {
            return;
        }
        if !sink.is_stopped() {
            let usable = stream.buffer.len() - SLACK;
            let size = if filled >= usable { (usable * 4).clamp(SMALLEST, LARGEST) } else { usable };
            let next = sink.buffer(size + SLACK);
            let full = std::mem::replace(&mut stream.buffer, next);
            sink.piece(STREAMS[index], self.id, stream.offset, full, filled);
        }
        stream.offset += filled as u64;
        self.publish_stream(jni, fields, index, stream);
    }
}
