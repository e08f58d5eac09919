//! Everything that happened to one object.

use crate::held::PossibleChange;
use crate::numbers::StepNumbers;
use crate::scan::{Occurrence, Raw, Scope, Seeker};
use crate::session::{Session, SessionError};
use crate::state::Moments;
use crate::touches::Touches;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, VecDeque};
use std::ops::{ControlFlow, Range};
use std::sync::Arc;
use whydunit_classfile::access;
use whydunit_replay::events::{Event, EventKind, Only, Wanted};
use whydunit_replay::index::ThreadIndex;
use whydunit_replay::naming::simple_name;
use whydunit_replay::{ReplayError, Value};
use whydunit_trace::{LogKind, ObjectId, ThreadId};

/// What was done with an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Use {
    Made,
    /// A field or an element of it was written.
    Written,
    /// A field or an element of it was read.
    Read,
    /// A method was called on it.
    Called,
    /// It was an argument of a call.
    Passed,
    /// It was put into a variable, or into a field or element of something else.
    Stored,
    /// It was read from a field or an element of something else.
    Taken,
    /// It was the result of a method.
    Returned,
    Thrown,
    Caught,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Doing {
    pub what: Use,
    pub found: Occurrence,
}

/// Which events to list; those of all kinds are counted anyway.
#[derive(Clone, Debug, Default)]
pub struct HistoryFilter {
    pub threads: Option<Vec<ThreadId>>,
    /// Writes of its fields and elements, and its making.
    pub writes: bool,
    /// Calls of its methods.
    pub calls: bool,
    /// Only this field, or this element: `[3]`.
    pub field: Option<String>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct History {
    /// `java.util.ArrayList`
    pub class: String,
    /// How often what was done with it.
    pub counts: BTreeMap<Use, u64>,
    /// Where it was made by recorded code.
    pub made: Option<Occurrence>,
    /// The first time that recorded code met it.
    pub met: Option<Occurrence>,
    /// The last write of a field or an element.
    pub last_change: Option<Occurrence>,
    /// The last call of unrecorded code that may have written to the array since.
    pub may_have_changed: Option<PossibleChange>,
    /// The first events that were asked for.
    pub first: Vec<Doing>,
    /// How many come between the first and the last.
    pub left_out: u64,
    pub last: Vec<Doing>,
}

struct OfObject(ObjectId);

impl Seeker for OfObject {
    fn wanted(&self) -> Wanted {
        let object = u64::from(self.0.0);
        let only = Only(Arc::new(move |kind, bits| bits == object && kind == LogKind::Reference));
        Wanted { only: Some(only), ..Wanted::default() }
    }

    fn may_find(&self, session: &Session, index: &ThreadIndex, segment: usize) -> Result<bool, ReplayError> {
        index.comes_up(session.program(), session.objects(), self.0, segment)
    }

    fn accepts(&self, session: &Session, event: &Event) -> bool {
        session.use_of(event, self.0).is_some()
    }
}

/// What is known of an object's fields and elements as the run goes on.
#[derive(Default)]
struct Contents {
    known: FxHashMap<Part, Value>,
    is_made: bool,
    recorded: FxHashSet<String>,
    /// From the first to the last element that unrecorded code may have written.
    touched: Option<Range<i32>>,
}

#[derive(PartialEq, Eq, Hash)]
enum Part {
    Field(Box<str>, Box<str>),
    Element(i32),
}

impl Contents {
    fn follow(&mut self, raw: &mut Raw, object: ObjectId) {
        let (part, value, is_write) = match &raw.event.kind {
            EventKind::FieldRead { object: Some(Value::Ref(of)), field, value } if *of == object => {
                (Part::Field(field.owner.clone(), field.name.clone()), *value, false)
            }
            EventKind::FieldWritten { object: Some(Value::Ref(of)), field, value } if *of == object => {
                (Part::Field(field.owner.clone(), field.name.clone()), *value, true)
            }
            EventKind::ElementRead { array: Value::Ref(of), index, value } if *of == object => {
                (Part::Element(*index), *value, false)
            }
            EventKind::ElementWritten { array: Value::Ref(of), index, value } if *of == object => {
                (Part::Element(*index), *value, true)
            }
            _ => return,
        };
        if is_write {
            let is_own = match &part {
                Part::Field(owner, _) => self.recorded.contains(&**owner),
                Part::Element(index) => !self.touched.as_ref().is_some_and(|elements| elements.contains(index)),
            };
            let initial = (self.is_made && is_own).then(|| initial(value));
            raw.old = self.known.get(&part).copied().or(initial);
        }
        self.known.insert(part, value);
    }

