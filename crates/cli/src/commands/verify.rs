//! `whydunit verify`: does the replay fit the recording?

use crate::commands::run_argument::RunName;
use crate::context::{Context, GOOD, Outcome, WARNING};
use crate::error::Result;
use crate::progress::Progress;
use crate::text;
use serde::Serialize;
use std::io::Write;
use std::time::Instant;
use whydunit_debugger::{Divergence, Session, VerifyReport};
use whydunit_trace::ThreadId;

/// Replay a run and compare it with everything recorded
///
/// A run recorded with `record --check` has redundant facts: every value stored, compared and returned. Each is
/// compared with what the replay computes. A difference is a bug in Whydunit, never in your program.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  whydunit record --check -- java -cp classes Main
  whydunit verify
  whydunit verify 20261115-2107-a3f --json

Exit code: 0 no difference, 1 differences.")]
pub(crate) struct Verify {
    #[command(flatten)]
    run: RunName,
}

impl Verify {
    pub(crate) fn run(self, context: &Context) -> Result<Outcome> {
        let run = context.find_run(self.run.as_str())?;
        let session = Session::open_whole(&run.trace_path(), &run.index_dir())?;
        let started = Instant::now();
        let report = {
            let progress = Progress::new(context, "replaying");
            session.verify(&|instructions| progress.add(instructions))?
        };
        let seconds = started.elapsed().as_secs_f64();
        let is_checked = session.recording().flags.check;
        if context.json {
            context.print_json(&Answer::new(run.id.as_str(), is_checked, seconds, &report))?;
        } else {
            print(context, &session, seconds, &report)?;
        }
        Ok(if report.divergences.is_empty() { Outcome::Done } else { Outcome::Negative })
    }
}

fn print(context: &Context, session: &Session, seconds: f64, report: &VerifyReport) -> Result<()> {
    let mut out = context.stdout();
    let recording = session.recording();
    for divergence in &report.divergences {
        writeln!(out, "difference: {divergence}")?;
    }
    if report.bytecodes > 0 {
        let threads = text::count(report.threads, "thread", "threads");
        writeln!(out, "{} bytecodes of {threads} replayed{}", report.bytecodes, speed(report.bytecodes, seconds))?;
    }
    if !report.ended_early.is_empty() {
        let threads = threads(session, &report.ended_early);
        if recording.is_complete() {
            let were = if report.ended_early.len() == 1 { "was" } else { "were" };
            writeln!(out, "{threads} {were} still running when the JVM ended")?;
        } else {
            writeln!(out, "the log of {threads} was cut off inside recorded methods")?;
        }
    }
    if let Some(damage) = &recording.damage {
        writeln!(out, "{WARNING}only what stands before the damage could be replayed: {damage}{WARNING:#}")?;
    } else if !recording.is_complete() {
        writeln!(out, "{WARNING}the recording was cut off: only what is in it could be replayed{WARNING:#}")?;
    }
    match report.divergences.len() {
        0 if report.bytecodes == 0 => writeln!(out, "no bytecode was recorded: there is nothing to replay")?,
        0 if recording.flags.check => {
            writeln!(out, "{GOOD}no differences{GOOD:#}: {} facts compared", report.facts_compared)?;
        }
        0 => {
            writeln!(out, "{GOOD}the replay fits the log{GOOD:#}; for facts to compare it with, record with `--check`")?
        }
        n => writeln!(out, "{}", text::count(n, "difference", "differences"))?,
    }
    Ok(())
}

/// Of a run that is long enough to measure it.
fn speed(bytecodes: u64, seconds: f64) -> String {
    const ENOUGH: u64 = 10_000_000;
    let millions = bytecodes as f64 / seconds.max(1e-9) / 1e6;
    if bytecodes < ENOUGH { String::new() } else { format!(", {millions:.0} million a second") }
}

/// `thread main`, `threads main, worker-1`
fn threads(session: &Session, ids: &[ThreadId]) -> String {
    const SHOWN: usize = 5;
    let name = |&id: &ThreadId| match session.thread_name(id) {
        Some(name) if !name.is_empty() => text::shortened(name, 60),
        _ => id.to_string(),
    };
    let names: Vec<String> = ids.iter().take(SHOWN).map(name).collect();
    let more = if ids.len() > SHOWN { format!(" and {} more", ids.len() - SHOWN) } else { String::new() };
    format!("{} {}{more}", if ids.len() == 1 { "thread" } else { "threads" }, names.join(", "))
}

#[derive(Serialize)]
struct Answer<'a> {
    run: &'a str,
    check_mode: bool,
    threads: usize,
    bytecodes: u64,
    facts_compared: u64,
    seconds: f64,
    ended_early: Vec<u32>,
    differences: Vec<Difference<'a>>,
}

#[derive(Serialize)]
struct Difference<'a> {
    thread: u32,
    method: &'a str,
    pc: u32,
    line: Option<u32>,
    offset: u64,
    instruction: u64,
    what: &'a str,
}

impl<'a> Answer<'a> {
    fn new(run: &'a str, check_mode: bool, seconds: f64, report: &'a VerifyReport) -> Answer<'a> {
        Answer {
            run,
            check_mode,
            threads: report.threads,
            bytecodes: report.bytecodes,
            facts_compared: report.facts_compared,
            seconds,
            ended_early: report.ended_early.iter().map(|thread| thread.0).collect(),
            differences: report.divergences.iter().map(Difference::new).collect(),
        }
    }
}

impl<'a> Difference<'a> {
    fn new(divergence: &'a Divergence) -> Difference<'a> {
        Difference {
            thread: divergence.thread.0,
            method: &divergence.method,
            pc: divergence.pc,
            line: divergence.line,
            offset: divergence.offset,
            instruction: divergence.number,
            what: &divergence.what,
        }
    }
}
