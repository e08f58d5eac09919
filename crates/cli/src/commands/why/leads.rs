//! The steps that an answer names, for those who want to go there.

use super::{AskedWhy, change, is_value};
use crate::error::Result;
use whydunit_debugger::{Cause, Causes, Ingredient, Moments, NotRun, Session, StepPlace, ThreadId};

impl AskedWhy {
    /// In the order of the answer, each once. A slice names too many.
    pub(in crate::commands) fn leads(&self, session: &Session, moments: &Moments) -> Result<Vec<u64>> {
        let step = self.step.map(|number| moments.local_step(number)).transpose()?.flatten();
        let mut places = Vec::new();
        if let Some(line) = &self.not {
            if let Ok(line) = session.find_code_line(line) {
                let found = match step {
                    Some((thread, step)) => session.why_not_in_call(moments, thread, step, &line)?,
                    None => Some(session.why_not(moments, &line)?),
                };
                places.extend(found.iter().filter_map(step_of));
            }
        } else if let Some((thread, step)) = step
            && let Some(causes) = session.causes(moments, thread)
            && !self.slice
        {
            places = self.causes_of(session, moments, &causes, step)?;
        }
        let mut leads = Vec::new();
        for (thread, step) in places {
            let number = moments.global_step(thread, step)?;
            leads.extend(number.filter(|number| !leads.contains(number)));
        }
        Ok(leads)
    }

    fn causes_of(
        &self,
        session: &Session,
        moments: &Moments,
        causes: &Causes<'_>,
        step: u64,
    ) -> Result<Vec<(ThreadId, u64)>> {
        let mut found: Vec<StepPlace> = Vec::new();
        if let Some(variable) = &self.variable {
            match causes.of_variable(step, variable)? {
                Ok(of_variable) => {
                    for cause in &of_variable {
                        found.push(cause.place);
                        found.extend(sources(&causes.ingredients(cause)?));
                    }
                }
                Err(_) => {
                    let change = change::last(session, moments, (causes.thread(), step), variable)?;
                    found.extend(change.and_then(std::result::Result::ok).map(|change| change.place));
                }
            }
        } else if let Some(of_step) = causes.of_step(step)? {
            let decided: Option<Cause> = of_step.decided_by.ok();
            if !self.control {
                found.extend(sources(&of_step.ingredients));
            }
            found.extend(decided.map(|cause| cause.place));
        }
        Ok(found.into_iter().map(|place| (place.thread, place.step)).collect())
    }
}

fn sources(ingredients: &[Ingredient]) -> impl Iterator<Item = StepPlace> {
    let values = ingredients.iter().filter(|ingredient| is_value(ingredient));
    values.filter_map(|ingredient| ingredient.source.as_ref().ok()).map(|cause| cause.place)
}

fn step_of(found: &NotRun) -> Option<(ThreadId, u64)> {
    match found {
        NotRun::Ran { thread, step } | NotRun::OtherCalled { thread, step } => Some((*thread, *step)),
        NotRun::TurnedAway(cause) | NotRun::Threw(cause) => Some((cause.place.thread, cause.place.step)),
        NotRun::Left { thread, end } => Some((*thread, end.latest)),
        NotRun::NotEntered { callers, .. } => callers.iter().find_map(|(_, found)| step_of(found)),
        NotRun::NoException | NotRun::NotYet => None,
    }
}
