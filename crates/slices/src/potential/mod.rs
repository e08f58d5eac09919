//! What could have changed a value and did not: branches that went another way, and writes that went elsewhere.

mod hierarchy;
mod keys;
mod may_write;
mod names;
mod open;
mod sweep;

pub(crate) use keys::{Bits, Meaning};
pub(crate) use may_write::MayWrite;
pub(crate) use names::{Names, object_of};
pub(crate) use open::Variable;
pub(crate) use sweep::Sweep;
