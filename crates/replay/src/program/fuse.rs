//! Pairs of instructions that are run as one. A third of all instructions only load a local for the next one.

use super::op::Op;

/// The same instructions, with a pair in the place of its first. The second stays where it is, to be jumped to and
/// to be taken up again.
pub(super) fn fuse(ops: &[Op]) -> Box<[Op]> {
    let following = ops.iter().skip(1).map(Some).chain([None]);
    ops.iter().zip(following).map(|(&op, next)| next.and_then(|&next| pair(op, next)).unwrap_or(op)).collect()
}

fn pair(first: Op, second: Op) -> Option<Op> {
    let Op::Load(local) = first else {
        return None;
    };
    Some(match second {
        Op::Load(second) => Op::LoadLoad(local, second),
        Op::Const { bits, .. } => Op::LoadConst { local, bits },
        Op::ArrayLoad(kind) => Op::LoadArrayLoad { kind, local },
        Op::GetField { kind, field } => Op::LoadGetField { kind, local, field },
        Op::Invoke(call) => Op::LoadInvoke { local, call },
        Op::Return(kind) => Op::LoadReturn { kind, local },
        Op::IfEq(to) => Op::LoadIfEq { local, to },
        Op::IfNe(to) => Op::LoadIfNe { local, to },
        Op::IfNull(to) => Op::LoadIfNull { local, to },
        Op::IfNonNull(to) => Op::LoadIfNonNull { local, to },
        _ => return None,
    })
}
