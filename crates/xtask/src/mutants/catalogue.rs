//! Libraries with published tests.

use crate::maven::Artifact;

#[derive(Debug)]
pub(crate) struct Project {
    pub(crate) library: Artifact,
    /// Of the library and of its tests.
    pub(crate) package: &'static str,
    /// Ends of names of classes with tests that are not run.
    pub(crate) without: &'static [&'static str],
}

/// Suites of other classes' tests, and measurements.
const NO_TESTS: &[&str] = &["TestAll", "TestAllPackages", "AllTests", "PerformanceTest", "AllPackageTestSuite"];

/// Of commons-math before 3.1 no tests are published.
pub(crate) const CATALOGUE: &[Project] = &[
    Project {
        library: Artifact::new("org.apache.commons", "commons-math3", "3.1"),
        package: "org.apache.commons.math3",
        without: NO_TESTS,
    },
    Project {
        library: Artifact::new("commons-collections", "commons-collections", "3.2.2"),
        package: "org.apache.commons.collections",
        without: NO_TESTS,
    },
    Project {
        library: Artifact::new("org.apache.commons", "commons-csv", "1.9.0"),
        package: "org.apache.commons.csv",
        without: NO_TESTS,
    },
    Project {
        library: Artifact::new("org.apache.commons", "commons-lang3", "3.12.0"),
        package: "org.apache.commons.lang3",
        without: NO_TESTS,
    },
];

impl Project {
    pub(crate) fn name(&self) -> &'static str {
        self.library.name
    }
}
