//! The libraries whose published tests are run, and how.

use crate::maven::{Artifact, Part};
use crate::workshop::{Workshop, class_path};
use anyhow::{Context, Result};
use std::ffi::OsString;
use std::fs;
use std::path::Path;

#[derive(Debug)]
pub(crate) struct Suite {
    pub(crate) library: Artifact,
    /// Packages of `java.base` that the tests look into by reflection.
    opens: &'static [&'static str],
}

pub(crate) const CATALOGUE: &[Suite] = &[
    Suite {
        library: Artifact::new("org.apache.commons", "commons-lang3", "3.12.0"),
        opens: &["java.lang", "java.lang.reflect", "java.util"],
    },
    Suite { library: Artifact::new("org.apache.commons", "commons-collections4", "4.4"), opens: &[] },
    Suite { library: Artifact::new("org.apache.commons", "commons-math3", "3.6.1"), opens: &[] },
    Suite { library: Artifact::new("commons-codec", "commons-codec", "1.15"), opens: &[] },
    Suite { library: Artifact::new("org.apache.commons", "commons-csv", "1.9.0"), opens: &[] },
    Suite { library: Artifact::new("org.apache.commons", "commons-text", "1.10.0"), opens: &[] },
];

const LAUNCHER: Artifact = Artifact::new("org.junit.platform", "junit-platform-console-standalone", "1.9.3");

/// Classes among the tests that measure speed: they only take time, and some fetch large files.
const MEASUREMENTS: &str = ".*Performance.*";

/// Parts of JUnit that the launcher brings along, in versions that fit together.
const IN_LAUNCHER: [&str; 5] = ["junit-platform", "junit-jupiter", "junit-vintage", "opentest4j", "apiguardian"];

pub(crate) fn find_suite(name: &str) -> Option<&'static Suite> {
    CATALOGUE.iter().find(|suite| suite.name() == name)
}

impl Suite {
    pub(crate) fn name(&self) -> &'static str {
        self.library.name
    }

    /// Runs every test of the library, each in the order that JUnit chooses, with reports in a folder.
    pub(crate) fn java_arguments(&self, workshop: &Workshop, reports: &Path) -> Result<Vec<OsString>> {
        let maven = &workshop.maven;
        let tests = maven.file(self.library, Part::Tests)?;
        let mut jars = vec![maven.file(self.library, Part::Jar)?, tests.clone()];
        jars.extend(maven.test_dependencies(self.library)?.into_iter().filter(|jar| !is_in_launcher(jar)));

        let mut arguments = Vec::new();
        for package in self.opens {
            arguments.push(format!("--add-opens=java.base/{package}=ALL-UNNAMED").into());
        }
        arguments.push("-jar".into());
        arguments.push(maven.file(LAUNCHER, Part::Jar)?.into());
        arguments.push("--class-path".into());
        arguments.push(class_path(&jars)?);
        arguments.push("--scan-class-path".into());
        arguments.push(tests.into());
        arguments.push("--include-classname=.*Test|.*TestCase|(.*\\.)?Test[^.]*".into());
        arguments.push(format!("--exclude-classname={MEASUREMENTS}").into());
        arguments.extend(["--disable-banner", "--details=none", "--reports-dir"].map(OsString::from));
        arguments.push(reports.into());
        Ok(arguments)
    }

    /// Puts the tests' data where they were written to look for it: in a project's folder.
    pub(crate) fn make_project(&self, workshop: &Workshop, project: &Path) -> Result<()> {
        workshop.unpack(&workshop.maven.file(self.library, Part::Tests)?, &project.join("src/test/resources"))?;
        let target = project.join("target");
        fs::create_dir_all(&target).with_context(|| format!("cannot create {}", target.display()))
    }
}

fn is_in_launcher(jar: &Path) -> bool {
    let name = jar.file_name().unwrap_or_default().to_string_lossy();
    IN_LAUNCHER.iter().any(|part| name.starts_with(part))
}
