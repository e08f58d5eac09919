//! `whydunit record`: runs a command and keeps what its JVMs did.

use crate::config::{Config, Pattern, Size};
use crate::context::{Context, GOOD, Outcome};
use crate::error::{Result, UserError};
use crate::launch::{Attach, Launch, Libraries};
use crate::text;
use jiff::Timestamp;
use serde::Serialize;
use std::ffi::OsString;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use whydunit_store::{Adopted, CommandExit, Ending, Run, RunId, Session, SessionInfo, Store};

/// Run a command and record every JVM that it starts
///
/// The command's output, input, signals and exit code are its own. Each JVM becomes a run; a JVM in which no
/// class is in scope leaves none. By default the program's own classes are in scope: not the JDK, build tools,
/// test frameworks and logging.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  whydunit record -- java -cp classes com.acme.Main
  whydunit record -- mvn -q test
  whydunit record --include com.acme --include java.util -- ./run.sh
  whydunit record --check --name before-fix -- ant test

The file whydunit.toml in the project's folder may hold the same settings:
  include = [\"com.acme\"]
  exclude = [\"com.acme.generated\"]
  size-limit = \"2G\"
  source-roots = [\"src/gen/java\"]")]
pub(crate) struct Record {
    /// Record only these packages or classes, such as `com.acme` or `java.util`
    #[arg(long, value_name = "PATTERN")]
    include: Vec<Pattern>,

    /// Leave out these packages or classes; the longer pattern decides
    #[arg(long, value_name = "PATTERN")]
    exclude: Vec<Pattern>,

    /// Record redundant facts too, against which `whydunit verify` compares the replay
    #[arg(long)]
    check: bool,

    /// End the recording, not the program, at this size [default: 10G]
    #[arg(long, value_name = "SIZE")]
    size_limit: Option<Size>,

    /// Name of the run; further JVMs get `NAME-2`, `NAME-3`, …
    #[arg(long)]
    name: Option<String>,

    /// How the agent gets into the JVMs
    #[arg(long, value_enum, default_value_t, value_name = "HOW")]
    attach: Attach,

    /// The command and its arguments
    #[arg(required = true, trailing_var_arg = true)]
    command: Vec<OsString>,
}

const DEFAULT_SIZE_LIMIT: Size = Size(10_000_000_000);
const STRING_LIMIT: u32 = 4096;
const CONFIG_NAME: &str = "agent.json";

/// What the agent reads when a JVM starts.
#[derive(Debug, Serialize)]
struct AgentConfig<'a> {
    out: &'a Path,
    include: Vec<Pattern>,
    exclude: Vec<Pattern>,
    check: bool,
    size_limit: u64,
    string_limit: u32,
}

/// What `--json` prints.
#[derive(Debug, Serialize)]
struct Summary<'a> {
    runs: Vec<&'a str>,
    /// Processes of JVMs that outlived the command.
    running: &'a [u32],
    problems: Vec<&'a str>,
    exit: CommandExit,
}

impl Record {
    pub(crate) fn run(self, context: &Context) -> Result<Outcome> {
        let Some((program, arguments)) = self.command.split_first() else {
            return Err(UserError::new("no command given").hint("write it behind `--`").into());
        };
        let cwd = context.cwd()?;
        let config = Config::find(&cwd)?;
        let name = self.name.as_deref().map(RunId::new).transpose()?;
        let store = context.store()?;
        let session = store.begin(SessionInfo {
            command: self.command.iter().map(|word| word.to_string_lossy().into_owned()).collect(),
            cwd,
            started: Timestamp::now(),
            recorder_pid: std::process::id(),
            name,
            source_roots: config.source_roots.clone(),
            exit: CommandExit::Unknown,
        })?;
        let launched = self.write_config(&session, config).and_then(|agent_config| {
            let libraries = Libraries::install(&session.dir)?;
            let attach = self.attach;
            Launch { program, arguments, attach, libraries: &libraries, agent_config: &agent_config }.run()
        });
        let exit = match launched {
            Ok(exit) => exit,
            Err(error) => {
                store.adopt(&session, CommandExit::Unknown)?;
                return Err(error);
            }
        };
        finish(context, &store, &session, exit)
    }

    fn write_config(&self, session: &Session, config: Config) -> Result<PathBuf> {
        let limit = self.size_limit.or(config.size_limit).unwrap_or(DEFAULT_SIZE_LIMIT);
        let settings = AgentConfig {
            out: &session.dir,
            include: [config.include, self.include.clone()].concat(),
            exclude: [config.exclude, self.exclude.clone()].concat(),
            check: self.check,
            size_limit: limit.0,
            string_limit: STRING_LIMIT,
        };
        let path = session.dir.join(CONFIG_NAME);
        let written = serde_json::to_vec_pretty(&settings).map_err(Into::into).and_then(|text| fs::write(&path, text));
        written.map_err(|error| UserError::new(format!("cannot write {}", path.display())).caused_by(error))?;
        Ok(path)
    }
}

