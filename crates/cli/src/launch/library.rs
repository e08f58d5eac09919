//! The libraries that are loaded into other processes. They are part of this program and are written to a
//! folder when they are first needed.

use crate::error::{Result, UserError};
use std::env;
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{self, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

const AGENT: &[u8] = include_bytes!(env!("WHYDUNIT_AGENT_LIBRARY"));
const PRELOAD: &[u8] = include_bytes!(env!("WHYDUNIT_PRELOAD_LIBRARY"));

const FORGOTTEN_AFTER: Duration = Duration::from_secs(30 * 24 * 60 * 60);

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
        // Its time tells when it was last needed; see below.
        let _ = fs::File::open(&path).and_then(|file| file.set_modified(SystemTime::now()));
        return Ok(path);
    }
    remove_forgotten(dir);
    let mut file = tempfile::Builder::new().prefix(".new-").tempfile_in(dir)?;
    file.write_all(contents)?;
    file.as_file().set_permissions(fs::Permissions::from_mode(0o755))?;
    file.persist(&path).map_err(|e| e.error)?;
    Ok(path)
}

/// Removes the libraries of versions that have recorded nothing for a long time. A JVM that still runs with one keeps
/// it; what cannot be removed stays.
fn remove_forgotten(dir: &Path) {
    for entry in fs::read_dir(dir).into_iter().flatten().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let is_ours = name.starts_with("libwhydunit_") && name.ends_with(".so") || name.starts_with(".new-");
        let modified = entry.metadata().and_then(|metadata| metadata.modified());
        let age = modified.ok().and_then(|then| SystemTime::now().duration_since(then).ok());
        if is_ours && age.is_some_and(|age| age > FORGOTTEN_AFTER) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// A folder of this user only; a shared one would let others choose what JVMs load.
fn cache_dir() -> Option<PathBuf> {
    let absolute = |variable| env::var_os(variable).map(PathBuf::from).filter(|path| path.is_absolute());
    let base = absolute("XDG_CACHE_HOME").or_else(|| Some(absolute("HOME")?.join(".cache")))?;
    Some(base.join("whydunit"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn libraries_of_old_versions_are_removed() {
        let folder = tempfile::tempdir().expect("a folder");
        let make = |name: &str, age: Duration| {
            let file = fs::File::create(folder.path().join(name)).expect("a file");
            file.set_modified(SystemTime::now() - age).expect("another time");
        };
        make("libwhydunit_agent-0000000000000000.so", 2 * FORGOTTEN_AFTER);
        make("libwhydunit_agent-1111111111111111.so", FORGOTTEN_AFTER / 2);
        make("somebody-elses.so", 2 * FORGOTTEN_AFTER);
        let written = write_library(folder.path(), "agent", b"new").expect("written");
        let mut left: Vec<_> = fs::read_dir(folder.path()).expect("readable").flatten().map(|e| e.path()).collect();
        left.sort();
        let mut expected = ["libwhydunit_agent-1111111111111111.so", "somebody-elses.so"]
            .map(|name| folder.path().join(name))
            .to_vec();
        expected.push(written.clone());
        expected.sort();
        assert_eq!(left, expected);
        let long_ago = SystemTime::now() - FORGOTTEN_AFTER;
        fs::File::open(&written).and_then(|file| file.set_modified(long_ago)).expect("another time");
        write_library(folder.path(), "agent", b"new").expect("present");
        let modified = fs::metadata(&written).and_then(|metadata| metadata.modified()).expect("a time");
        assert!(modified > long_ago + FORGOTTEN_AFTER / 2, "it was needed again");
    }
}
