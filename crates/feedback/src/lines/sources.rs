//! How likely lines make what steps are given wrong.

use super::beliefs::LineBeliefs;
use super::ground::Ground;
use super::influence::Influence;
use crate::graph::{EffectId, Graph, LineId};
use rustc_hash::FxHashMap;

/// Effects that one pass through the graph is made for.
const LANES: usize = 8;

/// By effect, and by line of some: how likely the line makes the effect wrong.
pub(super) fn influences(
    graph: &Graph,
    ground: &Ground,
    beliefs: &LineBeliefs,
    lines: &[LineId],
    mut effects: Vec<EffectId>,
) -> FxHashMap<EffectId, Vec<f32>> {
    // Neighbours have much of what led to them in common.
    effects.sort_unstable_by_key(|&effect| ground.network.place(effect));
    effects.dedup();
    let mut found = FxHashMap::default();
    for batch in effects.chunks(LANES) {
        let targets: Vec<&[EffectId]> = batch.iter().map(std::slice::from_ref).collect();
        let influence = Influence::on(&ground.network, graph.lines().len(), &targets, &beliefs.is_right);
        let by_line = by_line(ground, beliefs, lines, &influence);
        for (lane, &effect) in batch.iter().enumerate() {
            found.insert(effect, by_line.iter().map(|lanes| lanes[lane]).collect());
        }
    }
    found
}

fn by_line(
    ground: &Ground,
    beliefs: &LineBeliefs,
    lines: &[LineId],
    influence: &Influence<LANES>,
) -> Vec<[f32; LANES]> {
    let mut by_onset: Vec<[f32; LANES]> = Vec::new();
    let of_line = |&line: &LineId| {
        if !influence.is_of_line(line) {
            return [0.0; LANES];
        }
        let onsets = ground.onsets.of_line(line);
        by_onset.clear();
        by_onset.resize(onsets.len(), [0.0; LANES]);
        ground.onsets.influence_of_line(line, influence, &mut by_onset);
        let mut sums = [0.0; LANES];
        for (&weight, likelihoods) in beliefs.weights()[onsets].iter().zip(&by_onset) {
            sums.iter_mut().zip(likelihoods).for_each(|(sum, &likelihood)| *sum += weight * f64::from(likelihood));
        }
        sums.map(|sum| (sum / beliefs.of_line(line).max(f64::MIN_POSITIVE)) as f32)
    };
    lines.iter().map(of_line).collect()
}
