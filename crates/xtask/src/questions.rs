//! `cargo xtask questions`: how long answers take on recorded runs, each from the start of the command to its end.

use crate::measure::{Measured, measure, median};
use crate::recorder::Recorder;
use crate::table::{Table, short};
use anyhow::{Context, Result, ensure};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

/// Measure how long questions about recorded runs take
#[derive(Debug, clap::Args)]
pub(crate) struct Questions {
    /// Steps that are asked about, evenly over the run
    #[arg(long, default_value_t = 20)]
    steps: u64,

    /// Seconds after which a slice is given up
    #[arg(long, default_value_t = 60)]
    patience: u64,

    /// Folders with recorded runs, such as `cargo xtask bench` leaves in target/bench; the newest run of each counts
    #[arg(required = true)]
    stores: Vec<PathBuf>,
}

/// What is asked about each step.
const QUESTIONS: [(&str, &[&str]); 5] = [
    ("state: `show STEP`", &["show"]),
    ("last change: `why STEP`", &["why"]),
    ("`why STEP --slice --thin`", &["why", "--slice", "--thin"]),
    ("`why STEP --slice --actual`", &["why", "--slice", "--actual"]),
    ("`why STEP --slice`", &["why", "--slice"]),
];

impl Questions {
    pub(crate) fn run(self) -> Result<ExitCode> {
        ensure!(self.steps > 0, "at least one step is needed");
        let recorder = Recorder::build()?;
        for store in &self.stores {
            let asked = Asked { recorder: &recorder, store, patience: Duration::from_secs(self.patience) };
            println!("{}\n\n{}", store.display(), asked.table(self.steps)?);
        }
        Ok(ExitCode::SUCCESS)
    }
}

struct Asked<'a> {
    recorder: &'a Recorder,
    store: &'a Path,
    patience: Duration,
}

impl Asked<'_> {
    fn table(&self, steps: u64) -> Result<Table> {
        let (indexed, _) = self.ask(&["index"])?;
        ensure!(indexed.status.success(), "there is no run in {} that can be indexed", self.store.display());
        let all = self.steps_of_run()?;
        let mut table =
            Table::new(&["question", "median", "slowest", "given up", "steps in the slice", "s per 100 000"]);
        for (name, command) in QUESTIONS {
            let mut times = Vec::new();
            let (mut given_up, mut sizes, mut per_step) = (0, Vec::new(), Vec::new());
            for sample in 1..=steps {
                let step = (all / (steps + 1) * sample).max(1).to_string();
                let arguments = [command, &[&*step, "--json"]].concat();
                let (measured, answer) = self.ask(&arguments)?;
                if measured.status.code() == Some(TIMED_OUT) {
                    given_up += 1;
                    continue;
                }
                times.push(measured.wall);
                if let Some(size) = answer.get("steps").and_then(Value::as_array).map(Vec::len) {
                    sizes.push(size as u64);
                    per_step.push(measured.wall.mul_f64(1e5 / (size as f64).max(1e5)));
                }
            }
            sizes.sort_unstable();
            let size = sizes.get(sizes.len() / 2).map(|&size| short(size)).unwrap_or_default();
            let per_step = if per_step.is_empty() { String::new() } else { seconds(median(per_step)) };
            let slowest = times.iter().max().copied().unwrap_or_default();
            table.row([
                name.to_owned(),
                seconds(median(times)),
                seconds(slowest),
                format!("{given_up} of {steps}"),
                size,
                per_step,
            ]);
        }
        Ok(table)
    }

    /// Runs a command on the newest run.
    fn ask(&self, arguments: &[&str]) -> Result<(Measured, Value)> {
        let logs = std::env::temp_dir().join(format!("whydunit-questions-{}", std::process::id()));
        let mut command = std::process::Command::new("timeout");
        command.arg(self.patience.as_secs().to_string()).arg(&self.recorder.whydunit);
        command.arg("--store").arg(self.store).args(arguments);
        let measured = measure(&mut command, &logs)?;
        let text = fs::read(logs.join("stdout")).context("cannot read the answer")?;
        fs::remove_dir_all(&logs).context("cannot remove the answer")?;
        Ok((measured, serde_json::from_slice(&text).unwrap_or_default()))
    }

    /// The last step of a run answers with how many there are.
    fn steps_of_run(&self) -> Result<u64> {
        let (_, shown) = self.ask(&["show", "1", "--json"])?;
        shown.get("steps").and_then(Value::as_u64).context("`show` does not say how many steps the run has")
    }
}

/// What `timeout` ends with.
const TIMED_OUT: i32 = 124;

fn seconds(duration: Duration) -> String {
    format!("{:.2} s", duration.as_secs_f64())
}
