//! The frames on the stack while a stretch is recorded. Those that are left are kept for later ones, with the room that
//! they have made: most of what a call costs would be making it again.

use crate::captures::Values;
use crate::graph::{FrameId, NodeId, Origin, Place};
use crate::heap::Written;
use crate::keepers::KeeperCall;
use crate::outside::Given;
use crate::parts::Part;
use crate::shape::Shape;
use std::ops::{Deref, DerefMut};
use whydunit_replay::interpreter::Entry;
use whydunit_replay::program::{MethodIndex, Pc};
use whydunit_trace::ObjectId;

/// Where a frame stands that starts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Started<'p> {
    pub(crate) id: FrameId,
    pub(crate) shape: &'p Shape,
    pub(crate) method: MethodIndex,
    pub(crate) base: usize,
    pub(crate) first_decision: usize,
}

/// A frame that is on the stack.
#[derive(Clone, Debug)]
pub(crate) struct LiveFrame<'p> {
    pub(crate) id: FrameId,
    pub(crate) shape: &'p Shape,
    pub(crate) method: MethodIndex,
    /// Where its slots start.
    pub(crate) base: usize,
    pub(crate) first_decision: usize,
    /// The instruction under way, and what was noted of it.
    pub(crate) pc: Option<Pc>,
    pub(crate) pending: Origin,
    /// What decided that the current block runs.
    pub(crate) control: Origin,
    /// The last exception that the frame has caught.
    pub(crate) caught: Origin,
    /// The instruction whose exception is on its way.
    pub(crate) thrown: Origin,
    pub(crate) is_call_back: bool,
    /// It was there before the stretch.
    pub(crate) is_older: bool,
    /// What call-backs gave to the unrecorded call under way.
    pub(crate) passed: Vec<Origin>,
    /// References that the unrecorded call under way was given, and where they come from.
    pub(crate) given: Vec<Given>,
    /// Those of them with contents.
    pub(crate) read: Vec<ObjectId>,
    /// Those whose contents it may change.
    pub(crate) written: Vec<ObjectId>,
    /// Items that it was given to put somewhere, and what was known of them there before.
    pub(crate) put: Vec<(Place, Option<Written>)>,
    /// The part of an array that it writes, and where the values come from.
    pub(crate) part: Option<(Part, Origin)>,
    /// Collections and maps that it has to do with.
    pub(crate) keepers: Vec<KeeperCall>,
    /// What the function has captured that is being made, and the instructions that stand for it.
    pub(crate) captured: Option<(Values, Vec<NodeId>)>,
    /// What the function that is made will change.
    pub(crate) acts_on: Option<ObjectId>,
}

impl<'p> LiveFrame<'p> {
    pub(crate) fn new(started: Started<'p>) -> Self {
        let Started { id, shape, method, base, first_decision } = started;
        LiveFrame {
            id,
            shape,
            method,
            base,
            first_decision,
            pc: None,
            pending: Origin::NONE,
            control: Origin::NONE,
            caught: Origin::NONE,
            thrown: Origin::NONE,
            is_call_back: false,
            is_older: false,
            passed: Vec::new(),
            given: Vec::new(),
            read: Vec::new(),
            written: Vec::new(),
            put: Vec::new(),
            part: None,
            keepers: Vec::new(),
            captured: None,
            acts_on: None,
        }
    }

    /// The same as a new one, in the room of one that was left.
    pub(crate) fn become_new(&mut self, started: Started<'p>) {
        let Started { id, shape, method, base, first_decision } = started;
        (self.id, self.shape, self.method) = (id, shape, method);
        (self.base, self.first_decision) = (base, first_decision);
        (self.pc, self.part, self.captured) = (None, None, None);
        (self.pending, self.control) = (Origin::NONE, Origin::NONE);
        (self.caught, self.thrown) = (Origin::NONE, Origin::NONE);
        (self.is_call_back, self.is_older) = (false, false);
        self.passed.clear();
        self.given.clear();
        self.read.clear();
        self.written.clear();
        self.put.clear();
        self.keepers.clear();
    }

    /// It was there before.
    pub(crate) fn resume(&mut self, pc: Option<Pc>, pending: Origin, control: Origin, entry: Entry) {
        (self.pc, self.pending, self.control) = (pc, pending, control);
        (self.is_call_back, self.is_older) = (entry == Entry::CallBack, true);
    }
}

#[derive(Debug, Default)]
pub(crate) struct LiveFrames<'p> {
    frames: Vec<LiveFrame<'p>>,
    /// Those behind were left.
    depth: usize,
}

/// What is of interest of a frame that was left.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Left {
    pub(crate) pending: Origin,
    pub(crate) thrown: Origin,
    pub(crate) base: usize,
    pub(crate) first_decision: usize,
    pub(crate) is_call_back: bool,
}

impl<'p> LiveFrames<'p> {
    pub(crate) fn push(&mut self, started: Started<'p>) -> &mut LiveFrame<'p> {
        match self.frames.get_mut(self.depth) {
            Some(frame) => frame.become_new(started),
            None => self.frames.push(LiveFrame::new(started)),
        }
        self.depth += 1;
        &mut self.frames[self.depth - 1]
    }

    pub(crate) fn pop(&mut self) -> Option<Left> {
        self.depth = self.depth.checked_sub(1)?;
        let frame = &self.frames[self.depth];
        Some(Left {
            pending: frame.pending,
            thrown: frame.thrown,
            base: frame.base,
            first_decision: frame.first_decision,
            is_call_back: frame.is_call_back,
        })
    }
}

impl<'p> Deref for LiveFrames<'p> {
    type Target = [LiveFrame<'p>];

    fn deref(&self) -> &[LiveFrame<'p>] {
        &self.frames[..self.depth]
    }
}

impl<'p> DerefMut for LiveFrames<'p> {
    fn deref_mut(&mut self) -> &mut [LiveFrame<'p>] {
        &mut self.frames[..self.depth]
    }
}
