//! `whydunit dump`: the run as events.

mod json;

use crate::commands::questions;
use crate::commands::run_argument::RunName;
use crate::context::{Context, FAINT, GOOD, HEADING, Outcome, WARNING};
use crate::error::Result;
use anstyle::Style;
use json::JsonEvent;
use std::io::{self, Write};
use std::ops::{ControlFlow, RangeInclusive};
use std::str::FromStr;
use whydunit_debugger::{EventFilter, EventKind, EventView, Session, UnknownName};

/// Show a run as events: every line reached, call, read, write, branch and exception
///
/// One line for each event: the number of the step, the thread when there are several, the place, and what
/// happened. A step is one visit to one source line; steps are numbered over the whole run. Threads come one after the
/// other.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  whydunit dump --method Cart.add
  whydunit dump --line Cart.java:13
  whydunit dump --field Line.quantity
  whydunit dump latest --thread main --steps 100..120
  whydunit dump --json | jq -c 'select(.event == \"throw\")'

Exit code: 0 events were shown, 1 there is no such event, 2 there is no such thread, method, line or field.")]
pub(crate) struct Dump {
    #[command(flatten)]
    run: RunName,

    /// Only this thread: its name or number
    #[arg(long)]
    thread: Option<String>,

    /// Only this method, `Class.method` or `method`; a constructor is `Class.<init>`
    #[arg(long)]
    method: Option<String>,

    /// Only this line, `File.java:12` or `12`
    #[arg(long)]
    line: Option<String>,

    /// Only reads and writes of this field, `Class.field` or `field`
    #[arg(long)]
    field: Option<String>,

    /// Only what happened from the start of step A to the end of step B: `A..B`, `A..`, `..B` or `A`
    #[arg(long, value_name = "A..B")]
    steps: Option<Steps>,

    /// Stop after this many events
    #[arg(long, value_name = "N")]
    limit: Option<u64>,
}

/// Further steps are reached by way of the index.
const FAR: u64 = 1_000_000;

/// Deeper calls are not indented further.
const DEEPEST_INDENTATION: u32 = 24;

#[derive(Clone, Debug)]
struct Steps(RangeInclusive<u64>);

impl FromStr for Steps {
    type Err = String;

    fn from_str(text: &str) -> std::result::Result<Steps, String> {
        let wrong = || format!("`{text}` is not a range of steps; write `100..120`, `100..`, `..120` or `100`");
        let number = |text: &str, missing: u64| match text {
            "" => Ok(missing),
            text => text.parse().map_err(|_| wrong()),
        };
        let (first, last) = match text.split_once("..") {
            Some((first, last)) => (number(first, 0)?, number(last, u64::MAX)?),
            None => text.parse().map(|step| (step, step)).map_err(|_| wrong())?,
        };
        if first <= last { Ok(Steps(first..=last)) } else { Err(wrong()) }
    }
}

enum Stop {
    Limit,
    Output(io::Error),
}

impl Dump {
    pub(crate) fn run(self, context: &Context) -> Result<Outcome> {
        let run = context.find_run(self.run.as_str())?;
        let session = questions::open(&run)?;
        let filter = self.filter(&session).map_err(questions::explain)?;
        // With one thread alone the numbers of steps are known without the index; it tells where a method did not run.
        let is_part = self.method.is_some() || self.line.is_some() || self.field.is_some();
        if is_part || *filter.steps.start() > FAR || session.recording().threads.len() > 1 {
            questions::index(context, &run, &session)?;
        }
        let mut printer = Printer::new(context, &session);
        let mut left = self.limit.unwrap_or(u64::MAX);
        let mut shown = 0u64;
        let stopped = session.events(&filter, |event| {
            if left == 0 {
                return ControlFlow::Break(Stop::Limit);
            }
            left -= 1;
            shown += 1;
            match printer.print(event) {
                Ok(()) => ControlFlow::Continue(()),
                Err(error) => ControlFlow::Break(Stop::Output(error)),
            }
        });
        printer.out.flush()?;
        match stopped? {
            Some(Stop::Output(error)) => return Err(error.into()),
            Some(Stop::Limit) => context.note(&format!("stopped after {shown} events (`--limit`); there are more")),
            None if shown == 0 => {
                context.note("no such event");
                return Ok(Outcome::Negative);
            }
            None => {}
        }
        Ok(Outcome::Done)
    }

    fn filter(&self, session: &Session) -> std::result::Result<EventFilter, UnknownName> {
        let threads = self.thread.as_deref().map(|thread| session.find_threads(thread)).transpose()?;
        let methods = self.method.as_deref().map(|method| session.find_methods(method)).transpose()?;
        let line = self.line.as_deref().map(|line| session.find_line(line, methods.as_ref())).transpose()?;
        let field = self.field.as_deref().map(|field| session.find_field(field)).transpose()?;
        let steps = self.steps.clone().map_or(0..=u64::MAX, |steps| steps.0);
        Ok(EventFilter { threads, methods, line, field, steps, with_calls: true })
    }
}

/// Writes events as text or as lines of JSON.
struct Printer<'s> {
    session: &'s Session,
    out: io::BufWriter<crate::context::AnswerStream>,
    is_json: bool,
    has_threads: bool,
}

impl<'s> Printer<'s> {
    fn new(context: &Context, session: &'s Session) -> Printer<'s> {
        Printer {
            session,
            out: io::BufWriter::new(context.stdout()),
            is_json: context.json,
            has_threads: session.recording().threads.len() > 1,
        }
    }

    fn print(&mut self, view: EventView<'_>) -> io::Result<()> {
        if self.is_json {
            serde_json::to_writer(&mut self.out, &JsonEvent::new(self.session, view)).map_err(io::Error::from)?;
            return self.out.write_all(b"\n");
        }
        write_line(&mut self.out, view, self.has_threads)
    }
}

/// An event as a line of text.
pub(super) fn write_line(out: &mut impl Write, view: EventView<'_>, has_threads: bool) -> io::Result<()> {
    let event = view.event;
    write!(out, "{FAINT}{:>7}{FAINT:#}  ", view.step)?;
    if has_threads {
        write!(out, "{:<4} ", event.thread.to_string())?;
    }
    let indentation = 2 * event.depth.min(DEEPEST_INDENTATION) as usize;
    let style = style_of(&event.kind);
    let (place, words) = (view.place(), view.words());
    writeln!(out, "{:indentation$}{FAINT}{place}{FAINT:#}  {style}{words}{style:#}", "")
}

fn style_of(kind: &EventKind) -> Style {
    match kind {
        EventKind::Enter { .. } | EventKind::Return { .. } => HEADING,
        EventKind::FieldWritten { .. } | EventKind::ElementWritten { .. } | EventKind::LocalWritten(_) => GOOD,
        EventKind::Throw { .. } | EventKind::Catch { .. } | EventKind::Unwind { .. } => WARNING,
        _ => Style::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::Steps;

    #[test]
    fn ranges_of_steps() {
        for (text, expected) in
            [("3..5", Some(3..=5)), ("3..", Some(3..=u64::MAX)), ("..5", Some(0..=5)), ("4", Some(4..=4))]
        {
            assert_eq!(text.parse::<Steps>().ok().map(|steps| steps.0), expected);
        }
        for text in ["", "a", "5..3", "1...2"] {
            assert!(text.parse::<Steps>().is_err(), "{text}");
        }
    }
}
