//! Which tests run the instructions of which mutants.

use super::driver::Driver;
use super::probes::write_probed;
use super::subject::Subject;
use anyhow::{Context, Result, ensure};
use std::fs;
use std::path::PathBuf;
use std::sync::Mutex;
use std::thread;
use std::time::Duration;
use whydunit_mutation::Mutant;

/// What `Probe` has room for.
const MOST_PROBES: usize = 1 << 18;

/// A test that takes longer on the original is left out.
const TEST_LIMIT: Duration = Duration::from_secs(1);
const CLASS_LIMIT: Duration = Duration::from_secs(20);

/// A test that passes and is quick, with the mutants whose instructions it runs: their places in the list of all mutants.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct CoveredBy {
    pub(crate) test: String,
    pub(crate) took: Duration,
    pub(crate) mutants: Vec<u32>,
}

impl CoveredBy {
    /// Runs all tests once on the original with probes, or reads what an earlier run has left.
    pub(crate) fn find(subject: &Subject, mutants: &[Mutant], jobs: usize) -> Result<Vec<CoveredBy>> {
        ensure!(mutants.len() <= MOST_PROBES, "{} has too many mutants", subject.project.name());
        let file = subject.folder.join("coverage.tsv");
        if !file.is_file() {
            eprintln!("{}: running all tests once …", subject.project.name());
            let probed = subject.folder.join("probed");
            if probed.is_dir() {
                fs::remove_dir_all(&probed).context("cannot remove old probes")?;
            }
            write_probed(subject, mutants, &probed)?;
            let mut lines = run_all(subject, &probed, jobs)?;
            lines.sort();
            let unfinished = file.with_extension("unfinished");
            fs::write(&unfinished, lines.join("\n")).context("cannot write the coverage")?;
            fs::rename(&unfinished, &file).context("cannot write the coverage")?;
        }
        let text = fs::read_to_string(&file).with_context(|| format!("cannot read {}", file.display()))?;
        Ok(text.lines().filter_map(|line| CoveredBy::parse(line, mutants.len())).collect())
    }

    fn parse(line: &str, mutants: usize) -> Option<CoveredBy> {
        let mut fields = line.split('\t');
        let (Some("test"), Some(test), Some(millis), Some("passed"), Some(hits)) =
            (fields.next(), fields.next(), fields.next(), fields.next(), fields.next())
        else {
            return None;
        };
        let took = Duration::from_millis(millis.parse().ok()?);
        let known = |number: &u32| (*number as usize) < mutants;
        let mutants: Vec<u32> = hits.split(',').filter_map(|hit| hit.parse().ok()).filter(known).collect();
        (took <= TEST_LIMIT && !mutants.is_empty()).then(|| CoveredBy { test: test.to_owned(), took, mutants })
    }
}

fn run_all(subject: &Subject, probed: &std::path::Path, jobs: usize) -> Result<Vec<String>> {
    let waiting = Mutex::new(subject.test_classes.iter().rev().collect::<Vec<_>>());
    let found = Mutex::new(Vec::new());
    thread::scope(|scope| {
        let work = || -> Result<()> {
            let in_front = [PathBuf::from(probed)];
            let mut driver = None;
            loop {
                let Some(class) = lock(&waiting).pop() else { break };
                let mut running = match driver.take() {
                    Some(running) => running,
                    None => Driver::start(subject, "cover", &in_front, CLASS_LIMIT)?,
                };
                running.ask(class)?;
                let mut tests = Vec::new();
                // A driver that has ended leaves the rest of its class out.
                while let Some(answer) = running.answer()? {
                    match answer.split('\t').next() {
                        Some("end") => {
                            driver = Some(running);
                            break;
                        }
                        Some("test") => tests.push(answer),
                        _ => {}
                    }
                }
                lock(&found).extend(tests);
            }
            Ok(())
        };
        let workers: Vec<_> = (0..jobs.max(1)).map(|_| scope.spawn(work)).collect();
        workers.into_iter().try_for_each(|worker| worker.join().unwrap_or_else(|_| anyhow::bail!("a worker panicked")))
    })?;
    Ok(found.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner))
}

pub(crate) fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::CoveredBy;
    use std::time::Duration;

    #[test]
    fn only_quick_tests_that_pass_count() {
        let parse = |line| CoveredBy::parse(line, 3);
        assert_eq!(
            parse("test\ta\t12\tpassed\t0,2,7"),
            Some(CoveredBy { test: "a".to_owned(), took: Duration::from_millis(12), mutants: vec![0, 2] })
        );
        for other in ["test\tb\t12\tfailed\t0", "test\tc\t2000\tpassed\t0", "test\td\t1\tpassed\t", "end"] {
            assert_eq!(parse(other), None);
        }
    }
}
