//! Why a line did not run.

mod call;
mod callers;
mod ending;
mod handlers;
mod operands;
mod search;

pub use ending::LeftBy;
pub use operands::Operand;

use super::{Cause, StepPlace};
use crate::session::{Session, SessionError};
use crate::state::Moments;
use call::CallScope;
use rustc_hash::FxHashSet;
use std::ops::RangeInclusive;
use whydunit_model::Decider;
use whydunit_replay::index::{CallEnd, Hit, Query};
use whydunit_replay::program::{MethodCode, MethodIndex, Pc};
use whydunit_trace::ThreadId;

/// Callers of callers that are looked at, where there are several.
const MAX_CALLERS: u32 = 5;

/// A line of the source and the methods that have code in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CodeLine {
    pub methods: Vec<MethodIndex>,
    pub line: u32,
}

/// What there is to say about a line that did not run.
#[derive(Clone, Debug)]
pub enum NotRun {
    /// It did: the last time in this step.
    Ran { thread: ThreadId, step: u64 },
    /// A branch went another way.
    TurnedAway(Cause),
    /// An exception came before it, and was caught elsewhere in the method.
    Threw(Cause),
    /// It handles an exception, and none came.
    NoException,
    /// The call returned before.
    Returned { thread: ThreadId, end: CallEnd },
    /// An exception left the call before.
    Left { thread: ThreadId, end: CallEnd, by: LeftBy },
    /// The call has not come there yet when the recording ends; where it is then, and what unrecorded method it has
    /// called.
    NotYet { at: Option<StepPlace>, calling: Option<String> },
    /// The method was not entered. What there is to say about the lines that would have called it, the last that ran
    /// first, and those that were told of before or not looked at.
    NotEntered { method: MethodIndex, callers: Vec<(CodeLine, NotRun)>, others: Vec<CodeLine> },
    /// A line that calls a method of this name ran, but called another one, if it is recorded this one.
    OtherCalled { thread: ThreadId, step: u64, instead: Option<MethodIndex> },
    /// A line that makes a function of the method ran, but nobody called the function.
    OnlyMade { thread: ThreadId, step: u64 },
}

impl Session {
    /// Why a line did not run in the call that a step belongs to: the topmost one on the stack that has the line.
    /// `None` when there is none.
    pub fn why_not_in_call(
        &self,
        moments: &Moments,
        thread: ThreadId,
        step: u64,
        line: &CodeLine,
    ) -> Result<Option<NotRun>, SessionError> {
        let Some(call) = self.call_around(moments, thread, step, &|_, method| line.methods.contains(&method))? else {
            return Ok(None);
        };
        let steps = match self.iteration(moments, &call, step, line.line)? {
            Some(steps) => steps,
            None => call.steps.clone(),
        };
        self.why_not_in(moments, &call, steps, line.line).map(Some)
    }

    /// Why a line did not run in the whole run.
    pub fn why_not(&self, moments: &Moments, line: &CodeLine) -> Result<NotRun, SessionError> {
        self.why_not_anywhere(moments, line, MAX_CALLERS, &mut FxHashSet::default())
    }

    fn why_not_anywhere(
        &self,
        moments: &Moments,
        line: &CodeLine,
        most: u32,
        seen: &mut FxHashSet<MethodIndex>,
    ) -> Result<NotRun, SessionError> {
        if let Some(hit) = self.last_visit(moments, &line.methods, line.line)? {
            return Ok(NotRun::Ran { thread: hit.thread, step: hit.step });
        }
        if let Some(call) = self.nearest_call(moments, line)? {
            return self.why_not_in(moments, &call, call.steps.clone(), line.line);
        }
        self.why_not_entered(moments, line, most, seen)
    }

