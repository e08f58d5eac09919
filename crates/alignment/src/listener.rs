//! Who is told of everything that corresponds, and of everything that differs.

use crate::compare::Aligned;
use crate::verdicts::WrongValue;
use whydunit_trace::{ObjectId, ThreadId};

/// A part of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Part {
    /// By its number in the left run.
    Field(u32),
    Element(u32),
    /// What unrecorded code keeps there.
    Content,
}

/// What a part of an object of the right run holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Holds {
    AsItShould,
    Another,
    /// What it held before, as only the left run has changed it: some time before the right run starts its next step.
    Unchanged,
}

pub(crate) trait Listener {
    fn aligned(&mut self, aligned: Aligned);

    /// Of the right run.
    fn wrong(&mut self, _thread: ThreadId, _step: u64, _wrong: WrongValue) {}

    /// From when a step of the right run was the latest one, a part of an object holds something else than before.
    fn content(&mut self, _thread: ThreadId, _step: u64, _part: (ObjectId, Part), _holds: Holds) {}
}

/// Hears of what corresponds only.
pub(crate) struct Visitor<'v>(pub(crate) &'v mut dyn FnMut(Aligned));

impl Listener for Visitor<'_> {
    fn aligned(&mut self, aligned: Aligned) {
        (self.0)(aligned);
    }
}
