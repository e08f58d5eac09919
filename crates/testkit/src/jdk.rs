//! Finds the JDKs of this machine.

use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};

const OLDEST_SUPPORTED: u32 = 17;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Jdk {
    pub home: PathBuf,
    /// The feature release: 17, 21, 25.
    pub version: u32,
}

impl Jdk {
    /// One JDK for each feature release, oldest first. `JAVA_HOME` comes before `PATH` before `/usr/lib/jvm`.
    pub fn all() -> Vec<Self> {
        let mut by_version = BTreeMap::new();
        for home in candidates() {
            if let Some(jdk) = Self::at(&home) {
                by_version.entry(jdk.version).or_insert(jdk);
            }
        }
        by_version.into_values().filter(|jdk| jdk.version >= OLDEST_SUPPORTED).collect()
    }

    /// The JDK installed in `home`, if there is one with a compiler.
    pub fn at(home: &Path) -> Option<Self> {
        let home = home.canonicalize().ok()?;
        if !home.join("bin/javac").is_file() {
            return None;
        }
        let version = feature_release(&fs::read_to_string(home.join("release")).ok()?)?;
        Some(Self { home, version })
    }

    pub fn java(&self) -> PathBuf {
        self.home.join("bin/java")
    }

    pub fn javac(&self) -> PathBuf {
        self.home.join("bin/javac")
    }
}

fn candidates() -> Vec<PathBuf> {
    let mut homes: Vec<PathBuf> = env::var_os("JAVA_HOME").map(PathBuf::from).into_iter().collect();
    let path = env::var_os("PATH").unwrap_or_default();
    let on_path = env::split_paths(&path).filter_map(|dir| dir.join("javac").canonicalize().ok());
    homes.extend(on_path.filter_map(|javac| Some(javac.parent()?.parent()?.to_path_buf())));
    if let Ok(entries) = fs::read_dir("/usr/lib/jvm") {
        let mut installed: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
        installed.sort();
        homes.extend(installed);
    }
    homes
}

/// Reads the line `JAVA_VERSION="17.0.15"` of a JDK's `release` file.
fn feature_release(release_file: &str) -> Option<u32> {
    let value = release_file.lines().find_map(|line| line.strip_prefix("JAVA_VERSION="))?;
    let mut parts = value.trim_matches('"').split(|c: char| !c.is_ascii_digit());
    let first: u32 = parts.next()?.parse().ok()?;
    if first == 1 { parts.next()?.parse().ok() } else { Some(first) }
}

#[cfg(test)]
mod tests {
    use super::feature_release;

    #[test]
    fn feature_release_of_each_numbering() {
        assert_eq!(feature_release("A=\"x\"\nJAVA_VERSION=\"17.0.15\"\n"), Some(17));
        assert_eq!(feature_release("JAVA_VERSION=\"25\""), Some(25));
        assert_eq!(feature_release("JAVA_VERSION=\"26-ea\""), Some(26));
        assert_eq!(feature_release("JAVA_VERSION=\"1.8.0_402\""), Some(8));
        assert_eq!(feature_release("IMPLEMENTOR=\"x\""), None);
    }
}
