//! What a branch or a `switch` looked at, as the source has it.

use super::{Cause, CauseKind, Causes};
use crate::session::{Session, SessionError};
use crate::state::Moments;
use whydunit_classfile::access;
use whydunit_replay::Value;
use whydunit_replay::events::{Event, EventKind};
use whydunit_replay::index::Query;
use whydunit_replay::program::{Field, MethodCode, Op, Pc};
use whydunit_trace::ObjectId;

/// How a branch was decided.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decided {
    /// `i:2 < n:3`, `switch (k:B)`
    pub text: String,
    /// Where the method goes on.
    pub(super) to: Option<Pc>,
}

impl Causes<'_> {
    /// What a branch compared, and where it went; `None` for everything else.
    pub fn decided(&self, branch: &Cause) -> Result<Option<Decided>, SessionError> {
        if branch.kind != CauseKind::Branch {
            return Ok(None);
        }
        let Some(found) = self.dependences.describe(branch.executed)? else { return Ok(None) };
        let Ok(code) = self.session.program().code(found.frame.method) else { return Ok(None) };
        let place = branch.place;
        // A loop in one line may decide several times in a step.
        let mut earlier = 0;
        for executed in self.dependences.of_step(place.thread, place.step)? {
            if executed == branch.executed {
                break;
            }
            let other = self.dependences.describe(executed)?;
            earlier += usize::from(other.is_some_and(|other| other.node.pc() == branch.pc));
        }
        let events = self.session.events_of_step(self.moments, place.thread, place.step, found.frame.depth)?;
        let own: Vec<Event> = events.into_iter().filter(|event| event.depth == found.frame.depth).collect();
        let is_decision = |kind: &EventKind| matches!(kind, EventKind::Branch { .. } | EventKind::Switch { .. });
        let mut decisions =
            (0..).zip(&own).filter(|(_, event)| event.pc == branch.pc && is_decision(&event.kind)).skip(earlier);
        let Some((position, event)) = decisions.next() else { return Ok(None) };
        match &event.kind {
            EventKind::Branch { comparison, taken, .. } => {
                let text = self.session.condition(code, branch.pc, comparison, *taken);
                let target = code.ops.get(branch.pc as usize).and_then(|op| op.jump_target());
                Ok(Some(Decided { text, to: if *taken { target } else { Some(branch.pc + 1) } }))
            }
            EventKind::Switch { value, .. } => {
                let before: Vec<&Event> = own.iter().take(position).collect();
                let text = self.session.switched(self.moments, code, branch.pc, *value, &before)?;
                Ok(Some(Decided { text: format!("switch ({text})"), to: target_of(code, branch.pc, *value) }))
            }
            _ => Ok(None),
        }
    }
}

impl Causes<'_> {
    /// The parts of a condition that were looked at before a branch and led on to it, as `a` and `b` of `a && b && c`, in
    /// their order.
    pub fn led_on(&self, branch: &Cause) -> Result<Vec<Cause>, SessionError> {
        let mut parts: Vec<Cause> = Vec::new();
        let mut last = branch.clone();
        while last.kind == CauseKind::Branch
            && let Ok(before) = self.decision(&last)?
            && before.kind == CauseKind::Branch
            && before.place.is_same_step(&last.place)
            && before.pc < last.pc
        {
            parts.push(before.clone());
            last = before;
        }
        parts.reverse();
        Ok(parts)
    }
}

fn target_of(code: &MethodCode, pc: Pc, value: Value) -> Option<Pc> {
    let value = match value {
        Value::Int(value) => value,
        Value::Char(value) => i32::from(value),
        Value::Boolean(value) => i32::from(value),
        _ => return None,
    };
    match *code.ops.get(pc as usize)? {
        Op::TableSwitch(index) => Some(code.tables.get(index as usize)?.target(value)),
        Op::LookupSwitch(index) => Some(code.lookups.get(index as usize)?.target(value)),
        _ => None,
    }
}

impl Session {
    /// What a `switch` of the source is about. Compilers switch over the hash of a text, then over the number of the
    /// text that it equals, and over numbers that they give to the constants of an enum.
    fn switched(
        &self,
        moments: &Moments,
        code: &MethodCode,
        pc: Pc,
        value: Value,
        before: &[&Event],
    ) -> Result<String, SessionError> {
        let called = |wanted: &str| {
            before.iter().rev().find_map(|event| match &event.kind {
                EventKind::Call { name, receiver, arguments, .. } if &**name == wanted => {
                    Some((event.pc, *receiver, arguments.first().copied()))
                }
                _ => None,
            })
        };
        let origin = code.origin(pc, 1);
        let op = origin.and_then(|origin| code.ops.get(origin as usize));
        let is_compilers_own = origin.is_some_and(|origin| code.variable_loaded(origin).is_none());
        let found = match op {
            Some(Op::Load(_)) if is_compilers_own => called("hashCode"),
            Some(Op::ArrayLoad(_)) => called("ordinal"),
            Some(Op::Invoke(_)) => {
                let call = origin.and_then(|origin| code.call_at(origin));
                match call.map(|call| &*call.name) {
                    Some("typeSwitch") => called("typeSwitch").map(|(pc, _, switched)| (pc, switched, None)),
                    Some("enumSwitch") => called("enumSwitch").map(|(pc, _, switched)| (pc, switched, None)),
                    Some(name @ ("hashCode" | "ordinal")) => called(name),
                    _ => None,
                }
            }
            _ => None,
        };
        let Some((call, Some(switched), _)) = found else { return Ok(self.operand(code, pc, 1, value)) };
        let words = match switched {
            Value::Ref(object) => self.enum_constant(moments, object)?.unwrap_or_else(|| self.words(switched)),
            other => self.words(other),
        };
        Ok(match self.operand_expression(code, call, 1).or_else(|| copied_from(self, code, call)) {
            Some(name) => format!("{name}:{words}"),
            None => words,
        })
    }

    /// The name of an object that is a constant of a recorded enum.
    fn enum_constant(&self, moments: &Moments, object: ObjectId) -> Result<Option<String>, SessionError> {
        let Some(class) = self.objects().class(object).ok().flatten() else { return Ok(None) };
        for class in self.program().classes().supertypes(class) {
            let Some(definition) = class.definition.and_then(|id| self.program().definition_index(id)) else {
                continue;
            };
            let Some(summary) = self.program().summary(definition) else { continue };
            let own_type = format!("L{};", class.name);
            let is_constant = |access: u16, descriptor: &str| access & access::STATIC != 0 && descriptor == own_type;
            for field in summary.fields.iter().filter(|field| is_constant(field.access, &field.descriptor)) {
                let query = Query::Field(Field {
                    owner: class.name.as_str().into(),
                    name: field.name.clone(),
                    descriptor: field.descriptor.clone(),
                });
                for index in moments.indexes() {
                    let hit = index.last_before(self.program(), self.objects(), &query, u64::MAX)?;
                    if hit.is_some_and(|hit| hit.value == Some(Value::Ref(object))) {
                        return Ok(Some(field.name.to_string()));
                    }
                }
            }
        }
        Ok(None)
    }
}

/// The expression that was copied into a local of the compiler's own, on which a method is called.
fn copied_from(session: &Session, code: &MethodCode, call: Pc) -> Option<String> {
    let loaded = code.origin(call, 1)?;
    let Some(Op::Load(copy)) = code.ops.get(loaded as usize) else { return None };
    let is_store = |pc: &Pc| matches!(code.ops.get(*pc as usize), Some(Op::Store { local, .. }) if local == copy);
    let store = (0..loaded).rev().find(is_store)?;
    session.operand_expression(code, store, 1)
}
