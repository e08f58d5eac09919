//! Where the values of a run come from, and what decided that its instructions ran.
//!
//! A stretch of a thread, from one checkpoint of its index to the next, is replayed with a machine beside the
//! interpreter whose slots hold the origins of values. What is older than the stretch is asked of the stretches before
//! it, of which the index tells those that have nothing to say.

mod arrays;
mod begin;
mod begun;
mod beside;
mod called;
mod captures;
mod clones;
mod cuts;
mod cutting;
mod decided;
mod dependences;
mod digest;
mod earlier;
mod elsewhere;
mod entries;
mod failures;
mod faults;
mod functions;
mod futures;
mod gathered;
mod given_back;
mod graph;
mod heap;
mod keepers;
mod library;
mod live_frames;
mod makers;
mod operands;
mod outside;
mod parts;
mod pass_over;
mod places;
mod potential;
mod putters;
mod recent;
mod recorder;
mod rivals;
mod shape;
mod shelves;
mod slice;
mod stretch;
mod tasks;
mod timeline;
mod together;
mod waited;
mod wants;

pub use captures::Capture;
pub use dependences::{Dependences, Description, Executed, Found};
pub use entries::Key;
pub use functions::MadeOf;
pub use graph::{FrameInfo, Node, Place, Role};
pub use putters::Putters;
pub use slice::{Changeable, Slice, SliceKind, SliceStep};
pub use stretch::Flows;
pub use wants::{FrameKey, Unknown, Want};
