//! Compiles programs on demand into a cache that is keyed by everything the result depends on.

use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::program::Unit;
use crate::{Error, Jdk, Program, Result, target_dir};

/// Where the classes and sources of a compiled program are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Compiled {
    /// Class path, or module path when the program is made of modules.
    pub classes: PathBuf,
    pub sources: PathBuf,
    pub modules: bool,
    pub main_class: String,
}

/// Compiles `program`, and all programs that share its run of javac, unless that has been done before.
pub fn compile(program: &Program, jdk: &Jdk) -> Result<Compiled> {
    let unit = &*program.unit;
    let cache = target_dir().join("testprograms");
    let finished = cache.join(format!("{:016x}", key(unit, jdk)));
    if !finished.is_dir() {
        build(unit, jdk, &cache, &finished)?;
    }
    Ok(Compiled {
        classes: finished.join("classes"),
        sources: finished.join("src"),
        modules: unit.modules,
        main_class: program.main_class.clone(),
    })
}

fn key(unit: &Unit, jdk: &Jdk) -> u64 {
    let mut hasher = DefaultHasher::new();
    unit.hash(&mut hasher);
    jdk.home.hash(&mut hasher);
    jdk.version.hash(&mut hasher);
    hasher.finish()
}

/// Builds in a folder of its own and renames it, so that nobody ever sees half a result.
fn build(unit: &Unit, jdk: &Jdk, cache: &Path, finished: &Path) -> Result<()> {
    let scratch = Scratch::new(cache)?;
    let sources = scratch.0.join("src");
    let classes = scratch.0.join("classes");
    fs::create_dir_all(&classes).map_err(Error::io("create", &classes))?;
    let mut files = Vec::new();
    for source in &unit.sources {
        let file = sources.join(&source.path);
        let dir = file.parent().unwrap_or(&sources);
        fs::create_dir_all(dir).map_err(Error::io("create", dir))?;
        fs::write(&file, &source.text).map_err(Error::io("write", &file))?;
        files.push(file);
    }
    javac(unit, jdk, &sources, &classes, &files)?;
    match fs::rename(&scratch.0, finished) {
        // Somebody else was quicker with the same result.
        Err(_) if finished.is_dir() => Ok(()),
        result => result.map_err(Error::io("rename to", finished)),
    }
}

fn javac(unit: &Unit, jdk: &Jdk, sources: &Path, classes: &Path, files: &[PathBuf]) -> Result<()> {
    let javac = jdk.javac();
    let mut command = process::Command::new(&javac);
    command.args(["-g", "-nowarn", "-Xlint:-options", "-encoding", "UTF-8", "-d"]).arg(classes);
    // A short-lived compiler is quicker without the optimising compiler of the virtual machine.
    command.args(["-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC"]);
    command.env_remove("JAVA_TOOL_OPTIONS").env_remove("JDK_JAVA_OPTIONS");
    if let Some(release) = unit.release {
        command.args(["--release", &release.to_string()]);
    }
    if unit.modules {
        command.arg("--module-source-path").arg(sources);
    }
    let output = command.args(files).output().map_err(Error::io("run", &javac))?;
    if output.status.success() {
        return Ok(());
    }
    Err(Error::Javac { jdk: jdk.version, messages: String::from_utf8_lossy(&output.stderr).into_owned() })
}

/// A folder that is gone when this is dropped, unless it was renamed.
struct Scratch(PathBuf);

impl Scratch {
    fn new(cache: &Path) -> Result<Self> {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let dir = cache.join(format!("building-{}-{number}", process::id()));
        fs::create_dir_all(&dir).map_err(Error::io("create", &dir))?;
        Ok(Self(dir))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // Fails when the folder has been renamed, as it should.
        let _ = fs::remove_dir_all(&self.0);
    }
}
