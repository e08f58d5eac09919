//! What a rewritten method logs, instruction by instruction. The recorder emits by this plan and the replay
//! reads by it.

pub use crate::meetings::Meets;

use crate::kind::LogKind;
use crate::meetings;
use crate::record::Refusal;
use crate::stores;
use whydunit_classfile::{ClassFile, ClassFileError, Code, Constant, Instruction, access, descriptor, op};

/// What one method logs.
#[derive(Clone, Debug)]
pub struct MethodPlan {
    /// One for each instruction.
    pub points: Vec<Point>,
    /// Starts of exception handlers, by rising address.
    pub handlers: Vec<HandlerStart>,
    /// Address ranges that the recorder's own handler covers.
    pub covered: Vec<(u32, u32)>,
}

/// What one instruction logs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Point {
    /// Logged after the instruction; for a call with a handshake only when the callee was not entered
    /// directly.
    pub after: After,
    pub handshake: Handshake,
    /// It stores a reference to a local, which check mode logs.
    pub is_checked_store: bool,
    pub meets: Meets,
}

impl Point {
    const NOTHING: Point = Point::call(After::Nothing, Handshake::None);

    const fn value(kind: LogKind) -> Point {
        Point::call(After::Value(kind), Handshake::None)
    }

    const fn call(after: After, handshake: Handshake) -> Point {
        Point { after, handshake, is_checked_store: false, meets: Meets::NEVER }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum After {
    Nothing,
    /// The value on top of the operand stack; [`LogKind::Nothing`] is the mark of a `void` call.
    Value(LogKind),
    /// `this`, after `super(...)` or `this(...)`.
    This,
    /// The fresh object on top of the operand stack, after its constructor.
    Fresh,
}

/// The token a caller leaves for its callee.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Handshake {
    None,
    /// The method alone: static methods, constructors and `super.method()`.
    Method,
    /// Name, descriptor and the receiver's class.
    Receiver,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HandlerStart {
    pub pc: u32,
    /// First entry of the exception table with this handler.
    pub index: u16,
}

/// Why a method cannot be planned.
#[derive(Debug, thiserror::Error)]
pub enum PlanError {
    #[error("refused: {0}")]
    Refused(Refusal),
    #[error(transparent)]
    Malformed(#[from] ClassFileError),
}

impl PlanError {
    pub fn refusal(&self) -> Refusal {
        match self {
            PlanError::Refused(refusal) => *refusal,
            PlanError::Malformed(_) => Refusal::Malformed,
        }
    }
}

/// Plans the method at `method` of `class`; `recorded` tells which of the class's methods are.
pub fn plan(
    class: &ClassFile<'_>,
    method: usize,
    code: &Code<'_>,
    instructions: &[Instruction<'_>],
    recorded: &[bool],
) -> Result<MethodPlan, PlanError> {
    let member = &class.methods[method];
    let name = member.name(&class.pool)?;
    let is_constructor = name == "<init>";
    if name == "finalize" && matches!(instructions, [only] if only.opcode == op::RETURN) {
        return Err(PlanError::Refused(Refusal::EmptyFinalizer));
    }
    let mut planner = Planner { class, recorded, is_constructor, open_news: Vec::new(), self_call: None };
    let mut points = Vec::with_capacity(instructions.len());
    for (index, instruction) in instructions.iter().enumerate() {
        points.push(planner.point(index, instructions, instruction)?);
    }
    if is_constructor && planner.self_call.is_none() && class.super_class != 0 {
        return Err(PlanError::Refused(Refusal::UnusualConstructorCall));
    }
    let handlers = handler_starts(code, instructions)?;
    let starts: Vec<u32> = handlers.iter().map(|start| start.pc).collect();
    let checked = stores::of_initialised(class, is_constructor, &starts, instructions)?;
    points.iter_mut().zip(checked).for_each(|(point, is_checked)| point.is_checked_store = is_checked);
    let meets = meetings::of_instructions(class, code, instructions)?;
    points.iter_mut().zip(meets).for_each(|(point, meets)| point.meets = meets);
    Ok(MethodPlan { points, handlers, covered: covered(code, instructions, planner.self_call) })
}

/// Whether what a call site names may be a recorded method: of the platform's types only those that programs
/// implement or override all the time, as a token costs more than it saves where it is never taken.
fn may_be_recorded(opcode: u8, owner: &str, name: &str) -> bool {
    const PLATFORM: [&str; 5] = ["java/", "javax/", "jdk/", "sun/", "["];
    if !PLATFORM.iter().any(|prefix| owner.starts_with(prefix)) {
        return true;
    }
    match opcode {
        op::INVOKEINTERFACE => true,
        op::INVOKEVIRTUAL => owner == "java/lang/Object" && matches!(name, "equals" | "hashCode" | "toString"),
        _ => false,
    }
}

struct Planner<'c, 'a> {
    class: &'c ClassFile<'a>,
    recorded: &'c [bool],
    is_constructor: bool,
    /// `new` instructions whose constructor was not called yet: class and whether a copy stays on the stack.
    open_news: Vec<(u16, bool)>,
    self_call: Option<u32>,
}

impl Planner<'_, '_> {
    fn point(&mut self, index: usize, all: &[Instruction<'_>], i: &Instruction<'_>) -> Result<Point, PlanError> {
        let kind = match i.opcode {
            op::IALOAD => LogKind::Int,
            op::LALOAD => LogKind::Long,
            op::FALOAD => LogKind::Float,
            op::DALOAD => LogKind::Double,
            op::AALOAD | op::NEWARRAY | op::ANEWARRAY | op::MULTIANEWARRAY => LogKind::Reference,
            op::BALOAD | op::INSTANCEOF => LogKind::Byte,
            op::CALOAD => LogKind::Char,
            op::SALOAD => LogKind::Short,
            op::GETFIELD | op::GETSTATIC => {
                let field = self.class.pool.member_ref(constant(i)?)?;
                LogKind::of(descriptor::field_type(&field.descriptor)?)
            }
            op::LDC | op::LDC_W | op::LDC2_W => match self.constant_kind(constant(i)?)? {
                Some(kind) => kind,
                None => return Ok(Point::NOTHING),
            },
            op::NEW => {
                self.open_news.push((constant(i)?, leaves_copy(all.get(index + 1..).unwrap_or_default())));
                return Ok(Point::NOTHING);
            }
            op::INVOKEDYNAMIC => {
                let (_, _, descriptor) = self.class.pool.dynamic(constant(i)?)?;
                LogKind::of_return(descriptor::return_type(&descriptor)?.map(|(base, _)| base))
            }
            op::INVOKEVIRTUAL | op::INVOKEINTERFACE | op::INVOKESTATIC | op::INVOKESPECIAL => return self.call(i),
            op::JSR | op::JSR_W | op::RET => return Err(PlanError::Refused(Refusal::Subroutine)),
            _ => return Ok(Point::NOTHING),
        };
        Ok(Point::value(kind))
    }

    fn constant_kind(&self, index: u16) -> Result<Option<LogKind>, PlanError> {
        Ok(match self.class.pool.get(index)? {
            Constant::Integer(_) | Constant::Float(_) | Constant::Long(_) | Constant::Double(_) => None,
            Constant::Dynamic { .. } => {
                let (_, _, descriptor) = self.class.pool.dynamic(index)?;
                Some(LogKind::of(descriptor::field_type(&descriptor)?))
            }
            _ => Some(LogKind::Reference),
        })
    }

    fn call(&mut self, i: &Instruction<'_>) -> Result<Point, PlanError> {
        let callee = self.class.pool.member_ref(constant(i)?)?;
        let handshake = match i.opcode {
            opcode if !may_be_recorded(opcode, &callee.owner, &callee.name) => Handshake::None,
            op::INVOKESTATIC => Handshake::Method,
            op::INVOKESPECIAL if callee.name == "<init>" => Handshake::Method,
            // A call of `super.m()` that ends in unrecorded code must not leave a token for `m` of all objects
            // of this class.
            op::INVOKESPECIAL if callee.owner != self.class.name()? => Handshake::Method,
            _ => Handshake::Receiver,
        };
        if callee.name == "<init>" {
            return Ok(Point::call(self.constructor_call(i, &callee.owner)?, handshake));
        }
        let result = LogKind::of_return(descriptor::return_type(&callee.descriptor)?.map(|(base, _)| base));
        let after = if self.is_inner_call(i.opcode, &callee.owner, &callee.name, &callee.descriptor)? {
            After::Nothing
        } else {
            After::Value(result)
        };
        Ok(Point::call(after, handshake))
    }

    fn constructor_call(&mut self, i: &Instruction<'_>, owner: &str) -> Result<After, PlanError> {
        let unusual = PlanError::Refused(Refusal::UnusualConstructorCall);
        match self.open_news.pop() {
            Some((class, is_dup)) => {
                if self.class.pool.class_name(class)? != owner {
                    return Err(unusual);
                }
                Ok(if is_dup { After::Fresh } else { After::Value(LogKind::Nothing) })
            }
            None if self.is_constructor && self.self_call.is_none() => {
                self.self_call = Some(i.pc);
                Ok(After::This)
            }
            None => Err(unusual),
        }
    }

    /// Calls whose target is certain and recorded: their result needs no log.
    fn is_inner_call(&self, opcode: u8, owner: &str, name: &str, descriptor: &str) -> Result<bool, PlanError> {
        if owner != self.class.name()? {
            return Ok(false);
        }
        for (member, &recorded) in self.class.methods.iter().zip(self.recorded) {
            if member.is_declared_as(&self.class.pool, name, descriptor) {
                let is_certain = match opcode {
                    op::INVOKESTATIC => member.access & access::STATIC != 0,
                    op::INVOKESPECIAL => true,
                    _ => member.access & access::PRIVATE != 0,
                };
                return Ok(recorded && is_certain);
            }
        }
        Ok(false)
    }
}

/// Whether what follows a `new` keeps a second reference to the object below the arguments of its constructor.
pub(crate) fn leaves_copy(following: &[Instruction<'_>]) -> bool {
    match following {
        [first, second, ..] => {
            let is_moved = matches!(second.opcode, op::ASTORE | op::ASTORE_0..=op::ASTORE_3 | op::POP..=op::SWAP);
            first.opcode == op::DUP && !is_moved
        }
        _ => false,
    }
}

fn constant(i: &Instruction<'_>) -> Result<u16, PlanError> {
    i.constant().ok_or(PlanError::Refused(Refusal::Malformed))
}

fn handler_starts(code: &Code<'_>, instructions: &[Instruction<'_>]) -> Result<Vec<HandlerStart>, PlanError> {
    let mut starts: Vec<HandlerStart> = Vec::new();
    for (index, entry) in code.exceptions.iter().enumerate() {
        let pc = u32::from(entry.handler);
        if !starts.iter().any(|start| start.pc == pc) {
            starts.push(HandlerStart { pc, index: index as u16 });
        }
    }
    starts.sort_by_key(|start| start.pc);
    let is_handler = |pc: u32| starts.binary_search_by_key(&pc, |start| start.pc).is_ok();
    for i in instructions {
        let jumps_in = i.branch().is_some_and(is_handler)
            || i.switch().is_some_and(|s| is_handler(s.default) || s.cases.iter().any(|&(_, pc)| is_handler(pc)));
        if jumps_in || (falls_through(i.opcode) && is_handler(i.next_pc())) || (i.pc == 0 && is_handler(0)) {
            return Err(PlanError::Refused(Refusal::HandlerReachedByJump));
        }
    }
    Ok(starts)
}

fn falls_through(opcode: u8) -> bool {
    !matches!(
        opcode,
        op::GOTO | op::GOTO_W | op::TABLESWITCH | op::LOOKUPSWITCH | op::IRETURN..=op::RETURN | op::ATHROW
    )
}

/// Everything that no catch-all of the method covers; in a constructor only what comes after `self_call`,
/// because before it `this` may not reach a handler.
fn covered(code: &Code<'_>, instructions: &[Instruction<'_>], self_call: Option<u32>) -> Vec<(u32, u32)> {
    let has_catch_all = |pc: u32| {
        code.exceptions.iter().any(|e| e.catch_type == 0 && (u32::from(e.start)..u32::from(e.end)).contains(&pc))
    };
    let mut ranges: Vec<(u32, u32)> = Vec::new();
    for i in instructions {
        if self_call.is_some_and(|call| i.pc <= call) || has_catch_all(i.pc) {
            continue;
        }
        match ranges.last_mut() {
            Some((_, end)) if *end == i.pc => *end = i.next_pc(),
            _ => ranges.push((i.pc, i.next_pc())),
        }
    }
    ranges
}
