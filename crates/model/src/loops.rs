//! Loops, nested.

use crate::blocks::{Block, Blocks};
use crate::rows::Rows;
use std::fmt;
use whydunit_replay::program::Pc;

/// Position of a loop in [`crate::Flow::loops`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LoopId(pub u32);

impl fmt::Display for LoopId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "loop{}", self.0)
    }
}

/// The instructions that can come back to a header. Those of a handler belong to it if the handler goes back to the
/// header, or to code that does.
#[derive(Clone, Debug)]
pub struct Loop {
    pub header: Pc,
    pub parent: Option<LoopId>,
    /// In rising order, with the header and the bodies of inner loops.
    pub body: Box<[Pc]>,
    /// Instructions of the body from which control goes to the header, in rising order.
    pub back_edges: Box<[Pc]>,
}

/// All loops, outer ones before inner ones, and the innermost loop of each block.
pub(crate) fn find(blocks: &Blocks) -> (Box<[Loop]>, Box<[Option<LoopId>]>) {
    let thrown_to = thrown_to(blocks);
    let next: Rows<Block> = Rows::collect(
        blocks.all().map(|block| blocks.successors(block).chain(thrown_to.row(block.index()).iter().copied())),
    );
    let walk = Walk::new(&next);
    // Headers in the order in which the walk comes to them: outer ones first.
    let mut back_edges = Vec::new();
    for block in blocks.all() {
        // An exception does not make a loop: handlers of `synchronized` cover themselves.
        let headers = blocks.successors(block).filter(|&header| walk.is_below(block, header));
        back_edges.extend(headers.map(|header| (walk.first[header.index()], header, block)));
    }
    back_edges.sort_unstable();

    let mut loops: Vec<Loop> = Vec::new();
    let mut innermost = vec![None; blocks.len()];
    if back_edges.is_empty() {
        return (loops.into(), innermost.into());
    }
    let pairs = blocks.all().flat_map(|from| next.row(from.index()).iter().map(move |to| (to.0, from)));
    let previous = Rows::of_pairs(blocks.len(), pairs.collect());
    for edges in back_edges.chunk_by(|a, b| a.1 == b.1) {
        let Some(&(_, header, _)) = edges.first() else { continue };
        let body = body(header, edges.iter().map(|edge| edge.2), &previous, &walk);
        let parent = innermost[header.index()];
        for block in &body {
            innermost[block.index()] = Some(LoopId(loops.len() as u32));
        }
        loops.push(Loop {
            header: blocks.start(header),
            parent,
            body: body.iter().flat_map(|&block| blocks.pcs(block)).collect(),
            back_edges: edges.iter().map(|edge| blocks.last(edge.2)).collect(),
        });
    }
    (loops.into(), innermost.into())
}

/// The handlers that an exception in a block may go to.
fn thrown_to(blocks: &Blocks) -> Rows<Block> {
    let mut pairs = Vec::new();
    for (handler, target) in blocks.handlers() {
        let last = handler.end.checked_sub(1).filter(|&last| last >= handler.start);
        let covered = last.and_then(|last| Some(blocks.block_of(handler.start)?.0..=blocks.block_of(last)?.0));
        pairs.extend(covered.into_iter().flatten().map(|block| (block, target)));
    }
    Rows::of_pairs(blocks.len(), pairs)
}

/// The blocks from which control comes to the header again, in rising order. Only blocks that the walk reached by
/// way of the header count. In a loop that is entered in one place these are all; one that is entered in several
/// places has the place that the walk came to first for its header. So loops are nested or apart, always.
fn body(header: Block, back: impl Iterator<Item = Block>, previous: &Rows<Block>, walk: &Walk) -> Vec<Block> {
    let mut is_inside = vec![false; previous.len()];
    is_inside[header.index()] = true;
    let mut body = vec![header];
    let mut open: Vec<Block> = back.collect();
    while let Some(block) = open.pop() {
        if walk.is_below(block, header) && !std::mem::replace(&mut is_inside[block.index()], true) {
            body.push(block);
            open.extend(previous.row(block.index()));
        }
    }
    body.sort_unstable();
    body
}

/// A walk in depth from the first block on.
struct Walk {
    /// When a block was come to; `u32::MAX` for never.
    first: Vec<u32>,
    /// When the last of the blocks below was come to.
    last: Vec<u32>,
}

impl Walk {
    fn new(next: &Rows<Block>) -> Walk {
        let mut walk = Walk { first: vec![u32::MAX; next.len()], last: vec![0; next.len()] };
        let mut count = 0;
        let mut path: Vec<(Block, usize)> = Vec::new();
        let mut arrived_at = (next.len() > 0).then_some(Block(0));
        loop {
            if let Some(block) = arrived_at.take().filter(|block| walk.first[block.index()] == u32::MAX) {
                walk.first[block.index()] = count;
                count += 1;
                path.push((block, 0));
            }
            let Some((block, tried)) = path.last_mut() else { break };
            arrived_at = next.row(block.index()).get(*tried).copied();
            *tried += 1;
            if arrived_at.is_none() {
                walk.last[block.index()] = count - 1;
                path.pop();
            }
        }
        walk
    }

    /// Whether a block was come to by way of another, or is this one.
    fn is_below(&self, block: Block, above: Block) -> bool {
        let first = self.first[block.index()];
        first != u32::MAX && (self.first[above.index()]..=self.last[above.index()]).contains(&first)
    }
}
