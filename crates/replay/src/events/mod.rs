//! The run as events with their values, in the order of execution of one thread.

mod comparison;
mod teller;

pub use comparison::switched_value;
pub use teller::Marks;
pub(crate) use teller::Teller;

use crate::checkpoint::Checkpoint;
use crate::error::ReplayError;
use crate::interpreter::{End, Progress, TEMPORARY, ThreadReplay};
use crate::objects::ObjectTable;
use crate::program::{Field, MethodIndex, Pc, Program};
use crate::steps::StepCounter;
use crate::value::Value;
use rustc_hash::FxHashSet;
use std::fmt;
use std::ops::{ControlFlow, RangeInclusive};
use std::sync::Arc;
use whydunit_trace::{LogKind, ObjectId, ThreadId};

#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    pub thread: ThreadId,
    /// The step of the frame; counts the steps of the thread, from 1.
    pub step: u64,
    /// The step of the thread, which is later when the frame has called others in its step.
    pub latest: u64,
    /// Counts the instructions of the thread, from 1.
    pub number: u64,
    pub method: MethodIndex,
    /// The instruction, in the method's decoded code.
    pub pc: Pc,
    pub line: Option<u32>,
    /// 0 is the lowest recorded frame.
    pub depth: u32,
    /// `this` of the frame; `None` in static methods.
    pub this: Option<Value>,
    pub kind: EventKind,
}

#[derive(Clone, Debug, PartialEq)]
pub enum EventKind {
    /// A recorded method starts.
    Enter {
        arguments: Vec<Variable>,
        is_call_back: bool,
        /// The call in the frame below; `None` when unrecorded code has called.
        caller: Option<CallPlace>,
    },
    /// A recorded method returns.
    Return {
        result: Option<Value>,
    },
    /// A line is reached.
    Step,
    /// Unrecorded code is called.
    Call {
        class: Box<str>,
        name: Box<str>,
        descriptor: Box<str>,
        /// `None` for static and dynamic calls.
        receiver: Option<Value>,
        arguments: Vec<Value>,
    },
    /// Unrecorded code returns.
    CallReturned {
        result: Option<Value>,
    },
    /// `object` is `None` for static fields.
    FieldRead {
        object: Option<Value>,
        field: Field,
        value: Value,
    },
    FieldWritten {
        object: Option<Value>,
        field: Field,
        value: Value,
    },
    ElementRead {
        array: Value,
        index: i32,
        value: Value,
    },
    ElementWritten {
        array: Value,
        index: i32,
        value: Value,
    },
    LocalWritten(Variable),
    /// A condition was decided.
    Branch {
        comparison: Comparison,
        /// The instruction jumped. Compilers often jump when the condition of the source is false.
        taken: bool,
        /// Where the method goes on, if the class file tells.
        to_line: Option<u32>,
    },
    /// A `switch` was decided.
    Switch {
        value: Value,
        /// Where the method goes on, if the class file tells.
        to_line: Option<u32>,
    },
    New {
        class: Box<str>,
        object: Value,
    },
    /// `exception` is `None` when the log does not tell.
    Throw {
        exception: Option<Value>,
    },
    Catch {
        exception: Value,
    },
    /// An exception leaves the method.
    Unwind {
        exception: Value,
    },
    /// An instruction that was asked for is next; only for those who ask. It comes before the [`EventKind::Step`] that
    /// starts with the instruction.
    Mark,
    /// What the frame does from here on is not told, apart from its end; only in a
    /// [walk](crate::index::ThreadIndex::walk).
    Skipped,
}

impl EventKind {
    /// Whether an object is among the values in it.
    pub fn mentions(&self, object: ObjectId) -> bool {
        let is_it = |value: &Value| *value == Value::Ref(object);
        match self {
            EventKind::Enter { arguments, .. } => arguments.iter().any(|argument| is_it(&argument.value)),
            EventKind::Call { receiver, arguments, .. } => receiver.iter().chain(arguments).any(is_it),
            EventKind::Return { result } | EventKind::CallReturned { result } => result.as_ref().is_some_and(is_it),
            EventKind::FieldRead { object, value, .. } | EventKind::FieldWritten { object, value, .. } => {
                is_it(value) || object.as_ref().is_some_and(is_it)
            }
            EventKind::ElementRead { array, value, .. } | EventKind::ElementWritten { array, value, .. } => {
                is_it(array) || is_it(value)
            }
            EventKind::LocalWritten(variable) => is_it(&variable.value),
            EventKind::New { object, .. } => is_it(object),
            EventKind::Catch { exception } | EventKind::Unwind { exception } => is_it(exception),
            EventKind::Throw { exception } => exception.as_ref().is_some_and(is_it),
            EventKind::Branch { comparison, .. } => is_it(&comparison.left) || is_it(&comparison.right),
            EventKind::Step | EventKind::Switch { .. } | EventKind::Mark | EventKind::Skipped => false,
        }
    }

