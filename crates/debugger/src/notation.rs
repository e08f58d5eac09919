//! Events in the notation of a call tree: `this:<Cart:1>.total = 7`, `new File(".") => <File:1>`.
//!
//! A value that comes from a local or goes into one right away has the name of that local.

use crate::events::EventView;
use crate::functions::short_name;
use crate::session::Session;
use whydunit_classfile::{access, descriptor};
use whydunit_replay::Value;
use whydunit_replay::events::{CallPlace, Event, EventKind, Variable};
use whydunit_replay::naming::simple_name;
use whydunit_replay::program::{Call, CallKind, MethodCode, MethodIndex, Op, Pc, Variable as Local};
use whydunit_trace::{LogKind, ObjectId};

/// How a call ended.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Outcome {
    /// Not seen.
    #[default]
    Unknown,
    Returned(Option<Value>),
    Threw(Value),
}

impl Outcome {
    pub(crate) fn mentions(self, object: ObjectId) -> bool {
        match self {
            Outcome::Unknown | Outcome::Returned(None) => false,
            Outcome::Returned(Some(value)) | Outcome::Threw(value) => value == Value::Ref(object),
        }
    }
}

impl Session {
    pub(crate) fn code(&self, method: MethodIndex) -> Option<&MethodCode> {
        self.program().code(method).ok()
    }

    /// Whether the event is a line of the tree; what is not stands in another line.
    pub(crate) fn is_line(&self, event: &Event) -> bool {
        let Some(code) = self.code(event.method) else { return false };
        match &event.kind {
            EventKind::New { class, .. } => class.starts_with('['),
            // Compilers have locals of their own, without a name.
            EventKind::LocalWritten(variable) => variable.name.is_some() || code.variables.is_empty(),
            EventKind::Call { class, name, .. } => {
                let is_super = || code.call_at(event.pc).is_some_and(|call| is_super_call(code, event.pc, call));
                !(&**name == "<init>" && &**class == "java/lang/Object" && is_super())
            }
            EventKind::CallReturned { .. } | EventKind::Unwind { .. } | EventKind::Mark | EventKind::Skipped => false,
            _ => true,
        }
    }

    /// The store into a local that the event's line tells as well: the frame's instruction.
    pub(crate) fn store_told(&self, event: &Event) -> Option<Pc> {
        let place = match &event.kind {
            EventKind::Enter { caller, .. } => (*caller)?,
            EventKind::FieldRead { .. }
            | EventKind::ElementRead { .. }
            | EventKind::New { .. }
            | EventKind::Call { .. } => CallPlace { method: event.method, pc: event.pc },
            EventKind::Catch { .. } => {
                let op = self.code(event.method)?.ops.get(event.pc as usize)?;
                return matches!(op, Op::Store { .. }).then_some(event.pc);
            }
            _ => return None,
        };
        self.code(place.method)?.stored_after(place.pc).map(|(_, pc)| pc)
    }

    /// The object that a call of a constructor makes.
    pub(crate) fn created(&self, event: &Event) -> Option<Value> {
        match &event.kind {
            EventKind::Enter { arguments, caller, .. } => self.entry_head(event, arguments, *caller)?.2,
            EventKind::Call { name, receiver, .. } if &**name == "<init>" => {
                let code = self.code(event.method)?;
                let is_super = code.call_at(event.pc).is_some_and(|call| is_super_call(code, event.pc, call));
                receiver.filter(|_| !is_super)
            }
            EventKind::New { class, object } if class.starts_with('[') => Some(*object),
            _ => None,
        }
    }

    /// The event, or the call with its outcome, in the notation of the tree.
    pub(crate) fn notation(&self, event: &Event, outcome: Outcome) -> String {
        self.event_text(event, outcome).unwrap_or_default()
    }

