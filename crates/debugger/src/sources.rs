//! The source files that are kept with a run.

use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::fs;
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// Source files by package path below a folder, read when they are needed.
#[derive(Debug)]
pub struct Sources {
    folder: PathBuf,
    files: RefCell<FxHashMap<PathBuf, Rc<[Box<str>]>>>,
}

impl Sources {
    pub fn new(folder: &Path) -> Sources {
        Sources { folder: folder.to_owned(), files: RefCell::default() }
    }

    /// A line, counted from 1, without the space around it. `class` is a name such as `com.acme.Cart`.
    pub fn line(&self, class: &str, file: &str, line: u32) -> Option<String> {
        let package = class.rsplit_once('.').map_or("", |(package, _)| package);
        let is_plain = |part: &str| !part.starts_with('.') && !part.contains(['/', '\\']);
        if !is_plain(file) || !package.split('.').all(is_plain) {
            return None;
        }
        let path = self.folder.join(package.replace('.', "/")).join(file);
        let lines = Rc::clone(self.files.borrow_mut().entry(path).or_insert_with_key(|path| read(path)));
        lines.get((line as usize).checked_sub(1)?).map(|line| line.trim().to_owned())
    }
}

/// No lines when the file cannot be read.
fn read(path: &Path) -> Rc<[Box<str>]> {
    let bytes = fs::read(path).unwrap_or_default();
    String::from_utf8_lossy(&bytes).lines().map(Box::from).collect()
}
