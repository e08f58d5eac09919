//! The direction of dependencies, as ARCHITECTURE.md states it.

use std::collections::BTreeMap;
use std::fs;
use whydunit_testkit::workspace_dir;

/// Crates from the bottom up. A crate may use only crates that stand before it.
const LAYERS: &[&str] = &[
    "classfile",
    "mutation",
    "trace",
    "instrument",
    "agent",
    "preload",
    "replay",
    "model",
    "slices",
    "alignment",
    "store",
    "feedback",
    "debugger",
    "querypoints",
    "testkit",
    "cli",
    "xtask",
];

/// Crates that the recorded JVM loads: they may use nothing above them, and nothing else may use `agent`.
const ONLY_CRATE_WITH_UNSAFE_CODE: &[&str] = &["agent", "preload"];

#[test]
fn crates_depend_downwards_only() {
    let mut manifests = BTreeMap::new();
    for entry in fs::read_dir(workspace_dir().join("crates")).expect("crates/ is readable") {
        let path = entry.expect("crates/ is readable").path();
        if let Ok(manifest) = fs::read_to_string(path.join("Cargo.toml")) {
            let name = path.file_name().expect("a folder has a name").to_string_lossy().into_owned();
            manifests.insert(name, manifest);
        }
    }
    let level = |name: &str| LAYERS.iter().position(|layer| *layer == name);
    for (name, manifest) in &manifests {
        let own = level(name).unwrap_or_else(|| panic!("crate {name} has no layer; add it to LAYERS"));
        for other in dependencies(manifest) {
            let Some(theirs) = level(&other) else { continue };
            assert!(theirs < own, "{name} must not depend on {other}, which is not below it");
            assert_ne!(other, "agent", "{name} must not link the agent");
        }
    }
}

#[test]
fn unsafe_code_is_in_the_agent_only() {
    for layer in LAYERS {
        let path = workspace_dir().join("crates").join(layer).join("Cargo.toml");
        let Ok(manifest) = fs::read_to_string(path) else { continue };
        let inherits_lints = manifest.contains("[lints]\nworkspace = true");
        let may = ONLY_CRATE_WITH_UNSAFE_CODE.contains(layer);
        assert!(inherits_lints || may, "{layer} must inherit the workspace's lints, which deny unsafe code");
    }
}

/// Names of workspace crates in the normal dependencies of a manifest.
fn dependencies(manifest: &str) -> Vec<String> {
    let mut section = "";
    let mut found = Vec::new();
    for line in manifest.lines() {
        if line.starts_with('[') {
            section = line;
        } else if section == "[dependencies]" {
            found.extend(
                line.split(['=', '.', ' ']).next().and_then(|key| key.strip_prefix("whydunit-")).map(str::to_owned),
            );
        }
    }
    found
}
