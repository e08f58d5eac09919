//! `whydunit record`: runs a command and keeps what its JVMs did.

mod nothing;
mod patterns;

use crate::config::{Config, Pattern, Size};
use crate::context::{Context, GOOD, Outcome};
use crate::error::{Result, UserError};
use crate::launch::{Attach, Launch, Libraries};
use crate::text;
use jiff::Timestamp;
use patterns::{List, Patterns};
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

The nearest file whydunit.toml, in this folder or above, may hold the same settings, to which those
of the command line are added:
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
/// Bytes of a run whose index takes many seconds.
const LONG: u64 = 50_000_000;
const STRING_LIMIT: u32 = 4096;
const CONFIG_NAME: &str = "agent.json";

/// What the agent reads when a JVM starts.
#[derive(Debug, Serialize)]
struct AgentConfig<'a> {
    out: &'a Path,
    include: &'a [Pattern],
    exclude: &'a [Pattern],
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
    problems: Vec<String>,
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
        let patterns = Patterns {
            include: List::include(config.include, &self.include),
            exclude: List::exclude(config.exclude, &self.exclude),
        };
        let limit = self.size_limit.or(config.size_limit).unwrap_or(DEFAULT_SIZE_LIMIT);
        let launched = self.write_config(&session, &patterns, limit).and_then(|agent_config| {
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
        Finished { context, store: &store, session: &session, patterns: &patterns, exit }.report()
    }

    fn write_config(&self, session: &Session, patterns: &Patterns, limit: Size) -> Result<PathBuf> {
        let settings = AgentConfig {
            out: &session.dir,
            include: &patterns.include.all,
            exclude: &patterns.exclude.all,
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

/// A recording whose command has ended.
struct Finished<'a> {
    context: &'a Context,
    store: &'a Store,
    session: &'a Session,
    patterns: &'a Patterns,
    exit: CommandExit,
}

impl Finished<'_> {
    /// Takes the runs into the store and says what there is. The command's own failure stays the exit code.
    fn report(&self) -> Result<Outcome> {
        let Finished { context, session, .. } = *self;
        let code = exit_code(self.exit);
        let adopted = match self.store.adopt(session, self.exit) {
            Ok(adopted) => adopted,
            Err(error) if code == 0 => return Err(error.into()),
            Err(error) => {
                context.warn(&error.to_string(), &format!("what was recorded is still in {}", session.dir.display()));
                return Ok(Outcome::ExitLikeCommand(code));
            }
        };
        let is_nothing = adopted.runs.is_empty() && adopted.running.is_empty();
        let error = is_nothing.then(|| self.nothing(&adopted));
        if context.json {
            self.summarize(&adopted, error.as_ref())?;
            return Ok(Outcome::ExitLikeCommand(if code == 0 && is_nothing { 2 } else { code }));
        }
        if let Some(error) = error {
            if code == 0 {
                return Err(error.into());
            }
            context.warn(&error.message, error.hint.as_deref().unwrap_or("see `whydunit record --help`"));
            return Ok(Outcome::ExitLikeCommand(code));
        }
        for run in &adopted.runs {
            self.describe(run);
        }
        let has_run = |run: &&Run| run.meta.as_ref().is_some_and(|meta| meta.threads > 0);
        let first = adopted.runs.iter().find(has_run).or(adopted.runs.first());
        if let (Some(name), Some(first)) = (&session.info.name, first)
            && first.id != *name
        {
            context.note(&format!("there is a run {name} already, so this one is {}", first.id));
        }
        for pid in &adopted.running {
            context.note(&format!("process {pid} still runs; its run can be seen once it has ended"));
        }
        for words in self.in_vain(&adopted) {
            context.warn(&words, "check the spelling: `com.acme` is a package, `com.acme.Foo` a class");
        }
        if let Some(last) = adopted.runs.iter().rfind(has_run).or(adopted.runs.last()) {
            let spec = if adopted.runs.len() == 1 { "latest" } else { last.id.as_str() };
            // What failed is looked at from its end.
            let command = if code == 0 { "tree" } else { "open" };
            if last.meta.as_ref().is_some_and(|meta| meta.size > LONG) {
                let index = context.command(&format!("index {spec}"));
                context.note(&format!("a long run: the first question has to wait for its index, or `{index}` now"));
            }
            context.note(&format!("next: `{}`", context.command(&format!("{command} {spec}"))));
        }
        Ok(Outcome::ExitLikeCommand(code))
    }

    /// One line of JSON on stderr: stdout belongs to the command.
    fn summarize(&self, adopted: &Adopted, error: Option<&UserError>) -> Result<()> {
        let mut problems: Vec<String> = adopted.unsupported.iter().chain(&adopted.unreadable).cloned().collect();
        match error {
            Some(error) => problems.push(error.message.clone()),
            None => problems.extend(self.in_vain(adopted)),
        }
        let summary = Summary {
            runs: adopted.runs.iter().map(|run| run.id.as_str()).collect(),
            running: &adopted.running,
            problems,
            exit: self.exit,
        };
        let text = serde_json::to_string(&summary).map_err(io::Error::other)?;
        writeln!(self.context.stderr(), "{text}")?;
        Ok(())
    }

    fn describe(&self, run: &Run) {
        let Some(meta) = &run.meta else { return };
        let ending = if meta.ending == Ending::Complete { String::new() } else { format!(" ({})", meta.ending) };
        let elsewhere = match run.dir.parent().map(fs::canonicalize) {
            Some(Ok(folder)) if !folder.starts_with(&self.session.info.cwd) => format!(", in {}", folder.display()),
            _ => String::new(),
        };
        self.context.note(&format!(
            "recorded {GOOD}{}{GOOD:#}: {}, {}, {}{ending}{elsewhere}",
            run.id,
            text::count(meta.classes, "class", "classes"),
            text::count(meta.threads, "thread", "threads"),
            text::bytes(meta.size),
        ));
        if meta.lacks_lines() {
            let without = text::count(meta.classes_without_lines, "class has", "classes have");
            let hint = "compile with `-g` to see source lines and local variables";
            self.context.warn(&format!("{without} no line numbers"), hint);
        }
        if meta.lacks_sources() {
            let missing = text::count(meta.sources_missing, "source file was", "source files were");
            let hint = "name their folders in `whydunit.toml`: `source-roots = [\"src/main/java\"]`";
            self.context.warn(&format!("{missing} not found"), hint);
        }
    }

    /// Patterns of the command line that were of no use. A file may have patterns for programs of all kinds.
    fn in_vain(&self, adopted: &Adopted) -> Vec<String> {
        let lists = [&self.patterns.include, &self.patterns.exclude];
        let in_vain = lists.into_iter().flat_map(|list| list.in_vain(adopted)).filter(|pattern| !pattern.is_of_file);
        in_vain.map(|pattern| format!("{} matched no class", pattern.words)).collect()
    }

    fn nothing(&self, adopted: &Adopted) -> UserError {
        let error = nothing::explain(adopted, self.exit, self.patterns);
        match (self.store.find("latest"), &error.hint) {
            (Ok(older), Some(hint)) => {
                let hint = format!("{hint}; `latest` is still an older run, {}", older.id);
                error.hint(hint)
            }
            _ => error,
        }
    }
}

/// As a shell would give it: 128 and the number of the signal.
fn exit_code(exit: CommandExit) -> u8 {
    match exit {
        CommandExit::Code(code) => code.to_le_bytes()[0],
        CommandExit::Signal(signal) => 128u8.wrapping_add(signal.to_le_bytes()[0]),
        CommandExit::Unknown => 2,
    }
}
