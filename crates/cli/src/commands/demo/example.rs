//! The program of the demo: unpacked, compiled and recorded in a folder that is gone afterwards.

use crate::error::{Result, UserError};
use serde::Deserialize;
use std::env;
use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use tempfile::TempDir;

macro_rules! sources {
    ($($name:literal),* $(,)?) => {
        [$(($name, include_str!(concat!("../../../../../examples/demo/src/shop/", $name)))),*]
    };
}

const SOURCES: [(&str, &str); 8] = sources![
    "BulkDiscount.java",
    "Cart.java",
    "Category.java",
    "CategoryDiscount.java",
    "Discount.java",
    "Invoice.java",
    "Main.java",
    "Product.java",
];

const PACKAGE: &str = "src/shop";

pub(super) struct Example {
    folder: TempDir,
    jdk: Jdk,
}

pub(super) struct Recorded {
    pub(super) run: String,
    /// What the program printed.
    pub(super) output: String,
}

/// What `record --json` tells.
#[derive(Deserialize)]
struct Summary {
    runs: Vec<String>,
}

impl Example {
    pub(super) fn unpack() -> Result<Example> {
        let jdk = Jdk::find()?;
        let cannot = |error| UserError::new("cannot write the example to a temporary folder").caused_by(error);
        let folder = tempfile::Builder::new().prefix("whydunit-demo-").tempdir().map_err(cannot)?;
        write_sources(&folder.path().join(PACKAGE)).map_err(cannot)?;
        Ok(Example { folder, jdk })
    }

    pub(super) fn compile(&self) -> Result<()> {
        let mut javac = Command::new(&self.jdk.javac);
        javac.args(["-g", "-encoding", "UTF-8", "-d", "classes"]);
        javac.args(SOURCES.map(|(name, _)| Path::new(PACKAGE).join(name)));
        let output = self.run(&mut javac)?;
        if output.status.success() {
            return Ok(());
        }
        let messages = String::from_utf8_lossy(&output.stderr);
        Err(UserError::new(format!("javac could not compile the example:\n{}", messages.trim_end()))
            .hint("the example needs a JDK of version 17 or newer")
            .into())
    }

    /// Records it as a user would.
    pub(super) fn record(&self, store: &Path) -> Result<Recorded> {
        let store = std::path::absolute(store).unwrap_or_else(|_| store.to_owned());
        let own = env::current_exe().map_err(|error| UserError::new("cannot find whydunit itself").caused_by(error))?;
        let mut command = Command::new(own);
        command.arg("--store").arg(store).args(["--json", "record", "--"]);
        command.arg(&self.jdk.java).args(["-cp", "classes", "shop.Main"]);
        let output = self.run(&mut command)?;
        let messages = String::from_utf8_lossy(&output.stderr);
        let summary: Option<Summary> = messages.lines().find_map(|line| serde_json::from_str(line).ok());
        match summary.and_then(|summary| summary.runs.into_iter().next()) {
            Some(run) => Ok(Recorded { run, output: String::from_utf8_lossy(&output.stdout).into_owned() }),
            None => Err(UserError::new(format!("the example could not be recorded:\n{}", messages.trim_end())).into()),
        }
    }

    fn run(&self, command: &mut Command) -> Result<Output> {
        let program = command.get_program().to_owned();
        let cannot = |error| UserError::new(format!("cannot run {}", program.display())).caused_by(error);
        for variable in ["JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS", "CLASSPATH"] {
            command.env_remove(variable);
        }
        Ok(command.current_dir(self.folder.path()).output().map_err(cannot)?)
    }
}

fn write_sources(folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    SOURCES.iter().try_for_each(|(name, text)| fs::write(folder.join(name), text))
}

struct Jdk {
    javac: PathBuf,
    java: PathBuf,
}

impl Jdk {
    fn find() -> Result<Jdk> {
        let home = env::var_os("JAVA_HOME").map(|home| Path::new(&home).join("bin"));
        let path = env::var_os("PATH").unwrap_or_default();
        let has_compiler = |bin: &PathBuf| bin.join("javac").is_file() && bin.join("java").is_file();
        let bin = home.into_iter().chain(env::split_paths(OsStr::new(&path))).find(has_compiler);
        let missing = || {
            UserError::new("no JDK was found to compile the example")
                .hint("install one (17 or newer) and set JAVA_HOME, or put its `bin` folder on the PATH")
        };
        let bin = bin.ok_or_else(missing)?;
        Ok(Jdk { javac: bin.join("javac"), java: bin.join("java") })
    }
}
