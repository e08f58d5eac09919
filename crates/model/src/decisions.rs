//! Control dependence after Ferrante, Ottenstein and Warren (1987).

use crate::blocks::Blocks;
use crate::exits::{ExitGraph, Node};
use crate::rows::Rows;
use petgraph::graph::NodeIndex;
use std::collections::BTreeMap;
use whydunit_replay::program::Pc;

/// What decides whether an instruction runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Decider {
    /// That the method was entered, and not left by an exception; for a handler, that an exception was caught.
    Entry,
    Branch(Pc),
}

/// The deciders of each block, in rising order.
pub(crate) fn deciders(blocks: &Blocks, graph: &ExitGraph) -> Rows<Decider> {
    let mut pairs = Vec::new();
    let mut by_endless_loops = Vec::new();
    let mut of_endless_loops: BTreeMap<NodeIndex, Vec<Decider>> = BTreeMap::new();
    for (dependent, on) in dependences(graph) {
        let decider = match graph.node(on) {
            Node::Block(block) => Some(Decider::Branch(blocks.last(block))),
            Node::Entry => Some(Decider::Entry),
            Node::Exit | Node::Endless(_) => None,
        };
        match (graph.node(dependent), decider) {
            (Node::Block(block), Some(decider)) => pairs.push((block.0, decider)),
            (Node::Block(block), None) => by_endless_loops.push((block.0, on)),
            (Node::Endless(_), Some(decider)) => of_endless_loops.entry(dependent).or_default().push(decider),
            (Node::Endless(_), None) | (Node::Entry | Node::Exit, _) => {}
        }
    }
    // Nothing decides to leave a loop without end, so what decides about coming to it decides about its blocks.
    for (block, endless) in by_endless_loops {
        let deciders = of_endless_loops.get(&endless).into_iter().flatten();
        pairs.extend(deciders.map(|&decider| (block, decider)));
    }
    Rows::of_pairs(blocks.len(), pairs)
}

/// Which node depends on which: those that postdominate a successor of it, up to its own postdominators.
fn dependences(graph: &ExitGraph) -> Vec<(NodeIndex, NodeIndex)> {
    let mut found = Vec::new();
    let mut last_found_for = vec![NodeIndex::end(); graph.nodes().len()];
    for node in graph.nodes() {
        let end = graph.immediate_postdominator(node);
        for successor in graph.successors(node) {
            let mut next = Some(successor);
            while next != end
                && let Some(dependent) = next
                && last_found_for[dependent.index()] != node
            {
                last_found_for[dependent.index()] = node;
                found.push((dependent, node));
                next = graph.immediate_postdominator(dependent);
            }
        }
    }
    found
}
