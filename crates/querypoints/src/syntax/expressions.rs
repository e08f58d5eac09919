//! Java expressions.

use super::ast::{Binary, EventPart, Expression, INSTANCE_OF_LEVEL, Method, Unary};
use super::cursor::{Cursor, LESS_DEEP, Parsed};

const VALUE: &str = "a value: a variable, a field, a literal or a point such as `A(0):foo`";

pub(super) fn expression(cursor: &mut Cursor<'_>) -> Parsed<Expression> {
    let before = *cursor;
    let found = binary(cursor, 0)?;
    if found.is_within(DEEPEST) { Ok(found) } else { Err(before.expected(LESS_DEEP)) }
}

/// Expressions in expressions. Whatever is read is printed with fewer brackets than [`Cursor::deeper`] allows.
const DEEPEST: u32 = 100;

/// What has a place: `P(1):x.y`, `.owner`, `this.lines[3]`.
pub(super) fn path(cursor: &mut Cursor<'_>) -> Parsed<Expression> {
    let before = *cursor;
    let found = postfix(cursor)?;
    if !found.is_within(DEEPEST) {
        return Err(before.expected(LESS_DEEP));
    }
    if found.is_path() { Ok(found) } else { Err(before.expected("a variable, field or element")) }
}

/// Operators that bind closer than `level`.
fn binary(cursor: &mut Cursor<'_>, level: u8) -> Parsed<Expression> {
    cursor.deeper(|cursor| {
        let mut left = unary(cursor)?;
        let mut length = 0;
        loop {
            length += 1;
            if length > DEEPEST {
                return Err(cursor.expected(LESS_DEEP));
            }
            cursor.skip_blanks();
            if level < INSTANCE_OF_LEVEL && cursor.accept_word("instanceof") {
                left = Expression::InstanceOf(Box::new(left), class(cursor)?);
                continue;
            }
            let next = Binary::ALL.iter().find(|operator| cursor.rest().starts_with(operator.word()));
            let Some(&operator) = next.filter(|operator| operator.level() > level) else { return Ok(left) };
            cursor.advance(operator.word().len());
            let right = binary(cursor, operator.level())?;
            left = Expression::Binary(operator, Box::new(left), Box::new(right));
        }
    })
}

/// `java.util.List`, `int[]`
fn class(cursor: &mut Cursor<'_>) -> Parsed<String> {
    let mut name = cursor.word("a class")?.to_owned();
    while cursor.rest().starts_with('.') {
        cursor.advance(1);
        name.push('.');
        name.push_str(cursor.word("a class")?);
    }
    while cursor.rest().starts_with("[]") {
        cursor.advance(2);
        name.push_str("[]");
    }
    Ok(name)
}

fn unary(cursor: &mut Cursor<'_>) -> Parsed<Expression> {
    cursor.deeper(|cursor| {
        cursor.skip_blanks();
        // The smallest numbers have no positive counterpart.
        let rest = cursor.rest();
        if rest.strip_prefix('-').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit())) {
            cursor.advance(1);
            return number(cursor, true);
        }
        let operator = Unary::ALL.iter().find(|operator| rest.starts_with(operator.word()));
        match operator {
            Some(&operator) => {
                cursor.advance(operator.word().len());
                Ok(Expression::Unary(operator, Box::new(unary(cursor)?)))
            }
            None => postfix(cursor),
        }
    })
}

/// A primary and the fields, elements and calls behind it.
fn postfix(cursor: &mut Cursor<'_>) -> Parsed<Expression> {
    let mut value = at_point(cursor)?;
    loop {
        if cursor.rest().starts_with('[') {
            cursor.advance(1);
            let index = expression(cursor)?;
            cursor.expect("]")?;
            value = within(value, |of| Expression::Element(of, Box::new(index)));
            continue;
        }
        if !cursor.rest().starts_with('.') {
            return Ok(value);
        }
        cursor.advance(1);
        let before = *cursor;
        let name = cursor.word("the name of a field")?;
        if !cursor.rest().starts_with('(') {
            value = within(value, |of| Expression::Field(of, name.to_owned()));
            continue;
        }
        let Some(&method) = Method::ALL.iter().find(|method| method.word() == name) else {
            let known: Vec<String> = Method::ALL.iter().map(|method| format!("`{}`", method.word())).collect();
            return Err(before.expected(format!("a field or one of the methods {}", known.join(", "))));
        };
        cursor.expect("(")?;
        let mut arguments = Vec::new();
        if !cursor.accept(")") {
            loop {
                arguments.push(expression(cursor)?);
                if !cursor.accept(",") {
                    break;
                }
            }
            cursor.expect(")")?;
        }
        let takes = usize::from(!matches!(method, Method::Length | Method::IsEmpty));
        if arguments.len() != takes {
            let arguments = if takes == 0 { "no argument" } else { "one argument" };
            return Err(before.expected(format!("`{name}` with {arguments}")));
        }
        value = Expression::Call(Box::new(value), method, arguments);
    }
}

