//! What functions have captured: it comes out again as the first arguments of their method.

use crate::functions::Body;
use crate::graph::{Need, Node, NodeId, Origin, OriginKind, Place, Role};
use crate::recorder::Recorder;
use rustc_hash::FxHasher;
use std::hash::Hasher;
use whydunit_replay::program::{Call, CallKind, MethodCode, MethodIndex};
use whydunit_trace::{LogKind, ObjectId};

/// Something that a function of a lambda has captured. Functions are told apart by what they have captured, where it is
/// not known which one it is: those with the same values are as good as one another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Capture {
    pub(crate) function: Option<ObjectId>,
    /// The body of the lambda.
    pub(crate) method: MethodIndex,
    /// The slot of the body's argument; `None` for the function as a whole.
    pub(crate) slot: Option<u16>,
    /// Stands for all primitive values that it has captured.
    primitives: u32,
    /// What the slot holds, if that is an object.
    pub(crate) object: Option<ObjectId>,
}

impl Capture {
    /// Of whichever function of a body that has captured these values.
    fn of(body: &Body, values: &[u64]) -> Capture {
        let mut hasher = FxHasher::default();
        for (_, _, bits) in slots(body, values).filter(|(_, kind, _)| *kind != LogKind::Reference) {
            hasher.write_u64(bits);
        }
        let primitives = (hasher.finish() >> 32) as u32;
        Capture { function: None, method: body.method, slot: None, primitives, object: None }
    }

    fn in_slot(self, slot: u16, kind: LogKind, bits: u64) -> Capture {
        let object = (kind == LogKind::Reference).then_some(ObjectId(bits as u32));
        Capture { slot: Some(slot), object, ..self }
    }

    /// The same of an object that is now known by its id.
    pub(crate) fn of_object(self, object: ObjectId) -> Capture {
        Capture { object: Some(object), ..self }
    }
}

/// Slots, kinds and values of what a function has captured.
fn slots(body: &Body, values: &[u64]) -> impl Iterator<Item = (u16, LogKind, u64)> {
    body.captured.iter().scan(0u16, move |next, &kind| {
        let slot = *next;
        *next += kind.slots();
        Some((slot, kind, values.get(usize::from(slot)).copied().unwrap_or_default()))
    })
}

impl Recorder<'_> {
    /// An instruction starts to make something of values that start at slot `first`.
    pub(crate) fn note_captured(&mut self, first: usize, arguments: &[u64]) {
        let Some(frame) = self.frames.last() else { return };
        let body = self.program.code(frame.method).ok().zip(frame.pc);
        let Some(body) = body.and_then(|(code, pc)| self.flows.body_made(self.program, code, pc)) else { return };
        let OriginKind::Node(node) = frame.pending.kind() else { return };
        let whole = Capture::of(body, arguments);
        let mut captured = vec![(whole, node)];
        for (slot, kind, bits) in slots(body, arguments) {
            let origin = self.slot(first + usize::from(slot));
            if let Some(passing) = self.pass_argument(node, slot, bits, origin) {
                captured.push((whole.in_slot(slot, kind, bits), passing));
            }
        }
        if let Some(frame) = self.frames.last_mut() {
            frame.captured = captured;
        }
    }

    /// The function is there.
    pub(crate) fn note_function(&mut self, function: ObjectId) {
        let Some(frame) = self.frames.last_mut() else { return };
        for (capture, node) in std::mem::take(&mut frame.captured) {
            for capture in [capture, Capture { function: Some(function), ..capture }] {
                let place = Place::Captured(capture);
                self.heap.note_capture(capture, Origin::node(node));
                self.heap.keep_change(place, node, self.graph.nodes.len());
            }
        }
    }

    /// What a lambda's body was entered with that its function has captured, by slot: it comes from where the function was
    /// made, whoever calls it.
    pub(crate) fn captured_arguments(&mut self, callee: &MethodCode, arguments: &[u64]) -> Vec<Origin> {
        let Some(body) = self.flows.body(self.program, callee.index) else { return Vec::new() };
        let whole = Capture { function: self.called_function(callee), ..Capture::of(body, arguments) };
        let is_lowest = self.frames.is_empty();
        let mut origins = Vec::new();
        for (slot, kind, bits) in slots(body, arguments) {
            let capture = whole.in_slot(slot, kind, bits);
            let place = Place::Captured(capture);
            // A thread runs what others have made, whatever it has made itself.
            let known = self.heap.get(place).filter(|_| !is_lowest);
            let need = if is_lowest { Need::Begun(capture) } else { Need::Written(place) };
            origins.resize(usize::from(slot), Origin::NONE);
            origins.push(known.unwrap_or_else(|| self.graph.need(need)));
        }
        origins
    }

    /// The function that runs the body of a lambda in the lowest frame of a thread.
    pub(crate) fn begun(&self, callee: &MethodCode, arguments: &[u64]) -> Option<Need> {
        let body = self.flows.body(self.program, callee.index)?;
        Some(Need::Begun(Capture::of(body, arguments)))
    }

    /// The function that a call of an interface method calls.
    fn called_function(&self, callee: &MethodCode) -> Option<ObjectId> {
        let frame = self.frames.last()?;
        let call = self.program.code(frame.method).ok()?.call_at(frame.pc?)?;
        let receiver = frame.given.first().filter(|given| given.slot == 0 && has_receiver(call))?.object;
        let maker = &self.program.definition(callee.definition)?.name;
        self.library.is_function_of(receiver, maker).then_some(receiver)
    }

    /// A call gives an argument away, which is made of that alone.
    pub(crate) fn pass_argument(&mut self, call: NodeId, slot: u16, bits: u64, origin: Origin) -> Option<NodeId> {
        let &outer = self.graph.nodes.get(call.0 as usize)?;
        let mut passing = Node::new(outer.step, outer.pc(), Some(slot), outer.frame, outer.control);
        passing.bits = bits;
        self.graph.nodes.push(passing);
        let passing = NodeId(self.graph.nodes.len() as u32 - 1);
        if origin != Origin::NONE {
            self.add_input(passing, origin, Role::Value);
        }
        self.add_input(passing, Origin::node(call), Role::Address);
        Some(passing)
    }
}

fn has_receiver(call: &Call) -> bool {
    !matches!(call.kind, CallKind::Static | CallKind::Dynamic)
}