    /// The values in it, without the index of an array element.
    pub fn values(&self) -> impl Iterator<Item = Value> {
        let mut copy = self.clone();
        teller::values_of(&mut copy).into_iter().map(|value| *value).collect::<Vec<_>>().into_iter()
    }
}

/// A call instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CallPlace {
    pub method: MethodIndex,
    pub pc: Pc,
}

/// What a branch compared, as the instruction did: `3 >= 10` jumps out of a loop that goes on while `i < 10`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Comparison {
    pub left: Value,
    pub operator: Operator,
    pub right: Value,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operator {
    Equal,
    NotEqual,
    Less,
    GreaterOrEqual,
    Greater,
    LessOrEqual,
}

impl Operator {
    /// What holds when this one does not.
    pub fn negated(self) -> Operator {
        match self {
            Operator::Equal => Operator::NotEqual,
            Operator::NotEqual => Operator::Equal,
            Operator::Less => Operator::GreaterOrEqual,
            Operator::GreaterOrEqual => Operator::Less,
            Operator::Greater => Operator::LessOrEqual,
            Operator::LessOrEqual => Operator::Greater,
        }
    }

    pub fn symbol(self) -> &'static str {
        match self {
            Operator::Equal => "==",
            Operator::NotEqual => "!=",
            Operator::Less => "<",
            Operator::GreaterOrEqual => ">=",
            Operator::Greater => ">",
            Operator::LessOrEqual => "<=",
        }
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct Variable {
    /// `None` when the class file does not tell.
    pub name: Option<Box<str>>,
    pub slot: u16,
    pub value: Value,
}

/// The events of a thread that are asked for.
#[derive(Clone, Debug)]
pub struct Wanted {
    /// `None`: all methods.
    pub methods: Option<FxHashSet<MethodIndex>>,
    /// Events from the start of the first of these steps to the end of the last one.
    pub steps: RangeInclusive<u64>,
    /// When only some methods are wanted: what they call that is not among them is told as [`EventKind::Call`] and
    /// [`EventKind::CallReturned`], as if it were unrecorded.
    pub with_calls: bool,
    /// Reads and writes of fields, elements and locals only when one of their values, or the object that is read or
    /// written, is accepted; no branches.
    pub only: Option<Only>,
}

/// Which values are of interest.
#[derive(Clone)]
pub struct Only(pub Arc<dyn Fn(LogKind, u64) -> bool>);

impl fmt::Debug for Only {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Only")
    }
}

impl Wanted {
    /// An object that has no id yet may be of interest.
    fn is_of_interest(&self, kind: LogKind, bits: u64, object: u64) -> bool {
        let is_temporary = |bits: u64| bits & TEMPORARY != 0;
        self.only.as_ref().is_none_or(|Only(accepts)| {
            accepts(kind, bits)
                || object != 0 && (is_temporary(object) || accepts(LogKind::Reference, object))
                || kind == LogKind::Reference && is_temporary(bits)
        })
    }
}

impl Default for Wanted {
    fn default() -> Wanted {
        Wanted { methods: None, steps: 0..=u64::MAX, with_calls: false, only: None }
    }
}

/// Replays a thread, from its start or from a checkpoint, and shows its events to `visit` until that breaks.
pub fn for_each_event(
    program: &Program,
    objects: &ObjectTable,
    thread: ThreadId,
    start: Option<Checkpoint>,
    wanted: &Wanted,
    visit: &mut dyn FnMut(&Event) -> ControlFlow<()>,
) -> Result<Option<End>, ReplayError> {
    let (mut replay, steps) = match start {
        Some(start) => (ThreadReplay::from_snapshot(program, objects, thread, &start.replay)?, start.steps),
        None => (ThreadReplay::new(program, objects, thread)?, StepCounter::default()),
    };
    let mut teller = Teller::new(program, objects, thread, wanted, visit);
    teller.take_up(&replay, steps);
    let progress = replay.run(&mut teller, u64::MAX);
    teller.finish();
    Ok(match progress? {
        Progress::Ended(end) => Some(end),
        Progress::Paused => None,
    })
}
