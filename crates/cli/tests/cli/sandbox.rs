//! Runs the command in a folder of its own and shows what it printed.

use serde_json::Value;
use std::io::{Read, Write};
use std::path::Path;
use std::process::{Command, Output, Stdio};
use tempfile::TempDir;

/// Takes the ids of objects out of JSON: they differ between JVMs.
pub(crate) fn without_ids(json: &mut Value) {
    match json {
        Value::Array(values) => values.iter_mut().for_each(without_ids),
        Value::Object(fields) => {
            fields.retain(|name, value| name != "object" || !value.is_number());
            fields.values_mut().for_each(without_ids);
        }
        _ => {}
    }
}

pub(crate) struct Sandbox {
    folder: TempDir,
}

impl Sandbox {
    pub(crate) fn new() -> Sandbox {
        let folder = tempfile::tempdir().expect("a folder");
        // Keeps the search for the project's folder inside.
        std::fs::create_dir(folder.path().join(".whydunit")).expect("a folder");
        Sandbox { folder }
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_whydunit"));
        command.args(arguments).current_dir(self.path());
        for variable in ["WHYDUNIT_HOME", "JAVA_HOME", "JAVA_TOOL_OPTIONS", "LD_PRELOAD"] {
            command.env_remove(variable);
        }
        command.env("COLUMNS", "100").env("NO_COLOR", "1").env("XDG_CACHE_HOME", self.path().join("cache"));
        command
    }

    /// Compiles a class into `classes`.
    pub(crate) fn compile(&self, class: &str, source: &str) {
        let file = format!("{class}.java");
        std::fs::write(self.path().join(&file), source).expect("a file");
        let compiled = Command::new("javac")
            .args(["-g", "-cp", "classes", "-d", "classes", &file])
            .current_dir(self.path())
            .status();
        assert!(compiled.expect("a JDK on the PATH").success());
    }

    /// Compiles a class and records it.
    pub(crate) fn record(&self, class: &str, source: &str, arguments: &[&str]) {
        self.compile(class, source);
        let recorded = self.run(&[&["record", "--", "java", "-cp", "classes", class], arguments].concat());
        assert!(recorded.status.success(), "{}", self.describe(&recorded));
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().expect("whydunit runs")
    }

    /// Exit code, stdout and stderr as one text, with the folder's path made the same for all.
    pub(crate) fn transcript(&self, arguments: &[&str]) -> String {
        self.describe(&self.run(arguments))
    }

    /// What the command prints, stdout and stderr as they come, when it is given this input.
    pub(crate) fn talk(&self, arguments: &[&str], input: &str) -> String {
        let (mut output, printed) = std::io::pipe().expect("a pipe");
        let mut command = self.command(arguments);
        command.stdin(Stdio::piped()).stdout(printed.try_clone().expect("a pipe")).stderr(printed);
        let mut child = command.spawn().expect("whydunit runs");
        // It holds the other end of the pipe.
        drop(command);
        child.stdin.take().expect("its input").write_all(input.as_bytes()).expect("it reads");
        let mut text = String::new();
        output.read_to_string(&mut text).expect("UTF-8");
        let code = child.wait().expect("it ends").code();
        format!("{text}exit code {}\n", code.map_or("none".to_owned(), |code| code.to_string()))
    }

    pub(crate) fn describe(&self, output: &Output) -> String {
        let folder = self.path().display().to_string();
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).replace(&folder, "DIR");
        let code = output.status.code().map_or("none".to_owned(), |code| code.to_string());
        format!("{}{}exit code {code}\n", text(&output.stdout), text(&output.stderr))
    }
}
