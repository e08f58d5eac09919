//! One recorded run, open for questions: plain data out, for every front end.

mod causes;
mod events;
mod names;
mod places;
mod session;
mod sources;
mod state;
mod words;

pub use causes::{Cause, CauseKind, Causes, CodeLine, Ingredient, NotRun, SliceLine, SliceView, StepCauses, StepPlace};
pub use events::{EventFilter, EventView, FieldFilter, LineFilter};
pub use names::UnknownName;
pub use session::{Session, SessionError};
pub use sources::Sources;
pub use state::{Moments, is_indexed};
pub use whydunit_replay::events::{Event, EventKind, Variable};
pub use whydunit_replay::index::{Call, CallEnd, Hit, Query};
pub use whydunit_replay::naming::Shown;
pub use whydunit_replay::program::{Field, MethodIndex};
pub use whydunit_replay::state::{FrameState, State};
pub use whydunit_replay::{Divergence, Value, VerifyReport};
pub use whydunit_slices::{Place, Role, SliceKind, Unknown};
pub use whydunit_trace::{ObjectId, ThreadId};
