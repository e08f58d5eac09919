//! Searches again in the cases that earlier trials have left, without their recordings: what a change of the search is
//! worth, in seconds.

use super::case::Case;
use super::searched::{End, Manner, Searched, search};
use crate::parts::{middle, part};
use crate::table::Table;
use anyhow::{Context, Result, bail};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::thread;

/// The cases in a folder, in the order of their numbers.
pub(super) fn cases_in(folder: &Path) -> Result<Vec<PathBuf>> {
    let Ok(entries) = fs::read_dir(folder) else { return Ok(Vec::new()) };
    let mut files: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    let number = |file: &PathBuf| file.file_name().and_then(|name| name.to_str()?.parse::<u64>().ok());
    files.retain(|file| number(file).is_some());
    files.sort_by_key(number);
    Ok(files)
}

/// Searches in all cases of some folders, each with a name.
pub(super) fn search_again(folders: &[(String, PathBuf)], manner: Manner, jobs: usize, is_told: bool) -> Result<Table> {
    let mut table =
        Table::new(&["project", "trials", "found", "%", "answers", "median", "90 %", "unclear", "next, 95 %"]);
    let mut all = Vec::new();
    for (name, folder) in folders {
        let searched = search_in(&cases_in(folder)?, manner, jobs)?;
        if is_told {
            for (case, one) in &searched {
                println!("{} {:?} {} of {} lines", case.name, one.end, one.answers, case.lines.len());
                one.asked.iter().for_each(|asked| println!("    {asked}"));
            }
        }
        table.row(row(name, searched.iter().map(|(_, one)| one)));
        all.extend(searched.into_iter().map(|(_, one)| one));
    }
    table.row(row("all", all.iter()));
    Ok(table)
}

fn search_in(files: &[PathBuf], manner: Manner, jobs: usize) -> Result<Vec<(Case, Searched)>> {
    let waiting = Mutex::new(files.iter().enumerate());
    let done = Mutex::new(Vec::new());
    let next = || waiting.lock().unwrap_or_else(std::sync::PoisonError::into_inner).next();
    let work = || -> Result<()> {
        while let Some((number, file)) = next() {
            let case = Case::read(file)?;
            let searched = search(manner, &mut &case)?;
            done.lock().unwrap_or_else(std::sync::PoisonError::into_inner).push((number, (case, searched)));
        }
        Ok(())
    };
    thread::scope(|scope| {
        let workers: Vec<_> = (0..jobs.max(1)).map(|_| scope.spawn(work)).collect();
        let join = |worker: thread::ScopedJoinHandle<'_, Result<()>>| {
            worker.join().unwrap_or_else(|_| bail!("a worker panicked"))
        };
        workers.into_iter().try_for_each(join)
    })
    .context("a case cannot be searched")?;
    let mut done = done.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    done.sort_by_key(|(number, _)| *number);
    Ok(done.into_iter().map(|(_, one)| one).collect())
}

fn row<'s>(name: &str, all: impl Iterator<Item = &'s Searched>) -> Vec<String> {
    let all: Vec<&Searched> = all.collect();
    let found: Vec<&Searched> = all.iter().copied().filter(|one| one.end == End::Found).collect();
    let mean = |sum: usize| sum as f64 / found.len().max(1) as f64;
    let answers = || found.iter().map(|one| one.answers as u64);
    let micros = all.iter().flat_map(|one| one.micros.iter().skip(1).copied());
    vec![
        name.to_owned(),
        all.len().to_string(),
        found.len().to_string(),
        format!("{:.1}", 100.0 * found.len() as f64 / all.len().max(1) as f64),
        format!("{:.2}", mean(found.iter().map(|one| one.answers).sum())),
        middle(answers()).to_string(),
        part(answers(), 90).to_string(),
        format!("{:.2}", mean(found.iter().map(|one| one.unclear).sum())),
        format!("{:.1} ms", part(micros, 95) as f64 / 1000.0),
    ]
}
