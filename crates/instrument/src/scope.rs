//! Which classes are recorded.

use std::str::FromStr;
use std::sync::atomic::{AtomicBool, Ordering};

/// Classes of the platform, of build tools and of test frameworks: recorded only when asked for by name.
const NOT_THE_PROGRAM: &[&str] = &[
    "java.",
    "javax.",
    "jdk.",
    "sun.",
    "com.sun.",
    "netscape.javascript.",
    "org.ietf.jgss.",
    "org.w3c.dom.",
    "org.xml.sax.",
    "jakarta.",
    "org.apache.maven.",
    "org.codehaus.plexus.",
    "org.codehaus.classworlds.",
    "org.eclipse.aether.",
    "org.eclipse.sisu.",
    "org.sonatype.",
    "com.google.inject.",
    "org.fusesource.jansi.",
    "org.jline.",
    "org.gradle.",
    "worker.org.gradle.",
    "org.apache.tools.ant.",
    "net.rubygrapefruit.",
    "proguard.",
    "org.junit.",
    "junit.",
    "org.hamcrest.",
    "org.opentest4j.",
    "org.apiguardian.",
    "org.testng.",
    "com.intellij.rt.",
    "org.assertj.",
    "org.mockito.",
    "net.bytebuddy.",
    "org.objenesis.",
    "org.easymock.",
    "org.powermock.",
    "io.mockk.",
    "com.google.common.truth.",
    "org.scalatest.",
    "io.kotest.",
    "org.spockframework.",
    "spock.",
    "kotlin.",
    "kotlinx.",
    "scala.",
    "groovy.",
    "org.codehaus.groovy.",
    "org.apache.groovy.",
    "clojure.",
    "org.slf4j.",
    "ch.qos.logback.",
    "org.apache.logging.",
    "org.apache.log4j.",
    "org.jacoco.",
];

/// Never recorded: the recorder itself runs on them.
const NEVER: &[&str] = &["java.lang.", "jdk.internal.", "sun."];

/// `*` does not mean these.
const PLATFORM: &[&str] = &["java.", "javax.", "jdk.", "sun.", "com.sun."];

/// Names packages or classes: `com.acme` and `com.acme.*` are the package and those below it, `com.acme.Foo` is a
/// class with its nested classes, `com.acme.Foo$Bar` and `com.acme.Foo.Bar` are one nested class with its own, `*`
/// is everything but the platform.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    /// With dots, without a `*` at its end; `*` alone stays.
    name: String,
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{text}` names no package or class: {problem}")]
pub struct BadPattern {
    text: String,
    problem: &'static str,
}

impl FromStr for Pattern {
    type Err = BadPattern;

    fn from_str(text: &str) -> Result<Pattern, BadPattern> {
        let wrong = |problem| Err(BadPattern { text: text.to_owned(), problem });
        let is_star = |part: &str| part == "*" || part == "**";
        let name = text.trim().replace('/', ".");
        if is_star(&name) {
            return Ok(Pattern { name: "*".to_owned() });
        }
        let name = name.trim_end_matches(".**").trim_end_matches(".*");
        if name.contains(',') {
            return wrong("give each pattern by itself");
        }
        if name.contains('*') {
            return wrong("`*` can stand alone or behind the last dot only");
        }
        if name.split('.').any(str::is_empty) {
            return wrong("write it as in `com.acme` or `com.acme.Foo`, with one dot between names");
        }
        let is_foreign = |c: char| c.is_whitespace() || c.is_control() || "#:;()[]<>{}'\"`\\=".contains(c);
        if name.contains(is_foreign) {
            return wrong("write it as in `com.acme` or `com.acme.Foo`");
        }
        Ok(Pattern { name: name.to_owned() })
    }
}

impl Pattern {
    /// `name` has dots between packages and `$` before nested classes.
    fn matches(&self, name: &str) -> bool {
        if self.name == "*" {
            return !PLATFORM.iter().any(|prefix| name.starts_with(prefix));
        }
        let Some((start, rest)) = name.as_bytes().split_at_checked(self.name.len()) else { return false };
        let class = name.rfind('.').map_or(0, |dot| dot + 1);
        let is_same = |(at, (asked, found)): (usize, (u8, &u8))| {
            // Sources have a dot before the name of a nested class.
            asked == *found || at > class && asked == b'.' && *found == b'$'
        };
        self.name.bytes().zip(start).enumerate().all(is_same) && matches!(rest.first(), None | Some(b'.' | b'$'))
    }
}

/// Which classes are recorded, and what was met of them.
#[derive(Debug, Default)]
pub struct Scope {
    include: Vec<Watched>,
    exclude: Vec<Watched>,
}

/// A pattern, and whether it has matched a class.
#[derive(Debug)]
struct Watched {
    /// `None` when it was malformed.
    pattern: Option<Pattern>,
    has_matched: AtomicBool,
}

impl Scope {
    /// Malformed patterns match nothing.
    pub fn new(include: &[String], exclude: &[String]) -> Scope {
        let watched = |text: &String| Watched { pattern: text.parse().ok(), has_matched: AtomicBool::new(false) };
        Scope { include: include.iter().map(watched).collect(), exclude: exclude.iter().map(watched).collect() }
    }

