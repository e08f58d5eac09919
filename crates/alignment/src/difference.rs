//! Where two runs part, with the evidence.

use crate::side::{Pair, Side};
use whydunit_replay::Value;
use whydunit_replay::events::Comparison;
use whydunit_replay::interpreter::End;
use whydunit_replay::program::{Field, MethodIndex, Pc};
use whydunit_trace::ThreadId;

/// What a comparison of two runs has found.
#[derive(Clone, Debug)]
pub struct Report {
    /// Threads that are compared with each other, or have no partner.
    pub threads: Vec<ComparedThread>,
    /// Differences of the same kind at the same instruction, in the order of the left run.
    pub groups: Vec<Group>,
    /// Methods that have other code in the other run.
    pub changed: Vec<ChangedMethod>,
    /// Results that differ but were not to be compared, by method.
    pub ignored: Vec<Ignored>,
}

impl Report {
    /// Whether the runs are the same, as far as they were compared.
    pub fn is_same(&self) -> bool {
        let is_matched = |thread: &ComparedThread| thread.ids.left.is_some() && thread.ids.right.is_some();
        self.groups.is_empty()
            && self.changed.iter().all(|changed| changed.is_aligned)
            && self.threads.iter().all(is_matched)
    }

    pub fn first(&self) -> Option<&Difference> {
        self.groups.first().map(|group| &group.first)
    }

    pub fn first_in_control(&self) -> Option<&Difference> {
        self.groups.iter().map(|group| &group.first).find(|difference| difference.kind.is_control())
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChangedMethod {
    pub methods: Pair<MethodIndex>,
    /// Its instructions were mapped onto each other. Otherwise too little is left of it, and what it does is not
    /// compared.
    pub is_aligned: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ComparedThread {
    pub ids: Pair<Option<ThreadId>>,
    pub steps: Pair<u64>,
    pub ends: Pair<Option<End>>,
    /// Events of the thread that are the same in both runs.
    pub aligned: u64,
}

#[derive(Clone, Debug)]
pub struct Group {
    pub first: Difference,
    pub count: u64,
    /// Steps that each run made on its own.
    pub apart: Pair<u64>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ignored {
    /// Internal name.
    pub class: Box<str>,
    pub name: Box<str>,
    pub count: u64,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    pub threads: Pair<ThreadId>,
    /// The last sequence number of the thread in the left run: its place in the order of all threads.
    pub sequence: u64,
    pub kind: Kind,
    /// `None` where no recorded method runs.
    pub at: Pair<Option<Point>>,
    /// The calls that led there, the nearest first, at most [`MOST_CALLERS`].
    pub callers: Vec<Pair<Point>>,
}

/// Callers that a difference has at most.
pub const MOST_CALLERS: usize = 20;

/// An instruction that was run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Point {
    pub method: MethodIndex,
    pub pc: Pc,
    /// Counts the steps of the thread.
    pub step: u64,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    /// A condition is decided differently: what was compared, and where each goes.
    Branch {
        compared: Pair<Comparison>,
        to: Pair<Pc>,
    },
    Switch {
        value: Pair<Value>,
        to: Pair<Pc>,
    },
    /// A call goes to different methods; `None` is one that is not recorded.
    Target {
        methods: Pair<Option<MethodIndex>>,
    },
    /// Unrecorded code calls different methods, or only in one run.
    CallBack {
        methods: Pair<Option<MethodIndex>>,
    },
    /// An exception in one run, or exceptions that go different ways.
    Exception {
        thrown: Pair<Option<Value>>,
    },
    /// One run ends, the other goes on.
    End {
        ended: Side,
    },
    /// Code that only one run has.
    Code {
        only: Side,
    },
    /// The code of a changed method leads elsewhere.
    Way {
        to: Pair<Option<Pc>>,
    },
    /// The runs cannot be aligned in the rest of the method.
    Lost,
    Value {
        what: What,
        values: Pair<Value>,
    },
}

impl Kind {
    /// Not of a value.
    pub fn is_control(&self) -> bool {
        !matches!(self, Kind::Value { .. })
    }
}

/// What has different values.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum What {
    /// A local variable that is written.
    Local { slot: u16 },
    /// A field that is written.
    Field(Field),
    /// The object whose field is written.
    FieldOf(Field),
    /// An element that is written.
    Element { index: i32 },
    /// The array that is written to.
    Array,
    /// The index that is written at.
    Index,
    /// The parameter in this slot of a method that is entered.
    Parameter { slot: u16 },
    /// An argument of a call, in a difference only of one into unrecorded code; counted from 0; the receiver is the first.
    Argument { number: u16 },
    /// What unrecorded code returned.
    Result,
    /// What a recorded method returned.
    Return,
    /// The exception that both threw.
    Exception,
    /// Whether a conditional jump jumps, or the value of a switch. Only in verdicts.
    Condition,
}
