//! Turns what an observer of a replay is told into events.

use super::comparison::switched_value;
use super::{CallPlace, Comparison, Event, EventKind, Variable, Wanted};
use crate::interpreter::{
    At, ElementAccess, Entry, FieldAccess, Frame, Interruption, Observer, TEMPORARY, ThreadReplay,
};
use crate::objects::ObjectTable;
use crate::program::{Call, Field, MethodCode, MethodIndex, Op, Pc, Program};
use crate::steps::StepCounter;
use crate::value::Value;
use rustc_hash::FxHashMap;
use std::collections::VecDeque;
use std::ops::ControlFlow;
use std::rc::Rc;
use whydunit_classfile::{access, descriptor};
use whydunit_trace::{LogKind, ObjectId, ThreadId};

/// Events that wait for the id of an object under construction; then they go out without it.
const MAX_WAITING: usize = 1 << 14;

/// Which instructions of a method get an [`EventKind::Mark`].
pub type Marks<'m> = dyn Fn(&MethodCode) -> Option<Box<[bool]>> + 'm;

pub(crate) struct Teller<'t> {
    program: &'t Program,
    objects: &'t ObjectTable,
    thread: ThreadId,
    wanted: &'t Wanted,
    visit: &'t mut dyn FnMut(&Event) -> ControlFlow<()>,
    pub(crate) steps: StepCounter,
    /// Of deeper frames nothing is told, apart from entry and end of those one deeper.
    deepest: u32,
    /// Of the frame at this depth and deeper ones nothing is told until it is left.
    closed: Option<u32>,
    marks: Option<&'t Marks<'t>>,
    marks_by_method: FxHashMap<MethodIndex, Option<Rc<[bool]>>>,
    /// The marks of the method that was looked at last.
    marked: (MethodIndex, Option<Rc<[bool]>>),
    /// The next instruction starts a step and was counted before.
    pub(crate) is_counted: bool,
    /// `this` of each frame, 0 in static methods.
    receivers: Vec<u64>,
    /// The last instruction of each frame that is told of.
    places: Vec<CallPlace>,
    /// Whether recorded code has called each frame.
    direct: Vec<bool>,
    /// A `throw` that waits for the record with its exception.
    thrown: Option<Event>,
    /// Two values that were compared by the instruction with this number.
    compared: (u64, LogKind, [u64; 2]),
    /// Held back until all objects in the first one have an id.
    waiting: VecDeque<Event>,
    identities: FxHashMap<u32, ObjectId>,
    /// The visitor has seen enough.
    pub(crate) is_over: bool,
    /// The last step that is wanted has ended.
    is_past: bool,
    /// Past what is told, only for the ids of objects in events that wait, and for their exceptions.
    is_behind: bool,
}

