//! Places as JSON, in all answers alike. Field names are stable: new ones may come, none changes.

use serde::Serialize;
use whydunit_debugger::{Moments, Place, Session, SessionError, StepPlace};

/// `{"name": "Cart.add:13", "class": "shop.Cart", "file": "Cart.java", "line": 13}`
#[derive(Debug, Serialize)]
pub(super) struct JsonPlace {
    name: String,
    class: String,
    file: Option<String>,
    line: Option<u32>,
}

impl JsonPlace {
    pub(super) fn new(place: &Place) -> JsonPlace {
        let Place { method: _, class, short, file, line } = place.clone();
        JsonPlace { name: short, class, file, line }
    }

    pub(super) fn of_step(session: &Session, place: &StepPlace) -> JsonPlace {
        JsonPlace::new(&session.place(place.method, place.line))
    }
}

/// A step, where it is, and the line of its source.
#[derive(Debug, Serialize)]
pub(super) struct JsonStepPlace {
    /// Among the steps of all threads.
    step: u64,
    thread: u32,
    place: JsonPlace,
    source: Option<String>,
}

impl JsonStepPlace {
    pub(super) fn new(session: &Session, moments: &Moments, place: &StepPlace) -> Result<JsonStepPlace, SessionError> {
        let number = moments.global_step(place.thread, place.step)?.unwrap_or(place.step);
        Ok(JsonStepPlace::numbered(session, number, place))
    }

    /// Of a step whose number is known.
    pub(super) fn numbered(session: &Session, step: u64, place: &StepPlace) -> JsonStepPlace {
        JsonStepPlace {
            step,
            thread: place.thread.0,
            place: JsonPlace::of_step(session, place),
            source: session.source_line_of(place),
        }
    }
}
