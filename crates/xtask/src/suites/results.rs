//! What a test suite says about itself: the XML reports of JUnit.

use anyhow::{Context, Result, bail};
use roxmltree::{Document, Node};
use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::path::Path;

/// Outcomes by the name of the test, in order. A test with parameters has one for each; which number they have
/// depends on the order in which a set was walked through.
#[derive(Debug, Default)]
pub(crate) struct Results {
    tests: BTreeMap<String, Vec<Outcome>>,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Outcome {
    Passed,
    Skipped,
    /// With the type of the exception.
    Failed(String),
}

/// A test whose outcomes are not the same in two runs.
#[derive(Debug)]
pub(crate) struct Change {
    pub(crate) test: String,
    before: Vec<Outcome>,
    after: Vec<Outcome>,
}

impl Results {
    /// Reads all reports of a folder.
    pub(crate) fn read(dir: &Path) -> Result<Results> {
        let mut results = Results::default();
        for entry in fs::read_dir(dir).with_context(|| format!("cannot read {}", dir.display()))?.flatten() {
            let path = entry.path();
            let text = fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
            results.add(&text).with_context(|| format!("{} is no report of JUnit", path.display()))?;
        }
        if results.tests.is_empty() {
            bail!("there is no test in {}", dir.display());
        }
        results.tests.values_mut().for_each(|outcomes| outcomes.sort());
        Ok(results)
    }

    fn add(&mut self, report: &str) -> Result<()> {
        let document = Document::parse(report)?;
        for test in document.descendants().filter(|node| node.has_tag_name("testcase")) {
            let part = |name| test.attribute(name).unwrap_or("?");
            let name = format!("{}.{}", part("classname"), without_number(part("name")));
            self.tests.entry(name).or_default().push(outcome(test));
        }
        Ok(())
    }

    pub(crate) fn len(&self) -> usize {
        self.tests.values().map(Vec::len).sum()
    }

    pub(crate) fn failed(&self) -> usize {
        self.tests.values().flatten().filter(|outcome| matches!(outcome, Outcome::Failed(_))).count()
    }

    pub(crate) fn changes(&self, after: &Results) -> Vec<Change> {
        let outcomes = |results: &Results, test: &str| results.tests.get(test).cloned().unwrap_or_default();
        let added = after.tests.keys().filter(|test| !self.tests.contains_key(*test));
        self.tests
            .keys()
            .chain(added)
            .map(|test| Change { test: test.clone(), before: outcomes(self, test), after: outcomes(after, test) })
            .filter(|change| change.before != change.after)
            .collect()
    }
}

/// `test(int)[12]` is `test(int)`.
fn without_number(name: &str) -> &str {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    match name.strip_suffix(']').and_then(|name| name.rsplit_once('[')) {
        Some((test, number)) if is_number(number) => test,
        _ => name,
    }
}

fn outcome(test: Node<'_, '_>) -> Outcome {
    for child in test.children() {
        match child.tag_name().name() {
            "skipped" => return Outcome::Skipped,
            "failure" | "error" => return Outcome::Failed(child.attribute("type").unwrap_or("?").to_owned()),
            _ => {}
        }
    }
    Outcome::Passed
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}, then {}", self.test, summary(&self.before), summary(&self.after))
    }
}

fn summary(outcomes: &[Outcome]) -> String {
    let mut counts: BTreeMap<&Outcome, usize> = BTreeMap::new();
    for outcome in outcomes {
        *counts.entry(outcome).or_default() += 1;
    }
    let parts: Vec<String> = counts.iter().map(|(outcome, count)| format!("{count} {outcome}")).collect();
    if parts.is_empty() { "not run".to_owned() } else { parts.join(" and ") }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Outcome::Passed => f.write_str("passed"),
            Outcome::Skipped => f.write_str("skipped"),
            Outcome::Failed(exception) => write!(f, "failed with {exception}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn results(cases: &str) -> Results {
        let mut results = Results::default();
        results.add(&format!("<testsuite>{cases}</testsuite>")).unwrap();
        results
    }

    #[test]
    fn outcomes_are_counted() {
        let results = results(
            r#"<testcase classname="A" name="a"/><testcase classname="A" name="a"><error type="E"/></testcase>
               <testcase classname="A" name="b"><skipped/></testcase>"#,
        );
        assert_eq!((results.len(), results.failed()), (3, 1));
    }

    #[test]
    fn changes_name_the_test() {
        let before = results(r#"<testcase classname="A" name="a"/><testcase classname="A" name="same"/>"#);
        let after = results(
            r#"<testcase classname="A" name="a"><failure type="E"/></testcase><testcase classname="A" name="same"/>
               <testcase classname="A" name="new"/>"#,
        );
        let changes: Vec<String> = before.changes(&after).iter().map(ToString::to_string).collect();
        assert_eq!(changes, ["A.a: 1 passed, then 1 failed with E", "A.new: not run, then 1 passed"]);
    }

    #[test]
    fn text_that_is_no_report() {
        assert!(Results::default().add("no XML").is_err());
    }
}
