//! Basic blocks.

use crate::edges::Edges;
use std::ops::Range;
use whydunit_replay::program::{Handler, Pc};

/// Number of a basic block. They are numbered in the order of the code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Block(pub(crate) u32);

impl Block {
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// The instructions of a block run one after the other, unless one of them throws; only the first is jumped to.
#[derive(Clone, Debug)]
pub(crate) struct Blocks {
    edges: Edges,
    starts: Box<[Pc]>,
    of_instructions: Box<[Block]>,
}

impl Blocks {
    pub(crate) fn new(edges: Edges) -> Blocks {
        let length = edges.successors.len();
        let mut is_start = vec![false; length];
        let mut start_at = |pc: Pc| {
            if let Some(start) = is_start.get_mut(pc as usize) {
                *start = true;
            }
        };
        start_at(0);
        edges.handlers.iter().for_each(|handler| start_at(handler.target));
        for pc in 0..length as Pc {
            let successors = edges.successors.row(pc as usize);
            if *successors != [pc + 1] {
                successors.iter().for_each(|&to| start_at(to));
                start_at(pc + 1);
            }
        }
        let mut starts = Vec::new();
        let mut of_instructions = Vec::with_capacity(length);
        for (pc, is_start) in is_start.into_iter().enumerate() {
            if is_start {
                starts.push(pc as Pc);
            }
            of_instructions.push(Block(starts.len() as u32 - 1));
        }
        Blocks { edges, starts: starts.into(), of_instructions: of_instructions.into() }
    }

    pub(crate) fn len(&self) -> usize {
        self.starts.len()
    }

    pub(crate) fn all(&self) -> impl Iterator<Item = Block> + use<> {
        (0..self.len() as u32).map(Block)
    }

    pub(crate) fn edges(&self) -> &Edges {
        &self.edges
    }

    pub(crate) fn block_of(&self, pc: Pc) -> Option<Block> {
        self.of_instructions.get(pc as usize).copied()
    }

    pub(crate) fn pcs(&self, block: Block) -> Range<Pc> {
        let end = self.starts.get(block.index() + 1).copied().unwrap_or(self.of_instructions.len() as Pc);
        self.start(block)..end
    }

    pub(crate) fn start(&self, block: Block) -> Pc {
        self.starts[block.index()]
    }

    pub(crate) fn last(&self, block: Block) -> Pc {
        self.pcs(block).end - 1
    }

    /// In rising order.
    pub(crate) fn successors(&self, block: Block) -> impl Iterator<Item = Block> {
        let successors = self.edges.successors.row(self.last(block) as usize);
        successors.iter().map(|&to| self.of_instructions[to as usize])
    }

    pub(crate) fn handlers(&self) -> impl Iterator<Item = (&Handler, Block)> {
        self.edges.handlers.iter().map(|handler| (handler, self.of_instructions[handler.target as usize]))
    }
}
