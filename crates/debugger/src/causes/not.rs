//! Why a line did not run.

use super::{Cause, CauseKind, Causes};
use crate::events::EventFilter;
use crate::session::{Session, SessionError};
use crate::state::Moments;
use rustc_hash::FxHashSet;
use std::ops::{ControlFlow, RangeInclusive};
use whydunit_model::{Decider, Flow};
use whydunit_replay::events::{Event, EventKind};
use whydunit_replay::index::{CallEnd, Hit, Query};
use whydunit_replay::program::{Handler, MethodCode, MethodIndex, Pc};
use whydunit_replay::state::FrameState;
use whydunit_trace::ThreadId;

/// Callers of callers that are looked at.
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
    /// The call was left before.
    Left { thread: ThreadId, end: CallEnd },
    /// The call has not come there yet when the recording ends.
    NotYet,
    /// The method was not entered. What there is to say about the lines that would have called it, the last that ran
    /// first.
    NotEntered { method: MethodIndex, callers: Vec<(CodeLine, NotRun)> },
    /// A line that calls a method of this name ran, but this one was not called.
    OtherCalled { thread: ThreadId, step: u64 },
}

/// Where in a run a line did not run.
#[derive(Clone, Debug)]
struct Scope {
    thread: ThreadId,
    steps: RangeInclusive<u64>,
    /// Only the frame of this depth.
    depth: Option<u32>,
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
        let Some(state) = self.state(moments, thread, step)? else { return Ok(None) };
        let frames: Vec<_> = (0u32..).zip(&state.frames).collect();
        let in_call = frames.into_iter().rev().find(|(_, frame)| line.methods.contains(&frame.method));
        let Some((depth, frame)) = in_call else { return Ok(None) };
        let end = self.end_of_call(moments, thread, step, depth)?;
        let last = end.map_or_else(|| moments.steps(thread), |end| end.latest);
        let mut scope = Scope { thread, steps: frame.entered..=last, depth: Some(depth) };
        if let Some(steps) = self.iteration(moments, &scope, frame, step, line.line)? {
            scope.steps = steps;
        }
        let found = self.in_scope(moments, &scope, &[frame.method], line.line)?;
        Ok(Some(match (found, end) {
            (Some(found), _) => found,
            (None, _) if self.is_in_handler(frame.method, line.line) => NotRun::NoException,
            (None, Some(end)) => NotRun::Left { thread, end },
            (None, None) => NotRun::NotYet,
        }))
    }

    /// Whether a line is run only after an exception.
    fn is_in_handler(&self, method: MethodIndex, line: u32) -> bool {
        let Ok(code) = self.program().code(method) else { return false };
        let flow = self.flows().of(code);
        let is_handler = |pc: Pc| {
            let starts = code.handlers.iter().map(|handler| handler.target);
            starts.into_iter().any(|start| start == pc || flow.is_reachable_from(start, pc))
        };
        let pcs = (0..).zip(&*code.lines).filter(|(_, found)| u32::from(**found) == line).map(|(pc, _)| pc);
        pcs.into_iter().any(|pc: Pc| pc != 0 && is_handler(pc) && !flow.is_reachable_from(0, pc))
    }

    /// The steps of the innermost iteration that a step is in and that could have had a line, too.
    fn iteration(
        &self,
        moments: &Moments,
        scope: &Scope,
        frame: &FrameState,
        step: u64,
        line: u32,
    ) -> Result<Option<RangeInclusive<u64>>, SessionError> {
        let Ok(code) = self.program().code(frame.method) else { return Ok(None) };
        let Ok(at) = code.addresses.binary_search(&frame.address) else { return Ok(None) };
        let has = |body: &[Pc], line: u32| body.iter().any(|&pc| code.line(pc) == Some(line));
        let loops = self.flows().of(code).loops().iter().rev();
        let mut around = loops.filter(|looping| looping.body.contains(&(at as Pc)) && has(&looping.body, line));
        let Some(header) = around.next().and_then(|looping| code.line(looping.header)) else { return Ok(None) };
        let before = Scope { steps: *scope.steps.start()..=step, ..scope.clone() };
        let Some(start) = self.last_at_line(moments, &before, &[frame.method], header)? else { return Ok(None) };
        let (Some(index), Ok(header)) = (moments.thread_index(scope.thread), u16::try_from(header)) else {
            return Ok(None);
        };
        let query = Query::Line { methods: vec![frame.method], line: header };
        let mut from = step + 1;
        while let Some(hit) = index.first_after(self.program(), self.objects(), &query, from)? {
            if Some(hit.depth) == scope.depth || hit.latest > *scope.steps.end() {
                return Ok(Some(start.step..=hit.latest.saturating_sub(1).min(*scope.steps.end())));
            }
            from = hit.latest + 1;
        }
        Ok(Some(start.step..=*scope.steps.end()))
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
        let mut best: Option<NotRun> = None;
        for &thread in self.recording().threads.keys() {
            let scope = Scope { thread, steps: 1..=moments.steps(thread), depth: None };
            let found = self.in_scope(moments, &scope, &line.methods, line.line)?;
            if matches!(found, Some(NotRun::Ran { .. })) || best.is_none() {
                best = found.or(best);
            }
        }
        if let Some(found) = best {
            return Ok(found);
        }
        let Some(&method) = line.methods.first() else { return Ok(NotRun::NotYet) };
        let mut callers = Vec::new();
        for caller in self.lines_that_call(&line.methods).into_iter().filter(|_| most > 0) {
            if !caller.0.methods.iter().all(|method| seen.insert(*method)) {
                continue;
            }
            let (line, calls) = caller;
            let found = self.why_not_called(moments, &line, &calls, most - 1, seen)?;
            callers.push((line, found));
        }
        callers.sort_by_key(|(_, found)| std::cmp::Reverse(rank(found)));
        Ok(NotRun::NotEntered { method, callers })
    }

    /// Why calls in a line did not run.
    fn why_not_called(
        &self,
        moments: &Moments,
        line: &CodeLine,
        calls: &[Pc],
        most: u32,
        seen: &mut FxHashSet<MethodIndex>,
    ) -> Result<NotRun, SessionError> {
        let Some(&method) = line.methods.first() else { return Ok(NotRun::NotYet) };
        for &thread in self.recording().threads.keys() {
            let scope = Scope { thread, steps: 1..=moments.steps(thread), depth: None };
            let Some(hit) = self.last_at_line(moments, &scope, &[method], line.line)? else { continue };
            let (Some(causes), Ok(code)) = (self.causes(moments, thread), self.program().code(method)) else {
                continue;
            };
            let search =
                Search { session: self, moments, scope: &scope, causes: &causes, code, flow: self.flows().of(code) };
            return Ok(match search.reason(calls.to_vec())? {
                Some(NotRun::TurnedAway(branch)) if calls.iter().any(|&call| search.leads_to(&branch, call)) => {
                    NotRun::OtherCalled { thread, step: hit.step }
                }
                Some(found) => found,
                None => NotRun::OtherCalled { thread, step: hit.step },
            });
        }
        self.why_not_anywhere(moments, line, most, seen)
    }

    /// `None` when nothing that decides about the line has run in the scope.
    fn in_scope(
        &self,
        moments: &Moments,
        scope: &Scope,
        methods: &[MethodIndex],
        line: u32,
    ) -> Result<Option<NotRun>, SessionError> {
        if let Some(hit) = self.last_at_line(moments, scope, methods, line)? {
            return Ok(Some(NotRun::Ran { thread: scope.thread, step: hit.step }));
        }
        let Some(causes) = self.causes(moments, scope.thread) else { return Ok(None) };
        let mut latest: Option<NotRun> = None;
        for &method in methods {
            let Ok(code) = self.program().code(method) else { continue };
            let targets = (0..).zip(&*code.lines).filter(|(_, found)| u32::from(**found) == line).map(|(pc, _)| pc);
            let search = Search { session: self, moments, scope, causes: &causes, code, flow: self.flows().of(code) };
            if let Some(found) = search.reason(targets.collect())?
                && latest.as_ref().is_none_or(|old| rank(old) < rank(&found))
            {
                latest = Some(found);
            }
        }
        Ok(latest)
    }

    fn last_at_line(
        &self,
        moments: &Moments,
        scope: &Scope,
        methods: &[MethodIndex],
        line: u32,
    ) -> Result<Option<Hit>, SessionError> {
        let Some(index) = moments.thread_index(scope.thread) else { return Ok(None) };
        let Ok(line) = u16::try_from(line) else { return Ok(None) };
        let query = Query::Line { methods: methods.to_vec(), line };
        let accept = |hit: &Hit| scope.depth.is_none_or(|depth| hit.depth == depth);
        Ok(index.last_in(self.program(), self.objects(), &query, scope.steps.clone(), &accept)?)
    }

    /// The lines with calls of methods that have the name and type of one of these, and the calls in them.
    fn lines_that_call(&self, methods: &[MethodIndex]) -> Vec<(CodeLine, Vec<Pc>)> {
        let called: Vec<(&str, &str)> = methods
            .iter()
            .filter_map(|&method| self.program().method(method))
            .map(|(_, member)| (&*member.name, &*member.descriptor))
            .collect();
        let mut lines: Vec<(CodeLine, Vec<Pc>)> = Vec::new();
        for method in self.program().methods() {
            let Ok(code) = self.program().code(method) else { continue };
            for pc in 0..code.ops.len() as Pc {
                let is_call = code.call_at(pc).is_some_and(|call| called.contains(&(&*call.name, &*call.descriptor)));
                if let Some(line) = code.line(pc).filter(|_| is_call) {
                    let caller = CodeLine { methods: vec![method], line };
                    match lines.iter_mut().find(|(known, _)| *known == caller) {
                        Some((_, calls)) => calls.push(pc),
                        None => lines.push((caller, vec![pc])),
                    }
                }
            }
        }
        lines
    }
}

