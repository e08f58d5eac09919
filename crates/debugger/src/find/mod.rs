//! The search for the first wrong step, in a recorded run.

mod background;
mod chronicle;
mod course;
mod explore;
mod finder;
mod groups;
mod held;
mod inside;
mod lines;
mod missing;
mod omissions;
mod parts;
mod pointing;
mod scribe;
mod telling;
mod tested;

pub use finder::{Asked, AskedStep, Finder, FoundStep, Reply, SourcedPart, SourcedRead};
pub use inside::{InsidePart, When};
pub use missing::MissingCode;
pub use pointing::{Inside, Whole, letter_of};
pub use telling::{Condition, WayStep};
pub use tested::OtherTests;
pub use whydunit_feedback::{BugKind, Contradiction, Policy, Reason, State as FindState, StepId, Tested};
