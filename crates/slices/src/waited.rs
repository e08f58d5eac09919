//! What a thread has waited for. A value that another thread has written is there because the reader did not go on before:
//! without the call that waited it may have found another one.

use crate::dependences::{Dependences, Description, Executed, Position};
use crate::graph::NodeId;
use crate::slice::Asker;
use crate::stretch::Stretch;
use std::ops::Range;
use whydunit_model::Decider;
use whydunit_replay::ReplayError;
use whydunit_replay::program::{Op, Pc};
use whydunit_trace::ThreadId;

/// Meetings that are looked at, of the first and of the last between a write and a read.
const MOST_WAITS: usize = 16;

/// Instructions behind a wait among which it is looked for whether the thread would wait again.
const MOST_BEHIND: usize = 10_000;

/// Meetings of which it is remembered what waited there.
const MOST_KEPT: usize = 1 << 16;

/// How names of methods of `java.util.concurrent` start that do not return until another thread has done something, or that
/// are asked until it has. Whoever takes a lock waits, too, but for the others to be over, whatever they do.
const WAITING: [&str; 12] = [
    "await",
    "take",
    "poll",
    "acquire",
    "park",
    "exchange",
    "arriveAndAwait",
    "invoke",
    "join",
    "close",
    "transfer",
    "compareAndSet",
];

/// Whether a call may have let its thread wait, by the names of the class and the method.
fn is_waiting(owner: &str, name: &str) -> bool {
    match owner.strip_prefix("java/util/concurrent/") {
        // Asked whether there is something, a map does not say that all is done.
        Some(owner) if owner.contains("Map") => false,
        Some(owner) => {
            let is_of_queue = owner.contains("Queue") || owner.contains("Deque");
            WAITING.iter().any(|start| name.starts_with(start))
                || matches!(name, "get" | "getNow" | "getCount" | "isDone" | "isTerminated" | "isShutdown" | "sleep")
                || is_of_queue && matches!(name, "put" | "offer" | "isEmpty" | "peek")
        }
        None => match owner {
            "java/lang/Object" => name == "wait",
            "java/lang/Thread" => matches!(name, "join" | "sleep" | "isAlive" | "getState" | "isInterrupted"),
            // Of a thread of the program's own.
            _ => name == "join",
        },
    }
}

/// The time in which a thread may have waited for another.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Delay {
    thread: ThreadId,
    /// A step of the thread. What it did before unrecorded code called the lowest of its frames had to do with another task.
    since: u64,
    sequences: Range<u64>,
}

/// A call or read that may have waited, and the branch behind it that could have led to it again.
pub(crate) type Wait = [Option<Executed>; 2];

impl Dependences<'_> {
    /// When a thread may have waited for another to write what it reads: since that one has next met others; if it never
    /// has, since it last did before.
    pub(crate) fn delay(&self, reader: Asker, writer: Executed) -> Result<Option<Delay>, ReplayError> {
        let written = self.sequence_of(writer)?;
        let told = self.index(writer.thread())?.sequence_after(written)?.unwrap_or(written);
        let delay = Delay {
            thread: reader.executed.thread(),
            since: reader.lowest_entered,
            sequences: told + 1..reader.read + 1,
        };
        Ok(Some(delay).filter(|delay| !delay.sequences.is_empty()))
    }

    pub(crate) fn waits(&self, delay: &Delay) -> Result<Vec<Executed>, ReplayError> {
        let thread = delay.thread;
        let mut waits = Vec::new();
        for (segment, sequence) in self.index(thread)?.meetings_between(&delay.sequences, delay.since, MOST_WAITS)? {
            let known = self.waits.borrow().get(&(thread, sequence)).copied();
            let wait = match known {
                Some(known) => known,
                None => self.wait_at(Position::whole(thread, segment), sequence)?,
            };
            waits.extend(wait.into_iter().flatten());
        }
        Ok(waits)
    }

    /// What a thread may have waited at when it took a sequence number, and the branch behind it.
    fn wait_at(&self, at: Position, sequence: u64) -> Result<Wait, ReplayError> {
        let stretch = self.stretch(at)?;
        let wait = stretch.under_way_at(sequence).filter(|&node| self.may_wait(&stretch, node));
        let wait = wait.map(|node| Executed { at, node });
        let found = [wait, wait.map_or(Ok(None), |wait| self.decided_after(wait))?];
        let mut known = self.waits.borrow_mut();
        if known.len() >= MOST_KEPT {
            known.clear();
        }
        known.insert((at.thread, sequence), found);
        Ok(found)
    }

    /// The branch behind a wait that could have led to it again.
    fn decided_after(&self, wait: Executed) -> Result<Option<Executed>, ReplayError> {
        let Some(Description { node: waited, frame, .. }) = self.describe(wait)? else { return Ok(None) };
        let Ok(code) = self.program.code(frame.method) else { return Ok(None) };
        let deciders = self.flows.of(code).deciders(waited.pc());
        let is_decider = |pc: Pc| deciders.contains(&Decider::Branch(pc));
        let (mut left, mut first) = (MOST_BEHIND, wait.node.0 + 1);
        for segment in wait.at.segment..self.index(wait.thread())?.checkpoints() {
            let at = wait.at.of_segment(segment);
            let stretch = self.stretch(at)?;
            let behind = (first..).take(left).map(NodeId).map_while(|id| Some((id, stretch.node(id)?)));
            for (node, run) in behind {
                // Calls below that are under way go on where the stretch starts.
                let Some(in_frame) = stretch.frame(run.frame).filter(|_| stretch.part_before(node).is_none()) else {
                    continue;
                };
                if in_frame.key() == frame.key() && is_decider(run.pc()) {
                    return Ok(Some(Executed { at, node }));
                }
                let is_left =
                    in_frame.depth < frame.depth || in_frame.depth == frame.depth && in_frame.key() != frame.key();
                if is_left {
                    return Ok(None);
                }
                left -= 1;
            }
            if left == 0 {
                break;
            }
            first = 0;
        }
        Ok(None)
    }

    fn may_wait(&self, stretch: &Stretch<'_>, node: NodeId) -> bool {
        let frame = stretch.node(node).and_then(|node| Some((node.pc(), stretch.frame(node.frame)?.method)));
        let Some((pc, method)) = frame else { return false };
        let Ok(code) = self.program.code(method) else { return false };
        match code.call_at(pc) {
            Some(call) => is_waiting(&call.owner, &call.name),
            None => matches!(code.ops.get(pc as usize), Some(Op::GetField { .. } | Op::GetStatic { .. })),
        }
    }
}
