//! The body of a method and its debug tables.

use crate::ClassFileError;
use crate::class::{Attribute, read_attributes};
use crate::instruction::{Instruction, decode};
use crate::pool::ConstantPool;
use crate::reader::Reader;
use crate::stack_map::{self, Frame};

#[derive(Debug, Clone)]
pub struct Code<'a> {
    pub max_stack: u16,
    pub max_locals: u16,
    pub bytes: &'a [u8],
    pub exceptions: Vec<ExceptionEntry>,
    pub attributes: Vec<Attribute<'a>>,
    pub(crate) context: CodeContext,
}

/// What the code has to know of its method.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CodeContext {
    pub(crate) this_class: u16,
    pub(crate) descriptor_index: u16,
    pub(crate) is_static: bool,
    pub(crate) is_constructor: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ExceptionEntry {
    pub start: u16,
    pub end: u16,
    pub handler: u16,
    /// 0 catches everything.
    pub catch_type: u16,
}

impl ExceptionEntry {
    /// Whether it is for everything, its own handler included.
    #[must_use]
    pub fn is_for_itself(&self) -> bool {
        self.catch_type == 0 && (self.start..self.end).contains(&self.handler)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct LineEntry {
    pub pc: u16,
    pub line: u16,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct LocalVariable {
    pub start: u16,
    pub length: u16,
    pub name_index: u16,
    /// The signature's index in entries of a `LocalVariableTypeTable`.
    pub descriptor_index: u16,
    pub slot: u16,
}

impl<'a> Code<'a> {
    pub(crate) fn parse(data: &'a [u8], context: CodeContext, is_old_format: bool) -> Result<Self, ClassFileError> {
        let mut reader = Reader::new(data);
        let (max_stack, max_locals, length) = if is_old_format {
            let sizes = (reader.u8()?.into(), reader.u8()?.into());
            (sizes.0, sizes.1, u32::from(reader.u16()?))
        } else {
            (reader.u16()?, reader.u16()?, reader.u32()?)
        };
        let bytes = reader.take(length as usize)?;
        let exception_count = reader.u16()?;
        let mut exceptions = Vec::new();
        for _ in 0..exception_count {
            exceptions.push(ExceptionEntry {
                start: reader.u16()?,
                end: reader.u16()?,
                handler: reader.u16()?,
                catch_type: reader.u16()?,
            });
        }
        let attributes = read_attributes(&mut reader)?;
        reader.finish()?;
        Ok(Self { max_stack, max_locals, bytes, exceptions, attributes, context })
    }

    /// Decodes the whole method. Every branch target and every bound of the exception table is then
    /// known to stand on an instruction.
    pub fn instructions(&self) -> Result<Vec<Instruction<'a>>, ClassFileError> {
        let instructions = decode(self.bytes)?;
        let mut starts = vec![false; self.bytes.len() + 1];
        for instruction in &instructions {
            if let Some(start) = starts.get_mut(instruction.pc as usize) {
                *start = true;
            }
        }
        let is_start = |pc: u16| starts.get(usize::from(pc)) == Some(&true);
        let end = self.bytes.len();
        for instruction in &instructions {
            instruction.check_targets(|pc| starts.get(pc as usize) == Some(&true))?;
        }
        for (index, entry) in self.exceptions.iter().enumerate() {
            let ends_well = is_start(entry.end) || usize::from(entry.end) == end;
            let is_sound = is_start(entry.start) && ends_well && is_start(entry.handler);
            if !is_sound || entry.start >= entry.end {
                return Err(ClassFileError::BadExceptionEntry { index });
            }
        }
        Ok(instructions)
    }

    /// The entries of all line number tables, sorted by pc.
    pub fn line_numbers(&self, pool: &ConstantPool<'a>) -> Result<Vec<LineEntry>, ClassFileError> {
        let mut entries = Vec::new();
        for attribute in &self.attributes {
            if attribute.is_named(pool, "LineNumberTable") {
                entries.extend(read_lines(attribute.data)?);
            }
        }
        entries.sort_by_key(|entry| entry.pc);
        Ok(entries)
    }

    pub fn local_variables(&self, pool: &ConstantPool<'a>) -> Result<Vec<LocalVariable>, ClassFileError> {
        let mut variables = Vec::new();
        for attribute in &self.attributes {
            if attribute.is_named(pool, "LocalVariableTable") {
                variables.extend(read_variables(attribute.data)?);
            }
        }
        Ok(variables)
    }

    /// The frames with absolute positions and full lists of locals; `None` without a `StackMapTable`.
    pub fn stack_map(&self, pool: &ConstantPool<'a>) -> Result<Option<Vec<Frame>>, ClassFileError> {
        let mut frames = stack_map::read(self, pool)?;
        if let Some(frames) = &mut frames {
            stack_map::resolve_parameters(frames, self, pool)?;
        }
        Ok(frames)
    }
}

pub(crate) fn read_lines(data: &[u8]) -> Result<Vec<LineEntry>, ClassFileError> {
    let mut reader = Reader::new(data);
    let count = reader.u16()?;
    let mut entries = Vec::new();
    for _ in 0..count {
        entries.push(LineEntry { pc: reader.u16()?, line: reader.u16()? });
    }
    reader.finish()?;
    Ok(entries)
}

pub(crate) fn read_variables(data: &[u8]) -> Result<Vec<LocalVariable>, ClassFileError> {
    let mut reader = Reader::new(data);
    let count = reader.u16()?;
    let mut variables = Vec::new();
    for _ in 0..count {
        variables.push(LocalVariable {
            start: reader.u16()?,
            length: reader.u16()?,
            name_index: reader.u16()?,
            descriptor_index: reader.u16()?,
            slot: reader.u16()?,
        });
    }
    reader.finish()?;
    Ok(variables)
}
