//! `whydunit query`: points that are defined by other points.

pub(super) mod json;

use crate::commands::questions::{self, OpenRun};
use crate::commands::run_argument::RunOption;
use crate::context::{Context, FAINT, GOOD, HEADING, Outcome, WARNING};
use crate::error::{Result, UserError};
use crate::progress::Progress;
use crate::text;
use std::fs;
use std::io::{BufWriter, Write};
use std::path::PathBuf;
use whydunit_debugger::{Session, StepPlace, UnknownName, Value};
use whydunit_querypoints::condition::Datum;
use whydunit_querypoints::syntax::{self, Chain, ParseError};
use whydunit_querypoints::{Collected, Happened, Instance, Located, Missing, QueryError, evaluate};

/// Find points of a run by what happened there, and go from one to the next, from effect to cause
///
/// A point is a moment of the run: a line runs, a method is called, a field changes, an exception is thrown; with a
/// Java condition, and an index from either end. Other points are defined by it: the last change of a variable before
/// it, the last condition that led to it, the next event of a kind. docs/querypoints.md explains the language.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  whydunit query 'A = line Cart.java:31 [-1] if total < 0'      the last time
  whydunit query 'A = line Cart.java:31' 'B = lastChange(A(0):total)' 'C = lastCondition(B)'
  whydunit query 'A = change Cart.total if .value < 0' 'B = last call Cart.add before A where same(this, A:this)'
  whydunit query 'A = exception IllegalStateException' 'show A: name, items.length' --stack
  whydunit query --file chain.wq --run before-fix               saved points in another run

Points:       line FILE:LINE, call CLASS.METHOD, change CLASS.FIELD, change CLASS.FIELD[INDEX],
              exception [CLASS], caught [CLASS]; then [INDEX], if CONDITION, where CONSTRAINTS
From points:  lastChange(P(FRAME):PATH), lastCondition(P),
              first|last EVENT before|after P, next EVENT after P
Constraints:  before(P), same(PATH, PATH), mayAffect(P), with `and` between them
Data:         `with PATH, PATH` behind a point, or `show P: PATH, PATH`

Exit code: 0 every point was found, 1 a point is not in the run, 2 a mistake in the query.")]
pub(crate) struct Query {
    #[command(flatten)]
    asked: AskedQuery,

    #[command(flatten)]
    run: RunOption,
}

#[derive(Debug, clap::Args)]
pub(super) struct AskedQuery {
    /// Definitions of points, `A = line Cart.java:31`
    #[arg(value_name = "DEFINITION", required_unless_present = "file")]
    definitions: Vec<String>,

    /// Take definitions from this file; those on the command line come after them
    #[arg(long, value_name = "FILE")]
    file: Option<PathBuf>,

    /// Write the definitions to this file, for other runs
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,

    /// Show the call stack at each point
    #[arg(long)]
    stack: bool,
}

impl Query {
    pub(crate) fn run(self, context: &Context) -> Result<Outcome> {
        let chain = self.asked.chain()?;
        self.asked.answer(context, &OpenRun::find(context, &self.run.run)?, &chain)
    }
}

impl AskedQuery {
    pub(super) fn answer(&self, context: &Context, open: &OpenRun, chain: &Chain) -> Result<Outcome> {
        let session = &open.session;
        let moments = open.moments(context)?;
        let progress = Progress::new(context, "searching the run");
        let answer = evaluate(session, moments, chain, &|instructions| progress.add(instructions)).map_err(explain)?;
        drop(progress);
        if let Some(path) = &self.save {
            let unwritable = |error| UserError::new(format!("cannot write {}", path.display())).caused_by(error);
            fs::write(path, chain.to_string()).map_err(unwritable)?;
        }
        if context.json {
            context.print_json(&json::answer(session, &answer))?;
        } else {
            let mut printer = Printer { out: BufWriter::new(context.stdout()), session, stack: self.stack };
            for point in &answer.points {
                printer.point(point)?;
            }
            printer.out.flush()?;
        }
        Ok(if answer.is_complete() { Outcome::Done } else { Outcome::Negative })
    }

    pub(super) fn chain(&self) -> Result<Chain> {
        let mut chain = Chain::default();
        if let Some(path) = &self.file {
            let unreadable = |error| UserError::new(format!("cannot read {}", path.display())).caused_by(error);
            let text = fs::read_to_string(path).map_err(unreadable)?;
            let parsed = syntax::parse(&text).map_err(|error| misread(&path.display().to_string(), &text, &error));
            chain.items.extend(parsed?.items);
        }
        for text in &self.definitions {
            let parsed = syntax::parse(text).map_err(|error| misread("the query", text, &error))?;
            chain.items.extend(parsed.items);
        }
        if chain.items.is_empty() {
            return Err(UserError::new("there are no points to look for")
                .hint("define one: `whydunit query 'A = line Main.java:12'`")
                .into());
        }
        Ok(chain)
    }
}

