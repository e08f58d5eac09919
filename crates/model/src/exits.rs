//! The blocks between a virtual entry and a virtual exit, and postdominance in this graph.

use crate::blocks::{Block, Blocks};
use petgraph::algo::{dominators, kosaraju_scc};
use petgraph::graph::{DiGraph, NodeIndex};
use petgraph::visit::Reversed;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Node {
    Block(Block),
    /// Goes to the method's first block and to all handlers.
    Entry,
    /// After all returns and throws.
    Exit,
    /// Before the first block of a loop without end, which control is supposed to leave here; otherwise nothing in it
    /// would have a postdominator. It is a node of its own because the block may end with a branch, which must
    /// not seem to decide about leaving.
    Endless(Block),
}

/// Unreachable blocks are without edges: they decide nothing and nothing decides about them.
#[derive(Debug)]
pub(crate) struct ExitGraph {
    graph: DiGraph<Node, ()>,
    postdominators: Box<[Option<NodeIndex>]>,
}

impl ExitGraph {
    pub(crate) fn new(blocks: &Blocks) -> ExitGraph {
        let (mut graph, mut exit) = graph(blocks, &[]);
        let endless = endless_loops(&graph);
        if !endless.is_empty() {
            (graph, exit) = self::graph(blocks, &endless);
        }
        let mut postdominators = postdominators(&graph, exit);
        let unexpected = &blocks.edges().unexpected_exits;
        if !unexpected.is_empty() {
            let leaves_unexpectedly = |node: NodeIndex| match graph[node] {
                Node::Block(block) => unexpected.binary_search(&blocks.last(block)).is_ok(),
                Node::Entry | Node::Exit | Node::Endless(_) => false,
            };
            let expected = graph.filter_map(
                |_, &node| Some(node),
                |edge, ()| graph.edge_endpoints(edge).filter(|&(from, _)| !leaves_unexpectedly(from)).map(drop),
            );
            // What can only end unexpectedly keeps what it has.
            for (known, found) in postdominators.iter_mut().zip(self::postdominators(&expected, exit)) {
                *known = found.or(*known);
            }
        }
        ExitGraph { graph, postdominators }
    }

    pub(crate) fn nodes(&self) -> impl ExactSizeIterator<Item = NodeIndex> + use<> {
        self.graph.node_indices()
    }

    pub(crate) fn node(&self, index: NodeIndex) -> Node {
        self.graph[index]
    }

    pub(crate) fn successors(&self, index: NodeIndex) -> impl Iterator<Item = NodeIndex> {
        self.graph.neighbors(index)
    }

    pub(crate) fn immediate_postdominator(&self, index: NodeIndex) -> Option<NodeIndex> {
        self.postdominators[index.index()]
    }
}

fn postdominators(graph: &DiGraph<Node, ()>, exit: NodeIndex) -> Box<[Option<NodeIndex>]> {
    let tree = dominators::simple_fast(Reversed(graph), exit);
    graph.node_indices().map(|node| tree.immediate_dominator(node)).collect()
}

pub(crate) fn index_of(block: Block) -> NodeIndex {
    NodeIndex::new(block.index())
}

/// The graph and its exit.
fn graph(blocks: &Blocks, endless: &[Block]) -> (DiGraph<Node, ()>, NodeIndex) {
    let mut graph = DiGraph::with_capacity(blocks.len() + endless.len() + 2, blocks.len() * 2);
    for block in blocks.all() {
        graph.add_node(Node::Block(block));
    }
    let entry = graph.add_node(Node::Entry);
    let exit = graph.add_node(Node::Exit);
    let mut ways_in: Vec<NodeIndex> = blocks.all().map(index_of).collect();
    for &block in endless {
        let way_out = graph.add_node(Node::Endless(block));
        graph.add_edge(way_out, index_of(block), ());
        graph.add_edge(way_out, exit, ());
        ways_in[block.index()] = way_out;
    }

    let mut is_reached = vec![false; blocks.len()];
    let mut open = Vec::new();
    for block in blocks.block_of(0).into_iter().chain(blocks.handlers().map(|(_, block)| block)) {
        if !std::mem::replace(&mut is_reached[block.index()], true) {
            graph.add_edge(entry, ways_in[block.index()], ());
            open.push(block);
        }
    }
    while let Some(block) = open.pop() {
        let mut is_last = true;
        for successor in blocks.successors(block) {
            graph.add_edge(index_of(block), ways_in[successor.index()], ());
            if !std::mem::replace(&mut is_reached[successor.index()], true) {
                open.push(successor);
            }
            is_last = false;
        }
        if is_last {
            graph.add_edge(index_of(block), exit, ());
        }
    }
    (graph, exit)
}

/// The first block of each loop that control cannot leave.
fn endless_loops(graph: &DiGraph<Node, ()>) -> Vec<Block> {
    let mut component_of = vec![0; graph.node_count()];
    let components = kosaraju_scc(graph);
    for (number, component) in components.iter().enumerate() {
        component.iter().for_each(|node| component_of[node.index()] = number);
    }
    let stays_inside = |component: &[NodeIndex]| {
        let mut targets = component.iter().flat_map(|&node| graph.neighbors(node)).peekable();
        let own = component.first().map(|node| component_of[node.index()]);
        targets.peek().is_some() && targets.all(|to| Some(component_of[to.index()]) == own)
    };
    let first_block = |component: &Vec<NodeIndex>| {
        let blocks = component.iter().filter_map(|&node| match graph[node] {
            Node::Block(block) => Some(block),
            Node::Entry | Node::Exit | Node::Endless(_) => None,
        });
        blocks.min()
    };
    components.iter().filter(|component| stays_inside(component)).filter_map(first_block).collect()
}
