//! What all commands that ask about a run have in common.

use crate::context::Context;
use crate::error::{Result, UserError};
use crate::progress::Progress;
use std::mem::ManuallyDrop;
use whydunit_debugger::{Moments, Session, ThreadId, UnknownName};
use whydunit_store::Run;

/// A run that is open for questions.
pub(super) struct OpenRun {
    pub(super) run: Run,
    /// Is left to the end of the process: taking the decoded methods of a large program apart takes as long as an answer.
    pub(super) session: ManuallyDrop<Session>,
}

impl OpenRun {
    pub(super) fn find(context: &Context, name: &str) -> Result<OpenRun> {
        context.ask_about(name);
        let run = context.find_run(name)?;
        let session = ManuallyDrop::new(open(&run)?);
        Ok(OpenRun { run, session })
    }

    /// Opens the index, or builds it.
    pub(super) fn moments(&self, context: &Context) -> Result<&Moments> {
        index(context, &self.run, &self.session)
    }
}

pub(super) fn open(run: &Run) -> Result<Session> {
    Ok(Session::open_indexed(&run.trace_path(), &run.index_dir())?.with_sources(&run.sources_dir()))
}

/// Opens the index, or builds it.
pub(super) fn index<'s>(context: &Context, run: &Run, session: &'s Session) -> Result<&'s Moments> {
    let progress = Progress::new(context, "building the index");
    Ok(session.index(&run.index_dir(), &|instructions| progress.add(instructions))?)
}

pub(super) fn thread_name(session: &Session, thread: ThreadId) -> String {
    session.thread_name(thread).map_or_else(|| thread.to_string(), str::to_owned)
}

pub(super) fn explain(unknown: UnknownName) -> UserError {
    let error = UserError::new(unknown.problem);
    if unknown.nearest.is_empty() {
        return error;
    }
    let names: Vec<String> = unknown.nearest.iter().map(|name| format!("`{name}`")).collect();
    error.hint(format!("did you mean {}?", names.join(", ")))
}

pub(super) fn no_such_step(step: u64, steps: u64) -> UserError {
    match steps {
        0 => UserError::new("the run has no steps").hint("compile the program with line numbers (`javac -g`)"),
        steps => UserError::new(format!("there is no step {step}")).hint(format!("the run has steps 1 to {steps}")),
    }
}
