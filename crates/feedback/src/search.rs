//! The search for the first wrong step: a graph and the answers so far. Everything else follows from these two, so that
//! to take an answer back is to forget it.

use crate::answers::{Answer, Contradiction};
use crate::beliefs::Beliefs;
use crate::choice::{self, Question};
use crate::graph::{EffectId, Graph, StepId};
use crate::likeness::Likeness;
use fixedbitset::FixedBitSet;
use std::collections::VecDeque;

#[derive(Debug)]
pub struct Search {
    graph: Graph,
    likeness: Likeness,
    answers: Vec<(StepId, Answer)>,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Verdict {
    Ask(Question),
    Found(Finding),
    /// What is wrong lies where the graph ends.
    Beyond,
}

/// The first wrong step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    pub step: StepId,
    /// How the error has come from there to the failure.
    pub way: Vec<StepId>,
}

impl Search {
    pub fn new(graph: Graph) -> Search {
        Search { likeness: Likeness::new(&graph), graph, answers: Vec::new() }
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
        self.beliefs().facts.contradiction
    }

    /// Forgets the answers from a position on.
    pub fn back_to(&mut self, position: usize) {
        self.answers.truncate(position);
    }

    pub fn beliefs(&self) -> Beliefs {
        Beliefs::new(&self.graph, &self.likeness, &self.answers)
    }

    pub fn next(&self) -> Verdict {
        if let Some(finding) = self.finding() {
            return Verdict::Found(finding);
        }
        let beliefs = self.beliefs();
        match choice::choose(&self.graph, &beliefs, &self.answers) {
            Some(question) if beliefs.beyond() < 0.5 => Verdict::Ask(question),
            _ => Verdict::Beyond,
        }
    }

    fn finding(&self) -> Option<Finding> {
        let is_found = |(_, answer): &&(StepId, Answer)| *answer == Answer::WrongResult;
        let step = self.answers.iter().rev().find(is_found)?.0;
        Some(Finding { step, way: self.way_from(step) })
    }

    /// The shortest way on which an error can have come from a step to the failure, both included, without what is
    /// right.
    pub fn way_from(&self, step: StepId) -> Vec<StepId> {
        let beliefs = self.beliefs();
        let failure = self.graph.failure();
        let mut towards: Vec<Option<EffectId>> = vec![None; self.graph.effects()];
        let mut is_seen = FixedBitSet::with_capacity(self.graph.effects());
        let mut open: VecDeque<EffectId> = self.graph.step(failure).effects.iter().copied().collect();
        open.iter().for_each(|effect| is_seen.insert(effect.0 as usize));
        while let Some(effect) = open.pop_front() {
            if self.graph.effect(effect).step == step {
                return self.steps_on(effect, &towards);
            }
            for input in &self.graph.effect(effect).inputs {
                let index = input.from.0 as usize;
                if !beliefs.facts.is_right.contains(index) && !is_seen.put(index) {
                    towards[index] = Some(effect);
                    open.push_back(input.from);
                }
            }
        }
        vec![step, failure]
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
