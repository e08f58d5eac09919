//! What other threads do while a stretch runs.

use crate::dependences::{Dependences, Position};
use crate::graph::{NodeId, Origin, Place};
use crate::stretch::Stretch;
use crate::timeline::access;
use crate::wants::{Want, may_write};
use std::sync::Arc;
use whydunit_replay::index::Summary;
use whydunit_replay::{Program, ReplayError};

/// The summaries of the stretches of other threads that may run at the same time as one of a thread.
#[derive(Debug, Default)]
pub(crate) struct Rivals {
    summaries: Vec<Arc<Summary>>,
}

impl Dependences<'_> {
    /// The number of the first step of a stretch among the steps of all threads.
    pub(crate) fn start_of(&self, at: Position) -> Result<u64, ReplayError> {
        let index = self.index(at.thread)?;
        // No step starts in a stretch that is all inside one.
        let step = index.steps_of(at.segment).start.min(index.steps());
        Ok(self.order.number_of(at.thread, step)?.unwrap_or_default())
    }

    pub(crate) fn rivals(&self, at: Position) -> Result<Rivals, ReplayError> {
        let mut rivals = Rivals::default();
        let steps = self.index(at.thread)?.steps_of(at.segment);
        for (&other, index) in self.threads.iter().filter(|(thread, _)| **thread != at.thread) {
            let first = self.order.steps_before(at.thread, steps.start, other)? + 1;
            let last = self.order.steps_beside(at.thread, steps.end.saturating_sub(1).max(steps.start), other)?;
            if first <= last {
                for segment in index.segments_of(&(first..=last)) {
                    rivals.summaries.push(index.summary(segment)?);
                }
            }
        }
        Ok(rivals)
    }
}

impl Rivals {
    /// Whether another thread may have the answer to a want.
    pub(crate) fn may_answer(&self, program: &Program, want: Want) -> bool {
        match want {
            Want::Written(place) => self.may_write(program, place),
            Want::Slot { .. } | Want::Decision { .. } | Want::Pending(_) | Want::Caller(_) => false,
        }
    }

    /// Whether another thread may have written what an instruction has from an origin.
    pub(crate) fn may_have_written(
        &self,
        program: &Program,
        stretch: &Stretch<'_>,
        node: NodeId,
        origin: Origin,
    ) -> bool {
        let Some(found) = stretch.node(node).filter(|_| !self.summaries.is_empty()) else { return false };
        let is_value = || stretch.inputs(node).last().is_some_and(|input| input.origin == origin);
        match access(program, stretch, found) {
            Some((_, false)) => is_value() && stretch.place(found).is_some_and(|place| self.may_write(program, place)),
            Some((_, true)) => false,
            None => {
                let place = stretch.timeline(program).looked_for(node, origin);
                place.is_some_and(|place| self.may_write(program, place))
            }
        }
    }

    fn may_write(&self, program: &Program, place: Place) -> bool {
        self.summaries.iter().any(|summary| may_write(program, place, summary))
    }
}
