//! The folder of runs.

use crate::error::{IoContext, StoreError};
use crate::id::{LATEST, RunId};
use crate::run::{Run, is_run_folder};
use std::fs;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// A folder with one folder for each run. Folders whose name starts with `.` are work in progress.
#[derive(Clone, Debug)]
pub struct Store {
    dir: PathBuf,
}

impl Store {
    /// A store at `dir`, which need not exist yet.
    pub fn open(dir: impl Into<PathBuf>) -> Store {
        Store { dir: dir.into() }
    }

    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// All runs, the newest first.
    pub fn list(&self) -> Result<Vec<Run>, StoreError> {
        let entries = match fs::read_dir(&self.dir) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            other => other.context("read", &self.dir)?,
        };
        let mut runs = Vec::new();
        for entry in entries {
            let path = entry.context("read", &self.dir)?.path();
            let name = path.file_name().and_then(|name| name.to_str());
            if let Some(id) = name.and_then(|name| RunId::new(name).ok())
                && is_run_folder(&path)
            {
                runs.push(Run::load(id, path));
            }
        }
        runs.sort_by(|a, b| (b.started(), &b.id).cmp(&(a.started(), &a.id)));
        Ok(runs)
    }

    /// The run that `spec` names: `latest`, an id, the beginning of one id only, or the last part of one only.
    pub fn find(&self, spec: &str) -> Result<Run, StoreError> {
        let runs = self.list()?;
        if runs.is_empty() {
            return Err(StoreError::NoRuns { dir: self.dir.clone() });
        }
        let position = choose(runs.iter().map(|run| &run.id).collect(), spec)?;
        runs.into_iter().nth(position).ok_or_else(|| StoreError::NoRuns { dir: self.dir.clone() })
    }

    /// Removes a run with everything in its folder.
    pub fn delete(&self, run: &Run) -> Result<(), StoreError> {
        // Out of sight first, so that a half-deleted run is never listed.
        let doomed = self.staging(".deleted-")?.keep();
        let target = doomed.join("run");
        fs::rename(&run.dir, &target).context("delete", &run.dir)?;
        fs::remove_dir_all(&doomed).context("delete", &run.dir)
    }

    /// Makes the store's folder, with a note that keeps it out of version control.
    pub(crate) fn create(&self) -> Result<(), StoreError> {
        fs::create_dir_all(&self.dir).context("create", &self.dir)?;
        let ignore = self.dir.join(".gitignore");
        if !ignore.exists() {
            fs::write(&ignore, "*\n").context("write", &ignore)?;
        }
        Ok(())
    }

    /// A new hidden folder on the same file system as the runs.
    pub(crate) fn staging(&self, prefix: &str) -> Result<tempfile::TempDir, StoreError> {
        self.create()?;
        tempfile::Builder::new()
            .prefix(prefix)
            .permissions(fs::Permissions::from_mode(0o777))
            .tempdir_in(&self.dir)
            .context("create a folder in", &self.dir)
    }

    pub(crate) fn run_dir(&self, id: &RunId) -> PathBuf {
        self.dir.join(id.as_str())
    }

    pub(crate) fn is_free(&self, id: &RunId) -> bool {
        fs::symlink_metadata(self.run_dir(id)).is_err()
    }
}

/// The position of the one id that `spec` means.
fn choose(ids: Vec<&RunId>, spec: &str) -> Result<usize, StoreError> {
    if spec == LATEST {
        return Ok(0);
    }
    let matching =
        |test: &dyn Fn(&str) -> bool| -> Vec<usize> { (0..ids.len()).filter(|&i| test(ids[i].as_str())).collect() };
    if let [exact] = matching(&|id| id == spec)[..] {
        return Ok(exact);
    }
    let mut found = if spec.is_empty() { Vec::new() } else { matching(&|id| id.starts_with(spec)) };
    if found.is_empty() {
        found = (0..ids.len()).filter(|&i| ids[i].tail() == spec).collect();
    }
    let named = |positions: &[usize]| positions.iter().map(|&i| ids[i].clone()).collect();
    match found[..] {
        [one] => Ok(one),
        [] => Err(StoreError::UnknownRun { spec: spec.to_owned(), nearest: nearest(&ids, spec) }),
        _ => Err(StoreError::AmbiguousRun { spec: spec.to_owned(), candidates: named(&found) }),
    }
}

