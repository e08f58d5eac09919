//! Jumps that are statements: `break`, `continue` and `return`. Left out, control would go on behind them.

use crate::decisions::Decider;
use crate::edges::Edges;
use crate::flow::Flow;
use std::collections::BTreeSet;
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
    /// In rising order.
    all: Box<[Pc]>,
    /// With them as branches; `None` when there are none that go on in the method.
    branching: Option<Box<Flow>>,
}

impl Jumps {
    pub fn of(code: &MethodCode, flow: &Flow) -> Jumps {
        let end = code.ops.len() as Pc;
        let places = Places::of(code, flow);
        let is_jump = |&pc: &Pc| match code.ops[pc as usize] {
            Op::Goto(to) => pc + 1 < end && to != pc + 1 && places.is_statement(code, pc, to),
            Op::Return(_) => pc + 1 < end,
            _ => false,
        };
        let all: Box<[Pc]> = (0..end).filter(is_jump).collect();
        let goes_on: BTreeSet<Pc> =
            all.iter().copied().filter(|&pc| matches!(code.ops[pc as usize], Op::Goto(_))).collect();
        let branching = (!goes_on.is_empty()).then(|| Box::new(Flow::of_edges(Edges::with_way_behind(code, &goes_on))));
        Jumps { all, branching }
    }

    pub fn contains(&self, pc: Pc) -> bool {
        self.all.binary_search(&pc).is_ok()
    }

    /// What an instruction is control dependent on if jumps are branches, in rising order.
    pub fn deciders(&self, pc: Pc) -> &[Decider] {
        self.branching.as_ref().map_or(&[], |flow| flow.deciders(pc))
    }

    /// What control did not come to because of a jump, before it comes to where the jump leads, too.
    pub fn skipped(&self, flow: &Flow, jump: Pc) -> Vec<Range<Pc>> {
        let behind: BTreeSet<Pc> = flow.postdominators(jump + 1).collect();
        let target = flow.successors(jump).first();
        let end = target.and_then(|&to| flow.postdominators(to).find(|pc| behind.contains(pc)));
        flow.way(jump + 1, end)
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
