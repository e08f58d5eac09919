//! From the class file's code to [`MethodCode`].

use super::code::{Call, CallKind, CallSite, Guard, Handler, MethodCode, Variable};
use super::fuse::fuse;
use super::op::{LookupSwitch, Op, Pc, TableSwitch};
use super::types::{self, Body, SlotType};
use super::{DefinitionIndex, MethodIndex, Program};
use std::sync::OnceLock;
use whydunit_classfile::{ClassFile, ClassFileError, Code, Constant, Instruction, access, descriptor, op};
use whydunit_trace::plan::{self, After, Handshake, Meets, MethodPlan, PlanError, Point};
use whydunit_trace::record::MethodStatus;
use whydunit_trace::token::Token;
use whydunit_trace::{LogKind, MethodId};

/// Why a recorded method cannot be interpreted.
#[derive(Debug, thiserror::Error)]
pub enum DecodeError {
    #[error("the class file cannot be read")]
    ClassFile(#[from] ClassFileError),
    #[error("the method cannot be planned")]
    Plan(#[from] PlanError),
    #[error("the method has no code")]
    NoCode,
    #[error("the code is unsound at instruction {0}")]
    Unsound(u32),
}

pub(super) fn decode(program: &Program, index: MethodIndex) -> Result<MethodCode, DecodeError> {
    let (definition, position) = program.place_of(index).ok_or(DecodeError::NoCode)?;
    let record = program.definition(definition).ok_or(DecodeError::NoCode)?;
    let class = program.class_file(definition).ok_or(DecodeError::NoCode)?.map_err(Clone::clone)?;
    let member = class.methods.get(position).ok_or(DecodeError::NoCode)?;
    let code = member.code(&class.pool)?.ok_or(DecodeError::NoCode)?;
    let instructions = code.instructions()?;
    let is_replacement = record.replaces.is_some();
    let mut recorded: Vec<bool> =
        record.methods.iter().map(|m| *m == MethodStatus::Recorded && !is_replacement).collect();
    recorded.resize(class.methods.len(), false);
    let plan = plan::plan(class, position, &code, &instructions, &recorded)?;
    let id = MethodId(record.first_method.0 + position as u32);
    let decoder = Decoder {
        program,
        definition,
        class,
        code: &code,
        instructions: &instructions,
        pcs: index_of_addresses(&code, &instructions),
        wide_constants: Vec::new(),
        tables: Vec::new(),
        lookups: Vec::new(),
        calls: Vec::new(),
        classes: Vec::new(),
    };
    decoder.method(id, index, position, &plan)
}

/// The instruction at each address; `u32::MAX` inside of instructions.
fn index_of_addresses(code: &Code<'_>, instructions: &[Instruction<'_>]) -> Vec<Pc> {
    let mut pcs = vec![u32::MAX; code.bytes.len() + 1];
    for (index, instruction) in instructions.iter().enumerate() {
        if let Some(pc) = pcs.get_mut(instruction.pc as usize) {
            *pc = index as Pc;
        }
    }
    pcs[code.bytes.len()] = instructions.len() as Pc;
    pcs
}

fn meets(plan: &MethodPlan) -> Box<[Meets]> {
    let has_any = plan.points.iter().any(|point| point.meets != Meets::NEVER);
    if has_any { plan.points.iter().map(|point| point.meets).collect() } else { Box::default() }
}

struct Decoder<'c, 'a> {
    program: &'c Program,
    definition: DefinitionIndex,
    class: &'c ClassFile<'a>,
    code: &'c Code<'a>,
    instructions: &'c [Instruction<'a>],
    pcs: Vec<Pc>,
    wide_constants: Vec<u64>,
    tables: Vec<TableSwitch>,
    lookups: Vec<LookupSwitch>,
    calls: Vec<Call>,
    classes: Vec<Box<str>>,
}