/// The ids most like `spec`, the best first.
fn nearest(ids: &[&RunId], spec: &str) -> Vec<RunId> {
    const SHOWN: usize = 3;
    let mut ranked: Vec<(usize, &RunId)> = ids.iter().map(|&id| (distance(id.as_str(), spec), id)).collect();
    ranked.sort_by_key(|&(distance, _)| distance);
    ranked.into_iter().take(SHOWN).map(|(_, id)| id.clone()).collect()
}

/// Edit distance.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, from) in a.chars().enumerate() {
        let mut diagonal = i;
        let mut left = i + 1;
        row[0] = left;
        for (j, &to) in b.iter().enumerate() {
            let above = row[j + 1];
            left = (diagonal + usize::from(from != to)).min(above + 1).min(left + 1);
            diagonal = above;
            row[j + 1] = left;
        }
    }
    row.last().copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::TRACE_FILE;

    fn ids(names: &[&str]) -> Vec<RunId> {
        names.iter().map(|name| RunId::new(name).expect("a valid name")).collect()
    }

    fn chosen<'n>(names: &[&'n str], spec: &str) -> Result<&'n str, String> {
        let ids = ids(names);
        choose(ids.iter().collect(), spec).map(|i| names[i]).map_err(|error| match error {
            StoreError::UnknownRun { nearest, .. } => {
                format!("unknown, nearest {}", nearest[0])
            }
            StoreError::AmbiguousRun { candidates, .. } => {
                format!("ambiguous, {}", candidates.len())
            }
            other => other.to_string(),
        })
    }

    #[test]
    fn specs() {
        let runs = ["20261116-0900-kkk", "20261115-2107-a3f", "20261115-2106-b4g", "nightly", "nightly-2"];
        assert_eq!(chosen(&runs, "latest"), Ok("20261116-0900-kkk"));
        assert_eq!(chosen(&runs, "20261116"), Ok("20261116-0900-kkk"));
        assert_eq!(chosen(&runs, "a3f"), Ok("20261115-2107-a3f"));
        assert_eq!(chosen(&runs, "nightly"), Ok("nightly"), "an exact name wins over a beginning");
        assert_eq!(chosen(&runs, "20261115"), Err("ambiguous, 2".into()));
        assert_eq!(chosen(&runs, "nigthly"), Err("unknown, nearest nightly".into()));
        assert_eq!(chosen(&runs, "20261115-2107-a3g"), Err("unknown, nearest 20261115-2107-a3f".into()));
        assert!(chosen(&runs, "").is_err());
    }

    #[test]
    fn half_written_runs_are_listed_with_a_note() {
        let folder = tempfile::tempdir().expect("a folder");
        let store = Store::open(folder.path().join("runs"));
        assert!(store.list().expect("an empty list").is_empty());
        store.create().expect("a store");
        for (name, file, text) in [("no-description", TRACE_FILE, ""), ("bad-description", "run.json", "{")] {
            fs::create_dir(store.dir().join(name)).expect("a folder");
            fs::write(store.dir().join(name).join(file), text).expect("a file");
        }
        fs::create_dir(store.dir().join("not-a-run")).expect("a folder");
        let mut notes: Vec<String> = store
            .list()
            .expect("a list")
            .iter()
            .map(|run| {
                let notes: Vec<String> = run.notes.iter().map(|note| note.to_string()).collect();
                format!("{}: {}", run.id, notes.join("; "))
            })
            .collect();
        notes.sort();
        expect_test::expect![[r#"
            bad-description: run.json is unreadable: EOF while parsing an object at line 1 column 1; trace.wdt is missing
            no-description: run.json is missing"#]]
        .assert_eq(&notes.join("\n"));
    }

    #[test]
    fn deleting_leaves_nothing() {
        let folder = tempfile::tempdir().expect("a folder");
        let store = Store::open(folder.path());
        fs::create_dir(folder.path().join("one")).expect("a folder");
        fs::write(folder.path().join("one").join(TRACE_FILE), "x").expect("a file");
        let run = store.find("one").expect("the run");
        store.delete(&run).expect("deleted");
        let left: Vec<_> = fs::read_dir(folder.path()).expect("readable").flatten().map(|e| e.file_name()).collect();
        assert_eq!(left, [".gitignore"]);
    }
}
