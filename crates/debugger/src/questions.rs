//! Where in the run something is: a value, a text, a method, a line, a field, a type, an exception.

use crate::code_places::CodePlaces;
use crate::events::{FieldFilter, LineFilter};
use crate::names::UnknownName;
use crate::notation::Outcome;
use crate::numbers::StepNumbers;
use crate::scan::{Occurrence, Scope, Seeker};
use crate::session::{Session, SessionError};
use crate::state::Moments;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;
use std::ops::ControlFlow;
use std::str::FromStr;
use std::sync::Arc;
use whydunit_replay::events::{Event, EventKind, Only, Wanted};
use whydunit_replay::index::{Mention, ThreadIndex};
use whydunit_replay::naming::{simple_name, unboxed};
use whydunit_replay::program::MethodIndex;
use whydunit_replay::{ReplayError, Value};
use whydunit_trace::stream::{Content, Texts};
use whydunit_trace::{ClassId, LogKind, ObjectId, ThreadId};

/// More objects than these are not looked up in the index one by one.
const FEW: usize = 512;

/// What to look for; all of it must hold.
#[derive(Clone, Debug, Default)]
pub struct Question {
    pub threads: Option<Vec<ThreadId>>,
    /// A variable, field, element, argument or result has this value.
    pub value: Option<Literal>,
    /// A variable, field, element, argument or result is a string with this in it.
    pub text: Option<String>,
    /// Alone: entries of these methods; else only what happens in them.
    pub methods: Option<FxHashSet<MethodIndex>>,
    /// Alone: visits to this line; else only what happens there.
    pub line: Option<LineFilter>,
    /// Reads and writes of this field.
    pub field: Option<FieldFilter>,
    /// Objects of this type when they first come up.
    pub type_name: Option<String>,
    /// Exceptions of this type, or of one that extends it, when they are thrown.
    pub exception: Option<String>,
}

/// A value as people write it.
#[derive(Clone, Debug, PartialEq)]
pub enum Literal {
    Null,
    Boolean(bool),
    Integer(i64),
    Decimal(f64),
    Char(u16),
    Text(String),
    /// `<Cart:1>`
    Object(String),
}

impl FromStr for Literal {
    type Err = String;

    fn from_str(text: &str) -> Result<Literal, String> {
        let inside = |quote: char| text.strip_prefix(quote).and_then(|rest| rest.strip_suffix(quote));
        let is_quoted = text.chars().count() > 1;
        if let Some(inside) = inside('"').filter(|_| is_quoted) {
            return Ok(Literal::Text(unescaped(inside)));
        }
        if let Some(inside) = inside('\'').filter(|_| is_quoted) {
            let units: Vec<u16> = unescaped(inside).encode_utf16().collect();
            if let [unit] = units[..] {
                return Ok(Literal::Char(unit));
            }
        }
        if text.starts_with('<') && text.ends_with('>') {
            return Ok(Literal::Object(text.to_owned()));
        }
        match text {
            "null" => return Ok(Literal::Null),
            "true" => return Ok(Literal::Boolean(true)),
            "false" => return Ok(Literal::Boolean(false)),
            "Infinity" => return Ok(Literal::Decimal(f64::INFINITY)),
            "-Infinity" => return Ok(Literal::Decimal(f64::NEG_INFINITY)),
            _ => {}
        }
        let digits = text.strip_suffix(['L', 'l']).unwrap_or(text);
        if let Ok(integer) = digits.parse() {
            return Ok(Literal::Integer(integer));
        }
        let is_number = text == "NaN" || text.starts_with(|c: char| c.is_ascii_digit() || "+-.".contains(c));
        match text.parse().ok().filter(|_| is_number) {
            Some(decimal) => Ok(Literal::Decimal(decimal)),
            None => Err(format!(
                "`{text}` is not a value: write `42`, `1.5`, `true`, `null`, `'x'`, `<Cart:1>`, or a text in quotes, \
                 `'\"{text}\"'`"
            )),
        }
    }
}

