//! Code that is not there: where a value should have been changed, and under which conditions.

use super::finder::Finder;
use super::telling::Condition;
use crate::causes::{Ingredient, StepPlace};
use crate::session::SessionError;
use whydunit_feedback::{Gap, Way};

/// Conditions that are told.
const MOST_CONDITIONS: usize = 8;

/// A value that is right where it was made and wrong where it is used, although nothing that ran in between is wrong.
#[derive(Debug)]
pub struct MissingCode {
    pub made: StepPlace,
    pub used: StepPlace,
    /// The value, as the one that uses it reads it.
    pub value: Option<Ingredient>,
    /// What else the step that uses it reads.
    pub beside: Vec<Ingredient>,
    /// What held between where the value was made and where it is used, the last condition first.
    pub conditions: Vec<Condition>,
    /// Branches in between whose other way would have changed it.
    pub could_have_changed: Vec<StepPlace>,
}

impl Finder<'_> {
    pub fn missing(&self, gap: Gap) -> Result<MissingCode, SessionError> {
        let (made, used) = (*self.place(gap.made), *self.place(gap.used));
        let value = self.taken(gap.used, made)?;
        let step = self.step(gap.used)?;
        let mut conditions = Vec::new();
        let mut next = step.as_ref().and_then(|step| step.decided_by.clone().ok());
        while let Some(cause) = next.take()
            && conditions.len() < MOST_CONDITIONS
            && (cause.place.thread != made.thread || cause.place.step > made.step)
        {
            next = self.causes.decision(&cause)?.ok();
            conditions.push(self.condition(cause)?);
        }
        let beside = step.map(|step| step.ingredients).unwrap_or_default();
        let beside = beside.into_iter().filter(|one| Some(one) != value.as_ref()).collect();
        let graph = &self.background.graph;
        let inputs = graph.inputs_of(gap.used).filter(|input| input.way == Way::Omission);
        let mut could_have_changed: Vec<StepPlace> =
            inputs.map(|input| *self.place(graph.effect(input.from).step)).collect();
        could_have_changed.sort_unstable();
        could_have_changed.dedup();
        Ok(MissingCode { made, used, value, beside, conditions, could_have_changed })
    }
}
