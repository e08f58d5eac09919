//! One step: what it read and wrote, where control went, and the state at its start.

use crate::events::EventView;
use crate::notation::{Outcome, has_this};
use crate::numbers::StepNumbers;
use crate::session::{Session, SessionError};
use crate::state::Moments;
use rustc_hash::FxHashMap;
use std::ops::ControlFlow;
use whydunit_replay::events::{Event, EventKind, Variable};
use whydunit_replay::index::{Hit, Query, Rank, Until, Walk, WalkEnd};
use whydunit_replay::program::{Field, MethodCode, MethodIndex, Op};
use whydunit_replay::state::{FrameState, State};
use whydunit_replay::{ReplayError, Value};
use whydunit_trace::{ObjectId, ThreadId};

/// How much may be replayed to tell of one step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effort {
    /// Instructions of the step and of what it calls.
    instructions: u64,
    /// Segments of the index in which the last write before the step is looked for.
    looked_back: usize,
}

impl Effort {
    /// What there is to know.
    pub const FULL: Effort = Effort { instructions: 40_000_000, looked_back: 1600 };
    /// For those who pass by: long calls are not followed to their end, old values are looked for nearby.
    pub const QUICK: Effort = Effort { instructions: 2_000_000, looked_back: 16 };
}

/// Lines of source around the one that ran.
const CONTEXT: u32 = 3;

/// Things that one step did, at most.
const MOST_EFFECTS: usize = 200;

#[derive(Clone, Debug)]
pub struct StepView {
    /// Number among the steps of all threads.
    pub number: u64,
    pub thread: ThreadId,
    pub place: Place,
    /// `None` when there is no source.
    pub source: Option<Vec<SourceLine>>,
    /// In the order in which they happened.
    pub effects: Vec<Effect>,
    /// There were more effects than are listed.
    pub is_cut: bool,
    pub next: Next,
    /// The topmost frame first.
    pub stack: Vec<StackFrame>,
    /// The variables of the topmost frame at the start of the step.
    pub variables: Vec<Variable>,
}

