//! Steps: a step is one visit of one frame to one source line.

use crate::interpreter::At;
use crate::program::Pc;
use serde::{Deserialize, Serialize};

/// Numbers the steps of a thread, from 1.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct StepCounter {
    steps: u64,
    frames: Vec<Visit>,
}

/// Where a frame is; of the instructions inside a line it is not told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Visit {
    line: u16,
    pc: u32,
    step: u64,
    /// The first step of the frame.
    first: u64,
}

/// An instruction that is not [inside a line](crate::program::MethodCode::is_inside_line).
#[derive(Clone, Copy, Debug)]
pub(crate) struct LinePlace {
    pub(crate) pc: Pc,
    pub(crate) line: u16,
}

/// Such instructions that are run one after another, without a jump.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LineRun {
    pub(crate) first: LinePlace,
    pub(crate) last: LinePlace,
    /// How often one has another line than the one before.
    pub(crate) changes: u16,
}

impl StepCounter {
    /// Steps so far.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Forgets the frames from this depth on, which are gone.
    pub fn truncate(&mut self, depth: usize) {
        self.frames.truncate(depth);
    }

    /// The step that the frame at this depth is in; 0 before its first.
    #[inline]
    pub fn current(&self, depth: u32) -> u64 {
        self.frames.get(depth as usize).map_or(0, |visit| visit.step)
    }

    /// The first step of the frame at this depth; 0 before it.
    pub fn first(&self, depth: u32) -> u64 {
        self.frames.get(depth as usize).filter(|visit| visit.step != 0).map_or(0, |visit| visit.first)
    }

    /// Tells it of each instruction; `true` when a step starts with it. A jump back to the same line starts
    /// one.
    #[inline]
    pub fn instruction(&mut self, at: At<'_>) -> bool {
        if at.code.is_inside_line.get(at.pc as usize) == Some(&true) {
            return false;
        }
        let line = at.code.lines.get(at.pc as usize).copied().unwrap_or_default();
        let place = LinePlace { pc: at.pc, line };
        self.ran(&LineRun { first: place, last: place, changes: 0 }, at.depth)
    }

    /// Tells it of many instructions at once; `true` when a step starts with the first.
    #[inline]
    pub(crate) fn ran(&mut self, run: &LineRun, depth: u32) -> bool {
        let LineRun { first, last, changes } = *run;
        let depth = depth as usize;
        match self.frames.get_mut(depth) {
            Some(visit) if visit.step != 0 => {
                let is_new = visit.line != first.line || first.pc < visit.pc;
                visit.pc = last.pc;
                let started = u64::from(is_new) + u64::from(changes);
                if started > 0 {
                    self.steps += started;
                    visit.line = last.line;
                    visit.step = self.steps;
                }
                is_new
            }
            _ => {
                let first_step = self.steps + 1;
                self.steps = first_step + u64::from(changes);
                let visit = Visit { line: last.line, pc: last.pc, step: self.steps, first: first_step };
                match self.frames.get_mut(depth) {
                    Some(frame) => *frame = visit,
                    None => {
                        self.frames.resize(depth, Visit { line: 0, pc: 0, step: 0, first: 0 });
                        self.frames.push(visit);
                    }
                }
                true
            }
        }
    }

    /// Tells it of each new frame.
    #[inline]
    pub fn entered(&mut self, depth: u32) {
        if let Some(visit) = self.frames.get_mut(depth as usize) {
            visit.step = 0;
        }
    }
}