fn unescaped(text: &str) -> String {
    let mut out = String::new();
    let mut characters = text.chars();
    while let Some(c) = characters.next() {
        match (c, c == '\\') {
            (_, true) => match characters.next() {
                Some('n') => out.push('\n'),
                Some('t') => out.push('\t'),
                Some('r') => out.push('\r'),
                Some(other) => out.push(other),
                None => out.push('\\'),
            },
            (c, false) => out.push(c),
        }
    }
    out
}

/// What a value is compared with, made ready for many comparisons.
struct Values {
    literal: Option<Literal>,
    /// The objects that are looked for: one that was named, texts, boxed values.
    objects: FxHashSet<ObjectId>,
}

impl Values {
    fn is_primitive(&self) -> bool {
        !matches!(self.literal, None | Some(Literal::Text(_) | Literal::Object(_)))
    }

    fn accepts(&self, value: Value) -> bool {
        match (value, &self.literal) {
            (Value::Ref(object), _) => self.objects.contains(&object),
            (value, Some(literal)) => is_literal(value, literal),
            (_, None) => false,
        }
    }
}

/// Whether a primitive value, or `null`, is what was written.
fn is_literal(value: Value, literal: &Literal) -> bool {
    let same = |a: f64, b: f64| a == b || a.is_nan() && b.is_nan();
    match (value, literal) {
        (Value::Null, Literal::Null) => true,
        (Value::Boolean(value), Literal::Boolean(asked)) => value == *asked,
        (Value::Byte(value), Literal::Integer(asked)) => i64::from(value) == *asked,
        (Value::Short(value), Literal::Integer(asked)) => i64::from(value) == *asked,
        (Value::Int(value), Literal::Integer(asked)) => i64::from(value) == *asked,
        (Value::Long(value), Literal::Integer(asked)) => value == *asked,
        (Value::Char(value), Literal::Char(asked)) => value == *asked,
        (Value::Float(value), Literal::Decimal(asked)) => same(f64::from(value), f64::from(*asked as f32)),
        (Value::Double(value), Literal::Decimal(asked)) => same(value, *asked),
        _ => false,
    }
}

impl Mention for Values {
    const PRIMITIVES: bool = true;

    #[inline(always)]
    fn reference(&self, _bits: u64) -> bool {
        false
    }

    #[inline]
    fn value(&self, kind: LogKind, bits: u64) -> bool {
        match (&self.literal, kind) {
            (_, LogKind::Nothing) => false,
            (literal, LogKind::Reference) => {
                self.objects.contains(&ObjectId(bits as u32)) || bits == 0 && *literal == Some(Literal::Null)
            }
            (Some(Literal::Integer(asked)), LogKind::Long) => bits.cast_signed() == *asked,
            // Smaller types have an `int`'s slot.
            (Some(Literal::Integer(asked)), _) => i64::from((bits as u32).cast_signed()) == *asked,
            (Some(Literal::Boolean(asked)), _) => bits & 1 == u64::from(*asked),
            (Some(Literal::Char(asked)), _) => bits as u16 == *asked,
            (Some(Literal::Decimal(_)), LogKind::Float | LogKind::Double) => {
                self.literal.as_ref().is_some_and(|literal| is_literal(Value::of(kind, bits, None), literal))
            }
            _ => false,
        }
    }
}

/// What is looked for, by what decides.
enum Subject {
    Values(Arc<Values>),
    Field,
    Entry,
    Line,
    /// Objects of a type.
    Type(Arc<FxHashSet<ObjectId>>),
    /// Exceptions of these types.
    Exception(FxHashSet<u32>),
}

struct Finding<'s> {
    search: &'s Question,
    subject: Subject,
    places: Option<CodePlaces>,
}

impl Finding<'_> {
    fn is_at(&self, session: &Session, event: &Event) -> bool {
        let Question { methods, line, .. } = self.search;
        methods.as_ref().is_none_or(|methods| methods.contains(&event.method))
            && line.as_ref().is_none_or(|line| {
                event.line == Some(line.line)
                    && line.file.as_deref().is_none_or(|file| session.source_file(event.method) == Some(file))
            })
    }

    fn may_have_objects(
        &self,
        index: &ThreadIndex,
        segment: usize,
        objects: &FxHashSet<ObjectId>,
    ) -> Result<bool, ReplayError> {
        if objects.len() > FEW {
            return Ok(true);
        }
        let may_have =
            |summary: &whydunit_replay::index::Summary| objects.iter().any(|&object| summary.may_have_object(object));
        Ok(index.may_have_object(segment, &may_have)?)
    }
}

