//! How likely a wrong step makes something else wrong.

use crate::graph::{EffectId, Graph, LineId, StepId, Way};
use fixedbitset::FixedBitSet;

/// How often what is made of a wrong value is wrong, too. Errors end in some places, but seldom because a way is long.
const BY_VALUE: f64 = 0.9998;

/// The same of what is found at a wrong place.
const BY_ADDRESS: f64 = 0.7;

/// The same of what ran because of a wrong value.
const BY_CONTROL: f64 = 0.5;

/// Of a value that something could have changed: that it should have.
const BY_OMISSION: f64 = 0.15;

/// Inside of a line nearly everything is handed on.
const IN_A_STEP: f64 = 1.0;

/// How often a wrong line does something wrong when it runs.
pub(crate) const MANIFEST: f64 = 0.7;

/// Of values that are wrong by all that the graph tells, so many are: ways depend on each other, and errors end in many places
/// at once. `cargo xtask feedback --fit` counts them.
pub(crate) const AS_EXPECTED: f64 = 0.5;

/// By effect: how likely some effects are wrong if it alone is.
#[derive(Debug, Clone)]
pub(crate) struct Influence {
    by_effect: Vec<f32>,
}

impl Influence {
    /// Nothing passes by what is known to be right.
    pub(crate) fn on(graph: &Graph, targets: &[EffectId], is_right: &FixedBitSet) -> Influence {
        let mut by_effect = vec![0.0f32; graph.effects()];
        targets.iter().for_each(|target| by_effect[target.0 as usize] = 1.0);
        for &id in graph.in_order_up_to(targets).iter().rev() {
            let index = id.0 as usize;
            let own = by_effect[index];
            if own <= 0.0 || is_right.contains(index) {
                by_effect[index] = 0.0;
                continue;
            }
            let effect = graph.effect(id);
            for input in &effect.inputs {
                let from = input.from.0 as usize;
                let passed = f64::from(own) * passing(graph, effect.step, input.way, input.from);
                by_effect[from] = 1.0 - (1.0 - by_effect[from]) * (1.0 - passed as f32);
            }
        }
        Influence { by_effect }
    }

    pub(crate) fn of_effect(&self, effect: EffectId) -> f64 {
        f64::from(self.by_effect[effect.0 as usize])
    }

    pub(crate) fn of_step(&self, graph: &Graph, step: StepId) -> f64 {
        let effects = &graph.step(step).effects;
        effects.iter().map(|&effect| self.of_effect(effect)).fold(0.0, f64::max)
    }

    /// Of a line that may do something wrong whenever it runs, and has at least once.
    pub(crate) fn of_line(&self, graph: &Graph, line: LineId) -> f64 {
        let steps = graph.steps_of(line);
        let unseen: f64 = steps.iter().map(|&step| 1.0 - MANIFEST * self.of_step(graph, step)).product();
        let never = (1.0 - MANIFEST).powf(steps.len() as f64);
        if never < 1.0 { (1.0 - unseen) / (1.0 - never) } else { 0.0 }
    }
}

fn passing(graph: &Graph, to: StepId, way: Way, from: EffectId) -> f64 {
    match way {
        Way::Omission => BY_OMISSION,
        Way::Control => BY_CONTROL,
        _ if graph.effect(from).step == to => IN_A_STEP,
        Way::Value => BY_VALUE,
        Way::Address => BY_ADDRESS,
    }
}

/// By effect: how likely it is wrong if a line is, as far as the graph tells.
pub fn infection(graph: &Graph, lines: &[LineId]) -> Vec<f64> {
    spread(graph, |step| if lines.contains(&graph.step(step).line) { MANIFEST } else { 0.0 })
}

/// By effect: how likely it is wrong if each line is wrong with some likelihood.
pub(crate) fn spread(graph: &Graph, weight: impl Fn(StepId) -> f64) -> Vec<f64> {
    let mut wrong = vec![0.0; graph.effects()];
    for &id in graph.in_order() {
        let effect = graph.effect(id);
        let mut right = 1.0 - weight(effect.step);
        for input in &effect.inputs {
            right *= 1.0 - wrong[input.from.0 as usize] * passing(graph, effect.step, input.way, input.from);
        }
        wrong[id.0 as usize] = 1.0 - right;
    }
    wrong
}
