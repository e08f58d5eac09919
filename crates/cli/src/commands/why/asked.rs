//! A step as the user names it: by its number, or by a line of the source.

use crate::commands::questions::{explain, no_such_step};
use crate::error::{Result, UserError};
use std::convert::Infallible;
use std::str::FromStr;
use whydunit_debugger::{Moments, Query, Session, ThreadId};

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

    pub(in crate::commands) fn find(&self, session: &Session, moments: &Moments) -> Result<(ThreadId, u64)> {
        match self {
            AskedPlace::Step(number) => {
                let unknown = || no_such_step(*number, moments.all_steps());
                Ok(moments.local_step(*number)?.ok_or_else(unknown)?)
            }
            AskedPlace::Line(asked) if !asked.contains(':') => {
                let problem = UserError::new(format!("`{asked}` is neither a step nor a line"));
                Err(problem.hint("write the number of a step, or a line as `Cart.java:31`").into())
            }
            AskedPlace::Line(asked) => last_visit(session, moments, asked),
        }
    }
}

fn last_visit(session: &Session, moments: &Moments, asked: &str) -> Result<(ThreadId, u64)> {
    let line = session.find_code_line(asked).map_err(explain)?;
    let mut last: Option<(u64, ThreadId, u64)> = None;
    if let Ok(number) = u16::try_from(line.line) {
        let query = Query::Line { methods: line.methods, line: number };
        for &thread in session.recording().threads.keys() {
            let hit = session.last_before(moments, &query, thread, u64::MAX)?;
            let Some(step) = hit.map(|hit| hit.step) else { continue };
            let number = moments.global_step(thread, step)?.unwrap_or(step);
            last = last.max(Some((number, thread, step)));
        }
    }
    let Some((_, thread, step)) = last else {
        let error = UserError::new(format!("line `{asked}` did not run"));
        return Err(error.hint(format!("ask why: `whydunit why --not {asked}`")).into());
    };
    Ok((thread, step))
}
