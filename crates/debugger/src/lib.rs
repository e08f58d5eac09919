//! One recorded run, open for questions: plain data out, for every front end.

mod causes;
mod contents;
mod events;
mod members;
mod names;
mod notation;
mod numbers;
mod places;
mod search;
mod session;
mod sources;
mod state;
mod step;
mod tree;
mod words;

pub use causes::{Cause, CauseKind, Causes, CodeLine, Ingredient, NotRun, SliceLine, SliceView, StepCauses, StepPlace};
pub use contents::{Known, ObjectView, PartView};
pub use events::{EventFilter, EventView, FieldFilter, LineFilter};
pub use members::FoundField;
pub use names::UnknownName;
pub use notation::Outcome;
pub use numbers::StepNumbers;
pub use search::{Direction, Found, HeldValue, Moment, Noted, Search, SearchPlan, Sight};
pub use session::{Session, SessionError};
pub use sources::Sources;
pub use state::{Moments, is_indexed};
pub use step::{Effect, EffectKind, Next, Place, SourceLine, StackFrame, StepView, like};
pub use tree::{Fold, Left, Node, NodeKind, TreeSize};
pub use whydunit_replay::events::{Event, EventKind, Variable};
pub use whydunit_replay::index::{Call, CallEnd, Evidence, Hit, Query, Spot};
pub use whydunit_replay::naming::Shown;
pub use whydunit_replay::program::{Field, MethodIndex};
pub use whydunit_replay::state::{FrameState, State};
pub use whydunit_replay::{Divergence, Value, VerifyReport};
pub use whydunit_slices::{Place as HeapPlace, Role, SliceKind, Unknown};
pub use whydunit_trace::{ObjectId, ThreadId};
