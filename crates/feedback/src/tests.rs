//! Searches in graphs that are made by hand, and in any.

pub(crate) mod any;
mod chains;
mod evidence;
mod kept;
mod origin;
mod simulated;

use crate::{Course, EffectId, Search, StepId, VariableId, Verdict, Visit};

/// A run of which nothing is known but the order of its steps.
struct Plain;

impl Course for Plain {
    fn time(&self, step: StepId) -> u64 {
        u64::from(step.0)
    }

    fn level(&self, _: StepId) -> u32 {
        1
    }

    fn parent(&self, _: StepId) -> Option<StepId> {
        None
    }

    fn path(&self, _: StepId, _: StepId) -> Option<Vec<Visit>> {
        None
    }

    fn variable(&self, effect: EffectId) -> VariableId {
        VariableId(u64::from(effect.0))
    }
}

fn next(search: &Search) -> Verdict {
    search.next(&Plain).verdict
}
