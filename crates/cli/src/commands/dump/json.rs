//! Events as lines of JSON. Field names are stable: new ones may come, none changes.

use crate::commands::events_json::details;
use serde::Serialize;
use serde_json::{Map, Value as Json};
use whydunit_debugger::{EventView, Session};

#[derive(Debug, Serialize)]
pub(super) struct JsonEvent<'s> {
    thread: u32,
    /// Counts the steps of all threads.
    step: u64,
    /// Counts the instructions of the thread.
    instruction: u64,
    depth: u32,
    class: String,
    method: &'s str,
    descriptor: &'s str,
    file: Option<&'s str>,
    line: Option<u32>,
    event: &'static str,
    #[serde(flatten)]
    details: Map<String, Json>,
    /// The event in words.
    text: String,
}

impl<'s> JsonEvent<'s> {
    pub(super) fn new(session: &Session, view: EventView<'s>) -> JsonEvent<'s> {
        let event = view.event;
        let (name, details) = details(session, &event.kind);
        JsonEvent {
            thread: event.thread.0,
            step: view.step,
            instruction: event.number,
            depth: event.depth,
            class: view.class(),
            method: view.method(),
            descriptor: view.descriptor(),
            file: view.source_file(),
            line: event.line,
            event: name,
            details,
            text: view.words(),
        }
    }
}
