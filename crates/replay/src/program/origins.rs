//! Which instruction made an operand, and so by which name the source knows it.

use super::code::MethodCode;
use super::op::{Op, Pc};
use whydunit_classfile::descriptor;

/// By instruction: the lowest and the highest instruction that jumps there, handlers included.
#[derive(Debug)]
pub(super) struct JumpSources(Box<[(Pc, Pc)]>);

const NO_SOURCE: (Pc, Pc) = (Pc::MAX, 0);

impl JumpSources {
    pub(super) fn of(code: &MethodCode) -> JumpSources {
        let mut sources = vec![NO_SOURCE; code.ops.len()];
        let mut add = |from: Pc, to: Pc| {
            if let Some((low, high)) = sources.get_mut(to as usize) {
                *low = from.min(*low);
                *high = from.max(*high);
            }
        };
        for (&op, pc) in code.ops.iter().zip(0..) {
            if let Some(to) = op.jump_target() {
                add(pc, to);
            }
            for to in code.switch_targets(op) {
                add(pc, to);
            }
        }
        for handler in &code.handlers {
            add(handler.start, handler.target);
            add(handler.end, handler.target);
        }
        JumpSources(sources.into())
    }

    /// Whether the instruction can be reached by a jump from outside of `first..=last`.
    fn is_reached_from_outside(&self, to: Pc, first: Pc, last: Pc) -> bool {
        let (low, high) = self.0.get(to as usize).copied().unwrap_or(NO_SOURCE);
        low <= high && (low < first || high > last)
    }
}

impl MethodCode {
    /// Where a switch can go; nothing for other instructions.
    pub fn switch_targets(&self, op: Op) -> impl Iterator<Item = Pc> {
        let (default, targets) = match op {
            Op::TableSwitch(index) => self.tables.get(index as usize).map(|table| (table.default, &*table.targets)),
            Op::LookupSwitch(index) => {
                self.lookups.get(index as usize).map(|lookup| (lookup.default, &*lookup.targets))
            }
            _ => None,
        }
        .map_or((None, &[][..]), |(default, targets)| (Some(default), targets));
        default.into_iter().chain(targets.iter().copied())
    }

    /// The instruction that made the operand that is `from_top` slots below the top before `pc`; 1 is the topmost.
    /// `None` when it is not the same on every path. Casts and copies count for what they were made of.
    pub fn origin(&self, pc: Pc, from_top: usize) -> Option<Pc> {
        let sources = self.jump_sources();
        let mut slot = self.types.before(pc).len().checked_sub(from_top)?;
        let mut at = pc;
        let first_local = usize::from(self.max_locals);
        while slot >= first_local && at > 0 {
            let before = at - 1;
            let op = *self.ops.get(before as usize)?;
            if matches!(op, Op::Goto(_) | Op::Return(_) | Op::Throw | Op::TableSwitch(_) | Op::LookupSwitch(_)) {
                // What comes next is not reached from here; it has the same operands.
                at = before;
                continue;
            }
            let height = self.types.before(before).len();
            if let Some((taken, to)) = op.shuffle() {
                let lowest = height.checked_sub(taken)?;
                if slot >= lowest {
                    slot = lowest + taken - *to.get(slot - lowest)?;
                }
            } else if !matches!(op, Op::CheckCast(_)) && height.checked_sub(self.slots_taken(op))? <= slot {
                let is_sure = (at..=pc).all(|between| !sources.is_reached_from_outside(between, before, pc));
                return is_sure.then_some(before);
            }
            at = before;
        }
        None
    }

    /// The local that an operand was loaded from, as the source names it.
    pub fn variable_loaded(&self, at: Pc) -> Option<&super::Variable> {
        let (Op::Load(slot) | Op::LoadWide(slot)) = *self.ops.get(at as usize)? else {
            return None;
        };
        self.variable_at(slot, *self.addresses.get(at as usize)?)
    }

    /// The store into which the result of an instruction goes right away, and the local as the source names it.
    pub fn stored_after(&self, pc: Pc) -> Option<(Option<&super::Variable>, Pc)> {
        let mut next = pc + 1;
        loop {
            match *self.ops.get(next as usize)? {
                Op::CheckCast(_) => next += 1,
                Op::Store { local, .. } | Op::StoreWide { local, .. } => {
                    return Some((self.variable_set(local, next), next));
                }
                _ => return None,
            }
        }
    }

