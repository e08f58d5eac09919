//! The figures of all projects as Markdown.

use super::measured::Measured;
use super::searched::{End, Searched};
use crate::mutants::{Entry, Results};
use crate::parts::{middle, part};
use crate::table::{Table, short};
use std::collections::BTreeMap;
use std::fmt;

#[derive(Debug)]
pub(super) struct Report(pub(super) Results<Measured>);

impl Report {
    fn ends(&self) -> Table {
        let mut ends: BTreeMap<End, Vec<&Entry<Measured>>> = BTreeMap::new();
        for entry in self.0.all() {
            if let Some(measured) = entry.measured()
                && measured.searched.end != End::Found
            {
                ends.entry(measured.searched.end).or_default().push(entry);
            }
        }
        let mut table = Table::new(&["not found", "mutants", "which"]);
        for (end, entries) in ends {
            let names: Vec<String> =
                entries.iter().map(|one| format!("{}:{} {}", one.class, one.line, one.operator)).collect();
            table.row([format!("{end:?}"), entries.len().to_string(), names.join("; ")]);
        }
        table
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut table = Table::new(&[
            "project",
            "trials",
            "found",
            "%",
            "answers",
            "median",
            "unclear",
            "steps of the run",
            "first question",
            "next question, 95 %",
        ]);
        for (project, entries) in &self.0.projects {
            table.row(row(&project.library.to_string(), entries.iter().filter_map(Entry::measured).collect()));
        }
        table.row(row("all", self.0.all().filter_map(Entry::measured).collect()));
        writeln!(f, "{table}\n\n{}", self.ends())
    }
}

fn row(name: &str, all: Vec<&Measured>) -> Vec<String> {
    let found: Vec<&Searched> = all.iter().map(|one| &one.searched).filter(|one| one.end == End::Found).collect();
    let mean = |values: &[usize]| values.iter().sum::<usize>() as f64 / values.len().max(1) as f64;
    let answers: Vec<usize> = found.iter().map(|one| one.answers).collect();
    let unclear: Vec<usize> = found.iter().map(|one| one.unclear).collect();
    vec![
        name.to_owned(),
        all.len().to_string(),
        found.len().to_string(),
        format!("{:.1}", 100.0 * found.len() as f64 / all.len().max(1) as f64),
        format!("{:.2}", mean(&answers)),
        middle(answers.iter().map(|&one| one as u64)).to_string(),
        format!("{:.2}", mean(&unclear)),
        short(all.iter().map(|one| one.run_steps).sum::<u64>() / all.len().max(1) as u64),
        format!("{} ms", middle(all.iter().map(|one| one.first_millis))),
        format!("{} ms", part(all.iter().flat_map(|one| one.searched.micros.iter().skip(1).copied()), 95) / 1000),
    ]
}
