//! Exceptions that an instruction throws by itself: for a null, an index, a divisor, a type. They are made of what the
//! instruction was given.

use crate::graph::{About, CutShort, NodeId, Origin, OriginKind, Role};
use crate::operands::Uses;
use crate::recorder::Recorder;
use whydunit_replay::interpreter::At;
use whydunit_replay::program::{CallKind, Op, Pc};

impl Recorder<'_> {
    /// The instruction under way throws.
    pub(crate) fn note_faulty(&mut self, at: At<'_>) {
        match at.code.ops.get(at.pc as usize) {
            Some(Op::Invoke(_)) => self.note_null_receiver(at),
            Some(Op::CheckCast(_) | Op::MonitorEnter | Op::MonitorExit) => self.note_refused(at),
            _ => self.values_for_addresses(),
        }
    }

    /// The topmost frame does not go on with what comes after the instruction under way.
    pub(crate) fn note_cut_short(&mut self, handler: Option<Pc>) {
        let Some(frame) = self.frames.last() else { return };
        if let (OriginKind::Node(thrown), Some(pc)) = (frame.thrown.kind(), frame.pc) {
            let after = NodeId(self.graph.nodes.len() as u32 - 1);
            self.graph.cut_short.push(CutShort { after, thrown, frame: frame.id, pc, handler });
        }
    }

    /// A call that was not even made.
    fn note_null_receiver(&mut self, at: At<'_>) {
        let Some(call) = at.code.call_at(at.pc) else { return };
        let Some(frame) = self.frames.last() else { return };
        let OriginKind::Node(node) = frame.pending.kind() else { return };
        let is_untouched = |node: &crate::graph::Node| node.inputs == 0 && node.about == About::NOTHING;
        let was_not_made = self.graph.nodes.get(node.0 as usize).is_some_and(is_untouched);
        if was_not_made && !matches!(call.kind, CallKind::Static | CallKind::Dynamic) {
            let receiver = self.slot(self.top_of(frame).saturating_sub(usize::from(call.argument_slots)));
            if receiver != Origin::NONE {
                self.add_input(node, receiver, Role::Value);
            }
        }
    }

    /// An object that is not what it should be. While it is, such an instruction leaves no trace.
    fn note_refused(&mut self, at: At<'_>) {
        let top = at.code.types.before(at.pc).len() as u16;
        let node = self.add_node(at, Uses::value(top.saturating_sub(1)));
        if let Some(frame) = self.frames.last_mut() {
            frame.pending = Origin::node(node);
        }
    }

    /// The object and the index do not only say where: they are what is wrong.
    fn values_for_addresses(&mut self) {
        let Some(frame) = self.frames.last() else { return };
        let OriginKind::Node(node) = frame.pending.kind() else { return };
        let Some(&node) = self.graph.nodes.get(node.0 as usize) else { return };
        let own = node.first_input as usize..(node.first_input + node.inputs) as usize;
        for input in self.graph.inputs.get_mut(own).into_iter().flatten() {
            input.role = Role::Value;
        }
    }
}
