//! Makes a tree of the events of a thread as they come.

use super::kept::Kept;
use super::node::{Fold, Left, Node, NodeKind};
use crate::notation::Outcome;
use crate::session::Session;
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::ops::ControlFlow;
use std::rc::Rc;
use whydunit_model::{Flow, LoopId};
use whydunit_replay::events::{Event, EventKind};
use whydunit_replay::index::FrameStart;
use whydunit_replay::program::{MethodCode, MethodIndex, Pc};
use whydunit_trace::{ObjectId, ThreadId};

/// Iterations of a loop that are kept, of the first and of the last.
const FIRST_ITERATIONS: usize = 3;
const LAST_ITERATIONS: usize = 2;

/// Lines that are kept before the step that was asked for.
const BEFORE_FOCUS: usize = 12;

/// Once there are so many nodes, further ones are counted only.
const MOST_NODES: usize = 50_000;

/// The control flow of methods, found out when it is needed.
#[derive(Debug, Default)]
pub(crate) struct Flows(RefCell<FxHashMap<MethodIndex, Rc<Flow>>>);

impl Flows {
    fn of(&self, code: &MethodCode) -> Rc<Flow> {
        let mut flows = self.0.borrow_mut();
        Rc::clone(flows.entry(code.index).or_insert_with(|| Rc::new(Flow::of(code))))
    }

    /// The headers of the loops of a method, to be marked in a walk.
    pub(crate) fn headers(&self, code: &MethodCode) -> Option<Box<[bool]>> {
        let flow = self.of(code);
        if flow.loops().is_empty() {
            return None;
        }
        let mut is_header = vec![false; code.ops.len()];
        for one in flow.loops() {
            if let Some(is_header) = is_header.get_mut(one.header as usize) {
                *is_header = true;
            }
        }
        Some(is_header.into())
    }
}

/// The step that was asked for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Focus {
    pub(super) step: u64,
    pub(super) depth: u32,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct BuilderConfig {
    /// Children of a node that are kept.
    pub(super) most: usize,
    pub(super) focus: Option<Focus>,
    /// The walk starts inside of a frame: iterations before that were not counted.
    pub(super) is_partial: bool,
    pub(super) opens_iterations: bool,
    /// The deepest frames of which everything is told.
    pub(super) deepest: u32,
    /// Only what has to do with this object, and the calls around it. Loops are not told apart then.
    pub(super) only: Option<ObjectId>,
}

pub(super) struct Builder<'s> {
    session: &'s Session,
    flows: &'s Flows,
    thread: ThreadId,
    config: BuilderConfig,
    open: Vec<Open>,
    /// The step that each frame is in.
    steps: Vec<u64>,
    /// A store that the last line of the frame has told: depth and instruction.
    told_store: Option<(u32, Pc)>,
    nodes: usize,
}

/// What is under way.
struct Open {
    role: Role,
    node: Node,
    kept: Kept,
    /// Not all of it was seen.
    is_cut: bool,
    /// Frames whose events belong to it.
    depth: Option<u32>,
    /// The event that opened it.
    event: Option<Event>,
    outcome: Outcome,
}

/// Where a frame is.
#[derive(Clone, Copy)]
struct At {
    depth: u32,
    method: MethodIndex,
    pc: Pc,
    step: u64,
}

impl At {
    fn of(event: &Event) -> At {
        At { depth: event.depth, method: event.method, pc: event.pc, step: event.step }
    }
}

enum Role {
    Root,
    Call,
    /// A call of unrecorded code, which may call back.
    Unrecorded,
    Loop {
        id: LoopId,
        count: u64,
        is_partial: bool,
        longest: usize,
    },
    Iteration {
        id: LoopId,
        events: usize,
        is_on_header_line: bool,
        header_line: Option<u32>,
        has_branch: bool,
    },
}