/// A place in the source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    pub method: MethodIndex,
    /// `shop.Cart$Line`
    pub class: String,
    /// `Line.cents:26`
    pub short: String,
    pub file: Option<String>,
    pub line: Option<u32>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceLine {
    pub number: u32,
    pub text: String,
    pub is_current: bool,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Effect {
    pub kind: EffectKind,
    /// What was read or written, `this:<Cart:1>.total`, or the whole in the notation of the tree.
    pub text: String,
    /// Before a write, as far as it is known.
    pub old: Option<Value>,
    /// What was read or written.
    pub value: Option<Value>,
    /// The step that wrote the old value, where that was looked up.
    pub old_step: Option<u64>,
    /// The first step of a recorded call.
    pub call_step: Option<u64>,
    /// `None` for a local that was read.
    pub event: Option<Event>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EffectKind {
    Read,
    Written,
    /// A call, recorded or not.
    Called,
    /// Everything else: branches, exceptions, new arrays.
    Did,
}

/// Where control goes from a step.
#[derive(Clone, Debug, PartialEq)]
pub enum Next {
    /// The frame's next step.
    Step {
        number: Option<u64>,
        line: Option<u32>,
    },
    Returned {
        value: Option<Value>,
        to: Option<Place>,
    },
    /// An exception leaves the frame.
    Threw {
        exception: Value,
        to: Option<Place>,
    },
    /// The recording ends in the step, or it was too long to follow.
    Unknown,
}

#[derive(Clone, Debug)]
pub struct StackFrame {
    pub place: Place,
    /// The step that the frame is in.
    pub step: Option<u64>,
    /// Its first step.
    pub entered: Option<u64>,
    pub is_call_back: bool,
}

impl Session {
    /// `None` when there is no such step; `number` counts the steps of all threads.
    pub fn step(&self, moments: &Moments, number: u64, effort: Effort) -> Result<Option<StepView>, SessionError> {
        let Some((thread, step)) = moments.local_step(number)? else { return Ok(None) };
        let Some(state) = self.state(moments, thread, step)? else { return Ok(None) };
        let Some(frame) = state.frames.last() else { return Ok(None) };
        let mut numbers = StepNumbers::new(moments);
        let mut global = |step: u64| numbers.number(thread, step).map_err(ReplayError::from);
        let place = self.place(frame.method, frame.line);
        let mut stack = Vec::new();
        for frame in state.frames.iter().rev() {
            stack.push(StackFrame {
                place: self.place(frame.method, frame.line),
                step: global(frame.step)?,
                entered: global(frame.entered)?,
                is_call_back: frame.is_call_back,
            });
        }
        let follower = self.follow(moments, &state, frame, effort)?;
        let caller = stack.get(1).map(|caller| caller.place.clone());
        let next = match follower.next {
            Some(Left::Step { step, line }) => Next::Step { number: global(step)?, line },
            Some(Left::Returned(value)) => Next::Returned { value, to: caller },
            Some(Left::Threw(exception)) => Next::Threw { exception, to: caller },
            None => Next::Unknown,
        };
        let mut effects = follower.effects;
        for effect in &mut effects {
            effect.call_step = effect.call_step.map(&mut global).transpose()?.flatten();
        }
        let is_cut = follower.is_cut;
        self.look_up_old(moments, step, effort, &mut effects)?;
        Ok(Some(StepView {
            number,
            thread,
            source: self.source_around(&place),
            place,
            effects,
            is_cut,
            next,
            stack,
            variables: self.named_locals(frame),
        }))
    }

    /// The locals of a frame; `this` has its name even if the class file has none.
    fn named_locals(&self, frame: &FrameState) -> Vec<Variable> {
        let mut locals = frame.locals.clone();
        if let Some(this) = locals.first_mut()
            && this.slot == 0
            && this.name.is_none()
            && self.code(frame.method).is_some_and(has_this)
        {
            this.name = Some("this".into());
        }
        locals
    }

    fn follow(
        &self,
        moments: &Moments,
        state: &State,
        frame: &FrameState,
        effort: Effort,
    ) -> Result<Follower<'_>, SessionError> {
        let depth = state.frames.len() as u32 - 1;
        let mut follower = Follower::new(self, state.step, depth, frame);
        let Some(index) = moments.thread_index(state.thread) else { return Ok(follower) };
        let method = frame.method;
        let walk = Walk {
            from: state.step,
            deepest: depth,
            lowest: Some(depth),
            budget: effort.instructions,
            marks: &|code| (code.index == method).then(|| loads(code)),
        };
        let end = index.walk(self.program(), self.objects(), &walk, &mut |event| follower.event(event))?;
        follower.is_cut |= end == WalkEnd::Exhausted;
        follower.finish_call(Outcome::Unknown);
        Ok(follower)
    }

    /// Looks for the last writes before the step of what was written in it.
    fn look_up_old(
        &self,
        moments: &Moments,
        step: u64,
        effort: Effort,
        effects: &mut [Effect],
    ) -> Result<(), SessionError> {
        for effect in effects.iter_mut().filter(|e| e.kind == EffectKind::Written && e.old.is_none()) {
            let Some(event) = &effect.event else { continue };
            let query = match &event.kind {
                EventKind::FieldWritten { object: Some(Value::Ref(object)), field, .. } => {
                    Query::ObjectField { object: *object, field: field.clone() }
                }
                EventKind::FieldWritten { object: None, field, .. } => Query::Field(field.clone()),
                EventKind::ElementWritten { array: Value::Ref(array), index, .. } => {
                    Query::Element { array: *array, index: *index }
                }
                _ => continue,
            };
            if let Some((value, at)) = self.last_write(moments, &query, event, step, effort.looked_back)? {
                let value = value.map(|value| match effect.value {
                    Some(Value::Boolean(_) | Value::Char(_)) => like(value, effect.value),
                    _ => value,
                });
                (effect.old, effect.old_step) = (value, Some(at));
            }
        }
        Ok(())
    }

    /// The last write before an event, by its thread before a step, and its step.
    pub(crate) fn last_write(
        &self,
        moments: &Moments,
        query: &Query,
        event: &Event,
        step: u64,
        most: usize,
    ) -> Result<Option<(Option<Value>, u64)>, SessionError> {
        let mut numbers = StepNumbers::new(moments);
        let rank = numbers.rank(event.thread, event.latest, event.number).map_err(ReplayError::from)?;
        let rank = rank.unwrap_or_default();
        let mut last: Option<(Rank, Hit)> = None;
        for index in moments.indexes() {
            let until = if index.thread() == event.thread {
                Until::step(step)
            } else {
                numbers.until(index.thread(), rank).map_err(ReplayError::from)?
            };
            let hit = index.last_before_within(self.program(), self.objects(), query, until, most)?;
            let Some(hit) = hit else { continue };
            let at = numbers.rank(index.thread(), hit.latest, hit.number).map_err(ReplayError::from)?;
            let at = at.unwrap_or_default();
            if last.as_ref().is_none_or(|(known, _)| at > *known) {
                last = Some((at, hit));
            }
        }
        let Some((_, hit)) = last else { return Ok(None) };
        let number = numbers.number(hit.thread, hit.step).map_err(ReplayError::from)?;
        Ok(Some((hit.value, number.unwrap_or_default())))
    }

    pub fn place(&self, method: MethodIndex, line: Option<u32>) -> Place {
        let event = Event {
            thread: ThreadId(0),
            step: 0,
            latest: 0,
            number: 0,
            method,
            pc: 0,
            line,
            depth: 0,
            this: None,
            kind: EventKind::Step,
        };
        let view = EventView { event: &event, step: 0, session: self };
        Place { method, class: view.class(), short: view.place(), file: view.source_file().map(str::to_owned), line }
    }

    fn source_around(&self, place: &Place) -> Option<Vec<SourceLine>> {
        let (sources, file, line) = (self.sources()?, place.file.as_deref()?, place.line?);
        sources.text(&place.class, file, line)?;
        let numbers = line.saturating_sub(CONTEXT).max(1)..=line + CONTEXT;
        let lines = numbers.filter_map(|number| {
            let text = sources.text(&place.class, file, number)?;
            Some(SourceLine { number, text, is_current: number == line })
        });
        Some(lines.collect())
    }
}

/// The instructions that load locals.
fn loads(code: &MethodCode) -> Box<[bool]> {
    code.ops.iter().map(|op| matches!(op, Op::Load(_) | Op::LoadWide(_) | Op::Increment { .. })).collect()
}

/// An `int` as the type that another value has.
pub fn like(value: Value, other: Option<Value>) -> Value {
    match (value, other) {
        (Value::Int(int), Some(Value::Boolean(_))) => Value::Boolean(int & 1 != 0),
        (Value::Int(int), Some(Value::Char(_))) => Value::Char(int as u16),
        (value, _) => value,
    }
}

/// How the frame went on.
enum Left {
    Step { step: u64, line: Option<u32> },
    Returned(Option<Value>),
    Threw(Value),
}

/// Where a value stands.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Spot {
    Local(u16),
    Field(Option<ObjectId>, Field),
    Element(ObjectId, i32),
}

