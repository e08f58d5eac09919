use super::*;
use tempfile::TempDir;

struct Fixture {
    folder: TempDir,
    store: Store,
    run: Run,
}

fn fixture() -> Fixture {
    let folder = tempfile::tempdir().expect("a folder");
    let store = Store::open(folder.path().join("runs"));
    store.create().expect("a store");
    let dir = store.dir().join("one");
    for (name, text) in [
        ("trace.wdt", "the trace"),
        ("jvm.json", "{}"),
        ("sources/com/acme/Foo.java", "package com.acme;"),
        ("index/tree", "derived"),
    ] {
        let path = dir.join(name);
        fs::create_dir_all(path.parent().expect("a parent")).expect("folders");
        fs::write(path, text).expect("a file");
    }
    let run = store.find("one").expect("the run");
    Fixture { folder, store, run }
}

impl Fixture {
    fn exported(&self) -> Vec<u8> {
        let file = self.folder.path().join("one.whydunit");
        self.store.export(&self.run, &file).expect("an export");
        fs::read(file).expect("readable")
    }

    /// Imports `bytes` and checks that a refusal leaves nothing behind.
    fn import(&self, bytes: &[u8]) -> Result<Run, StoreError> {
        let file = self.folder.path().join("in.whydunit");
        fs::write(&file, bytes).expect("a file");
        let before = listing(self.folder.path());
        let result = self.store.import(&file, RunId::new("two").ok());
        if result.is_err() {
            assert_eq!(listing(self.folder.path()), before);
        }
        result
    }

    fn fault(&self, bytes: &[u8]) -> ArchiveFault {
        match self.import(bytes) {
            Err(StoreError::BadArchive { fault, .. }) => fault,
            other => panic!("expected a refusal, got {other:?}"),
        }
    }
}

fn listing(dir: &Path) -> Vec<String> {
    let mut names = Vec::new();
    for entry in fs::read_dir(dir).expect("readable").flatten() {
        let path = entry.path();
        if path.is_dir() {
            names.extend(listing(&path));
        }
        names.push(path.display().to_string());
    }
    names.sort();
    names
}

