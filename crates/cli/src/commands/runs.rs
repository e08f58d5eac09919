//! `whydunit runs`: what has been recorded.

use crate::context::{Context, FAINT, GOOD, HEADING, Outcome, WARNING};
use crate::error::{Result, UserError};
use crate::text::{self, Align, Table};
use anstyle::Style;
use serde::Serialize;
use std::io::Write;
use whydunit_instrument::scope::is_the_programs;
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
        if context.names_store() && !store.dir().is_dir() {
            let message = format!("there is no folder {}", store.dir().display());
            return Err(UserError::new(message)
                .hint("name the folder that holds the runs, such as `.whydunit/runs`")
                .into());
        }
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
        (text::bytes(run.meta.as_ref().map_or_else(|| run.size(), |meta| meta.size)), PLAIN),
        (of_meta(&|meta| meta.classes.to_string()), PLAIN),
        (of_meta(&|meta| meta.jvm.java_version.clone().unwrap_or_default()), FAINT),
        (of_meta(&|meta| meta.exit.to_string()), if failed { WARNING } else { PLAIN }),
        (text::shortened(&of_meta(&program), WIDEST_PROGRAM), PLAIN),
        (notes.join("; "), WARNING),
    ]
}

/// What the JVM ran, which tells the JVMs of one command apart; for a JVM that a build tool made for tests, the command
/// as it was typed.
fn program(meta: &RunMeta) -> String {
    let of_jvm = meta.jvm.command.as_deref().filter(|command| !is_a_tools(command, &meta.command));
    of_jvm.map_or_else(|| text::short_command(&meta.command), str::to_owned)
}

/// Whether the command of a JVM starts with what a build tool runs, and nobody has typed.
fn is_a_tools(of_jvm: &str, typed: &[String]) -> bool {
    let main = of_jvm.split(' ').next().unwrap_or(of_jvm);
    let file = main.rsplit('/').next().unwrap_or(main);
    let is_tools = file.starts_with("surefire") || !main.contains('/') && !is_the_programs(main);
    is_tools && !typed.iter().any(|word| word == main)
}

#[cfg(test)]
mod tests {
    use super::is_a_tools;

    #[test]
    fn programs_of_build_tools() {
        let typed = ["mvn", "-q", "test"].map(String::from);
        for command in [
            "/tmp/x/target/surefire/surefirebooter-2026_3.jar /tmp/x/target/surefire 2026_1-jvmRun1 surefire_1",
            "org.codehaus.plexus.classworlds.launcher.Launcher -q test",
            "worker.org.gradle.process.internal.worker.GradleWorkerMain 'Gradle Test Executor 1'",
        ] {
            assert!(is_a_tools(command, &typed), "{command}");
        }
        for command in ["com.acme.Main x", "/opt/acme/acme.jar", "Main", ""] {
            assert!(!is_a_tools(command, &typed), "{command}");
        }
        let typed = ["java", "org.junit.runner.JUnitCore", "AllTests"].map(String::from);
        assert!(!is_a_tools("org.junit.runner.JUnitCore AllTests", &typed));
    }
}
