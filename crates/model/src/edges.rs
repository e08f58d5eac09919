//! Where control goes from each instruction.

use crate::rows::Rows;
use whydunit_replay::program::{Handler, MethodCode, Op, Pc};

#[derive(Clone, Debug)]
pub(crate) struct Edges {
    /// Of each instruction, without exceptions, in rising order.
    pub(crate) successors: Rows<Pc>,
    pub(crate) handlers: Box<[Handler]>,
    /// Instructions after which the method is left in a way that nobody counts on.
    pub(crate) unexpected_exits: Box<[Pc]>,
}

impl Edges {
    pub(crate) fn of(code: &MethodCode) -> Edges {
        Edges::new((0..code.ops.len() as Pc).map(|pc| successors(code, pc)), &code.handlers)
    }

    /// Targets in any order; those outside of the code do not count.
    pub(crate) fn new(successors: impl ExactSizeIterator<Item = Vec<Pc>>, handlers: &[Handler]) -> Edges {
        let end = successors.len() as Pc;
        let successors = Rows::collect(successors.map(|mut targets| {
            targets.retain(|&to| to < end);
            targets.sort_unstable();
            targets.dedup();
            targets
        }));
        let handlers = handlers.iter().filter(|handler| handler.target < end).cloned().collect();
        Edges { successors, handlers, unexpected_exits: Box::default() }
    }

    /// The same, with nobody counting on what is thrown.
    pub(crate) fn expecting_no_throw(code: &MethodCode) -> Edges {
        let is_throw = |pc: &Pc| code.ops[*pc as usize] == Op::Throw;
        let unexpected_exits = (0..code.ops.len() as Pc).filter(is_throw).collect();
        Edges { unexpected_exits, ..Edges::of(code) }
    }

    /// The same, with other ways on from some instructions.
    pub(crate) fn with_other_ways<'w>(code: &MethodCode, others: &dyn Fn(Pc) -> &'w [Pc]) -> Edges {
        let successors = |pc: Pc| successors(code, pc).into_iter().chain(others(pc).iter().copied()).collect();
        Edges::new((0..code.ops.len() as Pc).map(successors), &code.handlers)
    }
}

fn successors(code: &MethodCode, pc: Pc) -> Vec<Pc> {
    match code.ops[pc as usize] {
        Op::Return(_) | Op::Throw => Vec::new(),
        Op::Goto(to) => vec![to],
        Op::TableSwitch(number) => {
            let table = code.tables.get(number as usize);
            table.map_or(Vec::new(), |t| t.targets.iter().copied().chain([t.default]).collect())
        }
        Op::LookupSwitch(number) => {
            let lookup = code.lookups.get(number as usize);
            lookup.map_or(Vec::new(), |l| l.targets.iter().copied().chain([l.default]).collect())
        }
        op => op.jump_target().into_iter().chain([pc + 1]).collect(),
    }
}
