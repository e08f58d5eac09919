//! How likely lines make what steps are given wrong.

use super::beliefs::LineBeliefs;
use super::ground::Ground;
use super::influence::Influence;
use crate::graph::{EffectId, Graph, LineId};
use rustc_hash::FxHashMap;
use std::num::NonZero;
use std::panic::resume_unwind;
use std::thread;

/// Effects that one pass through the graph is made for.
const LANES: usize = 8;

/// Graphs with fewer effects are gone through sooner than a thread is started.
const LARGE: usize = 5_000;

/// More threads than this hardly help.
const MOST_THREADS: usize = 4;

/// What passes need to know.
#[derive(Clone, Copy)]
pub(super) struct Sources<'a> {
    pub(super) graph: &'a Graph,
    pub(super) ground: &'a Ground,
    pub(super) beliefs: &'a LineBeliefs,
    pub(super) lines: &'a [LineId],
}

impl Sources<'_> {
    /// By effect, and by line: how likely the line makes the effect wrong.
    pub(super) fn influences(self, mut effects: Vec<EffectId>) -> FxHashMap<EffectId, Vec<f32>> {
        // Neighbours have much of what led to them in common.
        effects.sort_unstable_by_key(|&effect| self.ground.network.place(effect));
        effects.dedup();
        let batches: Vec<&[EffectId]> = effects.chunks(LANES).collect();
        let threads = self.threads().min(batches.len()).max(1);
        let share = |number: usize| {
            let own = batches.iter().skip(number).step_by(threads);
            own.flat_map(|batch| self.influences_at_once(batch)).collect::<Vec<_>>()
        };
        thread::scope(|scope| {
            let others: Vec<_> = (1..threads).map(|number| scope.spawn(move || share(number))).collect();
            let mut found: FxHashMap<EffectId, Vec<f32>> = share(0).into_iter().collect();
            for other in others {
                found.extend(other.join().unwrap_or_else(|panic| resume_unwind(panic)));
            }
            found
        })
    }

    fn threads(self) -> usize {
        if self.ground.network.places() < LARGE {
            return 1;
        }
        thread::available_parallelism().map_or(1, NonZero::get).min(MOST_THREADS)
    }

    fn influences_at_once(self, batch: &[EffectId]) -> impl Iterator<Item = (EffectId, Vec<f32>)> {
        let targets: Vec<&[EffectId]> = batch.iter().map(std::slice::from_ref).collect();
        let lines = self.graph.lines().len();
        let influence = Influence::on(&self.ground.network, lines, &targets, &self.beliefs.is_right);
        let by_line = self.by_line(&influence);
        let of_lane = move |lane: usize| by_line.iter().map(|lanes| lanes[lane]).collect();
        batch.iter().enumerate().map(move |(lane, &effect)| (effect, of_lane(lane)))
    }

    fn by_line(self, influence: &Influence<LANES>) -> Vec<[f32; LANES]> {
        let mut by_onset: Vec<[f32; LANES]> = Vec::new();
        let of_line = |&line: &LineId| {
            if !influence.is_of_line(line) {
                return [0.0; LANES];
            }
            let onsets = self.ground.onsets.of_line(line);
            by_onset.resize(onsets.len(), [0.0; LANES]);
            self.ground.onsets.influence_of_line(line, influence, &mut by_onset);
            let mut sums = [0.0; LANES];
            for (&weight, likelihoods) in self.beliefs.weights()[onsets].iter().zip(&by_onset) {
                sums.iter_mut().zip(likelihoods).for_each(|(sum, &likelihood)| *sum += weight * f64::from(likelihood));
            }
            sums.map(|sum| (sum / self.beliefs.of_line(line).max(f64::MIN_POSITIVE)) as f32)
        };
        self.lines.iter().map(of_line).collect()
    }
}
