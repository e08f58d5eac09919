//! Where control goes from each instruction.

use crate::rows::Rows;
use whydunit_replay::program::{Handler, MethodCode, Op, Pc};

#[derive(Clone, Debug)]
pub(crate) struct Edges {
    /// Of each instruction, without exceptions, in rising order.
    pub(crate) successors: Rows<Pc>,
    pub(crate) handlers: Box<[Handler]>,
}

impl Edges {
    pub(crate) fn of(code: &MethodCode) -> Edges {
        let end = code.ops.len() as Pc;
        let successors = Rows::collect((0..end).map(|pc| {
            let mut next = successors(code, pc);
            next.retain(|&to| to < end);
            next.sort_unstable();
            next.dedup();
            next
        }));
        let handlers = code.handlers.iter().filter(|handler| handler.target < end).cloned().collect();
        Edges { successors, handlers }
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
