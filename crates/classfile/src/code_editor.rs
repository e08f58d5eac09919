//! Inserts code into one method and moves everything that names a position in it.

use std::collections::BTreeSet;

use crate::class::Attribute;
use crate::code::{Code, read_lines, read_variables};
use crate::layout::{Insertions, Layout, narrow};
use crate::stack_map::{self, STACK_MAP_TABLE};
use crate::{ClassFile, EditError, ExceptionEntry, Frame, Instruction, PoolBuilder, VerificationType, op};

/// The version from which on methods have stack maps.
const FIRST_WITH_STACK_MAPS: u16 = 50;

/// A local that an edited method gets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AddedLocal {
    Int,
    /// A reference to an object of this class.
    Object(String),
}

/// Collects insertions, all named by original positions, and applies them at the end.
///
/// Inserted code must not depend on its position, except for branches of the prologue inside itself.
#[derive(Debug)]
pub struct CodeEditor<'c, 'a> {
    class: &'c ClassFile<'a>,
    code: Code<'a>,
    instructions: Vec<Instruction<'a>>,
    insertions: Insertions,
    prologue_frames: Vec<u32>,
    handlers: Vec<CatchAll>,
    added_locals: Vec<AddedLocal>,
    scratch_slots: u16,
    extra_stack: u16,
}

#[derive(Debug)]
struct CatchAll {
    ranges: Vec<(u32, u32)>,
    handler: Vec<u8>,
}

/// Behind all other code, a jump back into a handler.
#[derive(Debug)]
struct Resumption {
    /// The original place of the handler.
    pc: u32,
    from: u32,
    to: u32,
}

impl<'c, 'a> CodeEditor<'c, 'a> {
    pub fn new(class: &'c ClassFile<'a>, method_index: usize) -> Result<Self, EditError> {
        let no_code = EditError::NoCode { index: method_index };
        let method = class.methods.get(method_index).ok_or(no_code.clone())?;
        if method.has_old_code_format() {
            return Err(EditError::OldCodeFormat);
        }
        let code = method.code(&class.pool)?.ok_or(no_code)?;
        Ok(Self {
            class,
            instructions: code.instructions()?,
            code,
            insertions: Insertions::default(),
            prologue_frames: Vec::new(),
            handlers: Vec::new(),
            added_locals: Vec::new(),
            scratch_slots: 0,
            extra_stack: 0,
        })
    }

