//! How a value looks in a stream.

use whydunit_classfile::descriptor::BaseType;

/// The shape of one logged value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LogKind {
    /// `boolean` and `byte`.
    Byte,
    Char,
    Short,
    Int,
    Float,
    Long,
    Double,
    Reference,
    /// The mark of a call that returned nothing.
    Nothing,
}

/// What a `void` call writes.
pub const NOTHING_MARK: u8 = 0xD0;

impl LogKind {
    pub const fn size(self) -> usize {
        match self {
            LogKind::Byte | LogKind::Nothing => 1,
            LogKind::Char | LogKind::Short => 2,
            LogKind::Int | LogKind::Float | LogKind::Reference => 4,
            LogKind::Long | LogKind::Double => 8,
        }
    }

    /// Operand stack slots that the value takes.
    pub const fn slots(self) -> u16 {
        match self {
            LogKind::Nothing => 0,
            LogKind::Long | LogKind::Double => 2,
            _ => 1,
        }
    }

    pub fn of(base: BaseType) -> LogKind {
        match base {
            BaseType::Boolean | BaseType::Byte => LogKind::Byte,
            BaseType::Char => LogKind::Char,
            BaseType::Short => LogKind::Short,
            BaseType::Int => LogKind::Int,
            BaseType::Long => LogKind::Long,
            BaseType::Float => LogKind::Float,
            BaseType::Double => LogKind::Double,
            BaseType::Reference => LogKind::Reference,
        }
    }

    /// The kind of a return type; `None` is `void`.
    pub fn of_return(base: Option<BaseType>) -> LogKind {
        base.map_or(LogKind::Nothing, LogKind::of)
    }
}
