//! Whether it is worth it to cut segments into parts: not where most of the parts have to be recorded.

use crate::dependences::Position;

/// Segments that are recorded as a whole before another one is cut, at most.
const LONGEST_PAUSE: usize = 64;

#[derive(Debug, Default)]
pub(crate) struct Cutting {
    /// The segment that was cut last, its parts, and how many of them were looked at.
    last: Option<(Position, usize, usize)>,
    /// Segments that are recorded as a whole before another one is cut.
    pause: usize,
    /// How many these were after the last one that was not worth it.
    last_pause: usize,
}

impl Cutting {
    /// Whether the next segment is to be cut.
    pub(crate) fn is_due(&mut self) -> bool {
        if self.pause > 0 {
            self.pause -= 1;
            return false;
        }
        true
    }

    /// A segment is cut into so many parts; 0 when it cannot be cut.
    pub(crate) fn start(&mut self, segment: Position, parts: usize) {
        self.last = Some((segment, parts, 0));
        if parts == 0 {
            self.judge();
        }
    }

    /// A stretch is looked at.
    pub(crate) fn note(&mut self, at: Position) {
        match &mut self.last {
            Some((whole, _, looked_at)) if at.part().is_some() && at.of_segment(at.segment) == *whole => {
                *looked_at += 1
            }
            _ => self.judge(),
        }
    }

    fn judge(&mut self) {
        let Some((_, parts, looked_at)) = self.last.take() else { return };
        let is_worth_it = looked_at * 2 < parts;
        self.last_pause = if is_worth_it { 0 } else { (self.last_pause * 2).clamp(1, LONGEST_PAUSE) };
        self.pause = self.last_pause;
    }
}