impl Seeker for Finding<'_> {
    fn wanted(&self) -> Wanted {
        let methods = match self.subject {
            Subject::Type(_) => None,
            _ => self.search.methods.clone(),
        };
        let only = match &self.subject {
            Subject::Field => None,
            Subject::Values(values) => {
                let values = Arc::clone(values);
                Some(Only(Arc::new(move |kind, bits| values.value(kind, bits))))
            }
            Subject::Type(objects) => {
                let objects = Arc::clone(objects);
                let is_it = move |kind, bits| kind == LogKind::Reference && objects.contains(&ObjectId(bits as u32));
                Some(Only(Arc::new(is_it)))
            }
            Subject::Entry | Subject::Line | Subject::Exception(_) => Some(Only(Arc::new(|_, _| false))),
        };
        Wanted { methods, only, ..Wanted::default() }
    }

    fn may_find(&self, session: &Session, index: &ThreadIndex, segment: usize) -> Result<bool, ReplayError> {
        let summary = index.summary(segment)?;
        if self.places.as_ref().is_some_and(|places| !places.has_run(&summary)) {
            return Ok(false);
        }
        Ok(match &self.subject {
            Subject::Field | Subject::Entry | Subject::Line => true,
            Subject::Exception(classes) => summary.exceptions().any(|exception| {
                let class = exception.map(|exception| session.objects().class(exception));
                // What cannot be read may be one.
                class.is_none_or(|class| {
                    class.map_or(true, |class| class.is_none_or(|class| classes.contains(&class.0)))
                })
            }),
            Subject::Values(values) if !values.is_primitive() => {
                self.may_have_objects(index, segment, &values.objects)?
            }
            Subject::Values(values) => index.glance(session.program(), session.objects(), segment, &**values)?,
            Subject::Type(objects) => self.may_have_objects(index, segment, objects)?,
        })
    }

    fn accepts(&self, session: &Session, event: &Event) -> bool {
        // Where an object comes up first is known only when all have been seen.
        if !matches!(self.subject, Subject::Type(_)) && !self.is_at(session, event) {
            return false;
        }
        match &self.subject {
            Subject::Entry => matches!(event.kind, EventKind::Enter { .. }),
            Subject::Line => matches!(event.kind, EventKind::Step),
            Subject::Exception(classes) => match &event.kind {
                EventKind::Throw { exception: Some(Value::Ref(exception)) } => {
                    let class = session.objects().class(*exception).ok().flatten();
                    class.is_some_and(|class| classes.contains(&class.0))
                }
                _ => false,
            },
            Subject::Field => self.search.field.as_ref().is_some_and(|field| field.accepts(&event.kind)),
            Subject::Values(values) => {
                let is_field = self.search.field.as_ref().is_none_or(|field| field.accepts(&event.kind));
                let is_shown = session.is_line(event) || matches!(event.kind, EventKind::CallReturned { .. });
                is_field && is_shown && values_held(&event.kind).any(|value| values.accepts(value))
            }
            Subject::Type(objects) => {
                let is_shown = session.is_line(event) || matches!(event.kind, EventKind::CallReturned { .. });
                let is_used = !matches!(event.kind, EventKind::Branch { .. });
                is_shown && is_used && objects_in(event).any(|object| objects.contains(&object))
            }
        }
    }
}

fn objects_in(event: &Event) -> impl Iterator<Item = ObjectId> {
    event.kind.values().filter_map(|value| match value {
        Value::Ref(object) => Some(object),
        _ => None,
    })
}

