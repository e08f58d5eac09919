//! What the agents of a session left becomes runs of the store.

use crate::error::{IoContext, StoreError};
use crate::facts::RunFacts;
use crate::id::RunId;
use crate::meta::{CommandExit, JvmInfo, RunMeta};
use crate::run::{Run, SOURCES_FOLDER, TRACE_FILE};
use crate::session::{Session, SessionInfo, is_alive};
use crate::sources::{self, Places};
use crate::store::Store;
use jiff::Timestamp;
use serde::Deserialize;
use std::fs;
use std::path::{Path, PathBuf};
use whydunit_trace::reader::Recording;

const UNSUPPORTED_FILE: &str = "unsupported.json";

/// What became of a session.
#[derive(Debug, Default)]
pub struct Adopted {
    /// New runs, in the order in which their JVMs started.
    pub runs: Vec<Run>,
    /// JVMs that loaded the agent.
    pub jvms: usize,
    /// What those of them have said that came to an orderly end.
    pub reports: Vec<JvmReport>,
    /// Processes of JVMs that still run; their runs are taken in by [`Store::recover`] once they have ended.
    pub running: Vec<u32>,
    /// Why the agent refused to work in a JVM.
    pub unsupported: Vec<String>,
    /// Folders whose trace could not be opened, with the reason.
    pub unreadable: Vec<String>,
}

/// What a JVM says at its end; the agent's `config.rs` has the same names.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
pub struct JvmReport {
    /// Whether the patterns have matched a class, each in the order in which the agent got them.
    pub include: Vec<bool>,
    pub exclude: Vec<bool>,
    /// The first class that was neither the platform's nor a tool's, in scope or not.
    pub program_class: Option<String>,
}

/// What a JVM left that has ended.
struct Ended {
    folder: PathBuf,
    jvm: JvmInfo,
    recording: Recording,
}

impl Adopted {
    /// Whether every JVM has said what it loaded.
    pub fn is_all_reported(&self) -> bool {
        self.jvms > 0 && self.reports.len() == self.jvms
    }
}

impl Store {
    /// Turns the folders of a session into runs and removes the session, unless JVMs still write to it.
    pub fn adopt(&self, session: &Session, exit: CommandExit) -> Result<Adopted, StoreError> {
        let seen = jvms_seen(&session.dir);
        let mut adopted = Adopted { jvms: seen.len(), unsupported: refusals(&session.dir), ..Adopted::default() };
        adopted.reports.extend(seen.iter().filter_map(|&pid| report(&session.dir, pid)));
        adopted.running.extend(seen.into_iter().filter(|&pid| is_alive(pid)));
        let mut ended = Vec::new();
        for folder in jvm_folders(&session.dir)? {
            let jvm = JvmInfo::read(&folder).unwrap_or_default();
            if is_alive(jvm.pid) {
                adopted.running.push(jvm.pid);
                continue;
            }
            match Recording::open(&folder.join(TRACE_FILE)) {
                Err(error) => adopted.unreadable.push(with_causes(&error)),
                Ok(recording) if recording.definitions.is_empty() => {}
                Ok(recording) => ended.push(Ended { folder, jvm, recording }),
            }
        }
        // The name is for the program, and not for a launcher that has loaded a class of it and run nothing.
        ended.sort_by_key(|ended| ended.recording.threads.is_empty());
        for ended in ended {
            adopted.runs.push(self.adopt_folder(ended, &session.info, exit)?);
        }
        adopted.runs.sort_by_key(|run| run.meta.as_ref().map(|meta| meta.started));
        adopted.running.sort_unstable();
        adopted.running.dedup();
        if adopted.running.is_empty() {
            fs::remove_dir_all(&session.dir).context("remove", &session.dir)?;
        } else {
            session.leave(exit)?;
        }
        Ok(adopted)
    }