/// Of what is at a point, the fields are at that point, too.
fn within(value: Expression, wrap: impl FnOnce(Box<Expression>) -> Expression) -> Expression {
    match value {
        Expression::At { point, frame, path } => Expression::At { point, frame, path: Box::new(wrap(path)) },
        value => wrap(Box::new(value)),
    }
}

/// `P(1):x`, `P:x`, `(-1):this`, or a primary.
fn at_point(cursor: &mut Cursor<'_>) -> Parsed<Expression> {
    cursor.skip_blanks();
    let mut ahead = *cursor;
    let point = ahead.peek_word().map(str::to_owned);
    ahead.advance(point.as_ref().map_or(0, String::len));
    let mut frame = 0;
    if ahead.rest().starts_with('(') {
        ahead.advance(1);
        match ahead.integer("a frame") {
            Ok(number) if ahead.accept(")") => frame = number,
            _ => return primary(cursor),
        }
    } else if point.is_none() {
        return primary(cursor);
    }
    if !ahead.rest().starts_with(':') {
        return primary(cursor);
    }
    ahead.advance(1);
    *cursor = ahead;
    let before = *cursor;
    let path = match primary(cursor)? {
        root @ (Expression::Name(_) | Expression::Event(_)) => root,
        _ => return Err(before.expected("a variable or field")),
    };
    Ok(Expression::At { point, frame, path: Box::new(path) })
}

fn primary(cursor: &mut Cursor<'_>) -> Parsed<Expression> {
    cursor.skip_blanks();
    match cursor.peek() {
        Some('(') => {
            cursor.advance(1);
            let inside = expression(cursor)?;
            cursor.expect(")")?;
            Ok(inside)
        }
        Some('"') => text(cursor),
        Some('\'') => character(cursor),
        Some('.') => {
            cursor.advance(1);
            let before = *cursor;
            let word = cursor.word("what the event carries")?;
            let part = EventPart::ALL.iter().find(|part| part.word() == word);
            let known: Vec<String> = EventPart::ALL.iter().map(|part| format!("`.{}`", part.word())).collect();
            part.map(|&part| Expression::Event(part)).ok_or_else(|| before.expected(known.join(", ")))
        }
        Some(digit) if digit.is_ascii_digit() => number(cursor, false),
        _ => {
            let word = cursor.peek_word().ok_or_else(|| cursor.expected(VALUE))?;
            if matches!(word, "if" | "where" | "with" | "before" | "after" | "and" | "instanceof") {
                return Err(cursor.expected(VALUE));
            }
            cursor.advance(word.len());
            Ok(match word {
                "null" => Expression::Null,
                "true" => Expression::Boolean(true),
                "false" => Expression::Boolean(false),
                name => Expression::Name(name.to_owned()),
            })
        }
    }
}

