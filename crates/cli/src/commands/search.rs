//! `whydunit search`: where in the run something is.

use crate::commands::found::{self, Lines};
use crate::commands::query;
use crate::commands::questions::{self, OpenRun};
use crate::commands::run_argument::RunName;
use crate::context::{Context, Outcome};
use crate::error::{Result, UserError};
use crate::progress::Progress;
use crate::text;
use serde_json::Value as Json;
use std::io::{self, Write};
use std::ops::ControlFlow;
use whydunit_debugger::{Literal, Occurrence, Question, Session, UnknownName};
use whydunit_querypoints::syntax::{Expression, parse_condition};
use whydunit_querypoints::{NotDecided, occurrences_if};

/// Find where in a run something is: a value, a text, a method, a line, a type, an exception, a field
///
/// One line for each time, in the order of the run: the number of the step, the thread when there are several, the place,
/// and what happened in the notation of `tree`. What is asked for together must hold together: `--value 0 --method
/// Cart.total` is a 0 in that method.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  whydunit search --value 42
  whydunit search --value '\"tea\"' --method Cart.add
  whydunit search --text 'not found' --last
  whydunit search --method Cart.add --limit 5
  whydunit search --line Cart.java:13
  whydunit search --line Cart.java:13 --if 'quantity > 3 && line != null'
  whydunit search --type ArrayList
  whydunit search --exception IllegalStateException
  whydunit search --field Cart.total --value 0 --json

Exit code: 0 something was found, 1 nothing was, 2 there is no such thread, method, line, field, type, object
or variable.")]
pub(crate) struct Search {
    #[command(flatten)]
    run: RunName,

    #[command(flatten)]
    asked: AskedSearch,
}

#[derive(Debug, clap::Args)]
#[command(group(clap::ArgGroup::new("what").required(true).multiple(true).args([
    "value", "text", "method", "line", "field", "type_name", "exception",
])))]
pub(super) struct AskedSearch {
    /// A variable, field, element, argument or result that has this value: `42`, `1.5`, `true`, `null`, `'x'`,
    /// `"text"`, `<Cart:1>`
    #[arg(long, allow_hyphen_values = true)]
    value: Option<Literal>,

    /// A string that has this in it
    #[arg(long)]
    text: Option<String>,

    /// Entries of this method, `Class.method` or `method`; with others, only what happens in it
    #[arg(long)]
    method: Option<String>,

    /// Visits to this line, `File.java:12` or `12`; with others, only what happens there
    #[arg(long)]
    line: Option<String>,

    /// Reads and writes of this field, `Class.field` or `field`
    #[arg(long)]
    field: Option<String>,

    /// Objects of this type, when they first come up
    #[arg(long = "type", value_name = "TYPE", conflicts_with_all = ["value", "text", "field", "exception"])]
    type_name: Option<String>,

    /// Exceptions of this type, or of one that extends it, when they are thrown, and where they were caught
    #[arg(long, value_name = "TYPE", conflicts_with_all = ["value", "text", "field"])]
    exception: Option<String>,

    /// Only where this Java condition holds, just before it happens: `total > 3 && name.equals("tea")`
    #[arg(long = "if", value_name = "CONDITION")]
    condition: Option<String>,

    /// Only this thread: its name or number
    #[arg(long)]
    thread: Option<String>,

    /// Show this many at most
    #[arg(long, value_name = "N", default_value_t = 100)]
    limit: usize,

    /// The last ones, not the first
    #[arg(long)]
    last: bool,
}

impl Search {
    pub(crate) fn run(self, context: &Context) -> Result<Outcome> {
        self.asked.answer(context, &OpenRun::find(context, self.run.as_str())?)
    }
}

impl AskedSearch {
    pub(super) fn answer(&self, context: &Context, open: &OpenRun) -> Result<Outcome> {
        let session = &open.session;
        let question = self.question(session).map_err(questions::explain)?;
        let condition = self.condition()?;
        if self.limit == 0 {
            return Err(UserError::new("`--limit` must be at least 1").into());
        }
        let moments = open.moments(context)?;
        let progress = Progress::new(context, "searching");
        let mut printer = Printer { out: io::BufWriter::new(context.stdout()), session, is_json: context.json };
        let mut found: Vec<Occurrence> = Vec::new();
        let (mut shown, mut has_more) = (0, false);
        let mut failed = None;
        let lines = Lines::of_run(session, moments.all_steps());
        let told = &|count| progress.add(count);
        let visit = &mut |one: Occurrence| {
            if shown == self.limit {
                has_more = true;
                return ControlFlow::Break(());
            }
            shown += 1;
            if self.last {
                found.push(one);
                return ControlFlow::Continue(());
            }
            match printer.print(&lines, &one) {
                Ok(()) => ControlFlow::Continue(()),
                Err(error) => {
                    failed = Some(error);
                    ControlFlow::Break(())
                }
            }
        };
        let not_decided = match &condition {
            Some(condition) => occurrences_if(session, moments, &question, condition, self.last, told, visit)
                .map_err(query::explain)?,
            None => {
                session.occurrences(moments, &question, self.limit, self.last, told, visit)?;
                NotDecided::default()
            }
        };
        drop(progress);
        failed.map_or(Ok(()), Err)?;
        for one in found.iter().rev() {
            printer.print(&lines, one)?;
        }
        printer.out.flush()?;
        if has_more {
            let which = if self.last { "before them" } else { "behind them" };
            context.note(&format!("there are more {which}: show them with a larger `--limit`"));
        }
        if not_decided.count > 0 {
            let count = text::count(not_decided.count as usize, "event", "events");
            let why = not_decided.why.map(|why| format!(": {why}")).unwrap_or_default();
            context.note(&format!("not known of {count} whether the condition holds{why}"));
        }
        if shown == 0 {
            context.note("nothing was found");
            return Ok(Outcome::Negative);
        }
        Ok(Outcome::Done)
    }

    fn condition(&self) -> Result<Option<Expression>> {
        let Some(text) = &self.condition else { return Ok(None) };
        let parsed = parse_condition(text).map_err(|error| query::misread("the condition", text, &error))?;
        Ok(Some(parsed))
    }

    fn question(&self, session: &Session) -> std::result::Result<Question, UnknownName> {
        let methods = self.method.as_deref().map(|method| session.find_methods(method)).transpose()?;
        let line = self.line.as_deref().map(|line| session.find_line(line, methods.as_ref())).transpose()?;
        if let Some(Literal::Object(object)) = &self.value {
            session.find_object(object)?;
        }
        Ok(Question {
            threads: self.thread.as_deref().map(|thread| session.find_threads(thread)).transpose()?,
            value: self.value.clone(),
            text: self.text.clone(),
            methods,
            line,
            field: self.field.as_deref().map(|field| session.find_field(field)).transpose()?,
            type_name: self.type_name.as_deref().map(|name| session.find_type(name)).transpose()?,
            exception: self.exception.as_deref().map(|name| session.find_type(name)).transpose()?,
        })
    }
}

struct Printer<'s, W> {
    out: W,
    session: &'s Session,
    is_json: bool,
}

impl<W: Write> Printer<'_, W> {
    fn print(&mut self, lines: &Lines<'_>, found: &Occurrence) -> io::Result<()> {
        if !self.is_json {
            lines.write(&mut self.out, found)?;
        } else {
            let line = Json::Object(found::json(self.session, found));
            serde_json::to_writer(&mut self.out, &line).map_err(io::Error::from)?;
            self.out.write_all(b"\n")?;
        }
        // The next one may take a while.
        self.out.flush()
    }
}
