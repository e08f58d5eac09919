//! What each method of a program may write, with all that it calls, and what each of its branches would have written had
//! it gone the other way.

use super::hierarchy::{Hierarchy, Targets};
use super::keys::{Bits, Key, KeySet, Keys};
use crate::operands::{Effect, effect_of};
use crate::shape::Shape;
use crate::stretch::Flows;
use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use rustc_hash::FxHashMap;
use std::ops::Range;
use std::sync::OnceLock;
use whydunit_classfile::{access, descriptor};
use whydunit_model::Flow;
use whydunit_replay::Program;
use whydunit_replay::program::{Call, CallKind, MethodCode, MethodIndex, Op, Pc};
use whydunit_replay::unrecorded::{Method, behind_view, elements_behind_view, has_content};
use whydunit_trace::LogKind;

#[derive(Debug)]
pub(crate) struct MayWrite {
    pub(crate) keys: Keys,
    /// By number of the call site.
    calls: FxHashMap<u32, CallWrites>,
    /// By method: what it writes and those that it calls. What a constructor writes in its own object, which is new, is
    /// not among it.
    methods: Vec<KeySet>,
    alternatives: Box<[OnceLock<Alternatives>]>,
}

#[derive(Debug)]
struct CallWrites {
    targets: Targets,
    /// What unrecorded code changes.
    contents: Vec<Key>,
}

/// The instructions of a method that could have done something else.
#[derive(Debug, Default)]
pub(crate) struct Alternatives {
    /// By position in the code: which of the alternatives, counted from 1.
    positions: Box<[u16]>,
    all: Vec<Alternative>,
    /// What those of each line could have written in the heap.
    lines: FxHashMap<u16, KeySet>,
    /// The locals that they could have written.
    locals: FxHashMap<u16, Vec<u16>>,
}

#[derive(Debug)]
pub(crate) enum Alternative {
    Branch {
        jumped: Side,
        passed: Side,
    },
    Switch(Side),
    /// A statement that jumps, and what is behind it.
    Jump(Side),
    /// A write that could have gone to another object or element.
    Write(KeySet),
    /// A call that could have come to another method, or made unrecorded code call back more often.
    Call {
        writes: KeySet,
        called_back: KeySet,
        methods: Box<[MethodIndex]>,
        all: KeySet,
    },
}

/// What may be written on a way that was not gone.
#[derive(Debug, Default)]
pub(crate) struct Side {
    pub(crate) locals: Box<[u16]>,
    pub(crate) keys: KeySet,
}

impl Alternatives {
    pub(crate) fn at(&self, pc: Pc) -> Option<&Alternative> {
        let position = self.positions.get(pc as usize)?;
        self.all.get(usize::from(*position).checked_sub(1)?)
    }

    /// What the instructions of a line could have written in the heap.
    pub(crate) fn of_line(&self, line: u16) -> Option<&KeySet> {
        self.lines.get(&line)
    }

    /// The locals that they could have written.
    pub(crate) fn locals_of_line(&self, line: u16) -> &[u16] {
        self.locals.get(&line).map(Vec::as_slice).unwrap_or_default()
    }
}

impl MayWrite {
    pub(crate) fn new(program: &Program, flows: &Flows) -> MayWrite {
        let mut keys = Keys::new(program);
        let mut hierarchy = Hierarchy::new(program);
        let mut calls = FxHashMap::default();
        let codes = || program.methods().filter_map(|method| program.code(method).ok());
        for code in codes() {
            for (pc, call) in (0..code.ops.len() as Pc).filter_map(|pc| Some((pc, code.call_at(pc)?))) {
                let targets = hierarchy.targets(code.definition, call, function_given(program, flows, code, pc));
                let contents = if targets.has_unrecorded { contents(call, &mut keys) } else { Vec::new() };
                calls.insert(call.site, CallWrites { targets, contents });
            }
        }
        let alternatives = program.methods().map(|_| OnceLock::new()).collect();
        let mut may_write = MayWrite { keys, calls, methods: Vec::new(), alternatives };
        may_write.methods = may_write.summaries(program);
        may_write
    }

