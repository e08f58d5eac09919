//! What every command is given: the global options and the two output streams.

use crate::error::{Result, UserError};
use crate::text;
use anstream::{AutoStream, ColorChoice};
use anstyle::{AnsiColor, Style};
use serde::Serialize;
use serde_json::json;
use std::env;
use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use whydunit_store::{Run, Store, default_store};

/// The run that questions are about if none is named.
pub(crate) const LATEST: &str = "latest";

/// How a command ended that did what it was asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    Done,
    /// The answer is no: a difference found, nothing found.
    Negative,
    /// `record` exits as the recorded command did.
    ExitLikeCommand(u8),
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Color {
    #[default]
    Auto,
    Always,
    Never,
}

#[derive(Debug)]
pub(crate) struct Context {
    pub(crate) json: bool,
    color: ColorChoice,
    store: Option<PathBuf>,
    /// The run that questions are about, if it was named.
    run: OnceLock<String>,
    /// Where the answer goes if not to stdout.
    kept: Option<Kept>,
}

/// An answer that is to be read by ourselves.
#[derive(Clone, Debug, Default)]
pub(crate) struct Kept(Arc<Mutex<Vec<u8>>>);

impl Kept {
    pub(crate) fn take(&self) -> Vec<u8> {
        std::mem::take(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Write for Kept {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

pub(crate) type AnswerStream = AutoStream<Box<dyn Write>>;

pub(crate) const HEADING: Style = Style::new().bold();
pub(crate) const FAINT: Style = Style::new().dimmed();
pub(crate) const GOOD: Style = AnsiColor::Green.on_default();
pub(crate) const WARNING: Style = AnsiColor::Yellow.on_default();
const BAD: Style = AnsiColor::Red.on_default().bold();
const HINT: Style = AnsiColor::Cyan.on_default().bold();

impl Context {
    pub(crate) fn new(json: bool, color: Color, store: Option<PathBuf>) -> Context {
        let color = match color {
            Color::Auto => ColorChoice::Auto,
            Color::Always => ColorChoice::Always,
            Color::Never => ColorChoice::Never,
        };
        Context { json, color, store, run: OnceLock::new(), kept: None }
    }

    /// The same, but answers are kept.
    pub(crate) fn keeping(&self, kept: Kept) -> Context {
        Context {
            json: self.json,
            color: self.color,
            store: self.store.clone(),
            run: self.run.clone(),
            kept: Some(kept),
        }
    }

    /// The answer goes here, and nothing else.
    pub(crate) fn stdout(&self) -> AnswerStream {
        if let Some(kept) = &self.kept {
            return AutoStream::never(Box::new(kept.clone()));
        }
        let stdout = io::stdout().lock();
        let color = match self.color {
            ColorChoice::Auto => AutoStream::choice(&stdout),
            chosen => chosen,
        };
        AutoStream::new(Box::new(stdout), color)
    }

    /// Progress, summaries and errors.
    pub(crate) fn stderr(&self) -> AutoStream<io::StderrLock<'static>> {
        AutoStream::new(io::stderr().lock(), self.color)
    }

    pub(crate) fn print_json(&self, value: &impl Serialize) -> Result<()> {
        let text = serde_json::to_string_pretty(value).map_err(io::Error::other)?;
        writeln!(self.stdout(), "{text}")?;
        Ok(())
    }

    pub(crate) fn cwd(&self) -> Result<PathBuf> {
        let unknown = |error| UserError::new("the current folder cannot be found").caused_by(error);
        Ok(env::current_dir().map_err(unknown)?)
    }

    /// A command of ours that is about the same store, to be typed.
    pub(crate) fn command(&self, words: &str) -> String {
        match &self.store {
            Some(store) if self.names_store() => {
                format!("whydunit --store {} {words}", text::command(&[store.display().to_string()]))
            }
            _ => format!("whydunit {words}"),
        }
    }

    /// Questions are about this run, the first that was named.
    pub(crate) fn ask_about(&self, run: &str) {
        if run != LATEST {
            let _ = self.run.set(run.to_owned());
        }
    }

    /// A question about the same run, to be typed.
    pub(crate) fn question(&self, words: &str) -> String {
        match self.run.get() {
            Some(run) => self.command(&format!("{words} --run {run}")),
            None => self.command(words),
        }
    }

    /// Whether the store was named on the command line, not by the environment.
    pub(crate) fn names_store(&self) -> bool {
        self.store.is_some() && self.store != env::var_os("WHYDUNIT_HOME").map(PathBuf::from)
    }

    /// The runs, with those that a killed recorder has left.
    pub(crate) fn store(&self) -> Result<Store> {
        let dir = match &self.store {
            Some(dir) => dir.clone(),
            None => default_store(&self.cwd()?),
        };
        let store = Store::open(dir);
        store.recover();
        Ok(store)
    }

    /// A run with a trace.
    pub(crate) fn find_run(&self, spec: &str) -> Result<Run> {
        let run = self.store()?.find(spec)?;
        run.require_trace()?;
        Ok(run)
    }

    pub(crate) fn error_json(&self, error: &UserError) -> serde_json::Value {
        json!({ "message": error.message, "causes": error.causes(), "hint": self.hint_of(error) })
    }

    fn hint_of(&self, error: &UserError) -> Option<String> {
        let ask = error.ask.as_ref().map(|words| format!(": `{}`", self.question(words))).unwrap_or_default();
        error.hint.as_ref().map(|hint| format!("{hint}{ask}"))
    }

    /// On stderr, or as JSON where the answer would be. Nobody is left to tell when these are closed, so their errors
    /// are dropped.
    pub(crate) fn print_error(&self, error: &UserError) {
        if self.json {
            let _ = writeln!(self.stdout(), "{}", json!({ "error": self.error_json(error) }));
            return;
        }
        let mut out = self.stderr();
        let _ = writeln!(out, "{BAD}error{BAD:#}: {error}");
        for cause in error.causes() {
            let _ = writeln!(out, "  caused by: {cause}");
        }
        if let Some(hint) = self.hint_of(error) {
            let _ = writeln!(out, "{HINT}hint{HINT:#}: {hint}");
        }
    }

    /// A line about what was done, apart from the answer.
    pub(crate) fn note(&self, text: &str) {
        let _ = writeln!(self.stderr(), "{FAINT}whydunit:{FAINT:#} {text}");
    }

    pub(crate) fn warn(&self, text: &str, hint: &str) {
        let mut out = self.stderr();
        let _ = writeln!(out, "{WARNING}warning{WARNING:#}: {text}");
        let _ = writeln!(out, "{HINT}hint{HINT:#}: {hint}");
    }
}
