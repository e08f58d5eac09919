//! The steps that an answer names, for those who want to go there.

use super::is_value;
use crate::context::Outcome;
use whydunit_debugger::{Cause, NotRun, StepCauses, StepPlace, ThreadId};

/// How a question was answered, and the steps that the answer is about, in its order.
pub(in crate::commands) struct Answer {
    pub(in crate::commands) outcome: Outcome,
    pub(in crate::commands) leads: Vec<(ThreadId, u64)>,
}

impl Answer {
    /// One that leads nowhere.
    pub(super) fn without(outcome: Outcome) -> Answer {
        Answer { outcome, leads: Vec::new() }
    }

    pub(super) fn naming(places: impl IntoIterator<Item = StepPlace>) -> Answer {
        let leads = places.into_iter().map(|place| (place.thread, place.step)).collect();
        Answer { outcome: Outcome::Done, leads }
    }

    pub(super) fn about(causes: &[Cause]) -> Answer {
        Answer::naming(causes.iter().map(|cause| cause.place))
    }

    pub(super) fn about_step(causes: &StepCauses) -> Answer {
        let values = causes.ingredients.iter().filter(|ingredient| is_value(ingredient));
        let sources = values.filter_map(|ingredient| ingredient.source.as_ref().ok());
        Answer::naming(sources.chain(causes.decided_by.as_ref().ok()).map(|cause| cause.place))
    }

    pub(super) fn about_line(found: &NotRun) -> Answer {
        let outcome = if matches!(found, NotRun::Ran { .. }) { Outcome::Negative } else { Outcome::Done };
        Answer { outcome, leads: step_of(found).into_iter().collect() }
    }
}

fn step_of(found: &NotRun) -> Option<(ThreadId, u64)> {
    match found {
        NotRun::Ran { thread, step } | NotRun::OtherCalled { thread, step, .. } | NotRun::OnlyMade { thread, step } => {
            Some((*thread, *step))
        }
        NotRun::TurnedAway(cause) | NotRun::Threw(cause) => Some((cause.place.thread, cause.place.step)),
        NotRun::Left { by, .. } if by.thrown.is_some() => by.thrown.map(|place| (place.thread, place.step)),
        NotRun::Left { thread, end, .. } | NotRun::Returned { thread, end } => Some((*thread, end.latest)),
        NotRun::NotEntered { callers, .. } => callers.iter().find_map(|(_, found)| step_of(found)),
        NotRun::NotYet { at, .. } => at.map(|at| (at.thread, at.step)),
        NotRun::NoException => None,
    }
}
