//! Questions and what came of them, in words or as JSON.

use super::json;
use crate::commands::show::printer::Printer;
use crate::context::{Context, FAINT, GOOD, HEADING, WARNING};
use crate::error::Result;
use std::io::{BufWriter, Write};
use whydunit_debugger::{AskedStep, Contradiction, Effort, Finder, Finding, Moments, Reason, Session, StepPlace};

/// Lines of source around the one in question.
const AROUND: u32 = 2;

pub(super) struct Teller<'s> {
    pub(super) context: &'s Context,
    pub(super) session: &'s Session,
    pub(super) moments: &'s Moments,
}

impl Teller<'_> {
    pub(super) fn question(&self, asked: &AskedStep, number: usize) -> Result<()> {
        let step = self.number(&asked.step.place)?;
        if self.context.json {
            return self.print_line(&json::question(self.session, asked, step, number));
        }
        let view = self.session.step(self.moments, step, Effort::QUICK)?;
        let mut printer = Printer { out: BufWriter::new(self.context.stdout()), session: self.session };
        let why = reason_words(asked.question.reason);
        writeln!(printer.out, "\n{WARNING}question {number}{WARNING:#}  {FAINT}{why}{FAINT:#}")?;
        if let Some(view) = &view {
            printer.title(view, self.moments)?;
            printer.source(view, AROUND)?;
        }
        for (position, read) in asked.reads.iter().enumerate() {
            let value = read.value.map(|value| format!(" = {}", self.session.words(value))).unwrap_or_default();
            let label = if position == 0 { "reads" } else { "" };
            writeln!(
                printer.out,
                "  {FAINT}{label:<7}{FAINT:#}{:>3}  {GOOD}{}{value}{GOOD:#}",
                position + 1,
                read.name
            )?;
        }
        for (position, effect) in asked.step.effects.iter().enumerate() {
            let value = effect.value.map(|value| format!(" = {}", self.session.words(value))).unwrap_or_default();
            let label = if position == 0 { "makes" } else { "" };
            writeln!(printer.out, "  {FAINT}{label:<7}{FAINT:#}     {}{value}", effect.what)?;
        }
        printer.out.flush()?;
        Ok(())
    }

    pub(super) fn found(&self, finder: &Finder<'_>, finding: &Finding) -> Result<()> {
        let answers = finder.search().answers().len();
        if self.context.json {
            let mut way = Vec::new();
            for &step in &finding.way {
                let place = finder.place(step);
                way.push(json::place(self.session, place, self.number(place)?));
            }
            return self.print_line(&json::found(way, answers));
        }
        let mut out = self.context.stdout();
        let mut way = finding.way.iter();
        if let Some(&first) = way.next() {
            writeln!(out, "\n{HEADING}the first wrong step{HEADING:#}")?;
            self.row(finder.place(first))?;
        }
        if way.len() > 0 {
            writeln!(out, "\n{HEADING}from there to the failure{HEADING:#}")?;
            for &step in way {
                self.row(finder.place(step))?;
            }
        }
        Ok(())
    }

    fn print_line(&self, line: &serde_json::Value) -> Result<()> {
        writeln!(self.context.stdout(), "{line}")?;
        Ok(())
    }

    fn row(&self, place: &StepPlace) -> Result<()> {
        let line = self.session.source_line_of(place).unwrap_or_default();
        let (number, name) = (self.number(place)?, self.session.name_of_place(place));
        writeln!(self.context.stdout(), "{number:>7}  {FAINT}{name}{FAINT:#}  {line}")?;
        Ok(())
    }

    pub(super) fn beyond(&self, finder: &Finder<'_>) -> Result<()> {
        let answers = finder.search().answers().len();
        if self.context.json {
            return self.print_line(&json::beyond(answers));
        }
        self.context
            .note("your answers leave nothing to ask about: `undo` one, or begin at an earlier step with `--at`");
        Ok(())
    }

    pub(super) fn contradiction(&self, contradiction: &Contradiction) -> Result<()> {
        let Contradiction { first, second, .. } = contradiction;
        let (first, second) = (first + 1, second + 1);
        self.context.note(&format!(
            "answers {first} and {second} speak of the same value, one as right, one as wrong: `undo {first}` or \
             `undo {second}` takes one back"
        ));
        Ok(())
    }

    fn number(&self, place: &StepPlace) -> Result<u64> {
        Ok(self.moments.global_step(place.thread, place.step)?.unwrap_or(place.step))
    }
}

pub(super) fn reason_words(reason: Reason) -> &'static str {
    match reason {
        Reason::Source => "it made a value that you said is wrong",
        Reason::Decision => "it decided that a step ran that should not have",
        Reason::Suspicion => "it is the likeliest of all that led to the failure",
        Reason::Split => "whatever you say, it rules out much of what led to the failure",
    }
}
