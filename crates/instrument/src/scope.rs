//! Which classes are recorded.

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

/// Java package patterns: `com.acme` and `com.acme.*` take the package and those below it, `com.acme.Foo`
/// takes a class and its nested classes, `*` takes everything but the platform.
#[derive(Clone, Debug, Default)]
pub struct Scope {
    include: Vec<String>,
    exclude: Vec<String>,
}

impl Scope {
    pub fn new(include: &[String], exclude: &[String]) -> Scope {
        let clean = |patterns: &[String]| {
            patterns
                .iter()
                .map(|p| p.trim().replace('/', ".").trim_end_matches(".**").trim_end_matches(".*").to_owned())
                .filter(|p| !p.is_empty())
                .collect()
        };
        Scope { include: clean(include), exclude: clean(exclude) }
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
            (None, None) => self.include.is_empty() && !NOT_THE_PROGRAM.iter().any(|prefix| name.starts_with(prefix)),
        }
    }

    /// Whether a pattern names classes of the platform, which are loaded before the program.
    pub fn includes_platform(&self) -> bool {
        self.include.iter().any(|p| p == "java" || p.starts_with("java.") || p == "javax" || p.starts_with("javax."))
    }
}

/// Length of the longest pattern that matches.
fn longest(patterns: &[String], name: &str) -> Option<usize> {
    patterns.iter().filter(|pattern| matches(pattern, name)).map(String::len).max()
}

fn matches(pattern: &str, name: &str) -> bool {
    if pattern == "*" || pattern == "**" {
        return !PLATFORM.iter().any(|prefix| name.starts_with(prefix));
    }
    name.strip_prefix(pattern).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '$']))
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
    fn the_platform_can_be_asked_for_but_not_its_core() {
        check(&["java"], &[], &[("java/util/ArrayList", true), ("java/lang/String", false)]);
    }
}
