//! How objects are shown: `<ArrayList:1>`, strings as their text.

use crate::objects::ObjectTable;
use crate::program::Program;
use crate::value::Value;
use whydunit_trace::stream::{Content, StreamError};
use whydunit_trace::{ClassId, ObjectId};

/// What there is to show of an object.
#[derive(Clone, Debug, PartialEq)]
pub enum Shown {
    /// A string; `length` counts the UTF-16 units of all of it, of which `text` may be the beginning.
    Text { text: String, length: u32 },
    /// An `Integer`, `Double`, … and the value in it.
    Boxed { type_name: String, value: Value },
    /// A `java.lang.Class`: the name of the class it stands for, if it is not a primitive type.
    Class(Option<String>),
    /// `number` counts the objects of the type in order of their first appearance.
    Object { type_name: String, number: u32 },
    /// Nothing is known of it.
    Unknown,
}

pub fn show(program: &Program, objects: &ObjectTable, object: ObjectId) -> Result<Shown, StreamError> {
    let Some(class) = objects.class(object)? else {
        return Ok(Shown::Unknown);
    };
    let type_name = class_name(program, class);
    Ok(match objects.content(object)? {
        Some(Content::String { length, beginning }) => Shown::Text { text: beginning, length },
        Some(Content::Boxed { bits }) => Shown::Boxed { value: unboxed(&type_name, bits), type_name },
        Some(Content::Class { class }) => Shown::Class((class.0 != 0).then(|| class_name(program, class))),
        Some(Content::Plain | Content::Array { .. }) | None => {
            Shown::Object { type_name, number: objects.number(object)?.unwrap_or_default() }
        }
    })
}

fn class_name(program: &Program, class: ClassId) -> String {
    program.classes().get(class).map_or_else(|| class.to_string(), |class| simple_name(&class.name))
}

/// `java/util/Map$Entry` is `Entry`, `[[I` is `int[][]`, `Foo$1` stays.
pub fn simple_name(internal: &str) -> String {
    let element = internal.trim_start_matches('[');
    let dimensions = internal.len() - element.len();
    if dimensions > 0 {
        let name = match element {
            "Z" => "boolean".to_owned(),
            "B" => "byte".to_owned(),
            "C" => "char".to_owned(),
            "S" => "short".to_owned(),
            "I" => "int".to_owned(),
            "J" => "long".to_owned(),
            "F" => "float".to_owned(),
            "D" => "double".to_owned(),
            _ => simple_name(element.strip_prefix('L').and_then(|e| e.strip_suffix(';')).unwrap_or(element)),
        };
        return name + &"[]".repeat(dimensions);
    }
    // Hidden classes have a suffix that differs from run to run.
    let visible = internal.split_once("$$Lambda").map_or(internal, |(host, _)| host);
    let last = visible.rsplit(['/', '.']).next().unwrap_or(visible);
    if visible.len() < internal.len() {
        return format!("{last}$$Lambda");
    }
    match last.rsplit_once('$') {
        Some((_, inner)) if inner.starts_with(|c: char| c.is_alphabetic() || c == '_') => inner.to_owned(),
        _ => last.to_owned(),
    }
}

/// The value in an object of a class such as `Integer`.
pub fn unboxed(type_name: &str, bits: u64) -> Value {
    match type_name {
        "Boolean" => Value::Boolean(bits & 1 != 0),
        "Byte" => Value::Byte(bits as i8),
        "Character" => Value::Char(bits as u16),
        "Short" => Value::Short(bits as i16),
        "Long" => Value::Long(bits.cast_signed()),
        "Float" => Value::Float(f32::from_bits(bits as u32)),
        "Double" => Value::Double(f64::from_bits(bits)),
        _ => Value::Int((bits as u32).cast_signed()),
    }
}

#[cfg(test)]
mod tests {
    use super::simple_name;

    #[test]
    fn simple_names() {
        for (internal, expected) in [
            ("java/util/ArrayList", "ArrayList"),
            ("java/util/Map$Entry", "Entry"),
            ("Foo$1", "Foo$1"),
            ("[[I", "int[][]"),
            ("[Lp/Foo$Bar;", "Bar[]"),
            ("p/Foo$$Lambda$14/0x0000000800c03000", "Foo$$Lambda"),
            ("Main", "Main"),
        ] {
            assert_eq!(simple_name(internal), expected);
        }
    }
}
