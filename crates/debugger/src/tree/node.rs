//! The lines of a tree, as data.

use crate::notation::Outcome;
use whydunit_replay::events::Event;
use whydunit_replay::program::MethodIndex;
use whydunit_trace::ThreadId;

#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    pub kind: NodeKind,
    pub thread: ThreadId,
    /// Number among the steps of all threads. A call has the number of its first step.
    pub step: Option<u64>,
    /// The method that `line` belongs to: for a call, the one that calls.
    pub method: Option<MethodIndex>,
    pub line: Option<u32>,
    /// In the notation of the tree.
    pub text: String,
    pub event: Option<Box<Event>>,
    /// How a call ended.
    pub outcome: Outcome,
    pub fold: Fold,
    /// It belongs to the step that was asked for.
    pub is_focus: bool,
    /// What is in it, as far as it is shown.
    pub children: Vec<Node>,
    /// Number in its own thread.
    pub(crate) local_step: u64,
    pub(crate) has_focus: bool,
    /// The depth of a call of which only the first step is known.
    pub(super) depth: u32,
    /// An iteration that did nothing but find out that the loop is over, if it is the last.
    pub(super) is_test: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NodeKind {
    Thread,
    /// A recorded method runs.
    Call,
    /// Unrecorded code runs.
    UnrecordedCall,
    Event,
    /// `of` is `None` when the end of the loop was not looked for, `number` when its start was not.
    Iteration {
        number: Option<u64>,
        of: Option<u64>,
    },
    /// What is left out here; `None`: nobody counted.
    More {
        count: Option<u64>,
        what: Left,
    },
}

/// What a [`NodeKind::More`] counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Left {
    Lines,
    Iterations,
    Calls,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fold {
    /// Nothing is in it.
    Leaf,
    /// Something is in it that is not shown.
    Folded,
    Open,
}

impl Node {
    pub(crate) fn new(kind: NodeKind, thread: ThreadId) -> Node {
        Node {
            kind,
            thread,
            step: None,
            method: None,
            line: None,
            text: String::new(),
            event: None,
            fold: Fold::Leaf,
            is_focus: false,
            children: Vec::new(),
            local_step: 0,
            has_focus: false,
            depth: 0,
            is_test: false,
            outcome: Outcome::Unknown,
        }
    }

    pub(crate) fn more(thread: ThreadId, count: Option<u64>, what: Left, local_step: u64) -> Node {
        Node { local_step, ..Node::new(NodeKind::More { count, what }, thread) }
    }
}