    #[must_use]
    pub fn code(&self) -> &Code<'a> {
        &self.code
    }

    #[must_use]
    pub fn instructions(&self) -> &[Instruction<'a>] {
        &self.instructions
    }

    /// Runs before the instruction, however it is reached. Several calls append in order.
    pub fn before(&mut self, pc: u32, bytes: &[u8]) {
        let before = self.insertions.before.entry(pc).or_default();
        before.extend_from_slice(bytes);
    }

    /// Runs after the instruction when it completes by falling through; a jump to the next one skips it.
    /// Nothing is inserted after an instruction that never falls through.
    pub fn after(&mut self, pc: u32, bytes: &[u8]) {
        let after = self.insertions.after.entry(pc).or_default();
        after.extend_from_slice(bytes);
    }

    /// Stands where the instruction stood: code that does not depend on its position, not none, and that leaves the
    /// stack as the instruction does. The last call counts.
    pub fn replace(&mut self, pc: u32, bytes: &[u8]) {
        self.insertions.instead.insert(pc, bytes.to_vec());
    }

    /// Makes another jump of a conditional jump: it goes to the same place.
    pub fn replace_condition(&mut self, pc: u32, opcode: u8) {
        let is_condition = |opcode| matches!(opcode, op::IFEQ..=op::IF_ACMPNE | op::IFNULL | op::IFNONNULL);
        let jump = self.instructions.iter_mut().find(|instruction| instruction.pc == pc);
        if let Some(jump) = jump.filter(|jump| is_condition(jump.opcode) && is_condition(opcode)) {
            jump.opcode = opcode;
        }
    }

    /// Runs once at entry. `frame_at` is an offset in `bytes`, or their length, to which they jump with
    /// the initial locals, the added locals and an empty stack.
    pub fn prologue(&mut self, bytes: &[u8], frame_at: Option<u16>) {
        let start = self.insertions.prologue.len() as u32;
        let frame_at = frame_at.map(|offset| start + u32::from(offset));
        self.prologue_frames.extend(frame_at);
        self.insertions.prologue.extend_from_slice(bytes);
    }

    /// Adds a handler for everything behind all other handlers. It covers `[start, end)` of each range
    /// with the code inserted there, and finds the exception and the added locals, nothing else.
    pub fn catch_all(&mut self, ranges: &[(u32, u32)], handler_bytes: &[u8]) {
        self.handlers.push(CatchAll { ranges: ranges.to_vec(), handler: handler_bytes.to_vec() });
    }

    /// Adds a local that the prologue sets and every frame has.
    pub fn add_local(&mut self, local: AddedLocal) -> u16 {
        let slot = self.first_scratch_slot();
        self.added_locals.push(local);
        slot
    }

    /// Locals behind the added ones that no frame has. All calls get the same ones, so all locals must have
    /// been added before.
    pub fn scratch_locals(&mut self, slots: u16) -> u16 {
        self.scratch_slots = self.scratch_slots.max(slots);
        self.first_scratch_slot()
    }

    fn first_scratch_slot(&self) -> u16 {
        self.code.max_locals.saturating_add(self.added_locals.len() as u16)
    }

    /// All calls share the same `n` further entries.
    pub fn grow_stack(&mut self, n: u16) {
        self.extra_stack = self.extra_stack.max(n);
    }

    /// The contents of the new `Code` attribute.
    pub fn finish(self, pool: &mut PoolBuilder<'a>) -> Result<Vec<u8>, EditError> {
        let layout = Layout::new(&self.instructions, &self.insertions)?;
        let mut code = layout.emit(&self.instructions, &self.insertions)?;
        let mut handler_positions = Vec::new();
        for catch_all in &self.handlers {
            handler_positions.push(code.len() as u32);
            code.extend_from_slice(&catch_all.handler);
        }
        let mut resumptions = Vec::new();
        for pc in self.resumed_handlers() {
            let (from, to) = (code.len() as u32, layout.instruction(pc)?);
            code.push(op::GOTO_W);
            code.extend((to.cast_signed() - from.cast_signed()).to_be_bytes());
            resumptions.push(Resumption { pc, from, to });
        }
        let length = narrow(code.len() as u32)?;
        let exceptions = self.exceptions(&layout, &handler_positions, &resumptions)?;

        let mut out = Vec::with_capacity(code.len() + 64);
        out.extend(self.max_stack()?.to_be_bytes());
        out.extend(self.max_locals()?.to_be_bytes());
        out.extend(u32::from(length).to_be_bytes());
        out.extend_from_slice(&code);
        let exception_count = u16::try_from(exceptions.len());
        let exception_count = exception_count.map_err(|_| EditError::TooManyHandlers)?;
        out.extend(exception_count.to_be_bytes());
        for entry in exceptions {
            let fields = [entry.start, entry.end, entry.handler, entry.catch_type];
            out.extend(fields.into_iter().flat_map(u16::to_be_bytes));
        }
        let attributes = self.attributes(&layout, &handler_positions, &resumptions, pool)?;
        out.extend((attributes.len() as u16).to_be_bytes());
        for (name_index, data) in attributes {
            out.extend(name_index.to_be_bytes());
            out.extend((data.len() as u32).to_be_bytes());
            out.extend(data);
        }
        Ok(out)
    }

    /// Handlers for everything that get code and are in their own range, as those of `finally` and `synchronized`
    /// are. When that code throws, which is outside the range, the handler goes on with that exception.
    fn resumed_handlers(&self) -> BTreeSet<u32> {
        let entries = self.code.exceptions.iter().filter(|entry| entry.is_for_itself());
        let handlers = entries.map(|entry| u32::from(entry.handler));
        handlers.filter(|handler| self.insertions.before.contains_key(handler)).collect()
    }

    fn max_stack(&self) -> Result<u16, EditError> {
        let depth = self.code.max_stack.checked_add(self.extra_stack);
        depth.ok_or(EditError::StackTooDeep)
    }

    fn max_locals(&self) -> Result<u16, EditError> {
        let added = self.scratch_slots.saturating_add(self.added_locals.len() as u16);
        let locals = self.code.max_locals.checked_add(added);
        locals.ok_or(EditError::TooManyLocals)
    }

    fn exceptions(
        &self,
        layout: &Layout,
        handler_positions: &[u32],
        resumptions: &[Resumption],
    ) -> Result<Vec<ExceptionEntry>, EditError> {
        let mut entries = Vec::new();
        for resumption in resumptions {
            entries.push(ExceptionEntry {
                start: narrow(layout.entry(resumption.pc)?)?,
                end: narrow(resumption.to)?,
                handler: narrow(resumption.from)?,
                catch_type: 0,
            });
        }
        for &entry in &self.code.exceptions {
            entries.extend(layout.exception(entry)?);
        }
        for (catch_all, &handler) in self.handlers.iter().zip(handler_positions) {
            for &(start, end) in &catch_all.ranges {
                let entry = ExceptionEntry {
                    start: narrow(layout.entry(start)?)?,
                    end: narrow(layout.entry(end)?)?,
                    handler: narrow(handler)?,
                    catch_type: 0,
                };
                if entry.start < entry.end {
                    entries.push(entry);
                }
            }
        }
        Ok(entries)
    }

    /// Name and contents of the attributes. Those that name positions in an unknown way, and the
    /// annotations of types, are left out.
    fn attributes(
        &self,
        layout: &Layout,
        handler_positions: &[u32],
        resumptions: &[Resumption],
        pool: &mut PoolBuilder<'a>,
    ) -> Result<Vec<(u16, Vec<u8>)>, EditError> {
        let mut attributes = Vec::new();
        for attribute in &self.code.attributes {
            let data = match self.class.pool.utf8_bytes(attribute.name_index)? {
                b"LineNumberTable" => move_lines(attribute, layout)?,
                b"LocalVariableTable" | b"LocalVariableTypeTable" => move_variables(attribute, layout)?,
                _ => continue,
            };
            attributes.push((attribute.name_index, data));
        }
        if self.class.major >= FIRST_WITH_STACK_MAPS
            && let Some(table) = self.stack_map(layout, handler_positions, resumptions, pool)?
        {
            attributes.push((pool.utf8(STACK_MAP_TABLE)?, table));
        }
        Ok(attributes)
    }

    fn stack_map(
        &self,
        layout: &Layout,
        handler_positions: &[u32],
        resumptions: &[Resumption],
        pool: &mut PoolBuilder<'a>,
    ) -> Result<Option<Vec<u8>>, EditError> {
        let original = stack_map::read(&self.code, &self.class.pool)?.unwrap_or_default();
        if original.is_empty() && self.prologue_frames.is_empty() && self.handlers.is_empty() {
            return Ok(None);
        }
        let initial = stack_map::initial_locals(&self.code, &self.class.pool)?;
        let added = self.added_locals.iter().map(|local| match local {
            AddedLocal::Int => Ok(VerificationType::Integer),
            AddedLocal::Object(class) => Ok(VerificationType::Object(pool.class(class)?)),
        });
        let added = added.collect::<Result<Vec<_>, EditError>>()?;
        // At one place an original frame goes before one of the prologue: jumps back to the start of the
        // method may come with less than the initial locals.
        let mut frames = Vec::with_capacity(original.len() + 2);
        for frame in original {
            let resumption = resumptions.iter().find(|resumption| resumption.pc == u32::from(frame.pc));
            let frame = self.move_frame(frame, layout, &added)?;
            if let Some(resumption) = resumption {
                frames.push(Frame { pc: narrow(resumption.from)?, ..frame.clone() });
                frames.push(Frame { pc: narrow(resumption.to)?, ..frame.clone() });
            }
            frames.push(frame);
        }
        for &position in &self.prologue_frames {
            frames.push(Frame {
                pc: narrow(position)?,
                locals: self.with_added_locals(initial.clone(), &added),
                stack: Vec::new(),
            });
        }
        frames.sort_by_key(|frame| frame.pc);
        frames.dedup_by_key(|frame| frame.pc);
        if !handler_positions.is_empty() {
            let throwable = VerificationType::Object(pool.class("java/lang/Throwable")?);
            for &position in handler_positions {
                frames.push(Frame {
                    pc: narrow(position)?,
                    locals: self.with_added_locals(Vec::new(), &added),
                    stack: vec![throwable],
                });
            }
            frames.sort_by_key(|frame| frame.pc);
        }
        let parameters = stack_map::parameter_classes(&self.code, &self.class.pool)?;
        let parameter_class = |slot| match parameters.get(&slot) {
            Some(class) => pool.class(class),
            None => Err(EditError::TooManyLocals),
        };
        stack_map::write(&initial, &frames, parameter_class).map(Some)
    }

    fn move_frame(&self, frame: Frame, layout: &Layout, added: &[VerificationType]) -> Result<Frame, EditError> {
        let moved = |item| match item {
            VerificationType::Uninitialized(pc) => {
                let position = narrow(layout.instruction(pc.into())?)?;
                Ok(VerificationType::Uninitialized(position))
            }
            other => Ok(other),
        };
        let locals = frame.locals.into_iter().map(moved);
        let locals = locals.collect::<Result<_, EditError>>()?;
        let stack = frame.stack.into_iter().map(moved);
        Ok(Frame {
            pc: narrow(layout.entry(frame.pc.into())?)?,
            locals: self.with_added_locals(locals, added),
            stack: stack.collect::<Result<_, EditError>>()?,
        })
    }

    fn with_added_locals(
        &self,
        mut locals: Vec<VerificationType>,
        added: &[VerificationType],
    ) -> Vec<VerificationType> {
        if !added.is_empty() {
            let slots = stack_map::slots(&locals);
            let free = usize::from(self.code.max_locals).saturating_sub(slots);
            locals.resize(locals.len() + free, VerificationType::Top);
            locals.extend_from_slice(added);
        }
        locals
    }
}

fn move_lines(attribute: &Attribute<'_>, layout: &Layout) -> Result<Vec<u8>, EditError> {
    let entries = read_lines(attribute.data)?;
    let mut out = Vec::with_capacity(attribute.data.len());
    out.extend((entries.len() as u16).to_be_bytes());
    for entry in entries {
        let pc = narrow(layout.debug_position(entry.pc.into())?)?;
        out.extend([pc, entry.line].into_iter().flat_map(u16::to_be_bytes));
    }
    Ok(out)
}

fn move_variables(attribute: &Attribute<'_>, layout: &Layout) -> Result<Vec<u8>, EditError> {
    let variables = read_variables(attribute.data)?;
    let mut out = Vec::with_capacity(attribute.data.len());
    out.extend((variables.len() as u16).to_be_bytes());
    for variable in variables {
        let end = u32::from(variable.start) + u32::from(variable.length);
        let start = narrow(layout.debug_position(variable.start.into())?)?;
        let end = narrow(layout.debug_position(end)?)?;
        let fields = [start, end.saturating_sub(start), variable.name_index, variable.descriptor_index, variable.slot];
        out.extend(fields.into_iter().flat_map(u16::to_be_bytes));
    }
    Ok(out)
}
