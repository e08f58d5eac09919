//! Which steps can have made an effect wrong.

use crate::graph::{EffectId, Graph, StepId, Way};
use fixedbitset::FixedBitSet;

/// A set of steps.
pub(crate) type Steps = FixedBitSet;

/// For each effect the steps that have led to it, without passing by what is known to be right.
#[derive(Debug)]
pub(crate) struct Reach {
    steps: Vec<Steps>,
    /// By way of values alone, not of decisions.
    by_values: Vec<Steps>,
    /// Effects behind which there is something that was not looked at.
    is_open: FixedBitSet,
}

impl Reach {
    pub(crate) fn new(graph: &Graph, is_right: &FixedBitSet) -> Reach {
        let count = graph.steps().len();
        let mut steps = vec![Steps::new(); graph.effects()];
        let mut by_values = vec![Steps::new(); graph.effects()];
        let mut is_open = FixedBitSet::with_capacity(graph.effects());
        for &id in graph.in_order() {
            let index = id.0 as usize;
            if is_right.contains(index) {
                continue;
            }
            let effect = graph.effect(id);
            let mut own = Steps::with_capacity(count);
            own.insert(effect.step.0 as usize);
            let mut own_by_values = own.clone();
            let mut has_open = effect.is_open;
            for input in &effect.inputs {
                own.union_with(&steps[input.from.0 as usize]);
                if matches!(input.way, Way::Value | Way::Address) {
                    own_by_values.union_with(&by_values[input.from.0 as usize]);
                }
                has_open |= is_open.contains(input.from.0 as usize);
            }
            steps[index] = own;
            by_values[index] = own_by_values;
            is_open.set(index, has_open);
        }
        Reach { steps, by_values, is_open }
    }

    pub(crate) fn of(&self, effect: EffectId) -> &Steps {
        &self.steps[effect.0 as usize]
    }

    pub(crate) fn has(&self, effect: EffectId, step: StepId) -> bool {
        self.of(effect).contains(step.0 as usize)
    }

    pub(crate) fn has_by_values(&self, effect: EffectId, step: StepId) -> bool {
        self.by_values[effect.0 as usize].contains(step.0 as usize)
    }

    pub(crate) fn is_open(&self, effect: EffectId) -> bool {
        self.is_open.contains(effect.0 as usize)
    }
}
