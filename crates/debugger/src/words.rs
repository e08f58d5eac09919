//! Values and events as people write them.

use crate::events::EventView;
use crate::session::Session;
use std::fmt::Write;
use whydunit_replay::Value;
use whydunit_replay::events::{EventKind, Variable};
use whydunit_replay::naming::{Shown, show, simple_name};
use whydunit_trace::ObjectId;

/// Characters of a string that are shown.
const LONGEST_TEXT: usize = 80;

impl Session {
    /// Whether a value is a number or a text, boxed or not, and no other object.
    pub fn is_plain(&self, value: Value) -> bool {
        match value {
            Value::Null | Value::Fresh(_) => false,
            Value::Ref(object) => matches!(self.shown(object), Shown::Text { .. } | Shown::Boxed { .. }),
            _ => true,
        }
    }

    /// `3`, `'x'`, `"tea"`, `<Line:2>`.
    pub fn words(&self, value: Value) -> String {
        match value {
            Value::Boolean(value) => value.to_string(),
            Value::Byte(value) => value.to_string(),
            Value::Char(unit) => match char::from_u32(u32::from(unit)) {
                Some(character) => literal(character.encode_utf8(&mut [0; 4]), '\''),
                None => format!("'\\u{unit:04x}'"),
            },
            Value::Short(value) => value.to_string(),
            Value::Int(value) => value.to_string(),
            Value::Long(value) => value.to_string(),
            Value::Float(value) if value.is_infinite() => infinity(value < 0.0),
            Value::Float(value) => format!("{value:?}"),
            Value::Double(value) if value.is_infinite() => infinity(value < 0.0),
            Value::Double(value) => format!("{value:?}"),
            Value::Null => "null".to_owned(),
            Value::Fresh(_) => "<new object>".to_owned(),
            Value::Ref(object) => match self.shown(object) {
                Shown::Text { text, length } => quoted(&text, length),
                Shown::Boxed { value, .. } => self.words(value),
                Shown::Class(name) => name.map_or_else(|| "primitive type".to_owned(), |name| format!("{name}.class")),
                Shown::Object { type_name, number } => format!("<{type_name}:{number}>"),
                Shown::Unknown => format!("<object {}>", object.0),
            },
        }
    }

    /// What is known of an object; nothing when the recording cannot be read there.
    pub fn shown(&self, object: ObjectId) -> Shown {
        show(self.program(), self.objects(), object).unwrap_or(Shown::Unknown)
    }

    fn list(&self, values: &[Value]) -> String {
        values.iter().map(|&value| self.words(value)).collect::<Vec<_>>().join(", ")
    }
}

fn infinity(is_negative: bool) -> String {
    if is_negative { "-Infinity" } else { "Infinity" }.to_owned()
}

fn quoted(text: &str, length: u32) -> String {
    let mut shown: String = text.chars().take(LONGEST_TEXT).collect();
    if shown.encode_utf16().count() < length as usize {
        shown.push('…');
    }
    literal(&shown, '"')
}

/// As it would stand in Java.
fn literal(text: &str, quote: char) -> String {
    let mut literal = String::from(quote);
    for character in text.chars() {
        match character {
            '\n' => literal.push_str("\\n"),
            '\r' => literal.push_str("\\r"),
            '\t' => literal.push_str("\\t"),
            '\\' => literal.push_str("\\\\"),
            _ if character == quote => literal.extend(['\\', quote]),
            '\'' | '"' => literal.push(character),
            // What cannot be seen.
            _ if character.escape_debug().len() > 1 => {
                for unit in character.encode_utf16(&mut [0; 2]) {
                    let _ = write!(literal, "\\u{unit:04x}");
                }
            }
            _ => literal.push(character),
        }
    }
    literal.push(quote);
    literal
}

impl EventView<'_> {
    /// The event in words: `write <Line:2>.quantity = 3`.
    pub fn words(&self) -> String {
        let session = self.session;
        match &self.event.kind {
            EventKind::Enter { arguments, .. } => {
                let arguments: Vec<String> = arguments.iter().map(|argument| self.assignment(argument)).collect();
                format!("enter {}.{}({})", self.simple_class(), self.method(), arguments.join(", "))
            }
            EventKind::Return { result } => with_value("return", result.map(|value| session.words(value))),
            EventKind::Step => self.source_line().map_or_else(|| "step".to_owned(), |line| format!("step   {line}")),
            EventKind::Call { class, name, receiver, arguments, .. } => {
                let target = match receiver {
                    Some(receiver) if &**name != "<init>" => format!("{}.", self.object(*receiver)),
                    _ if class.is_empty() => String::new(),
                    _ => format!("{}.", simple_name(class)),
                };
                format!("call {target}{name}({})", session.list(arguments))
            }
            EventKind::CallReturned { result } => with_value("call returned", result.map(|value| session.words(value))),
            EventKind::FieldRead { object, field, value } => {
                format!("read {}.{} → {}", self.owner(*object, &field.owner), field.name, session.words(*value))
            }
            EventKind::FieldWritten { object, field, value } => {
                format!("write {}.{} = {}", self.owner(*object, &field.owner), field.name, session.words(*value))
            }
            EventKind::ElementRead { array, index, value } => {
                format!("read {}[{index}] → {}", session.words(*array), session.words(*value))
            }
            EventKind::ElementWritten { array, index, value } => {
                format!("write {}[{index}] = {}", session.words(*array), session.words(*value))
            }
            EventKind::LocalWritten(variable) => format!("set {}", self.assignment(variable)),
            EventKind::Branch { comparison, taken, to_line } => {
                let (left, right) = (session.words(comparison.left), session.words(comparison.right));
                let to = match (to_line, taken) {
                    (Some(line), _) => format!("to line {line}"),
                    (None, true) => "jumps".to_owned(),
                    (None, false) => "goes on".to_owned(),
                };
                format!("branch ({left} {} {right}) {to}", comparison.operator.symbol())
            }
            EventKind::Switch { value, to_line } => {
                let to = to_line.map(|line| format!(" to line {line}")).unwrap_or_default();
                format!("switch ({}){to}", session.words(*value))
            }
            EventKind::New { class, object: Value::Fresh(_) } => format!("new {}", simple_name(class)),
            EventKind::New { object, .. } => format!("new {}", session.words(*object)),
            EventKind::Throw { exception } => with_value("throw", exception.map(|value| session.words(value))),
            EventKind::Catch { exception } => format!("catch {}", session.words(*exception)),
            EventKind::Unwind { exception: Value::Null } => "unwind".to_owned(),
            EventKind::Unwind { exception } => format!("unwind {}", session.words(*exception)),
            EventKind::Mark => "mark".to_owned(),
            EventKind::Skipped => "skipped".to_owned(),
        }
    }

    fn assignment(&self, variable: &Variable) -> String {
        let mut text = match &variable.name {
            Some(name) => name.to_string(),
            None => format!("local{}", variable.slot),
        };
        // Writing to a string cannot fail.
        let _ = write!(text, " = {}", self.session.words(variable.value));
        text
    }

    fn object(&self, object: Value) -> String {
        if self.event.this == Some(object) { "this".to_owned() } else { self.session.words(object) }
    }

    fn owner(&self, object: Option<Value>, class: &str) -> String {
        object.map_or_else(|| simple_name(class), |object| self.object(object))
    }
}

fn with_value(word: &str, value: Option<String>) -> String {
    value.map_or_else(|| word.to_owned(), |value| format!("{word} {value}"))
}
