//! What is behind a name: what the step reads or writes, or the last change of something that it has nothing to do
//! with.

use super::Teller;
use crate::commands::query::explain;
use crate::commands::questions;
use crate::error::{CommandError, Result};
use std::collections::BTreeSet;
use whydunit_debugger::{Behind, UnknownVariable};
use whydunit_querypoints::syntax::parse_condition;
use whydunit_querypoints::{Change, Happened, QueryError, last_change_before};

/// Names that a hint lists.
const LISTED: usize = 6;

impl Teller<'_> {
    /// What is behind a variable's value, with what should be known besides; or why nothing is known.
    pub(super) fn behind(
        &self,
        step: u64,
        variable: &str,
    ) -> Result<std::result::Result<(Behind, Vec<String>), String>> {
        let unknown = match self.causes.of_variable(step, variable)? {
            Ok(found) => return Ok(Ok((found, Vec::new()))),
            Err(unknown) => unknown,
        };
        let (Ok(path), Some(moment)) =
            (parse_condition(variable), self.session.start_of(self.moments, self.causes.thread(), step)?)
        else {
            return Err(explain_unknown(unknown));
        };
        match last_change_before(self.session, self.moments, moment, &path) {
            Ok(Ok(change)) => {
                let notes = change.notes.clone();
                Ok(Ok((self.of_change(&change)?, notes)))
            }
            Ok(Err(missing)) => Ok(Err(missing.why)),
            Err(QueryError::Wrong { .. } | QueryError::UnknownName { .. }) => Err(explain_unknown(unknown)),
            Err(error) => Err(explain(error)),
        }
    }

    fn of_change(&self, change: &Change) -> Result<Behind> {
        let what = match &change.happened {
            Happened::Changed { what, .. } | Happened::Passed { what, .. } => what,
            _ => return Ok(Behind::default()),
        };
        Ok(Behind { causes: self.causes.changed_in(&change.place, what)?, unknown: Vec::new() })
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
