//! The run as events with their values, in the order of execution of one thread.

use crate::checkpoint::Checkpoint;
use crate::error::ReplayError;
use crate::interpreter::{
    At, ElementAccess, End, Entry, FieldAccess, Frame, Interruption, Observer, Progress, TEMPORARY, ThreadReplay,
};
use crate::objects::ObjectTable;
use crate::program::{Call, Field, MethodCode, MethodIndex, Op, Program};
use crate::steps::StepCounter;
use crate::value::Value;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;
use std::ops::{ControlFlow, RangeInclusive};
use whydunit_classfile::{access, descriptor};
use whydunit_trace::{LogKind, ObjectId, ThreadId};

/// Events that wait for the id of an object under construction; then they go out without it.
const MAX_WAITING: usize = 1 << 14;

#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    pub thread: ThreadId,
    /// Counts the steps of the thread, from 1.
    pub step: u64,
    /// Counts the instructions of the thread, from 1.
    pub number: u64,
    pub method: MethodIndex,
    pub line: Option<u32>,
    /// 0 is the lowest recorded frame.
    pub depth: u32,
    /// `this` of the frame; `None` in static methods.
    pub this: Option<Value>,
    pub kind: EventKind,
}

#[derive(Clone, Debug, PartialEq)]
pub enum EventKind {
    /// A recorded method starts.
    Enter {
        arguments: Vec<Variable>,
        is_call_back: bool,
    },
    /// A recorded method returns.
    Return {
        result: Option<Value>,
    },
    /// A line is reached.
    Step,
    /// Unrecorded code is called.
    Call {
        class: Box<str>,
        name: Box<str>,
        descriptor: Box<str>,
        /// `None` for static and dynamic calls.
        receiver: Option<Value>,
        arguments: Vec<Value>,
    },
    /// Unrecorded code returns.
    CallReturned {
        result: Option<Value>,
    },
    /// `object` is `None` for static fields.
    FieldRead {
        object: Option<Value>,
        field: Field,
        value: Value,
    },
    FieldWritten {
        object: Option<Value>,
        field: Field,
        value: Value,
    },
    ElementRead {
        array: Value,
        index: i32,
        value: Value,
    },
    ElementWritten {
        array: Value,
        index: i32,
        value: Value,
    },
    LocalWritten(Variable),
    /// A condition was decided.
    Branch {
        /// The instruction jumped. Compilers often jump when the condition of the source is false.
        taken: bool,
        /// Where the method goes on, if the class file tells.
        to_line: Option<u32>,
    },
    New {
        class: Box<str>,
        object: Value,
    },
    /// `exception` is `None` when the log does not tell.
    Throw {
        exception: Option<Value>,
    },
    Catch {
        exception: Value,
    },
    /// An exception leaves the method.
    Unwind {
        exception: Value,
    },
}

#[derive(Clone, Debug, PartialEq)]
pub struct Variable {
    /// `None` when the class file does not tell.
    pub name: Option<Box<str>>,
    pub slot: u16,
    pub value: Value,
}

/// The events of a thread that are asked for.
#[derive(Clone, Debug)]
pub struct Wanted {
    /// `None`: all methods.
    pub methods: Option<FxHashSet<MethodIndex>>,
    /// Events from the start of the first of these steps to the end of the last one.
    pub steps: RangeInclusive<u64>,
}

impl Default for Wanted {
    fn default() -> Wanted {
        Wanted { methods: None, steps: 0..=u64::MAX }
    }
}

/// Replays a thread, from its start or from a checkpoint, and shows its events to `visit` until that breaks.
pub fn for_each_event(
    program: &Program,
    objects: &ObjectTable,
    thread: ThreadId,
    start: Option<Checkpoint>,
    wanted: &Wanted,
    visit: &mut dyn FnMut(&Event) -> ControlFlow<()>,
) -> Result<Option<End>, ReplayError> {
    let (mut replay, steps) = match start {
        Some(start) => (ThreadReplay::from_snapshot(program, objects, thread, &start.replay)?, start.steps),
        None => (ThreadReplay::new(program, objects, thread)?, StepCounter::default()),
    };
    let mut teller = Teller {
        program,
        objects,
        thread,
        wanted,
        visit,
        steps,
        receivers: replay.frames().iter().map(|frame| this_of(frame, replay.slots(frame))).collect(),
        thrown: None,
        waiting: VecDeque::new(),
        identities: FxHashMap::default(),
        is_over: false,
        is_past: false,
    };
    let progress = replay.run(&mut teller, u64::MAX);
    teller.tell_thrown(0);
    teller.flush(0);
    Ok(match progress? {
        Progress::Ended(end) => Some(end),
        Progress::Paused => None,
    })
}

