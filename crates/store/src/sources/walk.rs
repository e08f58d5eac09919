//! Searches folders for source files, breadth first and within bounds.

use super::{LARGEST_SOURCE, Wanted};
use std::collections::{BTreeMap, VecDeque};
use std::fs;
use std::path::{Path, PathBuf};

const DEEPEST: usize = 20;
const MOST_FOLDERS: usize = 20_000;
const IGNORED: &[&str] = &["target", "build", "node_modules", "out", "bin", "dist"];

/// A file that could be the source of a class.
struct Candidate {
    rank: Rank,
    path: PathBuf,
}

/// The smaller the better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Rank {
    /// The file does not stand in the folder of its package.
    misplaced: bool,
    /// Folders between the class file's and the nearest one that has both.
    apart: usize,
    /// Position of the root in the list of roots.
    root: usize,
    /// How far below the root the package's first folder stands.
    depth: usize,
}

/// The wanted files below `roots`, earlier roots first.
pub(super) fn find(roots: &[PathBuf], wanted: &[Wanted]) -> BTreeMap<Wanted, Vec<u8>> {
    let mut by_name: BTreeMap<&str, Vec<&Wanted>> = BTreeMap::new();
    for one in wanted {
        by_name.entry(&one.file).or_default().push(one);
    }
    let mut candidates: BTreeMap<&Wanted, Vec<Candidate>> = BTreeMap::new();
    for (root, folder) in roots.iter().enumerate() {
        for_each_file(folder, &mut |path, depth| {
            let name = path.file_name().and_then(|name| name.to_str());
            for &one in name.and_then(|name| by_name.get(name)).into_iter().flatten() {
                let (misplaced, apart) = (!path.ends_with(one.path()), apart(one.classes.as_deref(), path));
                candidates
                    .entry(one)
                    .or_default()
                    .push(Candidate { rank: Rank { misplaced, apart, root, depth }, path: path.to_owned() });
            }
        });
    }
    candidates.into_iter().filter_map(|(one, candidates)| Some((one.clone(), best(one, candidates)?))).collect()
}

fn apart(classes: Option<&Path>, source: &Path) -> usize {
    classes.map_or(0, |classes| classes.ancestors().take_while(|folder| !source.starts_with(folder)).count())
}

/// The contents of the best candidate; `None` when two are equally good and differ.
fn best(wanted: &Wanted, mut candidates: Vec<Candidate>) -> Option<Vec<u8>> {
    candidates.sort_by(|a, b| (a.rank, &a.path).cmp(&(b.rank, &b.path)));
    let mut chosen: Option<(Rank, Vec<u8>)> = None;
    for candidate in candidates {
        if chosen.as_ref().is_some_and(|(rank, _)| *rank < candidate.rank) {
            break;
        }
        let Some(text) = read(&candidate.path, wanted) else {
            continue;
        };
        match &chosen {
            Some((_, other)) if *other != text => return None,
            Some(_) => {}
            None => chosen = Some((candidate.rank, text)),
        }
    }
    chosen.map(|(_, text)| text)
}

fn read(path: &Path, wanted: &Wanted) -> Option<Vec<u8>> {
    let size = fs::metadata(path).ok()?.len();
    if size > LARGEST_SOURCE {
        return None;
    }
    let text = fs::read(path).ok()?;
    wanted.fits(&text).then_some(text)
}

fn for_each_file(root: &Path, visit: &mut dyn FnMut(&Path, usize)) {
    let mut folders = VecDeque::from([(root.to_owned(), 0)]);
    let mut seen = 0;
    while let Some((folder, depth)) = folders.pop_front() {
        seen += 1;
        if seen > MOST_FOLDERS {
            return;
        }
        let Ok(entries) = fs::read_dir(&folder) else {
            continue;
        };
        for entry in entries.flatten() {
            let Ok(kind) = entry.file_type() else {
                continue;
            };
            if kind.is_file() {
                visit(&entry.path(), depth);
            } else if kind.is_dir() && depth < DEEPEST && is_searched(&entry.file_name().to_string_lossy()) {
                folders.push_back((entry.path(), depth + 1));
            }
        }
    }
}

fn is_searched(folder: &str) -> bool {
    !folder.starts_with('.') && !IGNORED.contains(&folder)
}
