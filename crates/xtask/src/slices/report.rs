//! The figures of all projects as Markdown.

use super::measured::{Found, Measured};
use super::misses::Reason;
use crate::mutants::{Entry, Fate, Results};
use crate::parts::{middle, part};
use crate::table::{Table, short};
use std::collections::BTreeMap;
use std::fmt;

type Slice = fn(&Measured) -> Option<Found>;

const KINDS: [(&str, Slice); 3] = [
    ("`--slice`", |measured| measured.full),
    ("`--slice --actual`", |measured| measured.actual),
    ("`--slice --thin`", |measured| measured.thin),
];

#[derive(Debug)]
pub(super) struct Report(pub(super) Results<Measured>);

impl Report {
    fn projects(&self) -> Table {
        let mut table = Table::new(&[
            "project",
            "mutants",
            "survived",
            "timed out",
            "not repeated",
            "broken",
            "trials",
            "held",
            "--actual",
            "--thin",
        ]);
        for (project, entries) in &self.0.projects {
            table.row(counts(&project.library.to_string(), &entries.iter().collect::<Vec<_>>()));
        }
        table.row(counts("all", &self.0.all().collect::<Vec<_>>()));
        table
    }

    /// Of all projects by kind of slice, then of each project.
    fn sizes(&self) -> Table {
        let all: Vec<&Measured> = self.0.all().filter_map(Entry::measured).collect();
        let mut table = Table::new(&[
            "",
            "steps",
            "lines",
            "of the run's steps",
            "of its lines",
            "time",
            "95 % within",
            "worst",
            "given up",
        ]);
        let run_lines = all.iter().filter_map(|one| one.run_lines);
        let run = ["the run".to_owned(), short(middle(all.iter().map(|one| one.run_steps))), short(middle(run_lines))];
        table.row(run.into_iter().chain(std::iter::repeat_n(String::new(), 6)));
        for (name, slice) in KINDS {
            table.row(size(name, &all, slice));
        }
        let (name, slice) = KINDS[0];
        for (project, entries) in &self.0.projects {
            let own: Vec<&Measured> = entries.iter().filter_map(Entry::measured).collect();
            table.row(size(&format!("{name}, {}", project.name()), &own, slice));
        }
        table
    }

    fn misses(&self) -> Table {
        let mut reasons: BTreeMap<Reason, Vec<u64>> = BTreeMap::new();
        for (number, (_, entries)) in self.0.projects.iter().enumerate() {
            for reason in entries.iter().filter_map(Entry::measured).filter_map(Measured::reason) {
                reasons.entry(reason).or_insert_with(|| vec![0; self.0.projects.len()])[number] += 1;
            }
        }
        let names = self.0.projects.iter().map(|(project, _)| project.name());
        let head: Vec<&str> =
            ["why the mutated line is not in the slice"].into_iter().chain(names).chain(["all"]).collect();
        let mut table = Table::new(&head);
        for (reason, counts) in reasons {
            let all = counts.iter().sum::<u64>();
            table.row([reason.words().to_owned()].into_iter().chain(counts.iter().chain([&all]).map(u64::to_string)));
        }
        table
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}\n{}\n{}", self.projects(), self.sizes(), self.misses())?;
        for entry in self.0.all() {
            if let Some(miss) = entry.measured().and_then(|one| one.miss.as_ref()) {
                let Entry { class, line, description, .. } = entry;
                writeln!(f, "- {class}:{line} {description}: {miss}")?;
            }
        }
        Ok(())
    }
}

fn size(name: &str, measured: &[&Measured], slice: Slice) -> Vec<String> {
    let found: Vec<(&Measured, Found)> = measured.iter().filter_map(|one| Some((*one, slice(one)?))).collect();
    let given_up = measured.iter().filter(|one| one.failing.is_some() && slice(one).is_none()).count();
    let of_steps = found.iter().map(|(one, found)| per_mille(found.steps, one.run_steps));
    let of_lines = found.iter().filter_map(|(one, found)| Some(per_mille(found.lines, one.run_lines?)));
    let times: Vec<u64> = found.iter().map(|(_, found)| found.millis).collect();
    vec![
        name.to_owned(),
        short(middle(found.iter().map(|(_, found)| found.steps))),
        short(middle(found.iter().map(|(_, found)| found.lines))),
        format!("{:.1} %", middle(of_steps) as f64 / 10.0),
        format!("{:.1} %", middle(of_lines) as f64 / 10.0),
        format!("{} ms", middle(times.iter().copied())),
        format!("{} ms", part(times.clone(), 95)),
        format!("{} ms", part(times, 100)),
        given_up.to_string(),
    ]
}

fn counts(name: &str, entries: &[&Entry<Measured>]) -> Vec<String> {
    let count =
        |wanted: fn(&Fate<Measured>) -> bool| entries.iter().filter(|entry| wanted(&entry.fate)).count().to_string();
    let trials: Vec<&Measured> = entries.iter().filter_map(|entry| entry.measured()).collect();
    let held = |slice: Slice| trials.iter().filter(|one| slice(one).is_some_and(|found| found.holds_mutant)).count();
    let mut cells = vec![
        name.to_owned(),
        entries.len().to_string(),
        count(|fate| matches!(fate, Fate::Survived)),
        count(|fate| matches!(fate, Fate::TimedOut)),
        count(|fate| matches!(fate, Fate::NotRepeated)),
        count(|fate| matches!(fate, Fate::Broken(_) | Fate::NotPossible)),
        trials.len().to_string(),
    ];
    cells.extend(KINDS.iter().map(|(_, slice)| held(*slice).to_string()));
    cells
}

fn per_mille(part: u64, whole: u64) -> u64 {
    (part * 1000).checked_div(whole).unwrap_or_default()
}
