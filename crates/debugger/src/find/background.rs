//! What led to a failure, as a graph whose parts are those of a run.

use super::parts::{Before, Parts};
use crate::causes::{Ingredient, StepPlace};
use rustc_hash::FxHashMap;
use whydunit_feedback::{EffectId, Graph, StepId};
use whydunit_slices::Executed;

#[derive(Debug)]
pub(crate) struct Background {
    pub(super) graph: Graph,
    pub(super) places: Vec<StepPlace>,
    pub(super) effects: FxHashMap<Executed, EffectId>,
    /// By effect.
    pub(super) executed: Vec<Option<Executed>>,
    pub(super) parts: Parts,
}

impl Background {
    pub(super) fn place(&self, step: StepId) -> &StepPlace {
        &self.places[step.0 as usize]
    }

    /// Its start.
    pub(super) fn before(&self, step: StepId) -> Before {
        let step = self.graph.step(step);
        let first = step.effects.iter().filter_map(|effect| self.executed[effect.0 as usize]).min();
        Before { moment: step.moment, first }
    }

    /// What gave an ingredient its value.
    pub(super) fn source(&self, ingredient: &Ingredient) -> Option<EffectId> {
        let source = ingredient.source.as_ref().ok()?;
        self.effects.get(&source.executed()).copied()
    }
}