    /// Elements that somebody may have written unseen.
    fn forget(&mut self, elements: &Range<i32>) {
        let touched = self.touched.get_or_insert_with(|| elements.clone());
        *touched = touched.start.min(elements.start)..touched.end.max(elements.end);
        self.known.retain(|part, _| !matches!(part, Part::Element(index) if elements.contains(index)));
    }
}

/// `java.util.ArrayList`, `int[]`
fn full_name(internal: &str) -> String {
    let element = internal.trim_start_matches('[');
    let Some(class) = element.strip_prefix('L').and_then(|name| name.strip_suffix(';')) else {
        return if element.len() < internal.len() { simple_name(internal) } else { internal.replace('/', ".") };
    };
    class.replace('/', ".") + &"[]".repeat(internal.len() - element.len())
}

/// What a new object holds where a value of this type goes.
fn initial(value: Value) -> Value {
    match value {
        Value::Boolean(_) => Value::Boolean(false),
        Value::Byte(_) => Value::Byte(0),
        Value::Char(_) => Value::Char(0),
        Value::Short(_) => Value::Short(0),
        Value::Int(_) => Value::Int(0),
        Value::Long(_) => Value::Long(0),
        Value::Float(_) => Value::Float(0.0),
        Value::Double(_) => Value::Double(0.0),
        Value::Null | Value::Ref(_) | Value::Fresh(_) => Value::Null,
    }
}

impl HistoryFilter {
    fn accepts(&self, what: Use, raw: &Raw, touches: &Touches) -> bool {
        let event = &raw.event;
        if self.threads.as_ref().is_some_and(|threads| !threads.contains(&event.thread)) {
            return false;
        }
        let may_write = touches.has(raw, self.field.as_deref());
        if let Some(asked) = self.field.as_ref().filter(|_| !may_write) {
            let is_asked = match &event.kind {
                EventKind::FieldRead { field, .. } | EventKind::FieldWritten { field, .. } => *field.name == **asked,
                EventKind::ElementRead { index, .. } | EventKind::ElementWritten { index, .. } => {
                    *asked == format!("[{index}]")
                }
                _ => false,
            };
            if !is_asked || !matches!(what, Use::Read | Use::Written) {
                return false;
            }
        }
        match (self.writes, self.calls) {
            (false, false) => true,
            (writes, calls) => {
                let is_write = matches!(what, Use::Written | Use::Made) || may_write;
                writes && is_write || calls && matches!(what, Use::Called | Use::Made)
            }
        }
    }
}

impl Session {
    /// Everything that happened to an object, in the order of the run; at most `most` events, the first and the last
    /// ones. `progress` is told the instructions that were looked at since it was last called.
    pub fn history(
        &self,
        moments: &Moments,
        object: ObjectId,
        filter: &HistoryFilter,
        most: usize,
        progress: &dyn Fn(u64),
    ) -> Result<History, SessionError> {
        let class = self.objects().class(object).ok().flatten().and_then(|class| self.program().classes().get(class));
        let mut counts = BTreeMap::new();
        let (mut made, mut met, mut last_change) = (None, None, None);
        let (most_first, most_last) = (most - most / 2, most / 2);
        let mut first: Vec<(Use, Raw)> = Vec::new();
        let mut last: VecDeque<(Use, Raw)> = VecDeque::new();
        let mut left_out = 0;
        let recorded = self.program().definitions().map(|(_, definition)| definition.name.clone()).collect();
        let mut contents = Contents { recorded, ..Contents::default() };
        let mut touches = self.touches(moments, object)?;
        let mut may_have_changed = None;
        self.scan(moments, Scope::default(), &OfObject(object), progress, &mut |mut raw| {
            while let Some((elements, change)) = touches.next_before(&raw) {
                contents.forget(&elements);
                may_have_changed = Some(change);
            }
            contents.follow(&mut raw, object);
            let Some(what) = self.use_of(&raw.event, object).or_else(|| self.use_as_result(&raw)) else {
                return ControlFlow::Continue(());
            };
            *counts.entry(what).or_insert(0) += 1;
            contents.is_made |= what == Use::Made;
            if met.is_none() {
                met = Some(raw.clone());
            }
            match what {
                Use::Made if made.is_none() => made = Some(raw.clone()),
                Use::Written => (last_change, may_have_changed) = (Some(raw.clone()), None),
                _ => {}
            }
            if filter.accepts(what, &raw, &touches) {
                if first.len() < most_first {
                    first.push((what, raw));
                } else {
                    last.push_back((what, raw));
                    if last.len() > most_last {
                        last.pop_front();
                        left_out += 1;
                    }
                }
            }
            ControlFlow::Continue(())
        })?;
        let mut numbers = StepNumbers::new(moments);
        let mut found = |raw: Option<Raw>| raw.map(|raw| self.found(&mut numbers, raw)).transpose();
        let (made, met, last_change) = (found(made)?, found(met)?, found(last_change)?);
        let mut doing = |(what, raw)| Ok(Doing { what, found: self.found(&mut numbers, raw)? });
        Ok(History {
            class: class.map(|class| full_name(&class.name)).unwrap_or_default(),
            counts,
            made,
            met,
            last_change,
            may_have_changed: touches.into_last().or(may_have_changed),
            first: first.into_iter().map(&mut doing).collect::<Result<_, SessionError>>()?,
            left_out,
            last: last.into_iter().map(&mut doing).collect::<Result<_, SessionError>>()?,
        })
    }

