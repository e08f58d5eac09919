//! What the tests that record real programs share.

use serde_json::Value;
use std::path::Path;
use std::process::{Command, Output};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// The command under test.
pub(crate) fn whydunit() -> &'static Path {
    Path::new(env!("CARGO_BIN_EXE_whydunit"))
}

/// Runs `whydunit --store STORE ARGUMENTS…`.
pub(crate) fn run(store: &Path, arguments: &[&str]) -> Output {
    let output = Command::new(whydunit()).arg("--store").arg(store).args(arguments).output();
    output.expect("the command starts")
}

/// A run that replays without a difference.
#[derive(Debug)]
pub(crate) struct VerifiedRun {
    pub(crate) id: String,
    pub(crate) facts_compared: u64,
}

/// All runs of `store`, or the differences that their replay has.
pub(crate) fn verified_runs(store: &Path) -> Result<Vec<VerifiedRun>, String> {
    let listed = json(&run(store, &["runs", "--json"]))?;
    let ids = listed.as_array().into_iter().flatten().filter_map(|run| run["id"].as_str());
    ids.map(|id| {
        let report = json(&run(store, &["verify", id, "--json"]))?;
        match report["differences"].as_array() {
            Some(differences) if differences.is_empty() => {
                Ok(VerifiedRun { id: id.to_owned(), facts_compared: report["facts_compared"].as_u64().unwrap_or(0) })
            }
            _ => Err(format!("{:#}", report["differences"])),
        }
    })
    .collect()
}

pub(crate) fn json(output: &Output) -> Result<Value, String> {
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
                        problems.lock().unwrap_or_else(|e| e.into_inner()).push(problem);
                    }
                }
            });
        }
    });
    problems.into_inner().unwrap_or_else(|e| e.into_inner())
}
