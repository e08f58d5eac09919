//! What goes wrong for the user, as a message, its causes and a hint.

use std::error::Error;
use std::fmt;
use std::io;
use std::panic;
use whydunit_debugger::SessionError;
use whydunit_store::{BadRunName, RunId, StoreError};
use whydunit_trace::reader::OpenError;

pub(crate) type Result<T> = std::result::Result<T, CommandError>;

/// Why a command ended early.
#[derive(Debug)]
pub(crate) enum CommandError {
    User(UserError),
    /// Whoever read our output has read enough.
    OutputClosed,
}

/// Something that the user can put right.
#[derive(Debug)]
pub(crate) struct UserError {
    /// Lower case, without a full stop.
    pub(crate) message: String,
    /// What to do next.
    pub(crate) hint: Option<String>,
    /// A question about the same run that the hint ends with: `why --not Cart.java:31`.
    pub(crate) ask: Option<String>,
    pub(crate) source: Option<Box<dyn Error + Send + Sync>>,
}

impl UserError {
    pub(crate) fn new(message: impl Into<String>) -> UserError {
        UserError { message: message.into(), hint: None, ask: None, source: None }
    }

    pub(crate) fn hint(self, hint: impl Into<String>) -> UserError {
        UserError { hint: Some(hint.into()), ..self }
    }

    /// What to ask next, and what for.
    pub(crate) fn hint_to_ask(self, hint: impl Into<String>, ask: impl Into<String>) -> UserError {
        UserError { hint: Some(hint.into()), ask: Some(ask.into()), ..self }
    }

    pub(crate) fn caused_by(self, source: impl Error + Send + Sync + 'static) -> UserError {
        UserError { source: Some(Box::new(source)), ..self }
    }

    /// The messages of all causes, the nearest first.
    pub(crate) fn causes(&self) -> Vec<String> {
        let mut causes = Vec::new();
        let mut next = self.source.as_deref().map(|source| source as &dyn Error);
        while let Some(cause) = next {
            causes.push(cause.to_string());
            next = cause.source();
        }
        causes
    }
}

impl fmt::Display for UserError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl From<UserError> for CommandError {
    fn from(error: UserError) -> CommandError {
        CommandError::User(error)
    }
}

/// For output only: everything else says which file it was about.
impl From<io::Error> for CommandError {
    fn from(error: io::Error) -> CommandError {
        match error.kind() {
            io::ErrorKind::BrokenPipe => CommandError::OutputClosed,
            _ => UserError::new("cannot write the output").caused_by(error).into(),
        }
    }
}

impl From<StoreError> for CommandError {
    fn from(error: StoreError) -> CommandError {
        let hint = store_hint(&error);
        let user = UserError::new(error.to_string());
        let user = match error {
            StoreError::Io { source, .. } => user.caused_by(source),
            _ => user,
        };
        UserError { hint, ..user }.into()
    }
}

fn store_hint(error: &StoreError) -> Option<String> {
    Some(match error {
        StoreError::NoRuns { .. } => {
            "record one with `whydunit record -- COMMAND`, or name the folder of runs with `--store`".into()
        }
        StoreError::UnknownRun { nearest, .. } => format!("did you mean {}?", alternatives(nearest)),
        StoreError::AmbiguousRun { candidates, .. } => format!("say which: {}", alternatives(candidates)),
        StoreError::RunExists { id } => {
            format!("delete it with `whydunit delete {id}` or choose another name with `--as`")
        }
        StoreError::BadArchive { .. } => "make a new export and copy it as a binary file; nothing was imported".into(),
        StoreError::NoTrace { id } => format!("nothing can be read from it; remove it with `whydunit delete {id}`"),
        StoreError::Io { .. } => return None,
    })
}

fn alternatives(ids: &[RunId]) -> String {
    const SHOWN: usize = 6;
    let names: Vec<String> = ids.iter().take(SHOWN).map(|id| format!("`{id}`")).collect();
    let more = if ids.len() > SHOWN { ", …" } else { "" };
    format!("{}{more}", names.join(", "))
}

impl From<SessionError> for CommandError {
    fn from(error: SessionError) -> CommandError {
        match error {
            SessionError::Open(error) => error.into(),
            other => UserError::new("the run cannot be replayed").caused_by(other).into(),
        }
    }
}

impl From<OpenError> for CommandError {
    fn from(error: OpenError) -> CommandError {
        let user = UserError::new(error.to_string());
        match error {
            OpenError::Io { source, .. } => user.caused_by(source),
            OpenError::NotARecording { .. } => user.hint("the run is damaged from its first byte on; record it again"),
            OpenError::Version { .. } => user.hint("use the version of whydunit that recorded it, or record it again"),
        }
        .into()
    }
}

impl From<BadRunName> for CommandError {
    fn from(error: BadRunName) -> CommandError {
        UserError::new(error.to_string()).hint("choose a name such as `before-fix`").into()
    }
}

/// A panic is a bug of ours: says so, and leaves exit code 101 to the runtime.
pub(crate) fn explain_panics() {
    let default = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        default(info);
        anstream::eprintln!(
            "\nerror: this is a bug in whydunit {}\nhint: please report it with the lines above: {}/issues",
            env!("CARGO_PKG_VERSION"),
            env!("CARGO_PKG_REPOSITORY"),
        );
    }));
}
