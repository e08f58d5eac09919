//! The search for the first wrong step: a graph and the answers so far. Everything else follows from these two, so that
//! to take an answer back is to forget it.

use crate::answers::{Answer, Contradiction, Facts};
use crate::doubt::Doubt;
use crate::graph::{EffectId, Graph, Input, StepId, Way};
use crate::lines::{self, Ground, LineBeliefs, Passes, Suspect};
use crate::question::{Question, Reason};
use crate::states::{BugKind, Course, Evidence, Gap, Standing, State, Stride};
use fixedbitset::FixedBitSet;
use rustc_hash::FxHashSet;
use std::cell::RefCell;
use std::collections::VecDeque;

/// Of all belief, what the lines that are left hold.
const MOST_BELIEF: f64 = 0.9;

/// Answers after which nobody is led from value to value any more: what is left is large, and has to be halved.
const MOST_LED: usize = 12;

#[derive(Debug)]
pub struct Search {
    graph: Graph,
    ground: Ground,
    answers: Vec<(StepId, Answer)>,
    policy: Policy,
    /// What is expected of the user.
    doubt: Doubt,
    /// Only to be quicker.
    passes: RefCell<Passes>,
}

/// How the next question is chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Policy {
    /// The one after which the fewest answers are to be expected, by what is known of lines; in repeated code, that which
    /// the states lead to.
    #[default]
    Expected,
    /// As the states have it: back from dominator to dominator.
    Paper,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Verdict {
    Ask(Question),
    Found(Finding),
    /// There is nothing to ask about any more, as what should have changed a value is missing.
    Missing(Gap),
    /// What is wrong lies where the graph ends.
    Beyond,
}

/// What comes next, and what is known by now.
#[derive(Clone, Debug, PartialEq)]
pub struct Prospect {
    pub verdict: Verdict,
    pub standing: Standing,
    /// How many lines are left that are likely to be the wrong one.
    pub lines_left: usize,
    /// By the answers, a value is right where it was made and wrong where it is used, and nothing that ran in between is
    /// wrong: what should have changed it is missing, or an answer is mistaken.
    pub missing: Option<Gap>,
}

/// The first wrong step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    pub step: StepId,
    /// How the error has come from there to the failure.
    pub way: Vec<StepId>,
    pub kind: Option<BugKind>,
}

impl Search {
    pub fn new(graph: Graph) -> Search {
        Search {
            ground: Ground::new(&graph),
            graph,
            answers: Vec::new(),
            policy: Policy::default(),
            doubt: Doubt::default(),
            passes: RefCell::default(),
        }
    }

    #[must_use]
    pub fn with_policy(self, policy: Policy) -> Search {
        Search { policy, ..self }
    }

    #[must_use]
    pub fn with_doubt(self, doubt: Doubt) -> Search {
        Search { doubt, ..self }
    }

    pub fn policy(&self) -> Policy {
        self.policy
    }

    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    pub fn answers(&self) -> &[(StepId, Answer)] {
        &self.answers
    }

    /// The contradiction that the answer makes, if it does. It counts all the same.
    pub fn answer(&mut self, step: StepId, answer: Answer) -> Option<Contradiction> {
        self.answers.push((step, answer));
        self.facts().contradiction
    }

    /// Takes a graph that has all of the one before, with the same numbers, and more. What was answered still holds.
    pub fn grow(&mut self, graph: Graph) {
        self.ground = Ground::new(&graph);
        self.graph = graph;
        self.passes = RefCell::default();
    }

    /// Forgets the answers from a position on.
    pub fn back_to(&mut self, position: usize) {
        self.answers.truncate(position);
    }

    fn facts(&self) -> Facts {
        Facts::of(&self.graph, &self.answers)
    }

    /// The likeliest lines first.
    pub fn suspects(&self) -> Vec<Suspect> {
        self.beliefs().suspects()
    }

    fn beliefs(&self) -> LineBeliefs {
        let mut passes = self.passes.borrow_mut();
        let beliefs = LineBeliefs::new(&self.graph, &self.ground, &mut passes, &self.answers);
        passes.forget_unused();
        beliefs
    }

    pub fn next(&self, course: &dyn Course) -> Prospect {
        let stride = match self.policy {
            Policy::Paper => Stride::Writer,
            Policy::Expected => Stride::Origin,
        };
        let standing = Standing::new(&self.graph, course, &self.answers, stride);
        let beliefs = self.beliefs();
        let missing = standing.gap.filter(|&gap| self.is_missing(gap, &standing));
        let question = match self.policy {
            Policy::Paper => standing.next.map(|step| self.question(step, &standing, &beliefs)),
            Policy::Expected if beliefs.beyond() >= 0.5 => None,
            Policy::Expected => self.best(&standing, &beliefs),
        };
        let verdict = match (self.finding(course), question, missing) {
            (Some(finding), ..) => Verdict::Found(finding),
            (None, Some(question), _) => Verdict::Ask(question),
            (None, None, Some(gap)) => Verdict::Missing(gap),
            (None, None, None) => Verdict::Beyond,
        };
        Prospect { verdict, lines_left: lines_left(&beliefs), missing, standing }
    }

    fn best(&self, standing: &Standing, beliefs: &LineBeliefs) -> Option<Question> {
        let best = lines::choose(&self.graph, &self.ground, beliefs, &self.answers, self.doubt)?;
        match standing.next.filter(|&step| self.graph.can_be_wrong(step) && self.is_led(step, standing, &best)) {
            Some(step) => Some(self.question(step, standing, beliefs)),
            None => Some(best),
        }
    }