/// The values of variables, fields, elements, arguments and results in an event.
fn values_held(kind: &EventKind) -> impl Iterator<Item = Value> {
    let mut held = Vec::new();
    match kind {
        EventKind::LocalWritten(variable) => held.push(variable.value),
        EventKind::FieldRead { value, .. }
        | EventKind::FieldWritten { value, .. }
        | EventKind::ElementRead { value, .. }
        | EventKind::ElementWritten { value, .. } => held.push(*value),
        EventKind::Enter { arguments, .. } => held.extend(arguments.iter().map(|argument| argument.value)),
        EventKind::Call { arguments, .. } => held.extend(arguments),
        EventKind::Return { result } | EventKind::CallReturned { result } => held.extend(*result),
        _ => {}
    }
    held.into_iter()
}

impl Question {
    /// Nothing is asked for.
    pub fn is_empty(&self) -> bool {
        let Question { threads: _, value, text, methods, line, field, type_name, exception } = self;
        value.is_none()
            && text.is_none()
            && methods.is_none()
            && line.is_none()
            && field.is_none()
            && type_name.is_none()
            && exception.is_none()
    }
}

impl Session {
    /// Shows what is found to `visit` until that breaks: in the order of the run, or against it. `most` is how many are
    /// wanted; `progress` is told the instructions that were looked at since it was last called.
    pub fn occurrences(
        &self,
        moments: &Moments,
        search: &Question,
        most: usize,
        is_backwards: bool,
        progress: &dyn Fn(u64),
        visit: &mut dyn FnMut(Occurrence) -> ControlFlow<()>,
    ) -> Result<(), SessionError> {
        let subject = self.subject(search)?;
        let mut numbers = StepNumbers::new(moments);
        if let Subject::Type(objects) = subject {
            let mut left = FxHashSet::clone(&objects);
            let finding = Finding { search, subject: Subject::Type(objects), places: None };
            let mut last = VecDeque::new();
            let mut failed = None;
            let scope = Scope { threads: search.threads.as_deref(), ..Scope::default() };
            self.scan(moments, scope, &finding, progress, &mut |raw| {
                let in_result = match raw.outcome {
                    Outcome::Returned(Some(Value::Ref(object))) => Some(object),
                    _ => None,
                };
                let objects = objects_in(&raw.event).chain(in_result);
                let is_first = objects.filter(|object| left.remove(object)).count() > 0;
                if !is_first || !finding.is_at(self, &raw.event) {
                    return ControlFlow::Continue(());
                }
                // Once all have come up there is nothing further.
                let end = if left.is_empty() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
                if is_backwards {
                    last.push_front(raw);
                    last.truncate(most.saturating_add(1));
                    return end;
                }
                match self.found(&mut numbers, raw) {
                    Ok(found) => {
                        if visit(found).is_break() {
                            return ControlFlow::Break(());
                        }
                        end
                    }
                    Err(error) => {
                        failed = Some(error);
                        ControlFlow::Break(())
                    }
                }
            })?;
            for raw in last {
                if visit(self.found(&mut numbers, raw)?).is_break() {
                    break;
                }
            }
            return failed.map_or(Ok(()), Err);
        }
        let places = self.code_places(search.methods.as_ref(), search.line.as_ref(), search.field.as_ref());
        let finding = Finding { search, subject, places };
        let scope = Scope { threads: search.threads.as_deref(), is_backwards, most: Some(most) };
        let mut failed = None;
        self.scan(moments, scope, &finding, progress, &mut |raw| match self.found(&mut numbers, raw) {
            Ok(found) => visit(found),
            Err(error) => {
                failed = Some(error);
                ControlFlow::Break(())
            }
        })?;
        failed.map_or(Ok(()), Err)
    }

    fn subject(&self, search: &Question) -> Result<Subject, SessionError> {
        if search.value.is_some() || search.text.is_some() {
            let objects = self.objects_held(search)?;
            return Ok(Subject::Values(Arc::new(Values { literal: search.value.clone(), objects })));
        }
        if let Some(name) = &search.type_name {
            let classes = self.classes_called(name);
            let all = self.objects().all_of(|class| classes.contains(&class.0)).map_err(ReplayError::from)?;
            return Ok(Subject::Type(Arc::new(all.into_iter().collect())));
        }
        if let Some(name) = &search.exception {
            return Ok(Subject::Exception(self.classes_below(name)));
        }
        Ok(match (&search.field, &search.line) {
            (Some(_), _) => Subject::Field,
            (None, Some(_)) => Subject::Line,
            (None, None) => Subject::Entry,
        })
    }

