//! Finds the source files of the recorded classes and keeps copies with the run.
//!
//! A file counts as the source of a class when it has the name that the compiler wrote into the class and
//! declares the class's package, and of Java has all lines that the class has code in. Files come from source roots and
//! project folders first, those nearest to the class file before others, then from `-sources` jars beside the jars of the
//! class path, then from the JDK's `src.zip`. A file that two places hold with different contents, neither better than
//! the other, is left out: no source is better than a wrong one.

mod jars;
mod package;
mod walk;

use crate::facts::is_recorded;
use crate::location::{nearest_build, project_folder};
use crate::meta::JvmInfo;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use whydunit_classfile::ClassFile;
use whydunit_trace::record::Definition;

/// Larger files are generated and nobody reads them.
const LARGEST_SOURCE: u64 = 8 << 20;

/// Where to look.
#[derive(Debug)]
pub(crate) struct Places<'a> {
    pub(crate) cwd: &'a Path,
    /// Source roots that the user named.
    pub(crate) extra: &'a [PathBuf],
    pub(crate) jvm: &'a JvmInfo,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Collected {
    pub(crate) found: usize,
    pub(crate) missing: usize,
}

/// A source file as a class names it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Wanted {
    /// `com/acme`, empty for the unnamed package.
    package: String,
    /// `Foo.java`
    file: String,
    /// The last line that has code.
    last_line: u16,
    /// The folder of the class path that has a class of the file.
    classes: Option<PathBuf>,
}

impl Wanted {
    fn of(definition: &Definition, class_path: &[PathBuf]) -> Option<Wanted> {
        let class = ClassFile::parse(&definition.bytes).ok()?;
        let file = class.source_file()?.into_owned();
        let package = definition.name.rsplit_once('/').map_or("", |(package, _)| package);
        // Both become parts of a path.
        let plain = |part: &str| !part.is_empty() && !part.starts_with('.') && !part.contains(['/', '\\', '\0']);
        let sound = plain(&file) && (package.is_empty() || package.split('/').all(plain));
        // What other compilers put in line from elsewhere they number behind the end of the file.
        let is_java = file.ends_with(".java");
        let class_file = format!("{}.class", definition.name);
        sound.then(|| Wanted {
            package: package.to_owned(),
            file,
            last_line: if is_java { last_line(&class) } else { 0 },
            classes: class_path.iter().find(|entry| entry.join(&class_file).is_file()).cloned(),
        })
    }

    /// Whether a text can be the file.
    fn fits(&self, text: &[u8]) -> bool {
        let lines = String::from_utf8_lossy(text).lines().count();
        lines >= usize::from(self.last_line) && package::declares(text, &self.file, &self.package)
    }

    fn path(&self) -> PathBuf {
        Path::new(&self.package).join(&self.file)
    }
}

/// Copies what is found to `target/com/acme/Foo.java`. Failures leave a source out and nothing else.
pub(crate) fn collect(definitions: &[Definition], places: &Places<'_>, target: &Path) -> Collected {
    let recorded = definitions.iter().filter(|definition| is_recorded(definition));
    let class_path = class_path(places);
    let mut missing = by_file(recorded.filter_map(|definition| Wanted::of(definition, &class_path)));
    let total = missing.len();

    let mut keep = |found: BTreeMap<Wanted, Vec<u8>>| {
        missing.retain(|wanted| found.get(wanted).is_none_or(|text| write(target, wanted, text).is_err()));
        missing.clone()
    };
    let mut left = keep(BTreeMap::new());
    for roots in [places.extra.to_vec(), project_roots(places, &class_path)] {
        if !left.is_empty() {
            left = keep(walk::find(&roots, &left));
        }
    }
    for jar in class_path.iter().filter_map(|entry| jars::sources_jar(entry)) {
        if !left.is_empty() {
            left = keep(jars::find(&jar, &left));
        }
    }
    if let (false, Some(home)) = (left.is_empty(), &places.jvm.java_home) {
        left = keep(jars::find(&Path::new(home).join("lib/src.zip"), &left));
    }
    Collected { found: total - left.len(), missing: left.len() }
}

/// One for each file, which all its classes have to fit.
fn by_file(classes: impl Iterator<Item = Wanted>) -> Vec<Wanted> {
    let mut files: BTreeMap<PathBuf, Wanted> = BTreeMap::new();
    for class in classes {
        let file = files.entry(class.path()).or_insert_with(|| class.clone());
        file.last_line = file.last_line.max(class.last_line);
        file.classes = file.classes.take().or(class.classes);
    }
    files.into_values().collect()
}

fn last_line(class: &ClassFile<'_>) -> u16 {
    let codes = class.methods.iter().filter_map(|method| method.code(&class.pool).ok().flatten());
    let lines = codes.flat_map(|code| code.line_numbers(&class.pool).unwrap_or_default());
    lines.map(|entry| entry.line).max().unwrap_or_default()
}

fn write(target: &Path, wanted: &Wanted, text: &[u8]) -> std::io::Result<()> {
    let path = target.join(wanted.path());
    fs::create_dir_all(path.parent().unwrap_or(target))?;
    fs::write(path, text)
}

/// The entries of the class path and the module path, as absolute paths.
fn class_path(places: &Places<'_>) -> Vec<PathBuf> {
    let base = places.jvm.working_dir.as_deref().map_or(places.cwd, Path::new);
    let lists = [&places.jvm.class_path, &places.jvm.module_path];
    let entries = lists.into_iter().flatten().flat_map(|list| list.split(':'));
    entries.filter(|entry| !entry.is_empty()).map(|entry| base.join(entry)).collect()
}

/// Folders to search: where classes come from, the projects they belong to, and the project of the command.
fn project_roots(places: &Places<'_>, class_path: &[PathBuf]) -> Vec<PathBuf> {
    let mut roots = vec![places.cwd.to_owned()];
    for entry in class_path {
        if entry.is_dir() {
            roots.push(entry.clone());
            roots.extend(nearest_build(entry).map(Path::to_owned));
        } else if is_build_output(entry) {
            roots.extend(nearest_build(entry).map(Path::to_owned));
        }
    }
    roots.push(project_folder(places.cwd).to_owned());
    let mut seen = Vec::new();
    roots.retain(|root| {
        let real = fs::canonicalize(root).unwrap_or_else(|_| root.clone());
        let new = !seen.contains(&real);
        seen.push(real);
        new
    });
    roots
}

fn is_build_output(jar: &Path) -> bool {
    jar.ancestors().skip(1).take(3).any(|folder| {
        folder.file_name().is_some_and(|name| ["target", "build", "libs", "dist"].iter().any(|known| name == *known))
    })
}

#[cfg(test)]
mod tests;