    /// The variable that a store at `pc` sets: its scope may only start behind it.
    pub fn variable_set(&self, slot: u16, pc: Pc) -> Option<&super::Variable> {
        let address = |pc: Pc| self.addresses.get(pc as usize).copied().unwrap_or(u32::MAX);
        self.variable_at(slot, address(pc + 1)).or_else(|| self.variable_at(slot, address(pc)))
    }

    /// The first letter of the type that an instruction's result has in the source, which tells `boolean` and `char`
    /// from `int`.
    pub fn type_made(&self, at: Pc, field: impl FnOnce(u32) -> Option<super::Field>) -> Option<u8> {
        let first = |descriptor: &str| descriptor.as_bytes().first().copied();
        match *self.ops.get(at as usize)? {
            Op::Load(_) => first(&self.variable_loaded(at)?.descriptor),
            Op::GetField { field: number, .. } | Op::GetStatic { field: number, .. } => {
                first(&field(number)?.descriptor)
            }
            Op::Invoke(call) => {
                let (_, result) = descriptor::return_type(&self.calls.get(call as usize)?.descriptor).ok()??;
                first(result)
            }
            Op::InstanceOf => Some(b'Z'),
            Op::I2c | Op::ArrayLoad(whydunit_trace::LogKind::Char) => Some(b'C'),
            _ => None,
        }
    }

    /// Slots that an instruction takes from the operand stack; not for those that only move operands.
    fn slots_taken(&self, op: Op) -> usize {
        match op {
            Op::Store { .. } | Op::Pop | Op::ArrayLength | Op::InstanceOf | Op::CheckCast(_) | Op::NewArray(_) => 1,
            Op::Ineg | Op::Fneg | Op::I2l | Op::I2f | Op::I2d | Op::F2i | Op::F2l | Op::F2d => 1,
            Op::I2b | Op::I2c | Op::I2s | Op::GetField { .. } | Op::Throw => 1,
            Op::IfEq(_) | Op::IfNe(_) | Op::IfLt(_) | Op::IfGe(_) | Op::IfGt(_) | Op::IfLe(_) => 1,
            Op::IfNull(_) | Op::IfNonNull(_) | Op::TableSwitch(_) | Op::LookupSwitch(_) => 1,
            Op::MonitorEnter | Op::MonitorExit => 1,
            Op::StoreWide { .. } | Op::Pop2 | Op::ArrayLoad(_) => 2,
            Op::Iadd | Op::Isub | Op::Imul | Op::Idiv | Op::Irem | Op::Ishl | Op::Ishr | Op::Iushr => 2,
            Op::Iand | Op::Ior | Op::Ixor | Op::Fadd | Op::Fsub | Op::Fmul | Op::Fdiv | Op::Frem | Op::Fcmp(_) => 2,
            Op::Lneg | Op::Dneg | Op::L2i | Op::L2f | Op::L2d | Op::D2i | Op::D2l | Op::D2f => 2,
            Op::IfIcmpEq(_) | Op::IfIcmpNe(_) | Op::IfIcmpLt(_) | Op::IfIcmpGe(_) | Op::IfIcmpGt(_) => 2,
            Op::IfIcmpLe(_) | Op::IfAcmpEq(_) | Op::IfAcmpNe(_) => 2,
            Op::Lshl | Op::Lshr | Op::Lushr => 3,
            Op::Ladd | Op::Lsub | Op::Lmul | Op::Ldiv | Op::Lrem | Op::Land | Op::Lor | Op::Lxor | Op::Lcmp => 4,
            Op::Dadd | Op::Dsub | Op::Dmul | Op::Ddiv | Op::Drem | Op::Dcmp(_) => 4,
            Op::ArrayStore(kind) => 2 + usize::from(kind.slots()),
            Op::PutField { kind, .. } => 1 + usize::from(kind.slots()),
            Op::PutStatic { kind, .. } | Op::Return(kind) => usize::from(kind.slots()),
            Op::Invoke(call) => self.calls.get(call as usize).map_or(0, |call| usize::from(call.argument_slots)),
            Op::MultiNewArray { dimensions, .. } => usize::from(dimensions),
            _ => 0,
        }
    }
}
