//! Runs the Java test programs of `tests/programs`, plain or under `whydunit record`, on every JDK found.
//! It knows the product only as a command, as a user does.

mod binary;
mod compile;
mod generated;
mod header;
mod jdk;
mod mutated;
mod process;
mod program;
mod run;
mod workspace;

pub use binary::whydunit_binary;
pub use compile::{Compiled, compile};
pub use header::Header;
pub use jdk::Jdk;
pub use mutated::{Noticed, SELF_CHECKING, noticed};
pub use process::{Output, TIME_LIMIT};
pub use program::Program;
pub use run::{Recorder, java_arguments, record, run_plain};
pub use workspace::{target_dir, workspace_dir};

use std::io;
use std::path::PathBuf;

pub type Result<T> = std::result::Result<T, Error>;

#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("cannot {action} {}", path.display())]
    Io { action: &'static str, path: PathBuf, source: io::Error },
    #[error("{}: header line `{line}`: {problem}", path.display())]
    Header { path: PathBuf, line: String, problem: &'static str },
    #[error("javac of JDK {jdk} failed:\n{messages}")]
    Javac { jdk: u32, messages: String },
    #[error("cargo could not build whydunit:\n{messages}")]
    Build { messages: String },
    #[error("{command} still ran after the time limit\nstdout:\n{}\nstderr:\n{}", output.stdout, output.stderr)]
    TimedOut { command: String, output: Output },
}

impl Error {
    pub(crate) fn io(action: &'static str, path: impl Into<PathBuf>) -> impl FnOnce(io::Error) -> Self {
        let path = path.into();
        move |source| Self::Io { action, path, source }
    }
}