struct Teller<'t> {
    program: &'t Program,
    objects: &'t ObjectTable,
    thread: ThreadId,
    wanted: &'t Wanted,
    visit: &'t mut dyn FnMut(&Event) -> ControlFlow<()>,
    steps: StepCounter,
    /// `this` of each frame, 0 in static methods.
    receivers: Vec<u64>,
    /// A `throw` that waits for the record with its exception.
    thrown: Option<Event>,
    /// Held back until all objects in the first one have an id.
    waiting: VecDeque<Event>,
    identities: FxHashMap<u32, ObjectId>,
    /// The visitor has seen enough.
    is_over: bool,
    /// The last step that is wanted has ended.
    is_past: bool,
}

impl Teller<'_> {
    fn tell(&mut self, at: At<'_>, kind: impl FnOnce(&Self) -> EventKind) {
        self.tell_in(self.steps.steps(), self.steps.current(at.depth), at, kind);
    }

    /// `latest` is the step of the thread, `step` that of the frame.
    fn tell_in(&mut self, latest: u64, step: u64, at: At<'_>, kind: impl FnOnce(&Self) -> EventKind) {
        let is_wanted = self.wanted.steps.contains(&latest)
            && self.wanted.methods.as_ref().is_none_or(|methods| methods.contains(&at.code.index));
        if !is_wanted {
            return;
        }
        let kind = kind(self);
        let event = Event {
            thread: self.thread,
            step,
            number: at.number,
            method: at.code.index,
            line: at.line(),
            depth: at.depth,
            this: self.receivers.get(at.depth as usize).filter(|&&this| this != 0).map(|&this| Value::reference(this)),
            kind,
        };
        if matches!(event.kind, EventKind::Throw { .. }) {
            self.thrown = Some(event);
            return;
        }
        self.waiting.push_back(event);
        self.flush(MAX_WAITING);
    }

    /// The record behind a `throw` tells its exception.
    fn tell_thrown(&mut self, exception: u64) {
        if let Some(mut event) = self.thrown.take() {
            event.kind = EventKind::Throw { exception: (exception != 0).then(|| Value::reference(exception)) };
            self.waiting.push_back(event);
        }
    }

    /// Lets go of the events whose objects are known, and of all that are more than `most`.
    fn flush(&mut self, most: usize) {
        while let Some(event) = self.waiting.front_mut() {
            let mut is_complete = true;
            for value in values_of(event) {
                if let Value::Fresh(number) = *value {
                    match self.identities.get(&number) {
                        Some(&object) => *value = Value::Ref(object),
                        None => is_complete = false,
                    }
                }
            }
            if !is_complete && self.waiting.len() <= most {
                return;
            }
            if let Some(event) = self.waiting.pop_front()
                && !self.is_over
            {
                self.is_over = (self.visit)(&event).is_break();
            }
        }
        self.identities.clear();
    }

    fn element(&self, access: ElementAccess) -> (Value, Value) {
        // An object that cannot be read has a value without a type.
        let class = self.objects.class(ObjectId(access.array as u32)).ok().flatten();
        let class = class.and_then(|class| self.program.classes().get(class));
        let element = class.and_then(|class| class.name.strip_prefix('['));
        (Value::reference(access.array), Value::of(access.kind, access.bits, element))
    }

    fn field(&self, access: FieldAccess) -> (Option<Value>, Field, Value) {
        let unknown = || Field { owner: "?".into(), name: "?".into(), descriptor: "?".into() };
        let field = self.program.field(access.field).unwrap_or_else(unknown);
        let value = Value::of(access.kind, access.bits, Some(&field.descriptor));
        ((!access.is_static).then(|| Value::reference(access.object)), field, value)
    }
}

