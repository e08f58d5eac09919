//! The call tree, as far as it is asked for. Who called is in every state; here is when a call ends and what it
//! calls.

use super::ThreadIndex;
use crate::error::ReplayError;
use crate::interpreter::{At, Entry, Interruption, Observer, Progress, ThreadReplay};
use crate::objects::ObjectTable;
use crate::program::{MethodIndex, Program};
use crate::state::StepWatch;
use crate::steps::StepCounter;
use whydunit_trace::LogKind;

/// A frame that another one has called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Call {
    pub method: MethodIndex,
    /// The first step of the frame.
    pub step: u64,
    pub depth: u32,
    pub is_call_back: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CallEnd {
    /// The step of the thread in which the frame is left.
    pub latest: u64,
    pub number: u64,
    pub is_exception: bool,
}

impl ThreadIndex {
    /// When the frame that is at this depth at the start of a step is left; `None` when it is not.
    pub fn end_of_call(
        &self,
        program: &Program,
        objects: &ObjectTable,
        step: u64,
        depth: u32,
    ) -> Result<Option<CallEnd>, ReplayError> {
        let mut follower = Follower::new(depth);
        self.follow(program, objects, step, depth, &mut follower)?;
        Ok(follower.end)
    }

    /// The frames that the frame at this depth calls from the start of a step until it is left, at most `most`.
    pub fn calls_from(
        &self,
        program: &Program,
        objects: &ObjectTable,
        step: u64,
        depth: u32,
        most: usize,
    ) -> Result<Vec<Call>, ReplayError> {
        let mut follower = Follower { most, ..Follower::new(depth) };
        self.follow(program, objects, step, depth + 1, &mut follower)?;
        Ok(follower.calls)
    }

    /// Replays from a step on what has frames that are entered or left at this depth or below.
    fn follow(
        &self,
        program: &Program,
        objects: &ObjectTable,
        step: u64,
        depth: u32,
        follower: &mut Follower,
    ) -> Result<(), ReplayError> {
        let first = self.segment_before(step);
        for index in first..self.checkpoints() {
            if self.segment(index)?.lowest > depth {
                continue;
            }
            let checkpoint = self.checkpoint(index)?;
            let mut replay = ThreadReplay::from_snapshot(program, objects, self.thread, &checkpoint.replay)?;
            follower.steps = checkpoint.steps;
            if index == first {
                let mut watch = StepWatch::new(follower.steps.clone(), step);
                if replay.run(&mut watch, self.end_of(index))? != Progress::Paused {
                    return Ok(());
                }
                follower.steps = watch.steps;
                follower.is_counted = true;
            }
            replay.run(follower, self.end_of(index))?;
            if follower.is_over() {
                break;
            }
        }
        Ok(())
    }
}

struct Follower {
    depth: u32,
    most: usize,
    steps: StepCounter,
    /// The next instruction was counted before.
    is_counted: bool,
    end: Option<CallEnd>,
    calls: Vec<Call>,
}

impl Follower {
    fn new(depth: u32) -> Follower {
        Follower { depth, most: 0, steps: StepCounter::default(), is_counted: false, end: None, calls: Vec::new() }
    }

    fn is_over(&self) -> bool {
        self.end.is_some() || (self.most > 0 && self.calls.len() >= self.most)
    }

    fn left(&mut self, at: At<'_>, is_exception: bool) {
        if at.depth <= self.depth && self.end.is_none() {
            self.end = Some(CallEnd { latest: self.steps.steps(), number: at.number, is_exception });
        }
    }
}

impl Observer for Follower {
    fn interruption(&mut self, at: At<'_>) -> Option<Interruption> {
        if self.is_over() {
            return Some(Interruption::Pause);
        }
        if !std::mem::take(&mut self.is_counted) {
            self.steps.instruction(at);
        }
        None
    }

    fn entered(&mut self, at: At<'_>, _arguments: &[u64], entry: Entry) {
        self.steps.entered(at.depth);
        if at.depth == self.depth + 1 && self.end.is_none() && self.calls.len() < self.most {
            let step = self.steps.steps() + 1;
            let is_call_back = entry == Entry::CallBack;
            self.calls.push(Call { method: at.code.index, step, depth: at.depth, is_call_back });
        }
    }

    fn returned(&mut self, at: At<'_>, _kind: LogKind, _bits: u64) {
        self.left(at, false);
    }

    fn unwound(&mut self, at: At<'_>, _exception: u64) {
        self.left(at, true);
    }
}
