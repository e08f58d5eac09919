//! The operands of a condition such as `a && (b || c)`, of which each is a branch of its own.

use super::{CodeLine, targets};
use crate::causes::{Cause, CauseKind, Causes};
use crate::session::SessionError;
use rustc_hash::FxHashSet;
use whydunit_replay::program::{MethodCode, Op, Pc};

/// A part of a condition that was looked at.
#[derive(Clone, Debug, PartialEq)]
pub struct Operand {
    pub cause: Cause,
    /// Had it been otherwise, control could have come to the line.
    pub has_decided: bool,
}

impl Causes<'_> {
    /// All that the condition looked at that turned away from a line, in the order of the code.
    pub fn operands(&self, turned_away: &Cause, line: &CodeLine) -> Result<Vec<Operand>, SessionError> {
        let place = turned_away.place;
        let (Some(step), Ok(code)) = (self.of_step(place.step)?, self.session.program().code(place.method)) else {
            return Ok(Vec::new());
        };
        let own = Operand { cause: turned_away.clone(), has_decided: true };
        let is_jump = |cause: &&Cause| cause.kind == CauseKind::Branch && cause.has_jumped.is_some();
        let mut operands: Vec<Operand> = Vec::new();
        for cause in step.effects.iter().filter(is_jump).rev() {
            // A loop in one line has looked at them before.
            if operands.last().is_some_and(|later| later.cause.pc <= cause.pc) {
                break;
            }
            let has_decided =
                cause.executed == turned_away.executed || self.could_lead_to(code, cause, line, &operands);
            operands.push(Operand { cause: cause.clone(), has_decided });
        }
        operands.reverse();
        let is_known = operands.iter().any(|operand| operand.cause.executed == turned_away.executed);
        Ok(if is_known { operands } else { vec![own] })
    }

    /// Whether the other way of a branch leads to a line before all its ways meet. Where it only comes to parts that were
    /// looked at anyway, and sets nothing on the way, all would have gone on as it did.
    fn could_lead_to(&self, code: &MethodCode, branch: &Cause, line: &CodeLine, later: &[Operand]) -> bool {
        let jump = code.ops.get(branch.pc as usize).and_then(|op| op.jump_target());
        let Some(other) = (if branch.has_jumped == Some(true) { Some(branch.pc + 1) } else { jump }) else {
            return false;
        };
        let flow = self.session.flows().of(code);
        let side = flow.side(branch.pc, other);
        let targets: Vec<Pc> = targets(code, line.line);
        let mut seen: FxHashSet<(Pc, bool)> = FxHashSet::default();
        let mut open = vec![(other, false)];
        while let Some((pc, has_set)) = open.pop() {
            let is_looked_at = !has_set && later.iter().any(|operand| operand.cause.pc == pc);
            if is_looked_at || !side.iter().any(|pcs| pcs.contains(&pc)) || !seen.insert((pc, has_set)) {
                continue;
            }
            if targets.contains(&pc) {
                return true;
            }
            let has_set = has_set || code.ops.get(pc as usize).is_some_and(sets);
            open.extend(flow.successors(pc).iter().map(|&next| (next, has_set)));
        }
        false
    }
}

/// Whether an instruction gives something another value.
fn sets(op: &Op) -> bool {
    matches!(
        op,
        Op::Store { .. }
            | Op::StoreWide { .. }
            | Op::Increment { .. }
            | Op::PutField { .. }
            | Op::PutStatic { .. }
            | Op::ArrayStore(_)
    )
}
