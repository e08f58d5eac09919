//! One recorded run, open for questions: plain data out, for every front end.

mod causes;
mod code_places;
mod compared;
mod contents;
mod diff;
mod events;
mod expression;
mod failure;
mod find;
mod functions;
mod held;
mod history;
mod in_order;
mod members;
mod movement;
mod names;
mod nesting;
mod notation;
mod numbers;
mod places;
mod questions;
mod scan;
mod search;
mod session;
mod sights;
mod source_types;
mod sources;
mod state;
mod step;
mod step_events;
mod tests_of;
mod touches;
mod tree;
mod unloaded;
mod verdicts;
mod vocabulary;
mod words;

pub use causes::{
    Behind, Cause, CauseKind, Causes, CodeLine, Decided, Ingredient, LeftBy, NotRun, Operand, SliceLine, SliceView,
    StepCauses, StepPlace, Throw, UnknownVariable,
};
pub use contents::{Known, ObjectView, PartView};
pub use diff::{Diff, DiffError, DifferenceView, SideView};
pub use events::{EventFilter, EventView, FieldFilter, LineFilter};
pub use failure::Failure;
pub use find::{
    Asked, AskedStep, BugKind, Condition, Contradiction, FindState, Finder, FoundStep, Inside, InsidePart, MissingCode,
    OtherTests, Policy, Reason, Reply, SourcedPart, SourcedRead, StepId, Tested, WayStep, When, Whole, letter_of,
};
pub use held::{Around, PossibleChange, Told, is_same};
pub use history::{Doing, History, HistoryFilter, Use};
pub use members::FoundField;
pub use movement::{Arrival, Motion, Target};
pub use names::UnknownName;
pub use nesting::{Nesting, Visit};
pub use notation::Outcome;
pub use numbers::StepNumbers;
pub use questions::{Literal, Question};
pub use scan::{Caught, Occurrence};
pub use search::{Direction, Found, Moment, Noted, Search, SearchPlan, Sight};
pub use session::{Session, SessionError};
pub use sources::Sources;
pub use state::{Moments, is_indexed};
pub use step::{Effect, EffectKind, Effort, Next, Place, SourceLine, StackFrame, StepView, like};
pub use tree::{Fold, Left, Node, NodeKind, TreeSize};
pub use verdicts::{StepVerdict, Verdicts, WrongView};
pub use whydunit_alignment::{ComparedThread, Filters, Kind as DifferenceKind, Pair, Side, Volatile, What, WrongValue};
pub use whydunit_replay::events::{Event, EventKind, Variable};
pub use whydunit_replay::index::{Call, CallEnd, Evidence, Hit, Query, Spot};
pub use whydunit_replay::naming::Shown;
pub use whydunit_replay::program::{Field, MethodIndex};
pub use whydunit_replay::state::{FrameState, State};
pub use whydunit_replay::{Divergence, Value, VerifyReport};
pub use whydunit_slices::{Executed, Place as HeapPlace, Role, SliceKind, Unknown};
pub use whydunit_trace::{ObjectId, ThreadId};
