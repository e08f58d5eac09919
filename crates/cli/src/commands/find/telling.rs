//! Questions and what came of them, in words or as JSON.

use super::json::{self, Writer};
use super::kept::Judgement;
use super::words;
use crate::commands::show::printer::Printer;
use crate::context::{Context, FAINT, GOOD, HEADING, WARNING};
use crate::error::Result;
use std::io::{BufWriter, Write};
use whydunit_debugger::{
    AskedStep, CauseKind, Condition, Contradiction, Effort, FoundStep, Ingredient, Inside, MissingCode, Moments,
    ObjectView, Session, StepPlace, Value, letter_of,
};

/// Lines of source around the one in question.
const AROUND: u32 = 2;

/// Callers of a step that are shown.
const MOST_CALLERS: usize = 4;

pub(super) struct Teller<'s> {
    pub(super) context: &'s Context,
    pub(super) session: &'s Session,
    pub(super) moments: &'s Moments,
    /// The step that the user has named to start at.
    pub(super) at: Option<u64>,
}

impl Teller<'_> {
    pub(super) fn question(&self, asked: &AskedStep, number: usize) -> Result<()> {
        if self.context.json {
            return self.print_line(&self.json().question(asked, number)?);
        }
        let step = self.number(&asked.step.place)?;
        let view = self.session.step(self.moments, step, Effort::QUICK)?;
        let mut printer = Printer { out: BufWriter::new(self.context.stdout()), session: self.session };
        let why = words::reason(asked.question.reason, asked.state);
        writeln!(printer.out, "\n{WARNING}question {number}{WARNING:#}  {FAINT}{why}{FAINT:#}")?;
        if let Some(view) = &view {
            printer.title(view, self.moments)?;
            printer.source(view, AROUND)?;
            let callers: Vec<&str> = view.stack.iter().skip(1).map(|frame| &*frame.place.short).collect();
            if !callers.is_empty() {
                let more = if callers.len() > MOST_CALLERS { " ← …" } else { "" };
                let callers = callers[..callers.len().min(MOST_CALLERS)].join(" ← ");
                writeln!(printer.out, "  {FAINT}called from {callers}{more}{FAINT:#}")?;
            }
        }
        if let Some(condition) = asked.condition.as_ref().filter(|condition| condition.text.is_some()) {
            writeln!(printer.out, "  {}", self.condition(condition)?)?;
        }
        for (position, read) in asked.reads.iter().enumerate() {
            let label = match position {
                _ if position == asked.own_reads => "in it",
                0 => "reads",
                _ => "",
            };
            let (value, by) = (self.read(read), self.changed_by(read)?);
            writeln!(printer.out, "  {FAINT}{label:<7}{FAINT:#}{:>3}  {GOOD}{value}{GOOD:#}{by}", position + 1)?;
        }
        for (position, effect) in asked.step.effects.iter().enumerate() {
            let label = if position == 0 { "makes" } else { "" };
            let value = self.named(&effect.what, effect.value);
            let letter = letter_of(position).filter(|_| json::can_be_opened(self.session, effect.value));
            let letter = letter.map_or_else(String::new, String::from);
            writeln!(printer.out, "  {FAINT}{label:<7}{FAINT:#}{letter:>3}  {value}")?;
        }
        if let (Some(last), Some(first)) = (asked.skipped.first(), asked.skipped.last()) {
            let (first, last) = (self.number(first)?, self.number(last)?);
            let number = asked.skipped.len();
            writeln!(
                printer.out,
                "  {FAINT}passed over {number} steps from {first} to {last}: they are like sound ones{FAINT:#}"
            )?;
        }
        let state = asked.state.names().join(" › ");
        let left = match asked.lines_left {
            1 => "1 line is left".to_owned(),
            lines => format!("{lines} lines are left"),
        };
        writeln!(printer.out, "  {FAINT}{state}; {left}{FAINT:#}")?;
        if asked.missing.is_some() {
            writeln!(
                printer.out,
                "  {FAINT}nothing that ran explains a wrong value: `missing` shows where code may be missing{FAINT:#}"
            )?;
        }
        printer.out.flush()?;
        Ok(())
    }

    /// What is in an object.
    pub(super) fn look(&self, at: &Inside, object: &ObjectView) -> Result<()> {
        if self.context.json {
            return self.print_line(&self.json().look(at, object));
        }
        let mut printer = Printer { out: BufWriter::new(self.context.stdout()), session: self.session };
        printer.object(object, false)?;
        printer.out.flush()?;
        Ok(())
    }

    pub(super) fn found(&self, found: &FoundStep, judgements: &[Judgement]) -> Result<()> {
        if self.context.json {
            return self.print_line(&self.json().found(found, said(judgements))?);
        }
        let mut out = self.context.stdout();
        let mut way = found.way.iter();
        if let Some(first) = way.next() {
            writeln!(out, "\n{HEADING}the first wrong step{HEADING:#}")?;
            self.row(&first.place, None)?;
        }
        if let Some(kind) = found.kind {
            let (name, explained) = (words::kind(kind), words::kind_explained(kind));
            writeln!(out, "         {WARNING}{name}{WARNING:#}  {FAINT}{explained}{FAINT:#}")?;
        }
        if way.len() > 0 {
            writeln!(out, "\n{HEADING}from there to the failure{HEADING:#}")?;
            for step in way {
                self.row(&step.place, step.taken.as_ref())?;
            }
        }
        Ok(())
    }

    pub(super) fn missing(&self, missing: &MissingCode, judgements: &[Judgement]) -> Result<()> {
        if self.context.json {
            return self.print_line(&self.json().missing(missing, said(judgements))?);
        }
        let mut out = self.context.stdout();
        let name = missing.value.as_ref().map_or("the value", |value| &value.name);
        writeln!(out, "\n{HEADING}missing code{HEADING:#}")?;
        writeln!(out, "  {name} is right where it was made and wrong where it is used, and nothing between is wrong.")?;
        writeln!(out, "  {FAINT}made{FAINT:#}")?;
        self.row(&missing.made, None)?;
        writeln!(out, "  {FAINT}used{FAINT:#}")?;
        self.row(&missing.used, missing.value.as_ref())?;
        if !missing.beside.is_empty() {
            let values: Vec<String> = missing.beside.iter().map(|value| self.read(value)).collect();
            writeln!(out, "  {FAINT}beside it{FAINT:#}  {}", values.join(", "))?;
        }
        if !missing.conditions.is_empty() {
            writeln!(
                out,
                "  {FAINT}it should have been changed before the last of these, or in what they call{FAINT:#}"
            )?;
            for condition in missing.conditions.iter().rev() {
                writeln!(out, "    {}", self.condition(condition)?)?;
            }
        }
        if !missing.could_have_changed.is_empty() {
            writeln!(out, "  {FAINT}these could have changed it, and did not{FAINT:#}")?;
            for place in &missing.could_have_changed {
                self.row(place, None)?;
            }
        }
        Ok(())
    }

    pub(super) fn nothing_missing(&self) {
        self.context.note(
            "that something is missing shows when a value is right where it was made and wrong where it is used: \
             answer `wrong` where it is used and `correct` where it was made",
        );
    }

    pub(super) fn beyond(&self, judgements: &[Judgement]) -> Result<()> {
        if self.context.json {
            return self.print_line(&json::beyond(said(judgements)));
        }
        self.context
            .note("your answers leave nothing to ask about: `undo` one, or begin at an earlier step with `--at`");
        Ok(())
    }

    /// What two answers that cannot both be right say, and the way back.
    pub(super) fn contradiction(&self, contradiction: &Contradiction, judgements: &[Judgement]) -> Result<()> {
        let &Contradiction { first, second, .. } = contradiction;
        let (Some(one), Some(other)) = (judgements.get(first), judgements.get(second)) else { return Ok(()) };
        if self.context.json {
            return self.print_line(&json::contradiction((first + 1, one), (second + 1, other)));
        }
        self.context.note("two answers speak of the same value, one as right, one as wrong:");
        for (number, judgement) in [(first + 1, one), (second + 1, other)] {
            self.context.note(&format!("  {}; `undo {number}` goes back to before it", line_of(number, judgement)));
        }
        Ok(())
    }

    /// An answer that did not have to be given.
    pub(super) fn known(&self, judgement: &Judgement, number: usize) -> Result<()> {
        if self.context.json {
            return self.print_line(&json::known(number, judgement));
        }
        let why = if judgement.is_inferred { "a step like it was judged so" } else { "as you said before" };
        self.context.note(&format!("{}: {why}", line_of(number, judgement)));
        Ok(())
    }

    pub(super) fn answers(&self, judgements: &[Judgement]) -> Result<()> {
        if self.context.json {
            return self.print_line(&json::answers(judgements));
        }
        for (number, judgement) in (1..).zip(judgements) {
            writeln!(self.context.stdout(), "  {}", line_of(number, judgement))?;
        }
        Ok(())
    }

    /// The user stops in the middle.
    pub(super) fn left(&self, judgements: &[Judgement]) -> Result<()> {
        if !judgements.is_empty() && !self.context.json {
            let at = self.at.map_or_else(String::new, |step| format!(" --at {step}"));
            let command = self.context.question(&format!("find --resume{at}"));
            self.context.note(&format!("your answers are kept: `{command}` goes on with them"));
        }
        Ok(())
    }

    pub(super) fn number(&self, place: &StepPlace) -> Result<u64> {
        Ok(self.moments.global_step(place.thread, place.step)?.unwrap_or(place.step))
    }

    fn json(&self) -> Writer<'_> {
        Writer { session: self.session, moments: self.moments }
    }

    fn print_line(&self, line: &serde_json::Value) -> Result<()> {
        writeln!(self.context.stdout(), "{line}")?;
        Ok(())
    }

    fn row(&self, place: &StepPlace, taken: Option<&Ingredient>) -> Result<()> {
        let line = self.session.source_line_of(place).unwrap_or_default();
        let (number, name) = (self.number(place)?, self.session.name_of_place(place));
        let taken = taken.map(|taken| format!("  {GOOD}{}{GOOD:#}", self.read(taken))).unwrap_or_default();
        writeln!(self.context.stdout(), "{number:>7}  {FAINT}{name}{FAINT:#}  {line}{taken}")?;
        Ok(())
    }

    /// `decided by step 17  Till.main:17  if (total != 2850) {  total:1500 != 2850`
    fn condition(&self, condition: &Condition) -> Result<String> {
        let place = &condition.cause.place;
        let line = self.session.source_line_of(place).unwrap_or_default();
        let (number, name) = (self.number(place)?, self.session.name_of_place(place));
        let text = condition.text.as_ref().map(|text| format!("  {GOOD}{text}{GOOD:#}")).unwrap_or_default();
        let label = words::decided(condition);
        Ok(format!("{FAINT}{label} by step{FAINT:#} {number}  {FAINT}{name}{FAINT:#}  {line}{text}"))
    }

    fn read(&self, read: &Ingredient) -> String {
        self.named(&read.name, read.value)
    }

    /// What is in an object of the library has no value to show, and each call may have changed another part of it.
    fn changed_by(&self, read: &Ingredient) -> Result<String> {
        let Some(source) = read.source.as_ref().ok().filter(|_| read.value.is_none()) else { return Ok(String::new()) };
        let by = match source.kind {
            CauseKind::Put => "changed in step",
            CauseKind::Unrecorded => "has changed something in step",
            _ => return Ok(String::new()),
        };
        let (number, place) = (self.number(&source.place)?, self.session.name_of_place(&source.place));
        let line = self.session.source_line_of(&source.place).unwrap_or_default();
        Ok(format!("  {FAINT}{by}{FAINT:#} {number}  {FAINT}{place}{FAINT:#}  {line}"))
    }

    fn named(&self, name: &str, value: Option<Value>) -> String {
        match value {
            Some(value) => format!("{name} = {}", self.session.words(value)),
            None => name.to_owned(),
        }
    }
}

/// Answers that somebody had to give.
fn said(judgements: &[Judgement]) -> usize {
    judgements.iter().filter(|judgement| !judgement.is_inferred).count()
}

fn line_of(number: usize, judgement: &Judgement) -> String {
    let Judgement { step, place, answer, .. } = judgement;
    format!("answer {number}, step {step}  {place}  {answer}")
}
