//! Compiles the Java helper with the `javac` of this machine.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

const CLASSES: [&str; 4] = ["WhydunitClass", "WhydunitForeign", "WhydunitIds", "WhydunitLog"];

fn main() {
    let sources = Path::new("java");
    println!("cargo::rerun-if-changed=java");
    println!("cargo::rerun-if-env-changed=JAVA_HOME");
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    let javac = env::var_os("JAVA_HOME")
        .map(|home| Path::new(&home).join("bin/javac"))
        .filter(|javac| javac.exists())
        .unwrap_or_else(|| PathBuf::from("javac"));
    let status = Command::new(&javac)
        .args(["-source", "11", "-target", "11", "-Xlint:-options", "-g:source,lines", "-implicit:none"])
        .args(["--add-exports", "java.base/jdk.internal.misc=ALL-UNNAMED"])
        .args(["--add-exports", "java.base/jdk.internal.vm.annotation=ALL-UNNAMED"])
        .arg("--patch-module")
        .arg(format!("java.base={}", sources.display()))
        .arg("-d")
        .arg(&out)
        .args(CLASSES.map(|class| sources.join(format!("java/lang/{class}.java"))))
        .status();
    match status {
        Ok(status) if status.success() => {}
        Ok(status) => panic!("{} failed: {status}", javac.display()),
        Err(error) => {
            panic!("cannot run {}: {error}; a JDK of version 11 or later is needed to build", javac.display())
        }
    }
}
