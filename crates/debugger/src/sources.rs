//! The source files that are kept with a run.

use rustc_hash::FxHashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// Source files by package path below a folder, read when they are needed.
#[derive(Debug)]
pub struct Sources {
    folder: PathBuf,
    files: Mutex<FxHashMap<PathBuf, Arc<[Box<str>]>>>,
}

impl Sources {
    pub fn new(folder: &Path) -> Sources {
        Sources { folder: folder.to_owned(), files: Mutex::default() }
    }

    /// A line, counted from 1, without the space around it. `class` is a name such as `com.acme.Cart`.
    pub fn line(&self, class: &str, file: &str, line: u32) -> Option<String> {
        self.text(class, file, line).map(|line| line.trim().to_owned())
    }

    /// A line as it stands in the file.
    pub fn text(&self, class: &str, file: &str, line: u32) -> Option<String> {
        self.lines(class, file)?.get((line as usize).checked_sub(1)?).map(|line| line.to_string())
    }

    /// All lines as they stand in the file; none if there is no such file.
    pub(crate) fn lines(&self, class: &str, file: &str) -> Option<Arc<[Box<str>]>> {
        let package = class.rsplit_once('.').map_or("", |(package, _)| package);
        let is_plain = |part: &str| !part.starts_with('.') && !part.contains(['/', '\\']);
        if !is_plain(file) || !package.split('.').all(is_plain) {
            return None;
        }
        let path = self.folder.join(package.replace('.', "/")).join(file);
        let mut files = self.files.lock().unwrap_or_else(PoisonError::into_inner);
        Some(Arc::clone(files.entry(path).or_insert_with_key(|path| read(path))))
    }
}

/// No lines when the file cannot be read.
fn read(path: &Path) -> Arc<[Box<str>]> {
    let bytes = fs::read(path).unwrap_or_default();
    String::from_utf8_lossy(&bytes).lines().map(Box::from).collect()
}
