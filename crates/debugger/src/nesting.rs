//! Where a step stands in the tree of calls and loops.

use crate::events::EventFilter;
use crate::session::{Session, SessionError};
use crate::state::Moments;
use std::ops::{ControlFlow, RangeInclusive};
use whydunit_model::{Flow, LoopId};
use whydunit_replay::events::EventKind;
use whydunit_replay::index::{ThreadIndex, Walk};
use whydunit_replay::program::{MethodCode, MethodIndex, Pc};
use whydunit_replay::state::FrameState;
use whydunit_trace::ThreadId;

/// Instructions to replay for the start of the loop that a step is in.
const BUDGET: u64 = 10_000_000;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Nesting {
    /// Calls and loops around the step; 1 in the lowest recorded frame, outside of loops.
    pub level: u32,
    /// The step that has started the loop or made the call that is nearest around it, in its thread.
    pub parent: Option<u64>,
}

/// A visit to a line, as a path through the code sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Visit {
    /// Number among the steps of all threads.
    pub step: u64,
    pub method: MethodIndex,
    pub line: Option<u32>,
}

/// A loop that is under way, and the step that has started it.
#[derive(Clone, Copy, Debug)]
struct Started {
    id: LoopId,
    by: u64,
}

impl Session {
    /// `None` when the thread has no such step.
    pub fn nesting(&self, moments: &Moments, thread: ThreadId, step: u64) -> Result<Option<Nesting>, SessionError> {
        let (Some(state), Some(index)) = (self.state(moments, thread, step)?, moments.thread_index(thread)) else {
            return Ok(None);
        };
        let Some((top, callers)) = state.frames.split_last() else { return Ok(None) };
        let around_callers: usize = callers.iter().map(|frame| 1 + self.loops_around(frame)).sum();
        let depth = callers.len() as u32;
        let mut loops = self.loops_under_way(index, top, depth, step)?;
        // The step that starts a loop stands beside it, not in it.
        loops.retain(|started| started.by != step);
        let caller = callers.last().map(|frame| frame.step);
        let level = around_callers + 1 + loops.len();
        Ok(Some(Nesting { level: level as u32, parent: loops.last().map(|started| started.by).or(caller) }))
    }

    /// The visits of a thread from one step to another, numbered over all threads; `None` when there are more than
    /// `most`.
    pub fn visits(
        &self,
        thread: ThreadId,
        steps: RangeInclusive<u64>,
        most: usize,
    ) -> Result<Option<Vec<Visit>>, SessionError> {
        let mut visits = Vec::new();
        let filter = EventFilter { threads: Some(vec![thread]), steps, ..EventFilter::default() };
        let cut = self.events(&filter, |view| {
            if view.event.kind == EventKind::Step {
                visits.push(Visit { step: view.step, method: view.event.method, line: view.event.line });
            }
            if visits.len() > most { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })?;
        Ok(cut.is_none().then_some(visits))
    }

    fn loops_around(&self, frame: &FrameState) -> usize {
        let Some(code) = self.code(frame.method) else { return 0 };
        pc_of(code, frame.address).map_or(0, |pc| chain(self.flows().of(code), pc).len())
    }

    /// The loops of a frame that are under way at the start of a step of it, outer ones first.
    fn loops_under_way(
        &self,
        index: &ThreadIndex,
        frame: &FrameState,
        depth: u32,
        step: u64,
    ) -> Result<Vec<Started>, SessionError> {
        let Some(code) = self.code(frame.method) else { return Ok(Vec::new()) };
        let flow = self.flows().of(code);
        if pc_of(code, frame.address).is_none_or(|pc| flow.innermost_loop(pc).is_none()) {
            return Ok(Vec::new());
        }
        let from = index.walk_start(frame.entered, step, depth, BUDGET);
        let walk = Walk { from, deepest: depth, lowest: Some(depth), budget: BUDGET, marks: &|_| None };
        let mut loops: Vec<Started> = Vec::new();
        let mut before: Option<(u64, Option<u32>)> = None;
        index.walk(self.program(), self.objects(), &walk, &mut |event| {
            if event.depth != depth || event.kind != EventKind::Step {
                return ControlFlow::Continue(());
            }
            let around = chain(flow, event.pc);
            loops.retain(|started| around.contains(&started.id));
            for &id in &around {
                if loops.iter().all(|started| started.id != id) {
                    // `for (int i = 0; …` has started the loop in the visit before.
                    let header = flow.loops().get(id.0 as usize).and_then(|one| code.line(one.header));
                    let by = before.filter(|(_, line)| *line == header).map_or(event.step, |(step, _)| step);
                    loops.push(Started { id, by });
                }
            }
            before = Some((event.step, event.line));
            if event.step >= step { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })?;
        Ok(loops)
    }
}

/// The loops around an instruction, outer ones first.
pub(crate) fn chain(flow: &Flow, pc: Pc) -> Vec<LoopId> {
    let mut chain: Vec<LoopId> = Vec::new();
    let mut next = flow.innermost_loop(pc);
    while let Some(id) = next {
        chain.push(id);
        next = flow.loops().get(id.0 as usize).and_then(|one| one.parent);
    }
    chain.reverse();
    chain
}

fn pc_of(code: &MethodCode, address: u32) -> Option<Pc> {
    code.addresses.binary_search(&address).ok().map(|pc| pc as Pc)
}
