//! What is done to one instruction.

use whydunit_classfile::{BaseType, CodeEditor, EditError, PoolBuilder, op};

/// An edit and what it means to a reader.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Change {
    pub(crate) description: String,
    pub(crate) edit: Edit,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Edit {
    /// A conditional jump gets this opcode.
    Condition(u8),
    /// Code stands in the instruction's place.
    Code(Vec<u8>),
    /// The same, with room for further entries on the stack.
    DeeperCode { bytes: Vec<u8>, entries: u16 },
    /// The instruction pushes this number.
    Push(Number),
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Number {
    Int(i32),
    Long(i64),
    Float(f32),
    Double(f64),
}

impl Edit {
    pub(crate) fn apply<'a>(
        &self,
        pc: u32,
        editor: &mut CodeEditor<'_, 'a>,
        pool: &mut PoolBuilder<'a>,
    ) -> Result<(), EditError> {
        match self {
            Edit::Condition(opcode) => editor.replace_condition(pc, *opcode),
            Edit::Code(bytes) => editor.replace(pc, bytes),
            Edit::DeeperCode { bytes, entries } => {
                editor.replace(pc, bytes);
                editor.grow_stack(*entries);
            }
            Edit::Push(number) => editor.replace(pc, &number.push(pool)?),
        }
        Ok(())
    }
}

impl Number {
    fn push(self, pool: &mut PoolBuilder<'_>) -> Result<Vec<u8>, EditError> {
        if let Some(short) = self.short() {
            return Ok(short);
        }
        let (opcode, index) = match self {
            Number::Int(value) => (op::LDC_W, pool.integer(value)?),
            Number::Long(value) => (op::LDC2_W, pool.long(value)?),
            Number::Float(value) => (op::LDC_W, pool.float(value.to_bits())?),
            Number::Double(value) => (op::LDC2_W, pool.double(value.to_bits())?),
        };
        let [high, low] = index.to_be_bytes();
        Ok(vec![opcode, high, low])
    }

    /// Without a constant of the class.
    fn short(self) -> Option<Vec<u8>> {
        let is = |value: f64, other: f64| value.to_bits() == other.to_bits();
        match self {
            Number::Int(value) => {
                if let Ok(value @ -1..=5) = i8::try_from(value) {
                    return Some(vec![op::ICONST_0.wrapping_add_signed(value)]);
                }
                if let Ok(value) = i8::try_from(value) {
                    return Some(vec![op::BIPUSH, value.cast_unsigned()]);
                }
                let [high, low] = i16::try_from(value).ok()?.to_be_bytes();
                Some(vec![op::SIPUSH, high, low])
            }
            Number::Long(0) => Some(vec![op::LCONST_0]),
            Number::Long(1) => Some(vec![op::LCONST_1]),
            Number::Float(value) if is(value.into(), 0.0) => Some(vec![op::FCONST_0]),
            Number::Float(value) if is(value.into(), 1.0) => Some(vec![op::FCONST_1]),
            Number::Double(value) if is(value, 0.0) => Some(vec![op::DCONST_0]),
            Number::Double(value) if is(value, 1.0) => Some(vec![op::DCONST_1]),
            _ => None,
        }
    }
}

/// Takes a value from the stack.
pub(crate) fn pop(value: BaseType) -> u8 {
    match value.slots() {
        2 => op::POP2,
        _ => op::POP,
    }
}

/// Pushes zero, false or null.
pub(crate) fn push_default(value: BaseType) -> u8 {
    match value {
        BaseType::Reference => op::ACONST_NULL,
        BaseType::Long => op::LCONST_0,
        BaseType::Float => op::FCONST_0,
        BaseType::Double => op::DCONST_0,
        _ => op::ICONST_0,
    }
}

pub(crate) fn default_name(value: BaseType) -> &'static str {
    match value {
        BaseType::Reference => "null",
        BaseType::Boolean => "false",
        _ => "0",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_take_the_shortest_instruction() {
        assert_eq!(Number::Int(-1).short(), Some(vec![op::ICONST_M1]));
        assert_eq!(Number::Int(5).short(), Some(vec![op::ICONST_5]));
        assert_eq!(Number::Int(-128).short(), Some(vec![op::BIPUSH, 0x80]));
        assert_eq!(Number::Int(128).short(), Some(vec![op::SIPUSH, 0, 128]));
        assert_eq!(Number::Int(40_000).short(), None);
        assert_eq!(Number::Double(0.0).short(), Some(vec![op::DCONST_0]));
        assert_eq!(Number::Double(-0.0).short(), None);
        assert_eq!(Number::Long(2).short(), None);
    }
}
