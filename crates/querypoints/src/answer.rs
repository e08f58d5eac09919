//! What is found.

use crate::condition::Datum;
use whydunit_debugger::{Moment, StepPlace, Value};

/// The points of a chain, in the order of their definitions.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    pub points: Vec<Located>,
}

impl Answer {
    pub fn is_complete(&self) -> bool {
        self.points.iter().all(|point| point.outcome.is_ok())
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct Located {
    pub name: String,
    /// As it would be written.
    pub definition: String,
    pub outcome: Result<Instance, Missing>,
    /// Candidates of which it is not known whether they are meant, and why not.
    pub unknown: u64,
    pub why_unknown: Option<String>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Instance {
    pub moment: Moment,
    /// Among the steps of all threads.
    pub step: u64,
    pub place: StepPlace,
    pub happened: Happened,
    pub data: Vec<Collected>,
    /// The newest first.
    pub stack: Vec<Frame>,
    /// What should be known besides.
    pub notes: Vec<String>,
}

/// The event of a point.
#[derive(Clone, Debug, PartialEq)]
pub enum Happened {
    /// A step starts.
    Line,
    /// A method is entered.
    Entered,
    /// Something got another value.
    Changed {
        what: String,
        owner: Option<Value>,
        index: Option<i32>,
        old: Option<Value>,
        value: Option<Value>,
    },
    /// A call of code that is not recorded may have given something another value.
    MayHaveChanged {
        what: String,
        owner: Option<Value>,
        index: Option<i32>,
        /// `Arrays.sort()`
        call: String,
        /// What recorded code has found there since.
        value: Option<Value>,
    },
    /// A parameter got its value by a call.
    Passed {
        what: String,
        value: Option<Value>,
    },
    Thrown {
        exception: Option<Value>,
    },
    Caught {
        exception: Option<Value>,
    },
    /// A condition was decided; `what` is a branch, a `switch`, or what threw.
    Decided {
        what: String,
    },
}

/// Data that was asked for.
#[derive(Clone, Debug, PartialEq)]
pub struct Collected {
    pub expression: String,
    /// Or why it is not known.
    pub value: Result<Datum, String>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Frame {
    /// Among the steps of all threads.
    pub step: u64,
    pub place: StepPlace,
    pub is_call_back: bool,
}

/// Why there is no such point.
#[derive(Clone, Debug, PartialEq)]
pub struct Missing {
    pub why: String,
    /// How many events were looked at.
    pub candidates: u64,
    /// What they failed, and how many did.
    pub failed: Vec<(String, u64)>,
    /// Those that came first in the order of the search.
    pub nearest: Vec<Miss>,
    /// What no recorded code has written, of which a change was looked for.
    pub unwritten: Option<Unwritten>,
}

/// A field or element that nobody known has written before a point.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unwritten {
    /// `<Customer:2>.loyal`
    pub what: String,
    /// The step, numbered over all threads, that tells what was there.
    pub read_in: Option<u64>,
}

/// An event that is not the point.
#[derive(Clone, Debug, PartialEq)]
pub struct Miss {
    /// Among the steps of all threads.
    pub step: u64,
    pub place: StepPlace,
    pub failed: String,
}
