//! Instructions and their operands.

use crate::{ClassFileError, op};

/// An instruction in its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Instruction<'a> {
    pub pc: u32,
    /// Never `wide`: of a widened instruction, its own opcode.
    pub opcode: u8,
    pub wide: bool,
    /// The whole instruction, with the `wide` prefix.
    pub bytes: &'a [u8],
}

/// The absolute targets of a `tableswitch` or `lookupswitch`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Switch {
    pub default: u32,
    pub cases: Vec<(i32, u32)>,
}

impl Instruction<'_> {
    #[expect(clippy::len_without_is_empty, reason = "no instruction is empty")]
    #[must_use]
    pub fn len(&self) -> usize {
        self.bytes.len()
    }

    #[must_use]
    pub fn next_pc(&self) -> u32 {
        self.pc + self.bytes.len() as u32
    }

    /// Whether the next instruction in the code can be reached without a jump.
    #[must_use]
    pub fn falls_through(&self) -> bool {
        !matches!(
            self.opcode,
            op::GOTO | op::GOTO_W | op::RET | op::TABLESWITCH | op::LOOKUPSWITCH | op::IRETURN
                ..=op::RETURN | op::ATHROW
        )
    }

    /// The local variable that is read, written or incremented.
    #[must_use]
    pub fn local(&self) -> Option<u16> {
        match self.opcode {
            op::ILOAD..=op::ALOAD | op::ISTORE..=op::ASTORE | op::RET | op::IINC => {
                Some(if self.wide { self.u16_at(2) } else { self.u8_at(1).into() })
            }
            opcode @ op::ILOAD_0..=op::ALOAD_3 => Some(u16::from((opcode - op::ILOAD_0) % 4)),
            opcode @ op::ISTORE_0..=op::ASTORE_3 => Some(u16::from((opcode - op::ISTORE_0) % 4)),
            _ => None,
        }
    }

    /// The index into the constant pool.
    #[must_use]
    pub fn constant(&self) -> Option<u16> {
        match self.opcode {
            op::LDC => Some(self.u8_at(1).into()),
            op::LDC_W
            | op::LDC2_W
            | op::GETSTATIC..=op::NEW
            | op::ANEWARRAY
            | op::CHECKCAST
            | op::INSTANCEOF
            | op::MULTIANEWARRAY => Some(self.u16_at(1)),
            _ => None,
        }
    }

    /// The number in the instruction: the constant of `iconst_<n>`, `bipush` and `sipush`, the amount of
    /// `iinc`, the type code of `newarray`, the dimensions of `multianewarray`; 0 for all others.
    #[must_use]
    pub fn immediate(&self) -> i32 {
        match self.opcode {
            op::ICONST_M1..=op::ICONST_5 => i32::from(self.opcode) - i32::from(op::ICONST_0),
            op::BIPUSH => self.u8_at(1).cast_signed().into(),
            op::SIPUSH => self.u16_at(1).cast_signed().into(),
            op::IINC if self.wide => self.u16_at(4).cast_signed().into(),
            op::IINC => self.u8_at(2).cast_signed().into(),
            op::NEWARRAY => self.u8_at(1).into(),
            op::MULTIANEWARRAY => self.u8_at(3).into(),
            _ => 0,
        }
    }

    /// The absolute target of a conditional or unconditional jump.
    #[must_use]
    pub fn branch(&self) -> Option<u32> {
        let target = i64::from(self.pc) + i64::from(self.branch_offset()?);
        u32::try_from(target).ok()
    }

    #[must_use]
    pub fn switch(&self) -> Option<Switch> {
        let operands = self.switch_operands()?;
        let default = self.absolute(i32_at(operands, 0))?;
        let case = |(key, offset)| Some((key, self.absolute(offset)?));
        let cases = self.switch_cases().map(case).collect::<Option<_>>()?;
        Some(Switch { default, cases })
    }

    /// The operands of a switch behind its padding.
    pub(crate) fn switch_operands(&self) -> Option<&[u8]> {
        match self.opcode {
            op::TABLESWITCH | op::LOOKUPSWITCH => self.bytes.get(1 + padding(self.pc)..),
            _ => None,
        }
    }

    /// Keys and relative targets.
    fn switch_cases(&self) -> impl Iterator<Item = (i32, i32)> {
        let operands = self.switch_operands().unwrap_or_default();
        let is_table = self.opcode == op::TABLESWITCH;
        let low = i32_at(operands, 4);
        let table = operands.get(12..).filter(|_| is_table).unwrap_or_default();
        let pairs = operands.get(8..).filter(|_| !is_table).unwrap_or_default();
        let keys = (0..).map(move |index| low.wrapping_add(index));
        let table = keys.zip(table.chunks_exact(4).map(|offset| i32_at(offset, 0)));
        let pairs = pairs.chunks_exact(8);
        table.chain(pairs.map(|pair| (i32_at(pair, 0), i32_at(pair, 4))))
    }

    pub(crate) fn check_targets(&self, is_start: impl Fn(u32) -> bool) -> Result<(), ClassFileError> {
        let check = |offset: i32| {
            let target = i64::from(self.pc) + i64::from(offset);
            match u32::try_from(target) {
                Ok(pc) if is_start(pc) => Ok(()),
                _ => Err(ClassFileError::BadTarget { pc: self.pc, target }),
            }
        };
        if let Some(offset) = self.branch_offset() {
            check(offset)?;
        }
        if let Some(operands) = self.switch_operands() {
            check(i32_at(operands, 0))?;
            self.switch_cases().try_for_each(|(_, offset)| check(offset))?;
        }
        Ok(())
    }

    fn branch_offset(&self) -> Option<i32> {
        match self.opcode {
            op::IFEQ..=op::JSR | op::IFNULL | op::IFNONNULL => Some(self.u16_at(1).cast_signed().into()),
            op::GOTO_W | op::JSR_W => Some(i32_at(self.bytes, 1)),
            _ => None,
        }
    }

    fn absolute(&self, offset: i32) -> Option<u32> {
        u32::try_from(i64::from(self.pc) + i64::from(offset)).ok()
    }

    fn u8_at(&self, index: usize) -> u8 {
        self.bytes.get(index).copied().unwrap_or_default()
    }

    fn u16_at(&self, index: usize) -> u16 {
        u16::from_be_bytes([self.u8_at(index), self.u8_at(index + 1)])
    }
}

