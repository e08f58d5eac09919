//! `whydunit info`: everything known about a run.

use super::index::size_of;
use crate::commands::run_argument::RunName;
use crate::context::{Context, FAINT, HEADING, Outcome, WARNING};
use crate::error::Result;
use crate::text::{self, Align, Table};
use anstyle::Style;
use serde::Serialize;
use std::io::{self, Write};
use std::path::Path;
use whydunit_store::{JvmInfo, LeftOut, Run, RunFacts, RunMeta};

/// Show everything about a run: command, JVM, threads, sizes, damage, methods left out
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  whydunit info
  whydunit info 20261115-2107
  whydunit info latest --methods
  whydunit info latest --json | jq .trace.left_out")]
pub(crate) struct Info {
    #[command(flatten)]
    run: RunName,

    /// Name every method that was left unrecorded, not only a few for each reason
    #[arg(long)]
    methods: bool,
}

#[derive(Serialize)]
struct Answer<'a> {
    id: &'a str,
    dir: &'a Path,
    notes: Vec<String>,
    run: Option<&'a RunMeta>,
    jvm: Option<JvmInfo>,
    /// Bytes.
    index_size: u64,
    trace: &'a RunFacts,
}

const FEW: usize = 5;

impl Info {
    pub(crate) fn run(self, context: &Context) -> Result<Outcome> {
        let run = context.find_run(self.run.as_str())?;
        let facts = run.facts()?;
        if context.json {
            context.print_json(&Answer {
                id: run.id.as_str(),
                dir: &run.dir,
                notes: run.notes.iter().map(ToString::to_string).collect(),
                run: run.meta.as_ref(),
                jvm: run.jvm(),
                index_size: size_of(&run.index_dir()),
                trace: &facts,
            })?;
        } else {
            let shown = if self.methods { usize::MAX } else { FEW };
            Page { out: context.stdout() }.write(&run, &facts, shown)?;
        }
        Ok(Outcome::Done)
    }
}

/// The answer as text.
struct Page<W> {
    out: W,
}

impl<W: Write> Page<W> {
    fn write(&mut self, run: &Run, facts: &RunFacts, methods_shown: usize) -> io::Result<()> {
        self.line("run", run.id.as_str())?;
        self.line("folder", &run.dir.display().to_string())?;
        self.line("started", &text::time(run.started()))?;
        if let Some(meta) = &run.meta {
            self.line("command", &text::short_command(&meta.command))?;
            self.line("in folder", &meta.cwd.display().to_string())?;
            self.line("command's end", &meta.exit.to_string())?;
        }
        if let Some(jvm) = run.jvm() {
            let known: Vec<&str> = [&jvm.vm_name, &jvm.vm_version].into_iter().flatten().map(String::as_str).collect();
            self.line("JVM", &format!("{} (process {})", known.join(" "), jvm.pid))?;
            if let Some(program) = &jvm.command {
                self.line("program", &text::shortened(program, 200))?;
            }
        }
        let check = if facts.check { ", with the facts for `whydunit verify`" } else { "" };
        self.line("format", &format!("{}{check}", facts.format_version))?;
        self.line("recording", &facts.ending.to_string())?;
        if let Some(damage) = &facts.damage {
            let readable = text::bytes(facts.readable);
            self.line("damage", &format!("{WARNING}{damage}; the first {readable} can be read{WARNING:#}"))?;
        }
        let classes = text::count(facts.classes_recorded, "class", "classes");
        let methods = text::count(facts.methods_recorded, "method", "methods");
        self.line("recorded", &format!("{classes}, {methods}"))?;
        if !facts.without_lines.is_empty() {
            self.without_lines(run, &facts.without_lines)?;
        }
        if let Some(meta) = &run.meta {
            let missing = match meta.sources_missing {
                0 => String::new(),
                number => format!(", {number} not found"),
            };
            self.line("sources", &format!("{}{missing}", text::count(meta.sources_found, "file", "files")))?;
        }
        self.line(
            "index",
            &match size_of(&run.index_dir()) {
                0 => "none; it is built when a question needs it, or by `whydunit index`".to_owned(),
                size => text::bytes(size),
            },
        )?;
        self.streams(facts)?;
        self.threads(facts)?;
        self.left_out(&facts.left_out, methods_shown)
    }

    fn line(&mut self, name: &str, value: &str) -> io::Result<()> {
        writeln!(self.out, "{HEADING}{name:<14}{HEADING:#} {value}")
    }

    fn without_lines(&mut self, run: &Run, classes: &[String]) -> io::Result<()> {
        let names = classes.iter().take(FEW).map(|name| text::shortened(name, 80)).collect::<Vec<_>>().join(", ");
        let more = if classes.len() > FEW { ", …" } else { "" };
        let words = format!("{} without line numbers: {names}{more}", text::count(classes.len(), "class", "classes"));
        if run.meta.as_ref().is_none_or(RunMeta::lacks_lines) {
            let hint = "compile with `-g` to see source lines";
            return self.line("no lines", &format!("{WARNING}{words}; {hint}{WARNING:#}"));
        }
        self.line("no lines", &words)
    }

    fn streams(&mut self, facts: &RunFacts) -> io::Result<()> {
        let mut table = Table::new(&[("STREAM", Align::Left), ("RAW", Align::Right), ("IN FILE", Align::Right)]);
        for stream in facts.streams.iter().filter(|stream| stream.raw > 0) {
            table.row(cells([stream.name.to_owned(), text::bytes(stream.raw), text::bytes(stream.stored)]));
        }
        write!(self.out, "\n{}", table.render(HEADING))
    }

    fn threads(&mut self, facts: &RunFacts) -> io::Result<()> {
        let mut table = Table::new(&[
            ("THREAD", Align::Left),
            ("NAME", Align::Left),
            ("RAW", Align::Right),
            ("IN FILE", Align::Right),
        ]);
        for thread in &facts.threads {
            let name = text::shortened(&thread.name, 60);
            table.row(cells([thread.id.clone(), name, text::bytes(thread.raw), text::bytes(thread.stored)]));
        }
        write!(self.out, "\n{}", table.render(HEADING))
    }

    fn left_out(&mut self, reasons: &[LeftOut], shown: usize) -> io::Result<()> {
        if reasons.is_empty() {
            return Ok(());
        }
        writeln!(self.out, "\n{HEADING}LEFT UNRECORDED{HEADING:#}")?;
        for reason in reasons {
            let number = text::count(reason.methods.len(), "method", "methods");
            writeln!(self.out, "{}: {number}  {FAINT}{}{FAINT:#}", reason.reason, reason.explanation)?;
            for method in reason.methods.iter().take(shown) {
                writeln!(self.out, "  {}", text::shortened(method, 160))?;
            }
            if reason.methods.len() > shown {
                writeln!(self.out, "  … and {} more (`--methods` lists them)", reason.methods.len() - shown)?;
            }
        }
        Ok(())
    }
}

fn cells<const N: usize>(cells: [String; N]) -> [(String, Style); N] {
    cells.map(|cell| (cell, Style::new()))
}
