//! Replays all threads of a recording and reports where the replay does not fit the log.

use crate::check::Checker;
use crate::error::{Divergence, ReplayError};
use crate::interpreter::{End, Observer, Progress, ThreadReplay, Unobserved};
use crate::objects::ObjectTable;
use crate::program::Program;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::available_parallelism;
use whydunit_trace::ThreadId;
use whydunit_trace::block::BlockKind;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct VerifyReport {
    pub threads: usize,
    /// Instructions replayed.
    pub bytecodes: u64,
    /// Facts of check mode that were compared.
    pub facts_compared: u64,
    /// At most one for each thread: a thread stops at its first.
    pub divergences: Vec<Divergence>,
    /// Threads whose log ends inside recorded methods.
    pub ended_early: Vec<ThreadId>,
}

/// Instructions between two reports of progress.
const CHUNK: u64 = 4_000_000;

/// Threads are replayed in parallel. `progress` is told from any of them how many instructions were replayed since
/// it was last called.
pub fn verify(
    program: &Program,
    objects: &ObjectTable,
    progress: &(dyn Fn(u64) + Sync),
) -> Result<VerifyReport, ReplayError> {
    let threads: Vec<ThreadId> = program.recording().threads.keys().copied().collect();
    let next = AtomicUsize::new(0);
    let results = Mutex::new(Vec::with_capacity(threads.len()));
    let workers = available_parallelism().map_or(1, usize::from).min(threads.len().max(1));
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                while let Some(&thread) = threads.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let result = verify_thread(program, objects, thread, progress);
                    if let Ok(mut results) = results.lock() {
                        results.push((thread, result));
                    }
                }
            });
        }
    });
    let mut results = results.into_inner().unwrap_or_default();
    results.sort_by_key(|(thread, _)| *thread);
    let mut report = VerifyReport { threads: threads.len(), ..VerifyReport::default() };
    for (thread, result) in results {
        let result = result?;
        report.bytecodes += result.bytecodes;
        report.facts_compared += result.facts;
        match result.outcome {
            Ok(End::Finished) => {}
            Ok(End::CutOff) => report.ended_early.push(thread),
            Err(divergence) => report.divergences.push(*divergence),
        }
    }
    Ok(report)
}

struct ThreadResult {
    bytecodes: u64,
    facts: u64,
    outcome: Result<End, Box<Divergence>>,
}

fn verify_thread(
    program: &Program,
    objects: &ObjectTable,
    thread: ThreadId,
    progress: &(dyn Fn(u64) + Sync),
) -> Result<ThreadResult, ReplayError> {
    if !program.flags().check {
        return run(program, objects, thread, &mut Unobserved, progress);
    }
    let mut checker = Checker::new(program.recording().stream(thread, BlockKind::Check));
    let mut result = run(program, objects, thread, &mut checker, progress)?;
    result.facts = checker.compared();
    if let (Ok(_), Some(what)) = (&result.outcome, checker.take_objection()) {
        result.outcome = Err(Box::new(Divergence::at_start(thread, what)));
    }
    if result.outcome == Ok(End::Finished) && !checker.is_exhausted() {
        let what = format!("the run went on after the replay has ended ({} facts compared)", checker.compared());
        result.outcome = Err(Box::new(Divergence::at_start(thread, what)));
    }
    Ok(result)
}

fn run<O: Observer>(
    program: &Program,
    objects: &ObjectTable,
    thread: ThreadId,
    observer: &mut O,
    progress: &(dyn Fn(u64) + Sync),
) -> Result<ThreadResult, ReplayError> {
    let mut replay = match ThreadReplay::new(program, objects, thread) {
        Ok(replay) => replay,
        Err(ReplayError::Divergence(divergence)) => {
            return Ok(ThreadResult { bytecodes: 0, facts: 0, outcome: Err(divergence) });
        }
        Err(error) => return Err(error),
    };
    replay.read_ahead();
    let outcome = loop {
        let before = replay.number();
        let outcome = replay.run(observer, before + CHUNK);
        progress(replay.number() - before);
        match outcome {
            // The observer may pause it, too: it has found something.
            Ok(Progress::Paused) if replay.number() < before + CHUNK => break Ok(End::CutOff),
            Ok(Progress::Paused) => {}
            Ok(Progress::Ended(end)) => break Ok(end),
            Err(ReplayError::Divergence(divergence)) => break Err(divergence),
            Err(error) => return Err(error),
        }
    };
    Ok(ThreadResult { bytecodes: replay.number(), facts: 0, outcome })
}
