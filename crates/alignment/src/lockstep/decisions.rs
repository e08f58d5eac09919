//! Conditions that are decided differently.

use super::Lockstep;
use crate::compare::CompareError;
use crate::difference::{Kind, What};
use crate::event::Event;
use crate::report::GroupId;
use crate::shapes::Shapes;
use crate::side::{Pair, Side};
use crate::watch::target_of;
use whydunit_replay::Value;
use whydunit_replay::events::{Comparison, switched_value};
use whydunit_replay::program::Pc;

impl Lockstep<'_, '_> {
    pub(super) fn branch(&mut self, left: &Event, right: &Event) -> Result<(), CompareError> {
        let Some(id) = self.frames.last().map(|frame| frame.methods) else { return Ok(()) };
        let code = self.common.methods.get(id).code;
        let to = Pair {
            left: target_of(code.left, left.pc, left.slot == 1),
            right: target_of(code.right, right.pc, right.slot == 1),
        };
        // Compilers leave jumps to the next instruction.
        if self.mapping.is_none() && to.left == to.right {
            return Ok(());
        }
        let events = Pair { left, right };
        let comparison = |side: Side| {
            let event = events[side];
            let compared = self.compared[side].filter(|compared| compared.number + 1 == event.number);
            let compared = compared.map(|compared| (compared.kind, [compared.a, compared.b]));
            let program = self.common.shapes[side].program();
            Comparison::of(program, code[side], event.pc, [event.a, event.b], compared)
        };
        let compared = Pair { left: comparison(Side::Left), right: comparison(Side::Right) };
        self.tell(What::Condition, events.map(|event| Value::Boolean(event.slot == 1)), false);
        let group = self.report(Kind::Branch { compared, to });
        self.go_on_from(to, group)
    }

    pub(super) fn switch(&mut self, left: &Event, right: &Event) -> Result<(), CompareError> {
        // What is decided the same can lead elsewhere in a changed method: that is no decision's difference.
        if self.corresponds(left.extra, right.extra) || self.mapping.is_some() && left.a == right.a {
            return Ok(());
        }
        let Some(id) = self.frames.last().map(|frame| frame.methods) else { return Ok(()) };
        let code = self.common.methods.get(id).code;
        let programs = self.common.shapes.map(Shapes::program);
        let value = Pair {
            left: switched_value(programs.left, code.left, left.pc, left.a),
            right: switched_value(programs.right, code.right, right.pc, right.a),
        };
        let to = Pair { left: left.extra, right: right.extra };
        self.tell(What::Condition, value, false);
        let group = self.report(Kind::Switch { value, to });
        self.go_on_from(to, group)
    }

    /// Both go on together where the ways from here meet.
    fn go_on_from(&mut self, to: Pair<Pc>, group: GroupId) -> Result<(), CompareError> {
        let Some(frame) = self.frames.last() else { return Ok(()) };
        if self.mapping.is_some() {
            self.pass_additions()?;
            let to = self.positions()?;
            return self.meet_from(to, Some(group));
        }
        let meeting = self.common.methods.meeting(frame.methods, to.left, to.right);
        self.meet_at(meeting, Some(group))
    }
}
