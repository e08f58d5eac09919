//! How far a long piece of work has come, on a terminal only.

use crate::context::{Context, FAINT};
use std::io::{self, IsTerminal, Write};
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// Shorter work goes without a word.
const PATIENCE: Duration = Duration::from_millis(500);
const BETWEEN: Duration = Duration::from_millis(100);

/// Rewrites one line of stderr, which is gone in the end.
pub(crate) struct Progress<'c> {
    context: &'c Context,
    what: &'static str,
    state: Mutex<State>,
}

struct State {
    instructions: u64,
    next: Instant,
    is_shown: bool,
}

impl<'c> Progress<'c> {
    pub(crate) fn new(context: &'c Context, what: &'static str) -> Progress<'c> {
        let state = State { instructions: 0, next: Instant::now() + PATIENCE, is_shown: false };
        Progress { context, what, state: Mutex::new(state) }
    }

    /// So many more instructions were replayed.
    pub(crate) fn add(&self, instructions: u64) {
        let Ok(mut state) = self.state.lock() else { return };
        state.instructions += instructions;
        let now = Instant::now();
        if now >= state.next && io::stderr().is_terminal() {
            state.next = now + BETWEEN;
            state.is_shown = true;
            let millions = state.instructions / 1_000_000;
            // Nobody is left to tell when stderr is closed.
            let _ = write!(self.context.stderr(), "\r{FAINT}{}: {millions} million bytecodes{FAINT:#} ", self.what);
        }
    }
}

impl Drop for Progress<'_> {
    fn drop(&mut self) {
        if self.state.get_mut().is_ok_and(|state| state.is_shown) {
            let _ = write!(self.context.stderr(), "\r\x1b[K");
        }
    }
}