    /// A call that is told because of its result.
    fn use_as_result(&self, raw: &Raw) -> Option<Use> {
        matches!(raw.event.kind, EventKind::Call { .. }).then_some(Use::Returned)
    }

    /// What an event does with an object.
    fn use_of(&self, event: &Event, object: ObjectId) -> Option<Use> {
        let is_it = |value: &Value| *value == Value::Ref(object);
        if !event.kind.mentions(object) {
            return None;
        }
        Some(match &event.kind {
            EventKind::CallReturned { .. } => Use::Returned,
            _ if !self.is_line(event) => return None,
            EventKind::New { .. } => Use::Made,
            EventKind::Enter { .. } | EventKind::Call { .. }
                if self.created(event).is_some_and(|made| is_it(&made)) =>
            {
                Use::Made
            }
            EventKind::Enter { arguments, .. } => {
                let is_static = self.code(event.method).is_none_or(|code| code.access & access::STATIC != 0);
                let is_receiver = arguments.first().is_some_and(|this| !is_static && is_it(&this.value));
                if is_receiver { Use::Called } else { Use::Passed }
            }
            EventKind::Call { receiver, .. } => {
                if receiver.as_ref().is_some_and(is_it) {
                    Use::Called
                } else {
                    Use::Passed
                }
            }
            EventKind::Return { .. } => Use::Returned,
            EventKind::FieldRead { object, .. } => {
                if object.as_ref().is_some_and(is_it) {
                    Use::Read
                } else {
                    Use::Taken
                }
            }
            EventKind::FieldWritten { object, .. } => {
                if object.as_ref().is_some_and(is_it) {
                    Use::Written
                } else {
                    Use::Stored
                }
            }
            EventKind::ElementRead { array, .. } => {
                if is_it(array) {
                    Use::Read
                } else {
                    Use::Taken
                }
            }
            EventKind::ElementWritten { array, .. } => {
                if is_it(array) {
                    Use::Written
                } else {
                    Use::Stored
                }
            }
            EventKind::LocalWritten(_) => Use::Stored,
            EventKind::Throw { .. } => Use::Thrown,
            EventKind::Catch { .. } => Use::Caught,
            _ => return None,
        })
    }
}
