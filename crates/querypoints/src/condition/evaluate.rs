//! Evaluation with the types and rules of Java. What the recording does not tell makes the result unknown.

use super::arithmetic;
use crate::syntax::{Binary, EventPart, Expression, Method, Unary};
use whydunit_debugger::{ObjectId, SessionError, Shown, Value};

/// A value, or a text of the expression itself.
#[derive(Clone, Debug, PartialEq)]
pub enum Datum {
    Value(Value),
    Text(String),
}

/// Why there is no value.
#[derive(Debug, thiserror::Error)]
pub enum NotKnown {
    /// Nobody recorded it.
    #[error("{0} is not known")]
    NotRecorded(String),
    /// Java would throw, or would not compile it.
    #[error("{0}")]
    Wrong(String),
    #[error("there is no `{name}` here")]
    NoSuchName { name: String, known: Vec<String> },
    #[error(transparent)]
    Session(#[from] SessionError),
}

pub type Outcome = Result<Datum, NotKnown>;

/// The moment that an expression is about.
pub trait Scope {
    /// A variable, `this`, or a field that code can name alone.
    fn name(&self, name: &str) -> Outcome;
    /// What the event of the moment carries.
    fn event(&self, part: EventPart) -> Outcome;
    /// Something at another point, or in another frame.
    fn at(&self, point: Option<&str>, frame: i32, path: &Expression) -> Outcome;
    fn field(&self, object: ObjectId, name: &str) -> Outcome;
    /// `None`: there is no such class.
    fn static_field(&self, class: &str, name: &str) -> Option<Outcome>;
    fn element(&self, array: ObjectId, index: i32) -> Outcome;
    /// `None` when it is not an array.
    fn length(&self, array: ObjectId) -> Option<u32>;
    fn shown(&self, object: ObjectId) -> Shown;
    fn is_instance(&self, object: ObjectId, class: &str) -> Option<bool>;
}

/// Whether a condition is met.
pub fn holds(condition: &Expression, scope: &dyn Scope) -> Result<bool, NotKnown> {
    truth(condition, scope)
}

pub fn evaluate(expression: &Expression, scope: &dyn Scope) -> Outcome {
    let value = match expression {
        Expression::Null => Value::Null,
        Expression::Boolean(value) => Value::Boolean(*value),
        Expression::Int(value) => Value::Int(*value),
        Expression::Long(value) => Value::Long(*value),
        Expression::Float(value) => Value::Float(*value),
        Expression::Double(value) => Value::Double(*value),
        Expression::Char(unit) => Value::Char(*unit),
        Expression::Text(text) => return Ok(Datum::Text(text.clone())),
        Expression::Name(name) => return scope.name(name),
        Expression::Event(part) => return scope.event(*part),
        Expression::At { point, frame, path } => return scope.at(point.as_deref(), *frame, path),
        Expression::Field(of, name) => return field(of, name, scope),
        Expression::Element(of, index) => {
            let array = object(of, scope)?;
            let index = number(index, scope)?;
            let Value::Int(index) = arithmetic::promoted(index) else {
                return Err(NotKnown::Wrong("the index of an element must be an `int`".to_owned()));
            };
            if index < 0 || scope.length(array).is_some_and(|length| index as u32 >= length) {
                return Err(NotKnown::Wrong(format!("index {index} is out of bounds")));
            }
            return scope.element(array, index);
        }
        Expression::Call(of, method, arguments) => return call(of, *method, arguments, scope),
        Expression::Unary(Unary::Not, _)
        | Expression::Binary(
            Binary::Or
            | Binary::And
            | Binary::Equal
            | Binary::NotEqual
            | Binary::Less
            | Binary::LessOrEqual
            | Binary::Greater
            | Binary::GreaterOrEqual,
            ..,
        )
        | Expression::InstanceOf(..) => Value::Boolean(truth(expression, scope)?),
        Expression::Unary(operator, of) => arithmetic::unary(*operator, number(of, scope)?).map_err(NotKnown::Wrong)?,
        Expression::Binary(operator, left, right) => {
            let (left, right) = (unboxed(left, scope)?, unboxed(right, scope)?);
            match (left, right) {
                (Datum::Value(left), Datum::Value(right)) => {
                    arithmetic::binary(*operator, left, right).map_err(NotKnown::Wrong)?
                }
                _ => return Err(NotKnown::Wrong(format!("`{}` of texts is not computed", operator.word()))),
            }
        }
    };
    Ok(Datum::Value(value))
}

fn truth(expression: &Expression, scope: &dyn Scope) -> Result<bool, NotKnown> {
    match expression {
        Expression::Unary(Unary::Not, of) => Ok(!truth(of, scope)?),
        // What is not known does not matter where the other side decides.
        Expression::Binary(Binary::And, left, right) => match truth(left, scope) {
            Ok(true) => truth(right, scope),
            Ok(false) => Ok(false),
            Err(unknown @ NotKnown::NotRecorded(_)) => match truth(right, scope) {
                Ok(false) => Ok(false),
                _ => Err(unknown),
            },
            Err(unknown) => Err(unknown),
        },
        Expression::Binary(Binary::Or, left, right) => match truth(left, scope) {
            Ok(false) => truth(right, scope),
            Ok(true) => Ok(true),
            Err(unknown @ NotKnown::NotRecorded(_)) => match truth(right, scope) {
                Ok(true) => Ok(true),
                _ => Err(unknown),
            },
            Err(unknown) => Err(unknown),
        },
        Expression::Binary(operator @ (Binary::Equal | Binary::NotEqual), left, right) => {
            let is_same = same(evaluate(left, scope)?, evaluate(right, scope)?, scope)?;
            Ok(is_same == (*operator == Binary::Equal))
        }
        Expression::Binary(
            operator @ (Binary::Less | Binary::LessOrEqual | Binary::Greater | Binary::GreaterOrEqual),
            left,
            right,
        ) => {
            let (left, right) = (number(left, scope)?, number(right, scope)?);
            let order = arithmetic::compare(left, right).map_err(NotKnown::Wrong)?;
            Ok(order.is_some_and(|order| match operator {
                Binary::Less => order.is_lt(),
                Binary::LessOrEqual => order.is_le(),
                Binary::Greater => order.is_gt(),
                _ => order.is_ge(),
            }))
        }
        Expression::InstanceOf(of, class) => match evaluate(of, scope)? {
            Datum::Text(_) => Ok(matches!(class.as_str(), "String" | "Object" | "CharSequence")),
            Datum::Value(Value::Null) => Ok(false),
            Datum::Value(Value::Ref(object)) => scope
                .is_instance(object, class)
                .ok_or_else(|| NotKnown::NotRecorded(format!("whether {of} is of class {class}"))),
            Datum::Value(Value::Fresh(_)) => Err(NotKnown::NotRecorded(of.to_string())),
            Datum::Value(_) => Err(NotKnown::Wrong(format!("{of} is not an object"))),
        },
        other => match unboxed(other, scope)? {
            Datum::Value(Value::Boolean(value)) => Ok(value),
            // Without debug information a boolean is an int.
            Datum::Value(Value::Int(value @ (0 | 1))) if other.is_path() => Ok(value != 0),
            _ => Err(NotKnown::Wrong(format!("{other} is not a boolean"))),
        },
    }
}

/// `==`
fn same(left: Datum, right: Datum, scope: &dyn Scope) -> Result<bool, NotKnown> {
    let (left, right) = match (left, right) {
        (Datum::Value(left), Datum::Value(right)) => (left, right),
        (Datum::Text(left), Datum::Text(right)) => return Ok(left == right),
        // Two strings of one text need not be one object, so this is no comparison of objects.
        (Datum::Text(_), Datum::Value(Value::Null)) | (Datum::Value(Value::Null), Datum::Text(_)) => return Ok(false),
        _ => return Err(NotKnown::Wrong("texts are compared with `equals`".to_owned())),
    };
    let is_reference = |value: Value| matches!(value, Value::Null | Value::Ref(_) | Value::Fresh(_));
    match (is_reference(left), is_reference(right)) {
        (true, true) => Ok(left == right),
        (false, false) => arithmetic::equal(left, right).map_err(NotKnown::Wrong),
        // Java unboxes.
        _ => arithmetic::equal(unbox(left, scope)?, unbox(right, scope)?).map_err(NotKnown::Wrong),
    }
}

fn unbox(value: Value, scope: &dyn Scope) -> Result<Value, NotKnown> {
    match value {
        Value::Ref(object) => match scope.shown(object) {
            Shown::Boxed { value, .. } => Ok(value),
            _ => Err(NotKnown::Wrong("an object is not a number".to_owned())),
        },
        Value::Null => Err(NotKnown::Wrong("`null` is not a number".to_owned())),
        value => Ok(value),
    }
}

fn unboxed(expression: &Expression, scope: &dyn Scope) -> Outcome {
    match evaluate(expression, scope)? {
        Datum::Value(value) => match unbox(value, scope) {
            Ok(value) => Ok(Datum::Value(value)),
            Err(_) => Err(NotKnown::Wrong(match value {
                Value::Null => format!("{expression} is null"),
                _ => format!("{expression} is not a number"),
            })),
        },
        text => Ok(text),
    }
}

fn number(expression: &Expression, scope: &dyn Scope) -> Result<Value, NotKnown> {
    match unboxed(expression, scope)? {
        Datum::Value(value) => Ok(value),
        Datum::Text(_) => Err(NotKnown::Wrong(format!("{expression} is not a number"))),
    }
}

fn object(expression: &Expression, scope: &dyn Scope) -> Result<ObjectId, NotKnown> {
    match evaluate(expression, scope)? {
        Datum::Value(Value::Ref(object)) => Ok(object),
        Datum::Value(Value::Null) => Err(NotKnown::Wrong(format!("{expression} is null"))),
        Datum::Value(Value::Fresh(_)) => Err(NotKnown::NotRecorded(expression.to_string())),
        _ => Err(NotKnown::Wrong(format!("{expression} is not an object"))),
    }
}

fn field(of: &Expression, name: &str, scope: &dyn Scope) -> Outcome {
    let found = object(of, scope);
    // `shop.Cart.count` begins with the name of a class.
    if let Err(NotKnown::NoSuchName { .. }) = found
        && let Some(class) = class_name(of)
        && let Some(value) = scope.static_field(&class, name)
    {
        return value;
    }
    let object = found?;
    match scope.length(object) {
        Some(length) if name == "length" => Ok(Datum::Value(Value::Int(length as i32))),
        _ => scope.field(object, name),
    }
}

/// `shop.Cart`, of names alone.
pub(crate) fn class_name(expression: &Expression) -> Option<String> {
    match expression {
        Expression::Name(name) => Some(name.clone()),
        Expression::Field(of, name) => Some(format!("{}.{name}", class_name(of)?)),
        _ => None,
    }
}

/// The text of a string, whole.
fn text(datum: &Datum, what: &Expression, scope: &dyn Scope) -> Result<Option<String>, NotKnown> {
    match datum {
        Datum::Text(text) => Ok(Some(text.clone())),
        Datum::Value(Value::Ref(object)) => match scope.shown(*object) {
            Shown::Text { text, length } if text.encode_utf16().count() == length as usize => Ok(Some(text)),
            Shown::Text { .. } => Err(NotKnown::NotRecorded(format!("all of the text {what}"))),
            _ => Ok(None),
        },
        Datum::Value(_) => Ok(None),
    }
}

fn call(of: &Expression, method: Method, arguments: &[Expression], scope: &dyn Scope) -> Outcome {
    let receiver = evaluate(of, scope)?;
    if receiver == Datum::Value(Value::Null) {
        return Err(NotKnown::Wrong(format!("{of} is null")));
    }
    // The length of a long text is known, though not all of it.
    if let (Method::Length | Method::IsEmpty, Datum::Value(Value::Ref(object))) = (method, &receiver)
        && let Shown::Text { length, .. } = scope.shown(*object)
    {
        return Ok(Datum::Value(match method {
            Method::Length => Value::Int(length as i32),
            _ => Value::Boolean(length == 0),
        }));
    }
    let argument = arguments.first().map(|argument| evaluate(argument, scope)).transpose()?;
    if let (Method::Equals, Some(argument)) = (method, &argument)
        && let Some(is_equal) = equal_objects(&receiver, argument, scope)
    {
        return Ok(Datum::Value(Value::Boolean(is_equal)));
    }
    let Some(own) = text(&receiver, of, scope)? else {
        return Err(NotKnown::NotRecorded(format!("the result of {of}.{}()", method.word())));
    };
    let other = match (arguments.first(), &argument) {
        (Some(argument), Some(value)) => text(value, argument, scope)?,
        _ => None,
    };
    let value = match (method, other) {
        (Method::Length, _) => Value::Int(own.encode_utf16().count() as i32),
        (Method::IsEmpty, _) => Value::Boolean(own.is_empty()),
        (Method::Equals, Some(other)) => Value::Boolean(own == other),
        (Method::EqualsIgnoreCase, Some(other)) => Value::Boolean(own.to_lowercase() == other.to_lowercase()),
        (Method::StartsWith, Some(other)) => Value::Boolean(own.starts_with(&other)),
        (Method::EndsWith, Some(other)) => Value::Boolean(own.ends_with(&other)),
        (Method::Contains, Some(other)) => Value::Boolean(own.contains(&other)),
        // A string equals nothing else.
        (Method::Equals | Method::EqualsIgnoreCase, None) => Value::Boolean(false),
        (_, None) => return Err(NotKnown::Wrong(format!("`{}` needs a text", method.word()))),
    };
    Ok(Datum::Value(value))
}

/// `equals` where it does not depend on the text.
fn equal_objects(own: &Datum, other: &Datum, scope: &dyn Scope) -> Option<bool> {
    let boxed = |datum: &Datum| match datum {
        Datum::Value(Value::Ref(object)) => match scope.shown(*object) {
            Shown::Boxed { value, .. } => Some(value),
            _ => None,
        },
        _ => None,
    };
    match (own, other) {
        (Datum::Value(own @ Value::Ref(_)), Datum::Value(other)) if own == other => Some(true),
        (_, Datum::Value(Value::Null)) => Some(false),
        // Java boxes the argument; boxes of two types are never equal.
        _ => boxed(own).map(|own| match (boxed(other), other) {
            (Some(other), _) => own == other,
            (None, Datum::Value(other)) => own == *other,
            (None, Datum::Text(_)) => false,
        }),
    }
}
