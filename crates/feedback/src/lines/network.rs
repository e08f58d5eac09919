//! The ways of errors through a graph, laid out for passes over all of it.

use super::sets::PlaceSet;
use crate::graph::{EffectId, Graph, LineId, StepId, Way};
use fixedbitset::FixedBitSet;

/// How often what is made of a wrong value is wrong, too. Errors end in some places, but seldom because a way is long.
const BY_VALUE: f64 = 0.9998;

/// The same of what is found at a wrong place.
const BY_ADDRESS: f64 = 0.7;

/// The same of what ran because of a wrong value.
const BY_CONTROL: f64 = 0.5;

/// Of a value that something could have changed: that it should have.
const BY_OMISSION: f64 = 0.15;

/// Inside of a line nearly everything is handed on.
const IN_A_STEP: f64 = 1.0;

/// Effects by their place in an order in which each comes after those that it was made of.
#[derive(Debug)]
pub(crate) struct Network {
    /// By effect.
    places: Vec<u32>,
    /// By place.
    steps: Vec<StepId>,
    lines: Vec<LineId>,
    /// By place, where its passages start; one more at the end.
    starts: Vec<u32>,
    passages: Vec<Passage>,
}

/// A way on which an error comes from another place.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Passage {
    pub(crate) from: u32,
    passing: Passing,
}

#[derive(Clone, Copy, Debug)]
enum Passing {
    InAStep,
    Value,
    Address,
    Control,
    Omission,
}

impl Passage {
    /// That an error passes.
    pub(crate) fn likelihood(self) -> f64 {
        match self.passing {
            Passing::InAStep => IN_A_STEP,
            Passing::Value => BY_VALUE,
            Passing::Address => BY_ADDRESS,
            Passing::Control => BY_CONTROL,
            Passing::Omission => BY_OMISSION,
        }
    }
}

impl Network {
    pub(crate) fn new(graph: &Graph) -> Network {
        let order = graph.in_order();
        let mut places = vec![0; order.len()];
        (0..).zip(order).for_each(|(place, effect)| places[effect.0 as usize] = place);
        let steps: Vec<StepId> = order.iter().map(|&effect| graph.effect(effect).step).collect();
        let lines = steps.iter().map(|&step| graph.step(step).line).collect();
        let (mut starts, mut passages) = (vec![0], Vec::new());
        for &id in order {
            let effect = graph.effect(id);
            passages.extend(effect.inputs.iter().map(|input| Passage {
                from: places[input.from.0 as usize],
                passing: match input.way {
                    Way::Omission => Passing::Omission,
                    Way::Control => Passing::Control,
                    _ if graph.effect(input.from).step == effect.step => Passing::InAStep,
                    Way::Value => Passing::Value,
                    Way::Address => Passing::Address,
                },
            }));
            starts.push(passages.len() as u32);
        }
        Network { places, steps, lines, starts, passages }
    }

    /// How many places there are.
    pub(crate) fn places(&self) -> usize {
        self.steps.len()
    }

    pub(crate) fn place(&self, effect: EffectId) -> usize {
        self.places[effect.0 as usize] as usize
    }

    pub(crate) fn line(&self, place: usize) -> LineId {
        self.lines[place]
    }

    pub(crate) fn step(&self, place: usize) -> StepId {
        self.steps[place]
    }

    /// The ways on which errors come to a place.
    pub(crate) fn passages(&self, place: usize) -> &[Passage] {
        &self.passages[self.starts[place] as usize..self.starts[place + 1] as usize]
    }

    /// The places of a set of effects.
    pub(crate) fn places_of(&self, effects: &FixedBitSet) -> PlaceSet {
        let mut places = PlaceSet::new(self.places());
        effects.ones().for_each(|effect| places.insert(self.places[effect] as usize));
        places
    }
}
