//! Jumps that are statements: `break`, `continue`, `return` and `throw`. Left out, control would go on behind them.

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
    /// Each with where control may go on without it: behind it, or where something ends that it stands in. Code does not
    /// tell which, so that some of it may be too much.
    all: BTreeMap<Pc, Vec<Pc>>,
    /// With them as branches; `None` when there are none that go on in the method.
    branching: Option<Box<Flow>>,
}

impl Jumps {
    pub fn of(code: &MethodCode, flow: &Flow) -> Jumps {
        let end = code.ops.len() as Pc;
        let places = Places::of(code, flow);
        let is_statement = |&pc: &Pc| match code.ops[pc as usize] {
            Op::Goto(to) => places.is_statement(code, pc, to),
            // At the end of a method nobody writes it.
            Op::Return(_) if code.descriptor.ends_with(")V") => pc + 1 < end,
            Op::Return(_) => true,
            Op::Throw => !is_rethrown_by_compiler(code, pc),
            _ => false,
        };
        let ways_on = (0..end).filter(is_statement).map(|pc| (pc, places.ways_on(code, pc, flow)));
        let all: BTreeMap<Pc, Vec<Pc>> = ways_on.filter(|(_, ways)| !ways.is_empty()).collect();
        let goes_on = |pc: &Pc| matches!(code.ops[*pc as usize], Op::Goto(_));
        let branching = all.keys().any(goes_on).then(|| {
            let others = |pc: Pc| all.get(&pc).filter(|_| goes_on(&pc)).map(Vec::as_slice).unwrap_or_default();
            Box::new(Flow::of_edges(Edges::with_other_ways(code, &others)))
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

    /// Whether something is control dependent on an instruction if jumps are branches.
    pub fn is_branch(&self, pc: Pc) -> bool {
        self.branching.as_ref().is_some_and(|flow| flow.is_branch(pc))
    }

    /// The first instruction that has the same [`Jumps::deciders`], in one go with this one.
    pub fn block_start(&self, pc: Pc) -> Pc {
        self.branching.as_ref().map_or(pc, |flow| flow.block_start(pc))
    }

    /// What control did not come to because of a jump, before it comes to where the jump leads, too.
    pub fn skipped(&self, flow: &Flow, jump: Pc) -> Vec<Range<Pc>> {
        self.skipped_by_going_to(flow, jump, flow.successors(jump).first().copied())
    }

    /// The same of a jump that led elsewhere than it seems: of a `throw`, to the handler of its exception.
    pub fn skipped_by_going_to(&self, flow: &Flow, jump: Pc, to: Option<Pc>) -> Vec<Range<Pc>> {
        let Some(ways_on) = self.all.get(&jump) else { return Vec::new() };
        let behind: Vec<BTreeSet<Pc>> = ways_on.iter().map(|&way| flow.postdominators(way).collect()).collect();
        let is_met = |pc: &Pc| behind.iter().all(|ways| ways.contains(pc));
        flow.ways_from(ways_on, to.and_then(|to| flow.postdominators(to).find(is_met)))
    }
}

/// At the end of `finally`, `synchronized` and of a `try` with resources, compilers throw again what they have caught.
fn is_rethrown_by_compiler(code: &MethodCode, thrown_at: Pc) -> bool {
    let loaded = match thrown_at.checked_sub(1).map(|pc| code.ops[pc as usize]) {
        Some(Op::Load(local)) => local,
        _ => return false,
    };
    let line = |pc: Pc| code.lines.get(pc as usize);
    let is_caught = |target: Pc| matches!(code.ops[target as usize], Op::Store { local, .. } if local == loaded);
    let mut handlers = code.handlers.iter().filter(|handler| is_caught(handler.target) && handler.target < thrown_at);
    handlers.any(|handler| handler.catches_all || line(handler.target) == line(thrown_at))
}

/// The first instruction of a jump, which may have to leave `synchronized` before.
fn start_of_jump(code: &MethodCode, jump: Pc) -> Pc {
    let mut start = jump;
    while let Some(load) = start.checked_sub(2)
        && matches!(code.ops[load as usize..start as usize], [Op::Load(_), Op::MonitorExit])
    {
        start = load;
    }
    start
}

/// What tells where jumps stand.
struct Places {
    /// Of `switch`: where it goes.
    cases: BTreeSet<Pc>,
    handlers: BTreeSet<Pc>,
    /// From the header of each loop to the last instruction that can come back to it.
    loops: Vec<Range<Pc>>,
    /// From where to where control can go forwards.
    forwards: Vec<(Pc, Pc)>,
    /// Behind the last instruction.
    end: Pc,
}

impl Places {
    fn of(code: &MethodCode, flow: &Flow) -> Places {
        let pcs = || 0..code.ops.len() as Pc;
        let is_switch = |pc: &Pc| matches!(code.ops[*pc as usize], Op::TableSwitch(_) | Op::LookupSwitch(_));
        let span = |body: &[Pc]| Some(*body.first()?..*body.last()? + 1);
        let forwards = |from: Pc| flow.successors(from).iter().map(move |&to| (from, to));
        Places {
            cases: pcs().filter(is_switch).flat_map(|pc| flow.successors(pc).to_vec()).collect(),
            handlers: code.handlers.iter().map(|handler| handler.target).collect(),
            loops: flow.loops().iter().filter_map(|one| span(&one.body)).collect(),
            forwards: pcs().flat_map(forwards).filter(|(from, to)| *to > from + 1).collect(),
            end: code.ops.len() as Pc,
        }
    }

    fn is_statement(&self, code: &MethodCode, jump: Pc, to: Pc) -> bool {
        // In the middle of an expression: `is ? one : other`.
        if code.types.before(jump).len() > usize::from(code.max_locals) {
            return false;
        }
        let leaves_loop = self.loops.iter().any(|one| one.contains(&jump) && !one.contains(&to));
        // No compiler jumps to the next instruction for another reason.
        let goes_nowhere = to == jump + 1;
        let is_end_of_loop = self.loops.iter().any(|one| one.end == jump + 1 && one.start == to);
        let is_end_of_case = self.cases.contains(&(jump + 1)) && !is_end_of_loop;
        // The brace of a loop may have a line, too: what goes past it is the condition in the line where the loop starts.
        let line = |pc: Pc| code.lines.get(pc as usize);
        let is_past = |&(from, past): &(Pc, Pc)| past == jump + 1 && from > to && line(from) != line(to);
        // Directly behind a loop that starts again before it, it is the `break` of that.
        let is_behind_inner = self.loops.iter().any(|inner| inner.end == jump && inner.start > to);
        let is_brace = is_end_of_loop && !is_behind_inner && !self.forwards.iter().any(is_past);
        leaves_loop || goes_nowhere || is_end_of_case || self.is_line_of_its_own(code, jump) && !is_brace
    }

    fn is_line_of_its_own(&self, code: &MethodCode, jump: Pc) -> bool {
        let line = |pc: Pc| code.lines.get(pc as usize);
        // At the end of a `try` compilers leave the line of the end of its last handler.
        let is_end_of_try = self.handlers.contains(&(jump + 1)) && line(jump) >= line(jump + 1);
        let start = start_of_jump(code, jump);
        start > 0 && line(jump) == line(start) && line(start) != line(start - 1) && !is_end_of_try
    }

    /// Where control may go on without a jump.
    fn ways_on(&self, code: &MethodCode, jump: Pc, flow: &Flow) -> Vec<Pc> {
        let target = flow.successors(jump).first().copied();
        let loops = self.loops.iter().filter(|one| one.end <= jump && self.may_belong_to(code, jump, one));
        let behind = (jump + 1 < self.end && target != Some(jump + 1)).then_some(jump + 1);
        // Behind it may be an `else` or a handler: then it goes on where something ends that is around both, unless control
        // comes there from behind it as well.
        let ends = self.ends_around(jump).into_iter().filter(|&end| Some(end) != target);
        let mut ways: Vec<Pc> = Vec::new();
        for way in behind.into_iter().chain(loops.map(|one| one.start)).chain(ends) {
            let is_reached = |pcs: &Range<Pc>| pcs.contains(&way);
            if !flow.ways_from(&ways, None).iter().any(is_reached) {
                ways.push(way);
            }
        }
        ways
    }

    /// Where control goes that has gone past a jump from before it, in rising order; of a `switch`, the next case.
    fn ends_around(&self, jump: Pc) -> BTreeSet<Pc> {
        let past = || self.forwards.iter().filter(|(from, to)| *from < jump && *to > jump);
        let (cases, others): (Vec<Pc>, Vec<Pc>) = past().map(|(_, to)| *to).partition(|to| self.cases.contains(to));
        others.into_iter().chain(cases.into_iter().min()).collect()
    }

    /// Whether a jump behind all that can come back to the header of a loop may stand in the loop: in statements at its end
    /// that leave it.
    fn may_belong_to(&self, code: &MethodCode, jump: Pc, one: &Range<Pc>) -> bool {
        let last = one.end - 1;
        let is_behind = |&(from, to): &(Pc, Pc)| one.contains(&from) && (one.end..=jump).contains(&to);
        match (code.ops[jump as usize], code.ops[last as usize]) {
            (Op::Goto(to), _) if to == jump + 1 => true,
            // A `continue`, not the end of the loop.
            (_, Op::Goto(to)) => self.is_statement(code, last, to),
            _ => !self.forwards.iter().any(is_behind),
        }
    }
}
