//! Which folder holds the runs when the user names none.

use std::path::{Path, PathBuf};

/// The folders that a project of our own kind has; they win over build files further down.
const OURS: &[&str] = &[".whydunit", "whydunit.toml"];
const BUILD_FILES: &[&str] =
    &["pom.xml", "build.gradle", "build.gradle.kts", "settings.gradle", "settings.gradle.kts", "build.xml", ".git"];

/// The nearest folder, from `start` upwards, with a `.whydunit` folder or a `whydunit.toml`; else the nearest
/// with a build file or `.git`; else `start` itself.
pub fn project_folder(start: &Path) -> &Path {
    nearest_with(start, OURS).or_else(|| nearest_with(start, BUILD_FILES)).unwrap_or(start)
}

/// `.whydunit/runs` in the project's folder.
pub fn default_store(start: &Path) -> PathBuf {
    project_folder(start).join(".whydunit").join("runs")
}

pub(crate) fn nearest_build(start: &Path) -> Option<&Path> {
    nearest_with(start, BUILD_FILES)
}

fn nearest_with<'p>(start: &'p Path, markers: &[&str]) -> Option<&'p Path> {
    start.ancestors().find(|folder| markers.iter().any(|marker| folder.join(marker).exists()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn own_folder_wins_over_nearer_build_file() {
        let root = tempfile::tempdir().expect("a folder");
        let module = root.path().join("module/src");
        fs::create_dir_all(&module).expect("folders");
        fs::write(root.path().join("module/pom.xml"), "").expect("a file");
        assert_eq!(project_folder(&module), root.path().join("module"));
        fs::create_dir(root.path().join(".whydunit")).expect("a folder");
        assert_eq!(project_folder(&module), root.path());
        assert_eq!(default_store(&module), root.path().join(".whydunit/runs"));
    }
}
