//! One recorded run, open for questions: plain data out, for every front end.

mod causes;
mod contents;
mod diff;
mod events;
mod names;
mod notation;
mod numbers;
mod places;
mod session;
mod sources;
mod state;
mod step;
mod tree;
mod words;

pub use causes::{Cause, CauseKind, Causes, CodeLine, Ingredient, NotRun, SliceLine, SliceView, StepCauses, StepPlace};
pub use contents::{Known, ObjectView, PartView};
pub use diff::{Diff, DiffError, DifferenceView, SideView};
pub use events::{EventFilter, EventView, FieldFilter, LineFilter};
pub use names::UnknownName;
pub use notation::Outcome;
pub use numbers::StepNumbers;
pub use session::{Session, SessionError};
pub use sources::Sources;
pub use state::{Moments, is_indexed};
pub use step::{Effect, EffectKind, Next, Place, SourceLine, StackFrame, StepView};
pub use tree::{Fold, Left, Node, NodeKind, TreeSize};
pub use whydunit_alignment::{ComparedThread, Filters, Kind as DifferenceKind, Pair, Side, Volatile, What};
pub use whydunit_replay::events::{Event, EventKind, Variable};
pub use whydunit_replay::index::{Call, CallEnd, Evidence, Hit, Query};
pub use whydunit_replay::naming::Shown;
pub use whydunit_replay::program::{Field, MethodIndex};
pub use whydunit_replay::state::{FrameState, State};
pub use whydunit_replay::{Divergence, Value, VerifyReport};
pub use whydunit_slices::{Place as HeapPlace, Role, SliceKind, Unknown};
pub use whydunit_trace::{ObjectId, ThreadId};
