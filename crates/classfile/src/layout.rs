//! Where the instructions of a method stand after code was inserted between them.

use std::collections::BTreeMap;

use crate::code::ExceptionEntry;
use crate::instruction::{Instruction, padding};
use crate::{EditError, op};

/// Code to insert, by the original pc of the instruction it belongs to.
#[derive(Debug, Default)]
pub(crate) struct Insertions {
    pub(crate) prologue: Vec<u8>,
    pub(crate) before: BTreeMap<u32, Vec<u8>>,
    pub(crate) after: BTreeMap<u32, Vec<u8>>,
    /// What stands where the instruction stood.
    pub(crate) instead: BTreeMap<u32, Vec<u8>>,
}

/// The new place of every instruction.
#[derive(Debug)]
pub(crate) struct Layout {
    /// By original pc: where the code inserted before the instruction starts. Jumps lead there.
    entries: Vec<Option<u32>>,
    /// By original pc: where the instruction itself stands.
    instructions: Vec<Option<u32>>,
    /// By the original pc of what follows a `monitorenter`: where that one ends.
    locked: BTreeMap<u32, u32>,
    end: u32,
}

impl Layout {
    pub(crate) fn new(code: &[Instruction<'_>], insertions: &Insertions) -> Result<Self, EditError> {
        let original_end = code.last().map_or(0, Instruction::next_pc) as usize;
        let mut entries = vec![None; original_end + 1];
        let mut instructions = vec![None; original_end + 1];
        let mut locked = BTreeMap::new();
        let mut position = insertions.prologue.len() as u32;
        for instruction in code {
            let pc = instruction.pc as usize;
            set(&mut entries, pc, position);
            position += length(insertions.before.get(&instruction.pc));
            set(&mut instructions, pc, position);
            position += match (insertions.instead.get(&instruction.pc), instruction.switch_operands()) {
                (Some(instead), _) => instead.len() as u32,
                (None, Some(operands)) => (1 + padding(position) + operands.len()) as u32,
                (None, None) => instruction.len() as u32,
            };
            if instruction.opcode == op::MONITORENTER {
                locked.insert(instruction.next_pc(), position);
            }
            if instruction.falls_through() {
                position += length(insertions.after.get(&instruction.pc));
            }
        }
        set(&mut entries, original_end, position);
        let layout = Self { entries, instructions, locked, end: position };
        let places = insertions.before.keys().chain(insertions.after.keys()).chain(insertions.instead.keys());
        for &pc in places {
            layout.instruction(pc)?;
        }
        Ok(layout)
    }

    /// Where jumps to the instruction at `pc` lead. The end of the code has an entry too.
    pub(crate) fn entry(&self, pc: u32) -> Result<u32, EditError> {
        find(&self.entries, pc)
    }

    pub(crate) fn instruction(&self, pc: u32) -> Result<u32, EditError> {
        find(&self.instructions, pc)
    }

    /// The entry of the instruction that the byte at `pc` belongs to. What starts with the method still
    /// does, and so covers the prologue.
    pub(crate) fn debug_position(&self, pc: u32) -> Result<u32, EditError> {
        if pc == 0 {
            return Ok(0);
        }
        let upto = self.entries.get(..=pc as usize);
        let upto = upto.ok_or(EditError::NotAnInstruction { pc })?;
        let nearest = upto.iter().rev().find_map(|&entry| entry);
        nearest.ok_or(EditError::NotAnInstruction { pc })
    }

    /// HotSpot compiles no method that could keep a lock, so what is inserted behind a `monitorenter` is covered by
    /// the handler that gives the lock back. Its quick compiler gives up on a handler whose start throws to itself,
    /// so what is inserted there is left out of the handler's own range.
    pub(crate) fn exception(&self, entry: ExceptionEntry) -> Result<Vec<ExceptionEntry>, EditError> {
        let start = match self.locked.get(&entry.start.into()) {
            Some(&start) => start,
            None => self.entry(entry.start.into())?,
        };
        let end = self.entry(entry.end.into())?;
        let handler = self.entry(entry.handler.into())?;
        let behind = self.instruction(entry.handler.into())?;
        let ranges = if (start..end).contains(&handler) && handler < behind {
            vec![(start, handler), (behind, end)]
        } else {
            vec![(start, end)]
        };
        let mut entries = Vec::with_capacity(ranges.len());
        for (start, end) in ranges.into_iter().filter(|(start, end)| start < end) {
            let (start, end, handler) = (narrow(start)?, narrow(end)?, narrow(handler)?);
            entries.push(ExceptionEntry { start, end, handler, catch_type: entry.catch_type });
        }
        Ok(entries)
    }

    /// The new code, with branches and switches relocated.
    pub(crate) fn emit(&self, code: &[Instruction<'_>], insertions: &Insertions) -> Result<Vec<u8>, EditError> {
        let mut out = Vec::with_capacity(self.end as usize);
        out.extend_from_slice(&insertions.prologue);
        for instruction in code {
            if let Some(before) = insertions.before.get(&instruction.pc) {
                out.extend_from_slice(before);
            }
            match insertions.instead.get(&instruction.pc) {
                Some(instead) => out.extend_from_slice(instead),
                None => self.emit_instruction(instruction, &mut out)?,
            }
            if let Some(after) = insertions.after.get(&instruction.pc)
                && instruction.falls_through()
            {
                out.extend_from_slice(after);
            }
        }
        Ok(out)
    }

    fn emit_instruction(&self, instruction: &Instruction<'_>, out: &mut Vec<u8>) -> Result<(), EditError> {
        let position = out.len() as u32;
        let offset =
            |target: u32| -> Result<i32, EditError> { Ok(self.entry(target)?.cast_signed() - position.cast_signed()) };
        if let Some(target) = instruction.branch() {
            out.push(instruction.opcode);
            let offset = offset(target)?;
            if matches!(instruction.opcode, op::GOTO_W | op::JSR_W) {
                out.extend(offset.to_be_bytes());
            } else {
                let pc = instruction.pc;
                let short = i16::try_from(offset).map_err(|_| EditError::BranchTooFar { pc })?;
                out.extend(short.to_be_bytes());
            }
        } else if let Some(switch) = instruction.switch() {
            out.push(instruction.opcode);
            out.resize(out.len() + padding(position), 0);
            out.extend(offset(switch.default)?.to_be_bytes());
            let is_table = instruction.opcode == op::TABLESWITCH;
            if is_table {
                let operands = instruction.switch_operands().unwrap_or_default();
                out.extend_from_slice(operands.get(4..12).unwrap_or_default());
            } else {
                out.extend((switch.cases.len() as u32).to_be_bytes());
            }
            for (key, target) in switch.cases {
                if !is_table {
                    out.extend(key.to_be_bytes());
                }
                out.extend(offset(target)?.to_be_bytes());
            }
        } else {
            out.extend_from_slice(instruction.bytes);
        }
        Ok(())
    }
}

/// A position as the tables of the method store it.
pub(crate) fn narrow(position: u32) -> Result<u16, EditError> {
    let length = position as usize;
    u16::try_from(position).map_err(|_| EditError::CodeTooLarge { length })
}

fn set(positions: &mut [Option<u32>], pc: usize, position: u32) {
    if let Some(slot) = positions.get_mut(pc) {
        *slot = Some(position);
    }
}

fn find(positions: &[Option<u32>], pc: u32) -> Result<u32, EditError> {
    let position = positions.get(pc as usize).copied().flatten();
    position.ok_or(EditError::NotAnInstruction { pc })
}

fn length(inserted: Option<&Vec<u8>>) -> u32 {
    inserted.map_or(0, |bytes| bytes.len() as u32)
}
