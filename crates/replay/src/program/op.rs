//! Instructions in the form that the interpreter runs: operands resolved, eight bytes each.

use whydunit_trace::LogKind;

/// Index of an instruction in its method.
pub type Pc = u32;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Op {
    Nop,
    /// `int`, `float` and `null` constants, as bits.
    Const {
        kind: LogKind,
        bits: u32,
    },
    /// Index into [`super::MethodCode::wide_constants`].
    WideConst {
        kind: LogKind,
        index: u32,
    },
    /// A constant that the log gives.
    LoggedConst(LogKind),
    Load(u16),
    LoadWide(u16),
    Store {
        local: u16,
        kind: LogKind,
        /// Check mode logs what is stored.
        has_fact: bool,
    },
    StoreWide {
        local: u16,
        kind: LogKind,
    },
    Increment {
        local: u16,
        by: i16,
    },
    ArrayLoad(LogKind),
    ArrayStore(LogKind),
    Pop,
    Pop2,
    Dup,
    DupX1,
    DupX2,
    Dup2,
    Dup2X1,
    Dup2X2,
    Swap,
    Iadd,
    Isub,
    Imul,
    Idiv,
    Irem,
    Ineg,
    Ishl,
    Ishr,
    Iushr,
    Iand,
    Ior,
    Ixor,
    Ladd,
    Lsub,
    Lmul,
    Ldiv,
    Lrem,
    Lneg,
    Lshl,
    Lshr,
    Lushr,
    Land,
    Lor,
    Lxor,
    Fadd,
    Fsub,
    Fmul,
    Fdiv,
    Frem,
    Fneg,
    Dadd,
    Dsub,
    Dmul,
    Ddiv,
    Drem,
    Dneg,
    I2l,
    I2f,
    I2d,
    L2i,
    L2f,
    L2d,
    F2i,
    F2l,
    F2d,
    D2i,
    D2l,
    D2f,
    I2b,
    I2c,
    I2s,
    Lcmp,
    /// The operand is the result for NaN.
    Fcmp(i8),
    Dcmp(i8),
    IfEq(Pc),
    IfNe(Pc),
    IfLt(Pc),
    IfGe(Pc),
    IfGt(Pc),
    IfLe(Pc),
    IfIcmpEq(Pc),
    IfIcmpNe(Pc),
    IfIcmpLt(Pc),
    IfIcmpGe(Pc),
    IfIcmpGt(Pc),
    IfIcmpLe(Pc),
    IfAcmpEq(Pc),
    IfAcmpNe(Pc),
    IfNull(Pc),
    IfNonNull(Pc),
    Goto(Pc),
    TableSwitch(u32),
    LookupSwitch(u32),
    Return(LogKind),
    GetStatic {
        kind: LogKind,
        field: u32,
    },
    PutStatic {
        kind: LogKind,
        field: u32,
    },
    GetField {
        kind: LogKind,
        field: u32,
    },
    PutField {
        kind: LogKind,
        field: u32,
    },
    /// Index into [`super::MethodCode::calls`].
    Invoke(u32),
    /// Operand of the next four: index into [`super::MethodCode::classes`].
    New(u32),
    /// `newarray` and `anewarray`; the class is that of the array.
    NewArray(u32),
    MultiNewArray {
        class: u32,
        dimensions: u8,
    },
    ArrayLength,
    Throw,
    CheckCast(u32),
    InstanceOf,
    MonitorEnter,
    MonitorExit,
    /// From here on: two instructions in one, in [`super::MethodCode::fused`] only.
    LoadLoad(u16, u16),
    LoadConst {
        local: u16,
        bits: u32,
    },
    LoadArrayLoad {
        kind: LogKind,
        local: u16,
    },
    LoadGetField {
        kind: LogKind,
        local: u16,
        field: u32,
    },
    LoadInvoke {
        local: u16,
        call: u32,
    },
    LoadReturn {
        kind: LogKind,
        local: u16,
    },
    LoadIfEq {
        local: u16,
        to: Pc,
    },
    LoadIfNe {
        local: u16,
        to: Pc,
    },
    LoadIfNull {
        local: u16,
        to: Pc,
    },
    LoadIfNonNull {
        local: u16,
        to: Pc,
    },
}

