//! From an exception to the value that made it happen.

use super::chain::Extent;
use super::json::{JsonAnswer, JsonStep, JsonTelling};
use super::leads::Answer;
use super::{Teller, is_value};
use crate::commands::questions::explain;
use crate::context::{Context, FAINT, GOOD, Outcome, WARNING};
use crate::error::{Result, UserError};
use std::collections::HashSet;
use std::io::Write;
use whydunit_debugger::{Failure, Moments, Session, StepCauses, StepPlace, Value};

/// The last exception that no recorded code caught, or the last one that is asked for.
pub(super) fn tell(
    context: &Context,
    session: &Session,
    moments: &Moments,
    asked: &str,
    bounds: (u32, usize),
) -> Result<Answer> {
    let failures = session.failures(moments)?;
    let chosen = chosen(session, &failures, asked);
    if chosen.is_none() && asked.parse::<usize>().is_ok() {
        let problem = format!("there is no exception {asked} among the {} that left recorded code", failures.len());
        return Err(UserError::new(problem).hint_to_ask("to see them", "why --exception").into());
    }
    let found = match chosen {
        Some(failure) => moments.local_step(failure.step)?.and_then(|(thread, step)| {
            let place = session.place_of_step(moments, thread, step).ok().flatten()?;
            Some((place, failure.exception))
        }),
        None if asked.is_empty() => None,
        None => session.last_exception(moments, asked)?.map_err(explain)?,
    };
    match found {
        Some((place, exception)) => {
            let answer = tell_of(context, session, moments, place, exception, bounds)?;
            if let Some(chosen) = chosen.filter(|_| failures.len() > 1) {
                note_others(context, session, moments, &failures, chosen)?;
            }
            Ok(answer)
        }
        None => {
            let what =
                if asked.is_empty() { "no exception left recorded code" } else { "no such exception was thrown" };
            if context.json {
                context.print_json(&JsonAnswer::<()>::new("exception", Vec::new()).with_notes(&[what.to_owned()]))?;
            }
            context.note(what);
            Ok(Answer::without(Outcome::Negative))
        }
    }
}

/// The failure that is asked for by its number or by the method that it left; without a question the last one.
fn chosen<'f>(session: &Session, failures: &'f [Failure], asked: &str) -> Option<&'f Failure> {
    if asked.is_empty() {
        return failures.last();
    }
    if let Ok(number) = asked.parse::<usize>() {
        return failures.get(number.checked_sub(1)?);
    }
    failures.iter().rev().find(|failure| {
        let name = session.method_name(failure.method);
        name == asked || name.rsplit('.').next() == Some(asked)
    })
}

/// Names all failures of the run, so that another one can be asked for.
fn note_others(
    context: &Context,
    session: &Session,
    moments: &Moments,
    failures: &[Failure],
    chosen: &Failure,
) -> Result<()> {
    context.note(&format!("{} exceptions left recorded code; `--exception N` tells of another one:", failures.len()));
    for (number, failure) in (1..).zip(failures) {
        let at = moments.local_step(failure.step)?.unwrap_or((failure.thread, failure.step));
        let words = session.words_of_exception(moments, at, failure.exception)?;
        let mark = if failure == chosen { '→' } else { ' ' };
        let method = session.method_name(failure.method);
        context.note(&format!("{mark} {number}  {method}  {words}  step {}", failure.step));
    }
    Ok(())
}

/// An exception, and if a task has thrown it in another thread, what that has thrown.
pub(super) fn tell_of(
    context: &Context,
    session: &Session,
    moments: &Moments,
    place: StepPlace,
    exception: Value,
    (chain, limit): (u32, usize),
) -> Result<Answer> {
    let mut next = Some((place, exception));
    let (mut json, mut first) = (Vec::new(), None);
    let mut told = HashSet::new();
    while let Some((place, exception)) = next.take().filter(|(place, _)| told.insert((place.thread, place.step))) {
        let teller = Teller::new(context, session, moments, place.thread)?;
        let Some((causes, extent)) = teller.of_throw(place.step, chain)? else { break };
        if context.json {
            let telling = JsonTelling::new(session, moments, &teller.causes);
            json.push(JsonStep::new(&telling, &causes, extent)?.throwing(session, exception));
        } else {
            teller.throw(&causes, exception, first.is_some(), (extent, limit))?;
        }
        next = causes.threw.as_ref().and_then(|threw| threw.by_task);
        first.get_or_insert(causes);
    }
    let Some(first) = first else { return Teller::new(context, session, moments, place.thread)?.nothing() };
    if context.json {
        context.print_json(&JsonAnswer::new("exception", json))?;
    }
    let mut answer = Answer::about_step(&first);
    answer.leads.insert(0, (place.thread, place.step));
    Ok(answer)
}

impl Teller<'_> {
    /// What is behind an exception of a step, and how far it is told. What the step did before it threw is another
    /// question.
    fn of_throw(&self, step: u64, chain: u32) -> Result<Option<(StepCauses, Extent)>> {
        let Some(mut causes) = self.causes.of_step(step)? else { return Ok(None) };
        causes.ingredients = match &causes.threw {
            Some(threw) if !threw.is_statement() => threw.given.clone(),
            _ => causes.ingredients.iter().filter(|one| is_value(one)).cloned().collect(),
        };
        let extent = match &causes.threw {
            Some(threw) if threw.is_by_call() => Extent::through_calls(chain.saturating_sub(1)),
            _ => Extent::steps(chain.saturating_sub(1)),
        };
        Ok(Some((causes, extent)))
    }

    fn throw(
        &self,
        causes: &StepCauses,
        exception: Value,
        is_by_task: bool,
        (extent, limit): (Extent, usize),
    ) -> Result<()> {
        let place = &causes.place;
        let words = self.session.words_of_exception(self.moments, (place.thread, place.step), exception)?;
        let number = self.number(place)?;
        let whose = if is_by_task { "because the task threw " } else { "" };
        let was = if is_by_task { "" } else { " was thrown" };
        let mut out = self.context.stdout();
        writeln!(out, "{WARNING}{whose}{words}{was} in{WARNING:#} step {number}  {}", self.source(place))?;
        drop(out);
        self.chain(&causes.ingredients, extent, limit)?;
        if let Some(receiver) = causes.threw.as_ref().and_then(|threw| threw.null_receiver.as_deref()) {
            self.null(place.step, receiver)?;
        }
        self.decided_by(&causes.decided_by)
    }

    /// Where the null comes from that something was to be called on.
    fn null(&self, step: u64, receiver: &str) -> Result<()> {
        let behind =
            self.behind(step, receiver).ok().and_then(std::result::Result::ok).and_then(std::result::Result::ok);
        let mut out = self.context.stdout();
        match behind.and_then(|(behind, _)| behind.causes.into_iter().next()) {
            Some(cause) => {
                let number = self.number(&cause.place)?;
                let source = self.source(&cause.place);
                writeln!(out, "  {GOOD}{receiver} = null{GOOD:#}  {FAINT}from step{FAINT:#} {number}  {source}")?;
            }
            None => writeln!(out, "  {GOOD}{receiver} = null{GOOD:#}")?,
        }
        Ok(())
    }
}
