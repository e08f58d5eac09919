//! How likely something wrong is seen in a step, by line, on whatever way it came.

use super::ground::Ground;
use super::sight::{DEPTHS, Sight};
use crate::graph::LineId;

/// Sums are those of all onsets of a line from the first on, as onsets that are not seen add nothing.
pub(crate) struct Sightings<'a> {
    ground: &'a Ground,
    /// By onset.
    weights: &'a [f64],
    /// By depth of a step, and by onset: how likely something is seen that went wrong at one of the onsets up to it.
    before: [Vec<f64>; DEPTHS],
}

impl<'a> Sightings<'a> {
    pub(crate) fn new(ground: &'a Ground, weights: &'a [f64], lines: &[LineId]) -> Sightings<'a> {
        let before = std::array::from_fn(|depth| {
            let mut sums = vec![0.0; weights.len()];
            for &line in lines {
                let mut sum = 0.0;
                for onset in ground.onsets.of_line(line) {
                    sum += weights[onset] * Sight::after(depth);
                    sums[onset] = sum;
                }
            }
            sums
        });
        Sightings { ground, weights, before }
    }

    /// Before the step ran, if a line is wrong, times how likely that is.
    pub(crate) fn before(&self, line: LineId, sight: &Sight) -> f64 {
        let onsets = self.ground.onsets.of_line(line);
        let earlier = sight.count_before(&self.ground.onsets.moments()[onsets.clone()]);
        earlier.checked_sub(1).map_or(0.0, |last| self.before[sight.depth()][onsets.start + last])
    }

    /// The same inside of the step.
    pub(crate) fn inside(&self, line: LineId, sight: &Sight) -> f64 {
        let onsets = self.ground.onsets.of_line(line);
        let moments = &self.ground.onsets.moments()[onsets.clone()];
        let inside = moments.iter().zip(&self.weights[onsets]).skip(sight.count_before(moments));
        let inside = inside.map(|(&moment, weight)| (weight, sight.inside(moment)));
        inside.take_while(|(_, seen)| *seen > 0.0).map(|(weight, seen)| weight * seen).sum()
    }
}
