//! What is told of a difference.

use super::{Common, FramePair, Here, Lockstep};
use crate::difference::{Difference, Kind, MOST_CALLERS, Point, What};
use crate::event::{Event, Tag};
use crate::methods::{MethodPair, Methods};
use crate::report::GroupId;
use crate::side::{Pair, Side};
use crate::verdicts::WrongValue;
use whydunit_replay::Value;
use whydunit_replay::program::MethodIndex;

impl Lockstep<'_, '_> {
    /// Tells the listener of something that is not as it should be in the right run, where that is.
    pub(super) fn tell(&mut self, what: What, values: Pair<Value>, is_read: bool) {
        if let Some(listener) = &mut self.listener {
            let Here { pc, step } = self.here.right;
            let wrong = WrongValue { pc, what, is_read, expected: values.left, found: values.right };
            listener.wrong(self.threads.right, step, wrong);
        }
    }

    /// The caller of the method that is entered passes something that is wrong.
    pub(super) fn tell_passed(&mut self, number: u16, values: Pair<Value>) {
        if let [.., _, callee] = &self.frames[..] {
            self.here = callee.call;
            self.tell(What::Argument { number }, values, false);
        }
    }

    pub(super) fn tell_read(&mut self, what: What, values: Pair<Value>) {
        if self.common.shapes.right.detail().has_reads {
            self.tell(what, values, true);
        }
    }

    /// Where the sides are, in the methods of their topmost frames.
    pub(super) fn points(&self) -> Pair<Option<Point>> {
        let Some(frame) = self.frames.last() else { return Pair::default() };
        let methods = self.common.methods.get(frame.methods).methods;
        let point = |side: Side| Some(point(methods[side], self.here[side]));
        Pair { left: point(Side::Left), right: point(Side::Right) }
    }

    /// [`Lockstep::points`], or the method that is entered below all frames.
    pub(super) fn points_or_entry(&self, left: &Event, right: &Event) -> Pair<Option<Point>> {
        let mut points = self.points();
        if self.frames.is_empty() {
            for (side, event) in [(Side::Left, left), (Side::Right, right)] {
                if event.tag == Tag::Enter {
                    points[side] = Some(Point { method: MethodIndex(event.extra), pc: 0, step: event.step });
                }
            }
        }
        points
    }

    /// Exceptions are told where they are thrown, not again on their way.
    pub(super) fn report_exception(&mut self, thrown: Pair<Option<Value>>) -> Option<GroupId> {
        let is_known = |side: Side| thrown[side].is_some_and(|value| value != Value::Null);
        let is_told = |side: Side| {
            thrown[side].is_none() || self.in_flight == Some(side) || is_known(side) && self.told[side] == thrown[side]
        };
        if Side::BOTH.into_iter().all(is_told) {
            return None;
        }
        self.told = thrown;
        self.tell(What::Exception, thrown.map(|thrown| thrown.unwrap_or(Value::Null)), false);
        Some(self.report(Kind::Exception { thrown }))
    }

    pub(super) fn report(&mut self, kind: Kind) -> GroupId {
        self.report_at(self.points(), kind)
    }

    pub(super) fn report_at(&mut self, at: Pair<Option<Point>>, kind: Kind) -> GroupId {
        let Common { collector, methods, .. } = &mut *self.common;
        let (frames, threads, sequence) = (&self.frames, self.threads, self.cursors.left.sequence);
        collector.add(threads.left, at, kind, |kind| Difference {
            threads,
            sequence,
            kind,
            at,
            callers: callers(frames, methods),
        })
    }
}

fn point(method: MethodIndex, here: Here) -> Point {
    Point { method, pc: here.pc, step: here.step }
}

/// The calls that are under way, the nearest first.
fn callers(frames: &[FramePair], methods: &Methods<'_>) -> Vec<Pair<Point>> {
    let pairs = frames.windows(2).rev().take(MOST_CALLERS);
    let caller = |pair: &MethodPair<'_>, call: Pair<Here>| Pair {
        left: point(pair.methods.left, call.left),
        right: point(pair.methods.right, call.right),
    };
    pairs.map(|frames| caller(methods.get(frames[0].methods), frames[1].call)).collect()
}
