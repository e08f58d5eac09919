//! Since when a line has done something wrong: it ran, and from one of these times on what it did was wrong.

use super::influence::{Influence, MANIFEST};
use super::network::Network;
use crate::graph::{Graph, LineId, StepId};
use std::ops::Range;

/// All steps of all lines, each as the first wrong one.
#[derive(Debug)]
pub(crate) struct Onsets {
    /// Those of a line lie together, in the order of the run.
    steps: Vec<StepId>,
    moments: Vec<u64>,
    /// By line, where its onsets start; one more at the end.
    starts: Vec<usize>,
    /// By onset, where its places start; one more at the end.
    place_starts: Vec<u32>,
    /// Of the effects of the steps.
    places: Vec<u32>,
}

impl Onsets {
    pub(crate) fn new(graph: &Graph, network: &Network) -> Onsets {
        let (mut steps, mut starts) = (Vec::new(), vec![0]);
        for line in graph.lines() {
            steps.extend_from_slice(graph.steps_of(line));
            starts.push(steps.len());
        }
        let moments = steps.iter().map(|&step| graph.step(step).moment).collect();
        let (mut place_starts, mut places) = (vec![0], Vec::with_capacity(network.places()));
        for &step in &steps {
            places.extend(graph.step(step).effects.iter().map(|&effect| network.place(effect) as u32));
            place_starts.push(places.len() as u32);
        }
        Onsets { steps, moments, starts, place_starts, places }
    }

    pub(crate) fn of_line(&self, line: LineId) -> Range<usize> {
        self.starts[line.0 as usize]..self.starts[line.0 as usize + 1]
    }

    pub(crate) fn steps(&self) -> &[StepId] {
        &self.steps
    }

    /// When each of them ran.
    pub(crate) fn moments(&self) -> &[u64] {
        &self.moments
    }

    /// How a line's weight is shared out: if nothing is known of how often it is wrong, it was likely wrong early.
    pub(crate) fn share(&self, line: LineId, weight: f64) -> impl Iterator<Item = f64> + use<> {
        let count = self.of_line(line).len() as f64;
        let all = count / (count + 1.0);
        (0..self.of_line(line).len()).map(move |before| weight / all / ((before as f64 + 1.0) * (before as f64 + 2.0)))
    }

    /// By onset: how likely it makes wrong what there is an influence on.
    pub(crate) fn influence(&self, graph: &Graph, influence: &Influence<1>) -> Vec<f32> {
        let mut by_onset = vec![[0.0]; self.steps.len()];
        for line in graph.lines().filter(|&line| influence.is_of_line(line)) {
            self.influence_of_line(line, influence, &mut by_onset[self.of_line(line)]);
        }
        by_onset.into_iter().map(|[influence]| influence).collect()
    }

    /// The same of the onsets of one line.
    pub(crate) fn influence_of_line<const LANES: usize>(
        &self,
        line: LineId,
        influence: &Influence<LANES>,
        by_onset: &mut [[f32; LANES]],
    ) {
        // Of what comes later, and by that of a step that has no influence itself.
        let (mut right, mut by_others) = ([1.0f64; LANES], [0.0; LANES]);
        for (onset, found) in self.of_line(line).zip(by_onset).rev() {
            *found = by_others;
            let own = self.influence_of_step(onset, influence);
            if own == [0.0; LANES] {
                continue;
            }
            for lane in 0..LANES {
                let own = f64::from(own[lane]);
                found[lane] = (1.0 - (1.0 - own) * right[lane]) as f32;
                right[lane] *= 1.0 - MANIFEST * own;
                by_others[lane] = (1.0 - right[lane]) as f32;
            }
        }
    }

    fn influence_of_step<const LANES: usize>(&self, onset: usize, influence: &Influence<LANES>) -> [f32; LANES] {
        let places = &self.places[self.place_starts[onset] as usize..self.place_starts[onset + 1] as usize];
        let mut most = [0.0f32; LANES];
        for &place in places {
            let here = influence.of_place(place as usize);
            most.iter_mut().zip(here).for_each(|(most, here)| *most = if here > *most { here } else { *most });
        }
        most
    }
}
