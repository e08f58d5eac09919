//! The control flow of a method.

use crate::blocks::{Block, Blocks};
use crate::decisions::{self, Decider};
use crate::edges::Edges;
use crate::exits::{self, ExitGraph, Node};
use crate::loops::{self, Loop, LoopId};
use crate::rows::Rows;
use std::collections::BTreeSet;
use std::ops::Range;
use whydunit_replay::program::{MethodCode, Pc};

/// Where control can go in a method, and what decides about it. A pure function of the code.
///
/// Exceptions are no edges: a handler is entered from the method's entry, and a `throw` leaves the method. Only for
/// loops an exception goes from what a handler covers to the handler.
#[derive(Clone, Debug)]
pub struct Flow {
    blocks: Blocks,
    branches: Box<[Pc]>,
    deciders: Rows<Decider>,
    /// Of the last instruction of each block.
    postdominators: Box<[Option<Pc>]>,
    loops: Box<[Loop]>,
    innermost_loops: Box<[Option<LoopId>]>,
}

impl Flow {
    pub fn of(code: &MethodCode) -> Flow {
        Flow::of_edges(Edges::of(code))
    }

    /// The same, but that nothing depends on what is not thrown: control comes from a branch to where its ways meet
    /// that throw nothing, if there are such, as if no other existed.
    pub fn expecting_no_throw(code: &MethodCode) -> Flow {
        Flow::of_edges(Edges::expecting_no_throw(code))
    }

    pub(crate) fn of_edges(edges: Edges) -> Flow {
        let blocks = Blocks::new(edges);
        let graph = ExitGraph::new(&blocks);
        let is_branch = |&pc: &Pc| blocks.edges().successors.row(pc as usize).len() > 1;
        let postdominator = |block: Block| {
            let next = graph.immediate_postdominator(exits::index_of(block))?;
            match graph.node(next) {
                Node::Block(block) | Node::Endless(block) => Some(blocks.start(block)),
                Node::Entry | Node::Exit => None,
            }
        };
        let (loops, innermost_loops) = loops::find(&blocks);
        Flow {
            branches: blocks.all().map(|block| blocks.last(block)).filter(is_branch).collect(),
            deciders: decisions::deciders(&blocks, &graph),
            postdominators: blocks.all().map(postdominator).collect(),
            loops,
            innermost_loops,
            blocks,
        }
    }

    /// Where control can go without an exception, in rising order.
    pub fn successors(&self, pc: Pc) -> &[Pc] {
        self.blocks.edges().successors.row(pc as usize)
    }

    /// Conditional jumps and switches that can go to more than one place.
    pub fn is_branch(&self, pc: Pc) -> bool {
        self.successors(pc).len() > 1
    }

    /// Position in [`Flow::branches`].
    pub fn branch_number(&self, pc: Pc) -> Option<u32> {
        self.branches.binary_search(&pc).ok().map(|number| number as u32)
    }

    /// In rising order.
    pub fn branches(&self) -> &[Pc] {
        &self.branches
    }

    /// What the instruction is control dependent on, in rising order. Empty: it runs whenever the method is entered,
    /// unless an exception prevents it; or never. A branch of a loop can be among its own deciders, because it decides
    /// whether it runs again; the first time another one decided or, if there is none, the method was entered.
    pub fn deciders(&self, pc: Pc) -> &[Decider] {
        self.blocks.block_of(pc).map_or(&[], |block| self.deciders.row(block.index()))
    }

    /// The first instruction that has the same [`Flow::deciders`], in one go with this one.
    pub fn block_start(&self, pc: Pc) -> Pc {
        self.blocks.block_of(pc).map_or(pc, |block| self.blocks.start(block))
    }

    /// Whether [`Flow::deciders`] may be others than those of the instruction before.
    pub fn is_block_start(&self, pc: Pc) -> bool {
        self.blocks.block_of(pc).is_some_and(|block| self.blocks.start(block) == pc)
    }

    /// The first instruction that control comes to on all ways on from this one; `None` for the exit. Whoever goes on
    /// from there comes round in a loop without end.
    pub fn immediate_postdominator(&self, pc: Pc) -> Option<Pc> {
        let block = self.blocks.block_of(pc)?;
        if pc < self.blocks.last(block) { Some(pc + 1) } else { self.postdominators[block.index()] }
    }

