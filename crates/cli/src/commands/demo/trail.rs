//! The way back from a printed line: the step that printed it, the fields that were read for it, and who wrote
//! them.

use crate::error::Result;
use std::ops::ControlFlow;
use whydunit_debugger::{EventFilter, EventKind, EventView, ObjectId, Session, Shown, ThreadId, Value};

/// An event to show.
#[derive(Clone, Debug)]
pub(super) struct Spot {
    pub(super) thread: ThreadId,
    pub(super) step: u64,
    pub(super) place: String,
    pub(super) words: String,
    pub(super) source: String,
    /// `Line.quantity`
    pub(super) field: Option<String>,
}

/// A step that printed something, by its first instruction and that of the call.
#[derive(Debug)]
pub(super) struct Printed {
    pub(super) spot: Spot,
    first: u64,
    last: u64,
}

/// A field of an object and the writes to it.
#[derive(Debug)]
pub(super) struct History {
    object: ObjectId,
    field: String,
    /// `<Line:2>.quantity`
    pub(super) name: String,
    pub(super) writes: Vec<Spot>,
}

/// By depth: the first instruction of the current step.
#[derive(Debug, Default)]
struct Frames {
    instruction: Vec<u64>,
}

impl Frames {
    fn follow(&mut self, view: EventView<'_>) {
        let depth = view.event.depth as usize;
        if view.event.kind == EventKind::Step {
            self.instruction.resize(depth + 1, 0);
            self.instruction[depth] = view.event.number;
        }
    }
}

impl Spot {
    fn of(view: EventView<'_>, field: Option<&str>) -> Spot {
        Spot {
            thread: view.event.thread,
            step: view.event.step,
            place: view.place(),
            words: view.words(),
            source: view.source_line().unwrap_or_default(),
            field: field.map(str::to_owned),
        }
    }
}

/// The first call into the JDK that was given this text.
pub(super) fn printed(session: &Session, text: &str) -> Result<Option<Printed>> {
    let mut frames = Frames::default();
    let is_text = |value: &Value| match value {
        Value::Ref(object) => matches!(session.shown(*object), Shown::Text { text: shown, .. } if shown == text),
        _ => false,
    };
    Ok(session.events(&EventFilter::default(), |view| {
        frames.follow(view);
        match &view.event.kind {
            EventKind::Call { arguments, .. } if arguments.iter().any(is_text) => {
                let first = frames.instruction.get(view.event.depth as usize).copied().unwrap_or_default();
                ControlFlow::Break(Printed { spot: Spot::of(view, None), first, last: view.event.number })
            }
            _ => ControlFlow::Continue(()),
        }
    })?)
}

/// The fields of objects that were read in the step that printed, with all writes to them before.
pub(super) fn histories(session: &Session, printed: &Printed) -> Result<Vec<History>> {
    let filter = EventFilter { threads: Some(vec![printed.spot.thread]), ..EventFilter::default() };
    let mut histories: Vec<History> = Vec::new();
    session.events(&filter, |view| {
        if let EventKind::FieldRead { object: Some(Value::Ref(object)), field, .. } = &view.event.kind
            && (printed.first..=printed.last).contains(&view.event.number)
        {
            let name = format!("{}.{}", session.words(Value::Ref(*object)), field.name);
            let field = format!("{}.{}", field.owner, field.name);
            if !histories.iter().any(|known| known.object == *object && known.field == field) {
                histories.push(History { object: *object, field, name, writes: Vec::new() });
            }
        }
        until(view, printed.last)
    })?;
    session.events(&filter, |view| {
        if let EventKind::FieldWritten { object: Some(Value::Ref(object)), field, .. } = &view.event.kind {
            let name = format!("{}.{}", field.owner, field.name);
            let read = histories.iter_mut().find(|known| known.object == *object && known.field == name);
            if let Some(history) = read {
                let short = name.rsplit(['/', '$']).next();
                history.writes.push(Spot::of(view, short));
            }
        }
        until(view, printed.last)
    })?;
    Ok(histories)
}

fn until(view: EventView<'_>, last: u64) -> ControlFlow<()> {
    if view.event.number > last { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
}
