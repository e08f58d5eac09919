//! Changes of conditional jumps. Compilers often turn conditions round, so descriptions are about the jump.

use crate::Site;
use crate::edit::{Change, Edit};
use whydunit_classfile::op;

/// `<` and `<=`, `>` and `>=`.
pub(crate) fn boundary(site: Site<'_, '_>) -> Option<Change> {
    let other = match site.instruction.opcode {
        op::IFLT => op::IFLE,
        op::IFLE => op::IFLT,
        op::IFGT => op::IFGE,
        op::IFGE => op::IFGT,
        op::IF_ICMPLT => op::IF_ICMPLE,
        op::IF_ICMPLE => op::IF_ICMPLT,
        op::IF_ICMPGT => op::IF_ICMPGE,
        op::IF_ICMPGE => op::IF_ICMPGT,
        _ => return None,
    };
    jump(site, other)
}

pub(crate) fn negated(site: Site<'_, '_>) -> Option<Change> {
    let opcode = site.instruction.opcode;
    let other = match opcode {
        op::IFNULL => op::IFNONNULL,
        op::IFNONNULL => op::IFNULL,
        // A condition and its opposite are neighbours, the first with an odd number.
        op::IFEQ..=op::IF_ACMPNE if opcode % 2 == 1 => opcode + 1,
        op::IFEQ..=op::IF_ACMPNE => opcode - 1,
        _ => return None,
    };
    jump(site, other)
}

fn jump(site: Site<'_, '_>, other: u8) -> Option<Change> {
    let (old, new) = (symbol(site.instruction.opcode)?, symbol(other)?);
    Some(Change {
        description: format!("replaced the condition `{old}` of the jump by `{new}`"),
        edit: Edit::Condition(other),
    })
}

fn symbol(opcode: u8) -> Option<&'static str> {
    Some(match opcode {
        op::IFEQ | op::IF_ICMPEQ | op::IF_ACMPEQ => "==",
        op::IFNE | op::IF_ICMPNE | op::IF_ACMPNE => "!=",
        op::IFLT | op::IF_ICMPLT => "<",
        op::IFGE | op::IF_ICMPGE => ">=",
        op::IFGT | op::IF_ICMPGT => ">",
        op::IFLE | op::IF_ICMPLE => "<=",
        op::IFNULL => "== null",
        op::IFNONNULL => "!= null",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::symbol;
    use crate::Operator;
    use crate::mutant::tests::changes_of;
    use whydunit_classfile::op;

    fn becomes(operator: Operator, opcode: u8) -> Vec<String> {
        changes_of(operator, &[op::ICONST_0, op::ICONST_0, opcode, 0, 3, op::RETURN], "()V")
    }

    #[test]
    fn boundaries() {
        let changes = becomes(Operator::ConditionalBoundary, op::IF_ICMPGE);
        assert_eq!(changes, ["2: replaced the condition `>=` of the jump by `>`"]);
        let changes = becomes(Operator::ConditionalBoundary, op::IFLT);
        assert_eq!(changes, ["2: replaced the condition `<` of the jump by `<=`"]);
        assert!(becomes(Operator::ConditionalBoundary, op::IFEQ).is_empty());
    }

    #[test]
    fn negations_are_opposites() {
        let opposites = [("==", "!="), ("<", ">="), (">", "<="), ("== null", "!= null")];
        for opcode in (op::IFEQ..=op::IF_ACMPNE).chain([op::IFNULL, op::IFNONNULL]) {
            let old = symbol(opcode).expect("a condition has a symbol");
            let (a, b) = opposites.iter().find(|(a, b)| old == *a || old == *b).expect("and an opposite");
            let new = if old == *a { b } else { a };
            let expected = format!("2: replaced the condition `{old}` of the jump by `{new}`");
            assert_eq!(becomes(Operator::NegatedConditional, opcode), [expected]);
        }
        assert!(becomes(Operator::NegatedConditional, op::GOTO).is_empty());
    }
}
