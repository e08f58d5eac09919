//! Files that take the place of others when they are complete.

use rustix::fs::{FlockOperation, flock};
use rustix::io::Errno;
use std::fs::{self, File, Permissions};
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

/// How the names of unfinished files start.
const PREFIX: &str = ".new-";

/// A file that is being written. Dropped, it leaves nothing; a process that is killed leaves it to whoever next writes
/// a file in the same folder.
///
/// It is locked as long as it is unfinished, which tells it from a file whose process is gone.
#[derive(Debug)]
pub struct NewFile {
    file: NamedTempFile,
    path: PathBuf,
}

impl NewFile {
    /// A file that is to be at `path`, whose folder is made if need be.
    pub fn create(path: &Path) -> io::Result<NewFile> {
        let folder = path.parent().unwrap_or(Path::new("."));
        fs::create_dir_all(folder)?;
        remove_abandoned(folder);
        loop {
            // As of any other file; what the user's mask forbids stays forbidden.
            let permissions = Permissions::from_mode(0o666);
            let file = tempfile::Builder::new().prefix(PREFIX).permissions(permissions).tempfile_in(folder)?;
            // Until it was locked, another process could take it for abandoned.
            if lock(file.as_file()) != Lock::Others && file.path().exists() {
                return Ok(NewFile { file, path: path.to_owned() });
            }
        }
    }

    pub fn file(&mut self) -> &mut File {
        self.file.as_file_mut()
    }

    /// The same file, and the same lock: some file systems let nobody else write.
    pub fn handle(&self) -> io::Result<File> {
        self.file.as_file().try_clone()
    }

    /// Puts it in its place.
    pub fn finish(self) -> io::Result<()> {
        self.file.persist(&self.path).map(|_| ()).map_err(|failed| failed.error)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Lock {
    Ours,
    Others,
    /// The file system has none: then nobody takes the file for abandoned either.
    Impossible,
}

/// The lock ends with the file.
fn lock(file: &File) -> Lock {
    match flock(file, FlockOperation::NonBlockingLockExclusive) {
        Ok(()) => Lock::Ours,
        Err(Errno::WOULDBLOCK) => Lock::Others,
        Err(_) => Lock::Impossible,
    }
}

/// What cannot be removed stays.
fn remove_abandoned(folder: &Path) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        if entry.file_name().to_string_lossy().starts_with(PREFIX)
            && entry.file_type().is_ok_and(|kind| kind.is_file())
            && let Ok(file) = File::open(entry.path())
            && lock(&file) == Lock::Ours
        {
            let _ = fs::remove_file(entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).expect("a folder").flatten();
        let mut names: Vec<_> = entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }

    #[test]
    fn unfinished_files_are_left_alone_and_abandoned_ones_removed() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("index/one");
        let mut first = NewFile::create(&path).expect("a file");
        fs::write(folder.path().join("index/.new-AbCdEf"), "left by a process that was killed").expect("written");
        let second = NewFile::create(&path.with_file_name("two")).expect("a file");
        assert_eq!(names(&folder.path().join("index")).len(), 2);
        first.file().write_all(b"1").expect("written");
        first.finish().expect("in its place");
        drop(second);
        assert_eq!(names(&folder.path().join("index")), ["one"]);
        assert_eq!(fs::read(path).expect("readable"), b"1");
    }

    #[test]
    fn files_made_at_once_do_not_remove_one_another() {
        let folder = tempfile::tempdir().expect("a folder");
        std::thread::scope(|scope| {
            for number in 0..8 {
                let path = folder.path().join(number.to_string());
                scope.spawn(move || {
                    for _ in 0..50 {
                        NewFile::create(&path).expect("a file").finish().expect("still there");
                    }
                });
            }
        });
        assert_eq!(names(folder.path()).len(), 8);
    }
}
