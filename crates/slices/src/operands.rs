//! What each instruction does with the slots of its frame.

use crate::graph::Role;
use whydunit_replay::program::{MethodCode, Op, Pc};
use whydunit_trace::LogKind;

/// Slots are counted from the frame's first local. A `long` or `double` is named by its first slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Effect {
    /// No slot that is read later gets another value.
    Nothing,
    /// The topmost `taken` slots are replaced by copies of those that are numbered from the top, 1 first.
    Shuffle {
        taken: u16,
        sources: &'static [u16],
    },
    /// A local is pushed.
    Load {
        local: u16,
        wide: bool,
    },
    /// A value is computed of others, or read from the heap.
    Compute {
        uses: Uses,
        result: u16,
    },
    /// A value goes to the heap, or decides where to go on, or leaves the method.
    Consume(Uses),
    /// An array of arrays is made, of so many dimensions.
    Dimensions {
        first: u16,
        count: u16,
    },
    Call,
}

/// Slots that an instruction uses: those whose values its result is made of, then those of the object and the index that
/// say where in the heap.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Uses {
    slots: [u16; 3],
    values: u8,
    all: u8,
}

impl Uses {
    pub(crate) const fn value(slot: u16) -> Uses {
        Uses { slots: [slot, 0, 0], values: 1, all: 1 }
    }

    const fn values(first: u16, second: u16) -> Uses {
        Uses { slots: [first, second, 0], values: 2, all: 2 }
    }

    const fn object(slot: u16) -> Uses {
        Uses { slots: [slot, 0, 0], values: 0, all: 1 }
    }

    const fn element(array: u16, index: u16) -> Uses {
        Uses { slots: [array, index, 0], values: 0, all: 2 }
    }

    const fn value_in_object(value: u16, object: u16) -> Uses {
        Uses { slots: [value, object, 0], values: 1, all: 2 }
    }

    const fn value_in_element(value: u16, array: u16, index: u16) -> Uses {
        Uses { slots: [value, array, index], values: 1, all: 3 }
    }

    #[inline]
    pub(crate) fn slots(&self) -> impl Iterator<Item = (u16, Role)> {
        let role = |position| if position < self.values { Role::Value } else { Role::Address };
        self.slots.iter().zip(0..self.all).map(move |(&slot, position)| (slot, role(position)))
    }

    /// The slot of the object or array that is read or written.
    pub(crate) fn target(&self) -> Option<u16> {
        self.slots().find(|(_, role)| *role == Role::Address).map(|(slot, _)| slot)
    }
}

/// The effect of the instruction at `pc`.
pub(crate) fn effect_of(code: &MethodCode, pc: Pc) -> Effect {
    let Some(&op) = code.ops.get(pc as usize) else { return Effect::Nothing };
    effect(op, code.types.before(pc).len() as u16)
}

