//! Since when a line has done something wrong: it ran, and from one of these times on what it did was wrong.

use super::influence::{Influence, MANIFEST};
use crate::graph::{Graph, LineId, StepId};
use std::ops::Range;

/// All steps of all lines, each as the first wrong one.
#[derive(Debug)]
pub(crate) struct Onsets {
    /// Those of a line lie together, in the order of the run.
    steps: Vec<StepId>,
    /// By line.
    starts: Vec<usize>,
}

impl Onsets {
    pub(crate) fn new(graph: &Graph) -> Onsets {
        let (mut steps, mut starts) = (Vec::new(), vec![0]);
        for line in graph.lines() {
            steps.extend_from_slice(graph.steps_of(line));
            starts.push(steps.len());
        }
        Onsets { steps, starts }
    }

    pub(crate) fn of_line(&self, line: LineId) -> Range<usize> {
        self.starts[line.0 as usize]..self.starts[line.0 as usize + 1]
    }

    pub(crate) fn steps(&self) -> &[StepId] {
        &self.steps
    }

    /// How a line's weight is shared out: if nothing is known of how often it is wrong, it was likely wrong early.
    pub(crate) fn share(&self, line: LineId, weight: f64) -> impl Iterator<Item = f64> + use<> {
        let count = self.of_line(line).len() as f64;
        let all = count / (count + 1.0);
        (0..self.of_line(line).len()).map(move |before| weight / all / ((before as f64 + 1.0) * (before as f64 + 2.0)))
    }

    /// By onset: how likely it makes wrong what there is an influence on.
    pub(crate) fn influence(&self, graph: &Graph, influence: &Influence) -> Vec<f32> {
        let mut by_onset = vec![0.0; self.steps.len()];
        for line in graph.lines() {
            // Of what comes later.
            let mut right = 1.0;
            for onset in self.of_line(line).rev() {
                let own = influence.of_step(graph, self.steps[onset]);
                by_onset[onset] = (1.0 - (1.0 - own) * right) as f32;
                right *= 1.0 - MANIFEST * own;
            }
        }
        by_onset
    }
}
