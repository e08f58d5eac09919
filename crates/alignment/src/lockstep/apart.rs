//! Both sides are not at the same instruction, or do not do the same there.

use super::Lockstep;
use crate::compare::CompareError;
use crate::difference::{Kind, Point};
use crate::event::{Event, Tag};
use crate::side::{Pair, Side};
use whydunit_replay::Value;
use whydunit_replay::program::{MethodIndex, Pc};

impl Lockstep<'_, '_> {
    /// The sides do not do the same next.
    #[cold]
    pub(super) fn apart(&mut self, left: &Event, right: &Event) -> Result<bool, CompareError> {
        for (side, event) in [(Side::Left, left), (Side::Right, right)] {
            if event.tag == Tag::End {
                self.report_at(self.points_or_entry(left, right), Kind::End { ended: side });
                return Ok(false);
            }
        }
        if left.is_exit() && right.is_exit() && left.depth == right.depth {
            self.exit(left, right)?;
        } else if left.is_call_back() {
            self.call_back_of_one(Side::Left, left)?;
        } else if right.is_call_back() {
            self.call_back_of_one(Side::Right, right)?;
        } else if left.is_exceptional() || right.is_exceptional() {
            self.part_by_exception()?;
        } else if self.corresponds(left.pc, right.pc)
            && let (Tag::Enter, Tag::Calling) | (Tag::Calling, Tag::Enter) = (left.tag, right.tag)
        {
            self.different_targets(left, right)?;
        } else if self.mapping.is_some() && !self.corresponds(left.pc, right.pc) {
            self.part_by_change()?;
        } else {
            let group = self.report(Kind::Lost);
            self.meet_at(None, Some(group))?;
        }
        Ok(true)
    }

    pub(super) fn is_initialiser(&self, side: Side, enter: &Event) -> bool {
        let code = self.common.shapes[side].code(MethodIndex(enter.extra));
        code.is_some_and(|code| &*code.name == "<clinit>")
    }

    /// Unrecorded code calls a method in one run only. When a class is initialised depends on all threads, so that is
    /// no difference.
    pub(super) fn call_back_of_one(&mut self, side: Side, enter: &Event) -> Result<(), CompareError> {
        if !self.is_initialiser(side, enter) {
            let mut methods = Pair::default();
            methods[side] = Some(MethodIndex(enter.extra));
            let mut at = self.points();
            if self.frames.is_empty() {
                at[side] = Some(Point { method: MethodIndex(enter.extra), pc: 0, step: enter.step });
            }
            self.report_at(at, Kind::CallBack { methods });
        }
        self.pass_frame(side, enter.depth).map(drop)
    }

    /// A call goes to a recorded method in one run and to another in the other.
    fn different_targets(&mut self, left: &Event, right: &Event) -> Result<(), CompareError> {
        let recorded = |event: &Event| (event.tag == Tag::Enter).then_some(MethodIndex(event.extra));
        self.report(Kind::Target { methods: Pair { left: recorded(left), right: recorded(right) } });
        for (side, event) in [(Side::Left, left), (Side::Right, right)] {
            match event.tag {
                Tag::Enter => drop(self.pass_frame(side, event.depth)?),
                _ => self.pass_call(side, event.depth)?,
            }
        }
        Ok(())
    }

    /// An exception in one run, or two that go different ways.
    fn part_by_exception(&mut self) -> Result<(), CompareError> {
        if self.frames.is_empty() {
            // Below all frames nothing can be thrown.
            let group = self.report(Kind::Lost);
            return self.meet_at(None, Some(group));
        }
        let depth = self.frames.len() as u32 - 1;
        let mut thrown = Pair::default();
        let mut to: Pair<Option<Pc>> = Pair::default();
        let mut from: Option<(Side, Pc)> = None;
        for side in Side::BOTH {
            let mut event = self.look(side)?;
            if event.tag == Tag::Thrown {
                from = from.or(Some((side, event.pc)));
                self.here[side].step = event.step;
                self.cursors[side].advance();
                event = self.look(side)?;
                // A class loader looks for the class of a handler.
                while event.is_call_back() {
                    self.pass_frame(side, event.depth)?;
                    event = self.look(side)?;
                }
            }
            match event.tag {
                Tag::Caught if event.depth == depth => {
                    thrown[side] = Some(Value::reference(event.a));
                    to[side] = Some(event.pc);
                    from = from.or(Some((side, event.extra)));
                    self.cursors[side].advance();
                }
                Tag::Unwound if event.depth == depth => {
                    thrown[side] = Some(Value::reference(event.a));
                    from = from.or(Some((side, event.pc)));
                }
                _ => {}
            }
        }
        for side in Side::BOTH.into_iter().filter(|&side| thrown[side].is_none()) {
            let mut event = self.look(side)?;
            let own_from = from.and_then(|(thrower, pc)| self.pc_in(side, thrower, pc));
            if event.tag == Tag::Called && Some(event.pc) == own_from {
                self.cursors[side].advance();
                event = self.look(side)?;
            }
            to[side] = (event.tag != Tag::End).then_some(event.pc);
        }
        for side in Side::BOTH {
            if let Some(pc) = from.and_then(|(thrower, pc)| self.pc_in(side, thrower, pc)) {
                self.here[side].pc = pc;
            }
        }
        let group = self.report_exception(thrown);
        self.in_flight = Side::BOTH.into_iter().find(|&side| thrown[side].is_some() && to[side].is_none());
        self.meet_from(to, group)
    }
}