#[derive(Clone, Debug)]
pub struct TableSwitch {
    pub low: i32,
    pub default: Pc,
    pub targets: Box<[Pc]>,
}

/// Keys in rising order.
#[derive(Clone, Debug)]
pub struct LookupSwitch {
    pub default: Pc,
    pub keys: Box<[i32]>,
    pub targets: Box<[Pc]>,
}

impl TableSwitch {
    #[inline]
    pub fn target(&self, value: i32) -> Pc {
        let index = value.wrapping_sub(self.low).cast_unsigned() as usize;
        let is_above = value >= self.low;
        self.targets.get(index).copied().filter(|_| is_above).unwrap_or(self.default)
    }
}

impl LookupSwitch {
    #[inline]
    pub fn target(&self, value: i32) -> Pc {
        match self.keys.binary_search(&value) {
            Ok(index) => self.targets[index],
            Err(_) => self.default,
        }
    }
}

impl Op {
    /// Where a jump goes, if it does; not for switches.
    pub fn jump_target(self) -> Option<Pc> {
        match self {
            Op::IfEq(to) | Op::IfNe(to) | Op::IfLt(to) | Op::IfGe(to) | Op::IfGt(to) | Op::IfLe(to) => Some(to),
            Op::IfIcmpEq(to) | Op::IfIcmpNe(to) | Op::IfIcmpLt(to) => Some(to),
            Op::IfIcmpGe(to) | Op::IfIcmpGt(to) | Op::IfIcmpLe(to) => Some(to),
            Op::IfAcmpEq(to) | Op::IfAcmpNe(to) | Op::IfNull(to) | Op::IfNonNull(to) => Some(to),
            Op::Goto(to) => Some(to),
            _ => None,
        }
    }

    /// For instructions that only move operands: how many slots they take from the top, and which of these they
    /// put there, numbered from the top, 1 first.
    pub fn shuffle(self) -> Option<(usize, &'static [usize])> {
        Some(match self {
            Op::Dup => (1, &[1, 1]),
            Op::DupX1 => (2, &[1, 2, 1]),
            Op::DupX2 => (3, &[1, 3, 2, 1]),
            Op::Dup2 => (2, &[2, 1, 2, 1]),
            Op::Dup2X1 => (3, &[2, 1, 3, 2, 1]),
            Op::Dup2X2 => (4, &[2, 1, 4, 3, 2, 1]),
            Op::Swap => (2, &[1, 2]),
            _ => return None,
        })
    }

    /// Whether check mode logs something before it.
    pub fn has_fact(self) -> bool {
        match self {
            Op::Store { has_fact, .. } => has_fact,
            Op::StoreWide { .. } | Op::ArrayStore(_) => true,
            Op::IfEq(_) | Op::IfNe(_) | Op::IfLt(_) | Op::IfGe(_) | Op::IfGt(_) | Op::IfLe(_) => true,
            Op::IfIcmpEq(_) | Op::IfIcmpNe(_) | Op::IfIcmpLt(_) => true,
            Op::IfIcmpGe(_) | Op::IfIcmpGt(_) | Op::IfIcmpLe(_) => true,
            Op::IfAcmpEq(_) | Op::IfAcmpNe(_) | Op::IfNull(_) | Op::IfNonNull(_) => true,
            Op::TableSwitch(_) | Op::LookupSwitch(_) | Op::PutStatic { .. } | Op::PutField { .. } => true,
            Op::Return(kind) => kind != LogKind::Nothing,
            _ => false,
        }
    }
}
