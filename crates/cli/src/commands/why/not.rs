//! Why a line did not run, in words.

use super::json::{JsonNot, place_of};
use super::leads::Answer;
use crate::commands::questions::explain;
use crate::context::{Context, FAINT, GOOD, HEADING, WARNING};
use crate::error::{Result, UserError};
use std::io::Write;
use whydunit_debugger::{Cause, CodeLine, Moments, NotRun, Role, Session, StepPlace, ThreadId};

pub(super) struct Teller<'s> {
    pub(super) context: &'s Context,
    pub(super) session: &'s Session,
    pub(super) moments: &'s Moments,
}

impl Teller<'_> {
    pub(super) fn tell(&self, asked: &str, step: Option<(ThreadId, u64)>) -> Result<Answer> {
        let line = self.session.find_code_line(asked).map_err(explain)?;
        let found = match step {
            None => self.session.why_not(self.moments, &line)?,
            Some((thread, step)) => {
                let found = self.session.why_not_in_call(self.moments, thread, step, &line)?;
                found.ok_or_else(|| {
                    UserError::new(format!("no call on the stack of this step has line {asked}"))
                        .hint(format!("ask for the whole run: `whydunit why --not {asked}`"))
                })?
            }
        };
        if self.context.json {
            self.context.print_json(&JsonNot::new(self.session, self.moments, &line, &found)?)?;
        } else {
            self.line(&line, &found, 0)?;
        }
        Ok(Answer::about_line(&found))
    }

    fn line(&self, line: &CodeLine, found: &NotRun, level: usize) -> Result<()> {
        let mut out = self.context.stdout();
        let width = 2 * level;
        let place = place_of(line);
        let name = place.map_or_else(|| line.line.to_string(), |place| self.session.name_of_place(&place));
        let source = place.and_then(|place| self.session.source_line_of(&place)).unwrap_or_default();
        writeln!(out, "{:width$}{HEADING}{name}{HEADING:#}  {source}", "")?;
        let width = width + 2;
        match found {
            NotRun::Ran { thread, step } => {
                writeln!(out, "{:width$}it did run, the last time in step {}", "", self.number(*thread, *step)?)?;
            }
            NotRun::TurnedAway(cause) => {
                writeln!(out, "{:width$}{WARNING}did not run because of{WARNING:#} step {}", "", self.branch(cause)?)?;
                self.values(cause, width + 2)?;
            }
            NotRun::Threw(cause) => {
                writeln!(
                    out,
                    "{:width$}{WARNING}an exception came before, from{WARNING:#} step {}",
                    "",
                    self.branch(cause)?
                )?;
                self.values(cause, width + 2)?;
            }
            NotRun::Left { thread, end } => {
                let how = if end.is_exception { "an exception left the method" } else { "the method returned" };
                writeln!(out, "{:width$}{how} before, in step {}", "", self.number(*thread, end.latest)?)?;
            }
            NotRun::NoException => writeln!(out, "{:width$}it handles an exception, and none came", "")?,
            NotRun::NotYet => writeln!(out, "{:width$}the recording ends before", "")?,
            NotRun::OtherCalled { thread, step } => {
                let step = self.number(*thread, *step)?;
                writeln!(
                    out,
                    "{:width$}ran, the last time in step {step}, and called another method of this name",
                    ""
                )?;
            }
            NotRun::NotEntered { method, callers } => {
                let name = self.session.method_name(*method);
                let nobody = if callers.is_empty() { ", and no recorded code calls it" } else { "; callers:" };
                writeln!(out, "{:width$}{WARNING}{name} was not entered{WARNING:#}{nobody}", "")?;
                for (line, found) in callers {
                    self.line(line, found, level + 2)?;
                }
            }
        }
        Ok(())
    }

    fn branch(&self, cause: &Cause) -> Result<String> {
        let StepPlace { thread, step, .. } = cause.place;
        let line = self.session.source_line_of(&cause.place).unwrap_or_default();
        let place = self.session.name_of_place(&cause.place);
        Ok(format!("{}  {FAINT}{place}{FAINT:#}  {line}", self.number(thread, step)?))
    }

    /// What the branch has compared.
    fn values(&self, cause: &Cause, width: usize) -> Result<()> {
        let Some(causes) = self.session.causes(self.moments, cause.place.thread) else { return Ok(()) };
        let mut out = self.context.stdout();
        for ingredient in causes.ingredients(cause)?.iter().filter(|ingredient| ingredient.role == Role::Value) {
            let value = ingredient.value.map(|value| format!(" = {}", self.session.words(value))).unwrap_or_default();
            write!(out, "{:width$}{GOOD}{}{value}{GOOD:#}", "", ingredient.name)?;
            match &ingredient.source {
                Ok(source) => writeln!(out, "  {FAINT}from step{FAINT:#} {}", self.branch(source)?)?,
                Err(_) => writeln!(out)?,
            }
        }
        Ok(())
    }

    fn number(&self, thread: ThreadId, step: u64) -> Result<u64> {
        Ok(self.moments.global_step(thread, step)?.unwrap_or(step))
    }
}
