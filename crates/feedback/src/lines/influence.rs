//! How likely a wrong step makes something else wrong.

use super::network::Network;
use super::sets::PlaceSet;
use crate::graph::{EffectId, Graph, LineId, StepId};
use fixedbitset::FixedBitSet;

/// How often a wrong line does something wrong when it runs.
pub(crate) const MANIFEST: f64 = 0.7;

/// Of values that are wrong by all that the graph tells, so many are: ways depend on each other, and errors end in many places
/// at once. `cargo xtask feedback --fit` counts them.
pub(crate) const AS_EXPECTED: f64 = 0.5;

/// By place: how likely some effects are wrong if what is there alone is. For several groups of effects at once, each in a
/// lane of its own.
#[derive(Debug)]
pub(crate) struct Influence<const LANES: usize> {
    by_place: Vec<[f32; LANES]>,
    /// Places that would have passed something on, unless what is there is right.
    reached: PlaceSet,
    /// Lines with a place that has an influence.
    lines: FixedBitSet,
}

impl<const LANES: usize> Influence<LANES> {
    /// Nothing passes by what is known to be right.
    ///
    /// A lane has to itself what it would have alone: likelihoods are multiples of 2^-24, of which `1.0 - x` is exact, so
    /// that nothing changes in a lane to which nothing is passed.
    pub(crate) fn on(network: &Network, lines: usize, targets: &[&[EffectId]], is_right: &PlaceSet) -> Self {
        let mut by_place = vec![[0.0f32; LANES]; network.places()];
        let mut reached = PlaceSet::new(network.places());
        let mut influential = FixedBitSet::with_capacity(lines);
        for (lane, effects) in targets.iter().enumerate() {
            for place in effects.iter().map(|&effect| network.place(effect)) {
                by_place[place][lane] = 1.0;
                reached.insert(place);
            }
        }
        let mut end = network.places();
        while let Some(place) = reached.last_before(end) {
            end = place;
            if is_right.contains(place) {
                by_place[place] = [0.0; LANES];
                continue;
            }
            influential.insert(network.line(place).0 as usize);
            let own = by_place[place];
            for passage in network.passages(place) {
                let (from, likelihood) = (passage.from as usize, passage.likelihood());
                for (known, own) in by_place[from].iter_mut().zip(own) {
                    let passed = (f64::from(own) * likelihood) as f32;
                    *known = 1.0 - (1.0 - *known) * (1.0 - passed);
                }
                if from < place {
                    reached.insert(from);
                } else {
                    // It closes a circle: nothing is passed on, but it counts.
                    influential.insert(network.line(from).0 as usize);
                }
            }
        }
        Influence { by_place, reached, lines: influential }
    }

    pub(crate) fn of_place(&self, place: usize) -> [f32; LANES] {
        self.by_place[place]
    }

    /// Whether any step of a line has an influence.
    pub(crate) fn is_of_line(&self, line: LineId) -> bool {
        self.lines.contains(line.0 as usize)
    }

    pub(crate) fn into_reached(self) -> PlaceSet {
        self.reached
    }
}

impl Influence<1> {
    fn of_step(&self, graph: &Graph, network: &Network, step: StepId) -> f64 {
        let effects = graph.step(step).effects.iter();
        effects.map(|&effect| f64::from(self.of_place(network.place(effect))[0])).fold(0.0, f64::max)
    }

    /// Of a line that may do something wrong whenever it runs, and has at least once.
    pub(crate) fn of_line(&self, graph: &Graph, network: &Network, line: LineId) -> f64 {
        let steps = graph.steps_of(line);
        let unseen: f64 = steps.iter().map(|&step| 1.0 - MANIFEST * self.of_step(graph, network, step)).product();
        let never = (1.0 - MANIFEST).powf(steps.len() as f64);
        if never < 1.0 { (1.0 - unseen) / (1.0 - never) } else { 0.0 }
    }
}

/// By effect: how likely it is wrong if a line is, as far as the graph tells.
pub fn infection(graph: &Graph, lines: &[LineId]) -> Vec<f64> {
    let network = Network::new(graph);
    let by_place = spread(&network, |step| if lines.contains(&graph.step(step).line) { MANIFEST } else { 0.0 });
    (0..graph.effects() as u32).map(|effect| by_place[network.place(EffectId(effect))]).collect()
}

/// By place: how likely something is wrong there if each line is wrong with some likelihood.
pub(crate) fn spread(network: &Network, weight: impl Fn(StepId) -> f64) -> Vec<f64> {
    let mut wrong = vec![0.0; network.places()];
    for place in 0..network.places() {
        let mut right = 1.0 - weight(network.step(place));
        for passage in network.passages(place) {
            right *= 1.0 - wrong[passage.from as usize] * passage.likelihood();
        }
        wrong[place] = 1.0 - right;
    }
    wrong
}