fn values_of(event: &mut Event) -> impl Iterator<Item = &mut Value> {
    let values: Vec<&mut Value> = match &mut event.kind {
        EventKind::Enter { arguments, .. } => arguments.iter_mut().map(|a| &mut a.value).collect(),
        EventKind::Call { receiver, arguments, .. } => receiver.iter_mut().chain(arguments).collect(),
        EventKind::Return { result } | EventKind::CallReturned { result } => result.iter_mut().collect(),
        EventKind::FieldRead { object, value, .. } | EventKind::FieldWritten { object, value, .. } => {
            object.iter_mut().chain([value]).collect()
        }
        EventKind::ElementRead { value, .. } | EventKind::ElementWritten { value, .. } => vec![value],
        EventKind::LocalWritten(variable) => vec![&mut variable.value],
        EventKind::New { object, .. } => vec![object],
        EventKind::Catch { exception } | EventKind::Unwind { exception } => vec![exception],
        EventKind::Throw { exception } => exception.iter_mut().collect(),
        EventKind::Step | EventKind::Branch { .. } => Vec::new(),
    };
    values.into_iter().chain(&mut event.this)
}

/// `this` of a frame under way; 0 when there is none, or its slot may hold something else by now.
fn this_of(frame: &Frame<'_>, slots: &[u64]) -> u64 {
    let is_overwritten = || frame.code.ops.iter().any(|op| matches!(op, Op::Store { local: 0, .. }));
    if frame.code.access & access::STATIC != 0 || is_overwritten() {
        return 0;
    }
    slots.first().copied().unwrap_or_default()
}

fn arguments_of(code: &MethodCode, slots: &[u64]) -> Vec<Variable> {
    let mut arguments = Vec::new();
    let mut slot = 0u16;
    let mut add = |kind: LogKind, type_of: &str| {
        let bits = slots.get(usize::from(slot)).copied().unwrap_or_default();
        let name = code.variable_at(slot, 0).map(|variable| variable.name.clone());
        arguments.push(Variable { name, slot, value: Value::of(kind, bits, Some(type_of)) });
        slot += kind.slots();
    };
    if code.access & access::STATIC == 0 {
        add(LogKind::Reference, "L");
    }
    for (base, type_of) in descriptor::parameters(&code.descriptor).unwrap_or_default() {
        add(LogKind::of(base), type_of);
    }
    arguments
}

/// The receiver, if the call has one, and the arguments.
fn call_arguments(call: &Call, slots: &[u64]) -> (Option<Value>, Vec<Value>) {
    let parameters = descriptor::parameters(&call.descriptor).unwrap_or_default();
    let receivers = call.arguments.len().saturating_sub(parameters.len());
    let mut slot = 0;
    let mut receiver = None;
    let mut values = Vec::with_capacity(parameters.len());
    for (index, &kind) in call.arguments.iter().enumerate() {
        let bits = slots.get(slot).copied().unwrap_or_default();
        match index.checked_sub(receivers) {
            Some(index) => values.push(Value::of(kind, bits, parameters.get(index).map(|&(_, d)| d))),
            None => receiver = Some(Value::reference(bits)),
        }
        slot += usize::from(kind.slots());
    }
    (receiver, values)
}

fn result_of(descriptor: &str, kind: LogKind, bits: u64) -> Option<Value> {
    let type_of = descriptor::return_type(descriptor).ok().flatten();
    (kind != LogKind::Nothing).then(|| Value::of(kind, bits, type_of.map(|(_, d)| d)))
}