    /// Of each method, called ones before callers.
    fn summaries(&self, program: &Program) -> Vec<KeySet> {
        let count = program.methods().count();
        let mut graph: DiGraph<(), ()> = DiGraph::with_capacity(count, count * 4);
        let nodes: Vec<NodeIndex> = (0..count).map(|_| graph.add_node(())).collect();
        for code in program.methods().filter_map(|method| program.code(method).ok()) {
            for callee in code.calls.iter().flat_map(|call| self.callees(call)) {
                graph.add_edge(nodes[code.index.0 as usize], nodes[callee.0 as usize], ());
            }
        }
        let mut summaries = vec![KeySet::default(); count];
        for component in kosaraju_scc(&graph) {
            let mut bits = Bits::new(&self.keys);
            for &node in &component {
                for callee in graph.neighbors(node) {
                    bits.add(&summaries[callee.index()]);
                }
                if let Ok(code) = program.code(MethodIndex(node.index() as u32)) {
                    self.add_own(program, code, 0..code.ops.len() as Pc, code.is_constructor, &mut bits);
                }
            }
            let summary = bits.to_set();
            for node in component {
                summaries[node.index()] = summary.clone();
            }
        }
        summaries
    }

    fn callees(&self, call: &Call) -> impl Iterator<Item = MethodIndex> {
        let targets = self.calls.get(&call.site).map(|known| &known.targets);
        targets.into_iter().flat_map(|targets| targets.dispatched.iter().chain(&targets.called_back)).copied()
    }

    /// What instructions write themselves, without the recorded methods that they call.
    fn add_own(&self, program: &Program, code: &MethodCode, pcs: Range<Pc>, is_for_callers: bool, bits: &mut Bits) {
        let own = if is_for_callers { writes_of_own_object(code) } else { Vec::new() };
        for pc in pcs {
            if own.get(pc as usize) != Some(&true) {
                self.keys_at(program, code, pc).for_each(|key| bits.insert(key));
            }
        }
    }

    fn keys_at(&self, program: &Program, code: &MethodCode, pc: Pc) -> impl Iterator<Item = Key> {
        let (key, call) = match code.ops.get(pc as usize) {
            Some(&Op::PutField { field, .. } | &Op::PutStatic { field, .. }) => {
                ((!is_final(program, code, field)).then_some(Key(field)), None)
            }
            Some(&Op::ArrayStore(kind)) => (Some(self.keys.element(kind)), None),
            Some(&Op::Invoke(call)) => (None, code.calls.get(call as usize)),
            _ => (None, None),
        };
        let contents = call.and_then(|call| self.calls.get(&call.site)).map(|known| &known.contents);
        key.into_iter().chain(contents.into_iter().flatten().copied())
    }

    pub(crate) fn alternatives(&self, program: &Program, flows: &Flows, method: MethodIndex) -> Option<&Alternatives> {
        let known = self.alternatives.get(method.0 as usize)?;
        Some(known.get_or_init(|| match program.code(method) {
            Ok(code) => self.find_alternatives(program, code, flows.shape(code)),
            Err(_) => Alternatives::default(),
        }))
    }

