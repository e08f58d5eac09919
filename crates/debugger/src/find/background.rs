//! What led to a failure, as a graph whose parts are those of a run.

use super::explore::Explored;
use super::parts::Before;
use crate::causes::{Ingredient, StepPlace};
use whydunit_feedback::{EffectId, Graph, StepId};

#[derive(Clone, Debug)]
pub(crate) struct Background {
    pub(super) graph: Graph,
    pub(super) seen: Explored,
}

impl Background {
    pub(super) fn place(&self, step: StepId) -> &StepPlace {
        &self.seen.places[step.0 as usize]
    }

    /// Its start.
    pub(super) fn before(&self, step: StepId) -> Before {
        let step = self.graph.step(step);
        let first = step.effects.iter().filter_map(|effect| self.seen.executed[effect.0 as usize]).min();
        Before { moment: step.moment, first }
    }

    /// What gave an ingredient its value.
    pub(super) fn source(&self, ingredient: &Ingredient) -> Option<EffectId> {
        let source = ingredient.source.as_ref().ok()?;
        self.seen.effects.get(&source.executed()).copied()
    }
}
