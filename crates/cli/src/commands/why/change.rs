//! What is behind a name: what the step reads or writes, or the last change of something that it has nothing to do
//! with.

use super::Teller;
use crate::commands::asked_place::AskedPlace;
use crate::commands::query::explain;
use crate::commands::questions;
use crate::context::Context;
use crate::error::{CommandError, Result, UserError};
use std::collections::BTreeSet;
use whydunit_debugger::{Behind, Moments, Session, UnknownVariable, Value};
use whydunit_querypoints::syntax::parse_condition;
use whydunit_querypoints::{Change, Happened, QueryError, Unwritten, last_change_before};

/// Names that a hint lists.
const LISTED: usize = 6;

/// What is behind a variable's value, with what should be known besides; or why nothing is known.
pub(super) type Known = std::result::Result<(Behind, Vec<String>), String>;

impl<'s> Teller<'s> {
    /// What is behind a variable, and the step that it is a variable of. A line may have code of several methods, such as
    /// a lambda and what is around it: the last visit is meant of those in which there is the variable.
    pub(super) fn of_variable(
        context: &'s Context,
        session: &'s Session,
        moments: &'s Moments,
        asked: &AskedPlace,
        variable: &str,
    ) -> Result<(Teller<'s>, u64, Known)> {
        let mut unknown = None;
        for (thread, step) in asked.visits(session, moments)? {
            let teller = Teller::new(context, session, moments, thread)?;
            match teller.behind(step, variable)? {
                Ok(known) => return Ok((teller, step, known)),
                Err(why) => unknown = unknown.or(Some(why)),
            }
        }
        Err(unknown.map_or_else(|| UserError::new("the line did not run").into(), explain_unknown))
    }

    pub(super) fn behind(&self, step: u64, variable: &str) -> Result<std::result::Result<Known, UnknownVariable>> {
        let unknown = match self.causes.of_variable(step, variable)? {
            Ok(found) => return Ok(Ok(Ok((found, Vec::new())))),
            Err(unknown) => unknown,
        };
        if variable == "this"
            && let Some(cause) = self.causes.of_receiver(step)?
        {
            return Ok(Ok(Ok((Behind { causes: vec![cause], unwritten: Vec::new() }, Vec::new()))));
        }
        let (Ok(path), Some(moment)) =
            (parse_condition(variable), self.session.start_of(self.moments, self.causes.thread(), step)?)
        else {
            return Ok(Err(unknown));
        };
        match last_change_before(self.session, self.moments, moment, &path) {
            Ok(Ok(change)) => {
                if let Some(behind) = self.of_element(step, &change)? {
                    return Ok(Ok(Ok((behind, Vec::new()))));
                }
                let notes = change.notes.clone();
                Ok(Ok(Ok((self.of_change(&change)?, notes))))
            }
            Ok(Err(missing)) => Ok(Ok(match self.of_unwritten(step, missing.unwritten)? {
                Some(behind) => Ok((behind, Vec::new())),
                None => Err(missing.why),
            })),
            Err(QueryError::Wrong { .. } | QueryError::UnknownName { .. }) => Ok(Err(unknown)),
            Err(error) => Err(explain(error)),
        }
    }

    /// What a step reads of the contents of an object, if only the reference to it was asked for.
    pub(super) fn contents_beside(&self, step: u64, known: &Known) -> Result<Option<String>> {
        let Ok((behind, _)) = known else { return Ok(None) };
        let objects =
            behind.causes.iter().filter_map(|cause| cause.value.filter(|value| matches!(value, Value::Ref(_))));
        let contents: Vec<String> = objects.map(|value| format!("contents of {}", self.session.words(value))).collect();
        let Some(causes) = self.causes.of_step(step)? else { return Ok(None) };
        let read = causes.ingredients.iter().find(|ingredient| contents.contains(&ingredient.name));
        Ok(read.map(|ingredient| ingredient.name.clone()))
    }

    /// What the step itself knows of an element that it was asked for by a path.
    fn of_element(&self, step: u64, change: &Change) -> Result<Option<Behind>> {
        match &change.happened {
            Happened::Changed { what, index: Some(_), .. } | Happened::MayHaveChanged { what, index: Some(_), .. } => {
                Ok(self.causes.of_variable(step, what)?.ok())
            }
            _ => Ok(None),
        }
    }

    fn of_change(&self, change: &Change) -> Result<Behind> {
        let causes = match &change.happened {
            Happened::Changed { what, .. } | Happened::Passed { what, .. } => {
                self.causes.changed_in(&change.place, what)?
            }
            Happened::MayHaveChanged { call, .. } => self.causes.called_in(&change.place, call)?,
            _ => Vec::new(),
        };
        Ok(Behind { causes, unwritten: Vec::new() })
    }

    /// What is known of something that no recorded code has written by the step itself, or by one that reads it.
    fn of_unwritten(&self, step: u64, unwritten: Option<Unwritten>) -> Result<Option<Behind>> {
        let Some(Unwritten { what, read_in }) = unwritten else { return Ok(None) };
        if let Ok(behind) = self.causes.of_variable(step, &what)? {
            return Ok(Some(behind));
        }
        let Some((thread, step)) = read_in.map(|number| self.moments.local_step(number)).transpose()?.flatten() else {
            return Ok(None);
        };
        let reader = Teller::new(self.context, self.session, self.moments, thread)?;
        Ok(reader.causes.of_read(step, &what)?)
    }
}

fn explain_unknown(unknown: UnknownVariable) -> CommandError {
    let UnknownVariable { name, reads, writes } = unknown;
    let listed = |names: &BTreeSet<String>| {
        let more = if names.len() > LISTED { ", …" } else { "" };
        let names: Vec<String> = names.iter().take(LISTED).map(|name| format!("`{name}`")).collect();
        format!("{}{more}", names.join(", "))
    };
    let mut error = questions::explain(name);
    if error.hint.is_none() {
        let hint = match (reads.is_empty(), writes.is_empty()) {
            (true, true) => return error.into(),
            (false, true) => format!("it reads {}", listed(&reads)),
            (true, false) => format!("it writes {}", listed(&writes)),
            (false, false) => format!("it reads {} and writes {}", listed(&reads), listed(&writes)),
        };
        error = error.hint(hint);
    }
    error.into()
}
