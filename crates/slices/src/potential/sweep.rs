//! Goes through a stretch backwards, with the instructions of a slice that are still to be looked at and the variables
//! that they need, and adds what could have given one of these another value.

use super::keys::Meaning;
use super::led::Led;
use super::may_write::{Alternative, MayWrite};
use super::names::{Names, object_of};
use super::open::{Open, Variable};
use super::standing::Standing;
use super::windows::NeededElsewhere;
use crate::beside::is_making;
use crate::dependences::{Dependences, Executed, Position};
use crate::graph::{FrameId, FrameInfo, Input, Node, NodeId, Origin, OriginKind, Place, Role};
use crate::rivals::Rivals;
use crate::slice::{Asked, Asker, Changeable, Slicer};
use crate::stretch::{Flows, Stretch};
use crate::wants::{Answer, FrameKey, Want};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;
use whydunit_replay::program::{MethodCode, MethodIndex, Op, Pc};
use whydunit_replay::{Program, ReplayError};
use whydunit_trace::ObjectId;

pub(crate) struct Sweep<'a, 'p> {
    program: &'p Program,
    flows: &'p Flows,
    may_write: &'p MayWrite,
    names: Rc<Names<'p>>,
    stretch: &'a Stretch<'p>,
    at: Position,
    open: Open,
    /// By instruction that is to be looked at: the last one that needs it, which is later; 0 for none.
    pending: Vec<u32>,
    /// How many are.
    pending_count: usize,
    /// By instruction that was looked at: up to which later one; 0 for none.
    seen: Vec<u32>,
    /// Writes of which only the place is of interest.
    places_seen: FxHashSet<NodeId>,
    led: Led,
    /// What is open before an instruction, the first one last.
    later: Vec<(NodeId, Want, Answer)>,
    /// Where the sweep has to start again.
    latest: Option<NodeId>,
    /// Objects that were made in the stretch while something was open, and by what.
    pub(crate) made: FxHashMap<ObjectId, NodeId>,
}

/// Later than all instructions.
const LAST: NodeId = NodeId(u32::MAX);

impl<'a, 'p> Sweep<'a, 'p> {
    pub(crate) fn new(
        dependences: &Dependences<'p>,
        stretch: &'a Stretch<'p>,
        at: Position,
        names: Rc<Names<'p>>,
        standing: &Standing,
        elsewhere: NeededElsewhere,
        seen: &FxHashMap<NodeId, NodeId>,
    ) -> Sweep<'a, 'p> {
        let Dependences { program, flows, .. } = *dependences;
        let may_write = names.may_write;
        let mut dense = vec![0; stretch.len()];
        for (id, up_to) in seen {
            if let Some(known) = dense.get_mut(id.0 as usize) {
                *known = up_to.0;
            }
        }
        Sweep {
            program,
            flows,
            may_write,
            names,
            stretch,
            at,
            open: Open::new(may_write, standing, elsewhere, stretch.len()),
            pending: vec![0; stretch.len()],
            pending_count: 0,
            seen: dense,
            places_seen: FxHashSet::default(),
            led: Led::default(),
            later: Vec::new(),
            latest: None,
            made: FxHashMap::default(),
        }
    }

    /// Instructions that were looked at, and up to which later one.
    pub(crate) fn seen(&self) -> FxHashMap<NodeId, NodeId> {
        let seen = (0..).zip(&self.seen).filter(|(_, up_to)| **up_to != 0);
        seen.map(|(id, &up_to)| (NodeId(id), NodeId(up_to))).collect()
    }

    /// Something that later stretches need, and what this one says to it.
    pub(crate) fn open_want(&mut self, want: Want, answer: Option<&Answer>) {
        let open = &mut self.open;
        self.names.for_each(want, |variable| match (answer, object_of(want)) {
            (Some(&Answer::Node(node)), _) => open.until(variable, node),
            (_, Some(object)) => open.until_new(variable, object),
            (_, None) => open.open(variable),
        });
    }