/// Takes the runs into the store and says what there is. The command's own failure stays the exit code.
fn finish(context: &Context, store: &Store, session: &Session, exit: CommandExit) -> Result<Outcome> {
    let code = exit_code(exit);
    let adopted = match store.adopt(session, exit) {
        Ok(adopted) => adopted,
        Err(error) if code == 0 => return Err(error.into()),
        Err(error) => {
            context.warn(&error.to_string(), &format!("what was recorded is still in {}", session.dir.display()));
            return Ok(Outcome::ExitLikeCommand(code));
        }
    };
    if context.json {
        return summarize(context, &adopted, exit);
    }
    for run in &adopted.runs {
        report(context, run);
    }
    for pid in &adopted.running {
        context.note(&format!("process {pid} still runs; its run can be seen once it has ended"));
    }
    if let Some(last) = adopted.runs.last() {
        let spec = if adopted.runs.len() == 1 { "latest" } else { last.id.as_str() };
        context.note(&format!("next: `{}`", context.command(&format!("info {spec}"))));
        return Ok(Outcome::ExitLikeCommand(code));
    }
    if !adopted.running.is_empty() {
        return Ok(Outcome::ExitLikeCommand(code));
    }
    let error = nothing_recorded(&adopted);
    if code == 0 {
        return Err(error.into());
    }
    context.warn(&error.message, error.hint.as_deref().unwrap_or("see `whydunit record --help`"));
    Ok(Outcome::ExitLikeCommand(code))
}

/// One line of JSON on stderr: stdout belongs to the command.
fn summarize(context: &Context, adopted: &Adopted, exit: CommandExit) -> Result<Outcome> {
    let summary = Summary {
        runs: adopted.runs.iter().map(|run| run.id.as_str()).collect(),
        running: &adopted.running,
        problems: adopted.unsupported.iter().chain(&adopted.unreadable).map(String::as_str).collect(),
        exit,
    };
    let text = serde_json::to_string(&summary).map_err(io::Error::other)?;
    writeln!(context.stderr(), "{text}")?;
    let nothing = adopted.runs.is_empty() && adopted.running.is_empty();
    let code = exit_code(exit);
    Ok(Outcome::ExitLikeCommand(if code == 0 && nothing { 2 } else { code }))
}

fn report(context: &Context, run: &Run) {
    let Some(meta) = &run.meta else { return };
    let ending = if meta.ending == Ending::Complete { String::new() } else { format!(" ({})", meta.ending) };
    context.note(&format!(
        "recorded {GOOD}{}{GOOD:#}: {}, {}, {}{ending}",
        run.id,
        text::count(meta.classes, "class", "classes"),
        text::count(meta.threads, "thread", "threads"),
        text::bytes(meta.size),
    ));
    if meta.classes_without_lines > 0 {
        let without = text::count(meta.classes_without_lines, "class has", "classes have");
        context
            .warn(&format!("{without} no line numbers"), "compile with `-g` to see source lines and local variables");
    }
}

fn nothing_recorded(adopted: &Adopted) -> UserError {
    if let Some(reason) = adopted.unsupported.first() {
        return UserError::new(format!("this JVM cannot be recorded: {reason}"))
            .hint("use a HotSpot JDK, version 17 or newer");
    }
    if let Some(reason) = adopted.unreadable.first() {
        return UserError::new(format!("the recording cannot be read: {reason}"))
            .hint("is the disk full, or was the JVM killed as it started? record it again");
    }
    if adopted.jvms > 0 {
        let jvms = text::count(adopted.jvms, "JVM ran", "JVMs ran");
        return UserError::new(format!("nothing was recorded: {jvms}, but no class was in scope"))
            .hint("name the program's packages with `--include com.acme`");
    }
    UserError::new("nothing was recorded: the command ran no JVM, or none with a class in scope").hint(
        "name the program's packages with `--include com.acme`; \
         a JVM in a daemon or a container is out of reach: stop the daemon, or record in the container",
    )
}

/// As a shell would give it: 128 and the number of the signal.
fn exit_code(exit: CommandExit) -> u8 {
    match exit {
        CommandExit::Code(code) => code.to_le_bytes()[0],
        CommandExit::Signal(signal) => 128u8.wrapping_add(signal.to_le_bytes()[0]),
        CommandExit::Unknown => 2,
    }
}
