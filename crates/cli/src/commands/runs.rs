//! `whydunit runs`: what has been recorded.

use crate::context::{Context, FAINT, GOOD, HEADING, Outcome, WARNING};
use crate::error::Result;
use crate::text::{self, Align, Table};
use anstyle::Style;
use serde::Serialize;
use std::io::Write;
use whydunit_store::{CommandExit, Run, RunMeta};

/// List the recorded runs, the newest first
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  whydunit runs
  whydunit runs --json | jq -r '.[].id'

Wherever a run is asked for, `latest`, the beginning of its id and the last part of its id name it.")]
pub(crate) struct Runs {}

#[derive(Serialize)]
struct Listed<'a> {
    id: &'a str,
    size: u64,
    notes: Vec<String>,
    /// `null` when it cannot be read.
    run: Option<&'a RunMeta>,
}

const WIDEST_PROGRAM: usize = 60;

impl Runs {
    pub(crate) fn run(self, context: &Context) -> Result<Outcome> {
        let store = context.store()?;
        let runs = store.list()?;
        if context.json {
            context.print_json(&runs.iter().map(listed).collect::<Vec<_>>())?;
        } else if runs.is_empty() {
            context.note(&format!("there are no runs in {}", store.dir().display()));
            context.note("record one with `whydunit record -- COMMAND`");
        } else {
            write!(context.stdout(), "{}", table(&runs))?;
        }
        Ok(Outcome::Done)
    }
}

fn listed(run: &Run) -> Listed<'_> {
    Listed {
        id: run.id.as_str(),
        size: run.size(),
        notes: run.notes.iter().map(ToString::to_string).collect(),
        run: run.meta.as_ref(),
    }
}

fn table(runs: &[Run]) -> String {
    let mut table = Table::new(&[
        ("RUN", Align::Left),
        ("STARTED", Align::Left),
        ("SIZE", Align::Right),
        ("CLASSES", Align::Right),
        ("JVM", Align::Left),
        ("COMMAND'S END", Align::Left),
        ("PROGRAM", Align::Left),
        ("NOTE", Align::Left),
    ]);
    for run in runs {
        table.row(row(run));
    }
    table.render(HEADING)
}

fn row(run: &Run) -> [(String, Style); 8] {
    const PLAIN: Style = Style::new();
    let of_meta = |get: &dyn Fn(&RunMeta) -> String| run.meta.as_ref().map_or_else(|| "?".to_owned(), get);
    let failed = run.meta.as_ref().is_some_and(|meta| meta.exit != CommandExit::Code(0));
    let notes: Vec<String> = run.notes.iter().map(ToString::to_string).collect();
    [
        (run.id.to_string(), GOOD),
        (text::time(run.started()), PLAIN),
        (text::bytes(run.size()), PLAIN),
        (of_meta(&|meta| meta.classes.to_string()), PLAIN),
        (of_meta(&|meta| meta.jvm.java_version.clone().unwrap_or_default()), FAINT),
        (of_meta(&|meta| meta.exit.to_string()), if failed { WARNING } else { PLAIN }),
        (text::shortened(&of_meta(&program), WIDEST_PROGRAM), PLAIN),
        (notes.join("; "), WARNING),
    ]
}

/// What the JVM ran, which tells the JVMs of one command apart.
fn program(meta: &RunMeta) -> String {
    meta.jvm.command.clone().unwrap_or_else(|| text::command(&meta.command))
}
