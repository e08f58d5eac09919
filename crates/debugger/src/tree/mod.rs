//! The run as a tree: threads, calls, loops and events.

mod builder;
mod fit;
mod kept;
mod node;

pub use node::{Fold, Left, Node, NodeKind};

use crate::numbers::StepNumbers;
use crate::session::{Session, SessionError};
use crate::state::Moments;
use builder::{Builder, BuilderConfig, Flows, Focus};
use std::ops::ControlFlow;
use whydunit_replay::ReplayError;
use whydunit_replay::events::{CallPlace, Event, EventKind, Variable};
use whydunit_replay::index::{Query, ThreadIndex, Told, Walk, WalkEnd};
use whydunit_replay::program::{MethodCode, MethodIndex, Pc};
use whydunit_replay::state::State;
use whydunit_trace::{ObjectId, ThreadId};

/// Instructions to replay for a tree: a few tenths of a second.
const BUDGET: u64 = 24_000_000;

/// Callers that are shown above a step.
const MOST_CALLERS: usize = 12;

/// How much of a tree to show.
#[derive(Clone, Copy, Debug)]
pub struct TreeSize {
    /// Calls inside of calls that are opened.
    pub depth: u32,
    /// Lines in all.
    pub lines: usize,
    /// Lines of one call.
    pub most: usize,
    pub opens_iterations: bool,
}

impl Default for TreeSize {
    fn default() -> TreeSize {
        TreeSize { depth: 3, lines: 100, most: 50, opens_iterations: false }
    }
}

impl Session {
    /// All threads, or some, from their start.
    pub fn tree(
        &self,
        moments: &Moments,
        threads: Option<&[ThreadId]>,
        size: TreeSize,
    ) -> Result<Vec<Node>, SessionError> {
        let wanted = |thread: &ThreadId| threads.is_none_or(|threads| threads.contains(thread));
        let indexes: Vec<&ThreadIndex> = moments.indexes().filter(|index| wanted(&index.thread())).collect();
        let flows = Flows::default();
        let mut roots = Vec::new();
        let budget = BUDGET / indexes.len().max(1) as u64;
        for index in indexes {
            let thread = index.thread();
            let root = Node::new(NodeKind::Thread, thread);
            let walk = Walk {
                from: 0,
                deepest: size.depth.saturating_sub(1),
                lowest: None,
                budget,
                marks: &|code| flows.headers(code),
            };
            let config = BuilderConfig {
                most: size.most,
                focus: None,
                is_partial: false,
                opens_iterations: size.opens_iterations,
                deepest: walk.deepest,
                only: None,
            };
            let builder = Builder::new(self, &flows, root, None, config);
            roots.extend(self.grow(index, builder, &walk)?);
        }
        fit::fit(&mut roots, size.lines, size.most);
        self.complete(moments, &mut roots)?;
        Ok(roots)
    }

    /// The call that has a step, open at that step, below the calls that led to it. `None` when there is no such
    /// step; `step` counts the steps of all threads.
    pub fn tree_at(&self, moments: &Moments, step: u64, size: TreeSize) -> Result<Option<Vec<Node>>, SessionError> {
        let Some((thread, step)) = moments.local_step(step)? else { return Ok(None) };
        let Some(index) = moments.thread_index(thread) else { return Ok(None) };
        let Some(state) = self.state(moments, thread, step)? else { return Ok(None) };
        let Some(frame) = state.frames.last() else { return Ok(None) };
        let depth = state.frames.len() as u32 - 1;
        let flows = Flows::default();
        let Some(root) = self.call_node(index, frame.entered, depth)? else { return Ok(None) };
        let from = index.walk_start(frame.entered, step, depth, BUDGET / 2);
        let walk = Walk {
            from,
            deepest: depth.saturating_add(size.depth.saturating_sub(1)),
            lowest: Some(depth),
            budget: BUDGET,
            marks: &|code| flows.headers(code),
        };
        let config = BuilderConfig {
            most: size.most,
            focus: Some(Focus { step, depth }),
            is_partial: from != frame.entered,
            opens_iterations: size.opens_iterations,
            deepest: walk.deepest,
            only: None,
        };
        let builder = Builder::new(self, &flows, root, Some(depth), config);
        let Some(mut call) = self.grow(index, builder, &walk)? else { return Ok(None) };
        if from != frame.entered {
            call.children.insert(0, Node::more(thread, None, Left::Lines, frame.entered));
        }
        call.has_focus = true;
        let mut calls = vec![call];
        fit::fit(&mut calls, size.lines, size.most);
        let mut node = calls.pop();
        for at in self.callers_shown(depth).rev() {
            let mut caller = match at {
                Caller::At(depth) => {
                    let entered = state.frames.get(depth as usize).map_or(0, |frame| frame.entered);
                    let Some(caller) = self.call_node(index, entered, depth)? else { continue };
                    caller
                }
                Caller::LeftOut(count) => Node::more(thread, Some(count), Left::Calls, 0),
            };
            caller.fold = Fold::Open;
            caller.children.extend(node.take());
            node = Some(caller);
        }
        let mut root = Node::new(NodeKind::Thread, thread);
        root.fold = Fold::Open;
        root.children.extend(node);
        let mut roots = vec![root];
        self.complete(moments, &mut roots)?;
        Ok(Some(roots))
    }