    /// The call that came nearest to a line: the last one in which something ran that decides about the line, else
    /// the last one at all.
    fn nearest_call(&self, moments: &Moments, line: &CodeLine) -> Result<Option<CallScope>, SessionError> {
        let mut last: Option<(u64, Hit)> = None;
        for &method in &line.methods {
            let Ok(code) = self.program().code(method) else { continue };
            let mut open = targets(code, line.line);
            let mut seen: FxHashSet<Pc> = FxHashSet::default();
            while let Some(target) = open.pop() {
                for decider in self.flows().of(code).deciders(target) {
                    let &Decider::Branch(branch) = decider else { continue };
                    if !seen.insert(branch) {
                        continue;
                    }
                    let visit = match code.line(branch) {
                        Some(line) => self.last_visit(moments, &[method], line)?,
                        None => None,
                    };
                    match visit {
                        Some(hit) => self.keep_latest(moments, &mut last, hit)?,
                        None => open.push(branch),
                    }
                }
            }
        }
        if last.is_none() {
            for (&method, index) in line.methods.iter().flat_map(|m| moments.indexes().map(move |index| (m, index))) {
                let query = Query::Entry(method);
                if let Some(hit) = index.last_before(self.program(), self.objects(), &query, u64::MAX)? {
                    self.keep_latest(moments, &mut last, hit)?;
                }
            }
        }
        let Some((_, hit)) = last else { return Ok(None) };
        let is_it = |depth: u32, method: MethodIndex| depth == hit.depth && method == hit.method;
        self.call_around(moments, hit.thread, hit.step, &is_it)
    }

    fn keep_latest(&self, moments: &Moments, last: &mut Option<(u64, Hit)>, hit: Hit) -> Result<(), SessionError> {
        let number = moments.global_step(hit.thread, hit.step)?.unwrap_or(hit.step);
        if last.as_ref().is_none_or(|(known, _)| number > *known) {
            *last = Some((number, hit));
        }
        Ok(())
    }

    /// The last visit to a line in the whole run.
    fn last_visit(&self, moments: &Moments, methods: &[MethodIndex], line: u32) -> Result<Option<Hit>, SessionError> {
        let mut last = None;
        for index in moments.indexes() {
            let steps = 1..=index.steps();
            if let Some(hit) = self.last_at_line(moments, index.thread(), steps, None, methods, line)? {
                self.keep_latest(moments, &mut last, hit)?;
            }
        }
        Ok(last.map(|(_, hit)| hit))
    }

    /// The last visit to a line in some steps of a thread, of whatever frame or of the one at a depth.
    fn last_at_line(
        &self,
        moments: &Moments,
        thread: ThreadId,
        steps: RangeInclusive<u64>,
        depth: Option<u32>,
        methods: &[MethodIndex],
        line: u32,
    ) -> Result<Option<Hit>, SessionError> {
        let Some(index) = moments.thread_index(thread) else { return Ok(None) };
        let Ok(line) = u16::try_from(line) else { return Ok(None) };
        let query = Query::Line { methods: methods.to_vec(), line };
        let accept = |hit: &Hit| depth.is_none_or(|depth| hit.depth == depth);
        Ok(index.last_in(self.program(), self.objects(), &query, steps, &accept)?)
    }
}

/// The instructions of a line.
fn targets(code: &MethodCode, line: u32) -> Vec<Pc> {
    (0..).zip(&*code.lines).filter(|(_, found)| u32::from(**found) == line).map(|(pc, _)| pc).collect()
}

/// The step that is nearest to the line.
fn rank(found: &NotRun) -> u64 {
    match found {
        NotRun::Ran { step, .. } | NotRun::OtherCalled { step, .. } | NotRun::OnlyMade { step, .. } => *step,
        NotRun::TurnedAway(cause) | NotRun::Threw(cause) => cause.place.step,
        NotRun::Returned { end, .. } | NotRun::Left { end, .. } => end.latest,
        NotRun::NotEntered { callers, .. } => callers.first().map_or(0, |(_, found)| rank(found)),
        NotRun::NotYet { at, .. } => at.map_or(0, |at| at.step),
        NotRun::NoException => 0,
    }
}
