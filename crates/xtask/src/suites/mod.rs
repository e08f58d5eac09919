//! `cargo xtask suites`: records whole test suites of libraries in check mode. A suite's own results must be
//! the same with and without the recorder, and the replay must agree with every fact recorded.

pub(crate) mod catalogue;
mod results;

use crate::measure::{Measured, measure};
use crate::recorder::{Recorder, Verified, runs};
use crate::table::{Table, short};
use crate::workshop::Workshop;
use anyhow::{Context, Result, bail};
use catalogue::{CATALOGUE, Suite};
use results::{Change, Results};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::Instant;

/// Record test suites of libraries in check mode and verify them
#[derive(Debug, clap::Args)]
pub(crate) struct Suites {
    /// Feature release of the JDK
    #[arg(long, default_value_t = 17)]
    jdk: u32,

    /// Print the names of the suites
    #[arg(long)]
    list: bool,

    /// Only these suites
    names: Vec<String>,
}

/// What came out for one suite.
struct Report {
    suite: &'static Suite,
    plain: Results,
    recorded: Results,
    /// Tests that differ between two plain runs.
    unsteady: Vec<Change>,
    /// Tests that differ between plain and recorded, without the unsteady ones.
    changed: Vec<Change>,
    plain_time: Measured,
    recorded_time: Measured,
    verified: Vec<Verified>,
    verify_seconds: f64,
}

const SHOWN: usize = 20;

impl Suites {
    pub(crate) fn run(self) -> Result<ExitCode> {
        if self.list {
            CATALOGUE.iter().for_each(|suite| println!("{:22} {}", suite.name(), suite.library));
            return Ok(ExitCode::SUCCESS);
        }
        let chosen = self.chosen()?;
        let workshop = Workshop::new("suites", self.jdk)?;
        let recorder = Recorder::build()?;
        let mut reports = Vec::new();
        for suite in chosen {
            eprintln!("{} …", suite.name());
            let report = Experiment { suite, workshop: &workshop, recorder: &recorder }.run()?;
            report.print_problems();
            reports.push(report);
        }
        println!("\nJDK {}, recorded in check mode:\n\n{}", self.jdk, table(&reports));
        let good = reports.iter().all(Report::is_good);
        Ok(if good { ExitCode::SUCCESS } else { ExitCode::FAILURE })
    }

    fn chosen(&self) -> Result<Vec<&'static Suite>> {
        if let Some(unknown) = self.names.iter().find(|name| !CATALOGUE.iter().any(|suite| suite.name() == **name)) {
            bail!("there is no suite {unknown}; `cargo xtask suites --list` names them");
        }
        let wanted = |suite: &&Suite| self.names.is_empty() || self.names.iter().any(|name| name == suite.name());
        Ok(CATALOGUE.iter().filter(wanted).collect())
    }
}

struct Experiment<'a> {
    suite: &'static Suite,
    workshop: &'a Workshop,
    recorder: &'a Recorder,
}

impl Experiment<'_> {
    fn run(&self) -> Result<Report> {
        let (plain, plain_time) = self.test("plain", Command::new(self.workshop.jdk.java()))?;
        let (again, _) = self.test("plain-again", Command::new(self.workshop.jdk.java()))?;
        let store = self.folder("store")?;
        let record = self.recorder.record(&store, &["--check".to_owned()], &self.workshop.jdk.java())?;
        let (recorded, recorded_time) = self.test("recorded", record)?;

        let unsteady = plain.changes(&again);
        let mut changed = plain.changes(&recorded);
        changed.retain(|change| !unsteady.iter().any(|other| other.test == change.test));
        let start = Instant::now();
        let verified: Result<Vec<Verified>> =
            runs(&store)?.iter().map(|run| self.recorder.verify(&store, run)).collect();
        Ok(Report {
            suite: self.suite,
            plain,
            recorded,
            unsteady,
            changed,
            plain_time,
            recorded_time,
            verified: verified?,
            verify_seconds: start.elapsed().as_secs_f64(),
        })
    }

    /// Adds the arguments of `java` to `command` and runs it in an empty folder.
    fn test(&self, name: &str, mut command: Command) -> Result<(Results, Measured)> {
        let dir = self.workshop.empty_folder(&format!("{}/{name}", self.suite.name()))?;
        let reports = dir.join("reports");
        command.args(self.suite.java_arguments(self.workshop, &reports)?);
        let project = dir.join("project");
        self.suite.make_project(self.workshop, &project)?;
        command.current_dir(project);
        let measured = measure(&mut command, &dir)?;
        let results = Results::read(&reports).with_context(|| self.failure(&dir, &measured))?;
        Ok((results, measured))
    }

    fn failure(&self, dir: &Path, measured: &Measured) -> String {
        format!(
            "{} ended with {} and left no report; its output is in {}",
            self.suite.name(),
            measured.status,
            dir.display()
        )
    }

    fn folder(&self, name: &str) -> Result<PathBuf> {
        self.workshop.folder(&format!("{}/{name}", self.suite.name()))
    }
}

impl Report {
    fn differences(&self) -> usize {
        self.verified.iter().map(|run| run.differences.len()).sum()
    }

    fn is_good(&self) -> bool {
        self.changed.is_empty() && !self.verified.is_empty() && self.differences() == 0
    }

    fn print_problems(&self) {
        let name = self.suite.name();
        for change in self.unsteady.iter().take(SHOWN) {
            println!("{name}: not the same in two plain runs: {change}");
        }
        for change in self.changed.iter().take(SHOWN) {
            println!("{name}: plain and recorded differ: {change}");
        }
        if self.verified.is_empty() {
            println!("{name}: nothing was recorded");
        }
        for difference in self.verified.iter().flat_map(|run| &run.differences).take(SHOWN) {
            let line = difference.line.map(|line| format!(" line {line}")).unwrap_or_default();
            let (thread, method, pc) = (difference.thread, &difference.method, difference.pc);
            println!("{name}: thread {thread}, {method} at {pc}{line}: {}", difference.what);
        }
    }
}

fn table(reports: &[Report]) -> Table {
    let mut table = Table::new(&[
        "suite",
        "tests",
        "failed plain",
        "recorded",
        "unsteady",
        "changed",
        "runs",
        "bytecodes",
        "facts compared",
        "differences",
        "CPU plain",
        "recorded",
        "verify",
    ]);
    for report in reports {
        let sum = |count: fn(&Verified) -> u64| short(report.verified.iter().map(count).sum());
        table.row([
            report.suite.library.to_string(),
            report.plain.len().to_string(),
            report.plain.failed().to_string(),
            report.recorded.failed().to_string(),
            report.unsteady.len().to_string(),
            report.changed.len().to_string(),
            report.verified.len().to_string(),
            sum(|run| run.bytecodes),
            sum(|run| run.facts_compared),
            report.differences().to_string(),
            format!("{:.0} s", report.plain_time.cpu.as_secs_f64()),
            format!("{:.0} s", report.recorded_time.cpu.as_secs_f64()),
            format!("{:.0} s", report.verify_seconds),
        ]);
    }
    table
}
