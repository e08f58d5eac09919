//! Watches a replay and notes for each instruction where its values come from: a machine beside the interpreter whose
//! slots hold origins instead of values.

use crate::graph::{About, FrameId, FrameInfo, Input, Need, Node, NodeId, Origin, OriginKind, Place, Role};
use crate::heap::{Heap, Written};
use crate::library::Library;
use crate::live_frames::{Left, LiveFrame, LiveFrames, Started};
use crate::stretch::{Flows, Graph, Meeting};
use whydunit_classfile::access;
use whydunit_replay::Program;
use whydunit_replay::interpreter::{At, ElementAccess, Entry, FieldAccess, Observer, TEMPORARY, When};
use whydunit_replay::program::{Call, MethodCode, SlotType};
use whydunit_replay::steps::StepCounter;
use whydunit_trace::{LogKind, ObjectId};

pub(crate) struct Recorder<'p> {
    pub(crate) program: &'p Program,
    pub(crate) flows: &'p Flows,
    pub(crate) library: Library<'p>,
    pub(crate) graph: Graph,
    pub(crate) steps: StepCounter,
    /// Origins of locals and operands of all frames; a callee's first locals are its caller's topmost operands.
    pub(crate) slots: Vec<Origin>,
    pub(crate) frames: LiveFrames<'p>,
    /// By frame, from [`LiveFrame::first_decision`] on, by number of the branch: its last execution.
    pub(crate) decisions: Vec<Origin>,
    pub(crate) heap: Heap,
}

impl<'p> Recorder<'p> {
    fn pop_frame(&mut self) -> Option<Left> {
        let frame = self.frames.pop()?;
        self.decisions.truncate(frame.first_decision);
        Some(frame)
    }

    /// A recorded method gets its arguments, which start at slot `base`.
    fn pass_arguments(&mut self, call: Origin, base: usize, callee: &MethodCode, arguments: &[u64]) {
        let OriginKind::Node(call) = call.kind() else { return };
        let about = About::callee(FrameId(self.graph.frames.len() as u32));
        let Some(call) = self.graph.nodes.get_mut(call.0 as usize) else { return };
        call.about = about;
        let call = *call;
        let first = usize::from(callee.access & access::STATIC == 0);
        for (slot, &bits) in arguments.iter().enumerate().skip(first) {
            if is_second_half(callee, slot) {
                self.set_slot(base + slot, Origin::NONE);
                continue;
            }
            let origin = self.slot(base + slot);
            if origin == Origin::NONE {
                continue;
            }
            let mut node = Node::new(call.step, call.pc(), Some(slot as u16), call.frame, call.control);
            node.first_input = self.graph.inputs.len() as u32;
            node.inputs = 1;
            node.bits = bits;
            node.about = about;
            self.graph.inputs.push(Input { origin, role: Role::Value });
            self.graph.nodes.push(node);
            self.set_slot(base + slot, Origin::node(NodeId(self.graph.nodes.len() as u32 - 1)));
        }
    }

    pub(crate) fn add_input(&mut self, node: NodeId, origin: Origin, role: Role) {
        self.graph.add_input(node, origin, role);
    }

    pub(crate) fn set_bits(&mut self, origin: Origin, bits: u64) {
        if let OriginKind::Node(node) = origin.kind()
            && let Some(node) = self.graph.nodes.get_mut(node.0 as usize)
        {
            node.bits = bits;
        }
    }

    fn set_place(&mut self, origin: Origin, place: Place) {
        if let OriginKind::Node(node) = origin.kind()
            && let Some(node) = self.graph.nodes.get_mut(node.0 as usize)
        {
            node.about = About::place(self.graph.places.len());
            self.graph.places.push(place);
        }
    }

    pub(crate) fn set_slot(&mut self, slot: usize, origin: Origin) {
        self.make_room(slot + 1);
        self.slots[slot] = origin;
    }

    pub(crate) fn make_room(&mut self, slots: usize) {
        if slots > self.slots.len() {
            self.slots.resize(slots + 64, Origin::NONE);
        }
    }

    pub(crate) fn slot(&self, slot: usize) -> Origin {
        self.slots.get(slot).copied().unwrap_or(Origin::NONE)
    }

    fn read_place(&mut self, place: Place, kind: LogKind, bits: u64) {
        let Some(frame) = self.frames.last() else { return };
        let OriginKind::Node(node) = frame.pending.kind() else { return };
        let origin = match self.heap.read(place, kind, bits) {
            Some(origin) => origin,
            None => {
                let origin = self.graph.need(self.heap.need(place));
                self.heap.note(place, Written { origin, kind, bits });
                origin
            }
        };
        self.add_input(node, origin, Role::Value);
        self.set_bits(Origin::node(node), bits);
        self.set_place(Origin::node(node), place);
    }

