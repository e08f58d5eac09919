//! Causes and what they were made of, in words.

use super::{Teller, is_value};
use crate::commands::questions::thread_name;
use crate::context::{FAINT, GOOD, HEADING, WARNING};
use crate::error::Result;
use std::io::Write;
use whydunit_debugger::{Cause, CauseKind, HeapPlace, Ingredient, Shown, StepPlace, Unknown, Value};

/// Deeper rows stand below each other.
const DEEPEST: usize = 10;

/// Calls of which one has put something somewhere, in text.
const MOST_CALLS: usize = 8;

impl Teller<'_> {
    pub(super) fn decided_by(&self, decided: &std::result::Result<Cause, Unknown>) -> Result<()> {
        let mut out = self.context.stdout();
        match decided {
            Ok(cause) => {
                let number = self.number(&cause.place)?;
                let words = match cause.kind {
                    CauseKind::Branch => "decided by",
                    CauseKind::Call | CauseKind::Unrecorded => "called by",
                    _ => "because of",
                };
                let mut parts = self.causes.led_on(cause)?;
                parts.push(cause.clone());
                let mut compared = String::new();
                for decided in parts.iter().map(|part| self.causes.decided(part)) {
                    let Some(decided) = decided? else { continue };
                    let start = if compared.is_empty() { "  " } else { ", " };
                    compared += &format!("{start}{GOOD}{}{GOOD:#}", decided.text);
                }
                let (source, thread) = (self.source(&cause.place), self.of_other_thread(&cause.place));
                writeln!(out, "  {WARNING}{words}{WARNING:#} step {number}{thread}  {source}{compared}")?;
                let mut told: Vec<Ingredient> = Vec::new();
                for part in &parts {
                    let is_told = |one: &Ingredient| is_value(one) && !is_given_back(one, part);
                    told.extend(self.causes.ingredients(part)?.into_iter().filter(is_told));
                }
                for (position, ingredient) in told.iter().enumerate() {
                    if !told[..position].contains(ingredient) {
                        self.ingredient(ingredient, 2)?;
                    }
                }
            }
            Err(Unknown::Outside | Unknown::Given(_) | Unknown::Function(_)) => {
                writeln!(out, "  {WARNING}called by{WARNING:#} code that is not recorded")?
            }
            Err(_) => writeln!(out, "  {FAINT}what decided it is not known{FAINT:#}")?,
        }
        Ok(())
    }

    pub(super) fn ingredient(&self, ingredient: &Ingredient, level: usize) -> Result<()> {
        let suffix = match &ingredient.source {
            Ok(maker) if ingredient.is_default() => {
                let number = self.number(&maker.place)?;
                let source = self.source(&maker.place);
                never_written(&format!("{number}  {source}"))
            }
            Ok(last) if ingredient.is_one_of_several() => self.one_of(ingredient, last, level)?,
            Ok(cause) => {
                let number = self.number(&cause.place)?;
                let is_shared = !ingredient.is_by_key && self.is_shared(cause);
                let is_elsewhere = cause.place.thread != self.causes.thread();
                let words = match cause.kind {
                    CauseKind::Put if ingredient.has_more_others => "last put there in step",
                    // A task's result comes out of a future: by the value alone it may be that of another task.
                    CauseKind::Return if is_shared && is_elsewhere => "last given back in step",
                    _ => "from step",
                };
                let rearranged = self.rearranged(ingredient, level)?;
                let (source, thread) = (self.source(&cause.place), self.of_other_thread(&cause.place));
                format!("  {FAINT}{words}{FAINT:#} {number}{thread}  {source}{rearranged}")
            }
            Err(Unknown::Nothing) => String::new(),
            Err(unknown) => format!("  {FAINT}{}{FAINT:#}", not_known(*unknown)),
        };
        self.row(ingredient, level, &suffix)
    }

    /// The calls of which one has put something there, those of a step once.
    fn one_of(&self, ingredient: &Ingredient, last: &Cause, level: usize) -> Result<String> {
        let mut steps: Vec<&StepPlace> = Vec::new();
        for place in std::iter::once(last).chain(&ingredient.others).map(|call| &call.place) {
            if !steps.iter().any(|known| (known.thread, known.step) == (place.thread, place.step)) {
                steps.push(place);
            }
        }
        if let ([place], false) = (&steps[..], ingredient.has_more_others) {
            let number = self.number(place)?;
            let rearranged = self.rearranged(ingredient, level)?;
            let (source, thread) = (self.source(place), self.of_other_thread(place));
            return Ok(format!("  {FAINT}from step{FAINT:#} {number}{thread}  {source}{rearranged}"));
        }
        let mut text = format!("  {FAINT}put there by one of{FAINT:#}");
        let width = 2 * (level + 1).min(DEEPEST);
        for &place in steps.iter().take(MOST_CALLS) {
            let number = self.number(place)?;
            let (source, thread) = (self.source(place), self.of_other_thread(place));
            text += &format!("\n{:width$}{FAINT}step{FAINT:#} {number}{thread}  {source}", "");
        }
        let left = steps.len().saturating_sub(MOST_CALLS);
        let words = match (left, ingredient.has_more_others) {
            (0, false) => None,
            (0, true) => Some("or before these".to_owned()),
            (left, false) => Some(format!("or {left} before these; `--json` has all")),
            (left, true) => Some(format!("or {left} and more before these")),
        };
        if let Some(words) = words {
            text += &format!("\n{:width$}{FAINT}{words}{FAINT:#}", "");
        }
        Ok(text + &self.rearranged(ingredient, level)?)
    }

    /// Which thread it was, if not the one that is asked about.
    fn of_other_thread(&self, place: &StepPlace) -> String {
        match place.thread == self.causes.thread() {
            true => String::new(),
            false => format!(" {FAINT}in thread {}{FAINT:#}", thread_name(self.session, place.thread)),
        }
    }

    fn rearranged(&self, ingredient: &Ingredient, level: usize) -> Result<String> {
        let Some(by) = &ingredient.rearranged_by else { return Ok(String::new()) };
        let (number, width) = (self.number(&by.place)?, 2 * (level + 1).min(DEEPEST));
        let source = self.source(&by.place);
        Ok(format!("\n{:width$}{FAINT}given another order in step{FAINT:#} {number}  {source}", ""))
    }

    pub(super) fn row(&self, ingredient: &Ingredient, level: usize, suffix: &str) -> Result<()> {
        let value = ingredient.value.map(|value| format!(" = {}", self.value(value))).unwrap_or_default();
        let width = 2 * level.min(DEEPEST);
        let which = if self.objects && !is_value(ingredient) { "which one: " } else { "" };
        let name = &ingredient.name;
        writeln!(self.context.stdout(), "{:width$}{FAINT}{which}{FAINT:#}{GOOD}{name}{value}{GOOD:#}{suffix}", "")?;
        Ok(())
    }

    /// `<int[]:1> of length 3`
    fn value(&self, value: Value) -> String {
        let words = self.session.words(value);
        match value {
            Value::Ref(object) if words.contains("[]") => match self.session.length_of(object) {
                Some(length) => format!("{words} of length {length}"),
                None => words,
            },
            _ => words,
        }
    }

    /// Strings and boxed values are shared: one that was handed over twice is taken for what was handed over last.
    fn is_shared(&self, cause: &Cause) -> bool {
        let Some(Value::Ref(object)) = cause.value else { return false };
        matches!(self.session.shown(object), Shown::Boxed { .. } | Shown::Text { .. })
    }

    pub(super) fn words(&self, cause: &Cause) -> String {
        match cause.value {
            Some(value) => format!("{} = {}", cause.what, self.session.words(value)),
            None => cause.what.clone(),
        }
    }

    pub(super) fn place(&self, place: &StepPlace, words: &str) -> Result<()> {
        let mut out = self.context.stdout();
        let number = self.number(place)?;
        let words = if words.is_empty() { String::new() } else { format!("  {GOOD}{words}{GOOD:#}") };
        writeln!(out, "{HEADING}{number:>7}{HEADING:#}  {}{words}", self.source(place))?;
        Ok(())
    }

    /// `Cart.total:31  total += line.cents();`
    pub(super) fn source(&self, place: &StepPlace) -> String {
        let line = self.session.source_line_of(place).unwrap_or_default();
        format!("{FAINT}{}{FAINT:#}  {line}", self.session.name_of_place(place))
    }

    pub(super) fn number(&self, place: &StepPlace) -> Result<u64> {
        Ok(self.moments.global_step(place.thread, place.step)?.unwrap_or(place.step))
    }
}

