//! Which slots hold what before each instruction, by abstract interpretation. Also what makes the
//! interpreter's indexing safe: a method whose stack under- or overflows is not accepted.

use super::code::{Call, CallKind};
use super::op::{LookupSwitch, Op, TableSwitch};
use whydunit_trace::LogKind;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum SlotType {
    /// Not set, or not the same on every path.
    Unset,
    Int,
    Float,
    Long,
    Double,
    Reference,
    /// The second slot of a `long` or `double`.
    Second,
}

impl SlotType {
    pub fn of(kind: LogKind) -> SlotType {
        match kind {
            LogKind::Byte | LogKind::Char | LogKind::Short | LogKind::Int => SlotType::Int,
            LogKind::Float => SlotType::Float,
            LogKind::Long => SlotType::Long,
            LogKind::Double => SlotType::Double,
            LogKind::Reference => SlotType::Reference,
            LogKind::Nothing => SlotType::Unset,
        }
    }
}

/// The types of all slots before each instruction.
#[derive(Debug)]
pub struct SlotTypes {
    width: usize,
    rows: Box<[SlotType]>,
    /// Slots in use, locals included.
    depths: Box<[u16]>,
}

impl SlotTypes {
    /// The slots in use before the instruction at `pc`.
    pub fn before(&self, pc: u32) -> &[SlotType] {
        let start = pc as usize * self.width;
        let depth = usize::from(self.depths.get(pc as usize).copied().unwrap_or_default());
        self.rows.get(start..start + depth).unwrap_or_default()
    }

    #[inline]
    pub fn is_reference(&self, pc: u32, slot: usize) -> bool {
        self.rows.get(pc as usize * self.width + slot) == Some(&SlotType::Reference)
    }
}

/// Slots times instructions. The largest methods of real programs have a tenth of it; a damaged class file
/// could ask for gigabytes.
const MAX_TABLE: usize = 1 << 26;

/// What the analysis needs of a method.
pub(super) struct Body<'c> {
    pub(super) ops: &'c [Op],
    pub(super) max_locals: u16,
    pub(super) max_stack: u16,
    /// The locals at entry.
    pub(super) arguments: Vec<SlotType>,
    /// Ranges of instructions and their handler.
    pub(super) handlers: Vec<(u32, u32, u32)>,
    pub(super) calls: &'c [Call],
    pub(super) tables: &'c [TableSwitch],
    pub(super) lookups: &'c [LookupSwitch],
}

/// The code is not what a verifier accepts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Unsound {
    pub(super) pc: u32,
}

pub(super) fn analyse(body: &Body<'_>) -> Result<SlotTypes, Unsound> {
    let mut analysis = Analysis::new(body)?;
    while let Some(pc) = analysis.work.pop() {
        analysis.queued[pc as usize] = false;
        analysis.visit(pc)?;
    }
    Ok(SlotTypes {
        width: analysis.width,
        rows: analysis.rows.into_boxed_slice(),
        depths: analysis.depths.into_boxed_slice(),
    })
}

struct Analysis<'c> {
    body: &'c Body<'c>,
    width: usize,
    rows: Vec<SlotType>,
    /// 0 where not reached yet: a reached instruction has at least the marker bit of `reached`.
    depths: Vec<u16>,
    reached: Vec<bool>,
    queued: Vec<bool>,
    work: Vec<u32>,
    state: Vec<SlotType>,
    handler_state: Vec<SlotType>,
}