impl Decoder<'_, '_> {
    fn method(
        mut self,
        id: MethodId,
        index: MethodIndex,
        position: usize,
        plan: &MethodPlan,
    ) -> Result<MethodCode, DecodeError> {
        let pool = &self.class.pool;
        let member = self.class.methods.get(position).ok_or(DecodeError::NoCode)?;
        let name = member.name(pool)?;
        let descriptor = member.descriptor(pool)?;
        let is_static = member.is_static();
        let is_constructor = name == "<init>";

        let mut arguments = Vec::new();
        let mut logged = Vec::new();
        if !is_static {
            arguments.push(SlotType::Reference);
            if !is_constructor {
                logged.push(LogKind::Reference);
            }
        }
        for (base, _) in descriptor::parameters(&descriptor)? {
            let kind = LogKind::of(base);
            logged.push(kind);
            arguments.push(SlotType::of(kind));
            if kind.slots() == 2 {
                arguments.push(SlotType::Second);
            }
        }
        let result = descriptor::return_type(&descriptor)?.map(|(base, _)| base);

        let mut ops = Vec::with_capacity(self.instructions.len());
        let instructions = self.instructions;
        for (instruction, point) in instructions.iter().zip(&plan.points) {
            ops.push(self.op(instruction, *point)?);
        }
        let handlers = self.handlers();
        let body = Body {
            ops: &ops,
            max_locals: self.code.max_locals,
            max_stack: self.code.max_stack,
            arguments: arguments.clone(),
            handlers: handlers.iter().map(|h| (h.start, h.end, h.target)).collect(),
            calls: &self.calls,
            tables: &self.tables,
            lookups: &self.lookups,
        };
        let types = types::analyse(&body).map_err(|unsound| DecodeError::Unsound(unsound.pc))?;
        let slots = self.code.max_locals.checked_add(self.code.max_stack).ok_or(DecodeError::Unsound(0))?;
        let lines = self.lines()?;
        let meets = meets(plan);
        Ok(MethodCode {
            id,
            index,
            definition: self.definition,
            changed_after: self.program.changed_after(self.definition),
            name: name.into(),
            descriptor: descriptor.as_ref().into(),
            access: member.access,
            is_constructor,
            max_locals: self.code.max_locals,
            slots,
            argument_slots: arguments.len() as u16,
            logged_bytes: logged.iter().map(|kind| kind.size() as u64).sum(),
            logged_arguments: logged.into(),
            result: LogKind::of_return(result),
            is_boolean: result == Some(whydunit_classfile::BaseType::Boolean),
            addresses: instructions.iter().map(|i| i.pc).collect(),
            is_inside_line: inside_lines(&body, &lines),
            lines,
            guards: self.guards(plan),
            has_meetings: !meets.is_empty(),
            meets,
            is_synchronized: member.access & access::SYNCHRONIZED != 0,
            variables: self.variables()?,
            handlers,
            fused: fuse(&ops),
            ops: ops.into(),
            wide_constants: self.wide_constants.into(),
            tables: self.tables.into(),
            lookups: self.lookups.into(),
            sites: self.calls.iter().map(CallSite::of).collect(),
            calls: self.calls.into(),
            classes: self.classes.into(),
            types,
            jump_sources: OnceLock::new(),
        })
    }

    fn handlers(&self) -> Box<[Handler]> {
        let exceptions = &self.code.exceptions;
        let pc = |address: u16| self.pcs.get(usize::from(address)).copied().unwrap_or(u32::MAX);
        exceptions
            .iter()
            .map(|entry| Handler {
                start: pc(entry.start),
                end: pc(entry.end),
                target: pc(entry.handler),
                first: exceptions.iter().position(|e| e.handler == entry.handler).unwrap_or_default() as u16,
                catches_all: entry.catch_type == 0,
            })
            .collect()
    }

    fn lines(&self) -> Result<Box<[u16]>, DecodeError> {
        let mut lines = vec![0; self.instructions.len()];
        let entries = self.code.line_numbers(&self.class.pool)?;
        let mut next = entries.iter().peekable();
        let mut current = 0;
        for (line, instruction) in lines.iter_mut().zip(self.instructions) {
            while let Some(entry) = next.next_if(|entry| u32::from(entry.pc) <= instruction.pc) {
                current = entry.line;
            }
            *line = current;
        }
        Ok(lines.into())
    }

    fn variables(&self) -> Result<Box<[Variable]>, DecodeError> {
        let mut variables = Vec::new();
        for variable in self.code.local_variables(&self.class.pool)? {
            variables.push(Variable {
                name: self.class.pool.utf8(variable.name_index)?.into(),
                descriptor: self.class.pool.utf8(variable.descriptor_index)?.into(),
                slot: variable.slot,
                start: u32::from(variable.start),
                end: u32::from(variable.start) + u32::from(variable.length),
            });
        }
        Ok(variables.into())
    }

