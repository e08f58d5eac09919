//! The search for the first wrong step, in a recorded run.

mod background;
mod chronicle;
mod explore;
mod finder;
mod lines;
mod omissions;
mod tests_of;

pub use finder::{Asked, AskedStep, Finder, Reply, SourcedRead};
pub use whydunit_feedback::{Contradiction, Finding, Reason, StepId};
