//! A chain as it would be written.

use super::ast::{
    Chain, Constraint, Definition, EventPattern, Expression, INSTANCE_OF_LEVEL, Item, Pick, PointExpression, Relation,
    Unary,
};
use std::fmt::{Display, Formatter, Result, Write};

impl Display for Chain {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        self.items.iter().try_for_each(|item| writeln!(f, "{item}"))
    }
}

impl Display for Item {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            Item::Define(definition) => definition.fmt(f),
            Item::Show { point, data } => {
                write!(f, "show {point}: ")?;
                list(f, data)
            }
        }
    }
}

fn list(f: &mut Formatter<'_>, data: &[Expression]) -> Result {
    for (at, one) in data.iter().enumerate() {
        write!(f, "{}{one}", if at == 0 { "" } else { ", " })?;
    }
    Ok(())
}

impl Display for Definition {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        write!(f, "{} = {}", self.name, self.point)?;
        if !self.with.is_empty() {
            f.write_str(" with ")?;
            list(f, &self.with)?;
        }
        Ok(())
    }
}

impl Display for PointExpression {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            PointExpression::Event { event, index, condition, constraints } => {
                event.fmt(f)?;
                if *index != 0 {
                    write!(f, " [{index}]")?;
                }
                rest(f, condition.as_ref(), constraints)
            }
            PointExpression::Relative { pick, event, relation, point, condition, constraints } => {
                let pick = match pick {
                    Pick::First => "first",
                    Pick::Last => "last",
                    Pick::Next => "next",
                };
                let relation = match relation {
                    Relation::Before => "before",
                    Relation::After => "after",
                };
                write!(f, "{pick} {event} {relation} {point}")?;
                rest(f, condition.as_ref(), constraints)
            }
            PointExpression::LastChange(of) => write!(f, "lastChange({of})"),
            PointExpression::LastCondition(point) => write!(f, "lastCondition({point})"),
        }
    }
}

fn rest(f: &mut Formatter<'_>, condition: Option<&Expression>, constraints: &[Constraint]) -> Result {
    if let Some(condition) = condition {
        write!(f, " if {condition}")?;
    }
    for (at, constraint) in constraints.iter().enumerate() {
        write!(f, " {} {constraint}", if at == 0 { "where" } else { "and" })?;
    }
    Ok(())
}

impl Display for EventPattern {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            EventPattern::Line(place) => write!(f, "line {place}"),
            EventPattern::Call(method) => write!(f, "call {method}"),
            EventPattern::Change(field) => write!(f, "change {field}"),
            EventPattern::ElementChange { field, index: Some(index) } => write!(f, "change {field}[{index}]"),
            EventPattern::ElementChange { field, index: None } => write!(f, "change {field}[]"),
            EventPattern::Exception(Some(class)) => write!(f, "exception {class}"),
            EventPattern::Exception(None) => f.write_str("exception"),
            EventPattern::Caught(Some(class)) => write!(f, "caught {class}"),
            EventPattern::Caught(None) => f.write_str("caught"),
        }
    }
}

impl Display for Constraint {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            Constraint::Before(point) => write!(f, "before({point})"),
            Constraint::Same(one, other) => write!(f, "same({one}, {other})"),
            Constraint::MayAffect(point) => write!(f, "mayAffect({point})"),
        }
    }
}

impl Display for Expression {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        self.print(f, 0)
    }
}

/// Of unary operators, and of what fields and elements are asked of.
const UNARY_LEVEL: u8 = 20;
const POSTFIX_LEVEL: u8 = 21;

impl Expression {
    fn level(&self) -> u8 {
        match self {
            Expression::Binary(operator, ..) => operator.level(),
            Expression::InstanceOf(..) => INSTANCE_OF_LEVEL,
            Expression::Unary(..) => UNARY_LEVEL,
            Expression::Int(value) if *value < 0 => UNARY_LEVEL,
            Expression::Long(value) if *value < 0 => UNARY_LEVEL,
            Expression::Float(value) if value.is_sign_negative() => UNARY_LEVEL,
            Expression::Double(value) if value.is_sign_negative() => UNARY_LEVEL,
            _ => POSTFIX_LEVEL,
        }
    }

    fn is_number(&self) -> bool {
        matches!(self, Expression::Int(_) | Expression::Long(_) | Expression::Float(_) | Expression::Double(_))
    }

    /// In brackets, if it does not bind at least as closely as `level`.
    fn print(&self, f: &mut Formatter<'_>, level: u8) -> Result {
        if self.level() < level || (level == POSTFIX_LEVEL && self.is_number()) {
            f.write_char('(')?;
            self.print(f, 0)?;
            return f.write_char(')');
        }
        match self {
            Expression::Null => f.write_str("null"),
            Expression::Boolean(value) => value.fmt(f),
            Expression::Int(value) => value.fmt(f),
            Expression::Long(value) => write!(f, "{value}L"),
            Expression::Float(value) => write!(f, "{value:?}f"),
            Expression::Double(value) => write!(f, "{value:?}"),
            Expression::Char(unit) => {
                f.write_char('\'')?;
                escaped(f, *unit)?;
                f.write_char('\'')
            }
            Expression::Text(text) => {
                f.write_char('"')?;
                text.encode_utf16().try_for_each(|unit| escaped(f, unit))?;
                f.write_char('"')
            }
            Expression::Name(name) => f.write_str(name),
            Expression::Event(part) => write!(f, ".{}", part.word()),
            Expression::At { point, frame, path } => {
                match (point, *frame) {
                    (Some(point), 0) => write!(f, "{point}:")?,
                    (point, frame) => write!(f, "{}({frame}):", point.as_deref().unwrap_or_default())?,
                }
                path.print(f, POSTFIX_LEVEL)
            }
            Expression::Field(of, name) => {
                of.print(f, POSTFIX_LEVEL)?;
                write!(f, ".{name}")
            }
            Expression::Element(of, index) => {
                of.print(f, POSTFIX_LEVEL)?;
                write!(f, "[{index}]")
            }
            Expression::Call(of, method, arguments) => {
                of.print(f, POSTFIX_LEVEL)?;
                write!(f, ".{}(", method.word())?;
                list(f, arguments)?;
                f.write_char(')')
            }
            Expression::Unary(operator, of) => {
                f.write_str(operator.word())?;
                let is_sign = matches!(operator, Unary::Minus | Unary::Plus);
                of.print(f, if is_sign && of.is_number() { POSTFIX_LEVEL } else { UNARY_LEVEL })
            }
            Expression::Binary(operator, left, right) => {
                left.print(f, operator.level())?;
                write!(f, " {} ", operator.word())?;
                right.print(f, operator.level() + 1)
            }
            Expression::InstanceOf(of, class) => {
                of.print(f, INSTANCE_OF_LEVEL)?;
                write!(f, " instanceof {class}")
            }
        }
    }
}

/// One character of a literal.
fn escaped(f: &mut Formatter<'_>, unit: u16) -> Result {
    match u8::try_from(unit) {
        Ok(quote @ (b'"' | b'\'' | b'\\')) => write!(f, "\\{}", char::from(quote)),
        Ok(b'\n') => f.write_str("\\n"),
        Ok(plain @ b' '..=b'~') => f.write_char(plain.into()),
        _ => write!(f, "\\u{unit:04x}"),
    }
}
