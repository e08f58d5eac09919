//! From an exception to the value that made it happen.

use super::chain::Extent;
use super::json::{JsonAnswer, JsonStep, JsonTelling};
use super::leads::Answer;
use super::{Teller, is_value};
use crate::commands::questions::explain;
use crate::context::{Context, FAINT, GOOD, Outcome, WARNING};
use crate::error::{Result, UserError};
use std::io::Write;
use whydunit_debugger::{Failure, Ingredient, Moments, Session, StepPlace, Value};

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

pub(super) fn tell_of(
    context: &Context,
    session: &Session,
    moments: &Moments,
    place: StepPlace,
    exception: Value,
    (chain, limit): (u32, usize),
) -> Result<Answer> {
    let teller = Teller::new(context, session, moments, place.thread)?;
    let Some(mut causes) = teller.causes.of_step(place.step)? else { return teller.nothing() };
    // What the step did before it threw is another question.
    let given: Vec<Ingredient> = match &causes.threw {
        Some(threw) if !threw.is_statement() => threw.given.clone(),
        _ => causes.ingredients.iter().filter(|one| is_value(one)).cloned().collect(),
    };
    causes.ingredients = given;
    let extent = match &causes.threw {
        Some(threw) if threw.is_by_call() => Extent::through_calls(chain.saturating_sub(1)),
        _ => Extent::steps(chain.saturating_sub(1)),
    };
    if context.json {
        let telling = JsonTelling::new(session, moments, &teller.causes);
        let json = JsonStep::new(&telling, &causes, extent)?;
        context.print_json(&JsonAnswer::new("exception", vec![json.throwing(session, exception)]))?;
    } else {
        let words = session.words_of_exception(moments, (place.thread, place.step), exception)?;
        let number = teller.number(&place)?;
        let mut out = context.stdout();
        writeln!(out, "{WARNING}{words} was thrown in{WARNING:#} step {number}  {}", teller.source(&place))?;
        drop(out);
        teller.chain(&causes.ingredients, extent, limit)?;
        if let Some(receiver) = causes.threw.as_ref().and_then(|threw| threw.null_receiver.as_deref()) {
            teller.null(place.step, receiver)?;
        }
        teller.decided_by(&causes.decided_by)?;
    }
    let mut answer = Answer::about_step(&causes);
    answer.leads.insert(0, (place.thread, place.step));
    Ok(answer)
}

impl Teller<'_> {
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
