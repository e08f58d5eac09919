//! What the tests that record real programs share.

use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use tempfile::TempDir;
use whydunit_testkit::Jdk;

/// The command under test.
pub(crate) fn whydunit() -> &'static Path {
    Path::new(env!("CARGO_BIN_EXE_whydunit"))
}

/// A program of one class, compiled in a folder that also has the store.
#[derive(Debug)]
pub(crate) struct Workplace {
    folder: TempDir,
    jdk: Jdk,
}

impl Workplace {
    /// Compiles `source`, whose class has the name `class`, with `javac_options`.
    pub(crate) fn with_program(class: &str, source: &str, javac_options: &[&str]) -> Workplace {
        let jdk = Jdk::all().into_iter().next().expect("no JDK found: set JAVA_HOME");
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join(class).with_extension("java");
        fs::write(&file, source).expect("a file");
        let compiled = Command::new(jdk.javac()).args(javac_options).arg(&file).current_dir(folder.path()).status();
        assert!(compiled.expect("javac starts").success());
        Workplace { folder, jdk }
    }

    /// Threads that compute, allocate, throw, catch and are called back, for so many rounds or, with -1, for ever.
    /// Prints its process id first and the result last.
    pub(crate) fn with_busy_program() -> Workplace {
        Workplace::with_program("Busy", include_str!("Busy.java"), &["-g"])
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    pub(crate) fn store(&self) -> PathBuf {
        self.path().join("runs")
    }

    pub(crate) fn java(&self) -> PathBuf {
        self.jdk.java()
    }

    /// `whydunit --store STORE ARGUMENTS…`
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(whydunit());
        command.arg("--store").arg(self.store()).args(arguments).current_dir(self.path());
        for variable in ["JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS", "CLASSPATH", "LD_PRELOAD"] {
            command.env_remove(variable);
        }
        command.env("NO_COLOR", "1");
        command
    }

    /// `whydunit --store STORE record OPTIONS… -- java -cp . PROGRAM…`
    pub(crate) fn recording(&self, options: &[&str], program: &[&str]) -> Command {
        let mut command = self.command(&["record"]);
        command.args(options).arg("--").arg(self.java()).args(["-cp", "."]).args(program);
        command
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> Answer {
        Answer::of(self.command(arguments))
    }

    pub(crate) fn json(&self, arguments: &[&str]) -> Value {
        json(&self.command(arguments).output().expect("whydunit starts")).expect("an answer")
    }
}

/// What a command printed and how it ended.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) stdout: String,
    pub(crate) stderr: String,
    pub(crate) code: Option<i32>,
}

impl Answer {
    pub(crate) fn of(mut command: Command) -> Answer {
        let output = command.output().expect("the command starts");
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let answer = Answer { stdout: text(&output.stdout), stderr: text(&output.stderr), code: output.status.code() };
        assert!(answer.code != Some(101) && !answer.stderr.contains("panicked"), "{command:?}: {answer:#?}");
        answer
    }

    /// Asserts a message with these words, a hint and exit code 2.
    pub(crate) fn explains(&self, words: &[&str]) {
        assert_eq!(self.code, Some(2), "{self:#?}");
        assert!(self.stderr.contains("error: ") && self.stderr.contains("\nhint: "), "{self:#?}");
        for word in words {
            assert!(self.stderr.contains(word), "no `{word}` in {self:#?}");
        }
    }
}

/// A run that replays without a difference.
#[derive(Debug)]
pub(crate) struct VerifiedRun {
    pub(crate) id: String,
    pub(crate) bytecodes: u64,
    pub(crate) facts_compared: u64,
}

/// All runs of `store`, or the differences that their replay has.
pub(crate) fn verified_runs(store: &Path) -> Result<Vec<VerifiedRun>, String> {
    let run = |arguments: &[&str]| {
        let output = Command::new(whydunit()).arg("--store").arg(store).args(arguments).output();
        json(&output.expect("the command starts"))
    };
    let listed = run(&["runs", "--json"])?;
    let ids = listed.as_array().into_iter().flatten().filter_map(|run| run["id"].as_str());
    ids.map(|id| {
        let report = run(&["verify", id, "--json"])?;
        match report["differences"].as_array() {
            Some(differences) if differences.is_empty() => {
                let number = |key: &str| report[key].as_u64().unwrap_or(0);
                Ok(VerifiedRun {
                    id: id.to_owned(),
                    bytecodes: number("bytecodes"),
                    facts_compared: number("facts_compared"),
                })
            }
            _ => Err(format!("{:#}", report["differences"])),
        }
    })
    .collect()
}

fn json(output: &Output) -> Result<Value, String> {
    serde_json::from_slice(&output.stdout)
        .map_err(|_| format!("no answer, {}: {}", output.status, String::from_utf8_lossy(&output.stderr)))
}

/// What `action` finds wrong with the items.
pub(crate) fn for_each_in_parallel<T: Sync>(items: &[T], action: impl Fn(&T) -> Option<String> + Sync) -> Vec<String> {
    let next = AtomicUsize::new(0);
    let problems = Mutex::new(Vec::new());
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(2, usize::from) {
            scope.spawn(|| {
                while let Some(item) = items.get(next.fetch_add(1, Ordering::Relaxed)) {
                    if let Some(problem) = action(item) {
                        problems.lock().expect("no thread panics here").push(problem);
                    }
                }
            });
        }
    });
    problems.into_inner().expect("no thread panicked")
}

/// Numbers that are the same in every run of the tests.
#[derive(Debug)]
pub(crate) struct FixedRandom(u64);

impl FixedRandom {
    pub(crate) fn new(seed: u64) -> FixedRandom {
        FixedRandom(seed)
    }

    /// Less than `limit`.
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap_or_default() % limit
    }
}
