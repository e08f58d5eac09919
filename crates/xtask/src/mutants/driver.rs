//! A JVM that runs tests on request.

use super::subject::Subject;
use anyhow::{Context, Result};
use std::ffi::OsString;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Stdio};
use std::time::Duration;

/// What became of a test.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Outcome {
    Passed,
    /// With the class of the exception.
    Failed(String),
    TimedOut,
    /// The test could not be found or run.
    Missing,
}

impl Outcome {
    pub(crate) fn parse(line: &str) -> Outcome {
        match line.trim_end().split_once('\t').unwrap_or((line.trim_end(), "")) {
            ("passed", _) => Outcome::Passed,
            ("failed", exception) => Outcome::Failed(exception.to_owned()),
            ("timeout", _) => Outcome::TimedOut,
            _ => Outcome::Missing,
        }
    }
}

/// Answers lines with lines. It ends itself when a test takes too long.
#[derive(Debug)]
pub(crate) struct Driver {
    child: Child,
    requests: ChildStdin,
    answers: BufReader<ChildStdout>,
}

impl Driver {
    /// `command` is `cover` or `try`; the class path is the project's with `in_front` before it.
    pub(crate) fn start(
        subject: &Subject,
        command: &str,
        in_front: &[std::path::PathBuf],
        limit: Duration,
    ) -> Result<Driver> {
        let arguments: [OsString; 3] =
            [command.into(), subject.class_path(in_front)?, limit.as_millis().to_string().into()];
        let mut java = subject.driver(&arguments)?;
        java.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = java.spawn().with_context(|| format!("cannot run {}", subject.java.display()))?;
        let requests = child.stdin.take().context("the driver has no input")?;
        let answers = BufReader::new(child.stdout.take().context("the driver has no output")?);
        Ok(Driver { child, requests, answers })
    }

    pub(crate) fn ask(&mut self, request: &str) -> Result<()> {
        writeln!(self.requests, "{request}").and_then(|()| self.requests.flush()).context("the driver has ended")
    }

    /// `None` when the driver has ended.
    pub(crate) fn answer(&mut self) -> Result<Option<String>> {
        let mut line = String::new();
        let read = self.answers.read_line(&mut line).context("the driver's answer is no text")?;
        Ok((read > 0).then(|| line.trim_end().to_owned()))
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Runs tests of a project with one class changed, in a JVM that is started again when need be.
#[derive(Debug)]
pub(crate) struct Tester<'s> {
    subject: &'s Subject,
    limit: Duration,
    driver: Option<Driver>,
}

impl<'s> Tester<'s> {
    pub(crate) fn new(subject: &'s Subject, limit: Duration) -> Tester<'s> {
        Tester { subject, limit, driver: None }
    }

    pub(crate) fn outcome(&mut self, class: &str, file: &Path, test: &str) -> Result<Outcome> {
        let driver = match &mut self.driver {
            Some(driver) => driver,
            none => none.insert(Driver::start(self.subject, "try", &[], self.limit)?),
        };
        driver.ask(&format!("{}\t{}\t{test}", class.replace('/', "."), file.display()))?;
        let outcome = driver.answer()?.map_or(Outcome::Missing, |line| Outcome::parse(&line));
        if matches!(outcome, Outcome::TimedOut | Outcome::Missing) {
            self.driver = None;
        }
        Ok(outcome)
    }
}

#[cfg(test)]
mod tests {
    use super::Outcome;

    #[test]
    fn outcomes_are_understood() {
        assert_eq!(Outcome::parse("passed\n"), Outcome::Passed);
        assert_eq!(Outcome::parse("failed\tjava.lang.Error"), Outcome::Failed("java.lang.Error".to_owned()));
        assert_eq!(Outcome::parse("timeout"), Outcome::TimedOut);
        assert_eq!(Outcome::parse("missing"), Outcome::Missing);
        assert_eq!(Outcome::parse(""), Outcome::Missing);
    }
}
