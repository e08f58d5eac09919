//! The lines that had a part in a value.

use super::Teller;
use super::change::Known;
use super::json::{JsonAnswer, JsonSlice};
use super::leads::Answer;
use super::rows::{is_inside_library, not_known};
use crate::context::{FAINT, HEADING, Outcome, WARNING};
use crate::error::Result;
use crate::progress::Progress;
use crate::text;
use std::collections::BTreeMap;
use std::io::Write;
use std::ops::ControlFlow;
use whydunit_debugger::{SliceKind, SliceLine, SliceView, Unknown};

/// How much of a slice is looked for, and how much of it is shown.
#[derive(Clone, Copy, Debug)]
pub(super) struct Extent {
    pub(super) most_steps: u64,
    pub(super) all: bool,
}

/// Lines of a slice that nobody reads through.
const LARGE: usize = 100;

/// What else to ask for when a slice is too large.
fn smaller(kind: SliceKind) -> Option<&'static str> {
    match kind {
        SliceKind::FULL => Some("`--actual` leaves out what only could have changed it, `--thin` all but the values"),
        SliceKind::ACTUAL => Some("`--thin` leaves out all but the values"),
        _ => None,
    }
}

impl Teller<'_> {
    /// Of all that a step has done.
    pub(super) fn slice(&self, step: u64, kind: SliceKind, extent: Extent) -> Result<Answer> {
        let Some(causes) = self.causes.of_step(step)? else { return self.nothing() };
        self.sliced(kind, extent, |watch| Ok(self.causes.slice(&causes.effects, kind, watch)?))
    }

    /// Of a variable as it is at a step.
    pub(super) fn slice_of(&self, step: u64, known: Known, kind: SliceKind, extent: Extent) -> Result<Answer> {
        let (behind, notes) = match known {
            Ok(found) => found,
            Err(missing) => {
                self.context.note(&missing);
                return Ok(Answer::without(Outcome::Negative));
            }
        };
        notes.iter().for_each(|note| self.context.note(note));
        self.sliced(kind, extent, |watch| Ok(self.causes.slice_before(step, &behind.sources(), kind, watch)?))
    }

    fn sliced(
        &self,
        kind: SliceKind,
        Extent { most_steps, all }: Extent,
        slice: impl FnOnce(&mut dyn FnMut(u64) -> ControlFlow<()>) -> Result<SliceView>,
    ) -> Result<Answer> {
        let progress = Progress::of_steps(self.context, "following values back");
        let slice = slice(&mut |steps: u64| {
            progress.set(steps);
            if steps < most_steps { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        })?;
        if self.context.json {
            let json = JsonSlice::new(self.session, self.moments, &slice)?;
            self.context.print_json(&JsonAnswer::new("slice", vec![json]))?;
        } else {
            self.lines(&slice, kind, all)?;
        }
        Ok(Answer::without(Outcome::Done))
    }

    fn lines(&self, slice: &SliceView, kind: SliceKind, all: bool) -> Result<()> {
        let mut out = self.context.stdout();
        let mut method = None;
        for SliceLine { count, last, number: step, could_have_changed } in &slice.lines {
            if method.replace(last.method) != Some(last.method) {
                writeln!(out, "{HEADING}{}{HEADING:#}", self.session.method_name(last.method))?;
            }
            let number = last.line.map_or_else(|| "?".to_owned(), |line| line.to_string());
            let source = self.session.source_line_of(last).unwrap_or_default();
            let steps = match count {
                1 => format!("step {step}"),
                count => format!("{count} steps, the last {step}"),
            };
            write!(out, "  {FAINT}{number:>5}{FAINT:#}  {source}  {FAINT}{steps}{FAINT:#}")?;
            if !could_have_changed.is_empty() {
                let names: Vec<&str> = could_have_changed.iter().map(String::as_str).collect();
                write!(out, "  {WARNING}could have changed {}{WARNING:#}", names.join(", "))?;
            }
            writeln!(out)?;
        }
        self.unknown(slice, all)?;
        let (steps, lines) = (slice.steps.len(), slice.lines.len());
        let (of_steps, of_lines) = (text::count(steps, "step", "steps"), text::count(lines, "line", "lines"));
        self.context.note(&format!("{of_steps} in {of_lines}"));
        if let Some(step) = slice.cut_before {
            let limit = match slice.cut_for_room {
                true => "there it needs millions of values at once, such as the elements of many long arrays; \
                         ask about one of them"
                    .to_owned(),
                false => {
                    let more = steps.saturating_mul(10);
                    format!("where the limit was reached; `--most-steps {more}` goes further back")
                }
            };
            self.context.note(&format!("the slice goes on before step {step}, {limit}"));
        }
        if slice.lacks_others {
            self.context.note("what other threads could have changed was not all looked at by then");
        }
        if let Some(smaller) = smaller(kind).filter(|_| slice.cut_before.is_some() || lines > LARGE) {
            self.context.note(smaller);
        }
        Ok(())
    }

    /// What no recorded code has made, by the reason.
    fn unknown(&self, slice: &SliceView, all: bool) -> Result<()> {
        let mut out = self.context.stdout();
        let mut by_reason: BTreeMap<&str, Vec<Unknown>> = BTreeMap::new();
        for &unknown in slice.unknown.iter().filter(|unknown| !is_inside_library(**unknown)) {
            by_reason.entry(not_known(unknown)).or_default().push(unknown);
        }
        for (reason, unknown) in by_reason {
            if all || unknown.len() == 1 {
                for one in unknown {
                    writeln!(out, "  {FAINT}{}: {reason}{FAINT:#}", self.causes.name_of(one))?;
                }
            } else {
                writeln!(out, "  {FAINT}{} places {reason}; `--all` lists them{FAINT:#}", unknown.len())?;
            }
        }
        Ok(())
    }
}
