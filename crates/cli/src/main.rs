//! The `whydunit` command. It reads arguments, asks the libraries and prints what they say.

mod commands;
mod config;
mod context;
mod error;
mod launch;
mod progress;
mod text;

use crate::commands::Command;
use crate::context::{Color, Context, Outcome};
use crate::error::{CommandError, UserError};
use clap::Parser;
use std::path::PathBuf;
use std::process::ExitCode;

/// Finds out why a JVM program did what it did.
///
/// Whydunit records a run of any JVM program and rebuilds every state of that run afterwards.
#[derive(Debug, Parser)]
#[command(name = "whydunit", version, propagate_version = true, max_term_width = 100, after_help = AFTER_HELP)]
struct Arguments {
    #[command(subcommand)]
    command: Command,

    /// Print the answer as JSON
    #[arg(long, global = true, help_heading = GLOBAL)]
    json: bool,

    /// When to use colours
    #[arg(long, global = true, value_enum, default_value_t, value_name = "WHEN", help_heading = GLOBAL)]
    color: Color,

    /// Folder of the runs [default: .whydunit/runs in the project's folder]
    #[arg(long, global = true, value_name = "DIR", env = "WHYDUNIT_HOME", hide_env_values = true, help_heading = GLOBAL)]
    store: Option<PathBuf>,
}

const GLOBAL: &str = "Global options";

const AFTER_HELP: &str = "\
Examples:
  whydunit record -- mvn -q test     record every JVM that Maven starts
  whydunit runs                      what has been recorded
  whydunit info latest               all about the last run

Exit codes: 0 done, 1 the answer is negative, 2 a mistake in the request, 101 a bug in whydunit.
`record` exits as the recorded command did; when that was 0 but nothing could be recorded, with 2.";

fn main() -> ExitCode {
    error::explain_panics();
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => return refused(&error),
    };
    let context = Context::new(arguments.json, arguments.color, arguments.store);
    match arguments.command.run(&context) {
        Ok(Outcome::Done) => ExitCode::SUCCESS,
        Ok(Outcome::Negative) => ExitCode::FAILURE,
        Ok(Outcome::ExitLikeCommand(code)) => ExitCode::from(code),
        Err(CommandError::OutputClosed) => ExitCode::SUCCESS,
        Err(CommandError::User(error)) => {
            context.print_error(&error);
            ExitCode::from(2)
        }
    }
}

/// Arguments that are none, `--help` or `--version`.
fn refused(error: &clap::Error) -> ExitCode {
    let is_mistake = error.use_stderr();
    if is_mistake && std::env::args_os().take_while(|word| word != "--").any(|word| word == "--json") {
        let text = error.render().to_string();
        let (message, rest) = text.trim_start_matches("error: ").split_once("\n\n").unwrap_or((&text, ""));
        let error = UserError::new(message.trim());
        let error = if rest.is_empty() { error } else { error.hint(rest.trim()) };
        Context::new(true, Color::Never, None).print_error(&error);
        return ExitCode::from(2);
    }
    let _ = error.print();
    if is_mistake { ExitCode::from(2) } else { ExitCode::SUCCESS }
}
