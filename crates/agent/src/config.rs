//! What `whydunit record` tells the agent.

use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::{fs, io};

#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Config {
    /// Folder in which every JVM makes a folder of its own.
    pub(crate) out: PathBuf,
    #[serde(default)]
    pub(crate) include: Vec<String>,
    #[serde(default)]
    pub(crate) exclude: Vec<String>,
    #[serde(default)]
    pub(crate) check: bool,
    /// Bytes after which recording ends.
    #[serde(default = "default_size_limit")]
    pub(crate) size_limit: u64,
    /// Bytes of a string that are kept.
    #[serde(default = "default_string_limit")]
    pub(crate) string_limit: u32,
}

/// Buffers are made for strings of at most this size.
pub(crate) const MAX_STRING: u32 = 1 << 16;

fn default_size_limit() -> u64 {
    10 << 30
}

fn default_string_limit() -> u32 {
    4096
}

impl Config {
    pub(crate) fn read(path: &str) -> io::Result<Config> {
        let mut config: Config = serde_json::from_slice(&fs::read(Path::new(path))?)?;
        config.string_limit = config.string_limit.min(MAX_STRING);
        Ok(config)
    }

    /// Tells `whydunit record` that a JVM has the agent, whether or not it has classes in scope.
    pub(crate) fn announce(&self) {
        // Without it `record` can say less when nothing was recorded; nothing else depends on it.
        let _ = fs::write(self.announcement(), b"");
    }

    /// Tells `whydunit record`, when the JVM ends, what it has loaded.
    pub(crate) fn report(&self, report: &Report<'_>) {
        // As above.
        let _ = serde_json::to_vec(report).map(|text| fs::write(self.announcement(), text));
    }

    fn announcement(&self) -> PathBuf {
        self.out.join(format!("{}.jvm", std::process::id()))
    }

    /// Leaves a note for `whydunit record` that this JVM cannot be recorded.
    pub(crate) fn refuse(&self, reason: &str) {
        #[derive(Serialize)]
        struct Unsupported<'a> {
            reason: &'a str,
        }
        let note = serde_json::to_vec(&Unsupported { reason }).unwrap_or_default();
        // Nobody is left to tell when even this fails; the program goes on.
        let _ = fs::write(self.out.join("unsupported.json"), note);
    }
}

/// What a JVM says at its end.
#[derive(Debug, Serialize)]
pub(crate) struct Report<'a> {
    /// Whether the patterns have matched a class, each in the order of the configuration.
    pub(crate) include: &'a [bool],
    pub(crate) exclude: &'a [bool],
    /// The first class that was neither the platform's nor a tool's, in scope or not.
    pub(crate) program_class: Option<&'a str>,
}
