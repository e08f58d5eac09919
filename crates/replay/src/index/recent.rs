//! The meetings of segments that were last asked for: orders of threads are asked for again and again nearby.

use super::summary::Meeting;
use std::collections::VecDeque;
use std::io;
use std::sync::{Arc, Mutex, PoisonError};

/// Segments of a thread: a search by halves comes by all of these again.
const KEPT: usize = 32;

#[derive(Debug, Default)]
pub(super) struct RecentMeetings(Mutex<VecDeque<(usize, Arc<[Meeting]>)>>);

impl RecentMeetings {
    pub(super) fn get(
        &self,
        segment: usize,
        read: impl FnOnce() -> io::Result<Vec<Meeting>>,
    ) -> io::Result<Arc<[Meeting]>> {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(at) = kept.iter().position(|(known, _)| *known == segment)
            && let Some(found) = kept.remove(at)
        {
            let meetings = Arc::clone(&found.1);
            kept.push_back(found);
            return Ok(meetings);
        }
        let meetings: Arc<[Meeting]> = read()?.into();
        if kept.len() >= KEPT {
            kept.pop_front();
        }
        kept.push_back((segment, Arc::clone(&meetings)));
        Ok(meetings)
    }
}
