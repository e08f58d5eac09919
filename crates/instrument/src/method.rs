//! Rewriting one method.

use crate::check::{self, CheckError};
use crate::emit::{Emitter, To, load_opcode, store_opcode};
use crate::place::{self, PlaceLocals};
use crate::{HELPER, Options, Tokens};
use whydunit_classfile::descriptor::{self, BaseType};
use whydunit_classfile::{
    AddedLocal, ClassFile, ClassFileError, CodeEditor, EditError, Instruction, PoolBuilder, access, op,
};
use whydunit_trace::plan::{self, After, Handshake, PlanError};
use whydunit_trace::record::Refusal;
use whydunit_trace::{LogKind, MethodId};

/// Stack slots that the largest snippet needs beyond what the method has.
const EXTRA_STACK: u16 = 5;

pub(crate) struct MethodRewriter<'c, 'a> {
    pub(crate) class: &'c ClassFile<'a>,
    pub(crate) index: usize,
    pub(crate) id: MethodId,
    /// Methods of the class that are recorded whatever happens.
    pub(crate) recorded: &'c [bool],
    pub(crate) tokens: &'c Tokens,
    pub(crate) options: Options,
}

/// Everything that can go wrong; all of it ends in a named refusal.
enum Failure {
    Plan(PlanError),
    Class,
    Edit(EditError),
}

impl From<PlanError> for Failure {
    fn from(error: PlanError) -> Self {
        Failure::Plan(error)
    }
}

impl From<ClassFileError> for Failure {
    fn from(_: ClassFileError) -> Self {
        Failure::Class
    }
}

impl From<EditError> for Failure {
    fn from(error: EditError) -> Self {
        Failure::Edit(error)
    }
}

impl From<CheckError> for Failure {
    fn from(error: CheckError) -> Self {
        match error {
            CheckError::Class(error) => error.into(),
            CheckError::Edit(error) => error.into(),
        }
    }
}

impl Failure {
    fn refusal(&self) -> Refusal {
        match self {
            Failure::Plan(error) => error.refusal(),
            Failure::Class => Refusal::Malformed,
            Failure::Edit(EditError::PoolFull) => Refusal::ConstantPoolFull,
            Failure::Edit(EditError::CodeTooLarge { .. } | EditError::BranchTooFar { .. }) => Refusal::TooLarge,
            Failure::Edit(_) => Refusal::Malformed,
        }
    }
}

