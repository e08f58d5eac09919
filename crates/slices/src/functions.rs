//! Lambdas and method references: what they have captured comes out again as the first parameters of their method.

use crate::graph::{About, FrameId, Node, NodeId, Origin, OriginKind, Place, Role};
use crate::recorder::Recorder;
use whydunit_replay::program::{Call, CallKind, MethodCode};
use whydunit_trace::{LogKind, ObjectId};

/// Functions that are remembered; of those made before nothing is known.
const MOST_FUNCTIONS: usize = 4096;

/// A function that was made in the stretch.
#[derive(Clone, Debug)]
pub(crate) struct Function {
    object: ObjectId,
    captured: Vec<Captured>,
}

/// A value that a function has captured: the slots of the method's parameters are those of the instruction's operands.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Captured {
    slot: u16,
    origin: Origin,
    bits: u64,
}

impl Recorder<'_> {
    /// What an instruction that makes a function captures; `first` is the slot of its first operand.
    pub(crate) fn captured(&self, call: &Call, first: usize, arguments: &[u64]) -> Vec<Captured> {
        if call.kind != CallKind::Dynamic || call.result != LogKind::Reference {
            return Vec::new();
        }
        let operands = arguments.iter().enumerate();
        let captured = |(slot, &bits): (usize, &u64)| {
            let origin = self.slot(first + slot);
            (origin != Origin::NONE).then_some(Captured { slot: slot as u16, origin, bits })
        };
        operands.filter_map(captured).collect()
    }

    pub(crate) fn note_function(&mut self, object: ObjectId, captured: Vec<Captured>) {
        if !captured.is_empty() && self.functions.len() < MOST_FUNCTIONS {
            self.functions.push(Function { object, captured });
        }
    }

    /// The value that a function has captured and now gives to its method, which the instruction `call` made run.
    pub(crate) fn captured_argument(
        &mut self,
        callee: &MethodCode,
        slot: usize,
        arguments: &[u64],
        call: NodeId,
    ) -> Option<Origin> {
        if !callee.name.starts_with("lambda$") {
            return None;
        }
        let frame = self.frames.last()?;
        let is_given = |function: &Function| {
            frame.given.iter().any(|given| given.object == function.object)
                || frame.read.iter().flat_map(|&shelf| self.heap.sources(shelf)).any(|shelf| {
                    shelf == function.object || self.heap.written(Place::Item(shelf, function.object)).is_some()
                })
        };
        let fits = |function: &&Function| {
            let is_same = |one: &Captured| arguments.get(usize::from(one.slot)) == Some(&one.bits);
            function.captured.iter().all(is_same) && is_given(function)
        };
        let function = self.functions.iter().rev().find(fits)?;
        let captured = *function.captured.iter().find(|one| usize::from(one.slot) == slot)?;
        let outer = *self.graph.nodes.get(call.0 as usize)?;
        let mut passing = Node::new(outer.step, outer.pc(), Some(slot as u16), outer.frame, outer.control);
        passing.about = About::callee(FrameId(self.graph.frames.len() as u32));
        passing.bits = captured.bits;
        let id = NodeId(self.graph.nodes.len() as u32);
        self.graph.nodes.push(passing);
        self.add_input(id, captured.origin, Role::Value);
        self.add_input(id, Origin::node(call), Role::Address);
        Some(Origin::node(id))
    }

    /// The call of unrecorded code that a call-back belongs to, if it is one of the stretch.
    pub(crate) fn node_of(&self, call: Origin) -> Option<NodeId> {
        match call.kind() {
            OriginKind::Node(node) => Some(node),
            OriginKind::None | OriginKind::Before(_) => None,
        }
    }
}
