//! The test programs: what there is, and what belongs into one run of the compiler.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::{Error, Header, Jdk, Result, generated, workspace_dir};

/// A test program as it is to be run, compiled for one release.
#[derive(Debug, Clone)]
pub struct Program {
    /// The file's name without extension, with `@release` when it is compiled for a release of its own.
    pub name: String,
    pub header: Header,
    /// As `java` takes it: a class, or `module/class`.
    pub main_class: String,
    pub(crate) unit: Arc<Unit>,
}

/// What one run of the compiler translates.
#[derive(Debug, PartialEq, Eq, Hash)]
pub(crate) struct Unit {
    pub(crate) release: Option<u32>,
    pub(crate) modules: bool,
    pub(crate) sources: Vec<Source>,
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Source {
    /// Relative to the root of the sources.
    pub(crate) path: PathBuf,
    pub(crate) text: String,
}

/// A program and its sources before programs that can share a run of the compiler are put together.
struct Draft {
    name: String,
    header: Header,
    main_class: String,
    sources: Vec<Source>,
    is_folder: bool,
}

impl Program {
    /// All programs in `tests/programs`, and the generated ones, by name.
    pub fn all() -> Result<Vec<Self>> {
        Self::all_in(&workspace_dir().join("tests/programs"))
    }

    /// The program of this name in `tests/programs`.
    pub fn named(name: &str) -> Result<Option<Self>> {
        Ok(Self::all()?.into_iter().find(|program| program.name == name))
    }

    /// A program of one class, for tests that bring their own.
    pub fn of_source(class: &str, text: &str) -> Result<Self> {
        let path = PathBuf::from(class).with_extension("java");
        let sources = vec![Source { path: path.clone(), text: text.to_owned() }];
        let header = Header::parse(text, &path)?;
        let unit = Arc::new(Unit { release: header.release, modules: false, sources });
        Ok(Self { name: class.to_owned(), header, main_class: class.to_owned(), unit })
    }

    pub fn all_in(dir: &Path) -> Result<Vec<Self>> {
        let mut drafts = drafts_in(dir)?;
        for (name, text) in generated::programs() {
            drafts.push(Draft::of_file(name.to_owned(), PathBuf::from(name).with_extension("java"), text)?);
        }
        let mut programs = group(drafts);
        programs.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(programs)
    }

    /// Whether this JDK has what the program needs, and compiling for its release is not the default there.
    pub fn runs_on(&self, jdk: &Jdk) -> bool {
        let release = self.unit.release;
        self.header.jdk <= jdk.version && release.is_none_or(|release| release < jdk.version)
    }

    /// The name without the release.
    pub fn topic(&self) -> &str {
        self.name.split_once('@').map_or(&self.name, |(topic, _)| topic)
    }
}

impl Draft {
    fn of_file(name: String, path: PathBuf, text: String) -> Result<Self> {
        let header = Header::parse(&text, &path)?;
        let main_class = name.clone();
        Ok(Self { name, header, main_class, sources: vec![Source { path, text }], is_folder: false })
    }

    fn of_folder(name: String, dir: &Path) -> Result<Self> {
        let header_file = dir.join("program.txt");
        let header = Header::parse(&read(&header_file)?, &header_file)?;
        let main_class = header.main.clone().ok_or_else(|| Error::Header {
            path: header_file,
            line: String::new(),
            problem: "a folder needs the key main",
        })?;
        let mut sources = Vec::new();
        collect_sources(dir, dir, &mut sources)?;
        sources.sort();
        Ok(Self { name, header, main_class, sources, is_folder: true })
    }

    fn releases(&self) -> Vec<Option<u32>> {
        let first = self.header.release;
        std::iter::once(first).chain(self.header.releases.iter().copied().map(Some)).collect()
    }
}

fn drafts_in(dir: &Path) -> Result<Vec<Draft>> {
    let mut drafts = Vec::new();
    for path in entries(dir)? {
        let Some(name) = path.file_stem().and_then(|stem| stem.to_str()).map(str::to_owned) else {
            continue;
        };
        if path.is_dir() {
            drafts.push(Draft::of_folder(name, &path)?);
        } else if path.extension().is_some_and(|extension| extension == "java") {
            let text = read(&path)?;
            drafts.push(Draft::of_file(name, PathBuf::from(path.file_name().unwrap_or_default()), text)?);
        }
    }
    Ok(drafts)
}

/// Single files for the same JDK and release share a unit: one run of javac for all is far quicker.
fn group(drafts: Vec<Draft>) -> Vec<Program> {
    let mut shared: BTreeMap<(u32, Option<u32>), Vec<Source>> = BTreeMap::new();
    for draft in drafts.iter().filter(|draft| !draft.is_folder) {
        for release in draft.releases() {
            shared.entry((draft.header.jdk, release)).or_default().extend(draft.sources.iter().cloned());
        }
    }
    let shared: BTreeMap<_, _> = shared
        .into_iter()
        .map(|(key, sources)| (key, Arc::new(Unit { release: key.1, modules: false, sources })))
        .collect();

    let mut programs = Vec::new();
    for draft in drafts {
        for release in draft.releases() {
            let unit = match shared.get(&(draft.header.jdk, release)) {
                Some(unit) if !draft.is_folder => Arc::clone(unit),
                _ => Arc::new(Unit { release, modules: draft.header.modules, sources: draft.sources.clone() }),
            };
            let name = match release {
                Some(release) => format!("{}@{release}", draft.name),
                None => draft.name.clone(),
            };
            programs.push(Program { name, header: draft.header.clone(), main_class: draft.main_class.clone(), unit });
        }
    }
    programs
}

fn collect_sources(root: &Path, dir: &Path, sources: &mut Vec<Source>) -> Result<()> {
    for path in entries(dir)? {
        if path.is_dir() {
            collect_sources(root, &path, sources)?;
        } else if path.extension().is_some_and(|extension| extension == "java") {
            let relative = path.strip_prefix(root).unwrap_or(&path).to_path_buf();
            sources.push(Source { path: relative, text: read(&path)? });
        }
    }
    Ok(())
}

fn entries(dir: &Path) -> Result<Vec<PathBuf>> {
    let entries = fs::read_dir(dir).map_err(Error::io("list", dir))?;
    let mut paths: Vec<PathBuf> = entries
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<std::io::Result<_>>()
        .map_err(Error::io("list", dir))?;
    paths.sort();
    Ok(paths)
}

fn read(path: &Path) -> Result<String> {
    fs::read_to_string(path).map_err(Error::io("read", path))
}
