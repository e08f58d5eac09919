//! Lines that run only after an exception.

use super::NotRun;
use super::call::CallScope;
use super::search::{Reason, Search};
use crate::causes::Cause;
use crate::session::{Session, SessionError};
use crate::state::Moments;
use std::ops::Range;
use whydunit_model::Flow;
use whydunit_replay::index::{Hit, Query};
use whydunit_replay::program::{MethodCode, Pc};

/// What the handlers are for that lead to some instructions, if nothing else leads there.
pub(super) fn tries_before(code: &MethodCode, flow: &Flow, targets: &[Pc]) -> Vec<Range<Pc>> {
    let is_handled = |pc: Pc| pc != 0 && !flow.is_reachable_from(0, pc);
    let leads = |start: Pc, pc: Pc| start == pc || flow.is_reachable_from(start, pc);
    let handlers = code.handlers.iter();
    let before = handlers.filter(|handler| targets.iter().any(|&pc| is_handled(pc) && leads(handler.target, pc)));
    // The end of `finally` and `synchronized` is covered by itself.
    before.filter(|handler| handler.start != handler.target).map(|handler| handler.start..handler.end).collect()
}

impl Search<'_, '_> {
    /// Why a handler did not run, of which no branch and no other handler has kept the call.
    pub(super) fn why_not_handled(&self) -> Result<NotRun, SessionError> {
        let Search { session, moments, call, .. } = *self;
        let has_run = |tried: &Range<Pc>| self.has_come_to(tried.start);
        if !any(&self.tries, has_run)? {
            // To the `try` itself, no exception has to come.
            let starts = self.tries.iter().map(|tried| tried.start).collect();
            let entering = Search { tries: Vec::new(), steps: self.steps.clone(), ..*self };
            return match entering.reason(starts)? {
                Reason::Found(found) => Ok(found),
                Reason::OnTheWay | Reason::Nothing => session.how_call_ended(moments, call),
            };
        }
        match self.left_at()? {
            Some(pc) if self.is_tried(pc) => session.how_call_ended(moments, call),
            _ => Ok(NotRun::NoException),
        }
    }

    fn has_come_to(&self, pc: Pc) -> Result<bool, SessionError> {
        let Some(line) = self.code.line(pc) else { return Ok(false) };
        let (depth, methods) = (Some(self.call.depth), [self.code.index]);
        let steps = self.steps.clone();
        let hit = self.session.last_at_line(self.moments, self.call.thread, steps, depth, &methods, line)?;
        Ok(hit.is_some())
    }

    /// Whether the call was where its handler is for when something was thrown.
    pub(super) fn came_from_try(&self, thrown: &Cause) -> Result<bool, SessionError> {
        let described = self.causes.dependences.describe(thrown.executed)?;
        let is_own = described.is_some_and(|found| found.frame.depth == self.call.depth);
        let at = match is_own {
            true => Some(thrown.pc),
            false => self.session.pc_in_call(self.moments, self.call, thrown.place.step)?,
        };
        Ok(at.is_some_and(|pc| self.is_tried(pc)))
    }

    fn is_tried(&self, pc: Pc) -> bool {
        self.tries.iter().any(|tried| tried.contains(&pc))
    }

    /// Where the call was when an exception left it.
    fn left_at(&self) -> Result<Option<Pc>, SessionError> {
        let Search { session, moments, call, .. } = *self;
        let Some(end) = call.end.filter(|end| end.is_exception) else { return Ok(None) };
        let Some(index) = moments.thread_index(call.thread) else { return Ok(None) };
        let steps = *call.steps.start()..=end.latest;
        let is_inside = |hit: &Hit| hit.depth >= call.depth && hit.number <= end.number;
        let last = index.last_in(session.program(), session.objects(), &Query::Thrown, steps, &is_inside)?;
        match last {
            Some(own) if own.depth == call.depth => Ok(Some(own.pc)),
            _ => session.pc_in_call(moments, call, end.latest),
        }
    }
}

impl Session {
    /// Where a call is at the start of a step.
    pub(super) fn pc_in_call(
        &self,
        moments: &Moments,
        call: &CallScope,
        step: u64,
    ) -> Result<Option<Pc>, SessionError> {
        let Some(state) = self.state(moments, call.thread, step)? else { return Ok(None) };
        let frame = state.frames.get(call.depth as usize).filter(|frame| frame.method == call.method);
        let code = self.program().code(call.method).ok();
        let pc = frame.zip(code).and_then(|(frame, code)| code.addresses.binary_search(&frame.address).ok());
        Ok(pc.map(|pc| pc as Pc))
    }
}

fn any<T>(all: &[T], mut is_it: impl FnMut(&T) -> Result<bool, SessionError>) -> Result<bool, SessionError> {
    for one in all {
        if is_it(one)? {
            return Ok(true);
        }
    }
    Ok(false)
}
