//! Source files in `-sources` jars and in the JDK's `src.zip`.

use super::{LARGEST_SOURCE, Wanted};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};
use zip::ZipArchive;

/// `lib/foo-1.2-sources.jar` for `lib/foo-1.2.jar`, if there is one.
pub(super) fn sources_jar(jar: &Path) -> Option<PathBuf> {
    let stem = jar.file_name()?.to_str()?.strip_suffix(".jar")?;
    let sources = jar.with_file_name(format!("{stem}-sources.jar"));
    sources.is_file().then_some(sources)
}

/// The wanted files in the archive, which has packages at its top or below one folder for each module.
pub(super) fn find(archive: &Path, wanted: &[Wanted]) -> BTreeMap<Wanted, Vec<u8>> {
    let Some(mut zip) = File::open(archive).ok().and_then(|file| ZipArchive::new(BufReader::new(file)).ok()) else {
        return BTreeMap::new();
    };
    let by_path: BTreeMap<String, &Wanted> =
        wanted.iter().map(|one| (one.path().to_string_lossy().into_owned(), one)).collect();
    let entries: Vec<(String, &Wanted)> = zip
        .file_names()
        .flatten()
        .filter_map(|name| {
            let below_module = name.split_once('/').map(|(_, rest)| rest);
            let one = by_path.get(name.as_ref()).or_else(|| by_path.get(below_module?))?;
            Some((name.into_owned(), *one))
        })
        .collect();
    let mut found = BTreeMap::new();
    for (name, one) in entries {
        if let Some(text) = read(&mut zip, &name).filter(|text| one.fits(text)) {
            found.entry(one.clone()).or_insert(text);
        }
    }
    found
}

fn read(zip: &mut ZipArchive<BufReader<File>>, name: &str) -> Option<Vec<u8>> {
    let mut text = Vec::new();
    // The size in the directory of the archive may lie.
    zip.by_name(name).ok()?.take(LARGEST_SOURCE + 1).read_to_end(&mut text).ok()?;
    (text.len() as u64 <= LARGEST_SOURCE).then_some(text)
}
