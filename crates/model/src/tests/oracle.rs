//! The same questions answered by their definitions, instruction by instruction and without any thought of speed.

use crate::Decider;
use crate::edges::Edges;
use std::collections::BTreeSet;
use whydunit_replay::program::Pc;

type Targets = BTreeSet<usize>;

pub(super) struct Oracle {
    /// Of each instruction, without and with exceptions.
    successors: Vec<Targets>,
    with_exceptions: Vec<Targets>,
    /// Instructions come first; then the entry, the exit and a node for each loop without end.
    nodes: Vec<Targets>,
    /// The instruction that each node after the exit stands before.
    endless: Vec<usize>,
    is_reachable: Vec<bool>,
    /// By a node: those from which all ways to the exit pass it. Ways that end unexpectedly count only where there are no
    /// others.
    postdominated: Vec<Vec<bool>>,
}

impl Oracle {
    pub(super) fn new(edges: &Edges) -> Oracle {
        let successors: Vec<Targets> = (0..edges.successors.len())
            .map(|pc| edges.successors.row(pc).iter().map(|&to| to as usize).collect())
            .collect();
        let mut with_exceptions = successors.clone();
        for handler in &edges.handlers {
            for from in handler.start..handler.end {
                with_exceptions[from as usize].insert(handler.target as usize);
            }
        }
        let (entry, exit) = (successors.len(), successors.len() + 1);
        let mut nodes = successors.clone();
        for targets in nodes.iter_mut().filter(|targets| targets.is_empty()) {
            targets.insert(exit);
        }
        nodes.push(edges.handlers.iter().map(|handler| handler.target as usize).chain([0]).collect());
        nodes.push(Targets::new());

        let is_reachable = reached(&nodes, [entry], None);
        for (targets, _) in nodes.iter_mut().zip(&is_reachable).filter(|(_, is_reachable)| !**is_reachable) {
            targets.clear();
        }
        let endless = loops_without_end(&nodes, exit);
        for &first in &endless {
            let before = nodes.len();
            for targets in nodes.iter_mut().filter(|targets| targets.contains(&first)) {
                targets.remove(&first);
                targets.insert(before);
            }
            nodes.push(Targets::from([first, exit]));
        }
        let mut expected = nodes.clone();
        for &pc in &edges.unexpected_exits {
            expected[pc as usize].remove(&exit);
        }
        let (before, expected_before) = (reversed(&nodes), reversed(&expected));
        let can_end_as_expected = reached(&expected_before, [exit], None);
        let postdominated = |node| {
            let escapes = reached(&before, [exit], Some(node));
            let escapes_as_expected = reached(&expected_before, [exit], Some(node));
            let is_postdominated =
                |from: usize| if can_end_as_expected[from] { !escapes_as_expected[from] } else { !escapes[from] };
            (0..nodes.len()).map(is_postdominated).collect()
        };
        let postdominated = (0..nodes.len()).map(postdominated).collect();
        Oracle { successors, with_exceptions, nodes, endless, is_reachable, postdominated }
    }

    pub(super) fn is_reachable(&self, pc: Pc) -> bool {
        self.is_reachable[pc as usize]
    }

    pub(super) fn deciders(&self, pc: Pc) -> Vec<Decider> {
        let (pc, length) = (pc as usize, self.successors.len());
        let endless = (length + 2..self.nodes.len()).filter(|&endless| self.depends(pc, endless));
        let dependents: Vec<usize> = endless.chain([pc]).collect();
        let decides = |&node: &usize| dependents.iter().any(|&dependent| self.depends(dependent, node));
        let entry = Some(Decider::Entry).filter(|_| decides(&length));
        entry.into_iter().chain((0..length).filter(decides).map(|pc| Decider::Branch(pc as Pc))).collect()
    }

