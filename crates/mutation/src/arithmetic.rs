//! Changes of calculations.

use crate::Site;
use crate::edit::{Change, Edit};
use whydunit_classfile::op;

pub(crate) fn replaced(site: Site<'_, '_>) -> Option<Change> {
    let opcode = site.instruction.opcode;
    let other = match opcode {
        op::IADD..=op::DADD => opcode + (op::ISUB - op::IADD),
        op::ISUB..=op::DSUB => opcode - (op::ISUB - op::IADD),
        op::IMUL..=op::DMUL => opcode + (op::IDIV - op::IMUL),
        op::IDIV..=op::DDIV => opcode - (op::IDIV - op::IMUL),
        op::IREM..=op::DREM => opcode - (op::IREM - op::IMUL),
        op::ISHL | op::LSHL => opcode + (op::ISHR - op::ISHL),
        op::ISHR | op::LSHR => opcode - (op::ISHR - op::ISHL),
        op::IUSHR | op::LUSHR => opcode - (op::IUSHR - op::ISHL),
        op::IAND | op::LAND => opcode + (op::IOR - op::IAND),
        op::IOR | op::LOR => opcode - (op::IOR - op::IAND),
        op::IXOR | op::LXOR => opcode - (op::IXOR - op::IAND),
        _ => return None,
    };
    let (old, new) = (symbol(opcode)?, symbol(other)?);
    Some(Change { description: format!("replaced `{old}` by `{new}`"), edit: Edit::Code(vec![other]) })
}

/// `i++` becomes `i--`.
pub(crate) fn increment(site: Site<'_, '_>) -> Option<Change> {
    if site.instruction.opcode != op::IINC {
        return None;
    }
    let amount = site.instruction.immediate();
    let opposite = i16::try_from(-amount).ok().filter(|&opposite| opposite != 0)?;
    let local = site.instruction.local()?;
    let bytes = match (u8::try_from(local), i8::try_from(opposite)) {
        (Ok(local), Ok(opposite)) => vec![op::IINC, local, opposite.cast_unsigned()],
        _ => {
            let ([a, b], [c, d]) = (local.to_be_bytes(), opposite.to_be_bytes());
            vec![op::WIDE, op::IINC, a, b, c, d]
        }
    };
    let description = format!("changed an increment by {amount} to one by {opposite}");
    Some(Change { description, edit: Edit::Code(bytes) })
}

/// `-x` becomes `x`.
pub(crate) fn negative(site: Site<'_, '_>) -> Option<Change> {
    match site.instruction.opcode {
        op::INEG..=op::DNEG => {
            Some(Change { description: "removed a negation".to_owned(), edit: Edit::Code(vec![op::NOP]) })
        }
        _ => None,
    }
}

fn symbol(opcode: u8) -> Option<&'static str> {
    Some(match opcode {
        op::IADD..=op::DADD => "+",
        op::ISUB..=op::DSUB => "-",
        op::IMUL..=op::DMUL => "*",
        op::IDIV..=op::DDIV => "/",
        op::IREM..=op::DREM => "%",
        op::ISHL | op::LSHL => "<<",
        op::ISHR | op::LSHR => ">>",
        op::IUSHR | op::LUSHR => ">>>",
        op::IAND | op::LAND => "&",
        op::IOR | op::LOR => "|",
        op::IXOR | op::LXOR => "^",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use crate::Operator;
    use crate::mutant::tests::{changes_of, code_of};
    use whydunit_classfile::op;

    #[test]
    fn each_operator_stays_in_its_type() {
        let pairs = [
            (op::IADD, op::ISUB),
            (op::DSUB, op::DADD),
            (op::FMUL, op::FDIV),
            (op::LDIV, op::LMUL),
            (op::LREM, op::LMUL),
            (op::ISHL, op::ISHR),
            (op::LSHR, op::LSHL),
            (op::LUSHR, op::LSHL),
            (op::IAND, op::IOR),
            (op::LOR, op::LAND),
            (op::IXOR, op::IAND),
        ];
        for (before, after) in pairs {
            let mutated = code_of(Operator::Arithmetic, &[op::NOP, before, op::RETURN], "()V");
            assert_eq!(mutated, [vec![op::NOP, after, op::RETURN]]);
        }
        let changes = changes_of(Operator::Arithmetic, &[op::IUSHR, op::RETURN], "()V");
        assert_eq!(changes, ["0: replaced `>>>` by `<<`"]);
    }

    #[test]
    fn increments_change_their_sign() {
        let mutated = code_of(Operator::Increment, &[op::IINC, 1, 3, op::RETURN], "()V");
        assert_eq!(mutated, [vec![op::IINC, 1, 0xfd, op::RETURN]]);
    }

    #[test]
    fn an_increment_that_does_not_fit_becomes_wide() {
        let mutated = code_of(Operator::Increment, &[op::IINC, 1, 0x80, op::RETURN], "()V");
        assert_eq!(mutated, [vec![op::WIDE, op::IINC, 0, 1, 0, 128, op::RETURN]]);
        let widest = [op::WIDE, op::IINC, 0, 1, 0x80, 0, op::RETURN];
        assert!(changes_of(Operator::Increment, &widest, "()V").is_empty());
    }

    #[test]
    fn negations_go() {
        let mutated = code_of(Operator::InvertedNegative, &[op::DNEG, op::RETURN], "()V");
        assert_eq!(mutated, [vec![op::NOP, op::RETURN]]);
    }
}
