//! The events of one segment, as if all of the thread were told.

use super::presence::MAX_BEHIND;
use super::{Summary, ThreadIndex};
use crate::error::ReplayError;
use crate::events::{Event, Teller, Wanted};
use crate::interpreter::ThreadReplay;
use crate::objects::ObjectTable;
use crate::program::{Op, Program};
use std::io;
use std::ops::ControlFlow;
use whydunit_trace::ObjectId;

/// Whether two instructions that are told as one would be torn apart here: what was read and its store, what was
/// compared and the branch on it, the end of a call and what its caller does next,
/// what was caught and the start of its handler. Or a call and its first instruction: the entry is told with the step that
/// starts there.
pub(super) fn is_between(replay: &ThreadReplay<'_>) -> bool {
    let Some(frame) = replay.frames().last() else { return false };
    let before = frame.pc.checked_sub(1).and_then(|before| frame.code.ops.get(before as usize));
    let is_compared = matches!(before, Some(Op::Lcmp | Op::Fcmp(_) | Op::Dcmp(_)));
    let is_store = matches!(
        frame.code.ops.get(frame.pc as usize),
        Some(Op::Store { .. } | Op::StoreWide { .. } | Op::CheckCast(_))
    );
    let has_returned = matches!(before, Some(Op::Invoke(_)));
    let has_caught = frame.code.handlers.iter().any(|handler| handler.target == frame.pc);
    let has_entered = frame.pc == 0;
    is_compared || is_store || has_returned || has_caught || has_entered || frame.is_unwinding
}

impl ThreadIndex {
    /// Shows the events of a segment to `visit` until that breaks.
    pub fn events_in(
        &self,
        program: &Program,
        objects: &ObjectTable,
        segment: usize,
        wanted: &Wanted,
        visit: &mut dyn FnMut(&Event) -> ControlFlow<()>,
    ) -> Result<ControlFlow<()>, ReplayError> {
        let checkpoint = self.checkpoint(segment)?;
        let mut replay = ThreadReplay::from_snapshot(program, objects, self.thread, &checkpoint.replay)?;
        let mut teller = Teller::new(program, objects, self.thread, wanted, visit);
        teller.take_up(&replay, checkpoint.steps);
        let end = self.end_of(segment);
        // The index ends where the replay does, for whatever reason.
        let mut run = |teller: &mut Teller<'_>, end: u64| match replay.run(teller, end) {
            Ok(_) | Err(ReplayError::Divergence(_)) => Ok(()),
            Err(error) => Err(error),
        };
        run(&mut teller, end)?;
        if teller.go_behind() {
            run(&mut teller, end.saturating_add(MAX_BEHIND))?;
        }
        teller.finish();
        Ok(if teller.is_over { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    }

    /// The segments that have anything of some steps.
    pub fn segments_of(&self, steps: &std::ops::RangeInclusive<u64>) -> std::ops::Range<usize> {
        let end = self.directory.segments.partition_point(|segment| segment.steps <= *steps.end());
        self.first_reaching(*steps.start())..end
    }

    /// Whether one of some objects may come up in a segment. What comes up before it has its id is found by the
    /// segment in which it gets it.
    pub fn may_have_object(&self, segment: usize, may_have: &dyn Fn(&Summary) -> bool) -> io::Result<bool> {
        for later in segment..self.checkpoints() {
            let summary = self.summary(later)?;
            if may_have(&summary) {
                return Ok(true);
            }
            if !self.segment(later)?.unidentified.is_any {
                return Ok(false);
            }
        }
        Ok(false)
    }

    /// Whether an object may come up in a segment.
    pub fn may_meet(&self, segment: usize, object: ObjectId) -> io::Result<bool> {
        self.may_have_object(segment, &|summary| summary.may_have_object(object))
    }
}
