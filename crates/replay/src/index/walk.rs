//! The events of a few frames, however long they run: segments in which only deeper frames do something are not
//! replayed.

use super::ThreadIndex;
use crate::error::ReplayError;
use crate::events::{Event, Marks, Teller, Wanted};
use crate::interpreter::{Progress, ThreadReplay};
use crate::objects::ObjectTable;
use crate::program::Program;
use crate::state::StepWatch;
use std::ops::ControlFlow;

/// From where a walk goes, and how far.
pub struct Walk<'w> {
    /// The step at whose start it begins; 0 for the start of the thread.
    pub from: u64,
    /// The deepest frames of which everything is told. Of those one deeper only entry and end are.
    pub deepest: u32,
    /// The lowest frame that matters; `None`: all that the thread does.
    pub lowest: Option<u32>,
    /// Instructions to replay at most. A frame gets half of what its caller gets, then no more is told of what it does.
    pub budget: u64,
    /// The instructions of a method that get an [`EventKind::Mark`](crate::events::EventKind::Mark).
    pub marks: &'w Marks<'w>,
}

impl std::fmt::Debug for Walk<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Walk { from, deepest, lowest, budget, marks: _ } = self;
        f.debug_struct("Walk")
            .field("from", from)
            .field("deepest", deepest)
            .field("lowest", lowest)
            .field("budget", budget)
            .finish_non_exhaustive()
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WalkEnd {
    /// Whoever looked has seen enough.
    Stopped,
    /// The thread is at its end.
    Ended,
    /// The budget is spent.
    Exhausted,
}

/// A frame that is under way at the end of a segment.
struct UnderWay {
    /// Its first step.
    first: u64,
    /// What had been replayed when it was first seen.
    replayed: u64,
}

impl ThreadIndex {
    /// Shows the events of a walk to `visit` until that breaks.
    pub fn walk(
        &self,
        program: &Program,
        objects: &ObjectTable,
        walk: &Walk<'_>,
        visit: &mut dyn FnMut(&Event) -> ControlFlow<()>,
    ) -> Result<WalkEnd, ReplayError> {
        let wanted = Wanted::default();
        let mut teller = Teller::new(program, objects, self.thread, &wanted, visit).limited(walk.deepest, walk.marks);
        let end = self.walk_segments(program, objects, walk, &mut teller);
        teller.finish();
        if teller.is_over { Ok(WalkEnd::Stopped) } else { end }
    }

    /// Where to start a walk that is to show a step of the frame at `depth`, which was entered at another step: there,
    /// or later if the walk would have to replay more than `most` instructions.
    pub fn walk_start(&self, entered: u64, step: u64, depth: u32, most: u64) -> u64 {
        let (first, last) = (self.segment_before(entered), self.segment_before(step));
        let mut left = most;
        for index in (first..=last).rev() {
            let Ok(segment) = self.segment(index) else { break };
            if segment.lowest > depth + 1 && index < last {
                continue;
            }
            let length = self.end_of(index) - segment.number;
            if length > left {
                return (segment.steps + 1).max(entered);
            }
            left -= length;
        }
        entered
    }

    fn walk_segments(
        &self,
        program: &Program,
        objects: &ObjectTable,
        walk: &Walk<'_>,
        teller: &mut Teller<'_>,
    ) -> Result<WalkEnd, ReplayError> {
        let first = self.segment_before(walk.from);
        let mut replayed = 0;
        let mut depth = 0;
        let mut under_way: Vec<UnderWay> = Vec::new();
        for index in first..self.checkpoints() {
            // The first frame of which nothing is told.
            let far = teller.deepest().map_or(0, |deepest| deepest.saturating_add(1));
            if index > first && depth > far && self.segment(index)?.lowest > far {
                continue;
            }
            let checkpoint = self.checkpoint(index)?;
            let mut replay = ThreadReplay::from_snapshot(program, objects, self.thread, &checkpoint.replay)?;
            let mut steps = checkpoint.steps;
            if index == first && walk.from > 0 {
                let mut watch = StepWatch::new(steps, walk.from);
                if replay.run(&mut watch, self.end_of(index))? != Progress::Paused {
                    return Ok(WalkEnd::Ended);
                }
                steps = watch.steps;
                teller.is_counted = true;
            }
            teller.take_up(&replay, steps);
            let before = replay.number();
            match replay.run(teller, self.end_of(index)) {
                // The index ends there, too.
                Err(ReplayError::Divergence(_)) | Ok(Progress::Ended(_)) => return Ok(WalkEnd::Ended),
                outcome => outcome?,
            };
            if teller.is_over {
                return Ok(WalkEnd::Stopped);
            }
            replayed += replay.number() - before;
            if replayed > walk.budget {
                return Ok(WalkEnd::Exhausted);
            }
            depth = replay.frames().len() as u32;
            under_way.truncate(replay.frames().len());
            for (frame, at) in replay.frames().iter().zip(0..=teller.deepest().map_or(0, |deepest| deepest)) {
                let first = teller.steps.first(at);
                match under_way.get_mut(at as usize) {
                    Some(known) if known.first == first => {}
                    Some(known) => *known = UnderWay { first, replayed },
                    None => under_way.push(UnderWay { first, replayed }),
                }
                let level = match walk.lowest {
                    None => at + 1,
                    Some(lowest) => at.saturating_sub(lowest),
                };
                let since = under_way.get(at as usize).map_or(0, |known| replayed - known.replayed);
                if level > 0 && teller.deepest().is_some() && since > walk.budget >> level.min(63) {
                    teller.close(frame, at, replay.number());
                    break;
                }
            }
        }
        Ok(WalkEnd::Ended)
    }
}
