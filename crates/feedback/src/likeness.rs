//! Steps that do the same with values from the same places: if one of them did what it should, so did the others, as a
//! rule. Iterations of a loop that go the same way are such steps.

use crate::graph::{Graph, StepId};
use rustc_hash::FxHasher;
use std::hash::{Hash, Hasher};

#[derive(Debug)]
pub(crate) struct Likeness(Vec<u64>);

impl Likeness {
    pub(crate) fn new(graph: &Graph) -> Likeness {
        Likeness(graph.steps().map(|step| key(graph, step)).collect())
    }

    /// The same for steps that are alike.
    pub(crate) fn key(&self, step: StepId) -> u64 {
        self.0[step.0 as usize]
    }
}

/// The line, and the lines that its values come from.
fn key(graph: &Graph, step: StepId) -> u64 {
    let line = |effect| graph.step(graph.effect(effect).step).line;
    let mut sources: Vec<_> = graph.inputs_of(step).map(|input| (input.way, line(input.from))).collect();
    sources.sort_unstable();
    sources.dedup();
    let mut hasher = FxHasher::default();
    (graph.step(step).line, sources).hash(&mut hasher);
    hasher.finish()
}
