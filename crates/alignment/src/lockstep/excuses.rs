//! Values that differ because they were computed from others that need not be the same.

use super::{FramePair, Lockstep};
use whydunit_replay::program::{MethodCode, Op, Pc};

/// Operations that are followed back from a value.
const MOST_OPERATIONS: usize = 12;

/// What is known of the values in a frame: only those in the first 64 locals.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Excuses {
    /// Locals that differ, but need not be the same.
    excused: u64,
    /// Locals that differ.
    different: u64,
    /// The last calls whose results need not be the same.
    calls: [Option<Pc>; 4],
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Verdict {
    Unknown,
    Excused,
    Different,
}

fn bit(slot: u16) -> u64 {
    1u64.checked_shl(u32::from(slot)).unwrap_or_default()
}

impl Excuses {
    /// The local is the same in both.
    #[inline]
    pub(super) fn is_same(&mut self, slot: u16) {
        if self.excused | self.different != 0 {
            self.excused &= !bit(slot);
            self.different &= !bit(slot);
        }
    }

    pub(super) fn differs(&mut self, slot: u16, is_excused: bool) {
        self.is_same(slot);
        *(if is_excused { &mut self.excused } else { &mut self.different }) |= bit(slot);
    }

    pub(super) fn add_call(&mut self, pc: Pc) {
        self.calls.rotate_right(1);
        self.calls[0] = Some(pc);
    }

    fn verdict(&self, code: &MethodCode, origin: Option<Pc>, budget: &mut usize) -> Verdict {
        let Some(pc) = origin else { return Verdict::Unknown };
        let Some(rest) = budget.checked_sub(1) else { return Verdict::Unknown };
        *budget = rest;
        let of_local = |slot: u16| match bit(slot) {
            bit if self.different & bit != 0 => Verdict::Different,
            bit if self.excused & bit != 0 => Verdict::Excused,
            _ => Verdict::Unknown,
        };
        match code.ops.get(pc as usize) {
            Some(Op::Load(slot) | Op::LoadWide(slot)) => of_local(*slot),
            Some(Op::Increment { local, .. }) => of_local(*local),
            Some(Op::Invoke(_)) if self.calls.contains(&Some(pc)) => Verdict::Excused,
            Some(op) => {
                let operands = operands_of(*op).iter().map(|&from_top| code.origin(pc, from_top));
                operands.map(|origin| self.verdict(code, origin, budget)).max().unwrap_or(Verdict::Unknown)
            }
            None => Verdict::Unknown,
        }
    }
}

/// Where the operands of a computation are, counted in slots from the top.
fn operands_of(op: Op) -> &'static [usize] {
    match op {
        Op::Iadd | Op::Isub | Op::Imul | Op::Idiv | Op::Irem => &[2, 1],
        Op::Ishl | Op::Ishr | Op::Iushr | Op::Iand | Op::Ior | Op::Ixor => &[2, 1],
        Op::Fadd | Op::Fsub | Op::Fmul | Op::Fdiv | Op::Frem | Op::Fcmp(_) => &[2, 1],
        Op::Ladd | Op::Lsub | Op::Lmul | Op::Ldiv | Op::Lrem | Op::Land | Op::Lor | Op::Lxor | Op::Lcmp => &[4, 2],
        Op::Dadd | Op::Dsub | Op::Dmul | Op::Ddiv | Op::Drem | Op::Dcmp(_) => &[4, 2],
        Op::Lshl | Op::Lshr | Op::Lushr => &[3, 1],
        Op::Ineg | Op::Fneg | Op::I2l | Op::I2f | Op::I2d | Op::F2i | Op::F2l | Op::F2d => &[1],
        Op::I2b | Op::I2c | Op::I2s => &[1],
        Op::Lneg | Op::Dneg | Op::L2i | Op::L2f | Op::L2d | Op::D2i | Op::D2l | Op::D2f => &[2],
        _ => &[],
    }
}

impl Lockstep<'_, '_> {
    /// Whether an operand of the instruction at `pc` of a frame was computed from something that need not be the same,
    /// and from nothing else that differs.
    pub(super) fn is_computed_from_excused(&self, frame: &FramePair, pc: Pc, from_top: usize) -> bool {
        let code = self.common.methods.get(frame.methods).code.left;
        let origin = match code.ops.get(pc as usize) {
            Some(Op::Increment { .. }) => Some(pc),
            _ => code.origin(pc, from_top),
        };
        let mut budget = MOST_OPERATIONS;
        frame.excuses.verdict(code, origin, &mut budget) == Verdict::Excused
    }
}
