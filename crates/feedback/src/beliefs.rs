//! How likely each step is the first wrong one, after some answers.

use crate::answers::{Answer, Demand, Facts};
use crate::graph::{Graph, LineId, StepId};
use crate::likeness::Likeness;
use crate::reach::{Reach, Steps};

/// What an answer leaves of the weight of a step that it speaks against. Users err.
const AGAINST: f64 = 0.02;

/// What is left of the weight of steps like one that did what it should.
const LIKE_A_SOUND_STEP: f64 = 0.2;

/// The same of the other steps of its line.
const LINE_OF_A_SOUND_STEP: f64 = 0.6;

/// What is left of the weight of a line that the user has looked at and could not tell.
const UNCLEAR: f64 = 0.5;

/// Of a line of a test, compared with one of the code that is tested.
const OF_TEST: f64 = 0.05;

/// How much less likely a line is for each step between it and the failure.
const FARTHER: f64 = 0.9;

/// Distances beyond this make no difference any more.
const FAR: u32 = 40;

/// All that was not looked at, compared with a line that does one thing next to the failure.
const BEYOND: f64 = 0.5;

#[derive(Debug)]
pub struct Beliefs {
    /// By step; the sum with `beyond` is 1.
    steps: Vec<f64>,
    lines: Vec<f64>,
    beyond: f64,
    pub(crate) reach: Reach,
    pub(crate) facts: Facts,
}

/// A line and how likely it is the wrong one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Suspect {
    pub line: LineId,
    pub weight: f64,
}

impl Beliefs {
    pub(crate) fn new(graph: &Graph, likeness: &Likeness, answers: &[(StepId, Answer)]) -> Beliefs {
        let facts = Facts::of(graph, answers);
        let reach = Reach::new(graph, &facts.is_right);
        let mut steps = priors(graph);
        let mut beyond = BEYOND;
        for demand in &facts.demands {
            let (explained, is_open) = explaining(demand, graph, &reach);
            for (step, weight) in steps.iter_mut().enumerate() {
                if !explained.contains(step) {
                    *weight *= AGAINST;
                }
            }
            if !is_open {
                beyond *= AGAINST;
            }
        }
        for (asked, answer) in answers {
            match answer {
                Answer::WrongResult | Answer::WrongPath => {}
                Answer::Unclear => weaken(graph, &mut steps, *asked, |_| UNCLEAR),
                Answer::Correct | Answer::WrongValues { .. } | Answer::WrongSomehow { .. } => {
                    weaken(graph, &mut steps, *asked, |other| {
                        if other == *asked {
                            AGAINST
                        } else if likeness.is_like(*asked, other) {
                            LIKE_A_SOUND_STEP
                        } else {
                            LINE_OF_A_SOUND_STEP
                        }
                    })
                }
            }
        }
        let mut beliefs = Beliefs { steps, lines: Vec::new(), beyond, reach, facts };
        beliefs.normalise(graph);
        beliefs
    }

    /// Takes from the weight of steps that are like sound ones.
    pub(crate) fn pass_over(&mut self, graph: &Graph, steps: &[StepId]) {
        if !steps.is_empty() {
            steps.iter().for_each(|step| self.steps[step.0 as usize] *= LIKE_A_SOUND_STEP);
            self.normalise(graph);
        }
    }

    fn normalise(&mut self, graph: &Graph) {
        let sum: f64 = self.steps.iter().sum::<f64>() + self.beyond;
        if sum > 0.0 {
            self.steps.iter_mut().for_each(|weight| *weight /= sum);
            self.beyond /= sum;
        }
        self.lines = vec![0.0; graph.lines().len()];
        for (step, weight) in graph.steps().zip(&self.steps) {
            self.lines[graph.step(step).line.0 as usize] += weight;
        }
    }

    /// That this step is the first wrong one.
    pub fn of(&self, step: StepId) -> f64 {
        self.steps[step.0 as usize]
    }

    pub fn of_line(&self, line: LineId) -> f64 {
        self.lines[line.0 as usize]
    }

    /// How likely what is wrong is none of the steps that were looked at.
    pub fn beyond(&self) -> f64 {
        self.beyond
    }

    /// The likeliest lines first.
    pub fn suspects(&self) -> Vec<Suspect> {
        let suspect = |(line, &weight)| Suspect { line: LineId(line), weight };
        let mut suspects: Vec<Suspect> = (0..).zip(&self.lines).map(suspect).collect();
        suspects.sort_by(|a, b| b.weight.total_cmp(&a.weight).then(a.line.cmp(&b.line)));
        suspects
    }
}

/// The steps that can explain that something is wrong, and whether something that was not looked at can.
fn explaining(demand: &Demand, graph: &Graph, reach: &Reach) -> (Steps, bool) {
    let mut steps = Steps::with_capacity(graph.steps().len());
    demand.one_of.iter().for_each(|&effect| steps.union_with(reach.of(effect)));
    (steps, demand.one_of.iter().any(|&effect| reach.is_open(effect)))
}

/// Takes from the weights of the steps of a line.
fn weaken(graph: &Graph, weights: &mut [f64], asked: StepId, left: impl Fn(StepId) -> f64) {
    for &step in graph.steps_of(graph.step(asked).line) {
        weights[step.0 as usize] *= left(step);
    }
}

/// Any line may be wrong, and it is not known in which of its steps it shows first.
fn priors(graph: &Graph) -> Vec<f64> {
    let mut weights = vec![0.0; graph.steps().len()];
    for line in graph.lines() {
        let steps = graph.steps_of(line);
        let nearest = steps.iter().map(|&step| graph.step(step).distance).min().unwrap_or(FAR).min(FAR);
        let found = graph.line(line);
        let of_test = if found.is_test { OF_TEST } else { 1.0 };
        let prior = f64::from(found.work) * of_test * FARTHER.powf(f64::from(nearest));
        for &step in steps {
            weights[step.0 as usize] = prior / steps.len() as f64;
        }
    }
    weights
}
