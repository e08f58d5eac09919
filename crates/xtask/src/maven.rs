//! Takes libraries from Maven's repositories by name, through the `mvn` command and its settings.

use anyhow::{Context, Result, bail};
use std::ffi::OsStr;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

#[derive(Clone, Copy, Debug)]
pub(crate) struct Artifact {
    pub(crate) group: &'static str,
    pub(crate) name: &'static str,
    pub(crate) version: &'static str,
}

impl Artifact {
    pub(crate) const fn new(group: &'static str, name: &'static str, version: &'static str) -> Artifact {
        Artifact { group, name, version }
    }
}

impl fmt::Display for Artifact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.group, self.name, self.version)
    }
}

/// Which file of an artifact.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Part {
    Jar,
    Tests,
    Sources,
}

impl Part {
    fn classifier(self) -> &'static str {
        match self {
            Part::Jar => "",
            Part::Tests => ":jar:tests",
            Part::Sources => ":jar:sources",
        }
    }

    fn suffix(self) -> &'static str {
        match self {
            Part::Jar => ".jar",
            Part::Tests => "-tests.jar",
            Part::Sources => "-sources.jar",
        }
    }
}

/// Keeps what it has fetched in a folder.
#[derive(Debug)]
pub(crate) struct Maven {
    cache: PathBuf,
}

impl Maven {
    pub(crate) fn new(cache: PathBuf) -> Maven {
        Maven { cache }
    }

    pub(crate) fn file(&self, artifact: Artifact, part: Part) -> Result<PathBuf> {
        let file = self.cache.join(format!("{}-{}{}", artifact.name, artifact.version, part.suffix()));
        if !file.is_file() {
            self.copy(&format!("{artifact}{}", part.classifier()))?;
        }
        if file.is_file() { Ok(file) } else { bail!("{artifact} has no {}", file.display()) }
    }

    /// The artifact and all it needs to run.
    pub(crate) fn with_dependencies(&self, artifact: Artifact) -> Result<Vec<PathBuf>> {
        let mut jars = vec![self.file(artifact, Part::Jar)?];
        jars.extend(self.dependencies(artifact, "runtime")?);
        Ok(jars)
    }

    /// What the artifact's own tests need besides the artifact, by its own project file.
    pub(crate) fn test_dependencies(&self, artifact: Artifact) -> Result<Vec<PathBuf>> {
        self.dependencies(artifact, "test")
    }

    fn dependencies(&self, artifact: Artifact, scope: &str) -> Result<Vec<PathBuf>> {
        let dir = self.cache.join(format!("{}-{}-{scope}", artifact.name, artifact.version));
        if !dir.is_dir() {
            let project = self.cache.join(format!("{}-{}.pom", artifact.name, artifact.version));
            if !project.is_file() {
                self.copy(&format!("{artifact}:pom"))?;
            }
            let unfinished = dir.with_extension("unfinished");
            fs::create_dir_all(&unfinished).with_context(|| format!("cannot create {}", unfinished.display()))?;
            maven([
                "--file".as_ref(),
                project.as_os_str(),
                "dependency:copy-dependencies".as_ref(),
                format!("-DincludeScope={scope}").as_ref(),
                property("outputDirectory", &unfinished).as_ref(),
            ])?;
            fs::rename(&unfinished, &dir).with_context(|| format!("cannot create {}", dir.display()))?;
        }
        jars_in(&dir)
    }

    fn copy(&self, coordinates: &str) -> Result<()> {
        fs::create_dir_all(&self.cache).with_context(|| format!("cannot create {}", self.cache.display()))?;
        maven([
            "dependency:copy".as_ref(),
            format!("-Dartifact={coordinates}").as_ref(),
            property("outputDirectory", &self.cache).as_ref(),
        ])
    }
}

fn property(name: &str, path: &Path) -> String {
    format!("-D{name}={}", path.display())
}

fn maven<'a>(arguments: impl IntoIterator<Item = &'a OsStr>) -> Result<()> {
    let mut command = Command::new("mvn");
    // In the file system's root there is no project that could have a say.
    command.args(["--quiet", "--batch-mode"]).args(arguments).current_dir("/");
    let output = command.output().context("cannot run mvn: is Maven installed?")?;
    if !output.status.success() {
        bail!("{command:?} failed:\n{}", String::from_utf8_lossy(&output.stdout));
    }
    Ok(())
}

fn jars_in(dir: &Path) -> Result<Vec<PathBuf>> {
    let entries = fs::read_dir(dir).with_context(|| format!("cannot read {}", dir.display()))?;
    let mut jars: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    jars.retain(|path| path.extension() == Some(OsStr::new("jar")));
    jars.sort();
    Ok(jars)
}
