//! What in a call kept it from a line.

use super::NotRun;
use super::call::CallScope;
use crate::causes::{Cause, CauseKind, Causes};
use crate::session::{Session, SessionError};
use crate::state::Moments;
use rustc_hash::FxHashSet;
use std::ops::{Range, RangeInclusive};
use whydunit_model::{Decider, Flow};
use whydunit_replay::index::Query;
use whydunit_replay::program::{MethodCode, Pc};

/// Visits to the line of a branch that are looked at: a line may be reached without the branch in it (`a && b`).
const MOST_VISITS: usize = 12;

pub(super) enum Reason {
    Found(NotRun),
    /// All branches led there; the call ended on the way.
    OnTheWay,
    /// Nothing has decided about it.
    Nothing,
}

/// Looks for the reason in one call.
pub(super) struct Search<'c, 's> {
    pub(super) session: &'s Session,
    pub(super) moments: &'s Moments,
    pub(super) call: &'c CallScope,
    /// Of the call, or of one iteration of it.
    pub(super) steps: RangeInclusive<u64>,
    pub(super) causes: &'c Causes<'s>,
    pub(super) code: &'s MethodCode,
    pub(super) flow: &'s Flow,
    /// Where exceptions have to come from, when the line runs only after one.
    pub(super) tries: Vec<Range<Pc>>,
}

impl Search<'_, '_> {
    /// The last branch that could have led to some instructions and went another way, or the exception that came after
    /// one that went there.
    pub(super) fn reason(&self, mut targets: Vec<Pc>) -> Result<Reason, SessionError> {
        let mut seen: FxHashSet<Pc> = FxHashSet::default();
        let mut turned_away: Option<Cause> = None;
        let mut threw: Option<Cause> = None;
        let mut on_the_way: Option<u64> = None;
        while let Some(target) = targets.pop() {
            let deciders = self.flow.deciders(target);
            // The first round of a `do` loop runs before anything has decided about it.
            let mut is_undecided = true;
            for decider in deciders {
                let &Decider::Branch(branch) = decider else { continue };
                if !seen.insert(branch) {
                    is_undecided = false;
                    continue;
                }
                let instances = self.last_instances(branch, MOST_VISITS)?;
                let Some(last) = instances.first() else {
                    targets.push(branch);
                    continue;
                };
                is_undecided = false;
                let mut towards = None;
                for (position, cause) in instances.iter().enumerate() {
                    if self.leads_to(cause, target)? {
                        towards = Some((position, cause));
                        break;
                    }
                }
                if let Some((_, cause)) = towards {
                    keep_later(&mut threw, self.exception_after(cause.place.step, target)?);
                }
                match towards {
                    Some((0, cause)) => on_the_way = on_the_way.max(Some(cause.place.step)),
                    _ => {
                        let left = self.left_instead(last, target)?;
                        keep_later(&mut turned_away, Some(left.unwrap_or_else(|| last.clone())));
                    }
                }
            }
            if is_undecided {
                keep_later(&mut threw, self.exception_after(*self.steps.start(), target)?);
            }
        }
        Ok(match (threw, turned_away, on_the_way) {
            (Some(cause), ..) => Reason::Found(NotRun::Threw(cause)),
            (None, Some(cause), on_the_way) if on_the_way < Some(cause.place.step) => {
                Reason::Found(NotRun::TurnedAway(cause))
            }
            (None, _, Some(_)) => Reason::OnTheWay,
            (None, ..) => Reason::Nothing,
        })
    }

    /// A branch that stayed in a loop has turned away from nothing behind the loop: that was the branch that left the loop
    /// by another way, such as a `return`.
    fn left_instead(&self, stayed: &Cause, target: Pc) -> Result<Option<Cause>, SessionError> {
        let comes_to = |next: Pc| next == target || self.flow.is_reachable_from(next, target);
        if !self.next_after(stayed)?.is_some_and(comes_to) {
            return Ok(None);
        }
        let loops = self.flow.loops().iter();
        let around = loops.filter(|looping| looping.body.contains(&stayed.pc) && !looping.body.contains(&target));
        let Some(outermost) = around.into_iter().next() else { return Ok(None) };
        let can_miss = |branch: &Pc| self.flow.successors(*branch).iter().any(|&next| !comes_to(next));
        let mut left = None;
        for &branch in self.flow.branches().iter().filter(|branch| outermost.body.contains(branch) && can_miss(branch))
        {
            let Some(last) = self.last_instances(branch, 1)?.pop() else { continue };
            if last.place.step >= stayed.place.step && !self.next_after(&last)?.is_some_and(comes_to) {
                keep_later(&mut left, Some(last));
            }
        }
        Ok(left)
    }