    /// The first calls of some methods, at most `most`, each of them open; `true` when there are more.
    pub fn tree_of_calls(
        &self,
        moments: &Moments,
        methods: &[MethodIndex],
        threads: Option<&[ThreadId]>,
        most: usize,
        size: TreeSize,
    ) -> Result<(Vec<Node>, bool), SessionError> {
        let (calls, has_more) = self.first_calls(moments, methods, threads, most)?;
        let flows = Flows::default();
        let mut roots: Vec<Node> = Vec::new();
        let budget = BUDGET / calls.len().max(1) as u64;
        for FirstStep { index, entered, depth, .. } in calls {
            let Some(root) = self.call_node(index, entered, depth)? else { continue };
            let walk = Walk {
                from: entered,
                deepest: depth.saturating_add(size.depth.saturating_sub(1)),
                lowest: Some(depth),
                budget,
                marks: &|code| flows.headers(code),
            };
            let config = BuilderConfig {
                most: size.most,
                focus: None,
                is_partial: false,
                opens_iterations: size.opens_iterations,
                deepest: walk.deepest,
                only: None,
            };
            let builder = Builder::new(self, &flows, root, Some(depth), config);
            roots.extend(self.grow(index, builder, &walk)?);
        }
        fit::fit(&mut roots, size.lines, size.most);
        let mut threads: Vec<Node> = Vec::new();
        for call in roots {
            if threads.last().is_none_or(|last| last.thread != call.thread) {
                let mut root = Node::new(NodeKind::Thread, call.thread);
                root.fold = Fold::Open;
                threads.push(root);
            }
            if let Some(last) = threads.last_mut() {
                last.children.push(call);
            }
        }
        self.complete(moments, &mut threads)?;
        Ok((threads, has_more))
    }

