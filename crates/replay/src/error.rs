//! How a replay can end other than by the end of the log.

use std::fmt;
use std::io;
use whydunit_trace::ThreadId;

/// The replay does not fit the log: a bug in Whydunit, never in the program.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct Divergence {
    pub thread: ThreadId,
    /// Class, name and descriptor; empty outside of recorded methods.
    pub method: String,
    /// Address of the instruction in the class file.
    pub pc: u32,
    pub line: Option<u32>,
    /// Offset in the thread's values stream.
    pub offset: u64,
    /// Number of the instruction in its thread.
    pub number: u64,
    pub what: String,
}

impl fmt::Display for Divergence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "thread {}", self.thread)?;
        if !self.method.is_empty() {
            write!(f, ", {} at pc {}", self.method, self.pc)?;
            if let Some(line) = self.line {
                write!(f, " (line {line})")?;
            }
        }
        write!(f, ", offset {}, instruction {}: {}", self.offset, self.number, self.what)
    }
}

#[derive(Debug, thiserror::Error)]
pub enum ReplayError {
    #[error(transparent)]
    Divergence(#[from] Box<Divergence>),
    #[error("cannot read the files of the run")]
    Io(#[from] io::Error),
}

impl Divergence {
    pub(crate) fn at_start(thread: ThreadId, what: String) -> Divergence {
        Divergence { thread, method: String::new(), pc: 0, line: None, offset: 0, number: 0, what }
    }
}
