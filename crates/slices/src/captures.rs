//! What functions have captured: it comes out again as the first arguments of their method.

use crate::digest::Digest;
use crate::functions::{Function, Run};
use crate::graph::{Need, Node, NodeId, Origin, OriginKind, Place, Role};
use crate::recorder::{Recorder, is_temporary};
use whydunit_replay::program::{Call, CallKind, MethodCode};
use whydunit_trace::{LogKind, ObjectId};

/// Something that a function has captured. Functions are told apart by what they have captured, where it is not known
/// which one it is: those with the same values are as good as one another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Capture {
    pub(crate) function: Option<ObjectId>,
    pub(crate) run: Run,
    /// The slot of the body's argument; `None` for the function as a whole.
    pub(crate) slot: Option<u16>,
    /// Of all values that it has captured.
    values: Digest,
}

/// The values that a function has captured, some of them perhaps objects that have no id yet.
#[derive(Clone, Debug)]
pub(crate) struct Values {
    function: Option<ObjectId>,
    run: Run,
    kinds: Box<[LogKind]>,
    /// By slot.
    bits: Vec<u64>,
}

impl Values {
    /// Of whichever function.
    pub(crate) fn new(function: &Function, values: &[u64]) -> Values {
        let slots = function.captured.iter().map(|kind| usize::from(kind.slots())).sum();
        let bits = (0..slots).map(|slot| values.get(slot).copied().unwrap_or_default()).collect();
        Values { function: None, run: function.run, kinds: function.captured.clone(), bits }
    }

    pub(crate) fn of(self, function: Option<ObjectId>) -> Values {
        Values { function, ..self }
    }

    /// The function as a whole.
    pub(crate) fn whole(&self) -> Capture {
        let values: Vec<u64> = self.slots().map(|(_, _, bits)| bits).collect();
        let values = Digest::of(values);
        Capture { function: self.function, run: self.run, slot: None, values }
    }

    /// The function as a whole, and what is in each slot.
    pub(crate) fn captures(&self) -> impl Iterator<Item = Capture> {
        let whole = self.whole();
        let slots = self.slots().map(move |(slot, ..)| Capture { slot: Some(slot), ..whole });
        std::iter::once(whole).chain(slots)
    }

    fn slots(&self) -> impl Iterator<Item = (u16, LogKind, u64)> {
        self.kinds.iter().scan(0u16, |next, &kind| {
            let slot = *next;
            *next += kind.slots();
            Some((slot, kind, self.bits.get(usize::from(slot)).copied().unwrap_or_default()))
        })
    }

    /// What a reference such as `list::add` has captured.
    fn receiver(&self) -> Option<ObjectId> {
        let (_, kind, bits) = self.slots().next()?;
        (kind == LogKind::Reference && bits != 0).then_some(ObjectId(bits as u32))
    }

    /// Objects that have no id yet.
    pub(crate) fn temporaries(&self) -> impl Iterator<Item = ObjectId> {
        let references = self.slots().filter(|(_, kind, _)| *kind == LogKind::Reference);
        references.map(|(.., bits)| ObjectId(bits as u32)).filter(|&object| is_temporary(object))
    }

    pub(crate) fn identify(&mut self, temporary: ObjectId, object: ObjectId) {
        let references: Vec<u16> =
            self.slots().filter(|(_, kind, _)| *kind == LogKind::Reference).map(|(slot, ..)| slot).collect();
        for slot in references {
            if let Some(bits) = self.bits.get_mut(usize::from(slot)).filter(|bits| **bits == u64::from(temporary.0)) {
                *bits = u64::from(object.0);
            }
        }
    }
}

impl Recorder<'_> {
    /// An instruction starts to make something of values that start at slot `first`.
    pub(crate) fn note_captured(&mut self, first: usize, arguments: &[u64]) {
        let Some(frame) = self.frames.last() else { return };
        let made = self.program.code(frame.method).ok().zip(frame.pc);
        let Some(function) = made.and_then(|(code, pc)| self.flows.made(self.program, code, pc)) else { return };
        let OriginKind::Node(node) = frame.pending.kind() else { return };
        let values = Values::new(function, arguments);
        let acts_on = function.changes_receiver().then(|| values.receiver()).flatten();
        let mut nodes = vec![node];
        for (slot, _, bits) in values.slots() {
            let origin = self.slot(first + usize::from(slot));
            nodes.extend(self.pass_argument(node, slot, bits, origin));
        }
        if let Some(frame) = self.frames.last_mut() {
            frame.captured = Some((values, nodes));
            frame.acts_on = acts_on;
        }
    }

    /// The function is there.
    pub(crate) fn note_function(&mut self, function: ObjectId) {
        let Some(frame) = self.frames.last_mut() else { return };
        let acts_on = frame.acts_on.take();
        let Some((values, nodes)) = frame.captured.take() else { return };
        if let Some(object) = acts_on {
            self.heap.act(function, object);
        }
        for values in [values.clone(), values.of(Some(function))] {
            for (capture, &node) in values.captures().zip(&nodes) {
                self.heap.note_capture(capture, Origin::node(node));
                self.heap.keep_change(Place::Captured(capture), node, self.graph.nodes.len());
            }
            self.heap.expect_identities(values);
        }
    }

    /// What a lambda's body was entered with that its function has captured, by slot: it comes from where the function was
    /// made, whoever calls it.
    pub(crate) fn captured_arguments(&mut self, callee: &MethodCode, arguments: &[u64]) -> Vec<Origin> {
        let Some(function) = self.flows.of_body(self.program, callee.index) else { return Vec::new() };
        let values = Values::new(function, arguments).of(self.called_function(callee));
        let is_lowest = self.frames.is_empty();
        let mut origins = Vec::new();
        for capture in values.captures() {
            let Some(slot) = capture.slot else { continue };
            let place = Place::Captured(capture);
            // A thread runs what others have made, whatever it has made itself.
            let known = self.heap.get(place).filter(|_| !is_lowest);
            let need = if is_lowest { Need::Begun(capture) } else { Need::Written(place) };
            origins.resize(usize::from(slot), Origin::NONE);
            origins.push(known.unwrap_or_else(|| self.graph.need(need)));
        }
        self.heap.expect_identities(values);
        origins
    }

    /// The function that runs the body of a lambda in the lowest frame of a thread.
    pub(crate) fn begun(&self, callee: &MethodCode, arguments: &[u64]) -> Option<Need> {
        let function = self.flows.of_body(self.program, callee.index)?;
        Some(Need::Begun(Values::new(function, arguments).whole()))
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
