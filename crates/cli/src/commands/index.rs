//! `whydunit index`: makes questions about a long run quick.

use crate::commands::run_argument::RunName;
use crate::context::{Context, GOOD, Outcome};
use crate::error::Result;
use crate::progress::Progress;
use crate::text;
use serde::Serialize;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::time::Instant;
use whydunit_debugger::{Session, is_indexed};

/// Build the index of a run, which makes questions about it quick
///
/// It is built anyway when it is first needed. It stands beside the recording, and can be deleted at any time.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  whydunit index
  whydunit index 20261115-2107-a3f --json

Exit code: 0 it is there, 1 the replay does not fit the recording somewhere (see `whydunit verify`).")]
pub(crate) struct Index {
    #[command(flatten)]
    run: RunName,
}

#[derive(Serialize)]
struct Answer<'a> {
    run: &'a str,
    /// It was there before.
    was_there: bool,
    bytecodes: u64,
    size: u64,
    seconds: f64,
    /// Threads whose replay does not fit the recording from some moment on, and why.
    differences: Vec<String>,
}

impl Index {
    pub(crate) fn run(self, context: &Context) -> Result<Outcome> {
        let run = context.find_run(self.run.as_str())?;
        let started = Instant::now();
        let folder = run.index_dir();
        let session = Session::open_indexed(&run.trace_path(), &folder)?;
        let was_there = is_indexed(session.recording(), &folder);
        let moments = {
            let progress = Progress::new(context, "building the index");
            session.index(&folder, &|instructions| progress.add(instructions))?
        };
        let answer = Answer {
            run: run.id.as_str(),
            was_there,
            bytecodes: moments.instructions(),
            size: size_of(&folder),
            seconds: started.elapsed().as_secs_f64(),
            differences: moments.differences().collect(),
        };
        if context.json {
            context.print_json(&answer)?;
        } else {
            answer.print(context)?;
        }
        Ok(if answer.differences.is_empty() { Outcome::Done } else { Outcome::Negative })
    }
}

impl Answer<'_> {
    fn print(&self, context: &Context) -> Result<()> {
        let mut out = context.stdout();
        for difference in &self.differences {
            writeln!(out, "difference: {difference}")?;
        }
        let size = text::bytes(self.size);
        if self.was_there {
            writeln!(out, "{GOOD}the index is there{GOOD:#}: {} bytecodes, {size}", self.bytecodes)?;
        } else {
            let seconds = self.seconds;
            writeln!(out, "{GOOD}indexed{GOOD:#}: {} bytecodes in {seconds:.1} s, {size}", self.bytecodes)?;
        }
        Ok(())
    }
}

/// Bytes of the files in a folder.
pub(super) fn size_of(folder: &Path) -> u64 {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.filter_map(|entry| entry.metadata().ok()).map(|metadata| metadata.len()).sum()
}
