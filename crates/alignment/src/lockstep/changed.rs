//! Methods that have other code in the other run: what only one version has is passed over.

use super::Lockstep;
use crate::compare::CompareError;
use crate::difference::{Kind, Point};
use crate::event::{Event, Tag};
use crate::side::{Pair, Side};
use whydunit_replay::program::{Op, Pc};

impl Lockstep<'_, '_> {
    /// Passes over what the versions of the topmost method do at instructions without a partner.
    #[cold]
    pub(super) fn pass_additions(&mut self) -> Result<(), CompareError> {
        for side in Side::BOTH {
            let mut told = None;
            loop {
                let event = self.look(side)?;
                if event.tag == Tag::End || event.is_exit() || event.is_exceptional() {
                    break;
                }
                let Some(mapping) = self.mapping else { return Ok(()) };
                if mapping.partner(side, event.pc).is_some() {
                    if !self.is_read_of_one(side, &event) {
                        break;
                    }
                    self.cursors[side].advance();
                    continue;
                }
                let gap = mapping.gap(side, event.pc);
                if told.replace(gap) != Some(gap) {
                    self.report_code(side, gap, &event);
                }
                match event.tag {
                    Tag::Enter => drop(self.pass_frame(side, event.depth)?),
                    _ => self.pass(side, &event)?,
                }
            }
        }
        Ok(())
    }

    /// Whether a local is read at an instruction that is something else in the other version.
    fn is_read_of_one(&self, side: Side, event: &Event) -> bool {
        let other = side.other();
        let Some(frame) = self.frames.last().filter(|_| event.tag == Tag::ReadLocal) else { return false };
        let code = self.common.methods.get(frame.methods).code[other];
        let partner = self.pc_in(other, side, event.pc).and_then(|pc| code.ops.get(pc as usize));
        !matches!(partner, Some(Op::Load(_) | Op::LoadWide(_) | Op::Increment { .. }))
    }

    /// A side runs code that the other does not have.
    fn report_code(&mut self, side: Side, gap: Pc, event: &Event) {
        let mut at = self.points();
        let (Some(mapping), Some(frame)) = (self.mapping, self.frames.last()) else { return };
        let methods = self.common.methods.get(frame.methods).methods;
        let other = side.other();
        let step = if event.tag == Tag::Enter { event.b } else { event.step };
        at[side] = Some(Point { method: methods[side], pc: gap, step });
        // After which instruction it would be.
        let before = gap.checked_sub(1).and_then(|before| mapping.partner(side, before));
        let step = self.here[other].step.max(1);
        at[other] = Some(Point { method: methods[other], pc: before.unwrap_or(0), step });
        self.report_at(at, Kind::Code { only: side });
    }

    /// Both are at instructions that do not correspond, because the code of one leads elsewhere.
    pub(super) fn part_by_change(&mut self) -> Result<(), CompareError> {
        let to = self.positions()?;
        let group = self.report(Kind::Way { to });
        self.meet_from(to, Some(group))
    }

    /// Where the topmost frames go on, unless they are left.
    pub(super) fn positions(&mut self) -> Result<Pair<Option<Pc>>, CompareError> {
        let mut to = Pair::default();
        for side in Side::BOTH {
            let event = self.look(side)?;
            to[side] = (event.tag != Tag::End && !event.is_exit()).then_some(event.pc);
        }
        Ok(to)
    }
}
