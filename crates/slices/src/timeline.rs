//! Who wrote which place when, in one stretch: for readers in other threads.

use crate::graph::{Node, NodeId, Origin, Place};
use crate::heap::{Change, WrittenPart};
use crate::stretch::Stretch;
use crate::wants::{Answer, Unknown, Want};
use rustc_hash::FxHashMap;
use std::ops::Range;
use whydunit_replay::Program;
use whydunit_replay::interpreter::is_same;
use whydunit_replay::program::Op;
use whydunit_trace::{LogKind, ObjectId};

/// The value of a place that is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Held {
    pub(crate) kind: LogKind,
    pub(crate) bits: u64,
}

#[derive(Clone, Copy, Debug)]
struct Write {
    node: NodeId,
    /// Instructions of the stretch before it was done.
    before: u32,
    /// The thread's last sequence number before it was done.
    sequence: u64,
}

#[derive(Debug, Default)]
pub(crate) struct Timeline {
    /// Own writes and what calls have done, each in the order of execution.
    writes: FxHashMap<Place, Vec<Write>>,
    /// Parts of arrays, in the order of execution.
    parts: FxHashMap<ObjectId, Vec<(Range<i32>, Write)>>,
    /// By instruction: the latest step of the thread.
    latest: Vec<u64>,
    /// What calls of unrecorded code have looked for, by rising instruction.
    looked: Vec<(NodeId, Origin, Place)>,
}

impl Timeline {
    pub(crate) fn new(program: &Program, stretch: &Stretch<'_>) -> Timeline {
        let mut timeline = Timeline::default();
        let mut latest = 0;
        for (id, node) in stretch.nodes() {
            latest = latest.max(node.step);
            timeline.latest.push(latest);
            if let Some(place) = stretch.place(node)
                && matches!(access(program, stretch, node), Some((_, true)))
            {
                let write = Write { node: id, before: id.0, sequence: stretch.sequence_after(id.0) };
                timeline.writes.entry(place).or_default().push(write);
            }
        }
        // A meeting that ends a call comes after it.
        let done = |node: NodeId, before: u32| Write {
            node,
            before,
            sequence: stretch.sequence_after(before.saturating_sub(1)),
        };
        for Change { place, call, before } in stretch.changes() {
            timeline.writes.entry(place).or_default().push(done(call, before));
        }
        for WrittenPart { array, elements, call, before } in stretch.written_parts() {
            timeline.parts.entry(array).or_default().push((elements, done(call, before)));
        }
        timeline.looked = stretch.looked();
        timeline.looked.sort_unstable_by_key(|(node, ..)| *node);
        timeline
    }

    /// The step of the thread in which an instruction was run.
    pub(crate) fn latest(&self, node: NodeId) -> u64 {
        self.latest.get(node.0 as usize).copied().unwrap_or_default()
    }

    /// The instructions that wrote a place while the thread's last sequence number was one of these.
    pub(crate) fn writes(&self, place: Place, sequences: Range<u64>) -> impl DoubleEndedIterator<Item = NodeId> {
        let exact = |place: Place| self.writes.get(&place).map(Vec::as_slice).unwrap_or_default().iter().copied();
        let mut found: Vec<Write> = exact(place).collect();
        if let Place::Element(array, index) = place {
            let parts = self.parts.get(&array).map(Vec::as_slice).unwrap_or_default();
            found.extend(parts.iter().filter(|(elements, _)| elements.contains(&index)).map(|&(_, write)| write));
            found.extend(exact(Place::Content(array)));
        }
        found.retain(|write| sequences.contains(&write.sequence));
        found.sort_by_key(|write| write.before);
        found.into_iter().map(|write| write.node)
    }

    /// The place whose contents or items a call of unrecorded code has from an origin.
    pub(crate) fn looked_for(&self, node: NodeId, origin: Origin) -> Option<Place> {
        let first = self.looked.partition_point(|(known, ..)| *known < node);
        let own = self.looked.get(first..).unwrap_or_default().iter().take_while(|(known, ..)| *known == node);
        own.filter(|(_, known, _)| *known == origin).map(|(.., place)| *place).next()
    }
}

/// The kind of value that an instruction reads from or writes to the heap, and whether it writes.
pub(crate) fn access(program: &Program, stretch: &Stretch<'_>, node: &Node) -> Option<(LogKind, bool)> {
    let code = program.code(stretch.frame(node.frame)?.method).ok()?;
    match *code.ops.get(node.pc() as usize)? {
        _ if node.argument().is_some() => None,
        Op::GetField { kind, .. } | Op::GetStatic { kind, .. } | Op::ArrayLoad(kind) => Some((kind, false)),
        Op::PutField { kind, .. } | Op::PutStatic { kind, .. } | Op::ArrayStore(kind) => Some((kind, true)),
        _ => None,
    }
}

impl Stretch<'_> {
    /// The thread's last sequence number when an instruction has its inputs: a call of unrecorded code, which may have
    /// waited, when it is over.
    pub(crate) fn sequence_of(&self, program: &Program, id: NodeId) -> u64 {
        let Some(node) = self.node(id) else { return 0 };
        let code = self.frame(node.frame).and_then(|frame| program.code(frame.method).ok());
        let is_outside = self.callee(node).is_none() && code.is_some_and(|code| code.call_at(node.pc()).is_some());
        if !is_outside || node.argument().is_some() {
            return self.sequence_after(id.0);
        }
        let is_given = |other: &Node| {
            (other.step, other.pc(), other.frame) == (node.step, node.pc(), node.frame) && other.argument().is_some()
        };
        let mut end = id.0 + 1;
        while self.node(NodeId(end)).is_some_and(is_given) {
            end += 1;
        }
        self.sequence_after(end)
    }

    /// The place that an instruction reads.
    pub(crate) fn place_read(&self, program: &Program, node: NodeId) -> Option<Place> {
        let node = self.node(node)?;
        self.place(node).filter(|_| matches!(access(program, self, node), Some((_, false))))
    }

    /// The value that an instruction reads from the heap.
    pub(crate) fn held(&self, program: &Program, node: &Node) -> Option<Held> {
        match access(program, self, node) {
            Some((kind, false)) => Some(Held { kind, bits: node.bits }),
            _ => None,
        }
    }

    /// The place that an origin was looked for in before the stretch.
    pub(crate) fn wanted(&self, origin: Origin) -> Option<Place> {
        match self.meaning(origin) {
            Answer::Before(wants) => match wants[..] {
                [Want::Written(place)] => Some(place),
                _ => None,
            },
            Answer::Unknown(Unknown::Changed(place)) => Some(place),
            Answer::Node(_) | Answer::Unknown(_) => None,
        }
    }

    /// Whether an instruction can have written a value.
    pub(crate) fn can_have_written(&self, node: NodeId, held: Option<Held>) -> bool {
        let (Some(node), Some(held)) = (self.node(node), held) else { return true };
        // What unrecorded code has written is not known.
        if self.place(node).is_none() || node.is_change() {
            return true;
        }
        let bits = match held.kind {
            LogKind::Reference => u64::from(self.known(ObjectId(node.bits as u32)).0),
            _ => node.bits,
        };
        is_same(held.kind, bits, held.bits)
    }
}
