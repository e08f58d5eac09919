//! What a replay tells whoever looks on.

use crate::program::{Call, MethodCode, Pc};
use serde::{Deserialize, Serialize};
use whydunit_trace::LogKind;

/// Where the replay is.
#[derive(Clone, Copy, Debug)]
pub struct At<'p> {
    pub code: &'p MethodCode,
    pub pc: Pc,
    /// Number of the instruction in its thread, from 1; an instruction that call-backs interrupted has a
    /// number for each time it is taken up again.
    pub number: u64,
    /// 0 is the lowest recorded frame.
    pub depth: u32,
}

impl At<'_> {
    pub fn line(&self) -> Option<u32> {
        self.code.line(self.pc)
    }
}

/// A time in a thread, in their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct When {
    /// As in [`At::number`].
    pub instruction: u64,
    pub phase: Phase,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Phase {
    /// Before it has read or written anything.
    Start,
    /// When it is over: a call may have waited.
    End,
}

/// How a frame came to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Entry {
    /// Called by the recorded frame below.
    Direct,
    /// Called by unrecorded code.
    CallBack,
}

/// What a field access is about.
#[derive(Clone, Copy, Debug)]
pub struct FieldAccess {
    /// The slot with the object; 0 for static fields.
    pub object: u64,
    /// Number in [`crate::program::Program::field`].
    pub field: u32,
    pub kind: LogKind,
    pub bits: u64,
    pub is_static: bool,
}

#[derive(Clone, Copy, Debug)]
pub struct ElementAccess {
    pub array: u64,
    pub index: i32,
    pub kind: LogKind,
    pub bits: u64,
}

/// All methods do nothing by default and cost nothing then.
///
/// Bits are as in a slot: `int` and smaller types as the unsigned 32 bits of their value, references as
/// object ids, or as a temporary reference with [`crate::interpreter::TEMPORARY`] set until the object is
/// identified ([`Observer::identified`]).
pub trait Observer {
    /// Whether [`Observer::fact`] is of interest.
    const CHECKS: bool = false;

    /// Whether [`Observer::instruction`] and [`Observer::interruption`] are called. Otherwise [`Observer::ran`] is,
    /// and the replay is quicker.
    const EVERY_INSTRUCTION: bool = true;

    /// The topmost frame, of `code`, has come from one instruction to another without a jump. Of the last one it is not said
    /// that it is complete. It is told before anything happens to the frame, but after what the instructions did.
    #[inline(always)]
    fn ran(&mut self, _code: &MethodCode, _depth: u32, _from: Pc, _to: Pc) {}

    /// Before each instruction.
    #[inline(always)]
    fn instruction(&mut self, _at: At<'_>) {}

    /// A fact that check mode logs.
    #[inline(always)]
    fn fact(&mut self, _at: At<'_>, _kind: LogKind, _bits: u64) {}

    /// How far the check stream has been read.
    #[inline(always)]
    fn check_offset(&self) -> Option<u64> {
        None
    }

    /// A method starts; `arguments` are its first slots.
    #[inline(always)]
    fn entered(&mut self, _at: At<'_>, _arguments: &[u64], _entry: Entry) {}

    /// A recorded method returns to `at.code`'s caller.
    #[inline(always)]
    fn returned(&mut self, _at: At<'_>, _kind: LogKind, _bits: u64) {}

    /// A call into unrecorded code is about to start.
    #[inline(always)]
    fn calling(&mut self, _at: At<'_>, _call: &Call, _arguments: &[u64]) {}

    /// A call into unrecorded code is complete; `bits` is its result.
    #[inline(always)]
    fn called(&mut self, _at: At<'_>, _call: &Call, _bits: u64) {}

    /// An instruction throws.
    #[inline(always)]
    fn thrown(&mut self, _at: At<'_>) {}

    /// An exception leaves the frame of `at`.
    #[inline(always)]
    fn unwound(&mut self, _at: At<'_>, _exception: u64) {}

    /// An exception reaches a handler; `at` is the start of the handler.
    #[inline(always)]
    fn caught(&mut self, _at: At<'_>, _exception: u64) {}

    #[inline(always)]
    fn field_read(&mut self, _at: At<'_>, _access: FieldAccess) {}

    #[inline(always)]
    fn field_written(&mut self, _at: At<'_>, _access: FieldAccess) {}

    #[inline(always)]
    fn element_read(&mut self, _at: At<'_>, _access: ElementAccess) {}

    #[inline(always)]
    fn element_written(&mut self, _at: At<'_>, _access: ElementAccess) {}

    #[inline(always)]
    fn local_written(&mut self, _at: At<'_>, _local: u16, _kind: LogKind, _bits: u64) {}

    /// A local variable is read. Told only with [`Observer::EVERY_INSTRUCTION`].
    #[inline(always)]
    fn local_read(&mut self, _at: At<'_>, _local: u16, _bits: u64) {}

    /// A constant that the log gives, such as a string, is put on the stack.
    #[inline(always)]
    fn constant(&mut self, _at: At<'_>, _kind: LogKind, _bits: u64) {}

    /// A condition is decided: two operands, or one and 0.
    #[inline(always)]
    fn branched(&mut self, _at: At<'_>, _operands: [u64; 2], _taken: bool) {}

    /// Two values are compared, mostly for the branch that comes next.
    #[inline(always)]
    fn compared(&mut self, _at: At<'_>, _kind: LogKind, _operands: [u64; 2]) {}

    #[inline(always)]
    fn switched(&mut self, _at: At<'_>, _value: u64, _to: Pc) {}

    /// `new` or an array instruction made an object.
    #[inline(always)]
    fn allocated(&mut self, _at: At<'_>, _class: &str, _object: u64) {}

    /// A temporary reference turns out to be this object.
    #[inline(always)]
    fn identified(&mut self, _temporary: u64, _object: u64) {}

    /// Order across threads.
    #[inline(always)]
    fn synchronised(&mut self, _sequence: u64, _when: When) {}

    /// Asked before each instruction, which is not run if this ends the replay.
    #[inline(always)]
    fn interruption(&mut self, _at: At<'_>) -> Option<Interruption> {
        None
    }
}

/// Why an observer ends a replay.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Interruption {
    /// It has seen enough.
    Pause,
    /// The replay is wrong.
    Divergence(String),
}

/// Looks at nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unobserved;

impl Observer for Unobserved {
    const EVERY_INSTRUCTION: bool = false;
}
