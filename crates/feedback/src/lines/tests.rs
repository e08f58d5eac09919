//! Passes for several groups of effects at once, and over nothing but what they reach.

use super::influence::Influence;
use super::network::Network;
use super::sets::PlaceSet;
use crate::graph::{EffectId, Graph};
use crate::tests::any::graphs;
use proptest::prelude::*;

/// By place, by the definition: all effects, the last ones first.
fn one_by_one(network: &Network, target: EffectId, is_right: &PlaceSet) -> Vec<f32> {
    let mut by_place = vec![0.0f32; network.places()];
    by_place[network.place(target)] = 1.0;
    for place in (0..=network.place(target)).rev() {
        if is_right.contains(place) {
            by_place[place] = 0.0;
        }
        let own = by_place[place];
        for passage in network.passages(place).iter().filter(|_| own > 0.0) {
            let passed = (f64::from(own) * passage.likelihood()) as f32;
            let from = passage.from as usize;
            by_place[from] = 1.0 - (1.0 - by_place[from]) * (1.0 - passed);
        }
    }
    by_place
}

fn right_places(graph: &Graph, network: &Network, right: &[u32]) -> PlaceSet {
    let mut places = PlaceSet::new(network.places());
    right.iter().for_each(|effect| places.insert(network.place(EffectId(effect % graph.effects() as u32))));
    places
}

proptest! {
    #[test]
    fn a_lane_has_what_it_would_have_alone(
        graph in graphs(),
        targets in prop::collection::vec(any::<u32>(), 1..=4),
        right in prop::collection::vec(any::<u32>(), 0..10),
    ) {
        prop_assume!(graph.effects() > 0);
        let network = Network::new(&graph);
        let is_right = right_places(&graph, &network, &right);
        let targets: Vec<EffectId> = targets.iter().map(|target| EffectId(target % graph.effects() as u32)).collect();
        let lanes: Vec<&[EffectId]> = targets.iter().map(std::slice::from_ref).collect();
        let together = Influence::<4>::on(&network, graph.lines().len(), &lanes, &is_right);
        for (lane, &target) in targets.iter().enumerate() {
            let expected = one_by_one(&network, target, &is_right);
            let found: Vec<f32> = (0..network.places()).map(|place| together.of_place(place)[lane]).collect();
            prop_assert_eq!(found, expected);
        }
        let has_any = |place: &usize| together.of_place(*place) != [0.0; 4];
        prop_assert!((0..network.places()).filter(has_any).all(|place| together.is_of_line(network.line(place))));
    }
}
