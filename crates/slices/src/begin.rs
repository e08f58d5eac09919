//! What is noted of an instruction when it starts. This runs for each instruction of a stretch: most of the time that a
//! slice takes is spent here.

use crate::decided::{Decided, decision};
use crate::graph::{Input, Need, Node, NodeId, Origin, Role};
use crate::live_frames::LiveFrame;
use crate::operands::{Effect, Uses};
use crate::recorder::Recorder;
use crate::stretch::Graph;
use whydunit_replay::interpreter::At;
use whydunit_replay::program::Pc;

impl Recorder<'_> {
    /// The topmost frame starts an instruction, or goes on with it after a call-back.
    #[inline]
    pub(crate) fn begin_or_go_on(&mut self, at: At<'_>) {
        let Some(frame) = self.frames.last() else { return };
        // No other instruction follows itself without a jump.
        let is_branch = || frame.shape.at(at.pc).is_some_and(|instruction| instruction.branch.is_some());
        let goes_on = frame.pc == Some(at.pc) && frame.pending != Origin::NONE && !is_branch();
        if !goes_on {
            self.begin(at);
        }
    }

    /// The topmost frame starts an instruction.
    #[inline]
    pub(crate) fn begin(&mut self, at: At<'_>) {
        let Some(frame) = self.frames.last_mut() else { return };
        let Some(instruction) = frame.shape.at(at.pc) else { return };
        frame.pc = Some(at.pc);
        frame.pending = Origin::NONE;
        if instruction.is_block_start {
            frame.control = decide(frame, &self.decisions, &mut self.graph, at.pc);
        }
        let step = self.steps.current(at.depth);
        // Slots for the whole frame were made when it was entered.
        let Some(slots) = self.slots.get_mut(frame.base..) else { return };
        let (graph, top) = (&mut self.graph, usize::from(instruction.top));
        match instruction.effect {
            Effect::Nothing => note_choice(graph, frame, slots, step, at.pc, instruction.chosen),
            Effect::Load { local, wide } => {
                slots[top] = slots[usize::from(local)];
                if wide {
                    slots[top + 1] = Origin::NONE;
                }
                note_choice(graph, frame, slots, step, at.pc, instruction.chosen);
            }
            Effect::Shuffle { taken, sources } => shuffle(slots, top - usize::from(taken), taken, sources),
            Effect::Compute { uses, result } => {
                let origin = Origin::node(graph.add_node(frame, slots, step, at.pc, uses));
                slots[usize::from(result)] = origin;
                frame.pending = origin;
            }
            Effect::Consume(uses) => {
                let origin = Origin::node(graph.add_node(frame, slots, step, at.pc, uses));
                frame.pending = origin;
                if let Some(number) = instruction.branch
                    && let Some(decision) = self.decisions.get_mut(frame.first_decision + usize::from(number))
                {
                    *decision = origin;
                }
            }
            Effect::Call => {
                frame.pending = Origin::node(graph.add_node(frame, slots, step, at.pc, Uses::default()));
            }
            Effect::Dimensions { first, count } => {
                let node = graph.add_node(frame, slots, step, at.pc, Uses::default());
                frame.pending = Origin::node(node);
                let dimensions = usize::from(first)..usize::from(first + count);
                slots[dimensions].iter().for_each(|&origin| graph.add_input(node, origin, Role::Value));
                slots[usize::from(first)] = Origin::node(node);
            }
        }
    }

    /// What an instruction makes that has started already.
    pub(crate) fn add_node(&mut self, at: At<'_>, uses: Uses) -> NodeId {
        let Some(frame) = self.frames.last() else { return NodeId(0) };
        let slots = self.slots.get(frame.base..).unwrap_or_default();
        self.graph.add_node(frame, slots, self.steps.current(at.depth), at.pc, uses)
    }
}

impl Graph {
    /// `slots` are those of the frame.
    #[inline]
    fn add_node(&mut self, frame: &LiveFrame<'_>, slots: &[Origin], step: u64, pc: Pc, uses: Uses) -> NodeId {
        let first_input = self.inputs.len() as u32;
        for (slot, role) in uses.slots() {
            let origin = slots.get(usize::from(slot)).copied().unwrap_or(Origin::NONE);
            if origin != Origin::NONE {
                self.inputs.push(Input { origin, role });
            }
        }
        let mut node = Node::new(step, pc, None, frame.id, frame.control);
        node.first_input = first_input;
        node.inputs = self.inputs.len() as u32 - first_input;
        self.nodes.push(node);
        NodeId(self.nodes.len() as u32 - 1)
    }
}

/// What decides that a frame runs the block that starts at `pc`.
fn decide(frame: &LiveFrame<'_>, decisions: &[Origin], graph: &mut Graph, pc: Pc) -> Origin {
    match decision(frame, decisions, pc) {
        Decided::By(origin) => origin,
        Decided::Unknown if frame.is_older => graph.need(Need::Decision { frame: frame.id, pc }),
        Decided::ByEntry | Decided::Unknown => {
            graph.frames.get(frame.id.0 as usize).map_or(Origin::NONE, |frame| frame.call)
        }
    }
}

/// After an instruction that makes no value of its own, but may leave one to other blocks.
#[inline]
fn note_choice(graph: &mut Graph, frame: &LiveFrame<'_>, slots: &mut [Origin], step: u64, pc: Pc, chosen: Option<u16>) {
    if let Some(slot) = chosen {
        let node = graph.add_node(frame, slots, step, pc, Uses::value(slot));
        slots[usize::from(slot)] = Origin::node(node);
    }
}

/// The `taken` slots from `first` on are replaced.
fn shuffle(slots: &mut [Origin], first: usize, taken: u16, sources: &[u16]) {
    let mut old = [Origin::NONE; 4];
    for (old, slot) in old.iter_mut().zip(&slots[first..first + usize::from(taken)]) {
        *old = *slot;
    }
    for (slot, &source) in slots[first..].iter_mut().zip(sources) {
        *slot = old.get(usize::from(taken - source)).copied().unwrap_or(Origin::NONE);
    }
}
