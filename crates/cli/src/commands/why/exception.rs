//! From an exception to the value that made it happen.

use super::json::{JsonAnswer, JsonStep, JsonTelling};
use super::leads::Answer;
use super::{Teller, is_value};
use crate::commands::questions::explain;
use crate::context::{Context, FAINT, GOOD, Outcome, WARNING};
use crate::error::Result;
use std::io::Write;
use whydunit_debugger::{Ingredient, Moments, Session, StepPlace, Value};

/// The last exception that no recorded code caught, or the last one that is asked for.
pub(super) fn tell(
    context: &Context,
    session: &Session,
    moments: &Moments,
    asked: &str,
    bounds: (u32, usize),
) -> Result<Answer> {
    let found = match asked {
        "" => match session.failure(moments)? {
            Some(failure) => moments.local_step(failure.step)?.and_then(|(thread, step)| {
                let place = session.place_of_step(moments, thread, step).ok().flatten()?;
                Some((place, failure.exception))
            }),
            None => None,
        },
        asked => session.last_exception(moments, asked)?.map_err(explain)?,
    };
    match found {
        Some((place, exception)) => tell_of(context, session, moments, place, exception, bounds),
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
    if context.json {
        let telling = JsonTelling::new(session, moments, &teller.causes);
        let json = JsonStep::new(&telling, &causes, chain)?;
        context.print_json(&JsonAnswer::new("exception", vec![json.throwing(session, exception)]))?;
    } else {
        let (words, number) = (session.words(exception), teller.number(&place)?);
        let mut out = context.stdout();
        writeln!(out, "{WARNING}{words} was thrown in{WARNING:#} step {number}  {}", teller.source(&place))?;
        drop(out);
        teller.chain(&causes.ingredients, chain, limit)?;
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
        let behind = self.behind(step, receiver).ok().and_then(std::result::Result::ok);
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