    fn guards(&self, plan: &MethodPlan) -> Box<[Guard]> {
        let has_catch_all = |pc: u32| {
            let mut entries = self.code.exceptions.iter();
            entries.any(|e| e.catch_type == 0 && (u32::from(e.start)..u32::from(e.end)).contains(&pc))
        };
        let guard = |i: &Instruction<'_>| {
            if plan.covered.iter().any(|&(start, end)| (start..end).contains(&i.pc)) {
                Guard::Recorder
            } else if has_catch_all(i.pc) {
                Guard::CatchAll
            } else {
                Guard::Nobody
            }
        };
        self.instructions.iter().map(guard).collect()
    }

    fn target(&self, i: &Instruction<'_>) -> Result<Pc, DecodeError> {
        let address = i.branch().ok_or(ClassFileError::BadInstruction { pc: i.pc })?;
        self.pc_of(address)
    }

    fn pc_of(&self, address: u32) -> Result<Pc, DecodeError> {
        let pc = self.pcs.get(address as usize).copied().filter(|&pc| pc != u32::MAX);
        pc.ok_or(DecodeError::ClassFile(ClassFileError::BadInstruction { pc: address }))
    }

    fn constant(&self, i: &Instruction<'_>) -> Result<u16, DecodeError> {
        i.constant().ok_or(DecodeError::ClassFile(ClassFileError::BadInstruction { pc: i.pc }))
    }

    fn class_constant(&mut self, i: &Instruction<'_>) -> Result<u32, DecodeError> {
        let name = self.class.pool.class_name(self.constant(i)?)?;
        Ok(self.class_name(&name))
    }

    fn class_name(&mut self, name: &str) -> u32 {
        if let Some(index) = self.classes.iter().position(|known| &**known == name) {
            return index as u32;
        }
        self.classes.push(name.into());
        self.classes.len() as u32 - 1
    }

    fn op(&mut self, i: &Instruction<'_>, point: Point) -> Result<Op, DecodeError> {
        let local = i.local().unwrap_or_default();
        let int = |value: i32| Op::Const { kind: LogKind::Int, bits: value.cast_unsigned() };
        Ok(match i.opcode {
            op::NOP => Op::Nop,
            op::ACONST_NULL => Op::Const { kind: LogKind::Reference, bits: 0 },
            op::ICONST_M1..=op::ICONST_5 | op::BIPUSH | op::SIPUSH => int(i.immediate()),
            op::LCONST_0 | op::LCONST_1 => self.wide(LogKind::Long, u64::from(i.opcode - op::LCONST_0)),
            op::FCONST_0..=op::FCONST_2 => {
                Op::Const { kind: LogKind::Float, bits: f32::from(i.opcode - op::FCONST_0).to_bits() }
            }
            op::DCONST_0 | op::DCONST_1 => self.wide(LogKind::Double, f64::from(i.opcode - op::DCONST_0).to_bits()),
            op::LDC | op::LDC_W | op::LDC2_W => match (*self.class.pool.get(self.constant(i)?)?, point.after) {
                (_, After::Value(kind)) => Op::LoggedConst(kind),
                (Constant::Integer(value), _) => int(value),
                (Constant::Float(bits), _) => Op::Const { kind: LogKind::Float, bits },
                (Constant::Long(value), _) => self.wide(LogKind::Long, value.cast_unsigned()),
                (Constant::Double(bits), _) => self.wide(LogKind::Double, bits),
                _ => return Err(ClassFileError::BadInstruction { pc: i.pc }.into()),
            },
            op::ILOAD
            | op::FLOAD
            | op::ALOAD
            | op::ILOAD_0..=op::ILOAD_3
            | op::FLOAD_0..=op::FLOAD_3
            | op::ALOAD_0..=op::ALOAD_3 => Op::Load(local),
            op::LLOAD | op::DLOAD | op::LLOAD_0..=op::LLOAD_3 | op::DLOAD_0..=op::DLOAD_3 => Op::LoadWide(local),
            op::ISTORE | op::ISTORE_0..=op::ISTORE_3 => Op::Store { local, kind: LogKind::Int, has_fact: true },
            op::FSTORE | op::FSTORE_0..=op::FSTORE_3 => Op::Store { local, kind: LogKind::Float, has_fact: true },
            op::ASTORE | op::ASTORE_0..=op::ASTORE_3 => {
                Op::Store { local, kind: LogKind::Reference, has_fact: point.is_checked_store }
            }
            op::LSTORE | op::LSTORE_0..=op::LSTORE_3 => Op::StoreWide { local, kind: LogKind::Long },
            op::DSTORE | op::DSTORE_0..=op::DSTORE_3 => Op::StoreWide { local, kind: LogKind::Double },
            op::IINC => Op::Increment { local, by: i.immediate() as i16 },
            op::IALOAD..=op::SALOAD => Op::ArrayLoad(element_kind(i.opcode - op::IALOAD)),
            op::IASTORE..=op::SASTORE => Op::ArrayStore(element_kind(i.opcode - op::IASTORE)),
            op::GETSTATIC | op::PUTSTATIC | op::GETFIELD | op::PUTFIELD => self.field(i)?,
            op::INVOKEVIRTUAL..=op::INVOKEDYNAMIC => self.call(i, point)?,
            op::NEW => Op::New(self.class_constant(i)?),
            op::NEWARRAY => {
                let name = primitive_array(i.immediate()).ok_or(ClassFileError::BadInstruction { pc: i.pc })?;
                Op::NewArray(self.class_name(name))
            }
            op::ANEWARRAY => {
                let element = self.class.pool.class_name(self.constant(i)?)?;
                let name = if element.starts_with('[') { format!("[{element}") } else { format!("[L{element};") };
                Op::NewArray(self.class_name(&name))
            }
            op::MULTIANEWARRAY => {
                let dimensions = i.immediate() as u8;
                if dimensions == 0 {
                    return Err(ClassFileError::BadInstruction { pc: i.pc }.into());
                }
                Op::MultiNewArray { class: self.class_constant(i)?, dimensions }
            }
            op::CHECKCAST => Op::CheckCast(self.class_constant(i)?),
            op::TABLESWITCH | op::LOOKUPSWITCH => self.switch(i)?,
            op::IFEQ..=op::GOTO | op::IFNULL | op::IFNONNULL | op::GOTO_W => branch(i.opcode, self.target(i)?),
            op::IRETURN => Op::Return(LogKind::Int),
            op::LRETURN => Op::Return(LogKind::Long),
            op::FRETURN => Op::Return(LogKind::Float),
            op::DRETURN => Op::Return(LogKind::Double),
            op::ARETURN => Op::Return(LogKind::Reference),
            op::RETURN => Op::Return(LogKind::Nothing),
            opcode => plain(opcode).ok_or(ClassFileError::BadOpcode { pc: i.pc, opcode })?,
        })
    }

    fn wide(&mut self, kind: LogKind, bits: u64) -> Op {
        self.wide_constants.push(bits);
        Op::WideConst { kind, index: self.wide_constants.len() as u32 - 1 }
    }

    fn field(&mut self, i: &Instruction<'_>) -> Result<Op, DecodeError> {
        let constant = self.constant(i)?;
        let named = self.class.pool.member_ref(constant)?;
        let kind = LogKind::of(descriptor::field_type(&named.descriptor)?);
        let field = self.program.intern_field(self.definition, constant, &named);
        Ok(match i.opcode {
            op::GETSTATIC => Op::GetStatic { kind, field },
            op::PUTSTATIC => Op::PutStatic { kind, field },
            op::GETFIELD => Op::GetField { kind, field },
            _ => Op::PutField { kind, field },
        })
    }

    fn call(&mut self, i: &Instruction<'_>, point: Point) -> Result<Op, DecodeError> {
        let constant = self.constant(i)?;
        let pool = &self.class.pool;
        let (owner, name, descriptor, is_interface) = if i.opcode == op::INVOKEDYNAMIC {
            let (_, name, descriptor) = pool.dynamic(constant)?;
            ("".into(), name, descriptor, false)
        } else {
            let named = pool.member_ref(constant)?;
            (named.owner, named.name, named.descriptor, named.is_interface)
        };
        let kind = match i.opcode {
            op::INVOKEDYNAMIC => CallKind::Dynamic,
            op::INVOKESTATIC => CallKind::Static,
            op::INVOKESPECIAL if name == "<init>" => CallKind::Constructor,
            op::INVOKESPECIAL => CallKind::Special,
            _ => CallKind::Virtual,
        };
        let mut arguments: Vec<LogKind> = Vec::new();
        if !matches!(kind, CallKind::Static | CallKind::Dynamic) {
            arguments.push(LogKind::Reference);
        }
        arguments.extend(descriptor::parameters(&descriptor)?.iter().map(|&(base, _)| LogKind::of(base)));
        let result = descriptor::return_type(&descriptor)?.map(|(base, _)| base);
        let token = match point.handshake {
            Handshake::None => 0,
            Handshake::Method => self.program.token(Token::method(&owner, &name, &descriptor)),
            Handshake::Receiver => self.program.token(Token::signature(&name, &descriptor)),
        };
        self.calls.push(Call {
            kind,
            token,
            owner: owner.into(),
            name: name.into(),
            is_interface,
            argument_slots: arguments.iter().map(|kind| kind.slots()).sum(),
            arguments: arguments.into(),
            result: LogKind::of_return(result),
            descriptor: descriptor.into(),
            after: point.after,
            handshake: point.handshake,
            site: self.program.next_site(),
            fixed: OnceLock::new(),
            resolved: OnceLock::new(),
        });
        Ok(Op::Invoke(self.calls.len() as u32 - 1))
    }

    fn switch(&mut self, i: &Instruction<'_>) -> Result<Op, DecodeError> {
        let switch = i.switch().ok_or(ClassFileError::BadInstruction { pc: i.pc })?;
        let default = self.pc_of(switch.default)?;
        let mut cases = Vec::with_capacity(switch.cases.len());
        for (key, address) in switch.cases {
            cases.push((key, self.pc_of(address)?));
        }
        if i.opcode == op::TABLESWITCH {
            let low = cases.first().map_or(0, |&(key, _)| key);
            self.tables.push(TableSwitch { low, default, targets: cases.iter().map(|&(_, pc)| pc).collect() });
            return Ok(Op::TableSwitch(self.tables.len() as u32 - 1));
        }
        cases.sort_by_key(|&(key, _)| key);
        let (keys, targets): (Vec<i32>, Vec<Pc>) = cases.into_iter().unzip();
        self.lookups.push(LookupSwitch { default, keys: keys.into(), targets: targets.into() });
        Ok(Op::LookupSwitch(self.lookups.len() as u32 - 1))
    }
}

