//! A run as one file: a tar of the run's folder, compressed with zstd and a checksum. Indexes stay behind, they
//! can be rebuilt.
//!
//! An import trusts nothing: it takes plain files with plain relative names only, works in a hidden folder and
//! moves that into place at the very end, so that a refused file leaves nothing behind.

use crate::error::{ArchiveFault, IoContext, StoreError};
use crate::id::RunId;
use crate::meta::{RUN_FILE, RunMeta};
use crate::run::{INDEX_FOLDER, Run, TRACE_FILE};
use crate::store::Store;
use serde::{Deserialize, Serialize};
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, BufWriter, Read, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Component, Path, PathBuf};
use tar::{Archive, Builder, EntryType, Header};

const MANIFEST: &str = "whydunit-export.json";
const RUN_PREFIX: &str = "run";
const EXPORT_FORMAT: u32 = 1;
const ZSTD_MAGIC: &[u8] = &[0x28, 0xb5, 0x2f, 0xfd];
const COMPRESSION_LEVEL: i32 = 6;
const LARGEST_MANIFEST: u64 = 1 << 16;

/// The first entry.
#[derive(Debug, Serialize, Deserialize)]
struct Manifest {
    format: u32,
    id: RunId,
}

impl Store {
    /// Writes the run to `file`, which appears only when it is complete.
    pub fn export(&self, run: &Run, file: &Path) -> Result<(), StoreError> {
        run.require_trace()?;
        let folder = match file.parent() {
            Some(parent) if !parent.as_os_str().is_empty() => parent,
            _ => Path::new("."),
        };
        let temporary = tempfile::Builder::new()
            .prefix(".export-")
            .permissions(fs::Permissions::from_mode(0o666))
            .tempfile_in(folder)
            .context("write in", folder)?;
        write_archive(run, temporary.as_file()).context("export to", file)?;
        temporary.persist(file).map_err(|e| e.error).context("write", file)?;
        Ok(())
    }

    /// Takes an exported run into the store, under its own id or `name`.
    pub fn import(&self, file: &Path, name: Option<RunId>) -> Result<Run, StoreError> {
        let input = File::open(file).context("read", file)?;
        let staging = self.staging(".import-")?;
        let refused = |fault| StoreError::BadArchive { path: file.to_owned(), fault };
        let manifest = unpack(input, staging.path()).map_err(|error| match error {
            UnpackError::Fault(fault) => refused(fault),
            UnpackError::Write(path, source) => StoreError::Io { action: "write", path, source },
        })?;
        if !staging.path().join(TRACE_FILE).is_file() {
            return Err(refused(ArchiveFault::Incomplete));
        }
        let id = name.unwrap_or(manifest.id);
        if !self.is_free(&id) {
            return Err(StoreError::RunExists { id });
        }
        rename_in_description(staging.path(), &id)?;
        let target = self.run_dir(&id);
        fs::rename(staging.path(), &target).context("create", &target)?;
        let _moved_away = staging.keep();
        Ok(Run::load(id, target))
    }
}

/// A run without a readable description is imported as it is.
fn rename_in_description(dir: &Path, id: &RunId) -> Result<(), StoreError> {
    let Ok(text) = fs::read(dir.join(RUN_FILE)) else {
        return Ok(());
    };
    match serde_json::from_slice::<RunMeta>(&text) {
        Ok(meta) => RunMeta { id: id.clone(), ..meta }.write(dir),
        Err(_) => Ok(()),
    }
}

fn write_archive(run: &Run, file: &File) -> io::Result<()> {
    let mut encoder = zstd::Encoder::new(BufWriter::new(file), COMPRESSION_LEVEL)?;
    encoder.include_checksum(true)?;
    let mut tar = Builder::new(encoder);
    let manifest = serde_json::to_vec(&Manifest { format: EXPORT_FORMAT, id: run.id.clone() })?;
    append(&mut tar, Path::new(MANIFEST), manifest.len() as u64, manifest.as_slice())?;
    append_folder(&mut tar, &run.dir, Path::new(RUN_PREFIX), &|name| name != INDEX_FOLDER)?;
    tar.into_inner()?.finish()?.flush()
}

fn append_folder<W: Write>(
    tar: &mut Builder<W>,
    dir: &Path,
    prefix: &Path,
    wanted: &dyn Fn(&str) -> bool,
) -> io::Result<()> {
    let mut entries: Vec<_> = fs::read_dir(dir)?.collect::<io::Result<_>>()?;
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let name = entry.file_name();
        let kind = entry.file_type()?;
        if !wanted(&name.to_string_lossy()) {
            continue;
        }
        if kind.is_dir() {
            append_folder(tar, &entry.path(), &prefix.join(&name), &|_| true)?;
        } else if kind.is_file() {
            let file = File::open(entry.path())?;
            // The size is fixed here: the trace of a JVM that still runs may grow meanwhile.
            let size = file.metadata()?.len();
            append(tar, &prefix.join(&name), size, file.take(size))?;
        }
    }
    Ok(())
}

