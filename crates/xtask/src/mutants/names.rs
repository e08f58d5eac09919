//! The JVM gives out the methods of a class in the order in which their names lie in its memory, which is another one in each
//! recorded run. Tests that go through methods would run in another order on the mutant than on the original, and nothing
//! could be compared. In a class-data archive names keep their places.

use crate::workshop::run;
use anyhow::{Context, Result};
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use whydunit_classfile::ClassFile;

/// An archive of names, for all recorded runs of a project.
#[derive(Debug)]
pub(super) struct NameArchive(PathBuf);

impl NameArchive {
    /// `options` are those of the JVMs that will use it.
    pub(super) fn make(java: &Path, options: &[&str], names: &BTreeSet<String>, folder: &Path) -> Result<NameArchive> {
        let (list, archive) = (folder.join("names.txt"), folder.join("names.jsa"));
        fs::write(&list, listed(names)).with_context(|| format!("cannot write {}", list.display()))?;
        let option = |name: &str, path: &Path| {
            let mut option = OsString::from(name);
            option.push(path);
            option
        };
        let mut dump = Command::new(java);
        dump.arg("-Xshare:dump").args(options).arg(option("-XX:SharedArchiveConfigFile=", &list));
        run(dump.arg(option("-XX:SharedArchiveFile=", &archive)))?;
        Ok(NameArchive(archive))
    }

    pub(super) fn option(&self) -> OsString {
        let mut option = OsString::from("-XX:SharedArchiveFile=");
        option.push(&self.0);
        option
    }
}

/// The names of all methods of some classes that the JVM's list of names can hold.
pub(super) fn method_names<'c>(classes: impl Iterator<Item = &'c Vec<u8>>) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for class in classes.filter_map(|bytes| ClassFile::parse(bytes).ok()) {
        let own = class.methods.iter().filter_map(|method| method.name(&class.pool).ok());
        names.extend(own.filter(|name| name.chars().all(|c| c.is_ascii_graphic())).map(|name| name.into_owned()));
    }
    names
}

/// As `jcmd VM.symboltable -verbose` prints them.
fn listed(names: &BTreeSet<String>) -> String {
    let mut text = "VERSION: 1.0\n@SECTION: Symbol\n".to_owned();
    for name in names {
        let _ = writeln!(text, "{} -1: {name}", name.len());
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use whydunit_testkit::Jdk;

    /// A JVM that has to use an archive and cannot does not start.
    #[test]
    fn the_jvm_takes_the_archive() {
        let jdk = Jdk::all().into_iter().find(|jdk| jdk.version >= 17).expect("a JDK");
        let folder = std::env::temp_dir().join(format!("whydunit-names-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder");
        let names = ["next".to_owned(), "<init>".to_owned()].into();
        let archive = NameArchive::make(&jdk.java(), &["-XX:+UseSerialGC"], &names, &folder).expect("an archive");
        let mut java = Command::new(jdk.java());
        java.arg("-Xshare:on").arg("-XX:+UseSerialGC").arg(archive.option()).arg("-version");
        run(&mut java).expect("it starts");
        fs::remove_dir_all(&folder).expect("removed");
    }

    #[test]
    fn names_are_listed_with_their_lengths() {
        let names = ["next".to_owned(), "<init>".to_owned()].into();
        assert_eq!(listed(&names), "VERSION: 1.0\n@SECTION: Symbol\n6 -1: <init>\n4 -1: next\n");
    }
}
