//! Exceptions that left all recorded code of a thread, the last ones: what a run is most likely looked at for.

use crate::program::MethodIndex;
use crate::value::Value;
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;

/// Those that are kept of a thread.
pub(super) const MOST: usize = 100;

/// A call that no recorded code made, and that an exception left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Departure {
    /// The first step of the call.
    pub entered: u64,
    /// The last step that had started.
    pub left: u64,
    exception: u64,
    method: u32,
}

impl Departure {
    pub fn exception(&self) -> Value {
        Value::reference(self.exception)
    }

    /// The method that was called, such as a test.
    pub fn method(&self) -> MethodIndex {
        MethodIndex(self.method)
    }
}

#[derive(Debug, Default)]
pub(super) struct Departures {
    last: VecDeque<Departure>,
}

impl Departures {
    pub(super) fn add(&mut self, entered: u64, left: u64, exception: u64, method: MethodIndex) {
        if self.last.len() == MOST {
            self.last.pop_front();
        }
        self.last.push_back(Departure { entered, left, exception, method: method.0 });
    }

    pub(super) fn identify(&mut self, temporary: u64, object: u64) {
        let meant = self.last.iter_mut().filter(|departure| departure.exception == temporary);
        meant.for_each(|departure| departure.exception = object);
    }

    pub(super) fn into_vec(self) -> Vec<Departure> {
        self.last.into()
    }
}
