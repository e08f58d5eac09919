//! What the experiments share: a JDK, a folder below `target`, libraries and small helpers for Java.

use crate::maven::Maven;
use anyhow::{Context, Result, bail};
use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use whydunit_testkit::{Jdk, target_dir};

#[derive(Debug)]
pub(crate) struct Workshop {
    pub(crate) jdk: Jdk,
    pub(crate) maven: Maven,
    dir: PathBuf,
}

impl Workshop {
    /// `name` is the folder below `target`; libraries are shared by all.
    pub(crate) fn new(name: &str, jdk_version: u32) -> Result<Workshop> {
        let all = Jdk::all();
        let found: Vec<u32> = all.iter().map(|jdk| jdk.version).collect();
        let Some(jdk) = all.into_iter().find(|jdk| jdk.version == jdk_version) else {
            bail!("there is no JDK {jdk_version}: found {found:?}; set JAVA_HOME to one");
        };
        let maven = Maven::new(target_dir().join("libraries"));
        Ok(Workshop { dir: target_dir().join(name).join(jdk_version.to_string()), jdk, maven })
    }

    /// The path of a file or folder of this workshop.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.dir.join(name)
    }

    /// A folder that may have been there before.
    pub(crate) fn folder(&self, name: &str) -> Result<PathBuf> {
        let dir = self.path(name);
        fs::create_dir_all(&dir).with_context(|| format!("cannot create {}", dir.display()))?;
        Ok(dir)
    }

    pub(crate) fn empty_folder(&self, name: &str) -> Result<PathBuf> {
        let dir = self.path(name);
        if dir.exists() {
            fs::remove_dir_all(&dir).with_context(|| format!("cannot empty {}", dir.display()))?;
        }
        self.folder(name)
    }

    /// Unpacks a jar, except for its classes, into `dir`.
    pub(crate) fn unpack(&self, jar: &Path, dir: &Path) -> Result<()> {
        fs::create_dir_all(dir).with_context(|| format!("cannot create {}", dir.display()))?;
        run(Command::new(self.jdk.home.join("bin/jar")).arg("xf").arg(jar).current_dir(dir))?;
        remove_classes(dir)
    }
}

pub(crate) fn run(command: &mut Command) -> Result<()> {
    let output = command.output().with_context(|| format!("cannot run {}", command.get_program().display()))?;
    if !output.status.success() {
        bail!("{command:?} failed:\n{}", String::from_utf8_lossy(&output.stderr));
    }
    Ok(())
}

pub(crate) fn class_path<'a>(entries: impl IntoIterator<Item = &'a PathBuf>) -> Result<OsString> {
    env::join_paths(entries).context("a path has a colon in it")
}

fn remove_classes(dir: &Path) -> Result<()> {
    for entry in fs::read_dir(dir).with_context(|| format!("cannot read {}", dir.display()))?.flatten() {
        let path = entry.path();
        if path.is_dir() {
            remove_classes(&path)?;
        } else if path.extension().is_some_and(|extension| extension == "class") {
            fs::remove_file(&path).with_context(|| format!("cannot remove {}", path.display()))?;
        }
    }
    Ok(())
}