/// The bytes between the opcode of a switch at `pc` and its operands.
pub(crate) fn padding(pc: u32) -> usize {
    3 - pc as usize % 4
}

pub(crate) fn decode(code: &[u8]) -> Result<Vec<Instruction<'_>>, ClassFileError> {
    if !(1..=usize::from(u16::MAX)).contains(&code.len()) {
        return Err(ClassFileError::BadCodeLength { length: code.len() });
    }
    let mut instructions = Vec::with_capacity(code.len() / 2);
    let mut rest = code;
    let mut pc = 0;
    while let Some(&first) = rest.first() {
        let length = length_at(pc, rest)?;
        let split = rest.split_at_checked(length);
        let (bytes, tail) = split.ok_or(ClassFileError::BadInstruction { pc })?;
        let wide = first == op::WIDE;
        let opcode = match bytes {
            [_, widened, ..] if wide => *widened,
            _ => first,
        };
        instructions.push(Instruction { pc, opcode, wide, bytes });
        pc += length as u32;
        rest = tail;
    }
    Ok(instructions)
}

/// The length of the first instruction, which can be more than there is.
fn length_at(pc: u32, code: &[u8]) -> Result<usize, ClassFileError> {
    let bad = || ClassFileError::BadInstruction { pc };
    let operand = |index: usize| -> Result<i32, ClassFileError> {
        let start = 1 + padding(pc) + 4 * index;
        code.get(start..start + 4).ok_or_else(bad)?;
        Ok(i32_at(code, start))
    };
    match *code {
        [op::TABLESWITCH, ..] => {
            let count = i64::from(operand(2)?) - i64::from(operand(1)?) + 1;
            let count = usize::try_from(count).ok().filter(|&count| count > 0);
            let targets = count.and_then(|count| count.checked_mul(4)).ok_or_else(bad)?;
            targets.checked_add(13 + padding(pc)).ok_or_else(bad)
        }
        [op::LOOKUPSWITCH, ..] => {
            let count = usize::try_from(operand(1)?).map_err(|_| bad())?;
            let pairs = count.checked_mul(8).ok_or_else(bad)?;
            pairs.checked_add(9 + padding(pc)).ok_or_else(bad)
        }
        [op::WIDE, op::IINC, ..] => Ok(6),
        [op::WIDE, op::ILOAD..=op::ALOAD | op::ISTORE..=op::ASTORE | op::RET, ..] => Ok(4),
        [op::WIDE, ..] => Err(bad()),
        [opcode, ..] => op::length(opcode).ok_or(ClassFileError::BadOpcode { pc, opcode }),
        [] => Err(bad()),
    }
}

