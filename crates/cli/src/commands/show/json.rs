//! A step as JSON. Field names are stable: new ones may come, none changes.

use crate::commands::events_json::{details, value_json, variable_json};
use crate::commands::place_json::JsonPlace;
use serde_json::{Value as Json, json};
use whydunit_debugger::{
    Effect, EffectKind, Evidence, Known, Moments, Next, ObjectView, PartView, PossibleChange, Session, StackFrame,
    StepView, Told, Value,
};

pub(in crate::commands) fn answer(
    session: &Session,
    moments: &Moments,
    step: &StepView,
    objects: &[ObjectView],
) -> Json {
    let source = step.source.as_ref().map(|lines| {
        let line = |line: &whydunit_debugger::SourceLine| {
            json!({ "line": line.number, "text": line.text, "current": line.is_current })
        };
        lines.iter().map(line).collect::<Vec<Json>>()
    });
    json!({
        "step": step.number,
        "steps": moments.all_steps(),
        "thread": step.thread.0,
        "thread_name": session.thread_name(step.thread),
        "place": JsonPlace::new(&step.place),
        "source": source,
        "effects": step.effects.iter().map(|effect| effect_json(session, effect)).collect::<Vec<_>>(),
        "effects_complete": !step.is_cut,
        "next": next_json(session, &step.next),
        "stack": step.stack.iter().map(frame_json).collect::<Vec<_>>(),
        "variables": step.variables.iter().map(|variable| variable_json(session, variable)).collect::<Vec<_>>(),
        "objects": objects.iter().map(|object| object_json(session, object)).collect::<Vec<_>>(),
    })
}

fn effect_json(session: &Session, effect: &Effect) -> Json {
    let event = effect.event.as_ref().map(|event| details(session, &event.kind));
    json!({
        "kind": match effect.kind {
            EffectKind::Read => "read",
            EffectKind::Written => "written",
            EffectKind::Called => "called",
            EffectKind::Did => "done",
        },
        "text": effect.text,
        "old": effect.old.map(|old| value_json(session, old)),
        "old_known": effect.old.is_some(),
        "old_step": effect.old_step,
        "value": effect.value.map(|value| value_json(session, value)),
        "call_step": effect.call_step,
        "event": event.as_ref().map(|(name, _)| *name),
        "details": event.map(|(_, details)| details),
    })
}

fn next_json(session: &Session, next: &Next) -> Json {
    match next {
        Next::Step { number, line } => json!({ "kind": "step", "step": number, "line": line }),
        Next::Returned { value, to } => json!({
            "kind": "returned",
            "value": value.map(|value| value_json(session, value)),
            "to": to.as_ref().map(JsonPlace::new),
        }),
        Next::Threw { exception, to } => json!({
            "kind": "threw",
            "exception": value_json(session, *exception),
            "to": to.as_ref().map(JsonPlace::new),
        }),
        Next::Unknown => json!({ "kind": "unknown" }),
    }
}

fn frame_json(frame: &StackFrame) -> Json {
    json!({
        "place": JsonPlace::new(&frame.place),
        "step": frame.step,
        "entered": frame.entered,
        "call_back": frame.is_call_back,
    })
}

pub(in crate::commands) fn object_json(session: &Session, view: &ObjectView) -> Json {
    let parts: Vec<Json> = view.parts.iter().map(|part| part_json(session, part)).collect();
    json!({ "object": value_json(session, Value::Ref(view.object)), "length": view.length, "parts": parts })
}

fn part_json(session: &Session, part: &PartView) -> Json {
    let changed = match &part.held {
        Told::MayHaveChanged(PossibleChange { call, step, .. }) => json!({ "call": call, "step": step }),
        _ => Json::Null,
    };
    let around = match &part.held {
        Told::Between { before, later } => {
            json!({ "before": known_json(session, *before), "later": known_json(session, *later) })
        }
        _ => Json::Null,
    };
    json!({
        "name": part.name,
        "owner": part.owner,
        "known": part.held.known().map(|held| known_json(session, held)),
        "may_have_changed": changed,
        "changed_between": around,
    })
}

fn known_json(session: &Session, known: Known) -> Json {
    json!({
        "value": value_json(session, known.value),
        "step": known.step,
        "from": match known.from {
            Evidence::Written => "written",
            Evidence::Read => "read",
            Evidence::ReadLater => "read_later",
        },
    })
}
