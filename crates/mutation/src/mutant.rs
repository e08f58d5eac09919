//! The mutants of a class, and the class that each of them is.

use crate::edit::Edit;
use crate::{Operator, Site};
use std::fmt;
use whydunit_classfile::descriptor::return_type;
use whydunit_classfile::{
    ClassEditor, ClassFile, ClassFileError, Code, CodeEditor, EditError, LineEntry, Member, PoolBuilder, access,
};

/// A change of one instruction.
#[derive(Debug, Clone, PartialEq)]
pub struct Mutant {
    pub id: MutantId,
    /// The internal name, such as `java/lang/String`.
    pub class: String,
    /// Name and descriptor.
    pub method: String,
    /// Of the instruction, in bytes from the start of the method's code.
    pub address: u32,
    pub line: Option<u32>,
    pub operator: Operator,
    /// ``replaced `+` by `-` ``
    pub description: String,
    method_index: usize,
    edit: Edit,
}

/// The number of a mutant among those of its class.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MutantId(pub u32);

/// A change that cannot be made: the method would break a limit of class files.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(transparent)]
pub struct MutationError(#[from] EditError);

/// All mutants of a class, in the order of its code. Methods that no programmer has written have none, nor has code
/// that is not well formed.
pub fn mutants(class: &[u8]) -> Result<Vec<Mutant>, ClassFileError> {
    let class = ClassFile::parse(class)?;
    let name = class.name()?;
    let mut found = Vec::new();
    for (method_index, method) in class.methods.iter().enumerate() {
        if method.access & (access::SYNTHETIC | access::BRIDGE) != 0 || CodeEditor::new(&class, method_index).is_err() {
            continue;
        }
        // The editor has taken the code, so it is well formed.
        if let Some(code) = method.code(&class.pool)? {
            add_mutants(&class, &name, method_index, method, &code, &mut found)?;
        }
    }
    Ok(found)
}

fn add_mutants(
    class: &ClassFile<'_>,
    class_name: &str,
    method_index: usize,
    method: &Member<'_>,
    code: &Code<'_>,
    found: &mut Vec<Mutant>,
) -> Result<(), ClassFileError> {
    let descriptor = method.descriptor(&class.pool)?;
    let result = return_type(&descriptor)?.map(|(result, _)| result);
    let method = format!("{}{descriptor}", method.name(&class.pool)?);
    let lines = code.line_numbers(&class.pool)?;
    for instruction in &code.instructions()? {
        let site = Site { instruction, pool: &class.pool, result };
        for operator in Operator::ALL {
            for change in operator.changes(site) {
                found.push(Mutant {
                    id: MutantId(found.len() as u32),
                    class: class_name.to_owned(),
                    method: method.clone(),
                    address: instruction.pc,
                    line: line_of(&lines, instruction.pc),
                    operator,
                    description: change.description,
                    method_index,
                    edit: change.edit,
                });
            }
        }
    }
    Ok(())
}

fn line_of(lines: &[LineEntry], pc: u32) -> Option<u32> {
    let before = lines.partition_point(|entry| u32::from(entry.pc) <= pc);
    Some(lines.get(before.checked_sub(1)?)?.line.into())
}

impl Mutant {
    /// The changed class, from the bytes that the mutant was found in.
    pub fn apply(&self, original: &[u8]) -> Result<Vec<u8>, MutationError> {
        let class = ClassFile::parse(original).map_err(EditError::from)?;
        let mut pool = PoolBuilder::new(&class.pool);
        let mut editor = CodeEditor::new(&class, self.method_index)?;
        self.edit.apply(self.address, &mut editor, &mut pool)?;
        let code = editor.finish(&mut pool)?;
        let mut edited = ClassEditor::new(&class, original, pool);
        edited.replace_code(self.method_index, code);
        Ok(edited.finish())
    }
}

impl fmt::Display for Mutant {
    /// `org.acme.Cart:31 replaced `+` by `-``
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:", self.class.replace('/', "."))?;
        match self.line {
            Some(line) => write!(f, "{line} {}", self.description),
            None => write!(f, "? {}", self.description),
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use whydunit_classfile::op;

    const FIELD: u16 = 10;
    const METHOD: u16 = 13;
    const STATIC_GETTER: u16 = 16;

    /// A class with one static method, a line for each instruction, a field `wide`, and the methods `keep` and `get`.
    fn class_with(code: &[u8], descriptor: &str) -> Vec<u8> {
        let mut out = vec![0xca, 0xfe, 0xba, 0xbe, 0, 0, 0, 49];
        let utf8 = |text: &str| [&[1, 0, text.len() as u8], text.as_bytes()].concat();
        let pair = |tag: u8, a: u16, b: u16| [&[tag][..], &a.to_be_bytes(), &b.to_be_bytes()].concat();
        let pool: [Vec<u8>; 16] = [
            utf8("Test"),
            vec![7, 0, 1],
            utf8("run"),
            utf8(descriptor),
            utf8("Code"),
            utf8("LineNumberTable"),
            utf8("wide"),
            utf8("J"),
            pair(12, 7, 8),
            pair(9, 2, 9),
            utf8("(ID)V"),
            pair(12, 3, 11),
            pair(10, 2, 12),
            utf8("()D"),
            pair(12, 3, 14),
            pair(10, 2, 15),
        ];
        out.extend((pool.len() as u16 + 1).to_be_bytes());
        out.extend(pool.concat());
        out.extend([0, 0x20, 0, 2, 0, 2, 0, 0, 0, 0, 0, 1]);
        out.extend([0, 8, 0, 3, 0, 4, 0, 1]);
        let mut attribute = vec![0, 9, 0, 9];
        attribute.extend((code.len() as u32).to_be_bytes());
        attribute.extend_from_slice(code);
        attribute.extend([0, 0, 0, 1, 0, 6, 0, 0, 0, 6, 0, 1, 0, 0, 0, 31]);
        out.extend([0, 5]);
        out.extend((attribute.len() as u32).to_be_bytes());
        out.extend(attribute);
        out.extend([0, 0]);
        out
    }

    fn of_operator(operator: Operator, class: &[u8]) -> Vec<Mutant> {
        let all = mutants(class).expect("the class is well formed");
        all.into_iter().filter(|mutant| mutant.operator == operator).collect()
    }

    /// Address and description of each mutant.
    pub(crate) fn changes_of(operator: Operator, code: &[u8], descriptor: &str) -> Vec<String> {
        let mutants = of_operator(operator, &class_with(code, descriptor));
        mutants.iter().map(|mutant| format!("{}: {}", mutant.address, mutant.description)).collect()
    }

    /// The code of each mutant.
    pub(crate) fn code_of(operator: Operator, code: &[u8], descriptor: &str) -> Vec<Vec<u8>> {
        let original = class_with(code, descriptor);
        let codes = of_operator(operator, &original).into_iter().map(|mutant| {
            let mutated = mutant.apply(&original).expect("the change is small");
            let class = ClassFile::parse(&mutated).expect("it is well formed");
            let code = class.methods[0].code(&class.pool).expect("it is well formed");
            code.expect("the method has code").bytes.to_vec()
        });
        codes.collect()
    }

    fn with_constant(opcode: u8, index: u16) -> Vec<u8> {
        let [high, low] = index.to_be_bytes();
        vec![opcode, high, low, op::RETURN]
    }

    #[test]
    fn a_mutant_tells_its_place() {
        let found = of_operator(Operator::Arithmetic, &class_with(&[op::NOP, op::IADD, op::RETURN], "()V"));
        let [mutant] = &found[..] else { panic!("one mutant, not {found:?}") };
        assert_eq!((&*mutant.class, &*mutant.method, mutant.address, mutant.line), ("Test", "run()V", 1, Some(31)));
        assert_eq!(mutant.to_string(), "Test:31 replaced `+` by `-`");
    }

    #[test]
    fn calls_leave_what_their_type_says() {
        let call = with_constant(op::INVOKEVIRTUAL, METHOD);
        let removed = code_of(Operator::VoidCallRemoved, &call, "()V");
        assert_eq!(removed, [vec![op::POP2, op::POP, op::POP, op::RETURN]]);
        assert!(code_of(Operator::CallReplaced, &call, "()V").is_empty());
        let call = with_constant(op::INVOKESTATIC, STATIC_GETTER);
        assert_eq!(code_of(Operator::CallReplaced, &call, "()V"), [vec![op::DCONST_0, op::RETURN]]);
        assert_eq!(changes_of(Operator::CallReplaced, &call, "()V"), ["0: replaced the call of Test.run by 0"]);
    }

    #[test]
    fn assignments_leave_the_stack_as_they_do() {
        let put = with_constant(op::PUTFIELD, FIELD);
        assert_eq!(code_of(Operator::AssignmentRemoved, &put, "()V"), [vec![op::POP2, op::POP, op::RETURN]]);
        let put = with_constant(op::PUTSTATIC, FIELD);
        assert_eq!(code_of(Operator::AssignmentRemoved, &put, "()V"), [vec![op::POP2, op::RETURN]]);
        assert_eq!(changes_of(Operator::AssignmentRemoved, &put, "()V"), ["0: removed the assignment to Test.wide"]);
    }

    #[test]
    fn what_is_no_class_has_no_mutants() {
        assert!(mutants(b"no class").is_err());
    }
}
