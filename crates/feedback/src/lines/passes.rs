//! What answers say of where an error can have come from is kept from question to question.

use super::ground::Ground;
use super::influence::Influence;
use super::sets::PlaceSet;
use crate::graph::{EffectId, Graph};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// Influences on what answers are about. What comes of a pass depends on nothing but whether the places that it reaches are
/// right.
#[derive(Debug, Default)]
pub(crate) struct Passes {
    known: FxHashMap<Vec<EffectId>, Pass>,
}

#[derive(Debug)]
struct Pass {
    reached: PlaceSet,
    /// Of these, those that were right.
    blocked: PlaceSet,
    by_onset: Rc<Vec<f32>>,
    /// Since passes were forgotten.
    is_used: bool,
}

impl Passes {
    /// By onset: how likely it makes one of some effects wrong.
    pub(crate) fn influence(
        &mut self,
        graph: &Graph,
        ground: &Ground,
        targets: &[EffectId],
        is_right: &PlaceSet,
    ) -> Rc<Vec<f32>> {
        if let Some(pass) = self.known.get_mut(targets)
            && pass.reached.intersection(is_right) == pass.blocked
        {
            pass.is_used = true;
            return Rc::clone(&pass.by_onset);
        }
        let influence = Influence::<1>::on(&ground.network, graph.lines().len(), &[targets], is_right);
        let by_onset = Rc::new(ground.onsets.influence(graph, &influence));
        let reached = influence.into_reached();
        let blocked = reached.intersection(is_right);
        let pass = Pass { reached, blocked, by_onset: Rc::clone(&by_onset), is_used: true };
        self.known.insert(targets.to_vec(), pass);
        by_onset
    }

    /// Forgets what was not used since it was called last.
    pub(crate) fn forget_unused(&mut self) {
        self.known.retain(|_, pass| std::mem::take(&mut pass.is_used));
    }
}
