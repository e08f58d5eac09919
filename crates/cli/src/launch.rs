//! Runs a command with the agent in every JVM that it starts. The command keeps our input and output, gets the
//! signals meant for it, and its exit status is ours.

mod attach;
mod elf;
mod library;
mod signals;

pub(crate) use attach::Attach;
pub(crate) use library::Libraries;

use crate::error::{Result, UserError};
use attach::Environment;
use std::env;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus};
use whydunit_store::CommandExit;

/// A command line with the way in which its JVMs get the agent.
#[derive(Debug)]
pub(crate) struct Launch<'a> {
    pub(crate) program: &'a OsStr,
    pub(crate) arguments: &'a [OsString],
    pub(crate) attach: Attach,
    pub(crate) libraries: &'a Libraries,
    pub(crate) agent_config: &'a Path,
}

impl Launch<'_> {
    /// Waits for the command to end.
    pub(crate) fn run(&self) -> Result<CommandExit> {
        let found = find_program(self.program).ok_or_else(|| not_found(self.program))?;
        let environment = Environment::choose(self.attach, &found, self.libraries, self.agent_config)?;
        let signals = signals::Relay::install().map_err(|e| UserError::new("cannot handle signals").caused_by(e))?;
        let mut command = Command::new(self.program);
        command.args(self.arguments).envs(environment.variables());
        let mut child = command.spawn().map_err(|error| not_started(self.program, error))?;
        let status = signals.relay_until_end(&mut child);
        let status = status.map_err(|e| UserError::new("cannot wait for the command").caused_by(e))?;
        Ok(exit_of(status))
    }
}

fn exit_of(status: ExitStatus) -> CommandExit {
    match (status.code(), status.signal()) {
        (Some(code), _) => CommandExit::Code(code),
        (None, Some(signal)) => CommandExit::Signal(signal),
        (None, None) => CommandExit::Unknown,
    }
}

/// The file that running `program` would execute.
fn find_program(program: &OsStr) -> Option<PathBuf> {
    let is_program =
        |path: &PathBuf| fs::metadata(path).is_ok_and(|meta| meta.is_file() && meta.permissions().mode() & 0o111 != 0);
    if program.as_encoded_bytes().contains(&b'/') {
        // What is wrong with a file that was named is said when it cannot be started.
        return Path::new(program).exists().then(|| program.into());
    }
    env::split_paths(&env::var_os("PATH")?).map(|folder| folder.join(program)).find(is_program)
}

fn not_found(program: &OsStr) -> UserError {
    let name = program.to_string_lossy();
    let base = Path::new(program).file_name().unwrap_or(program);
    let error = UserError::new(format!("there is no command `{name}`"));
    if ["java", "javac", "jshell", "jar"].iter().any(|tool| base == *tool) {
        let installed = env::var_os("JAVA_HOME").map(|home| Path::new(&home).join("bin").join(base));
        return match installed.filter(|path| path.is_file()) {
            Some(path) => error.hint(format!("no JDK is on the PATH, but JAVA_HOME has one: use {}", path.display())),
            None => error.hint("no JDK was found: install one (17 or newer) and put its `bin` folder on the PATH"),
        };
    }
    error.hint("check the spelling, or give the whole path of the command")
}

fn not_started(program: &OsStr, error: io::Error) -> UserError {
    if Path::new(program).is_dir() {
        return UserError::new(format!("`{}` is a folder, not a command", program.to_string_lossy()))
            .hint("name the program or script to run, as in `whydunit record -- java -cp classes Main`");
    }
    let hint = match error.kind() {
        io::ErrorKind::PermissionDenied => "make the file executable, or run it by its interpreter: `sh FILE`",
        io::ErrorKind::NotFound => "the interpreter in the script's first line does not exist",
        _ => "try the command without whydunit",
    };
    UserError::new(format!("cannot start `{}`", program.to_string_lossy())).caused_by(error).hint(hint)
}
