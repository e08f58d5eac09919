//! `whydunit history`: everything that happened to one object.

mod json;

use crate::commands::found::Lines;
use crate::commands::questions::{self, OpenRun};
use crate::commands::run_argument::RunOption;
use crate::context::{Context, FAINT, HEADING, Outcome};
use crate::error::Result;
use crate::progress::Progress;
use crate::text;
use std::io::{self, Write};
use whydunit_debugger::{Doing, History as Answer, HistoryFilter, Occurrence, PossibleChange, Session, Use};

/// Show everything that happened to one object, across all threads, in the order of the run
///
/// Where it was made, what was read from it and written to it, what was called on it, where it was passed, stored and
/// returned. One line for each: the number of the step, the thread when there are several, the place, and what happened
/// in the notation of `tree`. Writes tell what was there before, if recorded code has met it.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  whydunit history '<ArrayList:1>'
  whydunit history '<Cart:1>' --writes
  whydunit history '<Cart:1>' --field total
  whydunit history '<int[]:2>' --field '[3]'
  whydunit history '<Cart:1>' --calls --run before-fix --json

Exit code: 0 events were shown, 1 there is no such event, 2 there is no such object.")]
pub(crate) struct History {
    #[command(flatten)]
    asked: AskedHistory,

    #[command(flatten)]
    run: RunOption,
}

#[derive(Debug, clap::Args)]
pub(super) struct AskedHistory {
    /// The object, written as it is shown: `<ArrayList:1>`
    object: String,

    /// Only this thread: its name or number
    #[arg(long)]
    thread: Option<String>,

    /// Only writes of its fields or elements
    #[arg(long)]
    writes: bool,

    /// Only calls of its methods
    #[arg(long, conflicts_with = "field")]
    calls: bool,

    /// Only reads and writes of this field, or of this element, `[3]`
    #[arg(long, value_name = "NAME")]
    field: Option<String>,

    /// Show this many events at most, the first and the last ones
    #[arg(long, value_name = "N", default_value_t = 100)]
    limit: usize,
}

impl History {
    pub(crate) fn run(self, context: &Context) -> Result<Outcome> {
        self.asked.answer(context, &OpenRun::find(context, &self.run.run)?)
    }
}

impl AskedHistory {
    pub(super) fn answer(&self, context: &Context, open: &OpenRun) -> Result<Outcome> {
        let session = &open.session;
        let object = session.find_object(&self.object).map_err(questions::explain)?;
        let threads = self.thread.as_deref().map(|thread| session.find_threads(thread)).transpose();
        let threads = threads.map_err(questions::explain)?;
        if let Some(field) = &self.field {
            session.check_part(object, field).map_err(questions::explain)?;
        }
        let moments = open.moments(context)?;
        let filter = HistoryFilter { threads, writes: self.writes, calls: self.calls, field: self.field.clone() };
        let progress = Progress::new(context, "looking for the object");
        let answer = session.history(moments, object, &filter, self.limit, &|count| progress.add(count))?;
        drop(progress);
        let name = session.words(whydunit_debugger::Value::Ref(object));
        let mut out = io::BufWriter::new(context.stdout());
        if context.json {
            json::print(&mut out, session, &name, &answer)?;
        } else {
            print(&mut out, session, &name, &answer)?;
        }
        out.flush()?;
        if answer.first.is_empty() && answer.left_out == 0 {
            context.note("no such event");
            return Ok(Outcome::Negative);
        }
        Ok(Outcome::Done)
    }
}

fn print(out: &mut impl Write, session: &Session, name: &str, answer: &Answer) -> io::Result<()> {
    writeln!(out, "{HEADING}{name}{HEADING:#}: {}", summary(answer))?;
    let all: Vec<&Doing> = answer.first.iter().chain(&answer.last).collect();
    let lines = Lines::new(session, all.iter().map(|doing| &doing.found));
    for doing in &answer.first {
        lines.write(out, &doing.found)?;
    }
    if answer.left_out > 0 {
        writeln!(out, "{FAINT}… {} more{FAINT:#}", text::grouped(answer.left_out))?;
    }
    for doing in &answer.last {
        lines.write(out, &doing.found)?;
    }
    Ok(())
}

/// `java.util.ArrayList, made in step 5 at FileLister.init:28; 1 made, 2 called; last change in step 9 at …`
fn summary(answer: &Answer) -> String {
    let at = |found: &Occurrence| format!("in step {} at {}", found.step, found.place.short);
    let start = match (&answer.made, &answer.met) {
        (Some(made), _) => format!("made {}", at(made)),
        (None, Some(met)) => format!("not made by recorded code, first met {}", at(met)),
        (None, None) => "recorded code did nothing with it".to_owned(),
    };
    let counts: Vec<String> = answer
        .counts
        .iter()
        .filter(|(what, _)| **what != Use::Made)
        .map(|(what, count)| format!("{} {}", word(*what), times(*count)))
        .collect();
    let mut parts = vec![format!("{}, {start}", answer.class)];
    if !counts.is_empty() {
        parts.push(counts.join(", "));
    }
    parts.extend(answer.last_change.as_ref().map(|last| format!("last change {}: {}", at(last), last.text)));
    parts.extend(answer.may_have_changed.as_ref().map(|PossibleChange { call, step, .. }| {
        let since = if answer.last_change.is_some() { "since" } else { "last" };
        format!("maybe changed {since} by code that is not recorded: {call} in step {step}")
    }));
    parts.join("; ")
}

fn times(count: u64) -> String {
    match count {
        1 => "once".to_owned(),
        2 => "twice".to_owned(),
        count => format!("{} times", text::grouped(count)),
    }
}

fn word(what: Use) -> &'static str {
    match what {
        Use::Made => "made",
        Use::Written => "written",
        Use::Read => "read",
        Use::Called => "called",
        Use::Passed => "passed",
        Use::Stored => "stored",
        Use::Taken => "taken",
        Use::Returned => "returned",
        Use::Thrown => "thrown",
        Use::Caught => "caught",
    }
}
