//! Another value is returned.

use crate::Site;
use crate::edit::{Change, Edit, default_name, pop, push_default};
use whydunit_classfile::{BaseType, op};

pub(crate) fn replaced(site: Site<'_, '_>) -> Vec<Change> {
    let opcode = site.instruction.opcode;
    let Some(result) = site.result.filter(|_| (op::IRETURN..=op::ARETURN).contains(&opcode)) else {
        return Vec::new();
    };
    let default = Change {
        description: format!("returns {}", default_name(result)),
        edit: Edit::Code(vec![pop(result), push_default(result), opcode]),
    };
    let one_more = |code: [u8; 2], entries| Change {
        description: "returns the value plus 1".to_owned(),
        edit: Edit::DeeperCode { bytes: [&code[..], &[opcode]].concat(), entries },
    };
    let other = match result {
        BaseType::Reference => None,
        BaseType::Boolean => Some(Change {
            description: "returns true".to_owned(),
            edit: Edit::Code(vec![op::POP, op::ICONST_1, opcode]),
        }),
        BaseType::Long => Some(one_more([op::LCONST_1, op::LADD], 2)),
        BaseType::Float => Some(one_more([op::FCONST_1, op::FADD], 1)),
        BaseType::Double => Some(one_more([op::DCONST_1, op::DADD], 2)),
        BaseType::Byte | BaseType::Char | BaseType::Short | BaseType::Int => {
            Some(one_more([op::ICONST_1, op::IADD], 1))
        }
    };
    [Some(default), other].into_iter().flatten().collect()
}

#[cfg(test)]
mod tests {
    use crate::Operator;
    use crate::mutant::tests::{changes_of, code_of};
    use whydunit_classfile::op;

    #[test]
    fn values_by_type() {
        let mutated = code_of(Operator::ReturnValue, &[op::LCONST_0, op::LRETURN], "()J");
        let zero = vec![op::LCONST_0, op::POP2, op::LCONST_0, op::LRETURN];
        let more = vec![op::LCONST_0, op::LCONST_1, op::LADD, op::LRETURN];
        assert_eq!(mutated, [zero, more]);
        let texts = |code: &[u8], descriptor| changes_of(Operator::ReturnValue, code, descriptor);
        assert_eq!(texts(&[op::ICONST_0, op::IRETURN], "()Z"), ["1: returns false", "1: returns true"]);
        assert_eq!(texts(&[op::ICONST_0, op::IRETURN], "()C"), ["1: returns 0", "1: returns the value plus 1"]);
        assert_eq!(texts(&[op::ACONST_NULL, op::ARETURN], "()[I"), ["1: returns null"]);
        assert!(texts(&[op::RETURN], "()V").is_empty());
    }
}
