//! What is told about steps of a search.

use super::finder::Finder;
use crate::causes::{Cause, Ingredient, StepPlace};
use crate::session::SessionError;
use whydunit_feedback::{Answer, StepId};
use whydunit_slices::Role;

/// Steps of a way whose values are told.
const MOST_TOLD: usize = 60;

/// What decided that a step ran.
#[derive(Clone, Debug, PartialEq)]
pub struct Condition {
    pub cause: Cause,
    /// `i:2 < n:3`, if it was a branch.
    pub text: Option<String>,
}

/// A step on the way of an error.
#[derive(Clone, Debug, PartialEq)]
pub struct WayStep {
    pub place: StepPlace,
    /// What it has got from the step before it on the way; `None` if that only decided that it ran.
    pub taken: Option<Ingredient>,
}

impl Finder<'_> {
    pub(super) fn condition(&self, cause: Cause) -> Result<Condition, SessionError> {
        let text = self.causes.decided(&cause)?.map(|decided| decided.text);
        Ok(Condition { cause, text })
    }

    pub(super) fn way(&self, steps: &[StepId]) -> Result<Vec<WayStep>, SessionError> {
        let mut way = Vec::with_capacity(steps.len());
        let mut before: Option<StepPlace> = None;
        for (number, &step) in steps.iter().enumerate() {
            let place = *self.place(step);
            let taken = match before.filter(|_| number <= MOST_TOLD) {
                Some(before) => self.taken(step, before)?,
                None => None,
            };
            way.push(WayStep { place, taken });
            before = Some(place);
        }
        Ok(way)
    }

    /// What a step reads that another one has made: what was said to be wrong rather than anything else, and values rather
    /// than the objects that they are in.
    pub(super) fn taken(&self, step: StepId, from: StepPlace) -> Result<Option<Ingredient>, SessionError> {
        let Some(causes) = self.step(step)? else { return Ok(None) };
        let is_from = |one: &Ingredient| {
            one.source.as_ref().is_ok_and(|source| (source.place.thread, source.place.step) == (from.thread, from.step))
        };
        let is_wrong = |one: &Ingredient| {
            let said = |(_, answer): &(StepId, Answer), effect| match answer {
                Answer::WrongValues { wrong, stale, .. } => {
                    wrong.contains(&effect) || stale.iter().any(|one| one.written == Some(effect))
                }
                _ => false,
            };
            let source = self.background.source(one);
            source.is_some_and(|effect| self.search().answers().iter().any(|answer| said(answer, effect)))
        };
        let taken = causes.ingredients.into_iter().filter(is_from);
        Ok(taken.min_by_key(|one| (!is_wrong(one), one.role != Role::Value)))
    }
}
