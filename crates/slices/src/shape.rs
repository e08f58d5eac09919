//! What the recorder has to know of each instruction of a method, found out once.

use crate::operands::{Effect, Uses, effect_of};
use whydunit_model::{Decider, Flow, Jumps};
use whydunit_replay::program::{CallKind, MethodCode, Op, Pc, SlotType};

#[derive(Debug)]
pub(crate) struct Shape {
    pub(crate) flow: Flow,
    pub(crate) jumps: Jumps,
    instructions: Box<[Instruction]>,
    deciders: Box<[Deciding]>,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Instruction {
    pub(crate) effect: Effect,
    /// Slots in use before it.
    pub(crate) top: u16,
    /// The slot that a block leaves on the stack when it ends here.
    pub(crate) chosen: Option<u16>,
    /// Its number among the branches.
    pub(crate) branch: Option<u16>,
    pub(crate) is_block_start: bool,
    pub(crate) is_virtual_call: bool,
    first_decider: u32,
    deciders: u32,
}

/// What decides that an instruction runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Deciding {
    Entry,
    /// Number of the branch.
    Branch(u16),
}

impl Shape {
    pub(crate) fn of(code: &MethodCode) -> Shape {
        let flow = Flow::of(code);
        let jumps = Jumps::of(code, &flow);
        let mut deciders = Vec::new();
        let mut instructions: Vec<Instruction> = Vec::with_capacity(code.ops.len());
        for pc in 0..code.ops.len() as Pc {
            let is_block_start = flow.is_block_start(pc);
            let (first_decider, count) = match instructions.last() {
                Some(before) if !is_block_start => (before.first_decider, before.deciders),
                _ => {
                    let first = deciders.len();
                    deciders.extend(flow.deciders(pc).iter().map(|decider| deciding(&flow, *decider)));
                    (first as u32, (deciders.len() - first) as u32)
                }
            };
            instructions.push(Instruction {
                effect: match effect_of(code, pc) {
                    // For slices, which have statements.
                    Effect::Nothing if jumps.contains(pc) => Effect::Consume(Uses::default()),
                    effect => effect,
                },
                top: code.types.before(pc).len() as u16,
                chosen: chosen(code, &flow, pc),
                branch: number_of(&flow, pc),
                is_block_start,
                is_virtual_call: code.call_at(pc).is_some_and(|call| call.kind == CallKind::Virtual),
                first_decider,
                deciders: count,
            });
        }
        Shape { flow, jumps, instructions: instructions.into(), deciders: deciders.into() }
    }

    #[inline]
    pub(crate) fn at(&self, pc: Pc) -> Option<&Instruction> {
        self.instructions.get(pc as usize)
    }

    /// As [`Flow::deciders`].
    pub(crate) fn deciders(&self, pc: Pc) -> &[Deciding] {
        let Some(instruction) = self.at(pc) else { return &[] };
        let first = instruction.first_decider as usize;
        self.deciders.get(first..first + instruction.deciders as usize).unwrap_or_default()
    }
}

fn deciding(flow: &Flow, decider: Decider) -> Deciding {
    match decider {
        Decider::Entry => Deciding::Entry,
        Decider::Branch(pc) => Deciding::Branch(number_of(flow, pc).unwrap_or(u16::MAX)),
    }
}

/// A method has at most 65535 bytes of code.
fn number_of(flow: &Flow, pc: Pc) -> Option<u16> {
    flow.branch_number(pc).map(|number| number as u16)
}

/// Values that stay on the operand stack when a block ends: whatever decided that the block ran has chosen them, as in
/// `is ? one : other`. Only of instructions that make no value of their own.
fn chosen(code: &MethodCode, flow: &Flow, pc: Pc) -> Option<u16> {
    let next = match code.ops.get(pc as usize)? {
        Op::Goto(to) => *to,
        Op::Load(_) | Op::LoadWide(_) | Op::CheckCast(_) if flow.is_block_start(pc + 1) => pc + 1,
        _ => return None,
    };
    let types = code.types.before(next);
    if types.len() <= usize::from(code.max_locals) {
        return None;
    }
    let is_wide = types.last() == Some(&SlotType::Second);
    Some((types.len() - 1 - usize::from(is_wide)) as u16)
}
