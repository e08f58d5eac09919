//! Names that are not in a run.

use crate::error::UserError;
use whydunit_debugger::UnknownName;

/// The problem, and the names that would have been right.
pub(crate) fn explain(unknown: UnknownName) -> UserError {
    let error = UserError::new(unknown.problem);
    if unknown.nearest.is_empty() {
        return error;
    }
    let names: Vec<String> = unknown.nearest.iter().map(|name| format!("`{name}`")).collect();
    error.hint(format!("did you mean {}?", names.join(", ")))
}
