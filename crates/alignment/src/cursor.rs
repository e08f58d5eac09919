//! Reading a side's events one by one.

use crate::event::{Event, Tag};
use crate::watch::{Batch, Feed};
use whydunit_replay::ReplayError;
use whydunit_replay::interpreter::End;

pub(crate) struct Cursor<'c> {
    feed: Feed,
    batch: Batch,
    position: usize,
    progress: &'c dyn Fn(u64),
    /// Set when [`Tag::End`] is next.
    pub(crate) end: Option<End>,
    /// The step of the last event.
    pub(crate) steps: u64,
    /// The latest step that has started. What a step does after its calls comes after the steps of these.
    pub(crate) latest: u64,
    /// The last sequence number of the thread.
    pub(crate) sequence: u64,
}

impl<'c> Cursor<'c> {
    pub(crate) fn new(feed: Feed, progress: &'c dyn Fn(u64)) -> Cursor<'c> {
        Cursor { feed, batch: Batch::default(), position: 0, progress, end: None, steps: 0, latest: 0, sequence: 0 }
    }

    /// The next event.
    #[inline]
    pub(crate) fn peek(&mut self) -> Result<&Event, ReplayError> {
        if self.position >= self.batch.events.len() {
            self.fetch()?;
        }
        Ok(&self.batch.events[self.position])
    }

    /// Goes past the event that was looked at.
    #[inline]
    pub(crate) fn advance(&mut self) {
        if let Some(event) = self.batch.events.get(self.position)
            && event.tag == Tag::Block
        {
            self.latest = self.latest.max(event.step);
        }
        self.position += 1;
    }

    #[cold]
    fn fetch(&mut self) -> Result<(), ReplayError> {
        while self.position >= self.batch.events.len() {
            self.position = 0;
            match self.feed.batches.recv() {
                Ok(batch) => {
                    let used = std::mem::replace(&mut self.batch, batch);
                    // The replay may be at its end.
                    let _ = self.feed.used.try_send(used);
                    (self.progress)(self.batch.instructions);
                    if let Some(last) = self.batch.events.iter().rfind(|event| event.tag.is_of_step()) {
                        self.steps = self.steps.max(last.step);
                    }
                }
                Err(_) => {
                    if self.end.is_none() {
                        self.end = Some(self.feed.end.recv().unwrap_or(Ok(End::CutOff))?);
                    }
                    self.batch.events.clear();
                    self.batch.events.push(Event::END);
                }
            }
        }
        Ok(())
    }
}