/// Looks for the reason in one method.
struct Search<'s> {
    session: &'s Session,
    moments: &'s Moments,
    scope: &'s Scope,
    causes: &'s Causes<'s>,
    code: &'s MethodCode,
    flow: &'s Flow,
}

impl Search<'_> {
    /// The last branch that could have led to some instructions and went another way, or the exception that came after
    /// one that went there.
    fn reason(&self, mut targets: Vec<Pc>) -> Result<Option<NotRun>, SessionError> {
        let mut seen: FxHashSet<Pc> = FxHashSet::default();
        let mut latest: Option<NotRun> = None;
        let mut add = |found: NotRun| {
            let is_better = match (&latest, &found) {
                (None, _) | (Some(NotRun::TurnedAway(_)), NotRun::Threw(_)) => true,
                (Some(NotRun::Threw(_)), NotRun::TurnedAway(_)) => false,
                (Some(old), found) => rank(old) < rank(found),
            };
            if is_better {
                latest = Some(found);
            }
        };
        while let Some(target) = targets.pop() {
            let deciders = self.flow.deciders(target);
            if !deciders.iter().any(|decider| matches!(decider, Decider::Branch(_))) {
                self.exception_after(*self.scope.steps.start(), target)?.map(NotRun::Threw).map(&mut add);
            }
            for decider in deciders {
                let &Decider::Branch(branch) = decider else { continue };
                if !seen.insert(branch) {
                    continue;
                }
                let instances = self.last_branches(branch)?;
                let Some(last) = instances.first() else {
                    targets.push(branch);
                    continue;
                };
                if let Some(towards) = instances.iter().find(|cause| self.leads_to(cause, target)) {
                    self.exception_after(towards.place.step, target)?.map(NotRun::Threw).map(&mut add);
                }
                add(NotRun::TurnedAway(last.clone()));
            }
        }
        Ok(latest)
    }

    /// The last executions of a branch in the scope, the last first.
    fn last_branches(&self, branch: Pc) -> Result<Vec<Cause>, SessionError> {
        let mut found = Vec::new();
        let Some(line) = self.code.line(branch) else { return Ok(found) };
        let mut scope = self.scope.clone();
        while let Some(hit) = self.session.last_at_line(self.moments, &scope, &[self.code.index], line)?
            && found.len() < MAX_INSTANCES
        {
            let of_step = self.causes.of_step(hit.step)?.map(|causes| causes.effects).unwrap_or_default();
            // A line may be reached without the branch in it: `a && b`.
            let is_it = |cause: &Cause| cause.kind == CauseKind::Branch && cause.pc == branch;
            found.extend(of_step.into_iter().rev().find(is_it));
            let Some(before) = hit.latest.checked_sub(1).filter(|before| before >= scope.steps.start()) else { break };
            scope.steps = *scope.steps.start()..=before;
        }
        Ok(found)
    }

    /// Whether a branch went where an instruction comes on all ways, unless there is an exception.
    fn leads_to(&self, branch: &Cause, target: Pc) -> bool {
        let Some(has_jumped) = branch.has_jumped else { return false };
        let op = self.code.ops.get(branch.pc as usize);
        let Some(next) = (if has_jumped { op.and_then(|op| op.jump_target()) } else { Some(branch.pc + 1) }) else {
            return false;
        };
        let mut seen: FxHashSet<Pc> = FxHashSet::default();
        let mut at = Some(next);
        while let Some(pc) = at.filter(|pc| seen.insert(*pc)) {
            if pc == target {
                return true;
            }
            at = self.flow.immediate_postdominator(pc);
        }
        false
    }

    /// What threw the last exception that a frame of the scope has caught after a step, in code from which an
    /// instruction can be reached.
    fn exception_after(&self, step: u64, target: Pc) -> Result<Option<Cause>, SessionError> {
        let filter = EventFilter {
            threads: Some(vec![self.scope.thread]),
            methods: Some(FxHashSet::from_iter([self.code.index])),
            steps: step..=*self.scope.steps.end(),
            ..EventFilter::default()
        };
        let mut has_caught = None;
        let handler_step = self.session.events(&filter, |view| {
            let Event { depth, step, kind, .. } = view.event;
            let is_in_scope = self.scope.depth.is_none_or(|wanted| *depth == wanted);
            match kind {
                // The first one is what came in the way.
                EventKind::Catch { .. } if is_in_scope => has_caught = Some(*depth),
                EventKind::Step if has_caught == Some(*depth) => return ControlFlow::Break(*step),
                _ => {}
            }
            ControlFlow::Continue(())
        })?;
        let Some(step) = handler_step else { return Ok(None) };
        let covers = |handler: &&Handler| (handler.start..handler.end).contains(&target);
        let thrown = self.causes.thrown_before(step)?;
        let is_covered = self.code.handlers.iter().any(|handler| covers(&handler));
        Ok(thrown.filter(|_| is_covered))
    }
}

/// Executions of a branch that are looked at.
const MAX_INSTANCES: usize = 32;

/// The step that is nearest to the line.
fn rank(found: &NotRun) -> u64 {
    match found {
        NotRun::Ran { step, .. } | NotRun::OtherCalled { step, .. } => *step,
        NotRun::TurnedAway(cause) | NotRun::Threw(cause) => cause.place.step,
        NotRun::Left { end, .. } => end.latest,
        NotRun::NotEntered { callers, .. } => callers.first().map_or(0, |(_, found)| rank(found)),
        NotRun::NotYet | NotRun::NoException => 0,
    }
}
