//! Where recordings live: a folder of runs, each a folder with the trace, what is known about the run and the
//! sources that were found. Nothing here interprets the trace beyond counting what is in it.

mod adopt;
mod archive;
mod error;
mod facts;
mod files;
mod id;
mod location;
mod meta;
mod run;
mod session;
mod sources;
mod store;

pub use adopt::{Adopted, JvmReport};
pub use error::{ArchiveFault, StoreError};
pub use facts::{LeftOut, RunFacts, StreamFacts, ThreadFacts};
pub use id::{BadRunName, RunId};
pub use location::{SETTINGS_FILE, default_store, project_folder, settings_folder};
pub use meta::{CommandExit, Ending, JvmInfo, RunMeta};
pub use run::{Run, RunNote};
pub use session::{Session, SessionInfo};
pub use store::Store;