/// `top` counts the slots in use before the instruction; code was found to have as many as it takes.
fn effect(op: Op, top: u16) -> Effect {
    let below = |slots: u16| top.saturating_sub(slots);
    let compute = |uses: Uses, result: u16| Effect::Compute { uses, result };
    let unary = |slots: u16| compute(Uses::value(below(slots)), below(slots));
    let binary = |slots: u16| compute(Uses::values(below(2 * slots), below(slots)), below(2 * slots));
    match op {
        Op::Nop | Op::Goto(_) | Op::Pop | Op::Pop2 | Op::MonitorEnter | Op::MonitorExit | Op::CheckCast(_) => {
            Effect::Nothing
        }
        Op::Const { .. } | Op::WideConst { .. } | Op::LoggedConst(_) | Op::New(_) | Op::GetStatic { .. } => {
            compute(Uses::default(), top)
        }
        Op::Load(local) => Effect::Load { local, wide: false },
        Op::LoadWide(local) => Effect::Load { local, wide: true },
        Op::Store { local, .. } => compute(Uses::value(below(1)), local),
        Op::StoreWide { local, .. } => compute(Uses::value(below(2)), local),
        Op::Increment { local, .. } => compute(Uses::value(local), local),
        Op::ArrayLoad(_) => compute(Uses::element(below(2), below(1)), below(2)),
        Op::ArrayStore(kind) => {
            let value = below(kind.slots());
            let (array, index) = (value.saturating_sub(2), value.saturating_sub(1));
            Effect::Consume(Uses::value_in_element(value, array, index))
        }
        Op::Dup => Effect::Shuffle { taken: 1, sources: &[1, 1] },
        Op::DupX1 => Effect::Shuffle { taken: 2, sources: &[1, 2, 1] },
        Op::DupX2 => Effect::Shuffle { taken: 3, sources: &[1, 3, 2, 1] },
        Op::Dup2 => Effect::Shuffle { taken: 2, sources: &[2, 1, 2, 1] },
        Op::Dup2X1 => Effect::Shuffle { taken: 3, sources: &[2, 1, 3, 2, 1] },
        Op::Dup2X2 => Effect::Shuffle { taken: 4, sources: &[2, 1, 4, 3, 2, 1] },
        Op::Swap => Effect::Shuffle { taken: 2, sources: &[1, 2] },
        Op::Iadd | Op::Isub | Op::Imul | Op::Idiv | Op::Irem => binary(1),
        Op::Ishl | Op::Ishr | Op::Iushr | Op::Iand | Op::Ior | Op::Ixor => binary(1),
        Op::Fadd | Op::Fsub | Op::Fmul | Op::Fdiv | Op::Frem | Op::Fcmp(_) => binary(1),
        Op::Ladd | Op::Lsub | Op::Lmul | Op::Ldiv | Op::Lrem | Op::Land | Op::Lor | Op::Lxor | Op::Lcmp => binary(2),
        Op::Dadd | Op::Dsub | Op::Dmul | Op::Ddiv | Op::Drem | Op::Dcmp(_) => binary(2),
        Op::Lshl | Op::Lshr | Op::Lushr => compute(Uses::values(below(3), below(1)), below(3)),
        Op::Ineg | Op::Fneg | Op::I2b | Op::I2c | Op::I2s | Op::I2l | Op::I2f | Op::I2d => unary(1),
        Op::F2i | Op::F2l | Op::F2d | Op::ArrayLength | Op::InstanceOf | Op::NewArray(_) => unary(1),
        Op::Lneg | Op::Dneg | Op::L2i | Op::L2f | Op::L2d | Op::D2i | Op::D2l | Op::D2f => unary(2),
        Op::MultiNewArray { dimensions, .. } => {
            Effect::Dimensions { first: below(u16::from(dimensions)), count: u16::from(dimensions) }
        }
        Op::IfEq(_) | Op::IfNe(_) | Op::IfLt(_) | Op::IfGe(_) | Op::IfGt(_) | Op::IfLe(_) => {
            Effect::Consume(Uses::value(below(1)))
        }
        Op::IfNull(_) | Op::IfNonNull(_) | Op::TableSwitch(_) | Op::LookupSwitch(_) | Op::Throw => {
            Effect::Consume(Uses::value(below(1)))
        }
        Op::IfIcmpEq(_) | Op::IfIcmpNe(_) | Op::IfIcmpLt(_) | Op::IfIcmpGe(_) | Op::IfIcmpGt(_) | Op::IfIcmpLe(_) => {
            Effect::Consume(Uses::values(below(2), below(1)))
        }
        Op::IfAcmpEq(_) | Op::IfAcmpNe(_) => Effect::Consume(Uses::values(below(2), below(1))),
        Op::Return(LogKind::Nothing) => Effect::Consume(Uses::default()),
        Op::Return(kind) => Effect::Consume(Uses::value(below(kind.slots()))),
        Op::PutStatic { kind, .. } => Effect::Consume(Uses::value(below(kind.slots()))),
        Op::GetField { .. } => compute(Uses::object(below(1)), below(1)),
        Op::PutField { kind, .. } => {
            let value = below(kind.slots());
            Effect::Consume(Uses::value_in_object(value, value.saturating_sub(1)))
        }
        Op::Invoke(_) => Effect::Call,
        // Pairs are not in the code that is watched instruction by instruction.
        Op::LoadLoad(..)
        | Op::LoadConst { .. }
        | Op::LoadArrayLoad { .. }
        | Op::LoadGetField { .. }
        | Op::LoadInvoke { .. }
        | Op::LoadReturn { .. }
        | Op::LoadIfEq { .. }
        | Op::LoadIfNe { .. }
        | Op::LoadIfNull { .. }
        | Op::LoadIfNonNull { .. } => Effect::Nothing,
    }
}
