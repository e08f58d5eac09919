//! File operations that leave either the old state or the new one.

use crate::error::{IoContext, StoreError};
use std::fs;
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

/// Replaces a file in one step.
pub(crate) fn write_whole(path: &Path, contents: &[u8]) -> Result<(), StoreError> {
    let folder = path.parent().unwrap_or(Path::new("."));
    let mut temporary = tempfile::Builder::new()
        .prefix(".new-")
        .permissions(fs::Permissions::from_mode(0o666))
        .tempfile_in(folder)
        .context("write in", folder)?;
    temporary.write_all(contents).context("write", path)?;
    temporary.persist(path).map_err(|e| e.error).context("write", path)?;
    Ok(())
}

/// Bytes in all files below `dir`; what cannot be read counts nothing.
pub(crate) fn size_below(dir: &Path) -> u64 {
    let Ok(entries) = fs::read_dir(dir) else {
        return 0;
    };
    entries
        .flatten()
        .map(|entry| match entry.metadata() {
            Ok(meta) if meta.is_dir() => size_below(&entry.path()),
            Ok(meta) => meta.len(),
            Err(_) => 0,
        })
        .sum()
}
