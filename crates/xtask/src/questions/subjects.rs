//! The runs that are asked about.

use crate::bench::programs::{self, PROGRAMS};
use crate::recorder::{Recorder, runs};
use crate::workshop::{Workshop, run};
use anyhow::{Context, Result, ensure};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// One run. What `cargo xtask bench` has left is taken.
#[derive(Debug)]
pub(crate) struct Subject {
    pub(crate) name: &'static str,
    pub(crate) work: &'static str,
    prepare: fn(&Workshop) -> Result<Vec<OsString>>,
}

/// Two runs that are compared.
#[derive(Debug)]
pub(crate) struct RunPair {
    pub(crate) name: &'static str,
    prepare: fn(&Workshop) -> Result<[Vec<OsString>; 2]>,
}

pub(crate) const SUBJECTS: &[Subject] = &[
    Subject { name: "ecj", work: "a compiler", prepare: |workshop| of_benchmark(workshop, "ecj") },
    Subject { name: "rhino", work: "an interpreter", prepare: |workshop| of_benchmark(workshop, "rhino") },
    Subject { name: "tree", work: "a search tree", prepare: |workshop| of_benchmark(workshop, "tree") },
    Subject {
        name: "batches",
        work: "500 accounts, filled one after the other by 50 000 deposits each",
        prepare: |workshop| programs::driver(workshop, "Ledger", &[], ["batches", "500", "50000", "1"].map(Into::into)),
    },
    Subject {
        name: "turns",
        work: "1000 accounts, filled in turn by 25 000 deposits each",
        prepare: |workshop| programs::driver(workshop, "Ledger", &[], ["turns", "1000", "25000", "1"].map(Into::into)),
    },
];

pub(crate) const PAIRS: &[RunPair] = &[
    RunPair { name: "rhino, the same work", prepare: |workshop| Ok([rhino(workshop, "2")?, rhino(workshop, "2")?]) },
    RunPair {
        name: "batches, other amounts",
        prepare: |workshop| {
            let run = |seed: &str| {
                programs::driver(workshop, "Ledger", &[], ["batches", "50", "50000", seed].map(Into::into))
            };
            Ok([run("1")?, run("2")?])
        },
    },
    RunPair {
        name: "tree, one round more",
        prepare: |workshop| {
            let run = |rounds: &str| programs::driver(workshop, "TreeAndList", &[], [rounds.into()]);
            Ok([run("6")?, run("7")?])
        },
    },
];

impl Subject {
    /// The store with the run.
    pub(crate) fn record(&self, workshop: &Workshop, recorder: &Recorder) -> Result<PathBuf> {
        let store = workshop.path(self.name).join("store");
        if !store.exists() || runs(&store)?.is_empty() {
            record(workshop, recorder, &store, &(self.prepare)(workshop)?)?;
        }
        Ok(store)
    }
}

impl RunPair {
    /// The store with the runs, and their names.
    pub(crate) fn record(&self, workshop: &Workshop, recorder: &Recorder) -> Result<(PathBuf, [String; 2])> {
        let store = workshop.path("pairs").join(self.name.replace([' ', ','], "-"));
        if !store.exists() || runs(&store)?.len() != 2 {
            for (arguments, kept) in (self.prepare)(workshop)?.into_iter().zip([false, true]) {
                let part = store.with_extension("part");
                record(workshop, recorder, &part, &arguments)?;
                keep(&part, &store, kept)?;
            }
        }
        let runs: [String; 2] = runs(&store)?.try_into().ok().context("there should be two runs")?;
        Ok((store, runs))
    }
}

/// Moves the run of one store into another.
fn keep(part: &Path, store: &Path, has_run: bool) -> Result<()> {
    if !has_run && store.exists() {
        std::fs::remove_dir_all(store)?;
    }
    std::fs::create_dir_all(store)?;
    for name in runs(part)? {
        // Two runs of one minute may have one name.
        let kept = format!("{name}{}", if has_run { "b" } else { "a" });
        std::fs::rename(part.join(&name), store.join(kept))?;
    }
    Ok(())
}

fn record(workshop: &Workshop, recorder: &Recorder, store: &Path, arguments: &[OsString]) -> Result<()> {
    let mut command = recorder.record(store, &[], &workshop.jdk.java())?;
    run(command.args(arguments).current_dir(workshop.folder(programs::WORK)?))?;
    ensure!(!runs(store)?.is_empty(), "there is no run in {}", store.display());
    Ok(())
}

fn of_benchmark(workshop: &Workshop, name: &str) -> Result<Vec<OsString>> {
    let program = PROGRAMS.iter().find(|program| program.name == name).context("there is no such program")?;
    (program.prepare)(workshop)
}

fn rhino(workshop: &Workshop, rounds: &str) -> Result<Vec<OsString>> {
    let mut arguments = of_benchmark(workshop, "rhino")?;
    arguments.pop();
    arguments.push(rounds.into());
    Ok(arguments)
}
