//! `cargo xtask questions`: how long answers take on recorded runs, each from the start of the command to its end; the
//! state and the last change also within an open run.

mod asking;
mod page;
mod samples;
mod subjects;

use crate::recorder::Recorder;
use crate::table::{Table, short};
use crate::workshop::Workshop;
use anyhow::{Result, ensure};
use asking::Asking;
use samples::Samples;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;
use subjects::{PAIRS, SUBJECTS, Subject};

/// Measure how long questions about recorded runs take, and write docs/benchmarks.md
#[derive(Debug, clap::Args)]
pub(crate) struct Questions {
    /// Steps that are asked about, evenly over the run
    #[arg(long, default_value_t = 20)]
    steps: u64,

    /// Seconds after which a slice is given up
    #[arg(long, default_value_t = 60)]
    patience: u64,

    /// Feature release of the JDK
    #[arg(long, default_value_t = 17)]
    jdk: u32,

    /// Only this program; prints only
    #[arg(long, value_name = "PROGRAM", conflicts_with = "stores")]
    only: Option<String>,

    /// Folders with recorded runs, of which the newest counts; without any, programs are recorded, and
    /// docs/benchmarks.md is written
    stores: Vec<PathBuf>,
}

fn names() -> Vec<&'static str> {
    SUBJECTS.iter().map(|subject| subject.name).collect()
}

/// What is asked about each step.
const QUESTIONS: [(&str, &[&str]); 5] = [
    ("state: `show STEP`", &["show"]),
    ("last change: `why STEP`", &["why"]),
    ("`why STEP --slice --thin`", &["why", "--slice", "--thin"]),
    ("`why STEP --slice --actual`", &["why", "--slice", "--actual"]),
    ("`why STEP --slice`", &["why", "--slice"]),
];

const HEADER: [&str; 9] = [
    "question",
    "median",
    "p95",
    "slowest",
    "given up",
    "peak memory",
    "steps in the slice",
    "largest",
    "s per 100 000",
];

impl Questions {
    pub(crate) fn run(self) -> Result<ExitCode> {
        ensure!(self.steps > 0, "at least one step is needed");
        let recorder = Recorder::build()?;
        if !self.stores.is_empty() {
            for store in &self.stores {
                println!("{}\n\n{}", store.display(), self.about(&recorder, store)?);
            }
            return Ok(ExitCode::SUCCESS);
        }
        let workshop = Workshop::new("bench", self.jdk)?;
        let mut text = String::new();
        let is_wanted = |subject: &&Subject| self.only.as_ref().is_none_or(|only| subject.name == only);
        for subject in SUBJECTS.iter().filter(is_wanted) {
            eprintln!("{} …", subject.name);
            let store = subject.record(&workshop, &recorder)?;
            text += &format!("**{}**: {}. {}\n", subject.name, subject.work, self.about(&recorder, &store)?);
        }
        if let Some(only) = &self.only {
            ensure!(!text.is_empty(), "there is no program {only}: {}", names().join(", "));
            println!("{text}");
            return Ok(ExitCode::SUCCESS);
        }
        text += &self.comparisons(&workshop, &recorder)?.to_string();
        println!("{text}");
        page::write(&text)?;
        Ok(ExitCode::SUCCESS)
    }

    /// The figures of one run.
    fn about(&self, recorder: &Recorder, store: &Path) -> Result<String> {
        let asking = Asking { recorder, store, patience: Duration::from_secs(self.patience) };
        let run = asking.index()?;
        let step = |sample: u64| (run.steps / (self.steps + 1) * sample).max(1).to_string();
        let mut table = Table::new(&HEADER);
        for (name, command) in QUESTIONS {
            let mut samples = Samples::default();
            for sample in 1..=self.steps {
                samples.add(asking.ask(&[command, &[&*step(sample), "--json"]].concat())?);
            }
            table.row(samples.row(name));
            if command == ["why"] {
                let steps: Vec<String> = (1..=self.steps).map(step).collect();
                let [states, changes] = asking.within_session(&steps)?;
                table.row(states.row("state: `goto STEP` in an open run"));
                table.row(changes.row("last change: `why` in an open run"));
            }
        }
        Ok(format!("{} bytecodes, {} steps.\n\n{table}", short(run.bytecodes), short(run.steps)))
    }

    fn comparisons(&self, workshop: &Workshop, recorder: &Recorder) -> Result<Table> {
        let mut table = Table::new(&["`diff` of two runs", "steps of each", "bytecodes", "time", "peak memory"]);
        for pair in PAIRS {
            eprintln!("{} …", pair.name);
            let (store, runs) = pair.record(workshop, recorder)?;
            let asking = Asking { recorder, store: &store, patience: Duration::from_secs(self.patience) };
            let run = asking.index()?;
            let asked = asking.ask(&["diff", &runs[0], &runs[1], "--json"])?;
            table.row([
                pair.name.to_owned(),
                short(run.steps),
                short(run.bytecodes),
                asked.time.map_or_else(|| "given up".to_owned(), samples::seconds),
                samples::megabytes(asked.memory),
            ]);
        }
        Ok(table)
    }
}