    /// Whether the states know better than beliefs: which step of a line it is, beliefs do not tell, but iterations that go
    /// the same way as sound ones can be passed over. From value to value only a user is led who can tell about each step, and not for long.
    fn is_led(&self, step: StepId, standing: &Standing, best: &Question) -> bool {
        let is_repeated = |step: StepId| self.graph.steps_of(self.graph.step(step).line).len() > 1;
        let is_clear = || self.answers.iter().all(|(_, answer)| *answer != Answer::Unclear);
        // Each iteration ran because of the one before.
        let is_round = matches!(self.answers[..], [.., (_, Answer::WrongPath), (_, Answer::WrongPath)]);
        match standing.state {
            State::Skip | State::BinarySearch => true,
            State::SimpleInference => {
                self.answers.len() < MOST_LED
                    && !is_round
                    && is_clear()
                    && (is_repeated(step) || is_repeated(best.step))
            }
            State::InspectDetails | State::Unclear | State::PartialClear => false,
        }
    }

    /// The question that the states lead to.
    fn question(&self, step: StepId, standing: &Standing, beliefs: &LineBeliefs) -> Question {
        let reason = match (standing.state, self.answers.last()) {
            (_, None) => Reason::Failure,
            (State::SimpleInference, Some((_, Answer::WrongPath))) => Reason::Decision,
            (State::SimpleInference, _) => Reason::Source,
            _ => Reason::Guidance,
        };
        Question { step, reason, suspicion: beliefs.of_line(self.graph.step(step).line), gain: 0.0 }
    }

    /// Whether nothing is left that could have changed a value between where it was made and where it is used.
    fn is_missing(&self, gap: Gap, standing: &Standing) -> bool {
        let is_settled =
            |step: &StepId| self.answers.iter().any(|(other, answer)| other == step && *answer != Answer::Unclear);
        match self.policy {
            Policy::Paper => standing.next.is_none(),
            Policy::Expected => self.omitting(gap).iter().all(is_settled),
        }
    }

    /// The steps that could have changed the value of a gap, and what led to them after it was made.
    fn omitting(&self, gap: Gap) -> FxHashSet<StepId> {
        let effects = |step: StepId| self.graph.step(step).effects.iter().map(|&effect| self.graph.effect(effect));
        let of_gap = |input: &Input| self.graph.effect(input.from).step == gap.made;
        let users = effects(gap.used).filter(|effect| effect.inputs.iter().any(of_gap));
        let omissions = users.flat_map(|effect| effect.inputs.iter().filter(|input| input.way == Way::Omission));
        let mut open: Vec<StepId> = omissions.map(|input| self.graph.effect(input.from).step).collect();
        let mut found = FxHashSet::default();
        while let Some(step) = open.pop() {
            if step != gap.made && found.insert(step) {
                open.extend(self.graph.inputs_of(step).map(|input| self.graph.effect(input.from).step));
            }
        }
        found
    }

    fn finding(&self, course: &dyn Course) -> Option<Finding> {
        let is_found = |(_, answer): &&(StepId, Answer)| *answer == Answer::WrongResult;
        let step = self.answers.iter().rev().find(is_found)?.0;
        let way = self.way_from(step);
        let is_right = &self.facts().is_right;
        let kind = Evidence { graph: &self.graph, course, answers: &self.answers, is_right }.kind(&way);
        Some(Finding { step, way, kind })
    }

    /// The shortest way on which an error can have come from a step to the failure, both included, without what is
    /// right: by values if there is such a way, else by decisions, too.
    pub fn way_from(&self, step: StepId) -> Vec<StepId> {
        let is_right = self.facts().is_right;
        let by_values = self.way(step, &is_right, |way| matches!(way, Way::Value | Way::Address));
        let way = by_values.or_else(|| self.way(step, &is_right, |_| true));
        way.unwrap_or_else(|| vec![step, self.graph.failure()])
    }

    fn way(&self, step: StepId, is_right: &FixedBitSet, leads: impl Fn(Way) -> bool) -> Option<Vec<StepId>> {
        let mut towards: Vec<Option<EffectId>> = vec![None; self.graph.effects()];
        let mut is_seen = FixedBitSet::with_capacity(self.graph.effects());
        let mut open: VecDeque<EffectId> = self.graph.step(self.graph.failure()).effects.iter().copied().collect();
        open.iter().for_each(|effect| is_seen.insert(effect.0 as usize));
        while let Some(effect) = open.pop_front() {
            if self.graph.effect(effect).step == step {
                return Some(self.steps_on(effect, &towards));
            }
            for input in self.graph.effect(effect).inputs.iter().filter(|input| leads(input.way)) {
                let index = input.from.0 as usize;
                if !is_right.contains(index) && !is_seen.put(index) {
                    towards[index] = Some(effect);
                    open.push_back(input.from);
                }
            }
        }
        None
    }

    fn steps_on(&self, from: EffectId, towards: &[Option<EffectId>]) -> Vec<StepId> {
        let mut steps = Vec::new();
        let mut next = Some(from);
        while let Some(effect) = next {
            let step = self.graph.effect(effect).step;
            if steps.last() != Some(&step) {
                steps.push(step);
            }
            next = towards[effect.0 as usize];
        }
        steps
    }
}

/// How many of the likeliest lines hold most of the belief.
fn lines_left(beliefs: &LineBeliefs) -> usize {
    let mut held = 0.0;
    let suspects = beliefs.suspects();
    let needed = suspects.iter().take_while(|suspect| {
        let is_needed = held < MOST_BELIEF && suspect.weight > 0.0;
        held += suspect.weight;
        is_needed
    });
    needed.count()
}