    fn event_text(&self, event: &Event, outcome: Outcome) -> Option<String> {
        let code = self.code(event.method)?;
        let writer = Writer { session: self, code, event };
        match &event.kind {
            EventKind::FieldRead { object, field, value } => {
                let object = match object {
                    Some(object) => writer.operand(1, *object),
                    None => simple_name(&field.owner),
                };
                Some(writer.with_result(format!("{object}.{}", field.name), *value))
            }
            EventKind::FieldWritten { object, field, value } => {
                let slots = slots_of(&field.descriptor);
                let object = match object {
                    Some(object) => writer.operand(slots + 1, *object),
                    None => simple_name(&field.owner),
                };
                Some(format!("{object}.{} = {}", field.name, writer.operand(slots, *value)))
            }
            EventKind::ElementRead { array, index, value } => {
                Some(writer.with_result(format!("{}[{index}]", writer.operand(2, *array)), *value))
            }
            EventKind::ElementWritten { array, index, value } => {
                let slots = match code.ops.get(event.pc as usize) {
                    Some(Op::ArrayStore(kind)) => usize::from(kind.slots()),
                    _ => 1,
                };
                let array = writer.operand(slots + 2, *array);
                Some(format!("{array}[{index}] = {}", writer.operand(slots, *value)))
            }
            EventKind::LocalWritten(variable) => {
                let slots = match code.ops.get(event.pc as usize) {
                    Some(Op::Store { kind, .. } | Op::StoreWide { kind, .. }) => usize::from(kind.slots()),
                    _ => return Some(format!("{} = {}", local_name(variable), self.words(variable.value))),
                };
                Some(format!("{} = {}", local_name(variable), writer.operand(slots, variable.value)))
            }
            EventKind::Branch { comparison, taken, .. } => {
                Some(format!("if ({})", self.condition(code, event.pc, comparison, *taken)))
            }
            EventKind::Switch { value, .. } => Some(format!("switch ({})", writer.operand(1, *value))),
            EventKind::New { class, object } => {
                let element = class.strip_prefix('[')?;
                let length = match object {
                    Value::Ref(object) => self.array_length(*object),
                    _ => None,
                };
                let length = length.map(|length| length.to_string()).unwrap_or_default();
                let name = simple_name(&format!("[{}", element.trim_start_matches('[')));
                let dimensions = "[]".repeat(element.len() - element.trim_start_matches('[').len());
                let name = name.trim_end_matches("[]");
                Some(writer.with_result(format!("new {name}[{length}]{dimensions}"), *object))
            }
            EventKind::Throw { exception } => {
                let exception = exception.map(|exception| match code.ops.get(event.pc as usize) {
                    Some(Op::Throw) => writer.operand(1, exception),
                    _ => self.words(exception),
                });
                Some(exception.map_or_else(|| "throw".to_owned(), |exception| format!("throw {exception}")))
            }
            EventKind::Catch { exception } => {
                let variable = match code.ops.get(event.pc as usize) {
                    Some(&Op::Store { local, .. }) => code.variable_set(local, event.pc),
                    _ => None,
                };
                Some(format!("catch {}", self.named(variable.map(|v| &*v.name), *exception)))
            }
            EventKind::Return { result: Some(result) } => {
                let slots = usize::from(code.result.slots());
                Some(format!("return {}", writer.operand(slots, *result)))
            }
            EventKind::Return { result: None } => Some("return".to_owned()),
            EventKind::Enter { .. } | EventKind::Call { .. } => self.call_text(event, outcome),
            EventKind::Step => {
                let view = EventView { event, step: event.step, session: self };
                Some(view.source_line().unwrap_or_else(|| format!("step at {}", view.place())))
            }
            EventKind::CallReturned { .. } | EventKind::Unwind { .. } | EventKind::Mark | EventKind::Skipped => None,
        }
    }

    fn call_text(&self, event: &Event, outcome: Outcome) -> Option<String> {
        let (head, place, created) = match &event.kind {
            EventKind::Enter { arguments, caller, .. } => self.entry_head(event, arguments, *caller)?,
            EventKind::Call { class, name, receiver, arguments, .. } => {
                let code = self.code(event.method)?;
                let writer = Writer { session: self, code, event };
                let call = code.call_at(event.pc)?;
                let arguments = writer.arguments(call, arguments).join(", ");
                let place = Some(CallPlace { method: event.method, pc: event.pc });
                let slots = usize::from(call.argument_slots);
                match (receiver, &**name) {
                    (Some(_), "<init>") if is_super_call(code, event.pc, call) => {
                        (format!("super({arguments})"), None, None)
                    }
                    (Some(object), "<init>") => {
                        (format!("new {}({arguments})", simple_name(class)), place, Some(*object))
                    }
                    (Some(object), _) => {
                        (format!("{}.{name}({arguments})", writer.operand(slots, *object)), place, None)
                    }
                    (None, _) if class.is_empty() => {
                        let head = match self.function_made(code, event.pc) {
                            Some(made_of) if arguments.is_empty() => short_name(made_of),
                            Some(made_of) => format!("{} with {arguments}", short_name(made_of)),
                            None => format!("{name}({arguments})"),
                        };
                        (head, place, None)
                    }
                    (None, _) => (format!("{}.{name}({arguments})", simple_name(class)), place, None),
                }
            }
            _ => return None,
        };
        let stored = place.and_then(|place| self.code(place.method)?.stored_after(place.pc)?.0);
        Some(match (outcome, created) {
            (Outcome::Threw(exception), _) => format!("{head} throws {}", self.words(exception)),
            (_, Some(object)) if !matches!(object, Value::Fresh(_)) => self.with_stored(head, stored, object),
            (Outcome::Returned(Some(result)), None) => self.with_stored(head, stored, result),
            _ => head,
        })
    }

