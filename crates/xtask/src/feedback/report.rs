//! The figures of all projects as Markdown.

use super::measured::Measured;
use super::plot::Point;
use super::reasons::Reason;
use super::searched::{End, Searched};
use crate::mutants::{Entry, Results};
use crate::parts::{middle, part};
use crate::table::{Table, short};
use std::collections::BTreeMap;
use std::fmt;

#[derive(Debug)]
pub(super) struct Report(pub(super) Results<Measured>);

/// Lengths of runs that are told apart; the paper has none beyond the first.
const LENGTHS: [(&str, u64); 3] = [("up to 8,000 steps", 8_000), ("up to 100,000", 100_000), ("more", u64::MAX)];

impl Report {
    pub(super) fn points(&self) -> Vec<Point> {
        let measured = self.0.all().filter_map(Entry::measured);
        let found = measured.filter(|one| one.searched.end == End::Found);
        found.map(|one| Point { steps: one.run_steps, answers: one.searched.answers }).collect()
    }

    fn lengths(&self) -> Table {
        let mut table = new_table("steps of the run");
        let mut least = 0;
        for (name, most) in LENGTHS {
            let is_of = |one: &&Measured| (least..=most).contains(&one.run_steps);
            table.row(row(name, self.0.all().filter_map(Entry::measured).filter(is_of).collect()));
            least = most.saturating_add(1);
        }
        table
    }

    fn reasons(&self) -> Table {
        let mut reasons: BTreeMap<Reason, Vec<&Entry<Measured>>> = BTreeMap::new();
        for entry in self.0.all() {
            if let Some(measured) = entry.measured()
                && measured.searched.end != End::Found
            {
                let reason = Reason::of(measured.searched.end, &entry.operator, measured.has_way);
                reasons.entry(reason).or_default().push(entry);
            }
        }
        let mut table = Table::new(&["not found because", "mutants", "which"]);
        for (reason, entries) in reasons {
            let names: Vec<String> =
                entries.iter().map(|one| format!("{}:{} {}", one.class, one.line, one.operator)).collect();
            table.row([reason.to_string(), entries.len().to_string(), names.join("; ")]);
        }
        table
    }
}

fn new_table(first: &str) -> Table {
    Table::new(&[
        first,
        "trials",
        "found",
        "%",
        "answers",
        "median",
        "unclear",
        "steps of the run",
        "first question",
        "next question, 95 %",
    ])
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut table = new_table("project");
        for (project, entries) in &self.0.projects {
            table.row(row(&project.library.to_string(), entries.iter().filter_map(Entry::measured).collect()));
        }
        table.row(row("all", self.0.all().filter_map(Entry::measured).collect()));
        writeln!(f, "{table}\n\n{}\n\n{}", self.lengths(), self.reasons())
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