    fn find_alternatives(&self, program: &Program, code: &MethodCode, shape: &Shape) -> Alternatives {
        let Shape { flow, jumps, .. } = shape;
        let mut found = Alternatives { positions: vec![0; code.ops.len()].into(), ..Alternatives::default() };
        let mut lines: FxHashMap<u16, Bits> = FxHashMap::default();
        let own = if code.is_constructor { writes_of_own_object(code) } else { Vec::new() };
        for (pc, op) in (0..).zip(&code.ops) {
            let side = |to: &[Pc]| self.side(program, code, flow, pc, to);
            let alternative = match *op {
                Op::TableSwitch(_) | Op::LookupSwitch(_) => Alternative::Switch(side(flow.successors(pc))),
                Op::PutField { .. } | Op::ArrayStore(_) if own.get(pc as usize) != Some(&true) => {
                    let mut bits = Bits::new(&self.keys);
                    self.keys_at(program, code, pc).for_each(|key| bits.insert(key));
                    Alternative::Write(bits.to_set())
                }
                Op::Invoke(call) => match code.calls.get(call as usize).and_then(|call| self.call(call)) {
                    Some(alternative) => alternative,
                    None => continue,
                },
                // What a `throw` has prevented depends on its handler.
                Op::Throw => continue,
                _ if jumps.contains(pc) => {
                    let skipped = jumps.skipped(flow, pc);
                    let handled = |start| flow.way(start, None);
                    Alternative::Jump(self.written_in(program, code, with_handlers(code, skipped, &[], handled)))
                }
                op => match op.jump_target() {
                    Some(to) if flow.is_branch(pc) => {
                        Alternative::Branch { jumped: side(&[pc + 1]), passed: side(&[to]) }
                    }
                    _ => continue,
                },
            };
            if !alternative.is_empty() {
                let line = code.lines.get(pc as usize).copied().unwrap_or_default();
                let bits = lines.entry(line).or_insert_with(|| Bits::new(&self.keys));
                alternative.keys().for_each(|keys| bits.add(keys));
                found.locals.entry(line).or_default().extend(alternative.locals());
                found.all.push(alternative);
                found.positions[pc as usize] = found.all.len() as u16;
            }
        }
        found.lines = lines.into_iter().map(|(line, bits)| (line, bits.to_set())).collect();
        found
    }

    fn side(&self, program: &Program, code: &MethodCode, flow: &Flow, branch: Pc, to: &[Pc]) -> Side {
        let pcs = to.iter().flat_map(|&start| flow.side(branch, start)).collect();
        self.written_in(program, code, with_handlers(code, pcs, to, |start| flow.side(branch, start)))
    }

    /// What a frame would have written had its instruction not thrown, so that it went on at a handler or was left.
    pub(crate) fn prevented(
        &self,
        program: &Program,
        code: &MethodCode,
        shape: &Shape,
        thrown_at: Pc,
        handler: Option<Pc>,
    ) -> Side {
        let Shape { flow, jumps, .. } = shape;
        let (mut pcs, end) = (flow.prevented(thrown_at, handler), flow.meeting(thrown_at, handler));
        pcs.extend(jumps.skipped_by_going_to(flow, thrown_at, handler));
        let call = code.call_at(thrown_at);
        if call.is_none() {
            pcs.push(thrown_at..thrown_at + 1);
        }
        let has_run: Vec<Pc> = handler.into_iter().collect();
        let mut side = self.written_in(program, code, with_handlers(code, pcs, &has_run, |start| flow.way(start, end)));
        // What a call has not done is told by the frames that it had, but for those that unrecorded code did not call.
        if let Some(known) = call.and_then(|call| self.calls.get(&call.site)) {
            let mut bits = Bits::new(&self.keys);
            bits.add(&side.keys);
            known.targets.called_back.iter().for_each(|&method| bits.add(self.of_method(method)));
            side.keys = bits.to_set();
        }
        side
    }

    fn written_in(&self, program: &Program, code: &MethodCode, all: Vec<Range<Pc>>) -> Side {
        let mut bits = Bits::new(&self.keys);
        let mut locals = Vec::new();
        for pcs in all {
            self.add_own(program, code, pcs.clone(), false, &mut bits);
            for pc in pcs {
                match code.ops[pc as usize] {
                    Op::Store { local, .. } | Op::StoreWide { local, .. } | Op::Increment { local, .. } => {
                        locals.push(local);
                    }
                    Op::Invoke(call) => {
                        let callees = code.calls.get(call as usize).into_iter().flat_map(|call| self.callees(call));
                        callees.for_each(|callee| bits.add(self.of_method(callee)));
                    }
                    _ => {}
                }
            }
        }
        locals.sort_unstable();
        locals.dedup();
        Side { locals: locals.into(), keys: bits.to_set() }
    }

