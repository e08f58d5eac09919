//! Why a line did not run in one call.

use super::handlers::tries_before;
use super::search::{Reason, Search};
use super::{NotRun, targets};
use crate::session::{Session, SessionError};
use crate::state::Moments;
use std::ops::RangeInclusive;
use whydunit_replay::index::{CallEnd, Query};
use whydunit_replay::program::{MethodIndex, Pc};
use whydunit_trace::ThreadId;

/// A frame and the time in which it is there.
#[derive(Clone, Debug)]
pub(super) struct CallScope {
    pub(super) thread: ThreadId,
    pub(super) method: MethodIndex,
    pub(super) depth: u32,
    pub(super) steps: RangeInclusive<u64>,
    /// `None` when it is still there at the end of the recording.
    pub(super) end: Option<CallEnd>,
    /// Where the frame was in the step that was asked about.
    address: u32,
}

impl Session {
    /// The topmost frame on the stack of a step that is accepted by its depth and method.
    pub(super) fn call_around(
        &self,
        moments: &Moments,
        thread: ThreadId,
        step: u64,
        accept: &dyn Fn(u32, MethodIndex) -> bool,
    ) -> Result<Option<CallScope>, SessionError> {
        let Some(state) = self.state(moments, thread, step)? else { return Ok(None) };
        let frames: Vec<_> = (0u32..).zip(&state.frames).collect();
        let found = frames.into_iter().rev().find(|(depth, frame)| accept(*depth, frame.method));
        let Some((depth, frame)) = found else { return Ok(None) };
        let end = self.end_of_call(moments, thread, step, depth)?;
        let last = end.map_or_else(|| moments.steps(thread), |end| end.latest);
        let (method, address) = (frame.method, frame.address);
        Ok(Some(CallScope { thread, method, depth, steps: frame.entered..=last, end, address }))
    }

    /// Why a line of the call's method did not run in some steps of the call.
    pub(super) fn why_not_in(
        &self,
        moments: &Moments,
        call: &CallScope,
        steps: RangeInclusive<u64>,
        line: u32,
    ) -> Result<NotRun, SessionError> {
        let hit = self.last_at_line(moments, call.thread, steps.clone(), Some(call.depth), &[call.method], line)?;
        if let Some(hit) = hit {
            return Ok(NotRun::Ran { thread: call.thread, step: hit.step });
        }
        let (Some(causes), Ok(code)) = (self.causes(moments, call.thread), self.program().code(call.method)) else {
            return self.how_call_ended(moments, call);
        };
        let (flow, targets) = (self.flows().of(code), targets(code, line));
        let tries = tries_before(code, flow, &targets);
        let search = Search { session: self, moments, call, steps, causes: &causes, code, flow, tries };
        match search.reason(targets)? {
            Reason::Found(found) => Ok(found),
            Reason::Nothing if !search.tries.is_empty() => search.why_not_handled(),
            Reason::Nothing | Reason::OnTheWay => self.how_call_ended(moments, call),
        }
    }

    /// The steps of the innermost iteration that a step is in and that could have had a line, too.
    pub(super) fn iteration(
        &self,
        moments: &Moments,
        call: &CallScope,
        step: u64,
        line: u32,
    ) -> Result<Option<RangeInclusive<u64>>, SessionError> {
        let Ok(code) = self.program().code(call.method) else { return Ok(None) };
        let Ok(at) = code.addresses.binary_search(&call.address) else { return Ok(None) };
        let has = |body: &[Pc], line: u32| body.iter().any(|&pc| code.line(pc) == Some(line));
        let loops = self.flows().of(code).loops().iter().rev();
        let mut around = loops.filter(|looping| looping.body.contains(&(at as Pc)) && has(&looping.body, line));
        let Some(header) = around.next().and_then(|looping| code.line(looping.header)) else { return Ok(None) };
        let (first, last) = (*call.steps.start(), *call.steps.end());
        let before = self.last_at_line(moments, call.thread, first..=step, Some(call.depth), &[call.method], header)?;
        let Some(start) = before else { return Ok(None) };
        let (Some(index), Ok(header)) = (moments.thread_index(call.thread), u16::try_from(header)) else {
            return Ok(None);
        };
        let query = Query::Line { methods: vec![call.method], line: header };
        for segment in index.segments_of(&(step + 1..=last)) {
            for hit in index.hits_in(self.program(), self.objects(), &query, segment)? {
                if hit.latest > step && (hit.depth == call.depth || hit.latest > last) {
                    return Ok(Some(start.step..=hit.latest.saturating_sub(1).min(last)));
                }
            }
        }
        Ok(Some(start.step..=last))
    }
}
