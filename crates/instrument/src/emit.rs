//! Short pieces of bytecode that call the helper.

use crate::HELPER;
use whydunit_classfile::{EditError, PoolBuilder, op};
use whydunit_trace::LogKind;

/// Descriptor of the helper class as a type.
const LOG: &str = "Ljava/lang/WhydunitLog;";

/// Appends instructions to a snippet.
pub(crate) struct Emitter<'p, 'a> {
    pub(crate) pool: &'p mut PoolBuilder<'a>,
    pub(crate) bytes: Vec<u8>,
    /// The local that holds the thread's log.
    pub(crate) log: u16,
}

impl<'p, 'a> Emitter<'p, 'a> {
    pub(crate) fn new(pool: &'p mut PoolBuilder<'a>, log: u16) -> Self {
        Emitter { pool, bytes: Vec::new(), log }
    }

    pub(crate) fn op(&mut self, opcode: u8) {
        self.bytes.push(opcode);
    }

    /// A load or store with an explicit slot, `wide` when it must be.
    pub(crate) fn local(&mut self, opcode: u8, slot: u16) {
        match u8::try_from(slot) {
            Ok(slot) => self.bytes.extend([opcode, slot]),
            Err(_) => {
                self.bytes.extend([op::WIDE, opcode]);
                self.bytes.extend(slot.to_be_bytes());
            }
        }
    }

    pub(crate) fn load_log(&mut self) {
        self.local(op::ALOAD, self.log);
    }

    pub(crate) fn int(&mut self, value: u32) -> Result<(), EditError> {
        match i16::try_from(value) {
            Ok(small @ 0..=5) => self.op(op::ICONST_0 + small as u8),
            Ok(small @ 6..=127) => self.bytes.extend([op::BIPUSH, small as u8]),
            Ok(small) => {
                self.op(op::SIPUSH);
                self.bytes.extend(small.to_be_bytes());
            }
            Err(_) => {
                let index = self.pool.integer(value as i32)?;
                match u8::try_from(index) {
                    Ok(index) => self.bytes.extend([op::LDC, index]),
                    Err(_) => {
                        self.op(op::LDC_W);
                        self.bytes.extend(index.to_be_bytes());
                    }
                }
            }
        }
        Ok(())
    }

    /// Calls a static method of the helper; `@` in the descriptor stands for the log's type.
    pub(crate) fn helper(&mut self, name: &str, descriptor: &str) -> Result<(), EditError> {
        let method = self.pool.method_ref(HELPER, name, &descriptor.replace('@', LOG))?;
        self.op(op::INVOKESTATIC);
        self.bytes.extend(method.to_be_bytes());
        Ok(())
    }

    pub(crate) fn duplicate(&mut self, kind: LogKind) {
        match kind.slots() {
            0 => {}
            1 => self.op(op::DUP),
            _ => self.op(op::DUP2),
        }
    }

    /// Reads or writes an `int` field of the log object on the stack.
    pub(crate) fn log_field(&mut self, opcode: u8, name: &str) -> Result<(), EditError> {
        let field = self.pool.field_ref(HELPER, name, "I")?;
        self.op(opcode);
        self.bytes.extend(field.to_be_bytes());
        Ok(())
    }

    /// Takes an object that was made just now and logs it.
    pub(crate) fn log_fresh(&mut self) -> Result<(), EditError> {
        self.load_log();
        self.helper("fresh", "(Ljava/lang/Object;@)V")
    }

    /// Takes the value on top of the stack and logs it.
    pub(crate) fn log(&mut self, kind: LogKind, to: To) -> Result<(), EditError> {
        self.load_log();
        let index = to as usize;
        let (names, descriptor) = match kind {
            LogKind::Byte => (["b", "resultB", "checkB"], "(I@)V"),
            LogKind::Char | LogKind::Short => (["s", "resultS", "checkS"], "(I@)V"),
            LogKind::Int => (["i", "resultI", "checkI"], "(I@)V"),
            LogKind::Float => (["f", "resultF", "checkF"], "(F@)V"),
            LogKind::Long => (["j", "resultJ", "checkJ"], "(J@)V"),
            LogKind::Double => (["d", "resultD", "checkD"], "(D@)V"),
            LogKind::Reference => (["a", "resultA", "checkA"], "(Ljava/lang/Object;@)V"),
            LogKind::Nothing => (["nothing", "resultNothing", "nothing"], "(@)V"),
        };
        self.helper(names[index], descriptor)
    }
}

/// Where a value is logged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum To {
    Values = 0,
    /// The values stream, unless the call that made the value was direct.
    ValuesUnlessDirect = 1,
    Check = 2,
}

/// The load instruction with an explicit slot for a value of this kind; its store is `+ 33`.
pub(crate) fn load_opcode(kind: LogKind) -> u8 {
    match kind {
        LogKind::Long => op::LLOAD,
        LogKind::Float => op::FLOAD,
        LogKind::Double => op::DLOAD,
        LogKind::Reference => op::ALOAD,
        LogKind::Byte | LogKind::Char | LogKind::Short | LogKind::Int | LogKind::Nothing => op::ILOAD,
    }
}

pub(crate) fn store_opcode(kind: LogKind) -> u8 {
    load_opcode(kind) - op::ILOAD + op::ISTORE
}