    fn write_place(&mut self, place: Place, kind: LogKind, bits: u64) {
        let Some(frame) = self.frames.last() else { return };
        let origin = frame.pending;
        self.heap.note(place, Written { origin, kind, bits });
        self.set_bits(origin, bits);
        self.set_place(origin, place);
    }
}

impl Observer for Recorder<'_> {
    fn instruction(&mut self, at: At<'_>) {
        self.steps.instruction(at);
        self.begin_or_go_on(at);
    }

    fn entered(&mut self, at: At<'_>, arguments: &[u64], entry: Entry) {
        let entered = self.steps.steps() + 1;
        self.steps.entered(at.depth);
        let id = FrameId(self.graph.frames.len() as u32);
        let below = self.frames.last();
        let receiver = arguments.first().filter(|_| at.code.access & access::STATIC == 0);
        let (call, giver) = match (below, receiver) {
            (Some(below), _) => (below.pending, below.pending),
            (None, receiver) => {
                let given = receiver.map(|&receiver| Need::Given(ObjectId(receiver as u32)));
                let begun = self.begun(at.code, arguments);
                let call = self.graph.need(begun.or(given).unwrap_or(Need::Outside));
                (call, self.graph.need(begun.unwrap_or(Need::Outside)))
            }
        };
        let below = self.frames.last();
        let base = match (below, entry) {
            (None, _) => 0,
            (Some(below), Entry::Direct) => self.top_of(below).saturating_sub(arguments.len()),
            (Some(below), Entry::CallBack) => self.top_of(below),
        };
        if entry == Entry::Direct {
            self.note_receiver(call, base);
            self.pass_arguments(call, base, at.code, arguments);
        } else {
            let captured = self.captured_arguments(at.code, arguments);
            for (slot, &bits) in arguments.iter().enumerate() {
                let origin = match captured.get(slot) {
                    _ if is_second_half(at.code, slot) => Origin::NONE,
                    Some(&origin) => origin,
                    None => self.callback_argument(at.code, slot, bits, giver),
                };
                self.set_slot(base + slot, origin);
            }
        }
        self.make_room(base + usize::from(at.code.slots));
        let other_locals = base + arguments.len()..base + usize::from(at.code.max_locals);
        self.slots.get_mut(other_locals).unwrap_or_default().fill(Origin::NONE);
        let shape = self.flows.shape(at.code);
        let first_decision = self.decisions.len();
        self.decisions.resize(first_decision + shape.flow.branches().len(), Origin::NONE);
        self.graph.frames.push(FrameInfo { method: at.code.index, depth: at.depth, entered, call });
        let frame = self.frames.push(Started { id, shape, method: at.code.index, base, first_decision });
        frame.control = call;
        frame.is_call_back = entry == Entry::CallBack;
    }

    fn returned(&mut self, _at: At<'_>, kind: LogKind, bits: u64) {
        let Some(frame) = self.pop_frame() else { return };
        let (pending, base, is_call_back) = (frame.pending, frame.base, frame.is_call_back);
        self.set_bits(pending, bits);
        if kind == LogKind::Nothing {
            return;
        }
        if !is_call_back {
            self.set_slot(base, pending);
        } else if let Some(below) = self.frames.last_mut() {
            below.passed.push(pending);
            if kind == LogKind::Reference {
                self.note_given_back(ObjectId(bits as u32));
            }
        }
    }

    fn calling(&mut self, _at: At<'_>, call: &Call, arguments: &[u64]) {
        self.start_call(call, arguments);
    }

    fn called(&mut self, at: At<'_>, call: &Call, bits: u64) {
        self.take_result(call, bits);
        self.write_part(bits);
        let Some(frame) = self.frames.last() else { return };
        let (pending, top) = (frame.pending, self.top_of(frame));
        self.set_bits(pending, bits);
        if call.result != LogKind::Nothing {
            self.set_slot(top.saturating_sub(usize::from(call.argument_slots)), pending);
        }
        self.take_made(at, call);
    }

    fn thrown(&mut self, at: At<'_>) {
        self.give_up_part();
        self.take_exception();
        self.note_faulty(at);
        let Some(frame) = self.frames.last_mut() else { return };
        frame.thrown = frame.pending;
        if let OriginKind::Node(node) = frame.pending.kind()
            && let Some(node) = self.graph.nodes.get_mut(node.0 as usize)
            && node.about == About::NOTHING
        {
            node.about = About::THREW;
        }
    }

    fn unwound(&mut self, _at: At<'_>, _exception: u64) {
        self.note_cut_short(None);
        let Some(frame) = self.pop_frame() else { return };
        let (thrown, is_call_back) = (frame.thrown, frame.is_call_back);
        if let Some(below) = self.frames.last_mut() {
            if is_call_back {
                below.passed.push(thrown);
            } else {
                below.thrown = thrown;
            }
        }
    }

    fn caught(&mut self, at: At<'_>, _exception: u64) {
        self.note_cut_short(Some(at.pc));
        let Some(frame) = self.frames.last_mut() else { return };
        let thrown = std::mem::replace(&mut frame.thrown, Origin::NONE);
        frame.caught = thrown;
        frame.pc = None;
        frame.pending = Origin::NONE;
        let slot = frame.base + usize::from(at.code.max_locals);
        self.set_slot(slot, thrown);
    }

    fn field_read(&mut self, _at: At<'_>, access: FieldAccess) {
        self.read_place(field_place(access), access.kind, access.bits);
    }

    fn field_written(&mut self, _at: At<'_>, access: FieldAccess) {
        self.write_place(field_place(access), access.kind, access.bits);
    }

    fn element_read(&mut self, _at: At<'_>, access: ElementAccess) {
        self.read_place(element_place(access), access.kind, access.bits);
    }

    fn element_written(&mut self, _at: At<'_>, access: ElementAccess) {
        self.write_place(element_place(access), access.kind, access.bits);
        if access.kind == LogKind::Reference
            && access.bits != 0
            && let Some(frame) = self.frames.last()
        {
            // For unrecorded code that is given the array.
            self.heap.note_element(ObjectId(access.array as u32), ObjectId(access.bits as u32), frame.pending);
        }
    }

    fn local_written(&mut self, _at: At<'_>, _local: u16, _kind: LogKind, bits: u64) {
        if let Some(frame) = self.frames.last() {
            self.set_bits(frame.pending, bits);
        }
    }

    fn branched(&mut self, _at: At<'_>, _operands: [u64; 2], taken: bool) {
        if let Some(frame) = self.frames.last() {
            self.set_bits(frame.pending, u64::from(taken));
        }
    }

    fn allocated(&mut self, _at: At<'_>, class: &str, object: u64) {
        if let Some(frame) = self.frames.last() {
            self.set_bits(frame.pending, object);
        }
        if class.starts_with('[') {
            self.heap.note_made(ObjectId(object as u32));
        }
    }

    fn identified(&mut self, temporary: u64, object: u64) {
        self.heap.identify(ObjectId(temporary as u32), ObjectId(object as u32));
    }

    fn synchronised(&mut self, sequence: u64, _when: When) {
        let under_way = match self.frames.last().map(|frame| frame.pending.kind()) {
            Some(OriginKind::Node(node)) => Some(node),
            _ => None,
        };
        let before = self.graph.nodes.len() as u32;
        self.graph.meetings.push(Meeting { sequence, before, under_way });
    }
}

