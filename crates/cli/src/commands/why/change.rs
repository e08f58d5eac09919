//! Where something got its value that the step itself has nothing to do with.

use crate::commands::query::explain;
use crate::error::Result;
use whydunit_debugger::{Moments, Session, ThreadId};
use whydunit_querypoints::syntax::parse_condition;
use whydunit_querypoints::{Change, Missing, QueryError, last_change_before};

/// `None` when there is nothing of this name.
pub(super) fn last(
    session: &Session,
    moments: &Moments,
    (thread, step): (ThreadId, u64),
    variable: &str,
) -> Result<Option<std::result::Result<Change, Missing>>> {
    let Ok(path) = parse_condition(variable) else { return Ok(None) };
    let Some(moment) = session.start_of(moments, thread, step)? else { return Ok(None) };
    match last_change_before(session, moments, moment, &path) {
        Ok(found) => Ok(Some(found)),
        Err(QueryError::Wrong { .. } | QueryError::UnknownName { .. }) => Ok(None),
        Err(error) => Err(explain(error)),
    }
}