/// An archive with a good manifest, a trace and one more entry.
fn archive_with(add: impl FnOnce(&mut Builder<zstd::Encoder<'static, Vec<u8>>>)) -> Vec<u8> {
    let mut tar = Builder::new(zstd::Encoder::new(Vec::new(), 1).expect("an encoder"));
    let manifest = br#"{"format":1,"id":"one"}"#;
    append(&mut tar, Path::new(MANIFEST), manifest.len() as u64, &manifest[..]).expect("appended");
    append(&mut tar, Path::new("run/trace.wdt"), 1, &b"x"[..]).expect("appended");
    add(&mut tar);
    tar.into_inner().expect("a tar").finish().expect("compressed")
}

/// `Builder` refuses bad names, so the name goes into the header by hand.
fn raw_entry(name: &str, kind: EntryType, link: Option<&str>) -> Header {
    let mut header = Header::new_old();
    header.as_old_mut().name[..name.len()].copy_from_slice(name.as_bytes());
    if let Some(link) = link {
        header.as_old_mut().linkname[..link.len()].copy_from_slice(link.as_bytes());
    }
    header.set_entry_type(kind);
    header.set_size(0);
    header.set_mode(0o777);
    header.set_cksum();
    header
}

#[test]
fn a_run_comes_back_without_its_indexes() {
    let fixture = fixture();
    let imported = fixture.import(&fixture.exported()).expect("imported");
    let names: Vec<_> = listing(&imported.dir)
        .iter()
        .filter(|path| Path::new(path).is_file())
        .map(|path| path.strip_prefix(&format!("{}/", imported.dir.display())).expect("below").to_owned())
        .collect();
    assert_eq!(names, ["jvm.json", "sources/com/acme/Foo.java", "trace.wdt"]);
    assert_eq!(fs::read(imported.trace_path()).expect("readable"), b"the trace");
}

#[test]
fn a_run_is_not_overwritten() {
    let fixture = fixture();
    let file = fixture.folder.path().join("one.whydunit");
    fixture.store.export(&fixture.run, &file).expect("an export");
    let again = fixture.store.import(&file, None);
    assert!(matches!(again, Err(StoreError::RunExists { .. })), "{again:?}");
}

#[test]
fn a_file_cut_at_any_byte_is_refused() {
    let fixture = fixture();
    let whole = fixture.exported();
    for cut in 0..whole.len() {
        let fault = fixture.fault(&whole[..cut]);
        assert!(matches!(fault, ArchiveFault::Damaged(_) | ArchiveFault::NotAnExport), "cut at {cut}: {fault:?}");
    }
}

/// Not every bit of compressed data matters, but no change may go unnoticed.
#[test]
fn a_flipped_bit_is_refused_or_harmless() {
    let fixture = fixture();
    let whole = fixture.exported();
    for at in 0..whole.len() {
        let mut bytes = whole.clone();
        bytes[at] ^= 0x10;
        if let Ok(run) = fixture.import(&bytes) {
            assert_eq!(fs::read(run.trace_path()).expect("readable"), b"the trace", "byte {at}");
            fixture.store.delete(&run).expect("deleted");
        }
    }
}

#[test]
fn names_that_lead_out_are_refused() {
    let fixture = fixture();
    for name in ["run/../../evil", "../evil", "/tmp/evil", "run/..", "run", "evil", "run/a/../../b"] {
        let bytes = archive_with(|tar| {
            tar.append(&raw_entry(name, EntryType::Regular, None), io::empty()).expect("appended");
        });
        assert_eq!(fixture.fault(&bytes), ArchiveFault::UnsafeEntry(name.into()));
    }
}

#[test]
fn links_and_devices_are_refused() {
    let fixture = fixture();
    for kind in [EntryType::Symlink, EntryType::Link, EntryType::Char, EntryType::Fifo, EntryType::Directory] {
        let bytes = archive_with(|tar| {
            tar.append(&raw_entry("run/sources", kind, Some("/etc")), io::empty()).expect("appended");
        });
        assert_eq!(fixture.fault(&bytes), ArchiveFault::UnsafeEntry("run/sources".into()), "{kind:?}");
    }
}

#[test]
fn an_entry_that_comes_twice_is_refused() {
    let fixture = fixture();
    let bytes = archive_with(|tar| append(tar, Path::new("run/trace.wdt"), 1, &b"y"[..]).expect("appended"));
    assert!(fixture.import(&bytes).is_err());
}

#[test]
fn other_files_are_told_apart() {
    let fixture = fixture();
    assert_eq!(fixture.fault(b"hello, this is a text"), ArchiveFault::NotAnExport);
    assert_eq!(fixture.fault(b""), ArchiveFault::NotAnExport);
    let newer = {
        let mut tar = Builder::new(zstd::Encoder::new(Vec::new(), 1).expect("an encoder"));
        let manifest = br#"{"format":2}"#;
        append(&mut tar, Path::new(MANIFEST), manifest.len() as u64, &manifest[..]).expect("appended");
        tar.into_inner().expect("a tar").finish().expect("compressed")
    };
    assert_eq!(fixture.fault(&newer), ArchiveFault::NewerFormat { found: 2 });
    let garbage: Vec<u8> = (0..2048).map(|i: usize| (i * 7) as u8).collect();
    let garbage = fixture.fault(&zstd::encode_all(&garbage[..], 1).expect("compressed"));
    assert_eq!(garbage.to_string(), "it is damaged or cut off (its contents cannot be unpacked)");
}

#[test]
fn names_are_shown_without_what_a_terminal_would_obey() {
    let fault = ArchiveFault::UnsafeEntry("run/\u{1b}[31m\u{7}red".into());
    assert_eq!(fault.to_string(), "it holds an entry that no run has: run/[31mred");
}