struct Follower<'s> {
    session: &'s Session,
    step: u64,
    depth: u32,
    /// What is known of values by now.
    known: FxHashMap<Spot, Value>,
    /// Locals that were read since they were written.
    told: Vec<u16>,
    effects: Vec<Effect>,
    is_cut: bool,
    /// A call that is under way.
    call: Option<Event>,
    next: Option<Left>,
}

impl<'s> Follower<'s> {
    fn new(session: &'s Session, step: u64, depth: u32, frame: &FrameState) -> Follower<'s> {
        let known = frame.locals.iter().map(|local| (Spot::Local(local.slot), local.value)).collect();
        Follower {
            session,
            step,
            depth,
            known,
            told: Vec::new(),
            effects: Vec::new(),
            is_cut: false,
            call: None,
            next: None,
        }
    }

    fn event(&mut self, event: &Event) -> ControlFlow<()> {
        if event.depth > self.depth {
            self.callee(event);
            return ControlFlow::Continue(());
        }
        if event.depth < self.depth {
            return ControlFlow::Break(());
        }
        match &event.kind {
            EventKind::Step if event.step != self.step => {
                self.finish_call(Outcome::Unknown);
                self.next = Some(Left::Step { step: event.step, line: event.line });
                return ControlFlow::Break(());
            }
            EventKind::Return { result } => {
                self.next = Some(Left::Returned(*result));
                return ControlFlow::Break(());
            }
            EventKind::Unwind { exception } => {
                self.finish_call(Outcome::Threw(*exception));
                self.next = Some(Left::Threw(*exception));
                return ControlFlow::Break(());
            }
            EventKind::Mark if event.step == self.step => self.local_read(event),
            EventKind::Call { .. } => self.call = Some(event.clone()),
            EventKind::CallReturned { result } => self.finish_call(Outcome::Returned(*result)),
            EventKind::Throw { exception } if self.call.is_some() => {
                self.finish_call(exception.map_or(Outcome::Unknown, Outcome::Threw));
            }
            EventKind::LocalWritten(variable) => {
                let name =
                    variable.name.as_ref().map_or_else(|| format!("local{}", variable.slot), ToString::to_string);
                self.told.retain(|slot| *slot != variable.slot);
                if !self.is_in_scope(event, variable.slot) {
                    self.known.remove(&Spot::Local(variable.slot));
                }
                if self.session.is_line(event) {
                    self.written(event, Spot::Local(variable.slot), name, variable.value);
                }
                self.known.insert(Spot::Local(variable.slot), variable.value);
            }
            EventKind::FieldRead { object, field, value } => {
                if let Some(spot) = field_spot(*object, field) {
                    self.known.insert(spot, *value);
                }
                self.add(EffectKind::Read, event, Some(*value));
            }
            EventKind::FieldWritten { object, field, value } => {
                let text = self.target_of(event);
                match field_spot(*object, field) {
                    Some(spot) => self.written(event, spot, text, *value),
                    None => self.add(EffectKind::Written, event, Some(*value)),
                }
            }
            EventKind::ElementRead { array, index, value } => {
                if let Value::Ref(array) = array {
                    self.known.insert(Spot::Element(*array, *index), *value);
                }
                self.add(EffectKind::Read, event, Some(*value));
            }
            EventKind::ElementWritten { array, index, value } => {
                let text = self.target_of(event);
                if let Value::Ref(array) = array {
                    self.written(event, Spot::Element(*array, *index), text, *value);
                }
            }
            EventKind::Step | EventKind::Mark | EventKind::Skipped => {}
            _ if self.session.is_line(event) => self.add(EffectKind::Did, event, None),
            _ => {}
        }
        ControlFlow::Continue(())
    }

    /// A frame above starts or ends.
    fn callee(&mut self, event: &Event) {
        if event.depth > self.depth + 1 {
            return;
        }
        match &event.kind {
            // What unrecorded code calls back belongs to its call.
            EventKind::Enter { is_call_back: false, .. } => self.call = Some(event.clone()),
            EventKind::Enter { .. } if self.call.is_none() => self.call = Some(event.clone()),
            EventKind::Return { result } if self.is_callee(event) => self.finish_call(Outcome::Returned(*result)),
            EventKind::Unwind { exception } if self.is_callee(event) => self.finish_call(Outcome::Threw(*exception)),
            _ => {}
        }
    }

    fn is_callee(&self, event: &Event) -> bool {
        self.call.as_ref().is_some_and(|call| call.depth == event.depth)
    }

    fn finish_call(&mut self, outcome: Outcome) {
        let Some(call) = self.call.take() else { return };
        if !self.session.is_line(&call) {
            return;
        }
        let call_step = (call.depth > self.depth).then_some(call.step);
        let value = match outcome {
            Outcome::Returned(value) => value,
            _ => None,
        };
        let text = self.session.notation(&call, outcome);
        let makes_function = self.session.code(call.method).is_some_and(|code| {
            matches!(call.kind, EventKind::Call { .. }) && self.session.function_made(code, call.pc).is_some()
        });
        let kind = if makes_function { EffectKind::Did } else { EffectKind::Called };
        let event = Some(call);
        self.push(Effect { kind, text, old: None, value, old_step: None, call_step, event });
    }

    fn local_read(&mut self, event: &Event) {
        let Some(code) = self.session.code(event.method) else { return };
        let slot = match code.ops.get(event.pc as usize) {
            Some(&(Op::Load(slot) | Op::LoadWide(slot) | Op::Increment { local: slot, .. })) => slot,
            _ => return,
        };
        // That a method knows its object goes without saying.
        if slot == 0 && has_this(code) {
            return;
        }
        let address = code.addresses.get(event.pc as usize).copied().unwrap_or_default();
        let name = code.variable_at(slot, address).map(|variable| variable.name.to_string());
        let name = name.or_else(|| code.variables.is_empty().then(|| format!("local{slot}")));
        let (Some(name), Some(&value)) = (name, self.known.get(&Spot::Local(slot))) else { return };
        if self.told.contains(&slot) {
            return;
        }
        self.told.push(slot);
        let (text, value) = (name, Some(value));
        self.push(Effect {
            kind: EffectKind::Read,
            text,
            old: None,
            value,
            old_step: None,
            call_step: None,
            event: None,
        });
    }

    /// Whether a variable is there before an instruction that writes its slot: what was in the slot is its old value, and
    /// not that of another variable.
    fn is_in_scope(&self, event: &Event, slot: u16) -> bool {
        let Some(code) = self.session.code(event.method) else { return true };
        let address = code.addresses.get(event.pc as usize).copied().unwrap_or_default();
        code.variables.is_empty() || code.variable_at(slot, address).is_some()
    }

    fn written(&mut self, event: &Event, spot: Spot, text: String, value: Value) {
        let old = self.known.insert(spot, value);
        // A local that had no value yet has no old one.
        let event = Some(event.clone());
        let value = Some(value);
        self.push(Effect { kind: EffectKind::Written, text, old, value, old_step: None, call_step: None, event });
    }

    /// What is written, without the value.
    fn target_of(&self, event: &Event) -> String {
        let text = self.session.notation(event, Outcome::Unknown);
        text.split_once(" = ").map_or_else(|| text.clone(), |(target, _)| target.to_owned())
    }

    fn add(&mut self, kind: EffectKind, event: &Event, value: Option<Value>) {
        let text = match kind {
            EffectKind::Read => {
                let text = self.session.notation(event, Outcome::Unknown);
                text.split_once(" => ").map_or_else(|| text.clone(), |(source, _)| source.to_owned())
            }
            EffectKind::Written => self.target_of(event),
            _ => self.session.notation(event, Outcome::Unknown),
        };
        let event = Some(event.clone());
        self.push(Effect { kind, text, old: None, value, old_step: None, call_step: None, event });
    }

    fn push(&mut self, effect: Effect) {
        if self.effects.len() < MOST_EFFECTS {
            self.effects.push(effect);
        } else {
            self.is_cut = true;
        }
    }
}

fn field_spot(object: Option<Value>, field: &Field) -> Option<Spot> {
    match object {
        None => Some(Spot::Field(None, field.clone())),
        Some(Value::Ref(object)) => Some(Spot::Field(Some(object), field.clone())),
        Some(_) => None,
    }
}
