//! What one side of a comparison is told of its replay: small records, because there are very many.

use whydunit_replay::program::Pc;
use whydunit_trace::LogKind;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tag {
    /// An instruction that both sides tell of, such as the start of a basic block; `slot` is 1 when a step starts.
    Block,
    /// `slot` is 1 when it jumps, `a` and `b` are the operands.
    Branch,
    /// `a` and `b` are compared, mostly for the branch that comes next.
    Compared,
    /// `a` is the value, `extra` where it goes.
    Switch,
    /// `extra` is the method, `slot` is 1 when unrecorded code has called it, `pc` is the instruction of the frame
    /// below and `b` its step. As many [`Tag::Argument`] follow as the method has.
    Enter,
    /// `a` is the value of the parameter in `slot`; it belongs to the `Enter` or `Calling` before it.
    Argument,
    /// `a` is the result.
    Return,
    /// Unrecorded code is called by the method `b`; `extra` arguments follow.
    Calling,
    /// Unrecorded code has returned `a`.
    Called,
    Thrown,
    /// The exception `a` leaves the frame.
    Unwound,
    /// The handler at `pc` gets the exception `a`, which came from `extra`.
    Caught,
    /// `a` is written to `slot`.
    Local,
    /// `a` is written to field `extra` of `b`.
    Field,
    /// `a` is written to element `extra` of `b`.
    Element,
    /// `a` is read from local `slot`.
    ReadLocal,
    /// `a` is read from field `extra`.
    ReadField,
    /// `a` is read from element `extra`.
    ReadElement,
    /// The temporary reference `a` is the object `b`.
    Identified,
    /// The thread has taken the sequence number `a`.
    Met,
    /// Nothing comes any more.
    End,
}

impl Tag {
    /// Whether it says something of a step.
    pub(crate) fn is_of_step(self) -> bool {
        !matches!(self, Tag::Identified | Tag::Met)
    }
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Event {
    pub(crate) tag: Tag,
    pub(crate) kind: LogKind,
    pub(crate) slot: u16,
    pub(crate) pc: Pc,
    /// Of the frame; of `Enter`, of the new one.
    pub(crate) depth: u32,
    pub(crate) extra: u32,
    pub(crate) step: u64,
    pub(crate) number: u64,
    pub(crate) a: u64,
    pub(crate) b: u64,
}

impl Event {
    pub(crate) const END: Event = Event {
        tag: Tag::End,
        kind: LogKind::Nothing,
        slot: 0,
        pc: 0,
        depth: 0,
        extra: 0,
        step: 0,
        number: 0,
        a: 0,
        b: 0,
    };

    /// The frame is left with it.
    pub(crate) fn is_exit(&self) -> bool {
        matches!(self.tag, Tag::Return | Tag::Unwound)
    }

    pub(crate) fn is_exceptional(&self) -> bool {
        matches!(self.tag, Tag::Thrown | Tag::Unwound | Tag::Caught)
    }

    pub(crate) fn is_call_back(&self) -> bool {
        self.tag == Tag::Enter && self.slot == 1
    }
}
