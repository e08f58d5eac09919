//! The state of a thread at a step, by way of checkpoints that are built when they are first needed.

use crate::numbers::StepNumbers;
use crate::session::{Session, SessionError};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread::available_parallelism;
use whydunit_replay::ReplayError;
use whydunit_replay::checkpoint::Checkpoint;
use whydunit_replay::index::{Call, CallEnd, Ending, GlobalOrder, Hit, INTERVAL, Query, Rank, ThreadIndex};
use whydunit_replay::state::State;
use whydunit_trace::ThreadId;
use whydunit_trace::reader::Recording;

/// The indexes of all threads.
#[derive(Debug)]
pub struct Moments {
    threads: BTreeMap<ThreadId, ThreadIndex>,
}

/// Whether `folder` has what [`Session::index`] would build.
pub fn is_indexed(recording: &Recording, folder: &Path) -> bool {
    recording.threads.keys().all(|&thread| ThreadIndex::is_built(folder, recording, thread))
}

impl Session {
    /// Opens the index in `folder`, or builds it there: all threads in parallel. `progress` is told from any
    /// of them how many instructions were replayed since it was last called.
    pub fn index(&self, folder: &Path, progress: &(dyn Fn(u64) + Sync)) -> Result<&Moments, SessionError> {
        self.index_every(folder, INTERVAL, progress)
    }

    /// The same with a checkpoint every `interval` instructions.
    pub fn index_every(
        &self,
        folder: &Path,
        interval: u64,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<&Moments, SessionError> {
        if let Some(moments) = self.moments().get() {
            return Ok(moments);
        }
        let built = self.build(folder, interval, progress)?;
        Ok(self.moments().get_or_init(|| built))
    }

    fn build(&self, folder: &Path, interval: u64, progress: &(dyn Fn(u64) + Sync)) -> Result<Moments, ReplayError> {
        let threads: Vec<ThreadId> = self.recording().threads.keys().copied().collect();
        let next = AtomicUsize::new(0);
        let results = Mutex::new(Vec::with_capacity(threads.len()));
        let (program, objects) = (self.program(), self.objects());
        let workers = available_parallelism().map_or(1, usize::from).min(threads.len());
        std::thread::scope(|scope| {
            for _ in 0..workers {
                scope.spawn(|| {
                    while let Some(&thread) = threads.get(next.fetch_add(1, Ordering::Relaxed)) {
                        let built = ThreadIndex::open_or_build(folder, program, objects, thread, interval, progress);
                        let built = built.map(|index| (thread, index));
                        results.lock().unwrap_or_else(PoisonError::into_inner).push(built);
                    }
                });
            }
        });
        let results = results.into_inner().unwrap_or_else(PoisonError::into_inner);
        Ok(Moments { threads: results.into_iter().collect::<Result<_, _>>()? })
    }

    /// Where to start for the events of a step, if the index is there.
    pub(crate) fn checkpoint_before(&self, thread: ThreadId, step: u64) -> Result<Option<Checkpoint>, ReplayError> {
        let index = self.moments().get().and_then(|moments| moments.threads.get(&thread));
        Ok(index.map(|index| index.checkpoint_before(step)).transpose()?)
    }

    /// Frames, locals and operands of a thread at the start of a step; `None` when it has no such step.
    pub fn state(&self, moments: &Moments, thread: ThreadId, step: u64) -> Result<Option<State>, SessionError> {
        let Some(index) = moments.threads.get(&thread) else {
            return Ok(None);
        };
        Ok(index.state_at(self.program(), self.objects(), step)?)
    }
}

/// Answers that the index makes quick. A thread that does not exist has none.
impl Session {
    /// The last time that something happened before the start of a step.
    pub fn last_before(
        &self,
        moments: &Moments,
        query: &Query,
        thread: ThreadId,
        step: u64,
    ) -> Result<Option<Hit>, SessionError> {
        let Some(index) = moments.threads.get(&thread) else { return Ok(None) };
        Ok(index.last_before(self.program(), self.objects(), query, step)?)
    }

    /// The first time that something happened from the start of a step on.
    pub fn first_after(
        &self,
        moments: &Moments,
        query: &Query,
        thread: ThreadId,
        step: u64,
    ) -> Result<Option<Hit>, SessionError> {
        let Some(index) = moments.threads.get(&thread) else { return Ok(None) };
        Ok(index.first_after(self.program(), self.objects(), query, step)?)
    }

    /// When the frame that is at this depth at the start of a step is left.
    pub fn end_of_call(
        &self,
        moments: &Moments,
        thread: ThreadId,
        step: u64,
        depth: u32,
    ) -> Result<Option<CallEnd>, SessionError> {
        let Some(index) = moments.threads.get(&thread) else { return Ok(None) };
        Ok(index.end_of_call(self.program(), self.objects(), step, depth)?)
    }

    /// What the frame at this depth calls from the start of a step on, at most `most`.
    pub fn calls_from(
        &self,
        moments: &Moments,
        thread: ThreadId,
        step: u64,
        depth: u32,
        most: usize,
    ) -> Result<Vec<Call>, SessionError> {
        let Some(index) = moments.threads.get(&thread) else { return Ok(Vec::new()) };
        Ok(index.calls_from(self.program(), self.objects(), step, depth, most)?)
    }
}

impl Moments {
    pub(crate) fn indexes(&self) -> impl Iterator<Item = &ThreadIndex> {
        self.threads.values()
    }

    pub(crate) fn thread_index(&self, thread: ThreadId) -> Option<&ThreadIndex> {
        self.threads.get(&thread)
    }

    /// Steps of all threads.
    pub fn all_steps(&self) -> u64 {
        self.threads.values().map(ThreadIndex::steps).sum()
    }

    /// The number of a thread's step among the steps of all threads.
    pub fn global_step(&self, thread: ThreadId, step: u64) -> Result<Option<u64>, SessionError> {
        let number = GlobalOrder::new(self.threads.values()).number_of(thread, step);
        Ok(number.map_err(ReplayError::from)?)
    }

    /// The place of an instruction in the order of all threads.
    pub fn rank(&self, thread: ThreadId, latest: u64, instruction: u64) -> Result<Rank, SessionError> {
        let rank = StepNumbers::new(self).rank_of(thread, latest, instruction);
        Ok(rank.map_err(ReplayError::from)?.unwrap_or_default())
    }

    /// The thread and its step that have a number among the steps of all threads.
    pub fn local_step(&self, number: u64) -> Result<Option<(ThreadId, u64)>, SessionError> {
        let step = GlobalOrder::new(self.threads.values()).step_of(number);
        Ok(step.map_err(ReplayError::from)?)
    }

    /// Steps of a thread.
    pub fn steps(&self, thread: ThreadId) -> u64 {
        self.threads.get(&thread).map_or(0, ThreadIndex::steps)
    }

    /// Where the replay of a thread does not fit the recording.
    pub fn differences(&self) -> impl Iterator<Item = String> {
        self.threads.values().filter_map(|index| match index.ending() {
            Ending::Diverged(what) => Some(what.clone()),
            Ending::Finished | Ending::CutOff => None,
        })
    }

    /// Instructions of all threads.
    pub fn instructions(&self) -> u64 {
        self.threads.values().map(ThreadIndex::instructions).sum()
    }
}
