//! Which folder holds the runs when the user names none.

use std::path::{Path, PathBuf};

/// The settings of a project.
pub const SETTINGS_FILE: &str = "whydunit.toml";

const OURS: &[&str] = &[".whydunit", SETTINGS_FILE];
const BUILD_FILES: &[&str] =
    &["pom.xml", "build.gradle", "build.gradle.kts", "settings.gradle", "settings.gradle.kts", "build.xml", ".git"];

/// The nearest folder, from `start` upwards, with a `.whydunit` folder, a `whydunit.toml`, a build file or `.git`; else
/// `start` itself.
pub fn project_folder(start: &Path) -> &Path {
    nearest_with(start, &[OURS, BUILD_FILES].concat()).unwrap_or(start)
}

/// The nearest folder with a `whydunit.toml`: the modules of a project may share one.
pub fn settings_folder(start: &Path) -> Option<&Path> {
    nearest_with(start, &[SETTINGS_FILE])
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
    fn the_nearest_folder_with_anything_of_a_project_wins() {
        let root = tempfile::tempdir().expect("a folder");
        let module = root.path().join("module");
        let below = module.join("src");
        fs::create_dir_all(&below).expect("folders");
        fs::create_dir(root.path().join(".whydunit")).expect("a folder");
        assert_eq!(project_folder(&below), root.path());
        assert_eq!(default_store(&below), root.path().join(".whydunit/runs"));
        fs::write(module.join("pom.xml"), "").expect("a file");
        assert_eq!(project_folder(&below), module);
        assert_eq!(default_store(&below), module.join(".whydunit/runs"));
        fs::create_dir(below.join(".whydunit")).expect("a folder");
        assert_eq!(project_folder(&below), below);
    }

    #[test]
    fn modules_may_share_their_settings() {
        let root = tempfile::tempdir().expect("a folder");
        let module = root.path().join("module");
        fs::create_dir(&module).expect("a folder");
        fs::write(module.join("pom.xml"), "").expect("a file");
        fs::write(root.path().join(SETTINGS_FILE), "").expect("a file");
        assert_eq!(settings_folder(&module), Some(root.path()));
        fs::write(module.join(SETTINGS_FILE), "").expect("a file");
        assert_eq!(settings_folder(&module), Some(module.as_path()));
    }
}