/// The place of a mistake, with the line that it is in.
pub(super) fn misread(source: &str, text: &str, error: &ParseError) -> UserError {
    let line = text.lines().nth(error.line - 1).unwrap_or_default().replace('\t', " ");
    let caret = format!("{:>width$}", "^", width = error.column);
    UserError::new(format!("{source}, line {}, column {}: {error}\n  | {line}\n  | {caret}", error.line, error.column))
}

pub(super) fn explain(error: QueryError) -> crate::error::CommandError {
    match error {
        QueryError::Session(error) => error.into(),
        QueryError::Wrong { point, problem, nearest } => {
            questions::explain(UnknownName { problem: format!("point {point}: {problem}"), nearest }).into()
        }
        QueryError::UnknownName { problem, nearest } => questions::explain(UnknownName { problem, nearest }).into(),
    }
}

/// A value as it is shown.
pub(super) fn words(session: &Session, datum: &Datum) -> String {
    match datum {
        Datum::Value(value) => session.words(*value),
        Datum::Text(text) => format!("{text:?}"),
    }
}

/// What the event of a point was, if there is more to say than where.
pub(super) fn happened_words(session: &Session, happened: &Happened) -> Option<String> {
    let value = |value: &Option<Value>| value.map_or_else(|| "?".to_owned(), |value| session.words(value));
    match happened {
        Happened::Line | Happened::Entered => None,
        Happened::Changed { what, old: None, value: new, .. } => Some(format!("{what} = {}", value(new))),
        Happened::Changed { what, old, value: new, .. } => Some(format!("{what} = {} → {}", value(old), value(new))),
        Happened::MayHaveChanged { what, call, value: found, .. } => {
            Some(format!("{what} = {}, maybe set by {call}", value(found)))
        }
        Happened::Passed { what, value: given } => Some(format!("passes {what} = {}", value(given))),
        Happened::Thrown { exception } => Some(format!("throws {}", value(exception))),
        Happened::Caught { exception } => Some(format!("catches {}", value(exception))),
        Happened::Decided { what } if what == "condition" => None,
        Happened::Decided { what } => Some(what.clone()),
    }
}

struct Printer<'s, W: Write> {
    out: BufWriter<W>,
    session: &'s Session,
    stack: bool,
}

impl<W: Write> Printer<'_, W> {
    fn point(&mut self, point: &Located) -> Result<()> {
        let Located { name, definition, .. } = point;
        writeln!(self.out, "{HEADING}{name}{HEADING:#} = {FAINT}{definition}{FAINT:#}")?;
        match &point.outcome {
            Ok(instance) => self.instance(instance)?,
            Err(missing) => self.missing(missing)?,
        }
        if point.unknown > 0 {
            let count = text::count(point.unknown as usize, "event", "events");
            let why = point.why_unknown.as_deref().map(|why| format!(": {why}")).unwrap_or_default();
            writeln!(self.out, "  {WARNING}not known{WARNING:#} of {count} whether it is meant{why}")?;
        }
        Ok(())
    }

    fn instance(&mut self, instance: &Instance) -> Result<()> {
        let source = self.source(&instance.place);
        writeln!(self.out, "  {HEADING}step {}{HEADING:#}  {source}", instance.step)?;
        if let Some(words) = happened_words(self.session, &instance.happened) {
            writeln!(self.out, "  {GOOD}{words}{GOOD:#}")?;
        }
        for Collected { expression, value } in &instance.data {
            match value {
                Ok(datum) => writeln!(self.out, "  {GOOD}{expression} = {}{GOOD:#}", words(self.session, datum))?,
                Err(why) => writeln!(self.out, "  {expression} = ?  {FAINT}{why}{FAINT:#}")?,
            }
        }
        for note in &instance.notes {
            writeln!(self.out, "  {WARNING}note{WARNING:#}: {note}")?;
        }
        if self.stack {
            for (number, frame) in instance.stack.iter().enumerate() {
                let place = self.session.name_of_place(&frame.place);
                let by = if frame.is_call_back { "  called by code that is not recorded" } else { "" };
                writeln!(self.out, "  {FAINT}({number}){FAINT:#} step {}  {place}{FAINT}{by}{FAINT:#}", frame.step)?;
            }
        }
        Ok(())
    }

    fn missing(&mut self, missing: &Missing) -> Result<()> {
        writeln!(self.out, "  {WARNING}not found{WARNING:#}: {}", missing.why)?;
        for (failed, count) in &missing.failed {
            writeln!(self.out, "  {}: {failed}", text::count(*count as usize, "event", "events"))?;
        }
        for miss in &missing.nearest {
            let source = self.source(&miss.place);
            writeln!(self.out, "  {FAINT}step {}{FAINT:#}  {source}  {FAINT}{}{FAINT:#}", miss.step, miss.failed)?;
        }
        Ok(())
    }

    /// `Cart.total:31  total += line.cents();`
    fn source(&self, place: &StepPlace) -> String {
        let line = self.session.source_line_of(place).unwrap_or_default();
        format!("{FAINT}{}{FAINT:#}  {}", self.session.name_of_place(place), text::without_tabs(&line))
    }
}
