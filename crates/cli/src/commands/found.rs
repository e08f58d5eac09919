//! What was found in a run, as lines of text and as JSON.

use crate::commands::events_json::{details, value_json};
use crate::commands::place_json::JsonPlace;
use crate::context::{FAINT, GOOD, HEADING, WARNING};
use anstyle::Style;
use serde_json::{Map, Value as Json, json};
use std::io::{self, Write};
use whydunit_debugger::{EventKind, Occurrence, Outcome, Session};

/// How wide the columns are.
pub(super) struct Lines<'s> {
    session: &'s Session,
    step: usize,
    place: usize,
    has_threads: bool,
}

/// Longer places are not lined up.
const WIDEST_PLACE: usize = 40;

impl<'s> Lines<'s> {
    pub(super) fn new<'f>(session: &'s Session, found: impl IntoIterator<Item = &'f Occurrence>) -> Lines<'s> {
        let mut lines = Lines { session, step: 0, place: 0, has_threads: session.recording().threads.len() > 1 };
        for one in found {
            lines.step = lines.step.max(one.step.to_string().len());
            lines.place = lines.place.max(one.place.short.chars().count().min(WIDEST_PLACE));
        }
        lines
    }

    /// For lines that are written before all of them are known.
    pub(super) fn of_run(session: &'s Session, steps: u64) -> Lines<'s> {
        Lines { step: steps.to_string().len(), ..Lines::new(session, []) }
    }

    pub(super) fn write(&self, out: &mut impl Write, found: &Occurrence) -> io::Result<()> {
        let (width, place_width) = (self.step, self.place);
        write!(out, "{FAINT}{:>width$}{FAINT:#}  ", found.step)?;
        if self.has_threads {
            write!(out, "{:<4} ", found.thread.to_string())?;
        }
        let style = style_of(&found.event.kind);
        write!(out, "{FAINT}{:<place_width$}{FAINT:#}  {style}{}{style:#}", found.place.short, found.text)?;
        if let Some(old) = found.old {
            write!(out, " {FAINT}(was {}){FAINT:#}", self.session.words(old))?;
        }
        if let Some(caught) = &found.caught {
            write!(out, " {FAINT}caught in step {} at {}{FAINT:#}", caught.step, caught.place.short)?;
        }
        writeln!(out)
    }
}

fn style_of(kind: &EventKind) -> Style {
    match kind {
        EventKind::Enter { .. } => HEADING,
        EventKind::FieldWritten { .. } | EventKind::ElementWritten { .. } | EventKind::LocalWritten(_) => GOOD,
        EventKind::Throw { .. } | EventKind::Catch { .. } => WARNING,
        _ => Style::new(),
    }
}

pub(super) fn json(session: &Session, found: &Occurrence) -> Map<String, Json> {
    let (name, details) = details(session, &found.event.kind);
    let mut fields = Map::new();
    let mut add = |name: &str, value: Json| fields.insert(name.to_owned(), value);
    add("step", json!(found.step));
    add("thread", json!(found.thread.0));
    add("place", json!(JsonPlace::new(&found.place)));
    add("text", json!(found.text));
    add("event", json!(name));
    match found.outcome {
        Outcome::Returned(result) => drop(add("result", json!(result.map(|value| value_json(session, value))))),
        Outcome::Threw(exception) => drop(add("threw", value_json(session, exception))),
        Outcome::Unknown => {}
    }
    if let Some(old) = found.old {
        add("old", value_json(session, old));
    }
    if let Some(caught) = &found.caught {
        add("caught", json!({ "step": caught.step, "place": JsonPlace::new(&caught.place) }));
    }
    fields.extend(details);
    fields
}
