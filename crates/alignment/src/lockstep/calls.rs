//! What is passed to calls and comes back from them.

use super::values::MOST_EXCUSED;
use super::{Here, Lockstep};
use crate::compare::CompareError;
use crate::difference::What;
use crate::event::{Event, Tag};
use crate::methods::{PairId, class_of};
use crate::shapes::Shapes;
use crate::side::{Pair, Side};
use whydunit_classfile::descriptor;
use whydunit_replay::Value;
use whydunit_replay::program::{Call, MethodIndex, Pc};
use whydunit_trace::LogKind;

/// What two methods have returned.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Returned {
    Same,
    /// It differs, but need not be the same.
    Excused,
    Different(Pair<Value>),
}

impl<'p> Lockstep<'_, 'p> {
    /// What a method that both have entered was given.
    pub(super) fn parameters(&mut self, id: PairId, is_call_back: bool) -> Result<(), CompareError> {
        if self.common.filters.control_only {
            return Ok(());
        }
        let code = self.common.methods.get(id).code.left;
        let shape = self.common.shapes.left.of(code);
        let count = shape.parameters.len();
        for number in 0..count {
            let (left, right) = (self.look(Side::Left)?, self.look(Side::Right)?);
            if left.tag != Tag::Argument || right.tag != Tag::Argument {
                return Ok(());
            }
            self.advance();
            if self.is_same(left.kind, left.a, right.a)? {
                continue;
            }
            let is_excused = self.is_excused(left.a, right.a) || self.is_excused_argument(&left, &right);
            if let Some(frame) = self.frames.last_mut() {
                frame.excuses.differs(left.slot, is_excused);
            }
            if is_excused {
                continue;
            }
            let declared = descriptor::parameters(&code.descriptor).unwrap_or_default();
            let own = number.checked_sub(count - declared.len()).and_then(|number| declared.get(number));
            let bits = Pair { left: left.a, right: right.a };
            let type_of = own.map(|&(_, text)| text);
            if !is_call_back {
                let values = bits.map(|bits| Value::of(left.kind, bits, type_of));
                self.tell_passed(number as u16, values);
            }
            self.here.left = Here { pc: 0, step: left.step };
            self.here.right = Here { pc: 0, step: right.step };
            self.differs(Pair::both(What::Parameter { slot: left.slot }), left.kind, bits, type_of);
        }
        Ok(())
    }

    /// Whether the caller of the method that is entered has computed an argument from what need not be the same.
    fn is_excused_argument(&mut self, left: &Event, right: &Event) -> bool {
        let [.., caller, callee] = &self.frames[..] else { return false };
        let pc = callee.call.left.pc;
        let Some(call) = self.common.methods.get(caller.methods).code.left.call_at(pc) else { return false };
        let from_top = usize::from(call.argument_slots.saturating_sub(left.slot));
        let is_excused = left.kind != LogKind::Reference && self.is_computed_from_excused(caller, pc, from_top);
        if is_excused {
            self.excuse(left.a, right.a);
        }
        is_excused
    }

    /// What unrecorded code that both call is given.
    pub(super) fn arguments(&mut self, left: &Event, right: &Event) -> Result<(), CompareError> {
        let mut receiver = 0;
        let (mut has_excused, mut has_different) = (false, false);
        let calling = Pair { left: *left, right: *right };
        let watches = self.watches_contents();
        let mut arguments: Vec<u64> = Vec::new();
        for number in 0..left.extra.min(right.extra) as usize {
            let (left, right) = (self.look(Side::Left)?, self.look(Side::Right)?);
            if left.tag != Tag::Argument || right.tag != Tag::Argument {
                return Ok(());
            }
            self.advance();
            if watches {
                arguments.push(right.a);
            }
            if number == 0 {
                receiver = left.a;
            }
            if self.is_same(left.kind, left.a, right.a)? {
                continue;
            }
            let call = self.call_at(left.pc);
            let slots = call.map_or(0, |call| call.argument_slots);
            if self.has_excuse(&left, &right, usize::from(slots.saturating_sub(left.slot))) {
                has_excused = true;
                continue;
            }
            has_different = true;
            let declared = call.map(|call| descriptor::parameters(&call.descriptor).unwrap_or_default());
            let declared = declared.unwrap_or_default();
            let receivers = call.map_or(0, |call| call.arguments.len().saturating_sub(declared.len()));
            let own = number.checked_sub(receivers).and_then(|number| declared.get(number));
            let bits = Pair { left: left.a, right: right.a };
            self.differs(
                Pair::both(What::Argument { number: number as u16 }),
                left.kind,
                bits,
                own.map(|&(_, text)| text),
            );
        }
        if has_excused || has_different || !self.common.builders.is_empty() {
            self.note_call(left.pc, receiver, has_excused, has_different);
        }
        self.note_contents(&calling.left, &arguments, has_different);
        Ok(())
    }

    fn call_at(&self, pc: Pc) -> Option<&'p Call> {
        let frame = self.frames.last()?;
        self.common.methods.get(frame.methods).code.left.call_at(pc)
    }

    /// A call into unrecorded code whose arguments differ, or whose receiver got such arguments before.
    #[cold]
    fn note_call(&mut self, pc: Pc, receiver: u64, has_excused: bool, has_different: bool) {
        let collects = self.call_at(pc).is_some_and(|call| {
            let class = call.owner.strip_prefix("java/lang/");
            class.is_some_and(|class| matches!(class, "StringBuilder" | "StringBuffer"))
        });
        let mut is_excused = has_excused && !has_different;
        if collects {
            if self.common.builders.len() >= MOST_EXCUSED {
                self.common.builders.clear();
            }
            if has_excused || has_different {
                *self.common.builders.entry(receiver).or_insert(true) &= !has_different;
            }
            is_excused = self.common.builders.get(&receiver).copied().unwrap_or(is_excused);
        }
        if let Some(frame) = self.frames.last_mut() {
            frame.excused_call = is_excused.then_some(pc);
        }
    }

    /// What unrecorded code has returned to both.
    pub(super) fn result(&mut self, left: &Event, right: &Event) -> Result<(), CompareError> {
        if self.common.filters.control_only || left.kind == LogKind::Nothing {
            return Ok(());
        }
        if self.is_same(left.kind, left.a, right.a)? {
            return Ok(());
        }
        let Some(frame) = self.frames.last() else { return Ok(()) };
        let Some(call) = self.common.methods.get(frame.methods).code.left.call_at(left.pc) else { return Ok(()) };
        let is_ignored = self.common.filters.ignores_result(&call.owner, &call.name);
        if is_ignored {
            self.common.collector.ignore(&call.owner, &call.name);
        }
        if is_ignored || frame.excused_call == Some(left.pc) {
            self.excuse(left.a, right.a);
            self.note_result(true);
            return Ok(());
        }
        let returned = descriptor::return_type(&call.descriptor).ok().flatten().map(|(_, text)| text);
        self.differs(Pair::both(What::Result), left.kind, Pair { left: left.a, right: right.a }, returned);
        Ok(())
    }

    /// What recorded methods have returned to both.
    pub(super) fn returned(
        &mut self,
        methods: Pair<MethodIndex>,
        left: &Event,
        right: &Event,
        is_ignored: bool,
    ) -> Result<Returned, CompareError> {
        if self.common.filters.control_only || left.kind == LogKind::Nothing {
            return Ok(Returned::Same);
        }
        if self.is_same(left.kind, left.a, right.a)? {
            return Ok(Returned::Same);
        }
        let programs = self.common.shapes.map(Shapes::program);
        let Some(code) = self.common.shapes.left.code(methods.left) else { return Ok(Returned::Same) };
        let class = class_of(programs.left, code).unwrap_or_default();
        if is_ignored || self.common.filters.ignores_result(class, &code.name) {
            self.common.collector.ignore(class, &code.name);
            self.excuse(left.a, right.a);
            return Ok(Returned::Excused);
        }
        let is_open = self.frames.last().is_some_and(|frame| self.common.methods.get(frame.methods).methods == methods);
        if is_open
            && self.corresponds(left.pc, right.pc)
            && self.has_excuse(left, right, usize::from(left.kind.slots()))
        {
            return Ok(Returned::Excused);
        }
        let returned = descriptor::return_type(&code.descriptor).ok().flatten().map(|(_, text)| text);
        // What a method gives back that was passed over comes to the call.
        let what = Pair { left: What::Return, right: if is_open { What::Return } else { What::Result } };
        let bits = Pair { left: left.a, right: right.a };
        self.differs(what, left.kind, bits, returned);
        Ok(match self.is_excused(left.a, right.a) {
            true => Returned::Same,
            false => Returned::Different(bits.map(|bits| Value::of(left.kind, bits, returned))),
        })
    }
}
