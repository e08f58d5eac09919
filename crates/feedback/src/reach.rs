//! Which lines can have made an effect wrong.

use crate::graph::{EffectId, Graph, LineId};
use fixedbitset::FixedBitSet;

/// A set of lines.
pub(crate) type Lines = FixedBitSet;

/// For each effect the lines that have led to it, without passing by what is known to be right.
#[derive(Debug)]
pub(crate) struct Reach {
    lines: Vec<Lines>,
    /// Effects behind which there is something that was not looked at.
    is_open: FixedBitSet,
}

impl Reach {
    pub(crate) fn new(graph: &Graph, is_right: &FixedBitSet) -> Reach {
        let count = graph.lines().len();
        let mut lines = vec![Lines::with_capacity(count); graph.effects()];
        let mut is_open = FixedBitSet::with_capacity(graph.effects());
        for &id in graph.in_order() {
            let index = id.0 as usize;
            if is_right.contains(index) {
                continue;
            }
            let effect = graph.effect(id);
            let mut own = std::mem::take(&mut lines[index]);
            own.insert(graph.step(effect.step).line.0 as usize);
            let mut has_open = effect.is_open;
            for input in &effect.inputs {
                own.union_with(&lines[input.from.0 as usize]);
                has_open |= is_open.contains(input.from.0 as usize);
            }
            lines[index] = own;
            is_open.set(index, has_open);
        }
        Reach { lines, is_open }
    }

    pub(crate) fn of(&self, effect: EffectId) -> &Lines {
        &self.lines[effect.0 as usize]
    }

    pub(crate) fn has(&self, effect: EffectId, line: LineId) -> bool {
        self.of(effect).contains(line.0 as usize)
    }

    pub(crate) fn is_open(&self, effect: EffectId) -> bool {
        self.is_open.contains(effect.0 as usize)
    }
}
