//! The two files beside the trace that say where a run came from: `jvm.json`, which the agent writes when the
//! JVM starts, and `run.json`, which is written when the run is taken into the store.

use crate::error::{IoContext, StoreError};
use crate::files::write_whole;
use crate::id::RunId;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

pub(crate) const RUN_FILE: &str = "run.json";
pub(crate) const JVM_FILE: &str = "jvm.json";

/// What `run.json` holds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RunMeta {
    pub id: RunId,
    pub started: Timestamp,
    /// The command given to `whydunit record`.
    pub command: Vec<String>,
    pub cwd: PathBuf,
    /// How that command ended, which need not be how this JVM ended.
    pub exit: CommandExit,
    pub ending: Ending,
    pub jvm: JvmInfo,
    /// Size of the trace in bytes.
    pub size: u64,
    pub format_version: u32,
    pub check: bool,
    /// Class files with at least one recorded method.
    pub classes: usize,
    #[serde(default)]
    pub classes_without_lines: usize,
    pub threads: usize,
    /// Source files kept with the run, and those that were not found.
    pub sources_found: usize,
    pub sources_missing: usize,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CommandExit {
    Code(i32),
    Signal(i32),
    /// `whydunit record` itself was ended before the command.
    #[default]
    Unknown,
}

impl fmt::Display for CommandExit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CommandExit::Code(code) => write!(f, "exit {code}"),
            CommandExit::Signal(number) => write!(f, "signal {number}"),
            CommandExit::Unknown => f.write_str("unknown"),
        }
    }
}

/// How the recording came to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ending {
    /// Closed in good order when the JVM ended.
    Complete,
    /// The size limit was reached; the program went on.
    SizeLimit,
    /// Writing failed, as on a full disk; the program went on.
    WriteFailed,
    /// There are more than 2^31 objects: the recording ended, the program went on.
    OutOfIds,
    /// The JVM was killed, or is still running.
    CutOff,
    /// The file is damaged; what stands before the damage is readable.
    Damaged,
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Ending::Complete => "complete",
            Ending::SizeLimit => "size limit reached",
            Ending::WriteFailed => "write failed",
            Ending::OutOfIds => "too many objects",
            Ending::CutOff => "cut off",
            Ending::Damaged => "damaged",
        })
    }
}

/// What `jvm.json` holds. Everything may be missing: the JVM can have died while the agent wrote it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct JvmInfo {
    pub pid: u32,
    pub started_ms: u64,
    pub java_version: Option<String>,
    pub vm_name: Option<String>,
    pub vm_version: Option<String>,
    pub java_home: Option<String>,
    pub class_path: Option<String>,
    pub module_path: Option<String>,
    /// The program as the JVM knows it: main class or jar, and arguments.
    pub command: Option<String>,
    pub working_dir: Option<String>,
}

impl JvmInfo {
    pub(crate) fn read(run: &Path) -> Option<JvmInfo> {
        serde_json::from_slice(&fs::read(run.join(JVM_FILE)).ok()?).ok()
    }

    pub(crate) fn started(&self) -> Option<Timestamp> {
        let milliseconds = i64::try_from(self.started_ms).ok().filter(|&since| since > 0)?;
        Timestamp::from_millisecond(milliseconds).ok()
    }
}

impl RunMeta {
    /// Whether more than half of the recorded classes have no line numbers: then the program was compiled without.
    /// Fewer are most often those of a library, or made while the program ran.
    pub fn lacks_lines(&self) -> bool {
        self.classes_without_lines > self.classes / 2
    }

    /// Whether there is hardly any source to show.
    pub fn lacks_sources(&self) -> bool {
        self.sources_missing > self.sources_found
    }

    pub(crate) fn write(&self, run: &Path) -> Result<(), StoreError> {
        let path = run.join(RUN_FILE);
        let text = serde_json::to_vec_pretty(self).map_err(std::io::Error::other).context("write", &path)?;
        write_whole(&path, &text)
    }
}