    /// A node depends on another if it postdominates a successor of it, but not strictly the node itself.
    fn depends(&self, node: usize, on: usize) -> bool {
        let postdominated = &self.postdominated[node];
        self.nodes[on].iter().any(|&to| postdominated[to]) && (node == on || !postdominated[on])
    }

    /// The one of the strict postdominators that all others postdominate.
    pub(super) fn immediate_postdominator(&self, pc: Pc) -> Option<Pc> {
        let (pc, length) = (pc as usize, self.successors.len());
        let strict: Vec<usize> =
            (0..self.nodes.len()).filter(|&node| node != pc && self.postdominated[node][pc]).collect();
        let is_first = |&&node: &&usize| strict.iter().all(|&other| self.postdominated[other][node]);
        match *strict.iter().find(is_first).expect("the exit postdominates whatever is reachable") {
            node if node < length => Some(node as Pc),
            node if node == length + 1 => None,
            node => Some(self.endless[node - length - 2] as Pc),
        }
    }

    /// Whether control can come to each instruction from this one.
    pub(super) fn reached_from(&self, pc: Pc) -> Vec<bool> {
        reached(&self.successors, self.successors[pc as usize].iter().copied(), None)
    }

    /// Header and source of each edge whose source is reached only by way of the header.
    pub(super) fn back_edges(&self) -> Vec<(Pc, Pc)> {
        let is_reachable = reached(&self.with_exceptions, [0], None);
        let mut found = Vec::new();
        for header in (0..self.successors.len()).filter(|&header| is_reachable[header]) {
            let sources = (0..self.successors.len()).filter(|&from| self.successors[from].contains(&header));
            let reached_otherwise = reached(&self.with_exceptions, [0], Some(header));
            let sources = sources.filter(|&from| is_reachable[from] && !reached_otherwise[from]);
            found.extend(sources.map(|from| (header as Pc, from as Pc)));
        }
        found
    }

    /// The instructions from which the sources of back edges are reached without the header.
    pub(super) fn natural_loop(&self, header: Pc, sources: &[Pc]) -> Vec<Pc> {
        let before = reversed(&self.with_exceptions);
        let sources = sources.iter().map(|&pc| pc as usize);
        let comes_back = reached(&before, sources, Some(header as usize));
        let is_reachable = reached(&self.with_exceptions, [0], None);
        let is_inside = |pc: &Pc| *pc == header || comes_back[*pc as usize] && is_reachable[*pc as usize];
        (0..self.successors.len() as Pc).filter(is_inside).collect()
    }
}

/// The first node of each group of nodes that reach each other and nothing else.
fn loops_without_end(nodes: &[Targets], exit: usize) -> Vec<usize> {
    let ways_on: Vec<Vec<bool>> =
        (0..nodes.len()).map(|node| reached(nodes, nodes[node].iter().copied(), None)).collect();
    let reaches_only_what_comes_back = |node: &usize| {
        let mut reached = (0..nodes.len()).filter(|&to| ways_on[*node][to]).peekable();
        reached.peek().is_some() && reached.all(|to| to != exit && ways_on[to][*node])
    };
    let is_first = |node: &usize| !(0..*node).any(|before| ways_on[*node][before]);
    (0..exit).filter(reaches_only_what_comes_back).filter(is_first).collect()
}

fn reversed(nodes: &[Targets]) -> Vec<Targets> {
    let mut before = vec![Targets::new(); nodes.len()];
    for (from, targets) in nodes.iter().enumerate() {
        for &to in targets {
            before[to].insert(from);
        }
    }
    before
}

fn reached(next: &[Targets], from: impl IntoIterator<Item = usize>, without: Option<usize>) -> Vec<bool> {
    let mut is_reached = vec![false; next.len()];
    let mut open: Vec<usize> = from.into_iter().filter(|&node| Some(node) != without).collect();
    while let Some(node) = open.pop() {
        if !std::mem::replace(&mut is_reached[node], true) {
            open.extend(next[node].iter().copied().filter(|&to| Some(to) != without));
        }
    }
    is_reached
}
