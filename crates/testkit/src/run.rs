//! Runs a program plain and under `whydunit record`.

use std::ffi::OsString;
use std::path::Path;
use std::process::Command;

use crate::{Compiled, Jdk, Output, Program, Result, compile, process};

/// Runs `program` without any recording.
pub fn run_plain(program: &Program, jdk: &Jdk, jvm_options: &[&str]) -> Result<Output> {
    let compiled = compile(program, jdk)?;
    let mut command = command(jdk.java().as_os_str());
    command.args(java_arguments(&compiled, program, jvm_options));
    process::run(command, &program.header.stdin)
}

/// Runs `whydunit --store STORE record --check EXTRA… -- java …`.
pub fn record(program: &Program, jdk: &Jdk, extra: &[&str], whydunit: &Path, store: &Path) -> Result<Output> {
    let compiled = compile(program, jdk)?;
    let mut command = command(whydunit.as_os_str());
    command.arg("--store").arg(store).args(["record", "--check"]).args(extra).arg("--").arg(jdk.java());
    command.args(java_arguments(&compiled, program, &[]));
    process::run(command, &program.header.stdin)
}

/// What follows `java` on the command line.
pub fn java_arguments(compiled: &Compiled, program: &Program, jvm_options: &[&str]) -> Vec<OsString> {
    let mut arguments: Vec<OsString> = jvm_options.iter().map(OsString::from).collect();
    let (path_option, main_option) = if compiled.modules { ("--module-path", Some("-m")) } else { ("-cp", None) };
    arguments.push(path_option.into());
    arguments.push(compiled.classes.clone().into());
    arguments.extend(main_option.map(OsString::from));
    arguments.push(compiled.main_class.clone().into());
    arguments.extend(program.header.args.iter().map(OsString::from));
    arguments
}

/// A command whose virtual machine gets no options from the environment of the tests.
fn command(program: &std::ffi::OsStr) -> Command {
    let mut command = Command::new(program);
    for variable in ["JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS", "CLASSPATH"] {
        command.env_remove(variable);
    }
    command
}
