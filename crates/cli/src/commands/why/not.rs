//! Why a line did not run, in words.

use super::json::{JsonAnswer, JsonNot, place_of};
use super::leads::Answer;
use super::rows::never_written;
use crate::commands::questions::explain;
use crate::context::{Context, FAINT, GOOD, HEADING, Outcome, WARNING};
use crate::error::{Result, UserError};
use std::io::Write;
use whydunit_debugger::{
    Cause, CauseKind, CodeLine, Ingredient, Moments, NotRun, Role, Session, StepPlace, ThreadId, UnknownName,
};

/// Callers that are named of those that nothing more is said about.
const MOST_OTHERS: usize = 5;

pub(super) struct Teller<'s> {
    pub(super) context: &'s Context,
    pub(super) session: &'s Session,
    pub(super) moments: &'s Moments,
}

impl Teller<'_> {
    pub(super) fn tell(&self, asked: &str, step: Option<(ThreadId, u64)>) -> Result<Answer> {
        let line = match self.session.find_code_line(asked) {
            Ok(line) => line,
            Err(unknown) => return self.not_loaded(asked, unknown),
        };
        let found = match step {
            None => self.session.why_not(self.moments, &line)?,
            Some((thread, step)) => {
                let found = self.session.why_not_in_call(self.moments, thread, step, &line)?;
                found.ok_or_else(|| {
                    UserError::new(format!("no call on the stack of this step has line {asked}"))
                        .hint_to_ask("ask for the whole run", format!("why --not {asked}"))
                })?
            }
        };
        if self.context.json {
            let json = JsonNot::new(self.session, self.moments, &line, &found)?;
            self.context.print_json(&JsonAnswer::new("not", vec![json]))?;
        } else {
            self.line(&line, &found, 0)?;
            if let (NotRun::Ran { .. }, None) = (&found, step) {
                let mut out = self.context.stdout();
                let question = self.context.question(&format!("why STEP --not {asked}"));
                writeln!(out, "  {FAINT}a step narrows it to one call: `{question}`{FAINT:#}")?;
            }
        }
        Ok(Answer::about_line(&found))
    }

    /// A class that was never loaded is not in the recording; what is there is known of it only by its source.
    fn not_loaded(&self, asked: &str, unknown: UnknownName) -> Result<Answer> {
        if !self.session.may_be_unloaded(asked, &unknown) {
            return Err(explain(unknown).into());
        }
        if self.context.json {
            self.context.print_json(&JsonAnswer::new("not", vec![JsonNot::not_loaded(asked)]))?;
        } else {
            let mut out = self.context.stdout();
            writeln!(out, "{HEADING}{asked}{HEADING:#}")?;
            writeln!(
                out,
                "  {WARNING}no class with this line was loaded{WARNING:#} in this run, or none was recorded"
            )?;
        }
        Ok(Answer::without(Outcome::Negative))
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
                self.condition(cause, line, width + 2)?;
            }
            NotRun::Threw(cause) => {
                let branch = self.branch(cause)?;
                writeln!(out, "{:width$}{WARNING}an exception came before, from{WARNING:#} step {branch}", "")?;
                self.values(cause, width + 2)?;
            }
            NotRun::Left { thread, end, by } => {
                let method = place.map_or_else(String::new, |place| self.session.method_name(place.method));
                let exception = by.exception.map_or_else(|| "an exception".to_owned(), |one| self.session.words(one));
                let thrown = by.thrown.map_or((*thread, end.latest), |place| (place.thread, place.step));
                let thrown = self.number(thrown.0, thrown.1)?;
                let through = by.through.and_then(|place| place.line).map(|line| format!(", through line {line}"));
                let through = through.unwrap_or_default();
                writeln!(
                    out,
                    "{:width$}{WARNING}{method} was left by {exception}{WARNING:#}, thrown in step {thrown}{through}",
                    ""
                )?;
                if let Some(place) = &by.thrown {
                    let line = self.session.source_line_of(place).unwrap_or_default();
                    let name = self.session.name_of_place(place);
                    writeln!(out, "{:width$}  {FAINT}step{FAINT:#} {thrown}  {FAINT}{name}{FAINT:#}  {line}", "")?;
                }
            }
            NotRun::Returned { thread, end } => {
                writeln!(
                    out,
                    "{:width$}the method returned before, in step {}",
                    "",
                    self.number(*thread, end.latest)?
                )?;
            }
            NotRun::NoException => writeln!(out, "{:width$}it handles an exception, and none came", "")?,
            NotRun::NotYet { at, calling } => {
                writeln!(
                    out,
                    "{:width$}{WARNING}the recording ends before{WARNING:#}{}",
                    "",
                    self.meanwhile(at, calling)?
                )?;
            }
            NotRun::OtherCalled { thread, step, instead } => {
                let step = self.number(*thread, *step)?;
                let instead = instead.map_or_else(
                    || "another method of this name".to_owned(),
                    |method| self.session.method_name(method),
                );
                writeln!(out, "{:width$}ran, the last time in step {step}, and called {instead}", "")?;
            }
            NotRun::OnlyMade { thread, step } => {
                let step = self.number(*thread, *step)?;
                writeln!(out, "{:width$}made the function, the last time in step {step}; nobody called it", "")?;
            }
            NotRun::NotEntered { method, callers, others } => {
                let name = self.session.method_name(*method);
                let is_called = !callers.is_empty() || !others.is_empty();
                let callers_follow = if is_called { "; callers:" } else { ", and no recorded code calls it" };
                writeln!(out, "{:width$}{WARNING}{name} was not entered{WARNING:#}{callers_follow}", "")?;
                for (line, found) in callers {
                    self.line(line, found, level + 2)?;
                }
                let inner = width + 2;
                for line in others.iter().take(MOST_OTHERS) {
                    let name = place_of(line).map_or_else(String::new, |place| self.session.name_of_place(&place));
                    writeln!(out, "{:inner$}{name}  {FAINT}told above, or too far up{FAINT:#}", "")?;
                }
                if others.len() > MOST_OTHERS {
                    writeln!(out, "{:inner$}and {} more", "", others.len() - MOST_OTHERS)?;
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

    /// Where a call is when the recording ends.
    fn meanwhile(&self, at: &Option<StepPlace>, calling: &Option<String>) -> Result<String> {
        let Some(place) = at else { return Ok(String::new()) };
        let number = self.number(place.thread, place.step)?;
        let (name, line) = (self.session.name_of_place(place), self.session.source_line_of(place).unwrap_or_default());
        let calling = calling.as_ref().map(|method| format!(" {method} has not returned")).unwrap_or_default();
        let colon = if calling.is_empty() { "" } else { ":" };
        Ok(format!("{colon}{calling}, in step {number}  {FAINT}{name}{FAINT:#}  {line}"))
    }

    /// What a condition looked at: each operand that decided with where its values come from, and those that led on.
    fn condition(&self, cause: &Cause, line: &CodeLine, width: usize) -> Result<()> {
        let Some(causes) = self.session.causes(self.moments, cause.place.thread) else { return Ok(()) };
        for operand in causes.operands(cause, line)? {
            if operand.has_decided {
                self.compared(&operand.cause, width)?;
                self.values(&operand.cause, width)?;
            } else if let Some(decided) = causes.decided(&operand.cause)? {
                writeln!(self.context.stdout(), "{:width$}{FAINT}{}, which led on{FAINT:#}", "", decided.text)?;
            }
        }
        Ok(())
    }

    /// `i:2 < n:3`
    fn compared(&self, cause: &Cause, width: usize) -> Result<()> {
        let Some(causes) = self.session.causes(self.moments, cause.place.thread) else { return Ok(()) };
        if let Some(decided) = causes.decided(cause)? {
            writeln!(self.context.stdout(), "{:width$}{GOOD}{}{GOOD:#}", "", decided.text)?;
        }
        Ok(())
    }

    /// Where what it was given comes from.
    fn values(&self, cause: &Cause, width: usize) -> Result<()> {
        let Some(causes) = self.session.causes(self.moments, cause.place.thread) else { return Ok(()) };
        let causes = causes.telling_putters();
        let mut out = self.context.stdout();
        let ingredients = causes.ingredients(cause)?;
        let told: Vec<&Ingredient> =
            ingredients.iter().filter(|one| one.role == Role::Value && self.is_told(one, cause)).collect();
        // Of a `switch` over an enum the value is a number that the compiler has given to the constant.
        let is_table = |one: &Ingredient| one.source.as_ref().is_ok_and(|source| self.is_table(source));
        let decided = causes.decided(cause)?.map(|decided| decided.text).unwrap_or_default();
        let is_made_up = |one: &Ingredient| {
            let is_of_array = one.name.starts_with("<int[]:") && !decided.contains('[');
            cause.what == "switch" && (is_table(one) || is_of_array)
        };
        let told = if ingredients.iter().any(is_made_up) {
            ingredients.iter().filter(|one| !is_made_up(one) && self.is_told(one, cause)).collect()
        } else {
            told
        };
        for ingredient in told {
            let value = ingredient.value.map(|value| format!(" = {}", self.session.words(value))).unwrap_or_default();
            write!(out, "{:width$}{GOOD}{}{value}{GOOD:#}", "", ingredient.name)?;
            match &ingredient.source {
                Ok(maker) if ingredient.is_default() => writeln!(out, "{}", never_written(&self.branch(maker)?))?,
                Ok(last) if ingredient.is_one_of_several() => {
                    let (calls, step) = (1 + ingredient.others.len(), self.branch(last)?);
                    writeln!(out, "  {FAINT}put there by one of {calls} calls, such as step{FAINT:#} {step}")?;
                }
                Ok(source) => writeln!(out, "  {FAINT}from step{FAINT:#} {}", self.branch(source)?)?,
                Err(_) => writeln!(out)?,
            }
        }
        Ok(())
    }

    /// Not a constant, and not what a compiler has made up.
    fn is_told(&self, ingredient: &Ingredient, cause: &Cause) -> bool {
        let is_own = |source: &Cause| {
            let is_same_step = (source.place.thread, source.place.step) == (cause.place.thread, cause.place.step);
            source.kind == CauseKind::Constant || is_same_step || self.is_table(source)
        };
        ingredient.name != "?"
            && !ingredient.source.as_ref().is_ok_and(is_own)
            && !ingredient.name.contains("$SwitchMap$")
    }

    /// Whether it fills the table of a `switch` over an enum.
    fn is_table(&self, source: &Cause) -> bool {
        let method = self.session.method_name(source.place.method);
        let class = method.strip_suffix(".<clinit>").and_then(|class| class.rsplit('$').next());
        class.is_some_and(|last| !last.is_empty() && last.chars().all(|c| c.is_ascii_digit()))
    }

    fn number(&self, thread: ThreadId, step: u64) -> Result<u64> {
        Ok(self.moments.global_step(thread, step)?.unwrap_or(step))
    }
}