fn append<W: Write>(tar: &mut Builder<W>, path: &Path, size: u64, contents: impl Read) -> io::Result<()> {
    let mut header = Header::new_gnu();
    header.set_size(size);
    header.set_mode(0o644);
    header.set_entry_type(EntryType::Regular);
    tar.append_data(&mut header, path, contents)
}

enum UnpackError {
    Fault(ArchiveFault),
    Write(PathBuf, io::Error),
}

impl From<ArchiveFault> for UnpackError {
    fn from(fault: ArchiveFault) -> UnpackError {
        UnpackError::Fault(fault)
    }
}

/// The libraries' own messages quote what they could not read, which can be anything.
fn damaged(error: io::Error) -> UnpackError {
    let how = match error.kind() {
        io::ErrorKind::UnexpectedEof => "it ends early",
        _ => "its contents cannot be unpacked",
    };
    UnpackError::Fault(ArchiveFault::Damaged(how))
}

fn unpack(input: File, into: &Path) -> Result<Manifest, UnpackError> {
    let mut input = BufReader::new(input);
    if !input.fill_buf().map_err(damaged)?.starts_with(ZSTD_MAGIC) {
        return Err(ArchiveFault::NotAnExport.into());
    }
    let decoder = zstd::Decoder::with_buffer(input).map_err(damaged)?;
    let mut archive = Archive::new(decoder);
    let mut entries = archive.entries().map_err(damaged)?;
    let Some(first) = entries.next() else {
        return Err(ArchiveFault::NotAnExport.into());
    };
    let mut first = first.map_err(damaged)?;
    let manifest = read_manifest(&mut first)?;
    for entry in entries {
        let mut entry = entry.map_err(damaged)?;
        let unsafe_entry = |path: &[u8]| ArchiveFault::UnsafeEntry(String::from_utf8_lossy(path).into_owned());
        if entry.header().entry_type() != EntryType::Regular {
            return Err(unsafe_entry(&entry.path_bytes()).into());
        }
        let name = entry.path().ok().and_then(|path| name_in_run(&path));
        let Some(name) = name else {
            return Err(unsafe_entry(&entry.path_bytes()).into());
        };
        copy_entry(&mut entry, &into.join(name))?;
    }
    // The checksum stands at the end of the compressed data, behind the last entry.
    io::copy(&mut archive.into_inner(), &mut io::sink()).map_err(damaged)?;
    Ok(manifest)
}

fn read_manifest<R: Read>(entry: &mut tar::Entry<'_, R>) -> Result<Manifest, UnpackError> {
    let is_manifest = entry.path_bytes().as_ref() == MANIFEST.as_bytes() && entry.size() <= LARGEST_MANIFEST;
    if !is_manifest {
        return Err(ArchiveFault::NotAnExport.into());
    }
    let mut text = Vec::new();
    entry.read_to_end(&mut text).map_err(damaged)?;
    let format = serde_json::from_slice::<serde_json::Value>(&text).ok().and_then(|value| value["format"].as_u64());
    match format {
        Some(found) if found > u64::from(EXPORT_FORMAT) => {
            Err(ArchiveFault::NewerFormat { found: u32::try_from(found).unwrap_or(u32::MAX) }.into())
        }
        _ => serde_json::from_slice(&text).map_err(|_| ArchiveFault::NotAnExport.into()),
    }
}

/// The path inside the run's folder, if it is one that cannot lead out of it.
fn name_in_run(path: &Path) -> Option<PathBuf> {
    let mut components = path.components();
    if components.next() != Some(Component::Normal(RUN_PREFIX.as_ref())) {
        return None;
    }
    let rest = components.as_path();
    let plain = rest.components().all(|component| matches!(component, Component::Normal(_)));
    (plain && rest.components().next().is_some()).then(|| rest.to_owned())
}

fn copy_entry<R: Read>(entry: &mut tar::Entry<'_, R>, target: &Path) -> Result<(), UnpackError> {
    let write_error = |error| UnpackError::Write(target.to_owned(), error);
    if let Some(parent) = target.parent() {
        fs::create_dir_all(parent).map_err(write_error)?;
    }
    let mut out = File::create_new(target).map_err(write_error)?;
    let mut buffer = vec![0; 1 << 16];
    let mut left = entry.size();
    loop {
        let size = entry.read(&mut buffer).map_err(damaged)?;
        if size == 0 {
            break;
        }
        out.write_all(&buffer[..size]).map_err(write_error)?;
        left = left.saturating_sub(size as u64);
    }
    if left == 0 { Ok(()) } else { Err(ArchiveFault::Damaged("a file ends early").into()) }
}

#[cfg(test)]
mod tests;