    /// Takes in what killed recorders and JVMs that outlived their command have left. What fails is left for
    /// the next time.
    pub fn recover(&self) -> Vec<Run> {
        let adopted = self.abandoned_sessions().into_iter();
        adopted.filter_map(|session| self.adopt(&session, session.info.exit).ok()).flat_map(|a| a.runs).collect()
    }

    fn adopt_folder(&self, ended: Ended, session: &SessionInfo, exit: CommandExit) -> Result<Run, StoreError> {
        let Ended { folder, jvm, recording } = ended;
        let facts = RunFacts::of(&recording);
        let places = Places { cwd: &session.cwd, extra: &session.source_roots, jvm: &jvm };
        let sources = sources::collect(&recording.definitions, &places, &folder.join(SOURCES_FOLDER));
        let trace = folder.join(TRACE_FILE);
        let size = fs::metadata(&trace).context("read", &trace)?.len();
        let started = jvm.started().unwrap_or(session.started);
        let id = self.free_id(session.name.as_ref(), started, jvm.pid);
        let meta = RunMeta {
            id: id.clone(),
            started,
            command: session.command.clone(),
            cwd: session.cwd.clone(),
            exit,
            ending: facts.ending,
            jvm,
            size,
            format_version: facts.format_version,
            check: facts.check,
            classes: facts.classes_recorded,
            classes_without_lines: facts.without_lines.len(),
            threads: facts.threads.len(),
            sources_found: sources.found,
            sources_missing: sources.missing,
        };
        meta.write(&folder)?;
        let target = self.run_dir(&id);
        fs::rename(&folder, &target).context("create", &target)?;
        Ok(Run::load(id, target))
    }

    fn free_id(&self, name: Option<&RunId>, started: Timestamp, pid: u32) -> RunId {
        let base = |number: u32| match name {
            Some(name) => name.numbered(number),
            None => RunId::from_time(started, salt(started, pid).wrapping_add(number)),
        };
        (1..).map(base).find(|id| self.is_free(id)).unwrap_or_else(|| base(0))
    }
}

/// Spreads times and process ids that follow one another over all salts.
fn salt(started: Timestamp, pid: u32) -> u32 {
    let mixed = (started.as_nanosecond() as u64).wrapping_add(u64::from(pid)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (mixed >> 40) as u32
}

/// The folders with a trace, the oldest first.
fn jvm_folders(session: &Path) -> Result<Vec<PathBuf>, StoreError> {
    let entries = fs::read_dir(session).context("read", session)?;
    let mut folders: Vec<PathBuf> =
        entries.flatten().map(|entry| entry.path()).filter(|path| path.join(TRACE_FILE).is_file()).collect();
    folders.sort_by_cached_key(|folder| (JvmInfo::read(folder).map(|jvm| jvm.started_ms), folder.clone()));
    Ok(folders)
}

/// The processes into which the agent was loaded: it leaves a file `<pid>.jvm` for each, which is empty until the end.
fn jvms_seen(session: &Path) -> Vec<u32> {
    let Ok(entries) = fs::read_dir(session) else {
        return Vec::new();
    };
    let pid = |name: &str| name.strip_suffix(".jvm")?.parse().ok();
    entries.flatten().filter_map(|entry| pid(entry.file_name().to_str()?)).collect()
}

fn report(session: &Path, pid: u32) -> Option<JvmReport> {
    serde_json::from_slice(&fs::read(session.join(format!("{pid}.jvm"))).ok()?).ok()
}

#[derive(Deserialize)]
struct Unsupported {
    reason: String,
}

fn refusals(session: &Path) -> Vec<String> {
    let text = fs::read(session.join(UNSUPPORTED_FILE)).ok();
    text.and_then(|text| serde_json::from_slice::<Unsupported>(&text).ok()).map(|u| u.reason).into_iter().collect()
}

fn with_causes(error: &dyn std::error::Error) -> String {
    let causes = std::iter::successors(Some(error), |error| error.source());
    causes.map(ToString::to_string).collect::<Vec<_>>().join(": ")
}

#[cfg(test)]
mod tests;
