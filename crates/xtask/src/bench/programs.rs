//! The programs that are measured. Libraries come from Maven's repositories by name; drivers, kernels and
//! inputs are in `programs/`.

use crate::maven::{Artifact, Part};
use crate::suites::catalogue::find_suite;
use crate::workshop::{Workshop, class_path, run};
use anyhow::{Context, Result};
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

#[derive(Debug)]
pub(crate) struct Program {
    pub(crate) name: &'static str,
    pub(crate) kind: Kind,
    /// What it does, for people.
    pub(crate) work: &'static str,
    /// Patterns for `--include`; without any, the scope is the default one.
    pub(crate) include: &'static [&'static str],
    pub(crate) same: Same,
    /// Makes everything ready and returns the arguments of `java`.
    pub(crate) prepare: fn(&Workshop) -> Result<Vec<OsString>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Real,
    Kernel,
}

/// What must be the same when the program is recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Same {
    /// It succeeds and prints the same.
    Output,
    /// It may fail, and it prints times.
    ExitCode,
}

pub(crate) const PROGRAMS: &[Program] = &[
    Program {
        name: "ecj",
        kind: Kind::Real,
        work: "the Eclipse compiler compiles commons-lang3",
        include: &[],
        same: Same::Output,
        prepare: ecj,
    },
    Program {
        name: "javac",
        kind: Kind::Real,
        work: "the JDK's own compiler, in scope, compiles commons-lang3",
        include: &["com.sun.tools.javac"],
        same: Same::Output,
        prepare: |workshop| {
            let sources = unpacked_sources(workshop)?;
            let out = workshop.folder("javac/classes")?;
            driver(workshop, "Compile", &[], [sources.into(), out.into()])
        },
    },
    Program {
        name: "rhino",
        kind: Kind::Real,
        work: "Rhino runs a JavaScript program of objects, strings, arrays and an interpreter",
        include: &[],
        same: Same::Output,
        prepare: rhino,
    },
    Program {
        name: "h2",
        kind: Kind::Real,
        work: "H2 fills two tables in memory with 100 000 orders, updates and queries them",
        include: &[],
        same: Same::Output,
        prepare: |workshop| driver(workshop, "Sql", &workshop.maven.with_dependencies(H2)?, ["100000".into()]),
    },
    Program {
        name: "fop",
        kind: Kind::Real,
        work: "FOP renders a report of 100 chapters with tables as PDF",
        include: &[],
        same: Same::Output,
        prepare: |workshop| driver(workshop, "Render", &workshop.maven.with_dependencies(FOP)?, ["100".into()]),
    },
    Program {
        name: "collections-tests",
        kind: Kind::Real,
        work: "JUnit runs the test suite of commons-collections4",
        include: &[],
        same: Same::ExitCode,
        prepare: |workshop| {
            let suite = find_suite("commons-collections4").context("there is no such suite")?;
            suite.make_project(workshop, &workshop.folder(WORK)?)?;
            suite.java_arguments(workshop, &workshop.folder("collections-tests")?.join("reports"))
        },
    },
    kernel("sieve", "prime numbers: array writes", |workshop| kernel_arguments(workshop, "Sieve", "80")),
    kernel("matrix", "matrix product: nothing but array reads, the worst case", |workshop| {
        kernel_arguments(workshop, "MatrixProduct", "400")
    }),
    kernel("tree", "search tree and list", |workshop| kernel_arguments(workshop, "TreeAndList", "100")),
    kernel("words", "word count with strings and maps of the JDK", |workshop| {
        kernel_arguments(workshop, "WordCount", "30")
    }),
    kernel("fibonacci", "calls and nothing else", |workshop| kernel_arguments(workshop, "Fibonacci", "41")),
    kernel("expression", "virtual calls over a tree of small objects", |workshop| {
        kernel_arguments(workshop, "ExpressionTree", "8000")
    }),
];

/// The folder in which all programs run.
pub(crate) const WORK: &str = "work";

const ECJ: Artifact = Artifact::new("org.eclipse.jdt", "ecj", "3.33.0");
const RHINO: Artifact = Artifact::new("org.mozilla", "rhino", "1.7.14");
const H2: Artifact = Artifact::new("com.h2database", "h2", "2.2.224");
const FOP: Artifact = Artifact::new("org.apache.xmlgraphics", "fop", "2.9");
const COMPILED_PROJECT: Artifact = Artifact::new("org.apache.commons", "commons-lang3", "3.12.0");

const fn kernel(name: &'static str, work: &'static str, prepare: fn(&Workshop) -> Result<Vec<OsString>>) -> Program {
    Program { name, kind: Kind::Kernel, work, include: &[], same: Same::Output, prepare }
}

/// The smallest program, for the cost of the start.
pub(crate) fn hello(workshop: &Workshop) -> Result<Vec<OsString>> {
    driver(workshop, "Hello", &[], [])
}

fn kernel_arguments(workshop: &Workshop, class: &str, size: &str) -> Result<Vec<OsString>> {
    driver(workshop, class, &[], [size.into()])
}

fn ecj(workshop: &Workshop) -> Result<Vec<OsString>> {
    let jar = workshop.maven.file(ECJ, Part::Jar)?;
    let mut arguments: Vec<OsString> = vec!["-cp".into(), jar.into()];
    arguments.push("org.eclipse.jdt.internal.compiler.batch.Main".into());
    arguments.extend(["-nowarn", "-proc:none", "--release", "8", "-encoding", "UTF-8", "-d"].map(OsString::from));
    arguments.push(workshop.folder("ecj/classes")?.into());
    arguments.push(unpacked_sources(workshop)?.into());
    Ok(arguments)
}

fn rhino(workshop: &Workshop) -> Result<Vec<OsString>> {
    let jar = workshop.maven.file(RHINO, Part::Jar)?;
    let script = programs_dir().join("workload.js");
    let mut arguments: Vec<OsString> = vec!["-cp".into(), jar.into()];
    arguments.push("org.mozilla.javascript.tools.shell.Main".into());
    arguments.extend([script.into(), "150".into()]);
    Ok(arguments)
}

/// Compiles `programs/CLASS.java` and runs it with `arguments`.
pub(crate) fn driver<const N: usize>(
    workshop: &Workshop,
    class: &str,
    libraries: &[PathBuf],
    arguments: [OsString; N],
) -> Result<Vec<OsString>> {
    let classes = workshop.folder("drivers")?;
    let mut path = vec![classes.clone()];
    path.extend_from_slice(libraries);
    let path = class_path(&path)?;
    let mut javac = Command::new(workshop.jdk.javac());
    javac.args(["-g", "-nowarn", "-encoding", "UTF-8", "-cp"]).arg(&path).arg("-d").arg(&classes);
    run(javac.arg(programs_dir().join(format!("{class}.java"))))?;
    let mut all: Vec<OsString> = vec!["-cp".into(), path, class.into()];
    all.extend(arguments);
    Ok(all)
}

fn unpacked_sources(workshop: &Workshop) -> Result<PathBuf> {
    let dir = workshop.folder("sources")?;
    if fs::read_dir(&dir).is_ok_and(|mut entries| entries.next().is_none()) {
        workshop.unpack(&workshop.maven.file(COMPILED_PROJECT, Part::Sources)?, &dir)?;
    }
    Ok(dir)
}

fn programs_dir() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("programs")
}
