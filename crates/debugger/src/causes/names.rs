//! What an executed instruction did, by the names of the source.

use super::{Cause, CauseKind, Causes, StepPlace};
use crate::session::SessionError;
use whydunit_classfile::{access, descriptor};
use whydunit_replay::Value;
use whydunit_replay::naming::simple_name;
use whydunit_replay::program::{Call, CallKind, MethodCode, MethodIndex, Op, Pc};
use whydunit_slices::{Description, Executed, Place, Unknown};
use whydunit_trace::LogKind;

pub(super) struct Named {
    pub(super) place: StepPlace,
    pub(super) what: String,
    pub(super) kind: CauseKind,
    pub(super) value: Option<Value>,
    pub(super) pc: Pc,
    pub(super) slot: Option<u16>,
    pub(super) has_jumped: Option<bool>,
    pub(super) has_thrown: bool,
}

impl Named {
    pub(super) fn into_cause(self, executed: Executed) -> Cause {
        let Named { place, what, kind, value, pc, slot, has_jumped, has_thrown: _ } = self;
        Cause { place, what, kind, value, has_jumped, pc, slot, executed }
    }
}

impl Causes<'_> {
    pub(super) fn named(&self, executed: Executed) -> Result<Named, SessionError> {
        let Some(found) = self.dependences.describe(executed)? else {
            let (place, kind) = (self.nowhere(), CauseKind::Computed);
            let what = "?".to_owned();
            return Ok(Named {
                place,
                what,
                kind,
                value: None,
                pc: 0,
                slot: None,
                has_jumped: None,
                has_thrown: false,
            });
        };
        let Description { node, frame, .. } = found;
        let pc = node.pc();
        let line = self.line_of(frame.method, pc);
        let place = StepPlace { thread: executed.thread(), step: node.step, method: frame.method, line };
        let Ok(code) = self.session.program().code(frame.method) else {
            return Ok(Named {
                place,
                what: "?".to_owned(),
                kind: CauseKind::Computed,
                value: None,
                pc,
                slot: None,
                has_jumped: None,
                has_thrown: found.has_thrown,
            });
        };
        let (kind, what, value) = match node.argument() {
            Some(_) if node.is_change() => {
                let contents = found.place.map_or_else(|| "?".to_owned(), |place| self.place_name(place));
                (CauseKind::Put, contents, None)
            }
            Some(slot) => self.argument(code, &found, slot),
            None => self.effect(code, &found),
        };
        // A call is told by its name, whatever came of it.
        let (kind, what) = match kind {
            CauseKind::Call | CauseKind::Unrecorded | CauseKind::Argument | CauseKind::Put => (kind, what),
            _ if found.has_thrown => (CauseKind::Throw, "throw".to_owned()),
            _ => (kind, what),
        };
        let value = match value.filter(|_| !found.has_thrown) {
            Some(Value::Fresh(_)) => Some(Value::reference(self.dependences.identity(executed, node.bits)?)),
            value => value,
        };
        let is_jump = code.ops.get(pc as usize).is_some_and(|op| op.jump_target().is_some());
        let has_jumped = (kind == CauseKind::Branch && is_jump).then_some(node.bits != 0);
        let slot = node.argument().or_else(|| match code.ops.get(pc as usize) {
            Some(Op::Store { local, .. } | Op::StoreWide { local, .. } | Op::Increment { local, .. }) => Some(*local),
            _ => None,
        });
        Ok(Named { place, what, kind, value, pc, slot, has_jumped, has_thrown: found.has_thrown })
    }

    fn nowhere(&self) -> StepPlace {
        StepPlace { thread: self.thread, step: 0, method: MethodIndex(u32::MAX), line: None }
    }

    /// A call gives a parameter its value, or unrecorded code something to keep.
    fn argument(&self, code: &MethodCode, found: &Description, slot: u16) -> (CauseKind, String, Option<Value>) {
        let body = self.session.flows().lambda_made(self.session.program(), code, found.node.pc());
        let callee = found.callee.or(body);
        let kind_of_cause = if callee.is_some() { CauseKind::Argument } else { CauseKind::Put };
        let Some(call) = code.call_at(found.node.pc()) else {
            return (kind_of_cause, "?".to_owned(), None);
        };
        // What unrecorded code gives to a call-back is no argument of the call.
        let code = callee.and_then(|callee| self.session.program().code(callee).ok());
        let receivers = match code {
            Some(code) => usize::from(code.access & access::STATIC == 0),
            None => usize::from(!matches!(call.kind, CallKind::Static | CallKind::Dynamic)),
        };
        let parameters = descriptor::parameters(code.map_or(&call.descriptor, |code| &code.descriptor));
        let this = std::iter::repeat_n((LogKind::Reference, None), receivers);
        let others =
            parameters.unwrap_or_default().into_iter().map(|(base, type_of)| (LogKind::of(base), Some(type_of)));
        let mut at = 0;
        for (position, (kind, type_of)) in this.chain(others).enumerate() {
            if at == slot {
                let name = callee.and_then(|callee| self.parameter_name(callee, slot)).unwrap_or_else(|| {
                    let number = position + 1 - receivers.min(position);
                    format!("argument {number} of {}()", call.name)
                });
                return (kind_of_cause, name, Some(Value::of(kind, found.node.bits, type_of)));
            }
            at += kind.slots();
        }
        (kind_of_cause, "?".to_owned(), None)
    }

    fn parameter_name(&self, callee: MethodIndex, slot: u16) -> Option<String> {
        let callee = self.session.program().code(callee).ok()?;
        let variable = callee.variable_at(slot, 0);
        Some(variable.map_or_else(|| format!("local{slot}"), |variable| variable.name.to_string()))
    }

    fn effect(&self, code: &MethodCode, found: &Description) -> (CauseKind, String, Option<Value>) {
        let Description { node, place, .. } = found;
        let pc = node.pc();
        let local = |slot: u16, kind: LogKind| {
            let variable = code.variable_set(slot, pc);
            let name = variable.map_or_else(|| format!("local{slot}"), |variable| variable.name.to_string());
            let value = Value::of(kind, node.bits, variable.map(|variable| &*variable.descriptor));
            (CauseKind::Variable, name, Some(value))
        };
        let heap = |kind: CauseKind, log_kind: LogKind| match place {
            Some(place) => (kind, self.place_name(*place), Some(self.place_value(*place, log_kind, node.bits))),
            None => (kind, "?".to_owned(), None),
        };
        match code.ops.get(pc as usize) {
            Some(&Op::Store { local: slot, kind, .. } | &Op::StoreWide { local: slot, kind }) => local(slot, kind),
            Some(&Op::Increment { local: slot, .. }) => local(slot, LogKind::Int),
            Some(&Op::GetField { kind, .. } | &Op::GetStatic { kind, .. } | &Op::ArrayLoad(kind)) => {
                heap(CauseKind::Read, kind)
            }
            Some(&Op::PutField { kind, .. } | &Op::PutStatic { kind, .. } | &Op::ArrayStore(kind)) => {
                heap(CauseKind::Write, kind)
            }
            Some(&Op::Return(kind)) => {
                let type_of = descriptor::return_type(&code.descriptor).ok().flatten().map(|(_, d)| d);
                let value = (kind != LogKind::Nothing).then(|| Value::of(kind, node.bits, type_of));
                (CauseKind::Return, format!("{}()", code.name), value)
            }
            Some(&Op::Invoke(call)) => match code.calls.get(call as usize) {
                Some(call) => self.call(call, found),
                None => (CauseKind::Call, "?".to_owned(), None),
            },
            Some(&Op::New(class) | &Op::NewArray(class) | &Op::MultiNewArray { class, .. }) => {
                let name = code.classes.get(class as usize).map(|class| simple_name(class)).unwrap_or_default();
                (CauseKind::New, format!("new {name}"), Some(Value::reference(node.bits)))
            }
            Some(&Op::Const { kind, bits }) => {
                (CauseKind::Constant, "constant".to_owned(), Some(Value::of(kind, u64::from(bits), None)))
            }
            Some(&Op::WideConst { kind, index }) => {
                let bits = code.wide_constants.get(index as usize).copied().unwrap_or_default();
                (CauseKind::Constant, "constant".to_owned(), Some(Value::of(kind, bits, None)))
            }
            Some(Op::LoggedConst(_)) => (CauseKind::Constant, "constant".to_owned(), None),
            Some(Op::Throw) => (CauseKind::Throw, "throw".to_owned(), None),
            Some(Op::TableSwitch(_) | Op::LookupSwitch(_)) => (CauseKind::Branch, "switch".to_owned(), None),
            // It only keeps which way a value came.
            Some(Op::Goto(_)) => (CauseKind::Computed, "expression".to_owned(), None),
            Some(op) if op.jump_target().is_some() => (CauseKind::Branch, "condition".to_owned(), None),
            _ => (CauseKind::Computed, "expression".to_owned(), None),
        }
    }

    fn call(&self, call: &Call, found: &Description) -> (CauseKind, String, Option<Value>) {
        let class = simple_name(&call.owner);
        let name = match (&*call.name, call.owner.is_empty()) {
            ("<init>", _) => format!("new {class}()"),
            (name, true) => format!("{name}()"),
            (name, false) => format!("{class}.{name}()"),
        };
        if found.callee.is_some() {
            return (CauseKind::Call, name, None);
        }
        let type_of = descriptor::return_type(&call.descriptor).ok().flatten().map(|(_, d)| d);
        let value = (call.result != LogKind::Nothing).then(|| Value::of(call.result, found.node.bits, type_of));
        (CauseKind::Unrecorded, name, value)
    }

    /// `<Line:2>.price`, `Cart.count`, `<int[]:1>[3]`.
    fn place_name(&self, place: Place) -> String {
        let object = |object: whydunit_trace::ObjectId| self.session.words(Value::reference(u64::from(object.0)));
        let field = |number: u32| self.session.program().field(number);
        match place {
            Place::Static(number) => match field(number) {
                Some(field) => format!("{}.{}", simple_name(&field.owner), field.name),
                None => "?".to_owned(),
            },
            Place::Field(of, number) => {
                format!("{}.{}", object(of), field(number).map_or_else(|| "?".into(), |field| field.name))
            }
            Place::Element(array, index) => format!("{}[{index}]", object(array)),
            Place::Content(of) => format!("contents of {}", object(of)),
            Place::Item(shelf, item) => format!("{} in {}", object(item), object(shelf)),
            Place::Entry(map, _, item) => format!("{} in {}", object(item), object(map)),
            Place::Captured(_) => "captured value".to_owned(),
        }
    }

    fn place_value(&self, place: Place, kind: LogKind, bits: u64) -> Value {
        let field = match place {
            Place::Static(number) | Place::Field(_, number) => self.session.program().field(number),
            Place::Element(..) | Place::Content(_) | Place::Item(..) | Place::Entry(..) | Place::Captured(_) => None,
        };
        Value::of(kind, bits, field.as_ref().map(|field| &*field.descriptor))
    }

    pub(super) fn unknown_name(&self, unknown: Unknown) -> String {
        match unknown {
            Unknown::NotWritten(place) | Unknown::Changed(place) => self.place_name(place),
            Unknown::Given(object) => self.session.words(Value::reference(u64::from(object.0))),
            Unknown::Outside | Unknown::Function(_) => "argument".to_owned(),
            Unknown::Nothing => "?".to_owned(),
        }
    }
}
