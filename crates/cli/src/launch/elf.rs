//! Tells whether a program is run by the same dynamic linker as this one, so that it can load our libraries.

use std::fs::{self, File};
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom, Take};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

const SET_ID_BITS: u32 = 0o6000;
const PT_INTERP: u32 = 3;
const LONGEST_PATH: u64 = 4096;
const MOST_SCRIPTS: usize = 4;

pub(super) fn loads_our_libraries(program: &Path) -> bool {
    let Some(binary) = behind_scripts(program) else {
        return false;
    };
    // The dynamic linker ignores LD_PRELOAD in programs that run as somebody else.
    let is_plain = fs::metadata(&binary).is_ok_and(|meta| meta.permissions().mode() & SET_ID_BITS == 0);
    let ours = dynamic_linker(Path::new("/proc/self/exe"));
    is_plain && ours.is_some() && dynamic_linker(&binary) == ours
}

/// The program that interprets the script, or the program itself.
fn behind_scripts(program: &Path) -> Option<PathBuf> {
    let mut path = fs::canonicalize(program).ok()?;
    for _ in 0..MOST_SCRIPTS {
        match script_interpreter(&path) {
            Some(interpreter) => path = fs::canonicalize(interpreter).ok()?,
            None => return Some(path),
        }
    }
    None
}

fn script_interpreter(path: &Path) -> Option<PathBuf> {
    let mut line = Vec::new();
    first_bytes(path)?.read_until(b'\n', &mut line).ok()?;
    let line = String::from_utf8_lossy(line.strip_prefix(b"#!")?).into_owned();
    line.split_whitespace().next().map(PathBuf::from)
}

fn first_bytes(path: &Path) -> Option<Take<BufReader<File>>> {
    Some(BufReader::new(File::open(path).ok()?).take(LONGEST_PATH))
}

/// The path in the `PT_INTERP` header of a 64-bit little-endian ELF file.
fn dynamic_linker(path: &Path) -> Option<Vec<u8>> {
    let mut file = File::open(path).ok()?;
    let mut header = [0; 64];
    file.read_exact(&mut header).ok()?;
    if !header.starts_with(b"\x7fELF\x02\x01") {
        return None;
    }
    let (table, size, count) = (u64_at(&header, 32)?, u16_at(&header, 54)?, u16_at(&header, 56)?);
    for index in 0..u64::from(count) {
        let mut entry = [0; 56];
        file.seek(SeekFrom::Start(table.checked_add(index * u64::from(size))?)).ok()?;
        file.read_exact(&mut entry).ok()?;
        if entry.first_chunk().map(|kind| u32::from_le_bytes(*kind)) == Some(PT_INTERP) {
            let mut name = Vec::new();
            file.seek(SeekFrom::Start(u64_at(&entry, 8)?)).ok()?;
            file.take(u64_at(&entry, 32)?.min(LONGEST_PATH)).read_to_end(&mut name).ok()?;
            return Some(name);
        }
    }
    None
}

fn u64_at(bytes: &[u8], at: usize) -> Option<u64> {
    bytes.get(at..)?.first_chunk().map(|chunk| u64::from_le_bytes(*chunk))
}

fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    bytes.get(at..)?.first_chunk().map(|chunk| u16::from_le_bytes(*chunk))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_of_this_system_can_and_others_cannot() {
        let folder = tempfile::tempdir().expect("a folder");
        let write = |name: &str, text: &[u8]| {
            let path = folder.path().join(name);
            fs::write(&path, text).expect("a file");
            path
        };
        assert!(loads_our_libraries(Path::new("/bin/sh")));
        assert!(loads_our_libraries(&write("script", b"#! /bin/sh -e\nexit 0\n")));
        assert!(!loads_our_libraries(&write("loop", format!("#!{}/loop\n", folder.path().display()).as_bytes())));
        assert!(!loads_our_libraries(&write("text", b"hello")));
        assert!(!loads_our_libraries(&write("empty", b"")));
        assert!(!loads_our_libraries(&write("cut", b"\x7fELF\x02\x01")));
        assert!(!loads_our_libraries(&folder.path().join("missing")));
    }
}
