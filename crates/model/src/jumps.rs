//! Jumps that are statements: `break`, `continue` and `return`. Left out, control would go on behind them.

use crate::decisions::Decider;
use crate::edges::Edges;
use crate::flow::Flow;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use whydunit_replay::program::{MethodCode, Op, Pc};

/// The jumps of a method, and what runs because of them. After Ball and Horwitz (1993), a jump is taken for a branch that
/// could have gone on behind it.
///
/// Compilers jump, too: over an `else`, to the start of a loop, out of a `try`. Class files do not tell such jumps from
/// statements, so these are told by where they stand: in a line of their own, at the end of a `case`, or leading out of a
/// loop. A `continue` in the line of another statement is not found; the end of a `case … ->` is taken for a `break`.
#[derive(Clone, Debug, Default)]
pub struct Jumps {
    /// Each with where control would go on without it.
    all: BTreeMap<Pc, Pc>,
    /// With them as branches; `None` when there are none that go on in the method.
    branching: Option<Box<Flow>>,
}

impl Jumps {
    pub fn of(code: &MethodCode, flow: &Flow) -> Jumps {
        let end = code.ops.len() as Pc;
        let places = Places::of(code, flow);
        let behind = |pc: Pc| match code.ops[pc as usize] {
            Op::Goto(to) => places.behind(code, pc, to),
            Op::Return(_) => Some(pc + 1),
            _ => None,
        };
        let all: BTreeMap<Pc, Pc> =
            (0..end).filter_map(|pc| Some((pc, behind(pc).filter(|&behind| behind < end)?))).collect();
        let goes_on = |pc: &Pc| matches!(code.ops[*pc as usize], Op::Goto(_));
        let branching = all.keys().any(goes_on).then(|| {
            let behind = |pc: Pc| all.get(&pc).copied().filter(|_| goes_on(&pc));
            Box::new(Flow::of_edges(Edges::with_other_ways(code, &behind)))
        });
        Jumps { all, branching }
    }

    pub fn contains(&self, pc: Pc) -> bool {
        self.all.contains_key(&pc)
    }

    /// What an instruction is control dependent on if jumps are branches, in rising order.
    pub fn deciders(&self, pc: Pc) -> &[Decider] {
        self.branching.as_ref().map_or(&[], |flow| flow.deciders(pc))
    }

    /// What control did not come to because of a jump, before it comes to where the jump leads, too.
    pub fn skipped(&self, flow: &Flow, jump: Pc) -> Vec<Range<Pc>> {
        let Some(&behind) = self.all.get(&jump) else { return Vec::new() };
        let ways_on: BTreeSet<Pc> = flow.postdominators(behind).collect();
        let target = flow.successors(jump).first();
        let end = target.and_then(|&to| flow.postdominators(to).find(|pc| ways_on.contains(pc)));
        flow.way(behind, end)
    }
}

/// What tells where jumps stand.
struct Places {
    /// Of `switch`: where it goes.
    cases: BTreeSet<Pc>,
    handlers: BTreeSet<Pc>,
    /// From the first to the last instruction of each loop, with what leaves it.
    loops: Vec<Range<Pc>>,
}

impl Places {
    fn of(code: &MethodCode, flow: &Flow) -> Places {
        let is_switch = |pc: &Pc| matches!(code.ops[*pc as usize], Op::TableSwitch(_) | Op::LookupSwitch(_));
        let switches = (0..code.ops.len() as Pc).filter(is_switch);
        let span = |body: &[Pc]| Some(*body.first()?..*body.last()? + 1);
        Places {
            cases: switches.flat_map(|pc| flow.successors(pc).to_vec()).collect(),
            handlers: code.handlers.iter().map(|handler| handler.target).collect(),
            loops: flow.loops().iter().filter_map(|one| span(&one.body)).collect(),
        }
    }

    /// Where control would go on without a jump that is a statement.
    fn behind(&self, code: &MethodCode, jump: Pc, to: Pc) -> Option<Pc> {
        if to != jump + 1 {
            return self.is_statement(code, jump, to).then_some(jump + 1);
        }
        // The last statement of a loop without end: what would go back is left out by compilers.
        self.loops.iter().find(|one| one.end == jump).map(|one| one.start)
    }

    fn is_statement(&self, code: &MethodCode, jump: Pc, to: Pc) -> bool {
        // In the middle of an expression: `is ? one : other`.
        let is_in_expression = code.types.before(jump).len() > usize::from(code.max_locals);
        // Where a loop ends that starts again.
        let is_end_of_loop = self.loops.iter().any(|one| one.end == jump + 1 && one.start == to);
        if is_in_expression || is_end_of_loop {
            return false;
        }
        let leaves_loop = self.loops.iter().any(|one| one.contains(&jump) && !one.contains(&to));
        leaves_loop || self.cases.contains(&(jump + 1)) || self.is_line_of_its_own(code, jump)
    }

    fn is_line_of_its_own(&self, code: &MethodCode, jump: Pc) -> bool {
        let line = |pc: Pc| code.lines.get(pc as usize);
        // At the end of a `try` compilers leave the line of its brace.
        let is_end_of_try = self.handlers.contains(&(jump + 1));
        jump > 0 && line(jump) != line(jump - 1) && !is_end_of_try
    }
}
