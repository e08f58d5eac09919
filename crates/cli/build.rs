//! Builds the agent and the preload library and hands their paths to `include_bytes!`.
//!
//! They are separate builds because they are always optimised, whatever profile the command itself has.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

const LIBRARIES: [(&str, &str); 2] =
    [("whydunit-agent", "WHYDUNIT_AGENT_LIBRARY"), ("whydunit-preload", "WHYDUNIT_PRELOAD_LIBRARY")];

fn main() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    for name in ["agent", "instrument", "trace", "classfile", "preload"] {
        println!("cargo::rerun-if-changed={}", crates.join(name).display());
    }
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR")).join("libraries");
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut build = Command::new(cargo);
    build.current_dir(&crates).args(["build", "--release", "--quiet"]).arg("--target-dir").arg(&out);
    for (package, _) in LIBRARIES {
        build.args(["--package", package]);
    }
    for (name, _) in env::vars_os() {
        if confuses_cargo(&name.to_string_lossy()) {
            build.env_remove(name);
        }
    }
    build.env("CARGO_PROFILE_RELEASE_STRIP", "debuginfo");
    let status = build.status().expect("cargo runs");
    assert!(status.success(), "the libraries that are loaded into JVMs could not be built");
    for (package, variable) in LIBRARIES {
        let file = format!("lib{}.so", package.replace('-', "_"));
        println!("cargo::rustc-env={variable}={}", out.join("release").join(file).display());
    }
}

/// What the outer cargo sets for this build only, such as clippy's wrapper or the flags of a coverage run.
fn confuses_cargo(variable: &str) -> bool {
    let kept = ["CARGO_HOME", "CARGO_NET_", "CARGO_HTTP_", "CARGO_REGISTR"];
    let from_cargo = variable.starts_with("CARGO") && !kept.iter().any(|prefix| variable.starts_with(prefix));
    let from_rustc = ["RUSTFLAGS", "RUSTC", "RUSTC_WRAPPER", "RUSTC_WORKSPACE_WRAPPER", "RUSTDOC", "RUSTDOCFLAGS"];
    from_cargo || from_rustc.contains(&variable)
}
