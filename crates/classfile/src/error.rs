//! What can be wrong with a class file, and why an edit can be refused.

use thiserror::Error;

/// A class file that breaks the format.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ClassFileError {
    #[error("not a class file: it does not start with 0xCAFEBABE")]
    BadMagic,
    #[error("class file version {major}.{minor} is older than 45")]
    BadVersion { major: u16, minor: u16 },
    #[error("the data ends at byte {offset}, in the middle of a structure")]
    Truncated { offset: usize },
    #[error("{count} bytes follow the end of the structure")]
    TrailingBytes { count: usize },
    #[error("the count of constants does not fit the constants")]
    BadConstantCount,
    #[error("constant {index} has the unknown tag {tag}")]
    BadConstantTag { index: u16, tag: u8 },
    #[error("constant {index} is not {expected}")]
    BadConstant { index: u16, expected: &'static str },
    #[error("constant {index} is not valid modified UTF-8")]
    BadUtf8 { index: u16 },
    #[error("bad descriptor {0:?}")]
    BadDescriptor(String),
    #[error("code of {length} bytes; 1 to 65535 are allowed")]
    BadCodeLength { length: usize },
    #[error("unknown opcode {opcode:#04x} at pc {pc}")]
    BadOpcode { pc: u32, opcode: u8 },
    #[error("malformed instruction at pc {pc}")]
    BadInstruction { pc: u32 },
    #[error("the instruction at pc {pc} jumps to {target}, where no instruction starts")]
    BadTarget { pc: u32, target: i64 },
    #[error("entry {index} of the exception table does not stand on instructions")]
    BadExceptionEntry { index: usize },
    #[error("malformed {attribute}: {reason}")]
    BadAttribute { attribute: &'static str, reason: &'static str },
}

/// An edit that would give no valid class file.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum EditError {
    #[error(transparent)]
    ClassFile(#[from] ClassFileError),
    #[error("the class has no method {index} with code")]
    NoCode { index: usize },
    #[error("the code is in the format before version 45.3")]
    OldCodeFormat,
    #[error("no instruction starts at pc {pc}")]
    NotAnInstruction { pc: u32 },
    #[error("the constant pool has no room left")]
    PoolFull,
    #[error("a string constant of {length} bytes; 65535 are allowed")]
    StringTooLong { length: usize },
    #[error("the code would have {length} bytes; 65535 are allowed")]
    CodeTooLarge { length: usize },
    #[error("the branch at pc {pc} would span more than 32767 bytes")]
    BranchTooFar { pc: u32 },
    #[error("the method would need more than 65535 locals")]
    TooManyLocals,
    #[error("the method would need an operand stack of more than 65535")]
    StackTooDeep,
    #[error("the exception table would have more than 65535 entries")]
    TooManyHandlers,
    #[error("a stack map frame would have more than 65535 entries, or there would be more frames")]
    TooManyFrames,
}
