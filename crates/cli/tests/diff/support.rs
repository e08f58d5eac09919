//! Programs that are compiled once and recorded with different arguments.

use serde_json::Value as Json;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use tempfile::TempDir;
use whydunit_alignment::{Aligned, Filters, Pair, Report, Run, compare};
use whydunit_replay::{ObjectTable, Program};
use whydunit_testkit::Jdk;
use whydunit_trace::reader::Recording;

/// A program of one class and the runs of it.
pub(crate) struct Workplace {
    folder: TempDir,
    jdk: Jdk,
    class: String,
}

impl Workplace {
    pub(crate) fn new(class: &str, source: &str) -> Workplace {
        let folder = tempfile::tempdir().expect("a folder");
        // Keeps the search for the project's folder inside.
        fs::create_dir(folder.path().join(".whydunit")).expect("a folder");
        let jdk = Jdk::all().into_iter().next().expect("a JDK");
        let place = Workplace { folder, jdk, class: class.to_owned() };
        place.compile(source);
        place
    }

    pub(crate) fn compile(&self, source: &str) {
        let file = self.folder.path().join(&self.class).with_extension("java");
        fs::write(&file, source).expect("a file");
        let javac = Command::new(self.jdk.javac()).arg("-g").arg(&file).current_dir(self.folder.path()).output();
        let javac = javac.expect("javac starts");
        assert!(javac.status.success(), "{}", String::from_utf8_lossy(&javac.stderr));
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_whydunit"));
        command.args(arguments).current_dir(self.folder.path()).env("NO_COLOR", "1");
        for variable in ["WHYDUNIT_HOME", "JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS", "CLASSPATH"] {
            command.env_remove(variable);
        }
        command
    }

    pub(crate) fn record(&self, name: &str, arguments: &[&str]) {
        let mut command = self.command(&["record", "--name", name, "--"]);
        let output = command.arg(self.jdk.java()).args(["-cp", ".", &self.class]).args(arguments).output();
        let output = output.expect("whydunit starts");
        assert!(self.trace(name).is_file(), "{}", String::from_utf8_lossy(&output.stderr));
    }

    pub(crate) fn trace(&self, name: &str) -> PathBuf {
        self.folder.path().join(".whydunit/runs").join(name).join("trace.wdt")
    }

    /// Gives a run to another place.
    pub(crate) fn share(&self, name: &str, to: &Workplace) {
        let archive = to.folder.path().join(name).with_extension("whydunit");
        let export = self.command(&["export", name, "-o"]).arg(&archive).status();
        assert!(export.expect("whydunit starts").success());
        let import = to.command(&["import"]).arg(&archive).status();
        assert!(import.expect("whydunit starts").success());
    }

    /// Exit code and output of `whydunit diff`.
    pub(crate) fn diff(&self, arguments: &[&str]) -> (Option<i32>, String, String) {
        let output = self.command(&["diff"]).args(arguments).output().expect("whydunit starts");
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        (output.status.code(), text(&output.stdout), text(&output.stderr))
    }

    pub(crate) fn transcript(&self, arguments: &[&str]) -> String {
        let (code, out, notes) = self.diff(arguments);
        format!("{out}{notes}exit code {}\n", code.map_or("none".to_owned(), |code| code.to_string()))
    }

    pub(crate) fn json(&self, arguments: &[&str]) -> Json {
        let mut all = vec!["--json"];
        all.extend(arguments);
        let (_, out, notes) = self.diff(&all);
        serde_json::from_str(&out).unwrap_or_else(|_| panic!("no answer: {notes}"))
    }

    pub(crate) fn open(&self, name: &str) -> Recorded {
        Recorded::open(&self.trace(name))
    }
}

/// A recording that is open.
pub(crate) struct Recorded {
    pub(crate) program: Program,
    pub(crate) objects: ObjectTable,
}

impl Recorded {
    pub(crate) fn open(trace: &Path) -> Recorded {
        let recording = Arc::new(Recording::open(trace).expect("a recording"));
        let objects = ObjectTable::load(&recording).expect("objects");
        Recorded { program: Program::new(&recording), objects }
    }

    fn run(&self) -> Run<'_> {
        Run { program: &self.program, objects: &self.objects }
    }

    /// The report and all events that correspond.
    pub(crate) fn compare(&self, other: &Recorded, filters: &Filters) -> (Report, Vec<Pair<u64>>) {
        let mut aligned = Vec::new();
        let runs = Pair { left: self.run(), right: other.run() };
        let mut visit = |event: Aligned| aligned.push(event.numbers);
        let report = compare(runs, filters, &|_| (), Some(&mut visit)).expect("a report");
        (report, aligned)
    }
}