/// 0 when there are fewer than four bytes; lengths are checked when instructions are decoded.
fn i32_at(bytes: &[u8], index: usize) -> i32 {
    let four = bytes.get(index..).and_then(|bytes| bytes.first_chunk());
    four.map_or(0, |&four| i32::from_be_bytes(four))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operands() -> Result<(), ClassFileError> {
        let code = [
            [op::BIPUSH, 0xff].as_slice(),
            &[op::WIDE, op::IINC, 1, 0, 0xff, 0xfe],
            &[op::IINC, 3, 0xfd],
            &[op::ALOAD_2],
            &[op::LDC, 200],
            &[op::INVOKEINTERFACE, 1, 2, 1, 0],
            &[op::MULTIANEWARRAY, 0, 7, 3],
            &[op::GOTO, 0xff, 0xfe],
            &[op::ICONST_M1],
        ]
        .concat();
        let decoded = decode(&code)?;
        let operands = decoded.iter().map(|instruction| {
            let constant = instruction.constant();
            (instruction.local(), constant, instruction.immediate())
        });
        let expected = [
            (None, None, -1),
            (Some(256), None, -2),
            (Some(3), None, -3),
            (Some(2), None, 0),
            (None, Some(200), 0),
            (None, Some(258), 0),
            (None, Some(7), 3),
            (None, None, 0),
            (None, None, -1),
        ];
        assert_eq!(operands.collect::<Vec<_>>(), expected);
        let branches: Vec<_> = decoded.iter().filter_map(Instruction::branch).collect();
        assert_eq!(branches, [21]);
        Ok(())
    }

    #[test]
    fn switches() -> Result<(), ClassFileError> {
        let mut code = vec![op::NOP, op::TABLESWITCH, 0, 0];
        for operand in [40_i32, -1, 0, 41, 42] {
            code.extend(operand.to_be_bytes());
        }
        code.extend([op::LOOKUPSWITCH, 0, 0, 0]);
        for operand in [-24_i32, 1, 1000, -23] {
            code.extend(operand.to_be_bytes());
        }
        let decoded = decode(&code)?;
        let switches: Vec<_> = decoded.iter().filter_map(Instruction::switch).collect();
        let table = Switch { default: 41, cases: vec![(-1, 42), (0, 43)] };
        let lookup = Switch { default: 0, cases: vec![(1000, 1)] };
        assert_eq!(switches, [table, lookup]);
        Ok(())
    }

    #[test]
    fn malformed_code() {
        let bad = |pc| Err(ClassFileError::BadInstruction { pc });
        assert_eq!(decode(&[]), Err(ClassFileError::BadCodeLength { length: 0 }));
        assert_eq!(decode(&[op::NOP, op::SIPUSH, 0]), bad(1));
        assert_eq!(decode(&[op::WIDE, op::NOP, 0, 0]), bad(0));
        assert_eq!(decode(&[op::TABLESWITCH; 12]), bad(0));
        let unknown = ClassFileError::BadOpcode { pc: 0, opcode: 202 };
        assert_eq!(decode(&[202]), Err(unknown));
    }
}
