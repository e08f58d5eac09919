//! Points as JSON. Field names are stable: new ones may come, none changes.

use crate::commands::events_json::value_json;
use crate::commands::place_json::JsonPlace;
use serde_json::{Value as Json, json};
use whydunit_debugger::{Session, Value};
use whydunit_querypoints::condition::Datum;
use whydunit_querypoints::{Answer, Collected, Frame, Happened, Instance, Located, Missing};

pub(super) fn answer(session: &Session, answer: &Answer) -> Json {
    json!({
        "complete": answer.is_complete(),
        "points": answer.points.iter().map(|point| point_json(session, point)).collect::<Vec<_>>(),
    })
}

fn point_json(session: &Session, point: &Located) -> Json {
    let (found, missing) = match &point.outcome {
        Ok(instance) => (instance_json(session, instance), Json::Null),
        Err(missing) => (Json::Null, missing_json(session, missing)),
    };
    json!({
        "name": point.name,
        "definition": point.definition,
        "found": found,
        "missing": missing,
        "unknown": point.unknown,
        "why_unknown": point.why_unknown,
    })
}

fn instance_json(session: &Session, instance: &Instance) -> Json {
    json!({
        "step": instance.step,
        "thread": instance.place.thread.0,
        "thread_name": session.thread_name(instance.place.thread),
        "instruction": instance.moment.instruction,
        "place": JsonPlace::of_step(session, &instance.place),
        "source": session.source_line_of(&instance.place),
        "event": happened_json(session, &instance.happened),
        "data": instance.data.iter().map(|collected| collected_json(session, collected)).collect::<Vec<_>>(),
        "stack": instance.stack.iter().map(|frame| frame_json(session, frame)).collect::<Vec<_>>(),
        "notes": instance.notes,
    })
}

fn frame_json(session: &Session, frame: &Frame) -> Json {
    json!({
        "step": frame.step,
        "place": JsonPlace::of_step(session, &frame.place),
        "call_back": frame.is_call_back,
    })
}

pub(in crate::commands) fn happened_json(session: &Session, happened: &Happened) -> Json {
    let value = |value: &Option<Value>| value.map(|value| value_json(session, value));
    match happened {
        Happened::Line => json!({ "kind": "line" }),
        Happened::Entered => json!({ "kind": "call" }),
        Happened::Changed { what, owner, index, old, value: new } => json!({
            "kind": "change",
            "what": what,
            "owner": value(owner),
            "index": index,
            "old": value(old),
            "old_known": old.is_some(),
            "value": value(new),
        }),
        Happened::MayHaveChanged { what, owner, index, call, value: found } => json!({
            "kind": "possible_change",
            "what": what,
            "owner": value(owner),
            "index": index,
            "call": call,
            "value": value(found),
            "value_known": found.is_some(),
        }),
        Happened::Passed { what, value: given } => json!({ "kind": "argument", "what": what, "value": value(given) }),
        Happened::Thrown { exception } => json!({ "kind": "exception", "exception": value(exception) }),
        Happened::Caught { exception } => json!({ "kind": "caught", "exception": value(exception) }),
        Happened::Decided { what } => json!({ "kind": "condition", "what": what }),
    }
}

pub(in crate::commands) fn collected_json(session: &Session, collected: &Collected) -> Json {
    let (value, why) = match &collected.value {
        Ok(Datum::Value(value)) => (value_json(session, *value), None),
        Ok(Datum::Text(text)) => (json!({ "text": text }), None),
        Err(why) => (Json::Null, Some(why)),
    };
    json!({ "expression": collected.expression, "known": why.is_none(), "value": value, "why_unknown": why })
}

fn missing_json(session: &Session, missing: &Missing) -> Json {
    let failed = missing.failed.iter().map(|(what, count)| json!({ "what": what, "count": count }));
    let nearest = missing.nearest.iter().map(
        |miss| json!({ "step": miss.step, "place": JsonPlace::of_step(session, &miss.place), "failed": miss.failed }),
    );
    json!({
        "why": missing.why,
        "candidates": missing.candidates,
        "failed": failed.collect::<Vec<_>>(),
        "nearest": nearest.collect::<Vec<_>>(),
    })
}