    /// The same of what this stretch answers: an operand that is there at its end was loaded from a local, which is what
    /// could have had another value.
    pub(crate) fn open_answered(&mut self, want: Want, answer: &Answer) {
        self.open_want(want, Some(answer));
        match (want, answer) {
            (Want::Slot { .. }, Answer::Before(wants)) => {
                wants.iter().filter(|&&before| before != want).for_each(|&before| self.open_want(before, None));
            }
            (Want::Slot { .. }, &Answer::Node(written_by)) => {
                if let Some(local) = self.local_written_by(written_by) {
                    self.open.until(local, written_by);
                }
            }
            _ => {}
        }
    }

    /// A variable is open before an instruction.
    pub(crate) fn open_before(&mut self, until: NodeId, want: Want, answer: Answer) {
        self.later.push((until, want, answer));
        self.later.sort_by_key(|(until, ..)| *until);
    }

    /// A later stretch wants to know which jump has led a frame to an instruction.
    pub(crate) fn open_jump(&mut self, frame: FrameKey, pc: Pc) {
        let Ok(code) = self.program.code(frame.method) else { return };
        if let Some(frame) = self.stretch.last_frame_id(frame) {
            self.led.come_to(frame, self.flows.shape(code), pc, LAST);
        }
    }

    /// What led frames to instructions of the slice, as far as it lies before the stretch.
    pub(crate) fn jumps_before(&self) -> impl Iterator<Item = Want> {
        let older = self.led.left().filter(|(frame, _)| self.stretch.is_older(*frame));
        older.filter_map(|(frame, pc)| Some(Want::Jump { frame: self.key_of(frame)?, pc }))
    }

    pub(crate) fn run(
        &mut self,
        seeds: Vec<NodeId>,
        slicer: &mut Slicer<'_, 'p>,
        rivals: &Rivals,
    ) -> Result<(), ReplayError> {
        for seed in seeds {
            self.need(seed, LAST);
        }
        let mut position = self.first_position();
        while let Some(next) = position.checked_sub(1).filter(|_| !self.is_over(position)) {
            position = next;
            let id = NodeId(next);
            while let Some((_, want, answer)) = self.later.pop_if(|(until, ..)| *until > id) {
                self.open_want(want, Some(&answer));
            }
            let Some(&node) = self.stretch.node(id) else { continue };
            self.consider_exceptions(id, slicer);
            self.open.reach(id);
            let Some(code) = self.code_of(&node) else { continue };
            if is_making(code.ops.get(node.pc() as usize)) {
                let object = ObjectId(self.stretch.identity(node.bits) as u32);
                self.open.reach_new(object);
                self.made.insert(object, id);
            }
            if node.argument().is_none() {
                if self.led.reach(node.frame, self.flows.shape(code), node.pc(), id) {
                    self.need(id, LAST);
                }
                // One that belongs to the slice already may have more that it could have changed.
                if self.seen[next as usize] == 0 || !self.open.elsewhere().is_over(next + 1) {
                    self.consider(id, &node, slicer)?;
                }
            }
            let needed_by = std::mem::take(&mut self.pending[next as usize]);
            if needed_by != 0 {
                self.pending_count -= 1;
                self.look_at(id, &node, NodeId(needed_by), slicer, rivals)?;
            }
            if let Some(latest) = self.latest.take() {
                position = position.max(latest.0 + 1);
            }
        }
        Ok(())
    }

    /// Behind the last instruction that matters.
    fn first_position(&self) -> u32 {
        let all = self.pending.len() as u32;
        if !self.open.is_empty() || !self.led.is_empty() {
            return all;
        }
        let seed = self.pending.iter().rposition(|&needed_by| needed_by != 0).map_or(0, |last| last as u32 + 1);
        let later = self.later.last().map_or(0, |(until, ..)| until.0);
        seed.max(later).max(self.open.elsewhere().end()).min(all)
    }

    /// Whether nothing before an instruction matters.
    fn is_over(&self, position: u32) -> bool {
        self.pending_count == 0
            && self.open.is_empty()
            && self.later.is_empty()
            && self.open.elsewhere().is_over(position)
            && self.led.is_empty()
    }