/// `number` counts from `iaload` or `iastore`.
fn element_kind(number: u8) -> LogKind {
    const KINDS: [LogKind; 8] = [
        LogKind::Int,
        LogKind::Long,
        LogKind::Float,
        LogKind::Double,
        LogKind::Reference,
        LogKind::Byte,
        LogKind::Char,
        LogKind::Short,
    ];
    KINDS[usize::from(number & 7)]
}

fn primitive_array(code: i32) -> Option<&'static str> {
    Some(match code {
        4 => "[Z",
        5 => "[C",
        6 => "[F",
        7 => "[D",
        8 => "[B",
        9 => "[S",
        10 => "[I",
        11 => "[J",
        _ => return None,
    })
}

fn branch(opcode: u8, to: Pc) -> Op {
    match opcode {
        op::IFEQ => Op::IfEq(to),
        op::IFNE => Op::IfNe(to),
        op::IFLT => Op::IfLt(to),
        op::IFGE => Op::IfGe(to),
        op::IFGT => Op::IfGt(to),
        op::IFLE => Op::IfLe(to),
        op::IF_ICMPEQ => Op::IfIcmpEq(to),
        op::IF_ICMPNE => Op::IfIcmpNe(to),
        op::IF_ICMPLT => Op::IfIcmpLt(to),
        op::IF_ICMPGE => Op::IfIcmpGe(to),
        op::IF_ICMPGT => Op::IfIcmpGt(to),
        op::IF_ICMPLE => Op::IfIcmpLe(to),
        op::IF_ACMPEQ => Op::IfAcmpEq(to),
        op::IF_ACMPNE => Op::IfAcmpNe(to),
        op::IFNULL => Op::IfNull(to),
        op::IFNONNULL => Op::IfNonNull(to),
        _ => Op::Goto(to),
    }
}

