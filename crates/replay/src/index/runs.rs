//! What is known beforehand of the runs of a method: instructions that are run one after another, without a jump.

use crate::program::{MethodCode, Pc};
use crate::steps::{LinePlace, LineRun};

/// By instruction, of which a method has no more than 65535.
#[derive(Debug)]
pub(super) struct Runs(Box<[Spot]>);

#[derive(Clone, Copy, Debug)]
struct Spot {
    /// The first instruction from here on that is not inside a line; `u16::MAX` when there is none.
    next: u16,
    /// The last such instruction up to here.
    last: u16,
    /// Its line.
    line: u16,
    /// How many such instructions up to here have another line than the one before.
    changes: u16,
    /// The last segment in which a step started here.
    started_in: u32,
    /// The last segment that has a run from here, and how far the longest goes.
    ran_in: u32,
    ran_to: u16,
}

impl Runs {
    pub(super) fn new(code: &MethodCode) -> Runs {
        let mut spots = Vec::with_capacity(code.ops.len());
        let (mut last, mut line, mut changes) = (0, None, 0);
        for ((&is_inside, &own), pc) in code.is_inside_line.iter().zip(&code.lines).zip(0..) {
            if !is_inside {
                last = pc;
                changes += u16::from(line.is_some_and(|line| line != own));
                line = Some(own);
            }
            let line = line.unwrap_or_default();
            spots.push(Spot { next: u16::MAX, last, line, changes, started_in: 0, ran_in: 0, ran_to: 0 });
        }
        let mut next = u16::MAX;
        for (pc, spot) in spots.iter_mut().enumerate().rev() {
            if usize::from(spot.last) == pc {
                next = spot.last;
            }
            spot.next = next;
        }
        Runs(spots.into())
    }

    /// The instructions of a run that are not inside a line.
    #[inline]
    pub(super) fn lines(&self, from: Pc, to: Pc) -> Option<LineRun> {
        let next = Pc::from(self.spot(from)?.next);
        if next > to {
            return None;
        }
        let (first, last) = (self.spot(next)?, self.spot(to)?);
        Some(LineRun {
            first: LinePlace { pc: next, line: first.line },
            last: LinePlace { pc: Pc::from(last.last), line: last.line },
            changes: last.changes - first.changes,
        })
    }

    #[inline]
    fn spot(&self, pc: Pc) -> Option<&Spot> {
        self.0.get(pc as usize)
    }

    /// Whether no step of the segment has started at this instruction yet.
    #[inline]
    pub(super) fn is_first_start(&mut self, pc: Pc, segment: u32) -> bool {
        let spot = self.0.get_mut(pc as usize);
        spot.is_some_and(|spot| std::mem::replace(&mut spot.started_in, segment) != segment)
    }

    /// Whether no run of the segment from here has gone that far yet.
    #[inline]
    pub(super) fn is_new(&mut self, from: Pc, to: Pc, segment: u32) -> bool {
        let Some(spot) = self.0.get_mut(from as usize) else {
            return false;
        };
        if spot.ran_in == segment && Pc::from(spot.ran_to) >= to {
            return false;
        }
        spot.ran_in = segment;
        spot.ran_to = to as u16;
        true
    }

    /// The lines at which steps start within a run, behind its first.
    pub(super) fn line_changes(&self, from: Pc, to: Pc) -> impl Iterator<Item = u16> {
        let start = self.spot(from).map_or(u16::MAX, |spot| spot.next);
        let spots = self.0.get(usize::from(start)..=to as usize).unwrap_or_default();
        spots.windows(2).filter(|pair| pair[0].changes != pair[1].changes).map(|pair| pair[1].line)
    }
}