    /// The objects that are, or hold, a value.
    fn objects_held(&self, search: &Question) -> Result<FxHashSet<ObjectId>, SessionError> {
        match (&search.value, &search.text) {
            (Some(Literal::Object(name)), _) => Ok(self.find_object(name).ok().into_iter().collect()),
            (Some(Literal::Null), None) => Ok(FxHashSet::default()),
            (Some(Literal::Text(_)) | None, _) => self.texts(|text| {
                search.text.as_ref().is_none_or(|part| text.contains(&**part))
                    && search.value.as_ref().is_none_or(|value| matches!(value, Literal::Text(asked) if asked == text))
            }),
            (Some(literal), None) => self.boxes_of(literal),
            // No text is a number.
            (Some(_), Some(_)) => Ok(FxHashSet::default()),
        }
    }

    fn texts(&self, is_it: impl Fn(&str) -> bool) -> Result<FxHashSet<ObjectId>, SessionError> {
        Ok(self.objects().all_with(Texts::Read, |sighting| match &sighting.content {
            Content::String { beginning, .. } => is_it(beginning),
            _ => false,
        })?)
    }

    /// The objects in which a number, truth value or character is.
    fn boxes_of(&self, literal: &Literal) -> Result<FxHashSet<ObjectId>, SessionError> {
        let boxes = self.program().classes().iter().filter(|class| is_box(&class.name));
        let names: FxHashMap<ClassId, String> = boxes.map(|class| (class.id, simple_name(&class.name))).collect();
        Ok(self.objects().all_with(Texts::PassedOver, |sighting| match sighting.content {
            Content::Boxed { bits } => {
                names.get(&sighting.class).is_some_and(|name| is_literal(unboxed(name, bits), literal))
            }
            _ => false,
        })?)
    }

    fn classes_called(&self, name: &str) -> FxHashSet<u32> {
        let classes = self.program().classes().iter().filter(|class| is_type(&class.name, name));
        classes.map(|class| class.id.0).collect()
    }

    /// A class and those that extend it.
    pub(crate) fn classes_below(&self, name: &str) -> FxHashSet<u32> {
        let classes = self.program().classes();
        let is_below = |class: &&whydunit_trace::record::Class| {
            classes.supertypes(class.id).iter().any(|above| is_type(&above.name, name))
        };
        classes.iter().filter(is_below).map(|class| class.id.0).collect()
    }

    /// Checks that the run has a type of this name: `ArrayList`, `java.util.ArrayList`, `int[]`.
    pub fn find_type(&self, asked: &str) -> Result<String, UnknownName> {
        if self.program().classes().iter().any(|class| is_type(&class.name, asked)) {
            return Ok(asked.to_owned());
        }
        let known = self.program().classes().iter().map(|class| simple_name(&class.name));
        Err(UnknownName::new(format!("no recorded object is of a type called `{asked}`"), asked, known))
    }
}

fn is_type(internal: &str, asked: &str) -> bool {
    simple_name(internal) == asked || crate::names::is_named(internal, asked)
}

fn is_box(internal: &str) -> bool {
    let boxes = ["Boolean", "Byte", "Character", "Short", "Integer", "Long", "Float", "Double"];
    internal.strip_prefix("java/lang/").is_some_and(|name| boxes.contains(&name))
}

#[cfg(test)]
mod tests {
    use super::Literal;

    #[test]
    fn values_as_people_write_them() {
        for (text, expected) in [
            ("42", Literal::Integer(42)),
            ("-7L", Literal::Integer(-7)),
            ("1.5", Literal::Decimal(1.5)),
            ("true", Literal::Boolean(true)),
            ("null", Literal::Null),
            ("'x'", Literal::Char(120)),
            (r#""a\"b""#, Literal::Text("a\"b".into())),
            ("<Cart:1>", Literal::Object("<Cart:1>".into())),
        ] {
            assert_eq!(text.parse(), Ok(expected), "{text}");
        }
        for text in ["", "tea", "\"", "'xy'", "infinity", "nan"] {
            assert!(text.parse::<Literal>().is_err(), "{text}");
        }
    }
}