    /// The last executions of a branch, the last first, of so many visits to its line.
    fn last_instances(&self, branch: Pc, visits: usize) -> Result<Vec<Cause>, SessionError> {
        let mut found = Vec::new();
        let Some(line) = self.code.line(branch) else { return Ok(found) };
        let (thread, depth) = (self.call.thread, Some(self.call.depth));
        let first = *self.steps.start();
        let mut last = *self.steps.end();
        for _ in 0..visits {
            let methods = [self.code.index];
            let hit = self.session.last_at_line(self.moments, thread, first..=last, depth, &methods, line)?;
            let Some(hit) = hit else { break };
            let of_step = self.causes.of_step(hit.step)?.map(|causes| causes.effects).unwrap_or_default();
            let is_it = |cause: &Cause| cause.kind == CauseKind::Branch && cause.pc == branch;
            found.extend(of_step.into_iter().rev().find(is_it));
            match hit.latest.checked_sub(1).filter(|before| *before >= first) {
                Some(before) => last = before,
                None => break,
            }
        }
        Ok(found)
    }

    /// Whether a branch went where an instruction comes on all ways, unless there is an exception.
    fn leads_to(&self, branch: &Cause, target: Pc) -> Result<bool, SessionError> {
        let mut seen: FxHashSet<Pc> = FxHashSet::default();
        let mut at = self.next_after(branch)?;
        while let Some(pc) = at.filter(|pc| seen.insert(*pc)) {
            if pc == target {
                return Ok(true);
            }
            at = self.flow.immediate_postdominator(pc);
        }
        Ok(false)
    }

    /// Where a branch went.
    fn next_after(&self, branch: &Cause) -> Result<Option<Pc>, SessionError> {
        Ok(match branch.has_jumped {
            Some(true) => self.code.ops.get(branch.pc as usize).and_then(|op| op.jump_target()),
            Some(false) => Some(branch.pc + 1),
            None => self.causes.decided(branch)?.and_then(|decided| decided.to),
        })
    }

    /// What threw the first exception that the call has caught from a step on, if its handler goes past the
    /// instruction; of an instruction that runs only after an exception, the first that could have led there.
    fn exception_after(&self, step: u64, target: Pc) -> Result<Option<Cause>, SessionError> {
        let Some(index) = self.moments.thread_index(self.call.thread) else { return Ok(None) };
        let steps = step..=*self.steps.end();
        let is_covered = self.code.handlers.iter().any(|handler| (handler.start..handler.end).contains(&target));
        for segment in index.segments_of(&steps) {
            let (program, objects) = (self.session.program(), self.session.objects());
            for hit in index.hits_in(program, objects, &Query::Caught, segment)? {
                if hit.depth != self.call.depth || !steps.contains(&hit.latest) {
                    continue;
                }
                if !self.tries.is_empty() {
                    let cause = self.causes.thrown_before(hit.step)?;
                    match &cause {
                        Some(thrown) if self.came_from_try(thrown)? => return Ok(cause),
                        _ => continue,
                    }
                }
                let goes_past = hit.pc != target && !self.flow.is_reachable_from(hit.pc, target);
                return if is_covered || goes_past { self.causes.thrown_before(hit.step) } else { Ok(None) };
            }
        }
        Ok(None)
    }
}

fn keep_later(last: &mut Option<Cause>, found: Option<Cause>) {
    if let Some(found) = found
        && last.as_ref().is_none_or(|last| last.place.step < found.place.step)
    {
        *last = Some(found);
    }
}
