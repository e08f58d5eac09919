//! The figures of all projects as Markdown.

use super::measured::{End, Measured};
use crate::mutants::{Entry, Fate, Project};
use crate::table::{Table, short};
use std::collections::BTreeMap;
use std::fmt;

#[derive(Debug, Default)]
pub(super) struct Report {
    projects: Vec<(&'static Project, Vec<Entry<Measured>>)>,
}

impl Report {
    pub(super) fn add(&mut self, project: &'static Project, entries: Vec<Entry<Measured>>) {
        self.projects.push((project, entries));
    }

    fn all(&self) -> impl Iterator<Item = &Entry<Measured>> {
        self.projects.iter().flat_map(|(_, entries)| entries)
    }

    fn ends(&self) -> Table {
        let mut ends: BTreeMap<End, Vec<&Entry<Measured>>> = BTreeMap::new();
        for entry in self.all() {
            if let Some(measured) = measured(entry)
                && measured.end != End::Found
            {
                ends.entry(measured.end).or_default().push(entry);
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

fn measured(entry: &Entry<Measured>) -> Option<&Measured> {
    match &entry.fate {
        Fate::Measured(_, measured) => Some(measured),
        _ => None,
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
        for (project, entries) in &self.projects {
            table.row(row(&project.library.to_string(), entries.iter().filter_map(measured).collect()));
        }
        table.row(row("all", self.all().filter_map(measured).collect()));
        writeln!(f, "{table}\n\n{}", self.ends())
    }
}

fn row(name: &str, all: Vec<&Measured>) -> Vec<String> {
    let found: Vec<&Measured> = all.iter().copied().filter(|one| one.end == End::Found).collect();
    let mean = |values: &[usize]| values.iter().sum::<usize>() as f64 / values.len().max(1) as f64;
    let answers: Vec<usize> = found.iter().map(|one| one.answers).collect();
    let unclear: Vec<usize> = found.iter().map(|one| one.unclear).collect();
    vec![
        name.to_owned(),
        all.len().to_string(),
        found.len().to_string(),
        format!("{:.1}", 100.0 * found.len() as f64 / all.len().max(1) as f64),
        format!("{:.2}", mean(&answers)),
        at_part(answers.iter().map(|&one| one as u64).collect(), 0.5).to_string(),
        format!("{:.2}", mean(&unclear)),
        short(all.iter().map(|one| one.run_steps).sum::<u64>() / all.len().max(1) as u64),
        format!("{} ms", at_part(all.iter().map(|one| one.first_millis).collect(), 0.5)),
        format!("{} ms", at_part(all.iter().flat_map(|one| one.millis.iter().copied()).collect(), 0.95)),
    ]
}

/// The value that this part of all are not above.
fn at_part(mut values: Vec<u64>, part: f64) -> u64 {
    values.sort_unstable();
    let position = (values.len() as f64 * part) as usize;
    values.get(position.min(values.len().saturating_sub(1))).copied().unwrap_or_default()
}
