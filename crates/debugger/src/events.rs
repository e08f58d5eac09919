//! The run as events.

use crate::numbers::StepNumbers;
use crate::session::{Session, SessionError};
use rustc_hash::FxHashSet;
use std::ops::{ControlFlow, RangeInclusive};
use whydunit_replay::ReplayError;
use whydunit_replay::events::{Event, EventKind, Wanted, for_each_event};
use whydunit_replay::naming::simple_name;
use whydunit_replay::program::{Field, Member, MethodIndex};
use whydunit_trace::ThreadId;
use whydunit_trace::record::Definition;

/// Which events to show; by default all.
#[derive(Clone, Debug)]
pub struct EventFilter {
    pub threads: Option<Vec<ThreadId>>,
    pub methods: Option<FxHashSet<MethodIndex>>,
    pub line: Option<LineFilter>,
    /// Only reads and writes of this field.
    pub field: Option<FieldFilter>,
    /// From the start of the first of these steps to the end of the last one. They count the steps of all threads, if
    /// the index is there; else those of each thread.
    pub steps: RangeInclusive<u64>,
    /// When only some methods are wanted: their calls of other recorded methods, too.
    pub with_calls: bool,
}

impl Default for EventFilter {
    fn default() -> EventFilter {
        EventFilter { threads: None, methods: None, line: None, field: None, steps: 0..=u64::MAX, with_calls: false }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineFilter {
    /// `Cart.java`; `None`: every file.
    pub file: Option<Box<str>>,
    pub line: u32,
}

/// Fields of one name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldFilter {
    /// Internal names of the classes that declare it.
    pub owners: Vec<Box<str>>,
    pub name: Box<str>,
}

impl FieldFilter {
    pub(crate) fn is_field(&self, field: &Field) -> bool {
        field.name == self.name && self.owners.contains(&field.owner)
    }

    pub(crate) fn accepts(&self, kind: &EventKind) -> bool {
        match kind {
            EventKind::FieldRead { field, .. } | EventKind::FieldWritten { field, .. } => self.is_field(field),
            _ => false,
        }
    }
}

/// An event and the names in it.
#[derive(Clone, Copy, Debug)]
pub struct EventView<'s> {
    pub event: &'s Event,
    /// The number of the event's step, counted as in [`EventFilter::steps`].
    pub step: u64,
    pub(crate) session: &'s Session,
}

impl Session {
    /// Shows the events to `visit` until it breaks, one thread after the other. Once there is an index, the
    /// steps before the first wanted one cost nothing.
    pub fn events<B>(
        &self,
        filter: &EventFilter,
        mut visit: impl FnMut(EventView<'_>) -> ControlFlow<B>,
    ) -> Result<Option<B>, SessionError> {
        let all = self.recording().threads.keys().copied();
        // One thread counts as all do.
        let moments = self.moments().get().filter(|_| self.recording().threads.len() > 1);
        let mut numbers = moments.map(StepNumbers::new);
        let places = self.code_of(filter);
        for thread in all.filter(|thread| filter.threads.as_ref().is_none_or(|threads| threads.contains(thread))) {
            let steps = match &numbers {
                Some(numbers) => numbers.steps_of(thread, &filter.steps).map_err(ReplayError::from)?,
                None => Some(filter.steps.clone()),
            };
            let Some(steps) = steps else { continue };
            let mut broken = None;
            let mut unreadable = None;
            let index = self.moments().get().and_then(|moments| moments.thread_index(thread));
            let wanted = Wanted { methods: filter.methods.clone(), steps, with_calls: filter.with_calls, only: None };
            let mut show = |event: &Event| {
                let view = EventView { event, step: event.step, session: self };
                let is_wanted = filter.line.as_ref().is_none_or(|line| view.is_at(line))
                    && filter.field.as_ref().is_none_or(|field| field.accepts(&event.kind));
                if !is_wanted {
                    return ControlFlow::Continue(());
                }
                let number = numbers.as_mut().map(|numbers| numbers.number(thread, event.step)).transpose();
                let step = match number {
                    Ok(number) => number.flatten().unwrap_or(event.step),
                    Err(error) => {
                        unreadable = Some(error);
                        return ControlFlow::Break(());
                    }
                };
                match visit(EventView { step, ..view }) {
                    ControlFlow::Continue(()) => ControlFlow::Continue(()),
                    ControlFlow::Break(with) => {
                        broken = Some(with);
                        ControlFlow::Break(())
                    }
                }
            };
            match (index, &places) {
                (Some(index), Some(places)) => {
                    for segment in index.segments_of(&wanted.steps) {
                        let summary = index.summary(segment).map_err(ReplayError::from)?;
                        if places.has_run(&summary)
                            && index.events_in(self.program(), self.objects(), segment, &wanted, &mut show)?.is_break()
                        {
                            break;
                        }
                    }
                }
                _ => {
                    let start = self.checkpoint_before(thread, *wanted.steps.start())?;
                    for_each_event(self.program(), self.objects(), thread, start, &wanted, &mut show)?;
                }
            }
            if let Some(error) = unreadable {
                return Err(ReplayError::from(error).into());
            }
            if broken.is_some() {
                return Ok(broken);
            }
        }
        Ok(None)
    }
}

impl<'s> EventView<'s> {
    fn is_at(&self, filter: &LineFilter) -> bool {
        self.event.line == Some(filter.line)
            && filter.file.as_deref().is_none_or(|file| self.source_file() == Some(file))
    }

    fn definition(&self) -> Option<&'s Definition> {
        let (definition, _) = self.session.program().method(self.event.method)?;
        self.session.program().definition(definition)
    }

    fn member(&self) -> Option<&'s Member> {
        self.session.program().method(self.event.method).map(|(_, member)| member)
    }

    /// `shop.Cart$Line`
    pub fn class(&self) -> String {
        self.definition().map(|definition| definition.name.replace('/', ".")).unwrap_or_default()
    }

    /// `Line`
    pub fn simple_class(&self) -> String {
        self.definition().map(|definition| simple_name(&definition.name)).unwrap_or_default()
    }

    pub fn method(&self) -> &'s str {
        self.member().map_or("?", |member| &member.name)
    }

    pub fn descriptor(&self) -> &'s str {
        self.member().map_or("", |member| &member.descriptor)
    }

    pub fn source_file(&self) -> Option<&'s str> {
        let (definition, _) = self.session.program().method(self.event.method)?;
        self.session.program().summary(definition)?.source_file.as_deref()
    }

    /// `Line.cents:26`
    pub fn place(&self) -> String {
        let (class, method) = (self.simple_class(), self.method());
        match self.event.line {
            Some(line) => format!("{class}.{method}:{line}"),
            None => format!("{class}.{method}"),
        }
    }

    /// The line of the source, if the source is there.
    pub fn source_line(&self) -> Option<String> {
        self.session.sources()?.line(&self.class(), self.source_file()?, self.event.line?)
    }
}