impl<'t> Teller<'t> {
    pub(crate) fn new(
        program: &'t Program,
        objects: &'t ObjectTable,
        thread: ThreadId,
        wanted: &'t Wanted,
        visit: &'t mut dyn FnMut(&Event) -> ControlFlow<()>,
    ) -> Teller<'t> {
        Teller {
            program,
            objects,
            thread,
            wanted,
            visit,
            steps: StepCounter::default(),
            deepest: u32::MAX,
            closed: None,
            marks: None,
            marks_by_method: FxHashMap::default(),
            marked: (MethodIndex(u32::MAX), None),
            is_counted: false,
            receivers: Vec::new(),
            places: Vec::new(),
            direct: Vec::new(),
            thrown: None,
            compared: (0, LogKind::Nothing, [0; 2]),
            waiting: VecDeque::new(),
            identities: FxHashMap::default(),
            is_over: false,
            is_past: false,
            is_behind: false,
        }
    }

    /// Tells of frames down to this depth only, and of marked instructions.
    pub(crate) fn limited(self, deepest: u32, marks: &'t Marks<'t>) -> Teller<'t> {
        Teller { deepest, marks: Some(marks), ..self }
    }

    /// Goes on from another moment of the thread.
    pub(crate) fn take_up(&mut self, replay: &ThreadReplay<'_>, steps: StepCounter) {
        self.steps = steps;
        self.receivers = replay.frames().iter().map(|frame| this_of(frame, replay.slots(frame))).collect();
        let place = |frame: &Frame<'_>| CallPlace { method: frame.code.index, pc: frame.pc };
        self.places = replay.frames().iter().map(place).collect();
        self.direct = replay.frames().iter().map(|frame| frame.entry == Entry::Direct).collect();
    }

    /// Tells of nothing further; `true` when there are events that wait for what comes next.
    pub(crate) fn go_behind(&mut self) -> bool {
        self.is_behind = true;
        !self.is_over && (!self.waiting.is_empty() || self.thrown.is_some())
    }

    /// Tells what has waited.
    pub(crate) fn finish(&mut self) {
        self.tell_thrown(0);
        self.flush(0);
    }

    /// The deepest frames of which everything is told now; `None` for none.
    pub(crate) fn deepest(&self) -> Option<u32> {
        match self.closed {
            Some(closed) => closed.checked_sub(1),
            None => Some(self.deepest),
        }
    }

    /// Tells no more of what this frame does.
    pub(crate) fn close(&mut self, frame: &Frame<'_>, depth: u32, number: u64) {
        let at = At { code: frame.code, pc: frame.pc, number, depth };
        self.tell(at, |_| EventKind::Skipped);
        self.closed = Some(depth);
    }

    fn is_marked(&mut self, at: At<'_>) -> bool {
        let Some(marks) = self.marks else { return false };
        if self.marked.0 != at.code.index {
            let known = self.marks_by_method.entry(at.code.index);
            let marks = known.or_insert_with(|| marks(at.code).map(Rc::from)).clone();
            self.marked = (at.code.index, marks);
        }
        self.marked.1.as_ref().is_some_and(|marks| marks.get(at.pc as usize) == Some(&true))
    }

    /// Entry and end of a frame.
    fn tell_end(&mut self, latest: u64, step: u64, at: At<'_>, kind: impl FnOnce(&Self) -> EventKind) {
        if self.is_child(at.depth) {
            self.tell_wanted(latest, step, at, kind);
        }
    }

    fn tell(&mut self, at: At<'_>, kind: impl FnOnce(&Self) -> EventKind) {
        if self.is_near(at.depth) {
            self.tell_wanted(self.steps.steps(), self.steps.current(at.depth), at, kind);
        }
    }

    /// `latest` is the step of the thread, `step` that of the frame.
    fn tell_wanted(&mut self, latest: u64, step: u64, at: At<'_>, kind: impl FnOnce(&Self) -> EventKind) {
        let is_wanted = self.wanted.steps.contains(&latest)
            && self.wanted.methods.as_ref().is_none_or(|methods| methods.contains(&at.code.index));
        if is_wanted {
            self.push(latest, step, at, kind);
        }
    }

    fn push(&mut self, latest: u64, step: u64, at: At<'_>, kind: impl FnOnce(&Self) -> EventKind) {
        if self.is_behind {
            return;
        }
        let kind = kind(self);
        let event = Event {
            thread: self.thread,
            step,
            latest,
            number: at.number,
            method: at.code.index,
            pc: at.pc,
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

    /// A call of a method that is not wanted by one that is: the call instruction.
    fn wanted_call(&self, at: At<'_>) -> Option<At<'t>> {
        let methods = self.wanted.methods.as_ref().filter(|_| self.wanted.with_calls)?;
        let calling = at.depth.checked_sub(1)?;
        let place = self.places.get(calling as usize)?;
        let is_direct = self.direct.get(at.depth as usize) == Some(&true);
        if !is_direct || methods.contains(&at.code.index) || !methods.contains(&place.method) {
            return None;
        }
        Some(At { code: self.program.code(place.method).ok()?, pc: place.pc, number: at.number, depth: calling })
    }

    fn tell_wanted_call(&mut self, at: At<'_>, kind: impl FnOnce(&Self) -> EventKind) {
        let latest = self.steps.steps();
        if let Some(call) = self.wanted_call(at).filter(|_| self.wanted.steps.contains(&latest)) {
            self.push(latest, self.steps.current(call.depth), call, kind);
        }
    }

    /// Whether everything is told of frames at this depth.
    #[inline]
    fn is_near(&self, depth: u32) -> bool {
        depth <= self.deepest && self.closed.is_none_or(|closed| depth < closed)
    }

    /// Whether entry and end are told of frames at this depth.
    fn is_child(&self, depth: u32) -> bool {
        depth.checked_sub(1).is_none_or(|caller| self.is_near(caller))
    }

    /// A frame is gone.
    fn left(&mut self, depth: u32) {
        self.receivers.truncate(depth as usize);
        self.direct.truncate(depth as usize);
        if self.closed.is_some_and(|closed| depth <= closed) {
            self.closed = None;
        }
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
            for value in values_of(&mut event.kind).into_iter().chain(&mut event.this) {
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

    fn recorded_call(&self, code: &MethodCode, slots: &[u64]) -> EventKind {
        let is_static = code.access & access::STATIC != 0;
        let mut values = arguments_of(code, slots).into_iter().map(|argument| argument.value);
        let receiver = if is_static { None } else { values.next() };
        EventKind::Call {
            class: self.program.definition(code.definition).map(|d| d.name.as_str()).unwrap_or_default().into(),
            name: code.name.clone(),
            descriptor: code.descriptor.clone(),
            receiver,
            arguments: values.collect(),
        }
    }

    fn comparison(&self, at: At<'_>, operands: [u64; 2]) -> Comparison {
        let (number, kind, compared) = self.compared;
        let compared = (number + 1 == at.number).then_some((kind, compared));
        Comparison::of(self.program, at.code, at.pc, operands, compared)
    }

    fn field(&self, access: FieldAccess) -> (Option<Value>, Field, Value) {
        let unknown = || Field { owner: "?".into(), name: "?".into(), descriptor: "?".into() };
        let field = self.program.field(access.field).unwrap_or_else(unknown);
        let value = Value::of(access.kind, access.bits, Some(&field.descriptor));
        ((!access.is_static).then(|| Value::reference(access.object)), field, value)
    }
}

pub(super) fn values_of(kind: &mut EventKind) -> Vec<&mut Value> {
    match kind {
        EventKind::Enter { arguments, .. } => arguments.iter_mut().map(|a| &mut a.value).collect(),
        EventKind::Call { receiver, arguments, .. } => receiver.iter_mut().chain(arguments).collect(),
        EventKind::Return { result } | EventKind::CallReturned { result } => result.iter_mut().collect(),
        EventKind::FieldRead { object, value, .. } | EventKind::FieldWritten { object, value, .. } => {
            object.iter_mut().chain([value]).collect()
        }
        EventKind::ElementRead { array, value, .. } | EventKind::ElementWritten { array, value, .. } => {
            vec![array, value]
        }
        EventKind::LocalWritten(variable) => vec![&mut variable.value],
        EventKind::New { object, .. } => vec![object],
        EventKind::Catch { exception } | EventKind::Unwind { exception } => vec![exception],
        EventKind::Throw { exception } => exception.iter_mut().collect(),
        EventKind::Branch { comparison, .. } => vec![&mut comparison.left, &mut comparison.right],
        EventKind::Step | EventKind::Switch { .. } | EventKind::Mark | EventKind::Skipped => Vec::new(),
    }
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
        let is_step = std::mem::take(&mut self.is_counted) || self.steps.instruction(at);
        if is_step {
            self.is_past = self.steps.steps() > *self.wanted.steps.end();
        }
        if self.is_near(at.depth) {
            if let Some(place) = self.places.get_mut(at.depth as usize) {
                place.pc = at.pc;
            }
            if self.is_marked(at) {
                self.tell(at, |_| EventKind::Mark);
            }
            if is_step {
                self.tell(at, |_| EventKind::Step);
            }
        }
    }

    fn entered(&mut self, at: At<'_>, arguments: &[u64], entry: Entry) {
        self.steps.entered(at.depth);
        let is_static = at.code.access & access::STATIC != 0;
        self.receivers.truncate(at.depth as usize);
        self.receivers.push(if is_static { 0 } else { arguments.first().copied().unwrap_or_default() });
        self.places.truncate(at.depth as usize);
        let caller = self.places.last().copied().filter(|_| entry == Entry::Direct);
        self.places.push(CallPlace { method: at.code.index, pc: 0 });
        self.direct.truncate(at.depth as usize);
        self.direct.push(entry == Entry::Direct);
        self.tell_wanted_call(at, |teller| teller.recorded_call(at.code, arguments));
        // A method's entry belongs to the step that its first instruction starts.
        let step = self.steps.steps() + 1;
        self.tell_end(step, step, at, |_| EventKind::Enter {
            arguments: arguments_of(at.code, arguments),
            is_call_back: entry == Entry::CallBack,
            caller,
        });
    }

    fn returned(&mut self, at: At<'_>, kind: LogKind, bits: u64) {
        let (latest, step) = (self.steps.steps(), self.steps.current(at.depth));
        self.tell_end(latest, step, at, |_| EventKind::Return { result: result_of(&at.code.descriptor, kind, bits) });
        let result = |_: &Self| EventKind::CallReturned { result: result_of(&at.code.descriptor, kind, bits) };
        self.tell_wanted_call(at, result);
        self.left(at.depth);
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
        let (latest, step) = (self.steps.steps(), self.steps.current(at.depth));
        self.tell_end(latest, step, at, |_| EventKind::Unwind { exception: Value::reference(exception) });
        self.left(at.depth);
    }

    fn caught(&mut self, at: At<'_>, exception: u64) {
        self.tell_thrown(exception);
        self.tell(at, |_| EventKind::Catch { exception: Value::reference(exception) });
    }

    fn field_read(&mut self, at: At<'_>, access: FieldAccess) {
        if !self.wanted.is_of_interest(access.kind, access.bits, access.object) {
            return;
        }
        self.tell(at, |teller| {
            let (object, field, value) = teller.field(access);
            EventKind::FieldRead { object, field, value }
        });
    }

    fn field_written(&mut self, at: At<'_>, access: FieldAccess) {
        if !self.wanted.is_of_interest(access.kind, access.bits, access.object) {
            return;
        }
        self.tell(at, |teller| {
            let (object, field, value) = teller.field(access);
            EventKind::FieldWritten { object, field, value }
        });
    }

    fn element_read(&mut self, at: At<'_>, access: ElementAccess) {
        if !self.wanted.is_of_interest(access.kind, access.bits, access.array) {
            return;
        }
        self.tell(at, |teller| {
            let (array, value) = teller.element(access);
            EventKind::ElementRead { array, index: access.index, value }
        });
    }

    fn element_written(&mut self, at: At<'_>, access: ElementAccess) {
        if !self.wanted.is_of_interest(access.kind, access.bits, access.array) {
            return;
        }
        self.tell(at, |teller| {
            let (array, value) = teller.element(access);
            EventKind::ElementWritten { array, index: access.index, value }
        });
    }

    fn local_written(&mut self, at: At<'_>, local: u16, kind: LogKind, bits: u64) {
        if !self.wanted.is_of_interest(kind, bits, 0) {
            return;
        }
        self.tell(at, |_| {
            let variable = at.code.variable_set(local, at.pc);
            let value = Value::of(kind, bits, variable.map(|v| &*v.descriptor));
            let name = variable.map(|v| v.name.clone());
            EventKind::LocalWritten(Variable { name, slot: local, value })
        });
    }

    fn branched(&mut self, at: At<'_>, operands: [u64; 2], taken: bool) {
        if self.wanted.only.is_some() {
            return;
        }
        self.tell(at, |teller| {
            let target = at.code.ops.get(at.pc as usize).and_then(|op| op.jump_target());
            let next = if taken { target } else { Some(at.pc + 1) };
            let comparison = teller.comparison(at, operands);
            EventKind::Branch { comparison, taken, to_line: next.and_then(|pc| at.code.line(pc)) }
        });
    }

    fn compared(&mut self, at: At<'_>, kind: LogKind, operands: [u64; 2]) {
        self.compared = (at.number, kind, operands);
    }

    fn switched(&mut self, at: At<'_>, value: u64, to: Pc) {
        self.tell(at, |teller| {
            let value = switched_value(teller.program, at.code, at.pc, value);
            EventKind::Switch { value, to_line: at.code.line(to) }
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
        if self.is_behind {
            self.flush(MAX_WAITING);
            let is_done = self.waiting.is_empty() && self.thrown.is_none();
            return (self.is_over || is_done).then_some(Interruption::Pause);
        }
        (self.is_over || self.is_past).then_some(Interruption::Pause)
    }
}