    fn code_of(&self, node: &Node) -> Option<&'p MethodCode> {
        self.stretch.frame(node.frame).and_then(|frame| self.program.code(frame.method).ok())
    }

    fn key_of(&self, frame: FrameId) -> Option<FrameKey> {
        self.stretch.frame(frame).map(FrameInfo::key)
    }

    fn need(&mut self, id: NodeId, needed_by: NodeId) {
        let position = id.0 as usize;
        if self.seen.get(position).is_some_and(|&before| before >= needed_by.0) {
            return;
        }
        if let Some(known) = self.pending.get_mut(position) {
            self.pending_count += usize::from(*known == 0);
            *known = (*known).max(needed_by.0);
        }
    }

    /// Adds an instruction that belongs to the slice, and what it depends on.
    fn look_at(
        &mut self,
        id: NodeId,
        node: &Node,
        needed_by: NodeId,
        slicer: &mut Slicer<'_, 'p>,
        rivals: &Rivals,
    ) -> Result<(), ReplayError> {
        let executed = Executed { at: self.at, node: id };
        if let Some(used) = slicer.users.get(&executed) {
            let used = used.clone();
            return self.look_at_use(executed, node, &used, slicer, rivals);
        }
        slicer.gathered.add(self.at.thread, self.stretch, node);
        if let Some(code) = self.code_of(node) {
            self.led.come_to(node.frame, self.flows.shape(code), node.pc(), id);
        }
        let base = slicer.asker(self.stretch, executed, Origin::NONE, self.stretch.held(self.program, node));
        let mut has_later = false;
        let (mut found, mut settled) = (Vec::new(), Vec::new());
        for input in self.stretch.possible_inputs(id) {
            let asker = Asker { origin: input.origin, ..base };
            match slicer.ask(asker, self.stretch, rivals)? {
                Asked::Own(Answer::Node(later)) if later > id => {
                    has_later = true;
                    if later < needed_by {
                        self.latest = self.latest.max(Some(later));
                        self.need(later, needed_by);
                    }
                }
                Asked::Own(answer) => {
                    self.open_input(node, input, &answer, asker, slicer);
                    slicer.heed(answer, asker, &mut found)?;
                }
                Asked::Settled => settled.push(input.origin),
            }
        }
        slicer.add_failed_task(self.stretch, executed, node)?;
        for (object, origin) in self.stretch.contents_read(id).filter(|(_, origin)| !settled.contains(origin)) {
            let answer = self.stretch.meaning(origin);
            self.open_want(Want::Written(Place::Content(object)), Some(&answer));
            if let Answer::Node(node) = answer {
                slicer.note_own(self.stretch, Place::Content(object), Executed { at: self.at, node }, base);
            }
        }
        let asker = Asker { origin: node.control, held: None, ..base };
        slicer.heed(self.stretch.meaning(node.control), asker, &mut found)?;
        if let Some(seen) = self.seen.get_mut(id.0 as usize) {
            *seen = if has_later { needed_by.0 } else { LAST.0 };
        }
        found.into_iter().for_each(|one| self.need(one, id));
        Ok(())
    }

    /// An instruction that some inputs are followed from, but that does not belong to the slice itself.
    fn look_at_use(
        &mut self,
        executed: Executed,
        node: &Node,
        used: &[Origin],
        slicer: &mut Slicer<'_, 'p>,
        rivals: &Rivals,
    ) -> Result<(), ReplayError> {
        let base = slicer.asker(self.stretch, executed, Origin::NONE, self.stretch.held(self.program, node));
        let mut found = Vec::new();
        for input in self.stretch.all_inputs(executed.node).filter(|input| used.contains(&input.origin)) {
            let asker = Asker { origin: input.origin, ..base };
            match slicer.ask(asker, self.stretch, rivals)? {
                Asked::Own(answer) => {
                    self.open_input(node, input, &answer, asker, slicer);
                    slicer.heed(answer, asker, &mut found)?;
                }
                Asked::Settled => {}
            }
        }
        if let Some(seen) = self.seen.get_mut(executed.node.0 as usize) {
            *seen = LAST.0;
        }
        found.into_iter().for_each(|one| self.need(one, executed.node));
        Ok(())
    }

    /// The variable that an instruction has an input from is open between the two.
    fn open_input(&mut self, node: &Node, input: Input, answer: &Answer, asker: Asker, slicer: &mut Slicer<'_, 'p>) {
        if let Answer::Before(wants) = answer {
            wants.iter().for_each(|&want| self.open_want(want, None));
        }
        let Answer::Node(written_by) = *answer else { return };
        if let Some(place) =
            self.stretch.place(node).filter(|_| input.role == Role::Value && is_read(self.code_of(node), node))
        {
            self.open_want(Want::Written(place), Some(answer));
            slicer.note_own(self.stretch, place, Executed { at: self.at, node: written_by }, asker);
            return;
        }
        let Some(origin) = self.stretch.node(written_by) else { return };
        if let Some(local) = self.local_written_by(written_by) {
            self.open.until(local, written_by);
        }
        // A parameter that unrecorded code has given.
        if origin.argument().is_none()
            && let Some(info) = self.stretch.frame(node.frame)
            && info.call.kind() == OriginKind::Node(written_by)
            && let (Some(frame), Some(code)) = (self.key_of(node.frame), self.code_of(node))
        {
            for slot in 0..code.argument_slots {
                self.open.until(Variable::Local(frame, slot), written_by);
            }
        }
    }

    /// The local that an instruction has written, or the parameter that it has passed.
    fn local_written_by(&self, written_by: NodeId) -> Option<Variable> {
        let origin = self.stretch.node(written_by)?;
        match self.code_of(origin)?.ops.get(origin.pc() as usize)? {
            &Op::Store { local, .. } | &Op::StoreWide { local, .. } | &Op::Increment { local, .. } => {
                Some(Variable::Local(self.key_of(origin.frame)?, local))
            }
            Op::Invoke(_) => Some(Variable::Local(self.key_of(origin.about.as_callee()?)?, origin.argument()?)),
            _ => None,
        }
    }

    /// Whether an instruction could have changed an open variable, had it done something else.
    fn consider(&mut self, id: NodeId, node: &Node, slicer: &mut Slicer<'_, 'p>) -> Result<(), ReplayError> {
        let (Some(info), Some(frame)) = (self.stretch.frame(node.frame), self.key_of(node.frame)) else {
            return Ok(());
        };
        let Some(alternatives) = self.may_write.alternatives(self.program, self.flows, info.method) else {
            return Ok(());
        };
        let Some(alternative) = alternatives.at(node.pc()) else { return Ok(()) };
        let mut elsewhere = None;
        let changed = match alternative {
            Alternative::Branch { jumped, .. } if node.bits != 0 => self.open.common(jumped, frame),
            Alternative::Branch { passed, .. } => self.open.common(passed, frame),
            Alternative::Switch(side) | Alternative::Jump(side) => self.open.common(side, frame),
            Alternative::Write(keys) => {
                elsewhere = self.open.common_key(keys);
                None
            }
            Alternative::Call { writes, called_back, methods, all } => {
                elsewhere = self.open.common_key(writes);
                let callee = self.stretch.callee(node);
                let others = || methods.iter().filter(|&&method| Some(method) != callee);
                let written_by = |&method: &MethodIndex| self.open.common_key(self.may_write.of_method(method));
                let by_another = || self.open.common_key(all).and_then(|_| others().find_map(written_by));
                self.open.common_key(called_back).or_else(by_another)
            }
        };
        if let Some(variable) = changed {
            self.note(node, variable, slicer);
            self.need(id, LAST);
        } else if let Some(variable) = elsewhere.filter(|_| self.pending[id.0 as usize] == 0) {
            self.add_place(id, node, variable, slicer)?;
        }
        Ok(())
    }

    /// Whether an exception behind an instruction has kept some frame from changing an open variable.
    fn consider_exceptions(&mut self, id: NodeId, slicer: &mut Slicer<'_, 'p>) {
        for cut in self.stretch.cut_short_after(id) {
            let (Some(info), Some(thrown)) = (self.stretch.frame(cut.frame), self.stretch.node(cut.thrown)) else {
                continue;
            };
            let prevented = self.names.prevented(self.flows, info.method, cut.pc, cut.handler);
            if let Some(variable) = self.open.common(&prevented, info.key()) {
                self.note(thrown, variable, slicer);
                self.need(cut.thrown, LAST);
            }
        }
    }

    fn note(&self, node: &Node, variable: Variable, slicer: &mut Slicer<'_, 'p>) {
        slicer.gathered.add(self.at.thread, self.stretch, node);
        slicer.gathered.add_changeable(self.at.thread, node.step, self.changeable(variable));
    }

    /// Adds what says where an instruction writes.
    fn add_place(
        &mut self,
        id: NodeId,
        node: &Node,
        variable: Variable,
        slicer: &mut Slicer<'_, 'p>,
    ) -> Result<(), ReplayError> {
        let addresses: Vec<(Input, Answer)> = self
            .stretch
            .inputs(id)
            .iter()
            .filter(|input| input.role == Role::Address)
            .map(|&input| (input, self.stretch.meaning(input.origin)))
            .collect();
        // A new object is no other.
        let is_new = addresses.first().map_or(Ok(false), |(_, answer)| self.is_new(answer, slicer))?;
        if is_new || !self.places_seen.insert(id) {
            return Ok(());
        }
        self.note(node, variable, slicer);
        let executed = Executed { at: self.at, node: id };
        let base = slicer.asker(self.stretch, executed, Origin::NONE, self.stretch.held(self.program, node));
        let mut found = Vec::new();
        for (input, answer) in
            addresses.into_iter().filter(|(_, answer)| !matches!(answer, Answer::Node(one) if *one > id))
        {
            let asker = Asker { origin: input.origin, ..base };
            self.open_input(node, input, &answer, asker, slicer);
            slicer.heed(answer, asker, &mut found)?;
        }
        found.into_iter().for_each(|one| self.need(one, id));
        Ok(())
    }

    fn is_new(&self, answer: &Answer, slicer: &Slicer<'_, 'p>) -> Result<bool, ReplayError> {
        let op = match answer {
            Answer::Node(id) => {
                let node = self.stretch.node(*id);
                node.and_then(|node| self.code_of(node)?.ops.get(node.pc() as usize)).copied()
            }
            // It may have waited on the operand stack while the stretch before ended.
            Answer::Before(wants) => match wants[..] {
                [want @ Want::Slot { frame, slot }] if self.is_operand(frame, slot) => {
                    match slicer.dependences.find_first(self.at, &[want])? {
                        Ok(made) => slicer.dependences.op_of(made)?,
                        Err(_) => None,
                    }
                }
                _ => None,
            },
            Answer::Unknown(_) => None,
        };
        Ok(matches!(op, Some(Op::New(_) | Op::NewArray(_))))
    }

    fn is_operand(&self, frame: FrameKey, slot: u16) -> bool {
        self.program.code(frame.method).is_ok_and(|code| slot >= code.max_locals)
    }

    fn changeable(&self, variable: Variable) -> Changeable {
        match variable {
            Variable::Local(_, slot) => Changeable::Local(slot),
            Variable::Heap(key) => match self.may_write.keys.meaning(key) {
                Meaning::Field(field) => Changeable::Field(field),
                Meaning::Element => Changeable::Element,
                Meaning::Content => Changeable::Content,
            },
        }
    }
}

fn is_read(code: Option<&MethodCode>, node: &Node) -> bool {
    let op = code.and_then(|code| code.ops.get(node.pc() as usize));
    matches!(op, Some(Op::GetField { .. } | Op::GetStatic { .. } | Op::ArrayLoad(_)))
}
