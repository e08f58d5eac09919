//! A search for the first wrong step, step by step of a run.

use super::background::Background;
use crate::causes::{Causes, Ingredient, StepCauses, StepPlace};
use crate::session::{Session, SessionError};
use crate::state::Moments;
use whydunit_feedback::{Answer, Contradiction, EffectId, Finding, Question, Search, StepId, Verdict};
use whydunit_slices::Role;
use whydunit_trace::ThreadId;

#[derive(Debug)]
pub struct Finder<'s> {
    causes: Causes<'s>,
    background: Background,
    search: Search,
}

/// What a user says about a step. Values are counted from 0, as the step lists what it reads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    Correct,
    /// These values are wrong, the others are right.
    Wrong(Vec<usize>),
    /// What it reads is right, what it makes of it is not.
    WrongResult,
    WrongPath,
    /// Something that it makes is wrong, but neither its line nor what it is seen to read.
    WrongSomehow,
    Unclear,
}

/// What comes next.
#[derive(Debug)]
pub enum Asked {
    Step(Box<AskedStep>),
    Found(Finding),
    /// What is wrong lies further back than was looked at.
    Beyond,
}

/// A step to judge.
#[derive(Debug)]
pub struct AskedStep {
    pub question: Question,
    pub step: StepCauses,
    /// The values that it reads.
    pub reads: Vec<Ingredient>,
}

/// Something that a step reads, and what gave it its value, as far as that was looked at.
pub type SourcedRead = (Ingredient, Option<EffectId>);

impl<'s> Finder<'s> {
    /// `None` when the thread has no such step.
    pub fn new(
        session: &'s Session,
        moments: &'s Moments,
        thread: ThreadId,
        step: u64,
    ) -> Result<Option<Finder<'s>>, SessionError> {
        let Some(causes) = session.causes(moments, thread) else { return Ok(None) };
        let Some(background) = causes.background(thread, step)? else { return Ok(None) };
        let search = Search::new(background.graph.clone());
        Ok(Some(Finder { causes, background, search }))
    }

    pub fn search(&self) -> &Search {
        &self.search
    }

    pub fn place(&self, step: StepId) -> &StepPlace {
        self.background.place(step)
    }

    pub fn next(&self) -> Result<Asked, SessionError> {
        Ok(match self.search.next() {
            Verdict::Found(finding) => Asked::Found(finding),
            Verdict::Beyond => Asked::Beyond,
            Verdict::Ask(question) => match self.step(question.step)? {
                Some(step) => {
                    let reads = step.ingredients.iter().filter(|one| one.role == Role::Value).cloned().collect();
                    Asked::Step(Box::new(AskedStep { question, step, reads }))
                }
                None => Asked::Beyond,
            },
        })
    }

    fn step(&self, step: StepId) -> Result<Option<StepCauses>, SessionError> {
        let place = self.background.place(step);
        self.causes.of_step_in(place.thread, place.step)
    }

    /// What a step reads; `None` when there is no such step.
    pub fn reads(&self, step: StepId) -> Result<Option<Vec<SourcedRead>>, SessionError> {
        let Some(causes) = self.step(step)? else { return Ok(None) };
        let reads = causes.ingredients.into_iter().filter(|one| one.role == Role::Value);
        Ok(Some(reads.map(|read| (read.clone(), self.background.source(&read))).collect()))
    }

    /// Takes an answer to a question; the contradiction with an earlier one, if it is one.
    pub fn reply(&mut self, asked: &AskedStep, reply: &Reply) -> Option<Contradiction> {
        let answer = match reply {
            Reply::Correct => Answer::Correct,
            Reply::WrongResult => Answer::WrongResult,
            Reply::WrongPath => Answer::WrongPath,
            Reply::Unclear => Answer::Unclear,
            Reply::WrongSomehow => Answer::WrongSomehow { right: self.sources(asked, |_| true) },
            Reply::Wrong(numbers) => Answer::WrongValues {
                wrong: self.sources(asked, |number| numbers.contains(&number)),
                right: self.sources(asked, |number| !numbers.contains(&number)),
            },
        };
        self.search.answer(asked.question.step, answer)
    }

    /// What gave some of the values that a step reads.
    fn sources(&self, asked: &AskedStep, is_meant: impl Fn(usize) -> bool) -> Vec<EffectId> {
        let meant = asked.reads.iter().enumerate().filter(|(number, _)| is_meant(*number));
        meant.filter_map(|(_, read)| self.background.source(read)).collect()
    }

    /// Forgets the answers from a position on.
    pub fn back_to(&mut self, position: usize) {
        self.search.back_to(position);
    }
}
