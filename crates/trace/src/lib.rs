//! The recording: what is logged where ([`plan`]), how it is written ([`block`], [`record`]) and read back
//! ([`reader`]). Recorder and replay share this crate so that they cannot disagree; `docs/recording.md` says
//! the same in words.

mod ahead;
pub mod block;
pub mod ids;
pub mod kind;
mod meetings;
mod new_file;
pub mod plan;
pub mod reader;
pub mod record;
mod stores;
pub mod stream;
mod table;
pub mod token;
mod unlock;
pub mod version;

pub use ids::{ClassId, DefinitionId, LoaderId, MethodId, ObjectId, ThreadId};
pub use kind::LogKind;
pub use new_file::NewFile;
