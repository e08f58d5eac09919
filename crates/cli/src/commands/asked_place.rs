//! A step as the user names it: by its number, or by a line of the source.

use crate::commands::questions::{explain, no_such_step};
use crate::error::{CommandError, Result, UserError};
use std::convert::Infallible;
use std::str::FromStr;
use whydunit_debugger::{CodeLine, MethodIndex, Moments, Query, Session, ThreadId};

#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::commands) enum AskedPlace {
    /// Among the steps of all threads.
    Step(u64),
    /// `Cart.java:31`: the last visit.
    Line(String),
}

impl FromStr for AskedPlace {
    type Err = Infallible;

    fn from_str(text: &str) -> std::result::Result<AskedPlace, Infallible> {
        let digits: String = text.chars().filter(|c| !matches!(c, ' ' | '_')).collect();
        Ok(digits.parse().map_or_else(|_| AskedPlace::Line(text.to_owned()), AskedPlace::Step))
    }
}

impl AskedPlace {
    pub(in crate::commands) fn is_line(&self) -> bool {
        matches!(self, AskedPlace::Line(_))
    }

    /// The thread, and the step in it.
    pub(in crate::commands) fn find(&self, session: &Session, moments: &Moments) -> Result<(ThreadId, u64)> {
        match self {
            AskedPlace::Step(number) => {
                let unknown = || no_such_step(*number, moments.all_steps());
                Ok(moments.local_step(*number)?.ok_or_else(unknown)?)
            }
            AskedPlace::Line(asked) => {
                let CodeLine { methods, line } = find_line(session, asked)?;
                let last = last_visit(session, moments, methods, line)?;
                last.map(|visit| (visit.thread, visit.step)).ok_or_else(|| did_not_run(asked))
            }
        }
    }

    /// Among the steps of all threads.
    pub(in crate::commands) fn number(&self, session: &Session, moments: &Moments) -> Result<u64> {
        match self {
            AskedPlace::Step(number) => Ok(*number),
            AskedPlace::Line(_) => {
                let (thread, step) = self.find(session, moments)?;
                Ok(moments.global_step(thread, step)?.unwrap_or(step))
            }
        }
    }

    /// Of a line, the last visit in each method that has code there, such as a lambda and the method around it; the
    /// latest first.
    pub(in crate::commands) fn visits(&self, session: &Session, moments: &Moments) -> Result<Vec<(ThreadId, u64)>> {
        let AskedPlace::Line(asked) = self else { return Ok(vec![self.find(session, moments)?]) };
        let CodeLine { methods, line } = find_line(session, asked)?;
        let mut visits = Vec::new();
        for method in methods {
            visits.extend(last_visit(session, moments, vec![method], line)?);
        }
        if visits.is_empty() {
            return Err(did_not_run(asked));
        }
        visits.sort_unstable();
        Ok(visits.into_iter().rev().map(|visit| (visit.thread, visit.step)).collect())
    }
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Visit {
    /// Among the steps of all threads; what visits are ordered by.
    number: u64,
    thread: ThreadId,
    step: u64,
}

fn find_line(session: &Session, asked: &str) -> Result<CodeLine> {
    if !asked.contains(':') {
        let problem = UserError::new(format!("`{asked}` is neither a step nor a line"));
        return Err(problem.hint("write the number of a step, or a line as `Cart.java:31`").into());
    }
    Ok(session.find_code_line(asked).map_err(explain)?)
}

fn last_visit(session: &Session, moments: &Moments, methods: Vec<MethodIndex>, line: u32) -> Result<Option<Visit>> {
    let mut last = None;
    if let Ok(line) = u16::try_from(line) {
        let query = Query::Line { methods, line };
        for &thread in session.recording().threads.keys() {
            let hit = session.last_before(moments, &query, thread, u64::MAX)?;
            let Some(step) = hit.map(|hit| hit.step) else { continue };
            let number = moments.global_step(thread, step)?.unwrap_or(step);
            last = last.max(Some(Visit { number, thread, step }));
        }
    }
    Ok(last)
}

fn did_not_run(asked: &str) -> CommandError {
    let error = UserError::new(format!("line `{asked}` did not run"));
    error.hint_to_ask("ask why", format!("why --not {asked}")).into()
}