impl Recorder<'_> {
    /// Behind the slots that a frame uses before the instruction under way.
    pub(crate) fn top_of(&self, frame: &LiveFrame<'_>) -> usize {
        let instruction = frame.pc.and_then(|pc| frame.shape.at(pc));
        frame.base + instruction.map_or(0, |instruction| usize::from(instruction.top))
    }

    /// Which method runs depends on the receiver.
    fn note_receiver(&mut self, call: Origin, base: usize) {
        let Some(frame) = self.frames.last() else { return };
        let is_virtual =
            frame.pc.and_then(|pc| frame.shape.at(pc)).is_some_and(|instruction| instruction.is_virtual_call);
        let OriginKind::Node(node) = call.kind() else { return };
        let receiver = self.slot(base);
        let has_inputs = self.graph.nodes.get(node.0 as usize).is_some_and(|node| node.inputs > 0);
        if !has_inputs && receiver != Origin::NONE && is_virtual {
            self.add_input(node, receiver, Role::Address);
        }
    }
}

/// Whether a slot of a method's arguments is the second one of a `long` or `double`: what was in it is of no interest.
fn is_second_half(callee: &MethodCode, slot: usize) -> bool {
    callee.types.before(0).get(slot) == Some(&SlotType::Second)
}

fn field_place(access: FieldAccess) -> Place {
    if access.is_static {
        Place::Static(access.field)
    } else {
        Place::Field(ObjectId(access.object as u32), access.field)
    }
}

fn element_place(access: ElementAccess) -> Place {
    Place::Element(ObjectId(access.array as u32), access.index)
}

/// Objects under construction have ids of their own.
pub(crate) fn is_temporary(object: ObjectId) -> bool {
    u64::from(object.0) & TEMPORARY != 0
}
