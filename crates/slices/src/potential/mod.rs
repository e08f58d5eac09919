//! What could have changed a value and did not: branches that went another way, and writes that went elsewhere.

mod hierarchy;
mod keys;
mod led;
mod may_write;
mod names;
mod open;
mod standing;
mod sweep;
mod windows;

pub(crate) use keys::{Bits, Key};
pub(crate) use may_write::MayWrite;
pub(crate) use names::{Names, object_of};
pub(crate) use standing::Standing;
pub(crate) use sweep::Sweep;
pub(crate) use windows::{NeededElsewhere, Window, Windows};
