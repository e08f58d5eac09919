//! `cargo xtask bench`: what recording costs. Each program runs plain and recorded in turn, several rounds in
//! one go, so that a slow moment of the machine meets both.

mod figures;
mod page;
pub(crate) mod programs;

use crate::measure::{Measured, measure};
use crate::recorder::{Indexed, Recorder, runs};
use crate::workshop::Workshop;
use anyhow::{Context, Result, bail, ensure};
use figures::{Figures, Replay, Round, Startup};
use programs::{PROGRAMS, Program, Same, WORK};
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

/// Measure what recording costs, and write docs/benchmarks.md
#[derive(Debug, clap::Args)]
pub(crate) struct Bench {
    /// Runs of each program, plain and recorded in turn; medians are shown
    #[arg(long, default_value_t = 5)]
    rounds: usize,

    /// Runs of the smallest program, for the cost of the start
    #[arg(long, default_value_t = 20)]
    startup_rounds: usize,

    /// Feature release of the JDK
    #[arg(long, default_value_t = 17)]
    jdk: u32,

    /// Leave out `java -Xint`, which takes longest
    #[arg(long)]
    no_interpreter: bool,

    /// Print the names of the programs
    #[arg(long)]
    list: bool,

    /// Only these programs; docs/benchmarks.md stays as it is
    names: Vec<String>,
}

impl Bench {
    pub(crate) fn run(self) -> Result<ExitCode> {
        if self.list {
            PROGRAMS.iter().for_each(|program| println!("{:14} {}", program.name, program.work));
            return Ok(ExitCode::SUCCESS);
        }
        ensure!(self.rounds > 0 && self.startup_rounds > 0, "at least one round is needed");
        let chosen = self.chosen()?;
        let workshop = Workshop::new("bench", self.jdk)?;
        let recorder = Recorder::build()?;
        let bench = Track { workshop: &workshop, recorder: &recorder };
        let startup = bench.startup(self.startup_rounds)?;
        let mut all = Vec::new();
        for program in chosen {
            eprintln!("{} …", program.name);
            let figures = bench.program(program, self.rounds, !self.no_interpreter)?;
            eprintln!("{figures}");
            all.push(figures);
        }
        let text = page::figures(&workshop.jdk, self.rounds, &startup, &all)?;
        println!("{text}");
        if self.names.is_empty() {
            page::write(&text)?;
        }
        Ok(ExitCode::SUCCESS)
    }

    fn chosen(&self) -> Result<Vec<&'static Program>> {
        if let Some(unknown) = self.names.iter().find(|name| !PROGRAMS.iter().any(|program| program.name == **name)) {
            bail!("there is no program {unknown}; `cargo xtask bench --list` names them");
        }
        let wanted = |program: &&Program| self.names.is_empty() || self.names.iter().any(|name| name == program.name);
        Ok(PROGRAMS.iter().filter(wanted).collect())
    }
}

struct Track<'a> {
    workshop: &'a Workshop,
    recorder: &'a Recorder,
}

impl Track<'_> {
    fn startup(&self, rounds: usize) -> Result<Startup> {
        let arguments = programs::hello(self.workshop)?;
        let round = |_| self.round("hello", &arguments, &[], Same::Output);
        Ok(Startup { rounds: (0..rounds).map(round).collect::<Result<_>>()? })
    }

    fn program(&self, program: &'static Program, rounds: usize, interpreter: bool) -> Result<Figures> {
        let arguments = (program.prepare)(self.workshop)?;
        let round = |_| self.round(program.name, &arguments, program.include, program.same);
        let rounds: Vec<Round> = (0..rounds).map(round).collect::<Result<_>>()?;
        let store = self.store(program.name);
        let run = the_run(&store)?;
        let sizes = self.recorder.sizes(&store, &run)?;
        let replay = match self.replay(program.name, &store, &run) {
            Ok(replay) => Some(replay),
            Err(error) => {
                eprintln!("{}: {error:#}", program.name);
                None
            }
        };
        let interpreted = if interpreter {
            let mut command = Command::new(self.workshop.jdk.java());
            command.arg("-Xint").args(&arguments);
            Some(self.measure(program.name, "interpreted", command)?.wall)
        } else {
            None
        };
        Ok(Figures { program, rounds, sizes, replay, interpreted })
    }

    /// One plain run and one recorded run of the same work.
    fn round(&self, name: &str, arguments: &[OsString], include: &[&str], same: Same) -> Result<Round> {
        let java = self.workshop.jdk.java();
        let mut plain = Command::new(&java);
        plain.args(arguments);
        let plain = self.measure(name, "plain", plain)?;
        let options: Vec<String> = include.iter().map(|pattern| format!("--include={pattern}")).collect();
        let mut recorded = self.recorder.record(&self.store(name), &options, &java)?;
        recorded.args(arguments);
        let recorded = self.measure(name, "recorded", recorded)?;
        let (before, after) = (plain.status, recorded.status);
        ensure!(before.code().is_some() && before == after, "{name} plain: {before}, recorded: {after}");
        if same == Same::Output {
            ensure!(before.success(), "{name}: {before}; its output is in {}", self.logs(name, "plain").display());
            let output = |kind: &str| fs::read(self.logs(name, kind).join("stdout"));
            ensure!(output("plain")? == output("recorded")?, "{name} printed something else when it was recorded");
        }
        Ok(Round { plain, recorded })
    }

    fn replay(&self, name: &str, store: &Path, run: &str) -> Result<Replay> {
        let measured = self.measure(name, "replay", self.recorder.index_command(store, run))?;
        let logs = self.logs(name, "replay");
        ensure!(measured.status.success(), "the replay failed; see {}", logs.display());
        let answer = fs::read(logs.join("stdout"))?;
        let indexed: Indexed = serde_json::from_slice(&answer).context("`whydunit index` gave no answer in JSON")?;
        Ok(Replay { bytecodes: indexed.bytecodes, wall: measured.wall })
    }

    fn measure(&self, name: &str, kind: &str, mut command: Command) -> Result<Measured> {
        command.current_dir(self.workshop.folder(WORK)?);
        measure(&mut command, &self.logs(name, kind))
    }

    fn logs(&self, name: &str, kind: &str) -> PathBuf {
        self.workshop.path(name).join(kind)
    }

    fn store(&self, name: &str) -> PathBuf {
        self.workshop.path(name).join("store")
    }
}

fn the_run(store: &Path) -> Result<String> {
    let mut runs = runs(store)?;
    match (runs.pop(), runs.is_empty()) {
        (Some(run), true) => Ok(run),
        _ => bail!("there should be one run in {}", store.display()),
    }
}
