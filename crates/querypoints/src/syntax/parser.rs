//! Definitions.

use super::ast::{Chain, Constraint, Definition, EventPattern, Expression, Item, Pick, PointExpression, Relation};
use super::cursor::{Cursor, ParseError, Parsed};
use super::expressions::{expression, path};

const POINT: &str = "a point: `line`, `call`, `change`, `exception`, `caught`, `first`, `last`, `next`, \
                     `lastChange(…)` or `lastCondition(…)`";
const EVENT: &str = "an event: `line`, `call`, `change`, `exception` or `caught`";

/// The definitions in a text, one on each line or with `;` between them.
pub fn parse(text: &str) -> Result<Chain, ParseError> {
    let mut cursor = Cursor::new(text);
    let mut chain = Chain::default();
    loop {
        cursor.skip_separators();
        if cursor.rest().is_empty() {
            return Ok(chain);
        }
        chain.items.push(item(&mut cursor)?);
        cursor.skip_blanks();
        if !cursor.is_at_end_of_item() {
            return Err(cursor.expected("the end of the definition"));
        }
    }
}

/// A Java condition alone.
pub fn parse_condition(text: &str) -> Result<Expression, ParseError> {
    let mut cursor = Cursor::new(text);
    let condition = expression(&mut cursor)?;
    cursor.skip_blanks();
    if cursor.rest().is_empty() { Ok(condition) } else { Err(cursor.expected("an operator or the end")) }
}

fn item(cursor: &mut Cursor<'_>) -> Parsed<Item> {
    let name = cursor.word("the name of a point, as in `A = line Main.java:12`")?;
    if name == "show" && !cursor.accept("=") {
        let point = cursor.word("the name of a point")?.to_owned();
        cursor.expect(":")?;
        return Ok(Item::Show { point, data: data(cursor)? });
    } else if name != "show" {
        cursor.expect("=")?;
    }
    let point = point(cursor)?;
    let with = if cursor.accept_word("with") { data(cursor)? } else { Vec::new() };
    Ok(Item::Define(Definition { name: name.to_owned(), point, with }))
}

fn data(cursor: &mut Cursor<'_>) -> Parsed<Vec<Expression>> {
    let mut data = vec![expression(cursor)?];
    while cursor.accept(",") {
        data.push(expression(cursor)?);
    }
    Ok(data)
}

fn point(cursor: &mut Cursor<'_>) -> Parsed<PointExpression> {
    let Some(word) = cursor.peek_word() else { return Err(cursor.expected(POINT)) };
    let pick = match word {
        "lastChange" => {
            cursor.advance(word.len());
            cursor.expect("(")?;
            let before = *cursor;
            let of = path(cursor)?;
            if !matches!(of, Expression::At { point: Some(_), .. }) {
                return Err(before.expected("a variable at a point, such as `A(0):foo`"));
            }
            cursor.expect(")")?;
            return Ok(PointExpression::LastChange(of));
        }
        "lastCondition" => {
            cursor.advance(word.len());
            return Ok(PointExpression::LastCondition(in_brackets(cursor)?));
        }
        "first" => Some(Pick::First),
        "last" => Some(Pick::Last),
        "next" => Some(Pick::Next),
        "line" | "call" | "change" | "exception" | "caught" => None,
        _ => return Err(cursor.expected(POINT)),
    };
    let Some(pick) = pick else {
        let event = event(cursor)?;
        let index = if cursor.accept("[") {
            let index = cursor.integer("an index, such as `0` for the first or `-1` for the last")?;
            cursor.expect("]")?;
            index
        } else {
            0
        };
        let condition = condition(cursor)?;
        return Ok(PointExpression::Event { event, index, condition, constraints: constraints(cursor)? });
    };
    cursor.advance(word.len());
    let event = event(cursor)?;
    let mut asked = condition(cursor)?;
    let relation = match cursor.peek_word() {
        Some("after") => Relation::After,
        Some("before") if pick != Pick::Next => Relation::Before,
        _ if pick == Pick::Next => return Err(cursor.expected("`after` and a point")),
        _ => return Err(cursor.expected("`before` or `after` and a point")),
    };
    cursor.word("`before` or `after`")?;
    let point = cursor.word("the name of a point")?.to_owned();
    if asked.is_none() {
        asked = condition(cursor)?;
    }
    let constraints = constraints(cursor)?;
    Ok(PointExpression::Relative { pick, event, relation, point, condition: asked, constraints })
}