    /// Calls in the order of their numbers.
    fn first_calls<'m>(
        &self,
        moments: &'m Moments,
        methods: &[MethodIndex],
        threads: Option<&[ThreadId]>,
        most: usize,
    ) -> Result<(Vec<FirstStep<'m>>, bool), SessionError> {
        let wanted = |thread: &ThreadId| threads.is_none_or(|threads| threads.contains(thread));
        let mut numbers = StepNumbers::new(moments);
        let mut calls = Vec::new();
        for index in moments.indexes().filter(|index| wanted(&index.thread())) {
            for &method in methods {
                let mut left = most + 1;
                let mut hits = Vec::new();
                index.for_each_hit(self.program(), self.objects(), &Query::Entry(method), &mut |hit| {
                    hits.push(hit);
                    left -= 1;
                    if left == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
                })?;
                for hit in hits {
                    let number = numbers.number(index.thread(), hit.step).map_err(ReplayError::from)?;
                    let number = number.unwrap_or_default();
                    calls.push(FirstStep { number, index, entered: hit.step, depth: hit.depth });
                }
            }
        }
        calls.sort_by_key(|call| call.number);
        let has_more = calls.len() > most;
        calls.truncate(most);
        Ok((calls, has_more))
    }

    /// The calls and events that have to do with an object, and the calls around them, until there are enough lines;
    /// `true` when there may be more. `progress` is told the instructions that were replayed since it was last called.
    pub fn tree_of_object(
        &self,
        moments: &Moments,
        object: ObjectId,
        threads: Option<&[ThreadId]>,
        lines: usize,
        progress: &dyn Fn(u64),
    ) -> Result<(Vec<Node>, bool), SessionError> {
        let wanted = |thread: &ThreadId| threads.is_none_or(|threads| threads.contains(thread));
        let flows = Flows::default();
        let config = BuilderConfig {
            most: lines,
            focus: None,
            is_partial: false,
            opens_iterations: false,
            deepest: u32::MAX,
            only: Some(object),
        };
        let mut roots = Vec::new();
        let mut has_more = false;
        let mut left = lines;
        for index in moments.indexes().filter(|index| wanted(&index.thread())) {
            if left == 0 {
                has_more = true;
                break;
            }
            let root = Node::new(NodeKind::Thread, index.thread());
            let mut builder = Builder::new(self, &flows, root, None, config);
            index.for_each_near(self.program(), self.objects(), object, progress, &mut |told| {
                match told {
                    Told::Frames(frames) => builder.take_up(&frames),
                    Told::Event(event) => {
                        // All frames below are open: none is the root.
                        let _ = builder.event(event);
                    }
                }
                if builder.nodes() >= left { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            })?;
            has_more |= builder.nodes() >= left;
            left = left.saturating_sub(builder.nodes());
            roots.extend(builder.finish(false).filter(|root| !root.children.is_empty()));
        }
        self.complete(moments, &mut roots)?;
        Ok((roots, has_more))
    }

    /// The callers of a frame that are shown, lowest first.
    fn callers_shown(&self, depth: u32) -> impl DoubleEndedIterator<Item = Caller> {
        let most = MOST_CALLERS as u32;
        let (low, high) = if depth <= most { (0..depth, depth..depth) } else { (0..2, depth - most + 2..depth) };
        let left_out = u64::from(high.start - low.end);
        let gap = (left_out > 0).then_some(Caller::LeftOut(left_out));
        low.map(Caller::At).chain(gap).chain(high.map(Caller::At))
    }

    fn grow(
        &self,
        index: &ThreadIndex,
        mut builder: Builder<'_>,
        walk: &Walk<'_>,
    ) -> Result<Option<Node>, SessionError> {
        let end = index.walk(self.program(), self.objects(), walk, &mut |event| builder.event(event))?;
        Ok(builder.finish(end == WalkEnd::Exhausted))
    }

    /// The call of the frame at a depth that starts with a step.
    fn call_node(&self, index: &ThreadIndex, entered: u64, depth: u32) -> Result<Option<Node>, SessionError> {
        let state = index.state_at(self.program(), self.objects(), entered)?;
        let Some(event) = state.as_ref().and_then(|state| self.entry_event(state, depth)) else {
            return Ok(None);
        };
        let thread = index.thread();
        let mut node = Node::new(NodeKind::Call, thread);
        node.local_step = entered;
        (node.method, node.line) = (Some(event.method), event.line);
        if let EventKind::Enter { caller: Some(caller), .. } = &event.kind {
            node.method = Some(caller.method);
            node.line = self.code(caller.method).and_then(|code| code.line(caller.pc));
        }
        node.event = Some(Box::new(event));
        Ok(Some(node))
    }

    /// Gives the nodes that are shown their text, and the numbers of their steps among those of all threads.
    fn complete(&self, moments: &Moments, nodes: &mut [Node]) -> Result<(), SessionError> {
        let mut numbers = StepNumbers::new(moments);
        let mut open: Vec<&mut Node> = nodes.iter_mut().collect();
        while let Some(node) = open.pop() {
            if node.local_step > 0 {
                node.step = numbers.number(node.thread, node.local_step).map_err(ReplayError::from)?;
            }
            if node.kind == NodeKind::Call
                && node.event.is_none()
                && let Some(index) = moments.thread_index(node.thread)
                && let Some(known) = self.call_node(index, node.local_step, node.depth)?
            {
                (node.method, node.line, node.event) = (known.method, known.line, known.event);
            }
            node.text = match (node.kind, &node.event) {
                (NodeKind::Thread, _) => {
                    self.thread_name(node.thread).map_or_else(|| node.thread.to_string(), str::to_owned)
                }
                (NodeKind::Iteration { number, of }, _) => iteration_text(node.line, number, of),
                (_, Some(event)) => self.notation(event, node.outcome),
                (_, None) => String::new(),
            };
            open.extend(&mut node.children);
        }
        Ok(())
    }

    /// The entry of a frame, from the state at its first step.
    fn entry_event(&self, state: &State, depth: u32) -> Option<Event> {
        let frame = state.frames.get(depth as usize)?;
        let below = depth.checked_sub(1).and_then(|below| state.frames.get(below as usize));
        let caller = below.filter(|_| !frame.is_call_back).and_then(|below| {
            Some(CallPlace { method: below.method, pc: pc_of(self.code(below.method)?, below.address)? })
        });
        let code = self.code(frame.method)?;
        let arguments: Vec<Variable> =
            frame.locals.iter().filter(|local| local.slot < code.argument_slots).cloned().collect();
        let is_static = code.access & whydunit_classfile::access::STATIC != 0;
        let this = arguments.first().filter(|_| !is_static).map(|this| this.value);
        Some(Event {
            thread: state.thread,
            step: state.step,
            latest: state.step,
            number: state.number,
            method: frame.method,
            pc: 0,
            line: code.line(0),
            depth,
            this,
            kind: EventKind::Enter { arguments, is_call_back: frame.is_call_back, caller },
        })
    }
}

/// Where a call starts.
struct FirstStep<'m> {
    /// Among the steps of all threads.
    number: u64,
    index: &'m ThreadIndex,
    entered: u64,
    depth: u32,
}

enum Caller {
    At(u32),
    LeftOut(u64),
}

fn pc_of(code: &MethodCode, address: u32) -> Option<Pc> {
    code.addresses.binary_search(&address).ok().map(|pc| pc as Pc)
}

fn iteration_text(line: Option<u32>, number: Option<u64>, of: Option<u64>) -> String {
    let line = line.map(|line| format!(" [{line}]")).unwrap_or_default();
    match (number, of) {
        (Some(number), Some(of)) => format!("loop{line} iteration {number} of {of}"),
        (Some(number), None) => format!("loop{line} iteration {number}"),
        (None, _) => format!("loop{line} an iteration"),
    }
}
