//! Events that are looked for in the index.

use crate::answer::Happened;
use crate::scope::Carried;
use crate::syntax::EventPattern;
use std::collections::BTreeSet;
use whydunit_debugger::{
    Direction, Hit, Moments, ObjectId, Query, SearchPlan, Session, SessionError, UnknownName, Value,
};

/// An event pattern by the names of the run.
#[derive(Debug)]
pub(crate) struct Pattern<'p> {
    event: &'p EventPattern,
    pub(crate) queries: Vec<Query>,
    /// The field that changes.
    field: String,
}

#[derive(Debug)]
pub(crate) enum PatternError {
    Name(UnknownName),
    Session(SessionError),
}

impl<'p> Pattern<'p> {
    pub(crate) fn new(
        session: &Session,
        moments: &Moments,
        event: &'p EventPattern,
    ) -> Result<Pattern<'p>, PatternError> {
        let mut field = String::new();
        let queries = match event {
            EventPattern::Line(place) => {
                let line = session.find_code_line(place).map_err(PatternError::Name)?;
                let number = u16::try_from(line.line).unwrap_or(u16::MAX);
                vec![Query::Line { methods: line.methods, line: number }]
            }
            EventPattern::Call(method) => {
                let mut methods: Vec<_> =
                    session.find_methods(method).map_err(PatternError::Name)?.into_iter().collect();
                methods.sort_unstable();
                methods.into_iter().map(Query::Entry).collect()
            }
            EventPattern::Change(name) => {
                let fields = session.find_fields(name).map_err(PatternError::Name)?;
                field = last_name(name);
                fields.into_iter().map(Query::Field).collect()
            }
            EventPattern::ElementChange { field: name, index } => {
                let fields = session.find_fields(name).map_err(PatternError::Name)?;
                let arrays = arrays_in(session, moments, fields.into_iter().map(Query::Field).collect())
                    .map_err(PatternError::Session)?;
                match (arrays.as_slice(), index) {
                    (&[array], &Some(index)) => vec![Query::Element { array, index }],
                    _ => vec![Query::Elements(arrays)],
                }
            }
            EventPattern::Exception(class) => {
                class.as_deref().map_or(Ok(()), |class| session.find_class(class)).map_err(PatternError::Name)?;
                vec![Query::Thrown]
            }
            EventPattern::Caught(class) => {
                class.as_deref().map_or(Ok(()), |class| session.find_class(class)).map_err(PatternError::Name)?;
                vec![Query::Caught]
            }
        };
        Ok(Pattern { event, queries, field })
    }

    /// Whether a hit is one of these events at all; `None` when that is not known.
    pub(crate) fn accepts(&self, session: &Session, hit: &Hit) -> Option<bool> {
        match (self.event, hit.value) {
            (EventPattern::ElementChange { index: Some(index), .. }, _) => Some(hit.element == Some(*index)),
            (EventPattern::Exception(Some(class)) | EventPattern::Caught(Some(class)), value) => match value {
                Some(Value::Ref(exception)) => session.is_instance(exception, class),
                _ => None,
            },
            _ => Some(true),
        }
    }

    pub(crate) fn carried(&self, session: &Session, hit: &Hit) -> Carried {
        let is_exception = matches!(self.event, EventPattern::Exception(_) | EventPattern::Caught(_));
        Carried {
            owner: hit.object,
            value: hit
                .value
                .filter(|_| !is_exception)
                .map(|value| session.typed_element(hit.object, hit.element, value)),
            index: hit.element,
            exception: hit.value.filter(|_| is_exception),
        }
    }

    pub(crate) fn happened(&self, session: &Session, hit: &Hit) -> Happened {
        match self.event {
            EventPattern::Line(_) => Happened::Line,
            EventPattern::Call(_) => Happened::Entered,
            EventPattern::Change(_) | EventPattern::ElementChange { .. } => {
                let of = hit.object.map(|object| session.words(object));
                let what = match (of, hit.element) {
                    (Some(array), Some(index)) => format!("{array}[{index}]"),
                    (Some(object), None) => format!("{object}.{}", self.field),
                    (None, _) => self.field.clone(),
                };
                let Carried { owner, value, index, .. } = self.carried(session, hit);
                Happened::Changed { what, owner, index, old: None, value }
            }
            EventPattern::Exception(_) => Happened::Thrown { exception: hit.value },
            EventPattern::Caught(_) => Happened::Caught { exception: hit.value },
        }
    }
}

fn last_name(name: &str) -> String {
    name.rsplit('.').next().unwrap_or(name).to_owned()
}

/// The arrays that were put into some fields in the course of the run.
fn arrays_in(session: &Session, moments: &Moments, queries: Vec<Query>) -> Result<Vec<ObjectId>, SessionError> {
    let plan = SearchPlan { queries, direction: Direction::Forwards, after: None, before: None, thread: None };
    let mut search = session.search(moments, plan)?;
    let mut arrays = BTreeSet::new();
    while let Some(found) = search.next_found()? {
        if let Some(Value::Ref(array)) = found.hit.value {
            arrays.insert(array);
        }
    }
    Ok(arrays.into_iter().collect())
}