/// Instructions without operands.
fn plain(opcode: u8) -> Option<Op> {
    Some(match opcode {
        op::POP => Op::Pop,
        op::POP2 => Op::Pop2,
        op::DUP => Op::Dup,
        op::DUP_X1 => Op::DupX1,
        op::DUP_X2 => Op::DupX2,
        op::DUP2 => Op::Dup2,
        op::DUP2_X1 => Op::Dup2X1,
        op::DUP2_X2 => Op::Dup2X2,
        op::SWAP => Op::Swap,
        op::IADD => Op::Iadd,
        op::LADD => Op::Ladd,
        op::FADD => Op::Fadd,
        op::DADD => Op::Dadd,
        op::ISUB => Op::Isub,
        op::LSUB => Op::Lsub,
        op::FSUB => Op::Fsub,
        op::DSUB => Op::Dsub,
        op::IMUL => Op::Imul,
        op::LMUL => Op::Lmul,
        op::FMUL => Op::Fmul,
        op::DMUL => Op::Dmul,
        op::IDIV => Op::Idiv,
        op::LDIV => Op::Ldiv,
        op::FDIV => Op::Fdiv,
        op::DDIV => Op::Ddiv,
        op::IREM => Op::Irem,
        op::LREM => Op::Lrem,
        op::FREM => Op::Frem,
        op::DREM => Op::Drem,
        op::INEG => Op::Ineg,
        op::LNEG => Op::Lneg,
        op::FNEG => Op::Fneg,
        op::DNEG => Op::Dneg,
        op::ISHL => Op::Ishl,
        op::LSHL => Op::Lshl,
        op::ISHR => Op::Ishr,
        op::LSHR => Op::Lshr,
        op::IUSHR => Op::Iushr,
        op::LUSHR => Op::Lushr,
        op::IAND => Op::Iand,
        op::LAND => Op::Land,
        op::IOR => Op::Ior,
        op::LOR => Op::Lor,
        op::IXOR => Op::Ixor,
        op::LXOR => Op::Lxor,
        op::I2L => Op::I2l,
        op::I2F => Op::I2f,
        op::I2D => Op::I2d,
        op::L2I => Op::L2i,
        op::L2F => Op::L2f,
        op::L2D => Op::L2d,
        op::F2I => Op::F2i,
        op::F2L => Op::F2l,
        op::F2D => Op::F2d,
        op::D2I => Op::D2i,
        op::D2L => Op::D2l,
        op::D2F => Op::D2f,
        op::I2B => Op::I2b,
        op::I2C => Op::I2c,
        op::I2S => Op::I2s,
        op::LCMP => Op::Lcmp,
        op::FCMPL => Op::Fcmp(-1),
        op::FCMPG => Op::Fcmp(1),
        op::DCMPL => Op::Dcmp(-1),
        op::DCMPG => Op::Dcmp(1),
        op::ARRAYLENGTH => Op::ArrayLength,
        op::ATHROW => Op::Throw,
        op::INSTANCEOF => Op::InstanceOf,
        op::MONITORENTER => Op::MonitorEnter,
        op::MONITOREXIT => Op::MonitorExit,
        _ => return None,
    })
}

/// See [`MethodCode::is_inside_line`].
fn inside_lines(body: &Body<'_>, lines: &[u16]) -> Box<[bool]> {
    let jumps_itself = |op: &Op| op.jump_target().is_some() || matches!(op, Op::TableSwitch(_) | Op::LookupSwitch(_));
    let before = [None].into_iter().chain(lines.iter().map(Some));
    let mut inside: Vec<bool> = lines
        .iter()
        .zip(before)
        .zip(body.ops)
        .map(|((line, before), op)| before == Some(line) && !jumps_itself(op))
        .collect();
    let jumps = body.ops.iter().filter_map(|op| op.jump_target());
    let tables = body.tables.iter().flat_map(|table| table.targets.iter().copied().chain([table.default]));
    let lookups = body.lookups.iter().flat_map(|lookup| lookup.targets.iter().copied().chain([lookup.default]));
    let handlers = body.handlers.iter().map(|&(_, _, target)| target);
    for target in jumps.chain(tables).chain(lookups).chain(handlers) {
        if let Some(inside) = inside.get_mut(target as usize) {
            *inside = false;
        }
    }
    inside.into()
}