impl<'a> MethodRewriter<'_, 'a> {
    /// The new contents of the method's `Code` attribute.
    pub(crate) fn rewrite(&self, pool: &mut PoolBuilder<'a>) -> Result<Vec<u8>, Refusal> {
        self.try_rewrite(pool).map_err(|failure| failure.refusal())
    }

    fn try_rewrite(&self, pool: &mut PoolBuilder<'a>) -> Result<Vec<u8>, Failure> {
        let mut editor = CodeEditor::new(self.class, self.index)?;
        let instructions = editor.instructions().to_vec();
        let plan = plan::plan(self.class, self.index, editor.code(), &instructions, self.recorded)?;
        let log = editor.add_local(AddedLocal::Object(HELPER.to_owned()));
        let direct = editor.add_local(AddedLocal::Int);
        let place = self.options.places.then(|| PlaceLocals {
            depth: editor.add_local(AddedLocal::Int),
            callers_site: editor.add_local(AddedLocal::Int),
        });
        editor.grow_stack(EXTRA_STACK);
        self.prologue(&mut editor, pool, log, direct, place)?;
        let is_unlocking = |pc: u32| {
            let point = instructions.iter().zip(&plan.points).find(|(instruction, _)| instruction.pc == pc);
            point.is_some_and(|(_, point)| point.meets.as_handler)
        };
        for handler in &plan.handlers {
            let mut emitter = Emitter::new(pool, log);
            if let Some(place) = place {
                place.at(&mut emitter, 0)?;
            }
            emitter.op(op::DUP);
            emitter.load_log();
            emitter.int(self.id.0)?;
            emitter.int(u32::from(handler.index))?;
            let helper = if is_unlocking(handler.pc) { "caughtUnlocking" } else { "caught" };
            emitter.helper(helper, "(Ljava/lang/Throwable;@II)V")?;
            editor.before(handler.pc, &emitter.bytes);
        }
        for (instruction, point) in instructions.iter().zip(&plan.points) {
            if self.options.check {
                let mut emitter = Emitter::new(pool, log);
                if check::emit(&mut emitter, &self.class.pool, instruction, point.is_checked_store)? {
                    editor.before(instruction.pc, &emitter.bytes);
                }
            }
            if let Some(place) = place
                && place::may_run_recorded_code(instruction.opcode)
            {
                let mut emitter = Emitter::new(pool, log);
                place.at(&mut emitter, instruction.pc + 1)?;
                editor.before(instruction.pc, &emitter.bytes);
            }
            if point.meets.before {
                editor.before(instruction.pc, &self.sync_call(pool, log)?);
            }
            if (op::IRETURN..=op::RETURN).contains(&instruction.opcode) {
                let mut emitter = Emitter::new(pool, log);
                if self.is_synchronized() {
                    emitter.load_log();
                    emitter.helper("sync", "(@)V")?;
                }
                if let Some(place) = place {
                    place.leave(&mut emitter)?;
                }
                emitter.load_log();
                emitter.local(op::ILOAD, direct);
                emitter.log_field(op::PUTFIELD, "method")?;
                editor.before(instruction.pc, &emitter.bytes);
            }
            self.handshake(&mut editor, pool, log, instruction, point.handshake)?;
            let mut emitter = Emitter::new(pool, log);
            if point.meets.after {
                editor.after(instruction.pc, &self.sync_call(emitter.pool, log)?);
            }
            let kind = match point.after {
                After::Nothing => continue,
                After::Value(kind) => {
                    emitter.duplicate(kind);
                    kind
                }
                After::Fresh => {
                    emitter.op(op::DUP);
                    LogKind::Reference
                }
                After::This => {
                    emitter.local(op::ALOAD, 0);
                    LogKind::Reference
                }
            };
            if kind == LogKind::Reference && self.makes_unknown_object(instruction)? {
                emitter.log_fresh()?;
            } else {
                let to = if point.handshake == Handshake::None { To::Values } else { To::ValuesUnlessDirect };
                emitter.log(kind, to)?;
            }
            editor.after(instruction.pc, &emitter.bytes);
        }
        if !plan.covered.is_empty() {
            let mut emitter = Emitter::new(pool, log);
            if let Some(place) = place {
                place.leave(&mut emitter)?;
            }
            emitter.load_log();
            emitter.op(op::DUP);
            emitter.log_field(op::GETFIELD, "left")?;
            emitter.op(op::ICONST_1);
            emitter.op(op::IADD);
            emitter.log_field(op::PUTFIELD, "left")?;
            emitter.op(op::DUP);
            emitter.load_log();
            emitter.int(self.id.0)?;
            emitter.local(op::ILOAD, direct);
            emitter.helper("unwound", "(Ljava/lang/Throwable;@II)V")?;
            emitter.op(op::ATHROW);
            editor.catch_all(&plan.covered, &emitter.bytes);
        }
        Ok(editor.finish(pool)?)
    }

    /// Whether no code but this can know the object that the instruction leaves: an array that it makes, or what the
    /// constructor of `Object` returns from.
    fn makes_unknown_object(&self, instruction: &Instruction<'_>) -> Result<bool, ClassFileError> {
        Ok(match instruction.opcode {
            op::NEWARRAY | op::ANEWARRAY | op::MULTIANEWARRAY => true,
            op::INVOKESPECIAL => {
                let callee = self.class.pool.member_ref(instruction.constant().unwrap_or_default())?;
                callee.owner == "java/lang/Object" && callee.name == "<init>"
            }
            _ => false,
        })
    }

    /// What a caller must leave for this method to take the call for a direct one.
    fn token(&self, number: impl FnOnce(&Tokens, &str) -> u32) -> Result<u32, ClassFileError> {
        Ok(if self.options.is_replacement { Tokens::NOBODYS } else { number(self.tokens, &self.class.name()?) })
    }

    fn is_synchronized(&self) -> bool {
        self.class.methods[self.index].access & access::SYNCHRONIZED != 0
    }

    fn sync_call(&self, pool: &mut PoolBuilder<'a>, log: u16) -> Result<Vec<u8>, EditError> {
        let mut emitter = Emitter::new(pool, log);
        emitter.load_log();
        emitter.helper("sync", "(@)V")?;
        Ok(emitter.bytes)
    }

    /// Fetches the thread's log, and logs the arguments unless a recorded caller left the token.
    fn prologue(
        &self,
        editor: &mut CodeEditor<'_, 'a>,
        pool: &mut PoolBuilder<'a>,
        log: u16,
        direct: u16,
        place: Option<PlaceLocals>,
    ) -> Result<(), Failure> {
        let member = &self.class.methods[self.index];
        let name = member.name(&self.class.pool)?;
        let descriptor = member.descriptor(&self.class.pool)?;
        let is_static = member.access & access::STATIC != 0;
        let has_receiver = !is_static && name != "<init>";

        let mut arguments = Emitter::new(pool, log);
        arguments.load_log();
        arguments.int(self.id.0)?;
        arguments.helper("outside", "(@I)V")?;
        if has_receiver {
            arguments.local(op::ALOAD, 0);
            arguments.log(LogKind::Reference, To::Values)?;
        }
        let mut slot = u16::from(!is_static);
        for (base, _) in descriptor::parameters(&descriptor)? {
            let kind = LogKind::of(base);
            arguments.local(load_opcode(kind), slot);
            arguments.log(kind, To::Values)?;
            slot += base.slots();
        }
        let arguments = arguments.bytes;

        let mut emitter = Emitter::new(pool, log);
        emitter.int(self.token(|tokens, class| tokens.method(class, &name, &descriptor))?)?;
        if has_receiver {
            emitter.int(self.token(|tokens, _| tokens.signature(&name, &descriptor))?)?;
            emitter.local(op::ALOAD, 0);
            emitter.helper("enter", "(IILjava/lang/Object;)@")?;
        } else {
            emitter.helper("enter", "(I)@")?;
        }
        emitter.op(op::DUP);
        emitter.local(op::ASTORE, log);
        emitter.log_field(op::GETFIELD, "direct")?;
        emitter.op(op::DUP);
        emitter.local(op::ISTORE, direct);
        if let Some(place) = place {
            place.prepare(&mut emitter)?;
        }
        emitter.op(op::IFLT);
        let over =
            i16::try_from(arguments.len() + 3).map_err(|_| EditError::CodeTooLarge { length: arguments.len() })?;
        emitter.bytes.extend(over.to_be_bytes());
        emitter.bytes.extend(arguments);
        let merge = emitter.bytes.len() as u16;
        if let Some(place) = place {
            place.enter(&mut emitter)?;
        }
        if self.is_synchronized() {
            emitter.load_log();
            emitter.helper("sync", "(@)V")?;
        }
        if self.options.check {
            emitter.int(self.id.0)?;
            emitter.log(LogKind::Int, To::Check)?;
        }
        let bytes = emitter.bytes;
        editor.prologue(&bytes, Some(merge));
        Ok(())
    }

    fn handshake(
        &self,
        editor: &mut CodeEditor<'_, 'a>,
        pool: &mut PoolBuilder<'a>,
        log: u16,
        instruction: &Instruction<'_>,
        handshake: Handshake,
    ) -> Result<(), Failure> {
        if handshake == Handshake::None {
            return Ok(());
        }
        let callee = self.class.pool.member_ref(instruction.constant().unwrap_or_default())?;
        if handshake == Handshake::Method {
            let token = self.tokens.method(&callee.owner, &callee.name, &callee.descriptor);
            let mut emitter = Emitter::new(pool, log);
            emitter.load_log();
            emitter.int(token)?;
            emitter.log_field(op::PUTFIELD, "method")?;
            editor.before(instruction.pc, &emitter.bytes);
            return Ok(());
        }
        let token = self.tokens.signature(&callee.name, &callee.descriptor);
        let parameters = descriptor::parameters(&callee.descriptor)?;
        let bases: Vec<BaseType> = parameters.iter().map(|&(base, _)| base).collect();
        let slots: u16 = bases.iter().map(|base| base.slots()).sum();
        let scratch = if slots > 1 { editor.scratch_locals(slots) } else { 0 };
        let mut emitter = Emitter::new(pool, log);
        match bases.as_slice() {
            [] => {
                emitter.op(op::DUP);
                emitter.load_log();
                emitter.int(token)?;
                emitter.helper("call", "(Ljava/lang/Object;@I)V")?;
            }
            [base] if base.slots() == 1 => {
                emitter.op(op::DUP2);
                emitter.load_log();
                emitter.int(token)?;
                emitter.helper(
                    "call",
                    match base {
                        BaseType::Float => "(Ljava/lang/Object;F@I)V",
                        BaseType::Reference => "(Ljava/lang/Object;Ljava/lang/Object;@I)V",
                        _ => "(Ljava/lang/Object;I@I)V",
                    },
                )?;
            }
            bases => {
                let mut slot = scratch + slots;
                for &base in bases.iter().rev() {
                    slot -= base.slots();
                    emitter.local(store_opcode(LogKind::of(base)), slot);
                }
                emitter.op(op::DUP);
                emitter.load_log();
                emitter.int(token)?;
                emitter.helper("call", "(Ljava/lang/Object;@I)V")?;
                for &base in bases {
                    emitter.local(load_opcode(LogKind::of(base)), slot);
                    if base == BaseType::Reference {
                        // The interpreter takes whatever a local still holds for alive.
                        emitter.op(op::ACONST_NULL);
                        emitter.local(op::ASTORE, slot);
                    }
                    slot += base.slots();
                }
            }
        }
        let bytes = emitter.bytes;
        editor.before(instruction.pc, &bytes);
        Ok(())
    }
}
