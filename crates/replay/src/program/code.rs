//! A method ready to be interpreted.

use super::op::{LookupSwitch, Op, Pc, TableSwitch};
use super::origins::JumpSources;
use super::types::SlotTypes;
use super::{DefinitionIndex, MethodIndex, Target};
use std::sync::OnceLock;
use whydunit_trace::plan::{After, Handshake, Meets};
use whydunit_trace::{LogKind, MethodId};

/// What every call of the method needs comes first and is in one line of the cache.
#[derive(Debug)]
#[repr(C, align(64))]
pub struct MethodCode {
    /// [`MethodCode::ops`] with pairs in one, for replays that are not watched instruction by instruction.
    pub fused: Box<[Op]>,
    pub sites: Box<[CallSite]>,
    /// Whether an instruction is reached only from the one before it, which is of the same line, and does not
    /// jump itself.
    pub is_inside_line: Box<[bool]>,
    pub max_locals: u16,
    /// Locals and operand stack.
    pub slots: u16,
    /// With `this`.
    pub argument_slots: u16,
    pub result: LogKind,
    /// Returns `boolean`, so that only the lowest bit counts.
    pub is_boolean: bool,
    pub is_constructor: bool,
    /// Takes a sequence number when it starts and before it returns.
    pub is_synchronized: bool,
    /// Some of its instructions take sequence numbers.
    pub has_meetings: bool,
    pub index: MethodIndex,
    /// 0 where the class file has no line.
    pub lines: Box<[u16]>,
    pub ops: Box<[Op]>,
    pub id: MethodId,
    pub definition: DefinitionIndex,
    /// From this synchronisation on another agent's code may run around the method or instead of it.
    pub changed_after: u64,
    pub name: Box<str>,
    pub descriptor: Box<str>,
    pub access: u16,
    /// What an `enter` logs: without the `this` of a constructor.
    pub logged_arguments: Box<[LogKind]>,
    pub logged_bytes: u64,
    /// Address of each instruction in the class file.
    pub addresses: Box<[u32]>,
    pub guards: Box<[Guard]>,
    /// Empty when there are no meetings.
    pub(super) meets: Box<[Meets]>,
    pub handlers: Box<[Handler]>,
    pub wide_constants: Box<[u64]>,
    pub tables: Box<[TableSwitch]>,
    pub lookups: Box<[LookupSwitch]>,
    pub calls: Box<[Call]>,
    pub classes: Box<[Box<str>]>,
    pub types: SlotTypes,
    pub variables: Box<[Variable]>,
    pub(super) jump_sources: OnceLock<JumpSources>,
}

/// What sees an exception that leaves an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Guard {
    /// The recorder's handler, if none of the method's own takes it.
    Recorder,
    /// A catch-all of the method.
    CatchAll,
    /// The start of a constructor: nobody may.
    Nobody,
}

/// An entry of the exception table.
#[derive(Clone, Debug)]
pub struct Handler {
    pub start: Pc,
    pub end: Pc,
    pub target: Pc,
    /// First entry of the table with the same target: how records name it.
    pub first: u16,
    /// Whatever is thrown: of `finally` and `synchronized`.
    pub catches_all: bool,
}

/// A local variable of the source.
#[derive(Clone, Debug)]
pub struct Variable {
    pub name: Box<str>,
    pub descriptor: Box<str>,
    pub slot: u16,
    /// Addresses between which it exists.
    pub start: u32,
    pub end: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CallKind {
    Virtual,
    Special,
    Constructor,
    Static,
    Dynamic,
}

/// A call instruction.
#[derive(Debug)]
pub struct Call {
    pub kind: CallKind,
    /// Empty for `invokedynamic`.
    pub owner: Box<str>,
    pub name: Box<str>,
    pub descriptor: Box<str>,
    pub is_interface: bool,
    /// With the receiver.
    pub argument_slots: u16,
    pub arguments: Box<[LogKind]>,
    pub result: LogKind,
    pub after: After,
    pub handshake: Handshake,
    /// What the caller leaves for the callee; 0 for nothing.
    pub token: u32,
    /// Numbers the call sites of the program.
    pub site: u32,
    /// For calls that do not depend on the receiver's class.
    pub(super) fixed: OnceLock<Target>,
    /// The method that the symbolic reference names.
    pub(super) resolved: OnceLock<Option<super::dispatch::Found>>,
}

/// What a replay needs to know of a [`Call`] most of the time: small, because there are many of them.
#[derive(Clone, Copy, Debug)]
pub struct CallSite {
    pub number: u32,
    pub argument_slots: u16,
    pub kind: CallKind,
    pub handshake: Handshake,
}

impl CallSite {
    pub(super) fn of(call: &Call) -> CallSite {
        CallSite { number: call.site, argument_slots: call.argument_slots, kind: call.kind, handshake: call.handshake }
    }
}

impl MethodCode {
    pub fn line(&self, pc: Pc) -> Option<u32> {
        self.lines.get(pc as usize).filter(|&&line| line != 0).map(|&line| u32::from(line))
    }

    /// Where the record `handler` sends an exception of the instruction at `pc`.
    pub fn handler_for(&self, pc: Pc, handler: u16) -> Option<Pc> {
        let covers = |h: &&Handler| h.first == handler && (h.start..h.end).contains(&pc);
        self.handlers.iter().find(covers).map(|h| h.target)
    }

    pub fn has_handler_at(&self, pc: Pc) -> bool {
        self.handlers.iter().any(|h| (h.start..h.end).contains(&pc))
    }

    pub fn guard(&self, pc: Pc) -> Guard {
        self.guards.get(pc as usize).copied().unwrap_or(Guard::Nobody)
    }

    /// When the instruction takes sequence numbers.
    pub fn meets(&self, pc: Pc) -> Meets {
        self.meets.get(pc as usize).copied().unwrap_or(Meets::NEVER)
    }

    /// The variable of the source that a slot holds at an address.
    pub fn variable_at(&self, slot: u16, address: u32) -> Option<&Variable> {
        self.variables.iter().find(|v| v.slot == slot && (v.start..v.end).contains(&address))
    }

    pub(super) fn jump_sources(&self) -> &JumpSources {
        self.jump_sources.get_or_init(|| JumpSources::of(self))
    }

    /// The call that the instruction at `pc` makes.
    pub fn call_at(&self, pc: Pc) -> Option<&Call> {
        match self.ops.get(pc as usize) {
            Some(&Op::Invoke(call)) => self.calls.get(call as usize),
            _ => None,
        }
    }
}
