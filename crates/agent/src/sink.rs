//! Writing the recording on a thread of its own.

use std::fs::File;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, SyncSender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use whydunit_trace::ThreadId;
use whydunit_trace::block::{BlockKind, BlockWriter, Flags};
use whydunit_trace::record::{End, EndReason};

/// Pieces under way to the writer; a thread that is ahead of it waits.
const PIECES_UNDER_WAY: usize = 16;

/// Free buffers kept for reuse, so that a steady program asks the system for no new pages.
const FREE_BUFFERS: usize = 64;

/// Memory that rewritten code writes into.
pub(crate) type Buffer = Box<[u8]>;

type Job = Box<dyn FnOnce(&mut BlockWriter<File>) -> io::Result<()> + Send>;

enum Message {
    Piece {
        kind: BlockKind,
        thread: ThreadId,
        offset: u64,
        buffer: Buffer,
        length: usize,
    },
    Record(Job),
    /// Close the file although the program goes on.
    Stop(EndReason),
    /// Close the file, then answer.
    Finish(Completeness, SyncSender<()>),
}

/// Whether all that the threads have logged was sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Completeness {
    Complete,
    CutOff,
}

/// Where filled buffers and records go.
#[derive(Debug)]
pub(crate) struct Sink {
    sender: SyncSender<Message>,
    shared: Arc<Shared>,
}

#[derive(Debug, Default)]
struct Shared {
    /// Recording has ended: what is sent is thrown away.
    stopped: AtomicBool,
    free: Mutex<Vec<Buffer>>,
}

impl Sink {
    pub(crate) fn create(file: File, flags: Flags, size_limit: u64) -> io::Result<Sink> {
        let writer = BlockWriter::create(file, flags)?;
        let (sender, receiver) = mpsc::sync_channel(PIECES_UNDER_WAY);
        let shared = Arc::new(Shared::default());
        let worker = Worker { writer: Some(writer), size_limit, shared: Arc::clone(&shared) };
        thread::Builder::new().name("whydunit-writer".to_owned()).spawn(move || worker.run(&receiver))?;
        Ok(Sink { sender, shared })
    }

    /// A buffer of at least this size; its contents are arbitrary.
    pub(crate) fn buffer(&self, size: usize) -> Buffer {
        let mut free = self.shared.free.lock().unwrap_or_else(PoisonError::into_inner);
        match free.iter().rposition(|buffer| buffer.len() == size) {
            Some(index) => free.swap_remove(index),
            None => {
                drop(free);
                vec![0; size].into_boxed_slice()
            }
        }
    }

    pub(crate) fn is_stopped(&self) -> bool {
        self.shared.stopped.load(Ordering::Relaxed)
    }

    pub(crate) fn piece(&self, kind: BlockKind, thread: ThreadId, offset: u64, buffer: Buffer, length: usize) {
        self.send(Message::Piece { kind, thread, offset, buffer, length });
    }

    pub(crate) fn record<T: serde::Serialize + Send + 'static>(&self, kind: BlockKind, thread: u32, record: T) {
        self.send(Message::Record(Box::new(move |writer| writer.record(kind, thread, &record))));
    }

    fn send(&self, message: Message) {
        // The writer only goes away with the process.
        let _ = self.sender.send(message);
    }

    /// Keeps what was sent so far and nothing that is sent from now on.
    pub(crate) fn stop(&self, reason: EndReason) {
        self.send(Message::Stop(reason));
    }

    /// Writes everything sent so far and closes the recording.
    pub(crate) fn finish(&self, completeness: Completeness) {
        let (done, wait) = mpsc::sync_channel(1);
        self.send(Message::Finish(completeness, done));
        let _ = wait.recv();
    }
}

struct Worker {
    /// `None` when the recording is closed.
    writer: Option<BlockWriter<File>>,
    size_limit: u64,
    shared: Arc<Shared>,
}

impl Worker {
    fn run(mut self, receiver: &Receiver<Message>) {
        for message in receiver {
            // Threads of the program wait for this one, so it must outlive a bug.
            if catch_unwind(AssertUnwindSafe(|| self.take(message))).is_err() {
                self.end(EndReason::WriteFailed);
            }
        }
    }

    fn take(&mut self, message: Message) {
        match message {
            Message::Piece { kind, thread, offset, buffer, length } => {
                self.write(|writer| writer.stream(kind, thread, offset, &buffer[..length]));
                let mut free = self.shared.free.lock().unwrap_or_else(PoisonError::into_inner);
                if free.len() < FREE_BUFFERS {
                    free.push(buffer);
                }
            }
            Message::Record(job) => self.write(job),
            Message::Stop(reason) => self.end(reason),
            Message::Finish(completeness, done) => {
                match completeness {
                    Completeness::Complete => self.end(EndReason::Exit),
                    // Without its last block the recording reads as one that was cut off.
                    Completeness::CutOff => self.writer = None,
                }
                // The JVM may be gone before the answer is read.
                let _ = done.send(());
            }
        }
    }

    fn write(&mut self, job: impl FnOnce(&mut BlockWriter<File>) -> io::Result<()>) {
        let Some(writer) = &mut self.writer else { return };
        if job(writer).is_err() {
            // When even this fails the recording reads as one that was cut off, which it is.
            let _ = writer.drop_unfinished_block();
            self.end(EndReason::WriteFailed);
        } else if writer.written() > self.size_limit {
            self.end(EndReason::SizeLimit);
        }
    }

    fn end(&mut self, reason: EndReason) {
        self.shared.stopped.store(true, Ordering::Relaxed);
        if let Some(mut writer) = self.writer.take() {
            // A recording without its last block reads as one that was cut off, which it is.
            let _ = writer.record(BlockKind::End, 0, &End { reason }).and_then(|()| writer.finish());
        }
    }
}