impl<'s> Builder<'s> {
    /// Everything becomes a child of `root`, which stands for the frame at `depth`, or the thread.
    pub(super) fn new(
        session: &'s Session,
        flows: &'s Flows,
        root: Node,
        depth: Option<u32>,
        config: BuilderConfig,
    ) -> Builder<'s> {
        let thread = root.thread;
        let mut builder =
            Builder { session, flows, thread, config, open: Vec::new(), steps: Vec::new(), told_store: None, nodes: 0 };
        let kept = builder.kept_of_frame(depth);
        let role = if depth.is_some() { Role::Call } else { Role::Root };
        let event = root.event.as_deref().cloned();
        builder.open.push(Open { role, node: root, kept, is_cut: false, depth, event, outcome: Outcome::Unknown });
        builder
    }

    fn kept_of_frame(&self, depth: Option<u32>) -> Kept {
        match self.config.focus {
            Some(focus) if depth == Some(focus.depth) => Kept::new(Left::Lines, 0, BEFORE_FOCUS),
            _ => Kept::new(Left::Lines, if self.nodes < MOST_NODES { self.config.most } else { 0 }, 0),
        }
    }

    /// The walk goes on where these frames are under way.
    pub(super) fn take_up(&mut self, frames: &[FrameStart]) {
        let is_under_way = |open: &Open, frames: &[FrameStart]| {
            let frame = open.depth.and_then(|depth| frames.get(depth as usize));
            frame.is_some_and(|frame| !matches!(open.role, Role::Call) || frame.entered == open.node.local_step)
        };
        while self.open.iter().skip(1).any(|open| !is_under_way(open, frames)) {
            self.end_top();
        }
        for (frame, depth) in frames.iter().zip(0..) {
            let is_open = |open: &Open| open.depth == Some(depth) && matches!(open.role, Role::Call);
            if !self.open.iter().any(is_open) {
                let mut node = Node::new(NodeKind::Call, self.thread);
                node.local_step = frame.entered;
                node.depth = depth;
                let kept = self.kept_of_frame(Some(depth));
                let (depth, outcome) = (Some(depth), Outcome::Unknown);
                self.open.push(Open { role: Role::Call, node, kept, is_cut: false, depth, event: None, outcome });
            }
        }
    }

    pub(super) fn nodes(&self) -> usize {
        self.nodes
    }

    /// Breaks when the root frame is left.
    pub(super) fn event(&mut self, event: &Event) -> ControlFlow<()> {
        let depth = event.depth;
        self.follow_step(event);
        match &event.kind {
            EventKind::Step if self.is_focus(event.step, depth) => {
                self.arrive(event);
                self.add_event(event);
            }
            EventKind::Step => {}
            EventKind::Mark => self.header_reached(At::of(event)),
            EventKind::Skipped => {
                for open in &mut self.open {
                    if open.depth.is_some_and(|open| open >= depth) {
                        open.is_cut = true;
                    }
                }
            }
            EventKind::Enter { caller, .. } => {
                if let Some(below) = depth.checked_sub(1) {
                    self.leave_deeper(below);
                    if let Some(caller) = caller {
                        let step = self.steps.get(below as usize).copied().unwrap_or_default();
                        self.arrive_at(At { depth: below, method: caller.method, pc: caller.pc, step });
                    }
                }
                self.push_call(event, Role::Call, NodeKind::Call, Some(depth));
            }
            EventKind::Call { .. } => {
                self.arrive(event);
                self.push_call(event, Role::Unrecorded, NodeKind::UnrecordedCall, Some(depth));
            }
            EventKind::CallReturned { result } => {
                self.leave_deeper(depth);
                self.end_unrecorded(depth, Outcome::Returned(*result));
            }
            EventKind::Return { result } => {
                self.leave_deeper(depth);
                if self.is_shown(depth) {
                    self.arrive(event);
                    self.add_event(event);
                }
                return self.leave(depth, Outcome::Returned(*result));
            }
            EventKind::Unwind { exception } => {
                self.leave_deeper(depth);
                return self.leave(depth, Outcome::Threw(*exception));
            }
            EventKind::Throw { exception } => {
                self.leave_deeper(depth);
                // An exception that comes out of unrecorded code is that call's end.
                let threw = exception.map_or(Outcome::Unknown, Outcome::Threw);
                if !self.end_unrecorded(depth, threw) {
                    self.arrive(event);
                    self.add_event(event);
                }
            }
            EventKind::Catch { exception } => {
                self.leave_deeper(depth);
                self.end_unrecorded(depth, Outcome::Threw(*exception));
                self.arrive(event);
                self.add_event(event);
            }
            _ => {
                self.leave_deeper(depth);
                self.arrive(event);
                self.add_event(event);
            }
        }
        ControlFlow::Continue(())
    }

    fn follow_step(&mut self, event: &Event) {
        let depth = event.depth as usize;
        if depth >= self.steps.len() {
            self.steps.resize(depth + 1, 0);
        }
        self.steps[depth] = event.step;
    }

    /// Whether the frame's own events are part of the tree.
    fn is_shown(&self, depth: u32) -> bool {
        let is_frame = |open: &Open| open.depth == Some(depth) && matches!(open.role, Role::Call) && !open.is_cut;
        depth <= self.config.deepest && self.open.iter().any(is_frame)
    }

    fn is_focus(&self, step: u64, depth: u32) -> bool {
        self.config.focus.is_some_and(|focus| focus.depth == depth && focus.step == step)
    }

    fn push_call(&mut self, event: &Event, role: Role, kind: NodeKind, depth: Option<u32>) {
        let mut node = Node::new(kind, self.thread);
        node.local_step = event.step;
        (node.method, node.line) = (Some(event.method), event.line);
        if let EventKind::Enter { caller: Some(caller), .. } = &event.kind {
            node.method = Some(caller.method);
            node.line = self.session.code(caller.method).and_then(|code| code.line(caller.pc));
        }
        let calling = match event.kind {
            EventKind::Enter { .. } => event.depth.checked_sub(1),
            _ => Some(event.depth),
        };
        let step = calling.and_then(|calling| self.steps.get(calling as usize).copied());
        node.is_focus = calling.zip(step).is_some_and(|(calling, step)| self.is_focus(step, calling));
        let kept = self.kept_of_frame(depth.filter(|_| matches!(role, Role::Call)));
        let event = Some(event.clone());
        self.open.push(Open { role, node, kept, is_cut: false, depth, event, outcome: Outcome::Unknown });
    }

    fn add_event(&mut self, event: &Event) {
        if let EventKind::LocalWritten(_) = event.kind
            && self.told_store == Some((event.depth, event.pc))
        {
            return;
        }
        if !self.session.is_line(event) {
            return;
        }
        self.told_store = self.session.store_told(event).map(|pc| (event.depth, pc));
        if self.config.only.is_some_and(|object| !mentions(event, object)) {
            return;
        }
        let is_focus = self.is_focus(event.step, event.depth);
        if let Some(top) = self.open.last_mut() {
            if let Role::Iteration { events, is_on_header_line, header_line, has_branch, .. } = &mut top.role {
                *events += 1;
                *is_on_header_line &= event.line == *header_line;
                *has_branch |= matches!(event.kind, EventKind::Branch { .. } | EventKind::Switch { .. });
            }
            if !top.kept.wants() && !is_focus {
                top.kept.leave_out(event.step);
                return;
            }
        }
        let mut node = Node::new(NodeKind::Event, self.thread);
        node.local_step = event.step;
        (node.method, node.line) = (Some(event.method), event.line);
        node.event = Some(Box::new(event.clone()));
        node.is_focus = is_focus;
        self.add(node);
    }

    fn add(&mut self, node: Node) {
        self.nodes += 1;
        let most = self.config.most;
        if let Some(top) = self.open.last_mut() {
            if node.is_focus || node.has_focus {
                top.node.has_focus = true;
                match top.role {
                    Role::Loop { .. } => top.kept.focus(FIRST_ITERATIONS, LAST_ITERATIONS),
                    _ => top.kept.focus(most, 0),
                }
            }
            top.kept.add(node);
        }
    }

    /// Ends what is under way in frames deeper than this one: they are gone.
    fn leave_deeper(&mut self, depth: u32) {
        while self.open.len() > 1 && self.open.last().is_some_and(|top| top.depth.is_some_and(|deep| deep > depth)) {
            self.end_top();
        }
    }

    /// The call of unrecorded code that the frame has under way is over; `false` when there is none.
    fn end_unrecorded(&mut self, depth: u32, outcome: Outcome) -> bool {
        match self.open.last_mut() {
            Some(top) if top.depth == Some(depth) && matches!(top.role, Role::Unrecorded) => {
                top.outcome = outcome;
                self.end_top();
                true
            }
            _ => false,
        }
    }

    /// The frame is left.
    fn leave(&mut self, depth: u32, outcome: Outcome) -> ControlFlow<()> {
        while let Some(top) = self.open.last_mut() {
            if top.depth != Some(depth) {
                break;
            }
            let is_call = matches!(top.role, Role::Call);
            if is_call {
                top.outcome = outcome;
            }
            if self.open.len() == 1 {
                return ControlFlow::Break(());
            }
            self.end_top();
            if is_call {
                break;
            }
        }
        ControlFlow::Continue(())
    }

    /// The frame is at an instruction: loops that do not have it are left.
    fn arrive(&mut self, event: &Event) {
        self.arrive_at(At::of(event));
    }

    fn arrive_at(&mut self, at: At) {
        self.leave_deeper(at.depth);
        self.end_unrecorded(at.depth, Outcome::Unknown);
        let nest = self.nest_of(at);
        while let Some(top) = self.open.last() {
            let is_outside = match top.role {
                Role::Loop { id, .. } | Role::Iteration { id, .. } => !nest.iter().any(|(inside, _)| *inside == id),
                _ => false,
            };
            if !is_outside || top.depth != Some(at.depth) {
                break;
            }
            self.end_top();
        }
        // Only a walk that starts inside of a loop meets one that it has not seen begin.
        for (id, line) in nest {
            let is_open = self.open.iter().any(|open| {
                open.depth == Some(at.depth) && matches!(open.role, Role::Iteration { id: known, .. } if known == id)
            });
            if !is_open {
                self.start_loop(at, id, line, true);
            }
        }
    }

    /// The loops that an instruction is in, outer ones first, with the line of their header.
    fn nest_of(&self, at: At) -> Vec<(LoopId, Option<u32>)> {
        if self.config.only.is_some() {
            return Vec::new();
        }
        let Some(code) = self.session.code(at.method) else { return Vec::new() };
        let flow = self.flows.of(code);
        let mut nest = Vec::new();
        let mut next = flow.innermost_loop(at.pc);
        while let Some(id) = next {
            let Some(one) = flow.loops().get(id.0 as usize) else { break };
            nest.push((id, code.line(one.header)));
            next = one.parent;
        }
        nest.reverse();
        nest
    }

    fn header_reached(&mut self, at: At) {
        self.leave_deeper(at.depth);
        self.end_unrecorded(at.depth, Outcome::Unknown);
        let nest = self.nest_of(at);
        let Some(&(id, line)) = nest.last() else { return };
        while let Some(top) = self.open.last() {
            let is_here = top.depth == Some(at.depth);
            match top.role {
                Role::Iteration { .. } if is_here => {}
                Role::Loop { id: known, .. } if is_here && known != id => {
                    if nest.iter().any(|(inside, _)| *inside == known) {
                        break;
                    }
                }
                _ => break,
            }
            // An iteration of an outer loop goes on.
            if let Role::Iteration { id: known, .. } = top.role
                && known != id
                && nest.iter().any(|(inside, _)| *inside == known)
            {
                break;
            }
            self.end_top();
        }
        let is_next = matches!(self.open.last(), Some(Open { role: Role::Loop { id: known, .. }, depth, .. })
            if *known == id && *depth == Some(at.depth));
        if is_next {
            self.start_iteration(at, id, line);
        } else {
            self.start_loop(at, id, line, false);
        }
    }

    fn start_loop(&mut self, at: At, id: LoopId, line: Option<u32>, is_partial: bool) {
        let mut node = Node::new(NodeKind::Event, self.thread);
        node.local_step = at.step;
        let room = if self.nodes < MOST_NODES { FIRST_ITERATIONS } else { 0 };
        self.open.push(Open {
            role: Role::Loop { id, count: 0, is_partial: is_partial && self.config.is_partial, longest: 0 },
            node,
            kept: Kept::new(Left::Iterations, room, LAST_ITERATIONS),
            is_cut: false,
            depth: Some(at.depth),
            event: None,
            outcome: Outcome::Unknown,
        });
        self.start_iteration(at, id, line);
    }

    fn start_iteration(&mut self, at: At, id: LoopId, header_line: Option<u32>) {
        let Some(Role::Loop { count, is_partial, .. }) = self.open.last_mut().map(|top| &mut top.role) else { return };
        *count += 1;
        let number = (!*is_partial).then_some(*count);
        let mut node = Node::new(NodeKind::Iteration { number, of: None }, self.thread);
        node.local_step = at.step;
        (node.method, node.line) = (Some(at.method), header_line);
        let is_frame_of_focus = self.config.focus.is_some_and(|focus| focus.depth == at.depth);
        let kept = if is_frame_of_focus {
            Kept::new(Left::Lines, self.config.most, BEFORE_FOCUS)
        } else {
            Kept::new(Left::Lines, if self.nodes < MOST_NODES { self.config.most } else { 0 }, 0)
        };
        self.open.push(Open {
            role: Role::Iteration { id, events: 0, is_on_header_line: true, header_line, has_branch: false },
            node,
            kept,
            is_cut: false,
            depth: Some(at.depth),
            event: None,
            outcome: Outcome::Unknown,
        });
    }

    /// Takes what is under way last off and gives it to what it is in.
    fn end_top(&mut self) {
        let Some(open) = self.open.pop() else { return };
        let Open { role, mut node, kept, is_cut, depth, event, outcome } = open;
        match role {
            Role::Root => {}
            Role::Call | Role::Unrecorded => {
                let is_call = matches!(role, Role::Call);
                if !kept.is_empty() && event.is_none() {
                    // A call that was under way where the walk begins: its line is made later.
                    node.fold = Fold::Open;
                    self.finish_children(&mut node, kept, is_cut, Left::Lines);
                    self.add(node);
                    return;
                }
                let Some(event) = event.filter(|event| self.session.is_line(event)) else { return };
                if let Some(object) = self.config.only
                    && kept.is_empty()
                    && !mentions(&event, object)
                    && !outcome.mentions(object)
                {
                    return;
                }
                let calling = if is_call { depth.and_then(|depth| depth.checked_sub(1)) } else { depth };
                self.told_store = calling.zip(self.session.store_told(&event));
                if let Some(top) = self.open.last_mut() {
                    if let Role::Iteration { events, is_on_header_line, header_line, .. } = &mut top.role {
                        *events += 1;
                        *is_on_header_line &= node.line == *header_line;
                    }
                    if !top.kept.wants() && !node.is_focus && !node.has_focus {
                        top.kept.leave_out(node.local_step);
                        return;
                    }
                }
                node.outcome = outcome;
                // A recorded call that was not looked into has something in it all the same.
                node.fold = if is_call { Fold::Folded } else { Fold::Leaf };
                self.finish_children(&mut node, kept, is_cut, if is_call { Left::Lines } else { Left::Calls });
                node.event = Some(Box::new(event));
                self.add(node);
            }
            Role::Iteration { events, is_on_header_line, has_branch, .. } => {
                let is_test = is_on_header_line && has_branch;
                self.finish_children(&mut node, kept, is_cut, Left::Lines);
                if let Some(Open { role: Role::Loop { longest, .. }, .. }) = self.open.last_mut() {
                    // Remembered for `end_loop`: whether the last one did nothing but find out that it is over.
                    node.fold = match node.fold {
                        Fold::Open if !(self.config.opens_iterations || node.has_focus) => Fold::Folded,
                        fold => fold,
                    };
                    node.is_test = is_test && (*longest == 0 || events < *longest);
                    *longest = events.max(*longest);
                }
                self.add(node);
            }
            Role::Loop { count, is_partial, .. } => self.end_loop(&node, kept, count, is_partial, is_cut),
        }
    }

    fn finish_children(&mut self, node: &mut Node, kept: Kept, is_cut: bool, what: Left) {
        if !kept.is_empty() {
            node.fold = Fold::Open;
        }
        let (mut children, left_out) = kept.finish();
        if left_out > 0 {
            children.push(Node::more(self.thread, Some(left_out), what, node.local_step));
        }
        if is_cut {
            if matches!(children.last().map(|last| last.kind), Some(NodeKind::More { .. })) {
                children.pop();
            }
            let step = children.last().map_or(node.local_step, |last| last.local_step);
            children.push(Node::more(self.thread, None, what, step));
            node.fold = Fold::Open;
        }
        node.children = children;
    }

    /// Puts the iterations of a loop where the loop is.
    fn end_loop(&mut self, group: &Node, mut kept: Kept, count: u64, is_partial: bool, is_cut: bool) {
        let last = kept.take_last();
        let is_test = last.as_ref().is_some_and(|last| last.is_test);
        let mut after = Vec::new();
        let mut total = count;
        match last {
            Some(last) if is_test && !is_cut => {
                total -= 1;
                after = last.children;
            }
            Some(last) => kept.add_back(last),
            None => {}
        }
        let (mut iterations, left_out) = kept.finish();
        if left_out > 0 {
            iterations.push(Node::more(self.thread, Some(left_out), Left::Iterations, group.local_step));
        }
        for node in &mut iterations {
            if let NodeKind::Iteration { of, .. } = &mut node.kind {
                *of = (!is_cut && !is_partial).then_some(total);
            }
        }
        for node in iterations.into_iter().chain(after) {
            self.add_or_leave(node);
        }
    }

    fn add_or_leave(&mut self, node: Node) {
        let is_wanted = self.open.last().is_some_and(|top| top.kept.wants());
        if is_wanted || node.is_focus || node.has_focus {
            self.add(node);
        } else if let Some(top) = self.open.last_mut() {
            top.kept.leave_out(node.local_step);
        }
    }

    /// The tree. `is_cut`: there is more that was not looked at.
    pub(super) fn finish(mut self, is_cut: bool) -> Option<Node> {
        if is_cut {
            for open in &mut self.open {
                open.is_cut = true;
            }
        }
        while self.open.len() > 1 {
            self.end_top();
        }
        let Open { mut node, kept, is_cut, outcome, .. } = self.open.pop()?;
        node.outcome = outcome;
        self.finish_children(&mut node, kept, is_cut, Left::Lines);
        node.fold = Fold::Open;
        Some(node)
    }
}

/// Whether an object is in an event.
fn mentions(event: &Event, object: ObjectId) -> bool {
    event.kind.mentions(object)
}
