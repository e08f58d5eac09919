//! The comparison as JSON. Field names are stable: new ones may come, none changes.

use super::Teller;
use crate::commands::events_json::value_json;
use crate::commands::place_json::JsonStepPlace;
use crate::error::Result;
use serde::Serialize;
use serde_json::Value as Json;
use whydunit_debugger::{DifferenceKind, DifferenceView, Pair, Side, StepPlace};

#[derive(Serialize)]
struct JsonDiff {
    runs: [String; 2],
    same: bool,
    /// Of all differences.
    count: u64,
    differences: Vec<JsonDifference>,
    threads: Vec<JsonThread>,
    /// Methods that have other code, and those of them that were aligned all the same.
    changed_methods: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    aligned_methods: Vec<String>,
    not_compared: Vec<JsonIgnored>,
}

#[derive(Serialize)]
struct JsonDifference {
    kind: &'static str,
    /// Whether it is about where control goes, not about a value.
    control: bool,
    what: String,
    count: u64,
    /// Steps that each run made on its own.
    apart: [u64; 2],
    runs: [JsonSide; 2],
    callers: Vec<[JsonStepPlace; 2]>,
}

#[derive(Serialize)]
struct JsonSide {
    #[serde(flatten)]
    place: Option<JsonStepPlace>,
    text: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<Json>,
    #[serde(skip_serializing_if = "Option::is_none")]
    to_line: Option<u32>,
}

#[derive(Serialize)]
struct JsonThread {
    threads: [Option<u32>; 2],
    names: [Option<String>; 2],
    steps: [u64; 2],
}

#[derive(Serialize)]
struct JsonIgnored {
    method: String,
    count: u64,
}

pub(super) fn print(teller: &Teller<'_>) -> Result<()> {
    let differences: Vec<DifferenceView<'_>> = teller.diff.differences().collect();
    let threads = teller.diff.threads().iter().map(|thread| JsonThread {
        threads: both(|side| thread.ids[side].map(|id| id.0)),
        names: both(|side| Some(teller.sessions[side].thread_name(thread.ids[side]?)?.to_owned())),
        steps: both(|side| thread.steps[side]),
    });
    teller.context.print_json(&JsonDiff {
        runs: array(teller.names()),
        same: teller.diff.is_same(),
        count: differences.iter().map(|difference| difference.group.count).sum(),
        differences: differences.iter().map(|view| difference(teller, view)).collect::<Result<_>>()?,
        threads: threads.collect(),
        changed_methods: teller.diff.changed().map(|(method, _)| method).collect(),
        aligned_methods: teller
            .diff
            .changed()
            .filter(|(_, is_aligned)| *is_aligned)
            .map(|(method, _)| method)
            .collect(),
        not_compared: teller.diff.ignored().map(|(method, count)| JsonIgnored { method, count }).collect(),
    })
}

fn difference(teller: &Teller<'_>, view: &DifferenceView<'_>) -> Result<JsonDifference> {
    let kind = &view.group.first.kind;
    let side = |side: Side| -> Result<JsonSide> {
        let own = &view.sides[side];
        Ok(JsonSide {
            place: own.place.as_ref().map(|at| place(teller, side, at)).transpose()?,
            text: own.text.clone(),
            value: own.value.map(|value| value_json(&teller.sessions[side], value)),
            to_line: own.to_line,
        })
    };
    let caller = |points: &Pair<StepPlace>| -> Result<[JsonStepPlace; 2]> {
        Ok([place(teller, Side::Left, &points.left)?, place(teller, Side::Right, &points.right)?])
    };
    Ok(JsonDifference {
        kind: name_of(kind),
        control: kind.is_control(),
        what: view.what.clone(),
        count: view.group.count,
        apart: array(view.group.apart),
        runs: [side(Side::Left)?, side(Side::Right)?],
        callers: view.callers.iter().map(caller).collect::<Result<_>>()?,
    })
}

fn place(teller: &Teller<'_>, side: Side, place: &StepPlace) -> Result<JsonStepPlace> {
    Ok(JsonStepPlace::numbered(&teller.sessions[side], teller.number(side, place)?, place))
}

fn name_of(kind: &DifferenceKind) -> &'static str {
    match kind {
        DifferenceKind::Branch { .. } => "branch",
        DifferenceKind::Switch { .. } => "switch",
        DifferenceKind::Target { .. } => "target",
        DifferenceKind::CallBack { .. } => "call_back",
        DifferenceKind::Exception { .. } => "exception",
        DifferenceKind::End { .. } => "end",
        DifferenceKind::Code { .. } => "code",
        DifferenceKind::Way { .. } => "way",
        DifferenceKind::Lost => "lost",
        DifferenceKind::Value { .. } => "value",
    }
}

fn both<T>(of: impl Fn(Side) -> T) -> [T; 2] {
    [of(Side::Left), of(Side::Right)]
}

fn array<T>(pair: Pair<T>) -> [T; 2] {
    [pair.left, pair.right]
}
