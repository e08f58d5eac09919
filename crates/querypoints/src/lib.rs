//! Points of a run that are defined by what happened there and by other points.

mod answer;
mod chain;
mod change;
pub mod condition;
mod here;
mod occurrences;
mod patterns;
mod scope;
pub mod syntax;

pub use answer::{Answer, Collected, Frame, Happened, Instance, Located, Miss, Missing, Unwritten};
pub use chain::{QueryError, evaluate};
pub use here::{Change, last_change_before};
pub use occurrences::{NotDecided, occurrences_if};
pub use scope::SightScope;