fn number(cursor: &mut Cursor<'_>, is_negative: bool) -> Parsed<Expression> {
    let start = *cursor;
    let rest = cursor.rest();
    let is_hex = rest.starts_with("0x") || rest.starts_with("0X");
    let mut end = 0;
    let mut last = ' ';
    for c in rest.chars() {
        let is_sign = matches!(c, '+' | '-') && matches!(last, 'e' | 'E') && !is_hex;
        let is_part = c.is_ascii_alphanumeric() || c == '_' || (c == '.' && !is_hex) || is_sign;
        if !is_part {
            break;
        }
        end += c.len_utf8();
        last = c;
    }
    let written = rest.get(..end).unwrap_or_default();
    let wrong = || start.expected("a number");
    let sign = if is_negative { "-" } else { "" };
    let digits = written.replace('_', "");
    cursor.advance(end);
    let (body, is_long) = match digits.strip_suffix(['l', 'L']) {
        Some(body) => (body, true),
        None => (digits.as_str(), false),
    };
    if let Some(hex) = body.strip_prefix("0x").or_else(|| body.strip_prefix("0X")) {
        let bits = u64::from_str_radix(hex, 16).map_err(|_| wrong())?;
        let negated = |value: i64| if is_negative { value.wrapping_neg() } else { value };
        return match u32::try_from(bits) {
            _ if is_long => Ok(Expression::Long(negated(bits.cast_signed()))),
            Ok(bits) => Ok(Expression::Int(negated(i64::from(bits.cast_signed())) as i32)),
            Err(_) => Err(wrong()),
        };
    }
    let signed = format!("{sign}{body}");
    if is_long {
        return signed.parse().map(Expression::Long).map_err(|_| wrong());
    }
    if !body.contains(['.', 'e', 'E', 'f', 'F', 'd', 'D']) {
        return signed.parse().map(Expression::Int).map_err(|_| start.expected("an `int`, or a `long` with `L`"));
    }
    if let Some(float) = signed.strip_suffix(['f', 'F']) {
        let value = float.parse().ok().filter(|value: &f32| value.is_finite());
        return value.map(Expression::Float).ok_or_else(wrong);
    }
    let double = signed.strip_suffix(['d', 'D']).unwrap_or(&signed);
    let value = double.parse().ok().filter(|value: &f64| value.is_finite());
    value.map(Expression::Double).ok_or_else(wrong)
}

fn text(cursor: &mut Cursor<'_>) -> Parsed<Expression> {
    cursor.advance(1);
    let mut units: Vec<u16> = Vec::new();
    loop {
        match cursor.peek() {
            None | Some('\n') => return Err(cursor.expected("`\"` at the end of the text")),
            Some('"') => {
                cursor.advance(1);
                return match String::from_utf16(&units) {
                    Ok(text) => Ok(Expression::Text(text)),
                    Err(_) => Err(cursor.expected("a text without half characters")),
                };
            }
            Some(_) => unit(cursor, &mut units)?,
        }
    }
}

fn character(cursor: &mut Cursor<'_>) -> Parsed<Expression> {
    cursor.advance(1);
    let before = *cursor;
    let mut units = Vec::new();
    if !matches!(cursor.peek(), None | Some('\n' | '\'')) {
        unit(cursor, &mut units)?;
    }
    match units.as_slice() {
        &[unit] if cursor.rest().starts_with('\'') => {
            cursor.advance(1);
            Ok(Expression::Char(unit))
        }
        _ => Err(before.expected("one character and `'`")),
    }
}

/// A character or an escape.
fn unit(cursor: &mut Cursor<'_>, units: &mut Vec<u16>) -> Parsed<()> {
    let Some(next) = cursor.peek() else { return Ok(()) };
    cursor.advance(next.len_utf8());
    if next != '\\' {
        units.extend_from_slice(next.encode_utf16(&mut [0; 2]));
        return Ok(());
    }
    let escaped = cursor.peek();
    let plain = match escaped {
        Some('n') => '\n',
        Some('t') => '\t',
        Some('r') => '\r',
        Some('b') => '\u{8}',
        Some('f') => '\u{c}',
        Some('s') => ' ',
        Some('0') => '\0',
        Some(quote @ ('"' | '\'' | '\\')) => quote,
        Some('u') => {
            let digits = cursor.rest().get(1..5).filter(|digits| digits.chars().all(|c| c.is_ascii_hexdigit()));
            let code = digits.and_then(|digits| u16::from_str_radix(digits, 16).ok());
            units.push(code.ok_or_else(|| cursor.expected("`u` and four hexadecimal digits"))?);
            cursor.advance(5);
            return Ok(());
        }
        _ => return Err(cursor.expected("an escape of Java")),
    };
    cursor.advance(1);
    units.push(plain as u16);
    Ok(())
}
