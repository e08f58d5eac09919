//! The instructions of a slice, as they are found.

use crate::graph::Node;
use crate::slice::{Changeable, SliceStep};
use crate::stretch::Stretch;
use std::collections::{BTreeMap, BTreeSet};
use whydunit_replay::program::{MethodIndex, Pc};
use whydunit_trace::ThreadId;

/// Sorted only when all are there: most come once and almost in order.
#[derive(Debug, Default)]
pub(crate) struct Gathered {
    instructions: Vec<Instruction>,
    /// How many of them were counted, and the steps among those.
    counted: (usize, u64),
    changeable: Vec<(ThreadId, u64, Changeable)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Instruction {
    thread: ThreadId,
    step: u64,
    pc: Pc,
    method: MethodIndex,
    depth: u32,
}

impl Gathered {
    pub(crate) fn add(&mut self, thread: ThreadId, stretch: &Stretch<'_>, node: &Node) {
        let Some(frame) = stretch.frame(node.frame) else { return };
        let (method, depth) = (frame.method, frame.depth);
        let found = Instruction { thread, step: node.step, pc: node.pc(), method, depth };
        if self.instructions.last() != Some(&found) {
            self.instructions.push(found);
        }
    }

    /// How many steps there are; those to which another thread leads back may count more than once.
    pub(crate) fn count(&mut self) -> u64 {
        let (known, steps) = self.counted;
        let mut new = self.instructions.split_off(known);
        new.sort_unstable();
        new.dedup();
        let new_steps = new.chunk_by(|one, next| (one.thread, one.step) == (next.thread, next.step)).count() as u64;
        self.instructions.append(&mut new);
        self.counted = (self.instructions.len(), steps + new_steps);
        self.counted.1
    }

    /// What a step could have changed and did not.
    pub(crate) fn add_changeable(&mut self, thread: ThreadId, step: u64, changeable: Changeable) {
        let found = (thread, step, changeable);
        if self.changeable.last() != Some(&found) {
            self.changeable.push(found);
        }
    }

    pub(crate) fn into_steps(mut self) -> BTreeMap<(ThreadId, u64), SliceStep> {
        // Sorted pieces, one after the other.
        self.instructions.sort();
        self.instructions.dedup();
        let of_steps = self.instructions.chunk_by(|one, next| (one.thread, one.step) == (next.thread, next.step));
        let step = |instructions: &[Instruction]| {
            let first = instructions.first()?;
            let pcs = instructions.iter().map(|one| one.pc).collect();
            let could_have_changed = BTreeSet::new();
            let step = SliceStep { method: first.method, depth: first.depth, instructions: pcs, could_have_changed };
            Some(((first.thread, first.step), step))
        };
        let mut steps: BTreeMap<(ThreadId, u64), SliceStep> = of_steps.filter_map(step).collect();
        for (thread, number, changeable) in self.changeable {
            if let Some(step) = steps.get_mut(&(thread, number)) {
                step.could_have_changed.insert(changeable);
            }
        }
        steps
    }
}