    /// `name` is an internal name, such as `com/acme/Foo$Bar`.
    ///
    /// The longest pattern that matches decides; without one, a class is in scope when nothing was included
    /// by name and it is not a class of the platform or of a tool.
    pub fn contains(&self, name: &str) -> bool {
        let name = name.replace('/', ".");
        if NEVER.iter().any(|prefix| name.starts_with(prefix)) {
            return false;
        }
        let included = longest(&self.include, &name);
        let excluded = longest(&self.exclude, &name);
        match (included, excluded) {
            (None, Some(_)) => false,
            (Some(inside), Some(outside)) => inside > outside,
            (Some(_), None) => true,
            (None, None) => self.include.is_empty() && is_the_programs(&name),
        }
    }

    /// Whether a pattern names classes of the platform, which are loaded before the program.
    pub fn includes_platform(&self) -> bool {
        let is_below = |name: &str, package: &str| {
            name.strip_prefix(package).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        };
        let mut names = self.include.iter().filter_map(|watched| Some(&watched.pattern.as_ref()?.name));
        names.any(|name| is_below(name, "java") || is_below(name, "javax"))
    }

    /// For each pattern to include, then for each to exclude: whether a class was asked about that it matches.
    pub fn matched(&self) -> [Vec<bool>; 2] {
        [&self.include, &self.exclude].map(|patterns| patterns.iter().map(Watched::has_matched).collect())
    }
}

impl Watched {
    fn has_matched(&self) -> bool {
        self.has_matched.load(Ordering::Relaxed)
    }
}

/// Whether the class would be recorded if nothing was included or excluded by name. `name` may be an internal name.
pub fn is_the_programs(name: &str) -> bool {
    let name = name.replace('/', ".");
    !NOT_THE_PROGRAM.iter().any(|prefix| name.starts_with(prefix))
}

/// Length of the longest pattern that matches.
fn longest(patterns: &[Watched], name: &str) -> Option<usize> {
    let matching = patterns.iter().filter_map(|watched| {
        let pattern = watched.pattern.as_ref().filter(|pattern| pattern.matches(name))?;
        watched.has_matched.store(true, Ordering::Relaxed);
        Some(pattern.name.len())
    });
    matching.max()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(include: &[&str], exclude: &[&str], expected: &[(&str, bool)]) {
        let owned = |patterns: &[&str]| patterns.iter().map(|p| (*p).to_owned()).collect::<Vec<_>>();
        let scope = Scope::new(&owned(include), &owned(exclude));
        for (name, expected) in expected {
            assert_eq!(scope.contains(name), *expected, "{name}");
        }
    }

    #[test]
    fn by_default_the_program() {
        check(
            &[],
            &[],
            &[("com/acme/Foo", true), ("Main", true), ("java/util/List", false), ("org/junit/Test", false)],
        );
    }

    #[test]
    fn the_longest_pattern_decides() {
        check(
            &["com.acme.*"],
            &["com.acme.gen"],
            &[("com/acme/Foo", true), ("com/acme/gen/Foo", false), ("com/acmex/Foo", false), ("org/other/Foo", false)],
        );
    }

    #[test]
    fn a_class_pattern_takes_nested_classes() {
        check(&["com.acme.Foo"], &[], &[("com/acme/Foo$1", true), ("com/acme/Foo2", false)]);
    }

    #[test]
    fn a_nested_class_may_be_written_with_a_dot() {
        for pattern in ["acme.Report.Bucket", "acme.Report$Bucket", "acme/Report$Bucket"] {
            check(
                &[pattern],
                &[],
                &[
                    ("acme/Report$Bucket", true),
                    ("acme/Report$Bucket$1", true),
                    ("acme/Report$Buckets", false),
                    ("acme/Report", false),
                    ("acme/ReportXBucket", false),
                ],
            );
        }
        check(
            &["acme.Report"],
            &["acme.Report.Bucket"],
            &[
                ("acme/Report", true),
                ("acme/Report$1", true),
                ("acme/Report/Part", true),
                ("acme/Report$Bucket", false),
            ],
        );
        check(&["a.b.C"], &[], &[("a/b/C", true), ("a/b$C", true), ("a$b/C", false), ("a/bxC", false)]);
        check(&["a.b$C"], &[], &[("a/b$C", true), ("a/b/C", false)]);
    }

    #[test]
    fn malformed_patterns() {
        let bad = ["", " ", "acme..x", ".acme", "acme.", "acme.*.x", "acme.Fo*", "a,b", "a b", "Foo#bar", "Foo.bar()"];
        for text in bad {
            assert!(text.parse::<Pattern>().is_err(), "{text}");
        }
        for text in ["*", "**", "acme", "acme.*", "acme.**", "acme/x", "Foo$1", "Foo$$Lambda", "a.package-info", "ä.Ö"]
        {
            assert!(text.parse::<Pattern>().is_ok(), "{text}");
        }
    }

    #[test]
    fn patterns_know_whether_they_matched() {
        let owned = |patterns: &[&str]| patterns.iter().map(|p| (*p).to_owned()).collect::<Vec<_>>();
        let scope = Scope::new(&owned(&["acme", "nothere"]), &owned(&["acme.gen"]));
        assert_eq!(scope.matched(), [vec![false, false], vec![false]]);
        assert!(scope.contains("acme/Foo") && !scope.contains("acme/gen/Foo") && !scope.contains("other/Foo"));
        assert_eq!(scope.matched(), [vec![true, false], vec![true]]);
    }

    #[test]
    fn the_platform_can_be_asked_for_but_not_its_core() {
        check(&["java"], &[], &[("java/util/ArrayList", true), ("java/lang/String", false)]);
    }
}