    /// The call of a recorded method: the text, the call, and the object that it constructs.
    fn entry_head(
        &self,
        event: &Event,
        arguments: &[Variable],
        caller: Option<CallPlace>,
    ) -> Option<(String, Option<CallPlace>, Option<Value>)> {
        let code = self.code(event.method)?;
        let class = self.program().definition(code.definition).map(|d| simple_name(&d.name)).unwrap_or_default();
        let is_static = code.access & access::STATIC != 0;
        let (receiver, arguments) = match arguments.split_first() {
            Some((receiver, arguments)) if !is_static => (Some(receiver.value), arguments),
            _ => (None, arguments),
        };
        let named = |argument: &Variable| self.named(argument.name.as_deref(), argument.value);
        let arguments = arguments.iter().map(named).collect::<Vec<_>>().join(", ");
        let call = caller.and_then(|caller| Some((self.code(caller.method)?, caller.pc)));
        let call = call.and_then(|(code, pc)| Some((code, pc, code.call_at(pc)?)));
        Some(match receiver {
            None => (format!("{class}.{}({arguments})", code.name), caller, None),
            Some(object) if &*code.name == "<init>" => match call {
                Some((calling, pc, call)) if is_super_call(calling, pc, call) => {
                    let is_own = calling.definition == code.definition;
                    (format!("{}({arguments})", if is_own { "this" } else { "super" }), None, None)
                }
                _ => (format!("new {class}({arguments})"), caller, Some(object)),
            },
            Some(object) => {
                let name =
                    call.and_then(|(calling, pc, call)| operand_name(calling, pc, usize::from(call.argument_slots)));
                (format!("{}.{}({arguments})", self.named(name, object), code.name), caller, None)
            }
        })
    }

    fn with_stored(&self, head: String, stored: Option<&Local>, value: Value) -> String {
        match stored {
            Some(local) => format!("{head} => {}", self.named(Some(&local.name), as_type(value, &local.descriptor))),
            None => format!("{head} => {}", self.words(value)),
        }
    }

    pub(crate) fn array_length(&self, object: ObjectId) -> Option<u32> {
        self.objects().array_length(object).ok().flatten()
    }

    /// `total:7`, or `7` for a value without a name.
    pub(crate) fn named(&self, name: Option<&str>, value: Value) -> String {
        match name {
            Some(name) => format!("{name}:{}", self.words(value)),
            None => self.words(value),
        }
    }
}

/// A value that was read as an `int` may go into a local of a smaller type.
fn as_type(value: Value, descriptor: &str) -> Value {
    match value {
        Value::Int(int) => Value::of(LogKind::Int, u64::from(int.cast_unsigned()), Some(descriptor)),
        value => value,
    }
}

fn local_name(variable: &Variable) -> String {
    variable.name.as_ref().map_or_else(|| format!("local{}", variable.slot), |name| name.to_string())
}

/// Slots of a field's value.
fn slots_of(descriptor: &str) -> usize {
    if matches!(descriptor, "J" | "D") { 2 } else { 1 }
}

/// Whether a constructor calls another one for its own object.
fn is_super_call(code: &MethodCode, pc: Pc, call: &Call) -> bool {
    let slots = usize::from(call.argument_slots);
    let is_own = |origin: Pc| matches!(code.ops.get(origin as usize), Some(Op::Load(0)));
    call.kind == CallKind::Constructor && code.is_constructor && code.origin(pc, slots).is_some_and(is_own)
}

/// The name of the local that an operand was loaded from.
pub(crate) fn operand_name(code: &MethodCode, pc: Pc, from_top: usize) -> Option<&str> {
    let origin = code.origin(pc, from_top)?;
    if let Some(variable) = code.variable_loaded(origin) {
        return Some(&variable.name);
    }
    let is_this = matches!(code.ops.get(origin as usize), Some(Op::Load(0))) && has_this(code);
    is_this.then_some("this")
}

/// Whether the first local is `this`, and stays so.
pub(crate) fn has_this(code: &MethodCode) -> bool {
    code.access & access::STATIC == 0 && !code.ops.iter().any(|op| matches!(op, Op::Store { local: 0, .. }))
}

struct Writer<'w> {
    session: &'w Session,
    code: &'w MethodCode,
    event: &'w Event,
}

impl Writer<'_> {
    fn operand(&self, from_top: usize, value: Value) -> String {
        self.session.named(operand_name(self.code, self.event.pc, from_top), value)
    }

    fn with_result(&self, head: String, value: Value) -> String {
        let stored = self.code.stored_after(self.event.pc).and_then(|(local, _)| local);
        self.session.with_stored(head, stored, value)
    }

    /// The arguments of a call of unrecorded code.
    fn arguments(&self, call: &Call, values: &[Value]) -> Vec<String> {
        let mut from_top: usize = 0;
        let kinds = descriptor::parameters(&call.descriptor).unwrap_or_default();
        let mut texts: Vec<String> = values
            .iter()
            .zip(&kinds)
            .rev()
            .map(|(&value, &(base, _))| {
                from_top += usize::from(LogKind::of(base).slots());
                self.operand(from_top, value)
            })
            .collect();
        texts.reverse();
        texts
    }
}
