//! Events and values as JSON. Field names are stable: new ones may come, none changes.

use serde_json::{Map, Value as Json, json};
use whydunit_debugger::{EventKind, Session, Shown, Value, Variable};

/// The name of an event and what it is about.
pub(super) fn details(session: &Session, kind: &EventKind) -> (&'static str, Map<String, Json>) {
    let value = |value: &Value| value_json(session, *value);
    let optional = |value: &Option<Value>| value.map(|value| value_json(session, value));
    let (name, details) = match kind {
        EventKind::Enter { arguments, is_call_back, .. } => {
            let arguments: Vec<Json> = arguments.iter().map(|argument| variable_json(session, argument)).collect();
            ("enter", json!({ "arguments": arguments, "call_back": is_call_back }))
        }
        EventKind::Return { result } => ("return", json!({ "result": optional(result) })),
        EventKind::Step => ("step", json!({})),
        EventKind::Call { class, name, descriptor, receiver, arguments } => {
            let arguments: Vec<Json> = arguments.iter().map(value).collect();
            let target = json!({ "class": class.replace('/', "."), "method": name, "descriptor": descriptor });
            ("call", json!({ "target": target, "receiver": optional(receiver), "arguments": arguments }))
        }
        EventKind::CallReturned { result } => ("call_returned", json!({ "result": optional(result) })),
        EventKind::FieldRead { object, field, value: read } => {
            let owner = field.owner.replace('/', ".");
            let object = optional(object);
            ("field_read", json!({ "object": object, "owner": owner, "field": field.name, "value": value(read) }))
        }
        EventKind::FieldWritten { object, field, value: written } => {
            let owner = field.owner.replace('/', ".");
            let object = optional(object);
            ("field_written", json!({ "object": object, "owner": owner, "field": field.name, "value": value(written) }))
        }
        EventKind::ElementRead { array, index, value: read } => {
            ("element_read", json!({ "array": value(array), "index": index, "value": value(read) }))
        }
        EventKind::ElementWritten { array, index, value: written } => {
            ("element_written", json!({ "array": value(array), "index": index, "value": value(written) }))
        }
        EventKind::LocalWritten(variable) => ("local_written", json!({ "local": variable_json(session, variable) })),
        EventKind::Branch { comparison, taken, to_line } => {
            let (left, right) = (value(&comparison.left), value(&comparison.right));
            let operator = comparison.operator.symbol();
            let compared = json!({ "left": left, "operator": operator, "right": right });
            ("branch", json!({ "compared": compared, "jumps": taken, "to_line": to_line }))
        }
        EventKind::Switch { value: switched, to_line } => {
            ("switch", json!({ "value": value(switched), "to_line": to_line }))
        }
        EventKind::New { class, object } => {
            ("new", json!({ "created": class.replace('/', "."), "object": value(object) }))
        }
        EventKind::Throw { exception } => ("throw", json!({ "exception": optional(exception) })),
        EventKind::Catch { exception } => ("catch", json!({ "exception": value(exception) })),
        EventKind::Unwind { exception } => ("unwind", json!({ "exception": value(exception) })),
        EventKind::Mark => ("mark", json!({})),
        EventKind::Skipped => ("skipped", json!({})),
    };
    match details {
        Json::Object(details) => (name, details),
        _ => (name, Map::new()),
    }
}

pub(super) fn variable_json(session: &Session, variable: &Variable) -> Json {
    json!({ "name": variable.name, "slot": variable.slot, "value": value_json(session, variable.value) })
}

/// Primitive values as JSON has them, what it has not as a string; objects as `{"object": id, …}`.
pub(super) fn value_json(session: &Session, value: Value) -> Json {
    match value {
        Value::Boolean(value) => json!(value),
        Value::Byte(value) => json!(value),
        Value::Short(value) => json!(value),
        Value::Int(value) => json!(value),
        Value::Long(value) => json!(value),
        Value::Float(value) if value.is_finite() => json!(value),
        Value::Double(value) if value.is_finite() => json!(value),
        Value::Char(unit) => json!(String::from_utf16_lossy(&[unit])),
        Value::Float(_) | Value::Double(_) => json!(session.words(value)),
        Value::Null => Json::Null,
        Value::Fresh(_) => json!({ "object": null }),
        Value::Ref(object) => match session.shown(object) {
            Shown::Text { text, length } => {
                json!({ "object": object.0, "type": "String", "text": text, "length": length })
            }
            Shown::Boxed { type_name, value } => {
                json!({ "object": object.0, "type": type_name, "value": value_json(session, value) })
            }
            Shown::Class(name) => json!({ "object": object.0, "type": "Class", "class": name }),
            Shown::Object { type_name, number } => json!({ "object": object.0, "type": type_name, "number": number }),
            Shown::Unknown => json!({ "object": object.0 }),
        },
    }
}
