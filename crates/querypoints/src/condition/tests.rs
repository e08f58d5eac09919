//! Conditions by the rules of Java.

use super::*;
use crate::syntax::{EventPart, Expression, parse_condition};
use whydunit_debugger::{ObjectId, Shown, Value};

/// Some variables, an array and two strings.
struct Fixed;

const TEA: ObjectId = ObjectId(1);
const LONG_TEXT: ObjectId = ObjectId(2);
const ARRAY: ObjectId = ObjectId(3);
const SEVEN: ObjectId = ObjectId(4);
const THING: ObjectId = ObjectId(5);

impl Scope for Fixed {
    fn name(&self, name: &str) -> Outcome {
        let value = match name {
            "i" => Value::Int(7),
            "b" => Value::Byte(-1),
            "c" => Value::Char(u16::from(b'x')),
            "l" => Value::Long(1 << 40),
            "f" => Value::Float(0.1),
            "d" => Value::Double(f64::NAN),
            "yes" => Value::Boolean(true),
            "nothing" => Value::Null,
            "tea" => Value::Ref(TEA),
            "long_text" => Value::Ref(LONG_TEXT),
            "array" => Value::Ref(ARRAY),
            "seven" => Value::Ref(SEVEN),
            "thing" => Value::Ref(THING),
            "unknown" => return Err(NotKnown::NotRecorded(name.to_owned())),
            _ => return Err(NotKnown::NoSuchName { name: name.to_owned(), known: Vec::new() }),
        };
        Ok(Datum::Value(value))
    }

    fn event(&self, part: EventPart) -> Outcome {
        match part {
            EventPart::Value => Ok(Datum::Value(Value::Int(3))),
            _ => Err(NotKnown::Wrong("there is none".to_owned())),
        }
    }

    fn at(&self, _point: Option<&str>, frame: i32, _path: &Expression) -> Outcome {
        Ok(Datum::Value(Value::Int(frame)))
    }

    fn field(&self, object: ObjectId, name: &str) -> Outcome {
        match (object, name) {
            (THING, "size") => Ok(Datum::Value(Value::Short(4))),
            (THING, "next") => Ok(Datum::Value(Value::Null)),
            _ => Err(NotKnown::NotRecorded(name.to_owned())),
        }
    }

    fn static_field(&self, class: &str, name: &str) -> Option<Outcome> {
        (class == "shop.Cart" && name == "count").then_some(Ok(Datum::Value(Value::Int(12))))
    }

    fn element(&self, _array: ObjectId, index: i32) -> Outcome {
        Ok(Datum::Value(Value::Int(index * 10)))
    }

    fn length(&self, array: ObjectId) -> Option<u32> {
        (array == ARRAY).then_some(3)
    }

    fn shown(&self, object: ObjectId) -> Shown {
        match object {
            TEA => Shown::Text { text: "tea".to_owned(), length: 3 },
            LONG_TEXT => Shown::Text { text: "beginning".to_owned(), length: 5000 },
            SEVEN => Shown::Boxed { type_name: "Integer".to_owned(), value: Value::Int(7) },
            _ => Shown::Unknown,
        }
    }

    fn is_instance(&self, object: ObjectId, class: &str) -> Option<bool> {
        match class {
            "Thing" => Some(object == THING),
            "Other" => Some(false),
            _ => None,
        }
    }
}

/// `true`, `false`, or why it is neither.
fn check(condition: &str, expected: &str) {
    let parsed = parse_condition(condition).unwrap_or_else(|error| panic!("{condition}: {error}"));
    let found = match holds(&parsed, &Fixed) {
        Ok(value) => value.to_string(),
        Err(why) => why.to_string(),
    };
    assert_eq!(found, expected, "{condition}");
}

#[test]
fn types_and_operators() {
    check("i == 7 && i != 8 && i >= 7 && !(i < 7)", "true");
    check("b < 0 && b + 1 == 0 && (b & 0xFF) == 255", "true");
    check("b >>> 28 == 15 && b >> 1 == -1 && 1 << 33 == 2", "true");
    check("c == 'x' && c == 120 && c > 'a'", "true");
    check("l > i && l == 1099511627776L", "true");
    // A float is not the double that is written like it.
    check("f == 0.1", "false");
    check("f == 0.1f", "true");
    check("d == d || d < 1 || d >= 1", "false");
    check("d != d", "true");
    check("2147483647 + 1 == -2147483648", "true");
    check("-7 / 2 == -3 && -7 % 2 == -1 && 7 / 2.0 == 3.5", "true");
    check("i / (i - 7) == 1", "division by zero");
    check("(yes ^ true) | false", "false");
    check("yes == true", "true");
    check("yes == 1", "values of these types cannot be compared or computed with");
    check("i", "i is not a boolean");
    check("~i == -8 && -i == -7 && +i == 7", "true");
}

#[test]
fn objects_and_texts() {
    check("nothing == null && tea != null", "true");
    check("tea.equals(\"tea\") && !tea.equals(\"Tea\") && tea.equalsIgnoreCase(\"TEA\")", "true");
    check("\"tea\".equals(tea) && !tea.equals(null) && !tea.equals(thing)", "true");
    check("tea == \"tea\"", "texts are compared with `equals`");
    check("tea.startsWith(\"te\") && tea.contains(\"e\") && tea.endsWith(\"a\") && tea.length() == 3", "true");
    check("long_text.length() == 5000 && !long_text.isEmpty()", "true");
    check("long_text.equals(\"beginning\")", "all of the text long_text is not known");
    check("nothing.equals(\"x\")", "nothing is null");
    check("array[1] == 10 && array.length == 3", "true");
    check("array[3] == 10", "index 3 is out of bounds");
    check("thing.size * 2 == 8 && thing.next == null", "true");
    check("thing.next.size == 1", "thing.next is null");
    check("seven == 7 && seven + 1 == 8 && seven.equals(7) && !seven.equals(7L)", "true");
    check("thing instanceof Thing && !(thing instanceof Other) && !(nothing instanceof Thing)", "true");
    check("thing instanceof Strange", "whether thing is of class Strange is not known");
    check(".value == 3 && A(2):x == 2 && (-1):x == -1", "true");
    check("shop.Cart.count == 12", "true");
    check("missing == 1", "there is no `missing` here");
}

#[test]
fn what_is_not_known_matters_only_where_it_decides() {
    check("unknown == 1", "unknown is not known");
    check("unknown == 1 && i == 8", "false");
    check("i == 8 && unknown == 1", "false");
    check("unknown == 1 || i == 7", "true");
    check("i == 7 || unknown == 1", "true");
    check("unknown == 1 && i == 7", "unknown is not known");
    check("unknown == 1 || i == 8", "unknown is not known");
    check("!(unknown == 1)", "unknown is not known");
    check("nothing != null && nothing.size > 3", "false");
}
