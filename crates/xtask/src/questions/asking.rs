//! Asks the command about a run, and measures the answers.

use super::samples::Samples;
use crate::recorder::Recorder;
use anyhow::{Context, Result, ensure};
use serde_json::Value;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

pub(crate) struct Asking<'a> {
    pub(crate) recorder: &'a Recorder,
    pub(crate) store: &'a Path,
    pub(crate) patience: Duration,
}

/// An answer.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Asked {
    /// `None`: it was given up.
    pub(crate) time: Option<Duration>,
    /// The most that was in memory at once.
    pub(crate) memory: Option<u64>,
    /// Steps of the slice that was asked for.
    pub(crate) slice: Option<u64>,
}

pub(crate) struct IndexedRun {
    pub(crate) bytecodes: u64,
    pub(crate) steps: u64,
}

/// What `timeout` ends with.
const TIMED_OUT: i32 = 124;

impl Asking<'_> {
    /// Indexes the newest run.
    pub(crate) fn index(&self) -> Result<IndexedRun> {
        let indexed = self.answer(&["index", "--json"])?;
        let shown = self.answer(&["show", "1", "--json"])?;
        let number = |answer: &Value, name: &str| answer.get(name).and_then(Value::as_u64);
        let bytecodes = number(&indexed, "bytecodes").context("`index` does not say how many bytecodes there are")?;
        let steps = number(&shown, "steps").context("`show` does not say how many steps the run has")?;
        Ok(IndexedRun { bytecodes, steps })
    }

    fn answer(&self, arguments: &[&str]) -> Result<Value> {
        let output = self.command(arguments).output().context("cannot run whydunit")?;
        ensure!(output.status.success(), "{arguments:?} failed on {}", self.store.display());
        serde_json::from_slice(&output.stdout).with_context(|| format!("{arguments:?} gave no answer in JSON"))
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(&self.recorder.whydunit);
        command.arg("--store").arg(self.store).args(arguments);
        command
    }

    /// From the start of the command to its end.
    pub(crate) fn ask(&self, arguments: &[&str]) -> Result<Asked> {
        let mut command = Command::new("timeout");
        command.arg(self.patience.as_secs().to_string()).arg(&self.recorder.whydunit);
        command.arg("--store").arg(self.store).args(arguments);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
        let start = Instant::now();
        let mut child = command.spawn().context("cannot run whydunit")?;
        let mut text = Vec::new();
        let (status, memory) = watched(&mut child, |child| {
            if let Some(mut stdout) = child.stdout.take() {
                stdout.read_to_end(&mut text)?;
            }
            Ok(child.wait()?)
        })?;
        let time = start.elapsed();
        if status.code() == Some(TIMED_OUT) {
            return Ok(Asked { time: None, memory, slice: None });
        }
        ensure!(matches!(status.code(), Some(0 | 1)), "{arguments:?}: {status}");
        let answer: Value = serde_json::from_slice(&text).unwrap_or_default();
        let slice = answer.pointer("/answers/0/steps").and_then(Value::as_array).map(|steps| steps.len() as u64);
        Ok(Asked { time: Some(time), memory, slice })
    }

    /// The way to some steps at the prompt of one open run, which shows the state, and `why` there.
    pub(crate) fn within_session(&self, steps: &[String]) -> Result<[Samples; 2]> {
        let mut command = self.command(&["open", "--json", "--step", "1"]);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().context("cannot run whydunit")?;
        let mut stdin = child.stdin.take().context("there is no input")?;
        let mut answers = BufReader::new(child.stdout.take().context("there is no output")?).lines();
        let mut times = [Vec::new(), Vec::new()];
        let (_, memory) = watched(&mut child, |child| {
            answers.next().context("the prompt is closed")??;
            for step in steps {
                let questions = [format!("goto {step}"), "why".to_owned()];
                for (question, times) in questions.iter().zip(&mut times) {
                    let start = Instant::now();
                    writeln!(stdin, "{question}")?;
                    answers.next().with_context(|| format!("`{question}` gave no answer"))??;
                    times.push(start.elapsed());
                }
            }
            drop(stdin);
            Ok(child.wait()?)
        })?;
        Ok(times.map(|times| {
            let mut samples = Samples::default();
            times.into_iter().for_each(|time| samples.add(Asked { time: Some(time), memory, slice: None }));
            samples
        }))
    }
}

/// Does something with a process and tells how much memory that, or what it started, has used.
fn watched<T>(child: &mut Child, work: impl FnOnce(&mut Child) -> Result<T>) -> Result<(T, Option<u64>)> {
    let id = child.id();
    let is_over = AtomicBool::new(false);
    thread::scope(|scope| {
        let watch = scope.spawn(|| {
            let mut most = None;
            while !is_over.load(Ordering::Relaxed) {
                most = most.max(peak_of(id)).max(child_of(id).and_then(peak_of));
                thread::sleep(Duration::from_millis(2));
            }
            most
        });
        let done = work(child);
        is_over.store(true, Ordering::Relaxed);
        Ok((done?, watch.join().unwrap_or_default()))
    })
}

/// The first process that one has started.
fn child_of(process: u32) -> Option<u32> {
    let children = fs::read_to_string(format!("/proc/{process}/task/{process}/children")).ok()?;
    children.split_whitespace().next()?.parse().ok()
}

/// The most that a process has had in memory so far.
fn peak_of(process: u32) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    peak.trim().strip_suffix(" kB")?.trim().parse::<u64>().ok().map(|kilobytes| kilobytes * 1024)
}