    fn call(&self, call: &Call) -> Option<Alternative> {
        let CallWrites { targets, contents } = self.calls.get(&call.site)?;
        let mut writes = Bits::new(&self.keys);
        contents.iter().for_each(|&key| writes.insert(key));
        let has_several = targets.dispatched.len() > 1 || targets.has_unrecorded;
        let methods = if has_several { targets.dispatched.clone() } else { Vec::new() };
        Some(Alternative::Call {
            writes: writes.to_set(),
            called_back: self.of_methods(&targets.called_back),
            all: self.of_methods(&methods),
            methods: methods.into(),
        })
    }

    fn of_methods(&self, methods: &[MethodIndex]) -> KeySet {
        let mut bits = Bits::new(&self.keys);
        methods.iter().for_each(|&method| bits.add(self.of_method(method)));
        bits.to_set()
    }

    /// What a method may write, with all that it calls.
    pub(crate) fn of_method(&self, method: MethodIndex) -> &KeySet {
        &self.methods[method.0 as usize]
    }
}

impl Alternative {
    /// What it could have written in the heap.
    fn keys(&self) -> impl Iterator<Item = &KeySet> {
        let (first, second, third) = match self {
            Alternative::Branch { jumped, passed } => (&jumped.keys, Some(&passed.keys), None),
            Alternative::Switch(side) | Alternative::Jump(side) => (&side.keys, None, None),
            Alternative::Write(keys) => (keys, None, None),
            Alternative::Call { writes, called_back, all, .. } => (writes, Some(called_back), Some(all)),
        };
        [first].into_iter().chain(second).chain(third)
    }

    /// The locals of its frame that it could have written.
    fn locals(&self) -> impl Iterator<Item = u16> {
        let (first, second) = match self {
            Alternative::Branch { jumped, passed } => (Some(jumped), Some(passed)),
            Alternative::Switch(side) | Alternative::Jump(side) => (Some(side), None),
            Alternative::Write(_) | Alternative::Call { .. } => (None, None),
        };
        first.into_iter().chain(second).flat_map(|side| side.locals.iter().copied())
    }

    fn is_empty(&self) -> bool {
        let is_idle = |side: &Side| side.locals.is_empty() && side.keys.is_empty();
        match self {
            Alternative::Branch { jumped, passed } => is_idle(jumped) && is_idle(passed),
            Alternative::Switch(side) | Alternative::Jump(side) => is_idle(side),
            Alternative::Write(keys) => keys.is_empty(),
            Alternative::Call { .. } => self.keys().all(KeySet::is_empty),
        }
    }
}

/// Instructions, and what control can come to from the handlers of what they throw, unless these are among `known`.
fn with_handlers(
    code: &MethodCode,
    mut pcs: Vec<Range<Pc>>,
    known: &[Pc],
    way: impl Fn(Pc) -> Vec<Range<Pc>>,
) -> Vec<Range<Pc>> {
    let mut starts = known.to_vec();
    let mut next = 0;
    while let Some(range) = pcs.get(next).cloned() {
        next += 1;
        for thrown_at in range.filter(|&pc| code.ops[pc as usize] == Op::Throw) {
            for handler in code.handlers.iter().filter(|handler| (handler.start..handler.end).contains(&thrown_at)) {
                if !starts.contains(&handler.target) {
                    starts.push(handler.target);
                    pcs.extend(way(handler.target));
                }
            }
        }
    }
    pcs
}

