//! Passing over what one side does alone.

use super::Lockstep;
use crate::compare::CompareError;
use crate::event::{Event, Tag};
use crate::methods::PairId;
use crate::report::GroupId;
use crate::side::{Pair, Side};
use whydunit_replay::program::Pc;

/// How passing over events has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Passed {
    Reached,
    /// The frame is left next.
    Left,
    /// An exception has come to this handler, or changed code leads to this instruction, so that they may meet
    /// elsewhere only.
    Aside(Pc),
    End,
}

impl Lockstep<'_, '_> {
    /// The instruction of a side that is the one of another side.
    pub(super) fn pc_in(&self, side: Side, of: Side, pc: Pc) -> Option<Pc> {
        match self.mapping {
            Some(mapping) if side != of => mapping.partner(of, pc),
            _ => Some(pc),
        }
    }

    /// Passes over what both do from here on, each from its own place, up to where the ways from there meet.
    pub(super) fn meet_from(&mut self, to: Pair<Option<Pc>>, group: Option<GroupId>) -> Result<(), CompareError> {
        let Some(id) = self.frames.last().map(|frame| frame.methods) else { return Ok(()) };
        let meeting = match to {
            Pair { left: Some(left), right: Some(right) } => self.common.methods.meeting(id, left, right),
            _ => None,
        };
        self.meet_at(meeting, group)
    }

    /// Passes over what both do up to an instruction of the topmost frames, or up to their end. The instruction is that
    /// of the left.
    pub(super) fn meet_at(&mut self, meeting: Option<Pc>, group: Option<GroupId>) -> Result<(), CompareError> {
        let before = self.here;
        let Some(id) = self.frames.last().map(|frame| frame.methods) else { return Ok(()) };
        let mut meeting = meeting;
        loop {
            let passed = Pair { left: self.pass_to(Side::Left, meeting)?, right: self.pass_to(Side::Right, meeting)? };
            let mut is_aside = false;
            for side in Side::BOTH {
                if let Passed::Aside(pc) = passed[side] {
                    is_aside = true;
                    meeting = meeting.and_then(|meeting| self.meeting_of(id, side, pc, meeting));
                }
            }
            match passed {
                _ if is_aside => {}
                Pair { left: Passed::Left, right: Passed::Reached }
                | Pair { left: Passed::Reached, right: Passed::Left } => meeting = None,
                _ => break,
            }
        }
        if let Some(group) = group {
            let mut steps = Pair::default();
            for side in Side::BOTH {
                let now = self.look(side)?.step;
                steps[side] = now.saturating_sub(before[side].step + 1);
            }
            self.common.collector.add_steps(group, steps);
        }
        Ok(())
    }

    /// Where the ways from a place of a side and from an instruction of the left meet.
    fn meeting_of(&mut self, id: PairId, side: Side, pc: Pc, other: Pc) -> Option<Pc> {
        match side {
            Side::Left => {
                let right = self.pc_in(Side::Right, Side::Left, other)?;
                self.common.methods.meeting(id, pc, right)
            }
            Side::Right => self.common.methods.meeting(id, other, pc),
        }
    }

    fn pass_to(&mut self, side: Side, meeting: Option<Pc>) -> Result<Passed, CompareError> {
        let Some(frame) = self.frames.last() else { return Ok(Passed::End) };
        let (id, depth) = (frame.methods, self.frames.len() as u32 - 1);
        let own_meeting = meeting.and_then(|meeting| self.pc_in(side, Side::Left, meeting));
        loop {
            let event = self.look(side)?;
            if event.tag == Tag::End {
                return Ok(Passed::End);
            }
            if event.depth == depth {
                if event.is_exit() {
                    return Ok(Passed::Left);
                }
                if event.tag == Tag::Caught {
                    self.cursors[side].advance();
                    return Ok(Passed::Aside(event.pc));
                }
            }
            let is_own = event.depth == depth || event.tag == Tag::Enter && event.depth == depth + 1;
            if is_own && own_meeting == Some(event.pc) {
                return Ok(Passed::Reached);
            }
            if is_own
                && let Some(meeting) = meeting
                && self.has_strayed(id, side, event.pc, meeting)
            {
                return Ok(Passed::Aside(event.pc));
            }
            self.pass(side, &event)?;
        }
    }

    /// Whether the changed code of the right has left the way that leads to an instruction of the left: when it comes
    /// there nevertheless, it is another time.
    fn has_strayed(&mut self, id: PairId, side: Side, pc: Pc, meeting: Pc) -> bool {
        let is_possible = side == Side::Right && self.mapping.is_some_and(|map| map.partner(side, pc).is_some());
        is_possible && self.common.methods.meeting(id, meeting, pc) != Some(meeting)
    }

    /// Passes over a frame that is about to be entered, up to its end, which is given.
    pub(super) fn pass_frame(&mut self, side: Side, depth: u32) -> Result<Event, CompareError> {
        loop {
            let event = self.look(side)?;
            if event.tag == Tag::End {
                return Ok(event);
            }
            self.pass(side, &event)?;
            if event.is_exit() && event.depth == depth {
                return Ok(event);
            }
        }
    }

    /// Passes over a call into unrecorded code that is next.
    pub(super) fn pass_call(&mut self, side: Side, depth: u32) -> Result<(), CompareError> {
        loop {
            let event = self.look(side)?;
            if event.tag == Tag::End || event.depth == depth && event.is_exceptional() {
                return Ok(());
            }
            self.pass(side, &event)?;
            if event.tag == Tag::Called && event.depth == depth {
                return Ok(());
            }
        }
    }
}
