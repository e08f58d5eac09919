//! What a pass over a recording has found, kept beside it: opening a large one again does not read it through.

use crate::new_file::NewFile;
use crate::reader::Contents;
use crate::version::FormatVersion;
use serde::{Deserialize, Serialize};
use std::fs::{self, File};
use std::io::{self, Write};
use std::os::unix::fs::MetadataExt;
use std::path::Path;

/// Its last byte changes whenever the contents do.
const MAGIC: &[u8; 8] = b"WDTABLE\x01";

/// Tells a file from what was or will be in its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Stamp {
    /// Records are in the table as this format has them.
    format: u32,
    size: u64,
    seconds: i64,
    nanoseconds: i64,
}

impl Stamp {
    pub(crate) fn of(file: &File) -> io::Result<Stamp> {
        let metadata = file.metadata()?;
        let format = FormatVersion::CURRENT.0;
        Ok(Stamp { format, size: metadata.len(), seconds: metadata.mtime(), nanoseconds: metadata.mtime_nsec() })
    }
}

/// `None` when the table is missing, damaged or of something else than the recording with this stamp.
pub(crate) fn read(path: &Path, stamp: Stamp) -> Option<Contents> {
    let bytes = fs::read(path).ok()?;
    let (checksum, body) = bytes.strip_prefix(MAGIC)?.split_first_chunk()?;
    if crc32fast::hash(body) != u32::from_le_bytes(*checksum) {
        return None;
    }
    let (found, contents) = postcard::from_bytes::<(Stamp, Contents)>(body).ok()?;
    (found == stamp).then_some(contents)
}

/// Puts the table in the place of what is at `path`.
pub(crate) fn write(path: &Path, stamp: Stamp, contents: &Contents) -> io::Result<()> {
    let body = postcard::to_stdvec(&(stamp, contents)).map_err(io::Error::other)?;
    let mut new = NewFile::create(path)?;
    let file = new.file();
    file.write_all(MAGIC)?;
    file.write_all(&crc32fast::hash(&body).to_le_bytes())?;
    file.write_all(&body)?;
    new.finish()
}