impl<'c> Analysis<'c> {
    fn new(body: &'c Body<'c>) -> Result<Analysis<'c>, Unsound> {
        let count = body.ops.len();
        let width = usize::from(body.max_locals) + usize::from(body.max_stack);
        let locals = usize::from(body.max_locals);
        if body.arguments.len() > locals || width > usize::from(u16::MAX) || count * width > MAX_TABLE {
            return Err(Unsound { pc: 0 });
        }
        let mut analysis = Analysis {
            body,
            width,
            rows: vec![SlotType::Unset; count * width],
            depths: vec![0; count],
            reached: vec![false; count],
            queued: vec![false; count],
            work: Vec::new(),
            state: Vec::with_capacity(width),
            handler_state: Vec::with_capacity(width),
        };
        let mut entry = body.arguments.clone();
        entry.resize(locals, SlotType::Unset);
        analysis.state = entry;
        analysis.flow(0, 0)?;
        Ok(analysis)
    }

    /// Merges the current state into what is known before `to`.
    fn flow(&mut self, from: u32, to: u32) -> Result<(), Unsound> {
        let state = std::mem::take(&mut self.state);
        let result = self.merge(from, to, &state);
        self.state = state;
        result
    }

    fn merge(&mut self, from: u32, to: u32, state: &[SlotType]) -> Result<(), Unsound> {
        let unsound = Unsound { pc: from };
        let at = to as usize;
        let depth = u16::try_from(state.len()).map_err(|_| unsound)?;
        let row = self.rows.get_mut(at * self.width..(at + 1) * self.width).ok_or(unsound)?;
        let row = row.get_mut(..state.len()).ok_or(unsound)?;
        let mut changed = false;
        match self.reached.get_mut(at) {
            None => return Err(unsound),
            Some(reached) if !*reached => {
                *reached = true;
                self.depths[at] = depth;
                row.copy_from_slice(state);
                changed = true;
            }
            Some(_) => {
                if self.depths[at] != depth {
                    return Err(unsound);
                }
                for (known, new) in row.iter_mut().zip(state) {
                    if *known != *new && *known != SlotType::Unset {
                        *known = SlotType::Unset;
                        changed = true;
                    }
                }
            }
        }
        if changed && !self.queued[at] {
            self.queued[at] = true;
            self.work.push(to);
        }
        Ok(())
    }

    fn visit(&mut self, pc: u32) -> Result<(), Unsound> {
        let unsound = Unsound { pc };
        let at = pc as usize;
        let depth = usize::from(self.depths[at]);
        let start = at * self.width;
        self.state.clear();
        self.state.extend_from_slice(&self.rows[start..start + depth]);
        self.flow_to_handlers(pc)?;
        let body = self.body;
        let op = *body.ops.get(at).ok_or(unsound)?;
        self.apply(op).ok_or(unsound)?;
        match op {
            Op::Goto(to) => self.flow(pc, to),
            Op::TableSwitch(index) => {
                let table = body.tables.get(index as usize).ok_or(unsound)?;
                self.flow(pc, table.default)?;
                table.targets.iter().try_for_each(|&to| self.flow(pc, to))
            }
            Op::LookupSwitch(index) => {
                let lookup = body.lookups.get(index as usize).ok_or(unsound)?;
                self.flow(pc, lookup.default)?;
                lookup.targets.iter().try_for_each(|&to| self.flow(pc, to))
            }
            Op::Return(_) | Op::Throw => Ok(()),
            _ => {
                if let Some(to) = op.jump_target() {
                    self.flow(pc, to)?;
                }
                self.flow(pc, pc + 1)
            }
        }
    }

    fn flow_to_handlers(&mut self, pc: u32) -> Result<(), Unsound> {
        let body = self.body;
        for &(start, end, target) in &body.handlers {
            if (start..end).contains(&pc) {
                let mut state = std::mem::take(&mut self.handler_state);
                state.clear();
                state.extend_from_slice(&self.state[..usize::from(body.max_locals)]);
                state.push(SlotType::Reference);
                let result = self.merge(pc, target, &state);
                self.handler_state = state;
                result?;
            }
        }
        Ok(())
    }

    fn push(&mut self, slot: SlotType) -> Option<()> {
        (self.state.len() < self.width).then(|| self.state.push(slot))
    }

    fn push_kind(&mut self, kind: LogKind) -> Option<()> {
        if kind == LogKind::Nothing {
            return Some(());
        }
        self.push(SlotType::of(kind))?;
        if kind.slots() == 2 { self.push(SlotType::Second) } else { Some(()) }
    }

    fn pop(&mut self, count: usize) -> Option<()> {
        let left = self.state.len().checked_sub(count)?;
        if left < usize::from(self.body.max_locals) {
            return None;
        }
        self.state.truncate(left);
        Some(())
    }

    /// Replaces the topmost `from.len()` slots by those that `to` numbers from the top, 1 first.
    fn shuffle(&mut self, taken: usize, to: &[usize]) -> Option<()> {
        let top = self.state.len();
        let from = top.checked_sub(taken).filter(|&left| left >= usize::from(self.body.max_locals))?;
        let old: Vec<SlotType> = self.state[from..].to_vec();
        self.state.truncate(from);
        to.iter().try_for_each(|&n| self.push(*old.get(taken - n)?))
    }

    fn set(&mut self, local: u16, slot: SlotType) -> Option<()> {
        let local = usize::from(local);
        if local >= usize::from(self.body.max_locals) {
            return None;
        }
        // Overwriting half of a long or double destroys the other half.
        if self.state[local] == SlotType::Second && slot != SlotType::Second && local > 0 {
            self.state[local - 1] = SlotType::Unset;
        }
        if matches!(self.state[local], SlotType::Long | SlotType::Double)
            && local + 1 < usize::from(self.body.max_locals)
        {
            self.state[local + 1] = SlotType::Unset;
        }
        self.state[local] = slot;
        Some(())
    }

    fn get(&self, local: u16) -> Option<SlotType> {
        let is_local = local < self.body.max_locals;
        self.state.get(usize::from(local)).copied().filter(|_| is_local)
    }

    fn apply(&mut self, op: Op) -> Option<()> {
        use SlotType::{Double, Float, Int, Long, Reference, Second};
        match op {
            Op::Nop | Op::Goto(_) => Some(()),
            Op::Const { kind, .. } | Op::WideConst { kind, .. } | Op::LoggedConst(kind) => self.push_kind(kind),
            Op::Load(local) => {
                let slot = self.get(local)?;
                self.push(slot)
            }
            Op::LoadWide(local) => {
                self.get(local.checked_add(1)?)?;
                let slot = self.get(local)?;
                self.push(slot)?;
                self.push(Second)
            }
            Op::Store { local, kind, .. } => self.pop(1).and(self.set(local, SlotType::of(kind))),
            Op::StoreWide { local, kind } => {
                self.pop(2)?;
                self.set(local, SlotType::of(kind))?;
                self.set(local.checked_add(1)?, Second)
            }
            Op::Increment { local, .. } => self.get(local).map(drop),
            Op::ArrayLoad(kind) => self.pop(2).and(self.push_kind(kind)),
            Op::ArrayStore(kind) => self.pop(2 + usize::from(kind.slots())),
            Op::Pop => self.pop(1),
            Op::Pop2 => self.pop(2),
            Op::Dup | Op::DupX1 | Op::DupX2 | Op::Dup2 | Op::Dup2X1 | Op::Dup2X2 | Op::Swap => {
                let (taken, to) = op.shuffle()?;
                self.shuffle(taken, to)
            }
            Op::Iadd
            | Op::Isub
            | Op::Imul
            | Op::Idiv
            | Op::Irem
            | Op::Ishl
            | Op::Ishr
            | Op::Iushr
            | Op::Iand
            | Op::Ior
            | Op::Ixor => self.pop(2).and(self.push(Int)),
            Op::Ladd | Op::Lsub | Op::Lmul | Op::Ldiv | Op::Lrem | Op::Land | Op::Lor | Op::Lxor => {
                self.pop(4).and(self.push(Long)).and(self.push(Second))
            }
            Op::Lshl | Op::Lshr | Op::Lushr => self.pop(3).and(self.push(Long)).and(self.push(Second)),
            Op::Fadd | Op::Fsub | Op::Fmul | Op::Fdiv | Op::Frem => self.pop(2).and(self.push(Float)),
            Op::Dadd | Op::Dsub | Op::Dmul | Op::Ddiv | Op::Drem => {
                self.pop(4).and(self.push(Double)).and(self.push(Second))
            }
            Op::Ineg | Op::I2b | Op::I2c | Op::I2s | Op::F2i => self.pop(1).and(self.push(Int)),
            Op::Lneg | Op::D2l => self.pop(2).and(self.push(Long)).and(self.push(Second)),
            Op::Fneg | Op::I2f => self.pop(1).and(self.push(Float)),
            Op::Dneg | Op::L2d => self.pop(2).and(self.push(Double)).and(self.push(Second)),
            Op::I2l | Op::F2l => self.pop(1).and(self.push(Long)).and(self.push(Second)),
            Op::I2d | Op::F2d => self.pop(1).and(self.push(Double)).and(self.push(Second)),
            Op::L2i | Op::D2i => self.pop(2).and(self.push(Int)),
            Op::L2f | Op::D2f => self.pop(2).and(self.push(Float)),
            Op::Lcmp | Op::Dcmp(_) => self.pop(4).and(self.push(Int)),
            Op::Fcmp(_) => self.pop(2).and(self.push(Int)),
            Op::IfEq(_)
            | Op::IfNe(_)
            | Op::IfLt(_)
            | Op::IfGe(_)
            | Op::IfGt(_)
            | Op::IfLe(_)
            | Op::IfNull(_)
            | Op::IfNonNull(_)
            | Op::TableSwitch(_)
            | Op::LookupSwitch(_)
            | Op::Throw
            | Op::MonitorEnter
            | Op::MonitorExit => self.pop(1),
            Op::IfIcmpEq(_)
            | Op::IfIcmpNe(_)
            | Op::IfIcmpLt(_)
            | Op::IfIcmpGe(_)
            | Op::IfIcmpGt(_)
            | Op::IfIcmpLe(_)
            | Op::IfAcmpEq(_)
            | Op::IfAcmpNe(_) => self.pop(2),
            Op::Return(kind) => self.pop(usize::from(kind.slots())),
            Op::GetStatic { kind, .. } => self.push_kind(kind),
            Op::PutStatic { kind, .. } => self.pop(usize::from(kind.slots())),
            Op::GetField { kind, .. } => self.pop(1).and(self.push_kind(kind)),
            Op::PutField { kind, .. } => self.pop(1 + usize::from(kind.slots())),
            Op::Invoke(index) => {
                let call = self.body.calls.get(index as usize)?;
                self.pop(usize::from(call.argument_slots))?;
                self.push_kind(call.result)?;
                // The fresh object of `new`, `dup` is below the arguments.
                if call.kind == CallKind::Constructor && call.after == whydunit_trace::plan::After::Fresh {
                    self.pop(1).and(self.push(Reference))?;
                }
                Some(())
            }
            Op::New(_) => self.push(Reference),
            Op::NewArray(_) => self.pop(1).and(self.push(Reference)),
            Op::MultiNewArray { dimensions, .. } => self.pop(usize::from(dimensions)).and(self.push(Reference)),
            Op::CheckCast(_) => self.pop(1).and(self.push(Reference)),
            Op::ArrayLength | Op::InstanceOf => self.pop(1).and(self.push(Int)),
            // Pairs are made of code that was analysed.
            Op::LoadLoad(..)
            | Op::LoadConst { .. }
            | Op::LoadArrayLoad { .. }
            | Op::LoadGetField { .. }
            | Op::LoadInvoke { .. }
            | Op::LoadReturn { .. }
            | Op::LoadIfEq { .. }
            | Op::LoadIfNe { .. }
            | Op::LoadIfNull { .. }
            | Op::LoadIfNonNull { .. } => None,
        }
    }
}
