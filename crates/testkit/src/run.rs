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

/// How programs are recorded: `whydunit --store STORE record --check OPTIONS… -- java JVM_OPTIONS… …`.
#[derive(Debug, Clone, Copy)]
pub struct Recorder<'a> {
    pub whydunit: &'a Path,
    pub store: &'a Path,
    pub options: &'a [&'a str],
    pub jvm_options: &'a [&'a str],
}

impl Recorder<'_> {
    pub fn record(&self, program: &Program, jdk: &Jdk) -> Result<Output> {
        let compiled = compile(program, jdk)?;
        let mut command = command(self.whydunit.as_os_str());
        command.arg("--store").arg(self.store).args(["record", "--check"]).args(self.options);
        command.arg("--").arg(jdk.java()).args(java_arguments(&compiled, program, self.jvm_options));
        process::run(command, &program.header.stdin)
    }
}

/// Records `program` with the default options of the JVM.
pub fn record(program: &Program, jdk: &Jdk, extra: &[&str], whydunit: &Path, store: &Path) -> Result<Output> {
    Recorder { whydunit, store, options: extra, jvm_options: &[] }.record(program, jdk)
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
