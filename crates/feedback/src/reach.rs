//! Which steps can have made an effect wrong.

use crate::graph::{EffectId, Graph, StepId};
use fixedbitset::FixedBitSet;

/// A set of steps.
pub(crate) type Steps = FixedBitSet;

/// For each effect the steps that have led to it, without passing by what is known to be right.
#[derive(Debug)]
pub(crate) struct Reach {
    steps: Vec<Steps>,
    /// Effects behind which there is something that was not looked at.
    is_open: FixedBitSet,
}

impl Reach {
    pub(crate) fn new(graph: &Graph, is_right: &FixedBitSet) -> Reach {
        let count = graph.steps().len();
        let mut steps = vec![Steps::new(); graph.effects()];
        let mut is_open = FixedBitSet::with_capacity(graph.effects());
        for &id in graph.in_order() {
            let index = id.0 as usize;
            if is_right.contains(index) {
                continue;
            }
            let effect = graph.effect(id);
            let mut own = Steps::with_capacity(count);
            own.insert(effect.step.0 as usize);
            let mut has_open = effect.is_open;
            for input in &effect.inputs {
                own.union_with(&steps[input.from.0 as usize]);
                has_open |= is_open.contains(input.from.0 as usize);
            }
            steps[index] = own;
            is_open.set(index, has_open);
        }
        Reach { steps, is_open }
    }

    pub(crate) fn of(&self, effect: EffectId) -> &Steps {
        &self.steps[effect.0 as usize]
    }

    pub(crate) fn has(&self, effect: EffectId, step: StepId) -> bool {
        self.of(effect).contains(step.0 as usize)
    }

    pub(crate) fn is_open(&self, effect: EffectId) -> bool {
        self.is_open.contains(effect.0 as usize)
    }
}
