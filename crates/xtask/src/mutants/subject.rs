//! A project made ready: its classes, its tests, and how to run them.

use super::catalogue::Project;
use super::names::{NameArchive, method_names};
use crate::maven::{Artifact, Part};
use crate::workshop::{Workshop, class_path, run};
use anyhow::{Context, Result};
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::Command;
use whydunit_testkit::workspace_dir;
use zip::ZipArchive;

/// Has JUnit in it, for tests of all versions.
const LAUNCHER: Artifact = Artifact::new("org.junit.platform", "junit-platform-console-standalone", "1.9.3");

/// Parts of JUnit that the launcher brings along.
const IN_LAUNCHER: [&str; 4] = ["junit-", "opentest4j", "apiguardian", "hamcrest"];

/// The driver, in `crates/xtask/programs`.
const DRIVER: [&str; 2] = ["Trial.java", "Probe.java"];

/// A JVM that runs one test, or many short ones, has no time for more.
const QUICK_START: [&str; 2] = ["-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"];

#[derive(Debug)]
pub(crate) struct Subject {
    pub(crate) project: &'static Project,
    pub(crate) java: PathBuf,
    /// Of the library, by internal name.
    pub(crate) classes: BTreeMap<String, Vec<u8>>,
    pub(crate) test_classes: Vec<String>,
    /// Where tests run: their data is there.
    pub(crate) home: PathBuf,
    /// For all that belongs to the project.
    pub(crate) folder: PathBuf,
    library: Vec<PathBuf>,
    driver: Vec<PathBuf>,
    names: NameArchive,
}

impl Subject {
    pub(crate) fn prepare(project: &'static Project, workshop: &Workshop) -> Result<Subject> {
        let maven = &workshop.maven;
        let library = maven.file(project.library, Part::Jar)?;
        let tests = maven.file(project.library, Part::Tests)?;
        let classes = classes_in(&library)?;
        let test_classes = test_class_names(project, classes_in(&tests)?.keys());
        let home = workshop.path(&format!("{}/home", project.name()));
        if !home.is_dir() {
            workshop.unpack(&tests, &home.join("src/test/resources"))?;
            fs::create_dir_all(home.join("target")).context("cannot create a folder for the tests")?;
        }
        let mut entries = vec![library, tests];
        entries.extend(maven.test_dependencies(project.library)?.into_iter().filter(|jar| !is_in_launcher(jar)));
        let (java, folder, launcher) =
            (workshop.jdk.java(), workshop.folder(project.name())?, maven.file(LAUNCHER, Part::Jar)?);
        let mut names = BTreeSet::new();
        for jar in entries.iter().chain([&launcher]) {
            names.extend(method_names(classes_in(jar)?.values()));
        }
        Ok(Subject {
            project,
            names: NameArchive::make(&java, &QUICK_START, &names, &folder)?,
            java,
            classes,
            test_classes,
            home,
            folder,
            library: entries,
            driver: vec![launcher, compile_driver(workshop)?],
        })
    }

    /// The project's class path, with folders in front of it.
    pub(crate) fn class_path(&self, in_front: &[PathBuf]) -> Result<OsString> {
        class_path(in_front.iter().chain(&self.library))
    }

    /// What follows `java` to have the driver run something with everything on one class path.
    pub(crate) fn run_alone(&self, in_front: &[PathBuf], arguments: &[&str]) -> Result<Vec<OsString>> {
        let path = class_path(in_front.iter().chain(&self.library).chain(&self.driver))?;
        let options = QUICK_START.map(OsString::from).into_iter().chain([self.names.option()]);
        Ok(options.chain(["-cp".into(), path, "Trial".into()]).chain(arguments.iter().map(OsString::from)).collect())
    }

    /// A driver that has the project in class loaders of its own.
    pub(crate) fn driver(&self, arguments: &[OsString]) -> Result<Command> {
        let mut command = Command::new(&self.java);
        command.args(QUICK_START).args(["-Xmx1g", "-cp"]);
        command.arg(class_path(&self.driver)?).arg("Trial").args(arguments).current_dir(&self.home);
        Ok(command)
    }
}

fn compile_driver(workshop: &Workshop) -> Result<PathBuf> {
    let classes = workshop.folder("driver")?;
    let sources = DRIVER.map(|name| workspace_dir().join("crates/xtask/programs").join(name));
    let mut javac = Command::new(workshop.jdk.javac());
    javac.arg("-g").arg("-cp").arg(workshop.maven.file(LAUNCHER, Part::Jar)?).arg("-d").arg(&classes);
    run(javac.args(sources))?;
    Ok(classes)
}

fn classes_in(jar: &Path) -> Result<BTreeMap<String, Vec<u8>>> {
    let unreadable = || format!("cannot read {}", jar.display());
    let mut archive = ZipArchive::new(File::open(jar).with_context(unreadable)?).with_context(unreadable)?;
    let mut classes = BTreeMap::new();
    for index in 0..archive.len() {
        let mut file = archive.by_index(index).with_context(unreadable)?;
        let name = file.name().with_context(unreadable)?.into_owned();
        if let Some(name) = name.strip_suffix(".class") {
            let mut bytes = Vec::new();
            file.read_to_end(&mut bytes).with_context(unreadable)?;
            classes.insert(name.to_owned(), bytes);
        }
    }
    Ok(classes)
}

/// By the conventions of Maven, with dots.
fn test_class_names<'n>(project: &Project, names: impl Iterator<Item = &'n String>) -> Vec<String> {
    let is_test = |name: &&String| {
        let simple = name.rsplit('/').next().unwrap_or(name);
        let named_so = simple.starts_with("Test") || simple.ends_with("Test") || simple.ends_with("TestCase");
        named_so && !simple.contains('$') && !project.without.iter().any(|end| simple.ends_with(end))
    };
    names.filter(is_test).map(|name| name.replace('/', ".")).collect()
}

fn is_in_launcher(jar: &Path) -> bool {
    let name = jar.file_name().unwrap_or_default().to_string_lossy();
    IN_LAUNCHER.iter().any(|part| name.starts_with(part))
}