    /// What control can come to from a successor of a branch before it comes to where all its ways meet.
    pub fn side(&self, branch: Pc, successor: Pc) -> Vec<Range<Pc>> {
        let end = self.immediate_postdominator(branch).filter(|&pc| self.is_block_start(pc));
        self.way(successor, end)
    }

    /// What control can come to from the start of a block before it comes to that of another.
    pub fn way(&self, start: Pc, end: Option<Pc>) -> Vec<Range<Pc>> {
        let end = end.and_then(|pc| self.blocks.block_of(pc));
        self.ways(self.blocks.block_of(start).into_iter().collect(), end)
    }

    /// The same from the starts of several blocks to any instruction.
    pub(crate) fn ways_from(&self, starts: &[Pc], end: Option<Pc>) -> Vec<Range<Pc>> {
        let open = starts.iter().filter_map(|&start| self.blocks.block_of(start)).collect();
        let mut found = self.ways(open, end.and_then(|pc| self.blocks.block_of(pc)));
        found.extend(end.map(|end| self.block_start(end)..end).filter(|before| !before.is_empty()));
        found
    }

    fn ways(&self, mut open: Vec<Block>, end: Option<Block>) -> Vec<Range<Pc>> {
        let mut is_reached = vec![false; self.blocks.len()];
        let mut found = Vec::new();
        while let Some(block) = open.pop() {
            if Some(block) == end || std::mem::replace(&mut is_reached[block.index()], true) {
                continue;
            }
            found.push(self.blocks.pcs(block));
            open.extend(self.blocks.successors(block));
        }
        found
    }

    /// An instruction and all that control comes to after it in any case, the nearest first.
    pub fn postdominators(&self, from: Pc) -> impl Iterator<Item = Pc> {
        let mut seen = BTreeSet::new();
        // It is a circle in a loop without end.
        std::iter::successors(Some(from), |&pc| self.immediate_postdominator(pc)).take_while(move |&pc| seen.insert(pc))
    }

    /// What control did not come to because an instruction threw, before it comes to where the handler leads, too. Without
    /// a handler, that is the exit.
    pub fn prevented(&self, thrown_at: Pc, handler: Option<Pc>) -> Vec<Range<Pc>> {
        let Some(own) = self.blocks.block_of(thrown_at) else { return Vec::new() };
        let end = self.meeting(thrown_at, handler).and_then(|pc| self.blocks.block_of(pc));
        // Where a loop leads the handler into the same block, the rest of that comes first all the same.
        let rest = thrown_at + 1..self.blocks.pcs(own).end;
        std::iter::once(rest).chain(self.ways(self.blocks.successors(own).collect(), end)).collect()
    }

    /// Where control comes to after an instruction and after a handler of its exception.
    pub fn meeting(&self, thrown_at: Pc, handler: Option<Pc>) -> Option<Pc> {
        let ways_on: BTreeSet<Pc> = self.postdominators(thrown_at).skip(1).collect();
        handler.and_then(|handler| self.postdominators(handler).find(|pc| ways_on.contains(pc)))
    }

    /// Outer loops before inner ones.
    pub fn loops(&self) -> &[Loop] {
        &self.loops
    }

    pub fn innermost_loop(&self, pc: Pc) -> Option<LoopId> {
        self.innermost_loops[self.blocks.block_of(pc)?.index()]
    }

    /// Whether control can come from one instruction to another without an exception. An instruction is reachable
    /// from itself only if it is in a loop.
    pub fn is_reachable_from(&self, from: Pc, to: Pc) -> bool {
        let (Some(start), Some(end)) = (self.blocks.block_of(from), self.blocks.block_of(to)) else {
            return false;
        };
        if start == end && from < to {
            return true;
        }
        let mut is_reached = vec![false; self.blocks.len()];
        let mut open = vec![start];
        while let Some(block) = open.pop() {
            for successor in self.blocks.successors(block) {
                if !std::mem::replace(&mut is_reached[successor.index()], true) {
                    open.push(successor);
                }
            }
        }
        is_reached[end.index()]
    }
}