/// Final fields are written while their object is new.
fn is_final(program: &Program, code: &MethodCode, field: u32) -> bool {
    let Some(field) = program.field(field) else { return false };
    let summary = program.find_definition(code.definition, &field.owner).and_then(|owner| program.summary(owner));
    let mut fields = summary.into_iter().flat_map(|summary| &summary.fields);
    fields.any(|known| known.name == field.name && known.access & access::FINAL != 0)
}

/// By instruction of a constructor: whether it writes a field of the new object.
fn writes_of_own_object(code: &MethodCode) -> Vec<bool> {
    // Of each slot: whether it holds the new object. In the order of the code: what an expression has put on the stack
    // before a condition is there behind it, too.
    let mut is_own = vec![false; usize::from(code.slots)];
    let mut writes = vec![false; code.ops.len()];
    let forget = |is_own: &mut [bool], from: usize| is_own.iter_mut().skip(from).for_each(|own| *own = false);
    for pc in 0..code.ops.len() as Pc {
        let top = code.types.before(pc).len();
        match effect_of(code, pc) {
            Effect::Load { local, .. } => is_own[top] = local == 0,
            Effect::Compute { result, .. } => is_own[usize::from(result)] = false,
            Effect::Consume(uses) => {
                let object = uses.target().filter(|_| matches!(code.ops[pc as usize], Op::PutField { .. }));
                writes[pc as usize] = object.is_some_and(|slot| is_own.get(usize::from(slot)) == Some(&true));
            }
            Effect::Shuffle { taken, .. } => forget(&mut is_own, top.saturating_sub(usize::from(taken))),
            Effect::Call => {
                let taken = code.call_at(pc).map_or(top, |call| usize::from(call.argument_slots));
                forget(&mut is_own, top.saturating_sub(taken));
            }
            Effect::Nothing | Effect::Dimensions { .. } => {}
        }
    }
    writes
}

/// The body of the lambda that stands as the last argument of a call, and nothing else on another way.
fn function_given(program: &Program, flows: &Flows, code: &MethodCode, call: Pc) -> Option<MethodIndex> {
    let made = flows.lambda_made(program, code, call.checked_sub(1)?)?;
    (!flows.of(code).is_block_start(call)).then_some(made)
}

/// What unrecorded code may change of what it is given.
fn contents(call: &Call, keys: &mut Keys) -> Vec<Key> {
    let parameters = descriptor::parameters(&call.descriptor).unwrap_or_default();
    let has_receiver = !matches!(call.kind, CallKind::Static | CallKind::Dynamic);
    let receiver = has_receiver.then_some(&*call.owner);
    let types = receiver.into_iter().chain(parameters.iter().map(|(_, name)| descriptor::class_name(name)));
    let mut found = Vec::new();
    let method = Method::new(call, &call.owner);
    // A constructor changes what is new.
    let is_new = |position: usize| call.kind == CallKind::Constructor && position == 0;
    for (position, (name, &kind)) in types.zip(&call.arguments).enumerate() {
        if kind != LogKind::Reference || is_new(position) || !method.changes(position) {
            continue;
        }
        match name.strip_prefix('[') {
            Some(element) => found.push(keys.element(kind_of(element))),
            None if name == "java/lang/Object" && position > 0 => found.push(keys.anything()),
            None if has_content(name) => found.push(keys.add_content(name)),
            None => {}
        }
        if has_receiver && position == 0 {
            found.extend(behind_view(&method).iter().map(|class| keys.add_content(class)));
            found.extend(elements_behind_view(&method).map(|kind| keys.element(kind)));
        }
    }
    found
}

/// Of the elements of an array, by their descriptor.
pub(crate) fn kind_of(element: &str) -> LogKind {
    match element.as_bytes().first() {
        Some(b'Z' | b'B') => LogKind::Byte,
        Some(b'C') => LogKind::Char,
        Some(b'S') => LogKind::Short,
        Some(b'I') => LogKind::Int,
        Some(b'F') => LogKind::Float,
        Some(b'J') => LogKind::Long,
        Some(b'D') => LogKind::Double,
        _ => LogKind::Reference,
    }
}
