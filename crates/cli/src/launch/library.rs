//! The libraries that are loaded into other processes. They are part of this program and are written to a
//! folder when they are first needed. Those of other versions stay: a command that is being recorded may start its next
//! JVM with one at any time.

use crate::error::{Result, UserError};
use std::env;
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{self, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

const AGENT: &[u8] = include_bytes!(env!("WHYDUNIT_AGENT_LIBRARY"));
const PRELOAD: &[u8] = include_bytes!(env!("WHYDUNIT_PRELOAD_LIBRARY"));

/// Where the libraries are.
#[derive(Clone, Debug)]
pub(crate) struct Libraries {
    /// Loaded by the JVM.
    pub(crate) agent: PathBuf,
    /// Loaded by every process, to find the JVMs among them.
    pub(crate) preload: PathBuf,
}

impl Libraries {
    /// Writes the libraries to the user's cache, or to `fallback` when there is none.
    pub(crate) fn install(fallback: &Path) -> Result<Libraries> {
        let in_cache = cache_dir().and_then(|dir| Libraries::install_in(&dir).ok());
        let installed = match in_cache {
            Some(libraries) => Ok(libraries),
            None => Libraries::install_in(fallback),
        };
        let failed =
            |error| UserError::new(format!("cannot write the agent to {}", fallback.display())).caused_by(error);
        Ok(installed.map_err(failed)?)
    }

    fn install_in(dir: &Path) -> io::Result<Libraries> {
        fs::create_dir_all(dir)?;
        Ok(Libraries { agent: write_library(dir, "agent", AGENT)?, preload: write_library(dir, "preload", PRELOAD)? })
    }
}

/// Returns the path of a file with exactly these contents.
fn write_library(dir: &Path, name: &str, contents: &[u8]) -> io::Result<PathBuf> {
    let mut hasher = DefaultHasher::new();
    contents.hash(&mut hasher);
    let path = dir.join(format!("libwhydunit_{name}-{:016x}.so", hasher.finish()));
    if fs::read(&path).is_ok_and(|present| present == contents) {
        return Ok(path);
    }
    let mut file = tempfile::Builder::new().prefix(".new-").tempfile_in(dir)?;
    file.write_all(contents)?;
    file.as_file().set_permissions(fs::Permissions::from_mode(0o755))?;
    file.persist(&path).map_err(|e| e.error)?;
    Ok(path)
}

/// A folder of this user only; a shared one would let others choose what JVMs load.
fn cache_dir() -> Option<PathBuf> {
    let absolute = |variable| env::var_os(variable).map(PathBuf::from).filter(|path| path.is_absolute());
    let base = absolute("XDG_CACHE_HOME").or_else(|| Some(absolute("HOME")?.join(".cache")))?;
    Some(base.join("whydunit"))
}