/// Of a field or an element that nobody has written, with the step that made its object.
pub(super) fn never_written(maker: &str) -> String {
    format!("  {FAINT}never written since it was made in step{FAINT:#} {maker}")
}

/// What call-backs have returned to a call did not make it call them.
fn is_given_back(ingredient: &Ingredient, call: &Cause) -> bool {
    let is_later = |source: &Cause| source.place.thread == call.place.thread && source.place.step > call.place.step;
    call.kind == CauseKind::Unrecorded && ingredient.source.as_ref().is_ok_and(is_later)
}

/// What unrecorded code does inside its own objects is nobody's question.
pub(super) fn is_inside_library(unknown: Unknown) -> bool {
    matches!(
        unknown,
        Unknown::NotWritten(
            HeapPlace::Content(_) | HeapPlace::Item(..) | HeapPlace::Entry(..) | HeapPlace::Captured(_)
        ) | Unknown::Outside
            | Unknown::Given(_)
            | Unknown::Function(_)
    )
}

pub(super) fn not_known(unknown: Unknown) -> &'static str {
    match unknown {
        Unknown::Outside | Unknown::Given(_) | Unknown::Function(_) => "given by code that is not recorded",
        Unknown::NotWritten(_) => "not written before by recorded code",
        Unknown::Changed(_) => "changed by code that is not recorded",
        Unknown::Nothing => "not known",
    }
}
