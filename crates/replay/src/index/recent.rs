//! The pieces of an index that were read last.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

/// By segment, at most `MOST`.
#[derive(Debug)]
pub(super) struct Recent<T, const MOST: usize> {
    pieces: Mutex<VecDeque<(usize, Arc<T>)>>,
}

impl<T, const MOST: usize> Default for Recent<T, MOST> {
    fn default() -> Self {
        Recent { pieces: Mutex::default() }
    }
}

impl<T, const MOST: usize> Recent<T, MOST> {
    pub(super) fn get<E>(&self, segment: usize, read: impl FnOnce() -> Result<T, E>) -> Result<Arc<T>, E> {
        let mut pieces = self.pieces.lock().unwrap_or_else(PoisonError::into_inner);
        let known = pieces.iter().position(|(known, _)| *known == segment);
        let piece = match known.and_then(|position| pieces.remove(position)) {
            Some((_, piece)) => piece,
            None => Arc::new(read()?),
        };
        pieces.push_back((segment, Arc::clone(&piece)));
        if pieces.len() > MOST {
            pieces.pop_front();
        }
        Ok(piece)
    }
}
