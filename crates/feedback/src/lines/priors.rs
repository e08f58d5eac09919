//! How likely each line is the wrong one before anything was asked.

use super::influence::Influence;
use super::network::Network;
use super::sets::PlaceSet;
use crate::graph::{Graph, Kinship, LineId};

/// What is known of a line before anything was asked.
pub const FEATURES: [&str; 18] = [
    "influence on the failure",
    "test",
    "visits",
    "checks that held",
    "since the last check",
    "on the stack",
    "class of the test's name",
    "package of the test",
    "conditions",
    "work",
    "level",
    "no known way to the failure",
    "distance",
    "moments before the failure",
    "other tests that passed",
    "no other test that passed",
    "other tests that failed",
    "other tests that failed without it",
];

/// Learnt by `cargo xtask feedback --fit`: the logarithm of a line's weight is the sum of its features, each times this.
const WEIGHTS: [f64; FEATURES.len()] = [
    -0.162, -3.130, -0.543, -1.621, 0.339, -0.223, 1.401, 0.988, 0.506, 0.906, 1.107, -1.439, -0.421, -0.598, -0.430,
    1.207, 0.451, -2.444,
];

/// What is left of the weight of a line that has only made the exception of the failure.
const OF_EXCEPTION: f64 = 0.02;

/// Of what has no known influence.
const NO_INFLUENCE: f64 = 0.001;

/// `influence` is that on the failure.
pub(crate) fn priors(graph: &Graph, network: &Network, influence: &Influence<1>) -> Vec<f64> {
    let weigh = |features: [f64; FEATURES.len()]| features.iter().zip(WEIGHTS).map(|(one, weight)| one * weight).sum();
    let weights: Vec<f64> = graph.lines().map(|line| weigh(of_line(graph, network, influence, line))).collect();
    let most = weights.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let can_be_wrong = |line: LineId| graph.line(line).work > 0;
    let late = |line: LineId| if graph.history(line).is_of_exception { OF_EXCEPTION } else { 1.0 };
    let weigh =
        |(line, weight): (LineId, f64)| if can_be_wrong(line) { late(line) * (weight - most).exp() } else { 0.0 };
    graph.lines().zip(weights).map(weigh).collect()
}

/// By line.
pub fn features(graph: &Graph) -> Vec<[f64; FEATURES.len()]> {
    let network = Network::new(graph);
    let nothing = PlaceSet::new(network.places());
    let failure = &graph.step(graph.failure()).effects;
    let influence = Influence::on(&network, graph.lines().len(), &[failure], &nothing);
    graph.lines().map(|line| of_line(graph, &network, &influence, line)).collect()
}

fn of_line(graph: &Graph, network: &Network, influence: &Influence<1>, id: LineId) -> [f64; FEATURES.len()] {
    let (line, history) = (graph.line(id), graph.history(id));
    let flag = |is: bool| if is { 1.0 } else { 0.0 };
    let log = |count: u64| (1.0 + count as f64).ln();
    let steps = || graph.steps_of(id).iter().map(|&step| graph.step(step));
    let level = steps().map(|step| step.level).min().unwrap_or(1);
    let is_bystander = steps().all(|step| step.effects.is_empty());
    let distance = steps().map(|step| step.distance).min().filter(|&distance| distance < u32::MAX).unwrap_or(60);
    let end = graph.step(graph.failure()).until;
    let latest = steps().map(|step| step.moment).filter(|&moment| moment <= end).max().unwrap_or_default();
    [
        influence.of_line(graph, network, id).max(NO_INFLUENCE).ln(),
        flag(line.is_test),
        log(u64::from(history.visits)),
        log(u64::from(history.held)),
        flag(history.is_recent),
        flag(history.is_on_stack),
        flag(history.kinship == Kinship::Class),
        flag(history.kinship == Kinship::Package),
        log(u64::from(history.conditions)),
        log(u64::from(line.work)),
        log(u64::from(level)),
        flag(is_bystander),
        log(u64::from(distance)),
        log(end.saturating_sub(latest)),
        log(u64::from(history.tested.passed)),
        flag(history.tested.passed == 0),
        log(u64::from(history.tested.failed)),
        log(u64::from(history.tested.spared)),
    ]
}
