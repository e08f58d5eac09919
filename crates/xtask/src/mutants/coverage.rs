//! Which tests run the instructions of which mutants.

use super::driver::Driver;
use super::probes::write_probed;
use super::subject::Subject;
use anyhow::{Context, Result};
use std::fs;
use std::path::PathBuf;
use std::sync::Mutex;
use std::thread;
use std::time::Duration;
use whydunit_mutation::Mutant;

/// A test that takes longer on the original is left out.
const TEST_LIMIT: Duration = Duration::from_secs(1);
const CLASS_LIMIT: Duration = Duration::from_secs(20);

/// By the place of a mutant in the sample: the tests that pass, are quick, and run its instruction.
#[derive(Debug, Default)]
pub(crate) struct Coverage {
    tests: Vec<Vec<String>>,
}

impl Coverage {
    pub(crate) fn tests_of(&self, number: usize) -> &[String] {
        self.tests.get(number).map_or(&[], Vec::as_slice)
    }

    /// Runs all tests once on the original with probes, or reads what an earlier run has left.
    pub(crate) fn find(subject: &Subject, sample: &[Mutant], seed: u64, jobs: usize) -> Result<Coverage> {
        let file = subject.folder.join(format!("coverage-{seed}-{}.tsv", sample.len()));
        if !file.is_file() {
            eprintln!("{}: running all tests once …", subject.project.name());
            let probed = subject.folder.join("probed");
            if probed.is_dir() {
                fs::remove_dir_all(&probed).context("cannot remove old probes")?;
            }
            write_probed(subject, sample, &probed)?;
            let mut lines = run_all(subject, &probed, jobs)?;
            lines.sort();
            let unfinished = file.with_extension("unfinished");
            fs::write(&unfinished, lines.join("\n")).context("cannot write the coverage")?;
            fs::rename(&unfinished, &file).context("cannot write the coverage")?;
        }
        let text = fs::read_to_string(&file).with_context(|| format!("cannot read {}", file.display()))?;
        Ok(Coverage::parse(&text, sample.len()))
    }

    fn parse(text: &str, sample: usize) -> Coverage {
        let mut tests = vec![Vec::new(); sample];
        for line in text.lines() {
            let mut fields = line.split('\t');
            let (Some("test"), Some(test), Some(millis), Some("passed"), Some(hits)) =
                (fields.next(), fields.next(), fields.next(), fields.next(), fields.next())
            else {
                continue;
            };
            if millis.parse().is_ok_and(|millis| Duration::from_millis(millis) <= TEST_LIMIT) {
                for number in hits.split(',').filter_map(|hit| hit.parse::<usize>().ok()) {
                    if let Some(tests) = tests.get_mut(number) {
                        tests.push(test.to_owned());
                    }
                }
            }
        }
        Coverage { tests }
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
    use super::Coverage;

    #[test]
    fn only_quick_tests_that_pass_count() {
        let text =
            "test\ta\t12\tpassed\t0,2\ntest\tb\t12\tfailed\t0\ntest\tc\t2000\tpassed\t0\ntest\td\t1\tpassed\t\nend";
        let coverage = Coverage::parse(text, 3);
        assert_eq!(coverage.tests_of(0), ["a"]);
        assert!(coverage.tests_of(1).is_empty());
        assert_eq!(coverage.tests_of(2), ["a"]);
        assert!(coverage.tests_of(9).is_empty());
    }
}