impl Observer for Teller<'_> {
    fn instruction(&mut self, at: At<'_>) {
        if self.steps.instruction(at) {
            self.is_past = self.steps.steps() > *self.wanted.steps.end();
            self.tell(at, |_| EventKind::Step);
        }
    }

    fn entered(&mut self, at: At<'_>, arguments: &[u64], entry: Entry) {
        self.steps.entered(at.depth);
        let is_static = at.code.access & access::STATIC != 0;
        self.receivers.truncate(at.depth as usize);
        self.receivers.push(if is_static { 0 } else { arguments.first().copied().unwrap_or_default() });
        // A method's entry belongs to the step that its first instruction starts.
        let step = self.steps.steps() + 1;
        self.tell_in(step, step, at, |_| EventKind::Enter {
            arguments: arguments_of(at.code, arguments),
            is_call_back: entry == Entry::CallBack,
        });
    }

    fn returned(&mut self, at: At<'_>, kind: LogKind, bits: u64) {
        self.tell(at, |_| EventKind::Return { result: result_of(&at.code.descriptor, kind, bits) });
        self.receivers.truncate(at.depth as usize);
    }

    fn calling(&mut self, at: At<'_>, call: &Call, slots: &[u64]) {
        self.tell(at, |_| {
            let (receiver, arguments) = call_arguments(call, slots);
            EventKind::Call {
                class: call.owner.clone(),
                name: call.name.clone(),
                descriptor: call.descriptor.clone(),
                receiver,
                arguments,
            }
        });
    }

    fn called(&mut self, at: At<'_>, call: &Call, bits: u64) {
        self.tell(at, |_| EventKind::CallReturned { result: result_of(&call.descriptor, call.result, bits) });
    }

    fn thrown(&mut self, at: At<'_>) {
        self.tell_thrown(0);
        self.tell(at, |_| EventKind::Throw { exception: None });
    }

    fn unwound(&mut self, at: At<'_>, exception: u64) {
        self.tell_thrown(exception);
        self.tell(at, |_| EventKind::Unwind { exception: Value::reference(exception) });
        self.receivers.truncate(at.depth as usize);
    }

    fn caught(&mut self, at: At<'_>, exception: u64) {
        self.tell_thrown(exception);
        self.tell(at, |_| EventKind::Catch { exception: Value::reference(exception) });
    }

    fn field_read(&mut self, at: At<'_>, access: FieldAccess) {
        self.tell(at, |teller| {
            let (object, field, value) = teller.field(access);
            EventKind::FieldRead { object, field, value }
        });
    }

    fn field_written(&mut self, at: At<'_>, access: FieldAccess) {
        self.tell(at, |teller| {
            let (object, field, value) = teller.field(access);
            EventKind::FieldWritten { object, field, value }
        });
    }

    fn element_read(&mut self, at: At<'_>, access: ElementAccess) {
        self.tell(at, |teller| {
            let (array, value) = teller.element(access);
            EventKind::ElementRead { array, index: access.index, value }
        });
    }

    fn element_written(&mut self, at: At<'_>, access: ElementAccess) {
        self.tell(at, |teller| {
            let (array, value) = teller.element(access);
            EventKind::ElementWritten { array, index: access.index, value }
        });
    }

    fn local_written(&mut self, at: At<'_>, local: u16, kind: LogKind, bits: u64) {
        self.tell(at, |_| {
            let variable = at.code.variable_set(local, at.pc);
            let value = Value::of(kind, bits, variable.map(|v| &*v.descriptor));
            let name = variable.map(|v| v.name.clone());
            EventKind::LocalWritten(Variable { name, slot: local, value })
        });
    }

    fn branched(&mut self, at: At<'_>, taken: bool) {
        self.tell(at, |_| {
            let target = at.code.ops.get(at.pc as usize).and_then(|op| op.jump_target());
            let next = if taken { target } else { Some(at.pc + 1) };
            EventKind::Branch { taken, to_line: next.and_then(|pc| at.code.line(pc)) }
        });
    }

    fn allocated(&mut self, at: At<'_>, class: &str, object: u64) {
        self.tell(at, |_| EventKind::New { class: class.into(), object: Value::reference(object) });
    }

    fn identified(&mut self, temporary: u64, object: u64) {
        // Only the constructors under way have it.
        for this in self.receivers.iter_mut().rev().take_while(|this| **this == temporary) {
            *this = object;
        }
        if !self.waiting.is_empty() {
            self.identities.insert((temporary & (TEMPORARY - 1)) as u32, ObjectId(object as u32));
        }
    }

    fn interruption(&mut self, _at: At<'_>) -> Option<Interruption> {
        (self.is_over || self.is_past).then_some(Interruption::Pause)
    }
}
