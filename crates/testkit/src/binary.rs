//! Finds the `whydunit` command under test.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::{Error, Result, workspace_dir};

/// The command that cargo built for this test, or else the one of the same profile, brought up to date.
pub fn whydunit_binary() -> Result<PathBuf> {
    if let Some(path) = env::var_os("CARGO_BIN_EXE_whydunit") {
        return Ok(path.into());
    }
    let test = env::current_exe().map_err(Error::io("find", "the running test"))?;
    let profile_dir = profile_dir(&test);
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut build = Command::new(&cargo);
    build.current_dir(workspace_dir()).args(["build", "--quiet", "-p", "whydunit", "-p", "whydunit-agent"]);
    if profile_dir.ends_with("release") {
        build.arg("--release");
    }
    if let Some(target_dir) = profile_dir.parent() {
        build.arg("--target-dir").arg(target_dir);
    }
    let output = build.output().map_err(Error::io("run", &cargo))?;
    if !output.status.success() {
        return Err(Error::Build { messages: String::from_utf8_lossy(&output.stderr).into_owned() });
    }
    Ok(profile_dir.join("whydunit"))
}

/// Tests are in `target/debug/deps`, commands in `target/debug`.
fn profile_dir(test: &Path) -> &Path {
    let dir = test.parent().unwrap_or(test);
    if dir.ends_with("deps") { dir.parent().unwrap_or(dir) } else { dir }
}
