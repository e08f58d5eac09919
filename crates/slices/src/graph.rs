//! Executed instructions and what each got its values from.

use crate::captures::Capture;
use crate::entries::Key;
use crate::wants::FrameKey;
use std::fmt;
use whydunit_replay::program::{MethodIndex, Pc};
use whydunit_trace::ObjectId;

/// Position of an instruction among those of its stretch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct NodeId(pub(crate) u32);

/// Position of a frame among those of its stretch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct FrameId(pub(crate) u32);

/// Where a value was made: by an instruction of the stretch, before the stretch, or nowhere.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Origin(u32);

/// Instead of the slot of an argument. No call has so many.
const CONTENTS: u16 = u16::MAX - 1;

/// Tells two kinds of positions apart.
const BEFORE: u32 = 1 << 31;

impl Origin {
    /// A slot that was never set.
    pub(crate) const NONE: Origin = Origin(u32::MAX);

    pub(crate) fn node(node: NodeId) -> Origin {
        Origin(node.0)
    }

    pub(crate) fn before(need: usize) -> Origin {
        Origin(BEFORE | need as u32)
    }

    pub(crate) fn kind(self) -> OriginKind {
        match self {
            Origin::NONE => OriginKind::None,
            Origin(bits) if bits & BEFORE != 0 => OriginKind::Before((bits & !BEFORE) as usize),
            Origin(bits) => OriginKind::Node(NodeId(bits)),
        }
    }
}

impl fmt::Debug for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.kind().fmt(f)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OriginKind {
    None,
    Node(NodeId),
    /// Position in the needs of the stretch.
    Before(usize),
}

/// What an input is to its instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Role {
    /// Its result is made of it.
    Value,
    /// It says which object or element.
    Address,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Input {
    pub(crate) origin: Origin,
    pub(crate) role: Role,
}

/// An executed instruction that made, moved or decided something.
#[derive(Clone, Copy, Debug)]
pub struct Node {
    /// The step of its frame.
    pub step: u64,
    pc: u16,
    argument: u16,
    pub(crate) frame: FrameId,
    /// What decided that it runs.
    pub(crate) control: Origin,
    pub(crate) first_input: u32,
    pub(crate) inputs: u32,
    pub(crate) about: About,
    /// The value that it made, read or wrote, if the replay tells; of a conditional jump, whether it jumped.
    pub bits: u64,
}

/// The place that an instruction reads or writes, or the frame of the recorded method that it calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct About(u32);

impl About {
    pub(crate) const NOTHING: About = About(u32::MAX);
    /// It ended with an exception.
    pub(crate) const THREW: About = About(u32::MAX - 1);

    /// Position in the places of the stretch.
    pub(crate) fn place(position: usize) -> About {
        About(position as u32)
    }

    pub(crate) fn callee(frame: FrameId) -> About {
        About(BEFORE | frame.0)
    }

    pub(crate) fn as_place(self) -> Option<usize> {
        (self.0 & BEFORE == 0).then_some(self.0 as usize)
    }

    pub(crate) fn as_callee(self) -> Option<FrameId> {
        let is_callee = self.0 & BEFORE != 0 && self != About::NOTHING && self != About::THREW;
        is_callee.then_some(FrameId(self.0 & !BEFORE))
    }
}

impl Node {
    pub(crate) fn new(step: u64, pc: Pc, argument: Option<u16>, frame: FrameId, control: Origin) -> Node {
        // A method has at most 65535 bytes of code, and fewer arguments.
        let (pc, argument) = (pc as u16, argument.unwrap_or(u16::MAX));
        Node { step, pc, argument, frame, control, first_input: 0, inputs: 0, about: About::NOTHING, bits: 0 }
    }

    pub fn pc(&self) -> Pc {
        Pc::from(self.pc)
    }

    /// A call has changed what is in an object, and gives back something that is made of less. It has such a node beside
    /// its own.
    pub fn is_change(&self) -> bool {
        self.argument == CONTENTS
    }

    pub(crate) fn into_change(self, about: About) -> Node {
        Node { argument: CONTENTS, about, bits: 0, ..self }
    }

    /// The slot of the callee's argument that a call passes on. A call has such nodes beside its own.
    pub fn argument(&self) -> Option<u16> {
        (self.argument != u16::MAX).then_some(self.argument)
    }
}

/// A frame that runs in the stretch.
#[derive(Clone, Copy, Debug)]
pub struct FrameInfo {
    pub method: MethodIndex,
    /// 0 is the lowest recorded frame.
    pub depth: u32,
    /// The first step of the frame: tells frames apart.
    pub entered: u64,
    /// The call, or the instruction whose call-back it is.
    pub(crate) call: Origin,
}

impl FrameInfo {
    pub(crate) fn key(&self) -> FrameKey {
        FrameKey { depth: self.depth, entered: self.entered, method: self.method }
    }
}

/// A frame that did not go on because of an exception.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CutShort {
    /// The last instruction before: a call may have thrown after its call-backs.
    pub(crate) after: NodeId,
    /// What threw.
    pub(crate) thrown: NodeId,
    pub(crate) frame: FrameId,
    pub(crate) pc: Pc,
    /// Where the frame goes on instead; `None` if it was left.
    pub(crate) handler: Option<Pc>,
}

/// A place in the heap.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Place {
    /// Number in the program.
    Static(u32),
    Field(ObjectId, u32),
    Element(ObjectId, i32),
    /// What unrecorded code keeps in an object of its own, or has put in an array.
    Content(ObjectId),
    /// That the second object is in the first: unrecorded code was given it to keep there.
    Item(ObjectId, ObjectId),
    /// That the second object is in the first, a map, under a key.
    Entry(ObjectId, Key, ObjectId),
    /// What a function has captured.
    Captured(Capture),
}

/// What a stretch needs to know of the time before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Need {
    /// A slot of a frame that was there.
    Slot { frame: FrameId, slot: u16 },
    /// What decided that the frame came to this instruction.
    Decision { frame: FrameId, pc: Pc },
    /// The instruction of the frame that was under way.
    Pending(FrameId),
    /// Who wrote a place last.
    Written(Place),
    /// Who wrote a place after this stretch, or the one before, has: another value is in it.
    Changed(Place),
    /// What made a frame run that was there.
    Caller(FrameId),
    /// Unrecorded code gave an object to recorded code, or called its method.
    Given(ObjectId),
    /// Unrecorded code ran a function in the lowest frame of a thread.
    Begun(Capture),
    /// Unrecorded code started a frame, or gave it something else than an object.
    Outside,
}