fn condition(cursor: &mut Cursor<'_>) -> Parsed<Option<Expression>> {
    Ok(if cursor.accept_word("if") { Some(expression(cursor)?) } else { None })
}

fn in_brackets(cursor: &mut Cursor<'_>) -> Parsed<String> {
    cursor.expect("(")?;
    let point = cursor.word("the name of a point")?.to_owned();
    cursor.expect(")")?;
    Ok(point)
}

fn event(cursor: &mut Cursor<'_>) -> Parsed<EventPattern> {
    let before = *cursor;
    match cursor.word(EVENT)? {
        "line" => {
            let start = *cursor;
            let place = cursor.until(&['[']);
            let number = place.rsplit_once(':').map_or(place, |(_, number)| number);
            if number.parse::<u32>().is_err() {
                return Err(start.expected("a line, such as `Main.java:12`"));
            }
            Ok(EventPattern::Line(place.to_owned()))
        }
        "call" => Ok(EventPattern::Call(name(cursor, "a method, such as `Cart.add`")?)),
        "change" => {
            let field = name(cursor, "a field, such as `Cart.total`")?;
            // `Cart.lines[3]` is an element, `Cart.total [3]` the fourth change.
            if cursor.peek() != Some('[') {
                return Ok(EventPattern::Change(field));
            }
            cursor.expect("[")?;
            if cursor.accept("]") {
                return Ok(EventPattern::ElementChange { field, index: None });
            }
            let start = *cursor;
            let index: i32 = cursor.integer("the index of an element, or `]`")?;
            if index < 0 {
                return Err(start.expected("the index of an element; a space before `[` makes it the index of a point"));
            }
            cursor.expect("]")?;
            Ok(EventPattern::ElementChange { field, index: Some(index) })
        }
        "exception" => Ok(EventPattern::Exception(class(cursor))),
        "caught" => Ok(EventPattern::Caught(class(cursor))),
        _ => Err(before.expected(EVENT)),
    }
}

/// `Cart.add`, `shop.Cart$Line.<init>`
fn name(cursor: &mut Cursor<'_>, what: &str) -> Parsed<String> {
    let start = *cursor;
    let found = cursor.until(&['[', ']', '(', ')', ',', '"', '\'']);
    let is_name = |part: &str| matches!(part, "<init>" | "<clinit>") || is_identifier(part);
    if found.split('.').all(is_name) { Ok(found.to_owned()) } else { Err(start.expected(what)) }
}

fn is_identifier(text: &str) -> bool {
    let starts = |c: char| c.is_alphabetic() || c == '_' || c == '$';
    text.starts_with(starts) && text.chars().all(|c| starts(c) || c.is_alphanumeric() || c == '-')
}

/// The class of an exception, if one is named.
fn class(cursor: &mut Cursor<'_>) -> Option<String> {
    if matches!(cursor.peek_word()?, "if" | "where" | "with" | "before" | "after") {
        return None;
    }
    let before = *cursor;
    let found = name(cursor, "a class").ok();
    if found.is_none() {
        *cursor = before;
    }
    found
}

fn constraints(cursor: &mut Cursor<'_>) -> Parsed<Vec<Constraint>> {
    let mut constraints = Vec::new();
    if !cursor.accept_word("where") {
        return Ok(constraints);
    }
    loop {
        let before = *cursor;
        const CONSTRAINT: &str = "a constraint: `before(P)`, `same(…, …)` or `mayAffect(P)`";
        constraints.push(match cursor.word(CONSTRAINT)? {
            "before" => Constraint::Before(in_brackets(cursor)?),
            "mayAffect" => Constraint::MayAffect(in_brackets(cursor)?),
            "same" => {
                cursor.expect("(")?;
                let one = path(cursor)?;
                cursor.expect(",")?;
                let other = path(cursor)?;
                cursor.expect(")")?;
                Constraint::Same(one, other)
            }
            _ => return Err(before.expected(CONSTRAINT)),
        });
        if !cursor.accept_word("and") {
            return Ok(constraints);
        }
    }
}
