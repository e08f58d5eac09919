//! The figures of all projects as Markdown.

use super::measured::{Found, Measured};
use super::misses::Reason;
use crate::mutants::{Entry, Fate, Project};
use crate::table::{Table, short};
use std::collections::BTreeMap;
use std::fmt;

type Slice = fn(&Measured) -> Option<Found>;

const KINDS: [(&str, Slice); 3] = [
    ("`--slice`", |measured| measured.full),
    ("`--slice --actual`", |measured| measured.actual),
    ("`--slice --thin`", |measured| measured.thin),
];

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

    fn projects(&self) -> Table {
        let mut table = Table::new(&[
            "project",
            "mutants",
            "not run",
            "survived",
            "timed out",
            "not repeated",
            "broken",
            "trials",
            "held",
            "--actual",
            "--thin",
        ]);
        for (project, entries) in &self.projects {
            table.row(counts(&project.library.to_string(), &entries.iter().collect::<Vec<_>>()));
        }
        table.row(counts("all", &self.all().collect::<Vec<_>>()));
        table
    }

    /// Of all projects by kind of slice, then of each project.
    fn sizes(&self) -> Table {
        let all: Vec<&Measured> = self.all().filter_map(measured).collect();
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
        for (project, entries) in &self.projects {
            let own: Vec<&Measured> = entries.iter().filter_map(measured).collect();
            table.row(size(&format!("{name}, {}", project.name()), &own, slice));
        }
        table
    }

    fn misses(&self) -> Table {
        let mut reasons: BTreeMap<Reason, Vec<u64>> = BTreeMap::new();
        for (number, (_, entries)) in self.projects.iter().enumerate() {
            for reason in entries.iter().filter_map(measured).filter_map(Measured::reason) {
                reasons.entry(reason).or_insert_with(|| vec![0; self.projects.len()])[number] += 1;
            }
        }
        let names = self.projects.iter().map(|(project, _)| project.name());
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
        for entry in self.all() {
            if let Some(miss) = measured(entry).and_then(|one| one.miss.as_ref()) {
                let Entry { class, line, description, .. } = entry;
                writeln!(f, "- {class}:{line} {description}: {miss}")?;
            }
        }
        Ok(())
    }
}

fn measured(entry: &Entry<Measured>) -> Option<&Measured> {
    match &entry.fate {
        Fate::Measured(_, measured) => Some(measured),
        _ => None,
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
    let trials: Vec<&Measured> = entries.iter().filter_map(|entry| measured(entry)).collect();
    let held = |slice: Slice| trials.iter().filter(|one| slice(one).is_some_and(|found| found.holds_mutant)).count();
    let mut cells = vec![
        name.to_owned(),
        entries.len().to_string(),
        count(|fate| matches!(fate, Fate::NotCovered)),
        count(|fate| matches!(fate, Fate::Survived)),
        count(|fate| matches!(fate, Fate::TimedOut)),
        count(|fate| matches!(fate, Fate::NotRepeated)),
        count(|fate| matches!(fate, Fate::Broken(_) | Fate::NotPossible)),
        trials.len().to_string(),
    ];
    cells.extend(KINDS.iter().map(|(_, slice)| held(*slice).to_string()));
    cells
}

fn middle(values: impl IntoIterator<Item = u64>) -> u64 {
    part(values.into_iter().collect(), 50)
}

/// The value that this many of a hundred do not exceed.
fn part(mut values: Vec<u64>, percent: usize) -> u64 {
    values.sort_unstable();
    values.get((values.len() * percent).div_ceil(100).saturating_sub(1)).copied().unwrap_or_default()
}

fn per_mille(part: u64, whole: u64) -> u64 {
    (part * 1000).checked_div(whole).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::part;

    #[test]
    fn parts_of_a_hundred() {
        assert_eq!(part((1..=100).collect(), 95), 95);
        assert_eq!(part(vec![3, 1, 2], 50), 2);
        assert_eq!(part(Vec::new(), 50), 0);
    }
}
