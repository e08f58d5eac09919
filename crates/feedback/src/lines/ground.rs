//! What follows from the graph alone, whatever is answered.

use super::influence::Influence;
use super::network::Network;
use super::onsets::Onsets;
use super::priors::priors;
use super::sets::PlaceSet;
use crate::graph::{Graph, LineId, StepId};
use crate::likeness::Likeness;

/// How likely something was said to be wrong that ran before a wrong line did.
const AGAINST: f64 = 0.003;

/// The same if the line ran at other times, too, that are not in the graph.
const AGAINST_WHAT_IS_KNOWN: f64 = 0.03;

#[derive(Debug)]
pub(crate) struct Ground {
    pub(crate) network: Network,
    pub(crate) onsets: Onsets,
    pub(crate) likeness: Likeness,
    /// By line, before anything was asked.
    pub(crate) priors: Vec<f64>,
    /// By line: how likely something was said to be wrong that ran before it was.
    pub(crate) against: Vec<f64>,
    /// By onset: how likely it has led to the failure while all ways are open.
    pub(crate) ways: Vec<f32>,
    pub(crate) times: Times,
}

/// Onsets in the order of the run.
#[derive(Debug)]
pub(crate) struct Times {
    pub(crate) in_order: Vec<u32>,
    /// By step: how many onsets are before it, and how many up to its end.
    spans: Vec<(u32, u32)>,
}

impl Ground {
    pub(crate) fn new(graph: &Graph) -> Ground {
        let network = Network::new(graph);
        let onsets = Onsets::new(graph, &network);
        let failure = &graph.step(graph.failure()).effects;
        let nothing = PlaceSet::new(network.places());
        let influence = Influence::on(&network, graph.lines().len(), &[failure], &nothing);
        Ground {
            likeness: Likeness::new(graph),
            priors: priors(graph, &network, &influence),
            against: graph.lines().map(|line| against(graph, line)).collect(),
            ways: onsets.influence(graph, &influence),
            times: Times::new(graph, &onsets),
            network,
            onsets,
        }
    }
}

impl Times {
    fn new(graph: &Graph, onsets: &Onsets) -> Times {
        let mut in_order: Vec<u32> = (0..onsets.steps().len() as u32).collect();
        let moment = |onset: &u32| onsets.moments()[*onset as usize];
        in_order.sort_by_key(moment);
        let up_to = |moment: u64| in_order.partition_point(|onset| onsets.moments()[*onset as usize] <= moment) as u32;
        let span = |step: StepId| {
            let step = graph.step(step);
            (up_to(step.moment.saturating_sub(1)), up_to(step.until))
        };
        let spans = graph.steps().map(span).collect();
        Times { in_order, spans }
    }

    /// How many onsets are before a step, and how many up to its end.
    pub(crate) fn span(&self, step: StepId) -> (usize, usize) {
        let (before, until) = self.spans[step.0 as usize];
        (before as usize, until as usize)
    }
}

fn against(graph: &Graph, line: LineId) -> f64 {
    let is_known = graph.history(line).visits as usize <= graph.steps_of(line).len();
    if is_known { AGAINST } else { AGAINST_WHAT_IS_KNOWN }
}
