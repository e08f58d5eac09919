//! The two sides of a thread in lock step: one pass over both, with no memory but the frames that are open.
//!
//! In a method of which both have a frame, both run the same instructions until a condition is decided differently, a
//! call goes elsewhere or an exception is thrown. What depends on that is passed over in both; they go on together
//! where control comes together again, at the latest in the caller. A loop's condition is decided once for each
//! iteration, so iterations correspond by their number.

mod excuses;
mod values;

use crate::compare::{Aligned, CompareError};
use crate::cursor::Cursor;
use crate::difference::{Difference, Kind, MOST_CALLERS, Point};
use crate::event::{Event, Tag};
use crate::filters::Filters;
use crate::methods::{MethodPair, Methods, PairId, Relation};
use crate::objects::Renaming;
use crate::report::{Collector, GroupId};
use crate::shapes::Shapes;
use crate::side::{Pair, Side};
use crate::watch::target_of;
use excuses::Excuses;
use rustc_hash::{FxHashMap, FxHashSet};
use whydunit_replay::Value;
use whydunit_replay::events::{Comparison, switched_value};
use whydunit_replay::program::{MethodIndex, Pc};
use whydunit_trace::{LogKind, ThreadId};

/// What is known from one pair of threads to the next.
#[derive(Debug)]
pub(crate) struct Common<'p> {
    pub(crate) shapes: Pair<&'p Shapes<'p>>,
    pub(crate) filters: &'p Filters,
    pub(crate) methods: Methods<'p>,
    pub(crate) renaming: Renaming<'p>,
    pub(crate) collector: Collector,
    /// Values that differ but need not be the same, because they come from what is not compared.
    pub(crate) excused: FxHashSet<(u64, u64)>,
    /// Objects of the left run that collect texts and got different ones: whether all that differs is excused.
    pub(crate) builders: FxHashMap<u64, bool>,
}

pub(crate) struct Lockstep<'c, 'p> {
    common: &'c mut Common<'p>,
    threads: Pair<ThreadId>,
    pub(crate) cursors: Pair<Cursor<'c>>,
    frames: Vec<FramePair>,
    /// The last instruction that both have come to.
    here: Pair<Here>,
    /// Operands of the comparison before.
    compared: Pair<Option<Event>>,
    /// The side that an exception has made leave a frame, which was told.
    in_flight: Option<Side>,
    /// The last exceptions that were told: they may be thrown again.
    told: Pair<Option<Value>>,
    pub(crate) aligned: u64,
    visit: Option<&'c mut (dyn FnMut(Aligned) + 'c)>,
}

/// A frame of each side that correspond.
#[derive(Clone, Copy, Debug)]
struct FramePair {
    methods: PairId,
    /// The instructions of the frames below.
    call: Pair<Here>,
    /// The last call into unrecorded code whose arguments differ, but need not be the same.
    excused_call: Option<Pc>,
    excuses: Excuses,
}

#[derive(Clone, Copy, Debug, Default)]
struct Here {
    pc: Pc,
    step: u64,
}

/// How passing over events has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Passed {
    Reached,
    /// The frame is left next.
    Left,
    /// An exception has come to this handler.
    Caught(Pc),
    End,
}

impl<'c, 'p> Lockstep<'c, 'p> {
    pub(crate) fn new(
        common: &'c mut Common<'p>,
        threads: Pair<ThreadId>,
        cursors: Pair<Cursor<'c>>,
        visit: Option<&'c mut (dyn FnMut(Aligned) + 'c)>,
    ) -> Lockstep<'c, 'p> {
        Lockstep {
            common,
            threads,
            cursors,
            frames: Vec::new(),
            here: Pair::default(),
            compared: Pair::default(),
            in_flight: None,
            told: Pair::default(),
            aligned: 0,
            visit,
        }
    }

    pub(crate) fn run(&mut self) -> Result<(), CompareError> {
        loop {
            let left = self.look(Side::Left)?;
            let right = self.look(Side::Right)?;
            let is_together = left.tag == right.tag && left.pc == right.pc && left.depth == right.depth;
            let goes_on = if is_together { self.together(&left, &right)? } else { self.apart(&left, &right)? };
            if !goes_on {
                return Ok(());
            }
        }
    }

    /// The next event of a side.
    #[inline]
    fn look(&mut self, side: Side) -> Result<Event, CompareError> {
        loop {
            let event = *self.cursors[side].peek()?;
            if event.tag != Tag::Identified {
                return Ok(event);
            }
            self.common.renaming.identified(side, event.a, event.b);
            self.cursors[side].advance();
        }
    }

    #[inline]
    fn advance(&mut self) {
        self.cursors.left.advance();
        self.cursors.right.advance();
    }

    /// Both are at the same instruction, which does the same kind of thing.
    #[inline]
    fn together(&mut self, left: &Event, right: &Event) -> Result<bool, CompareError> {
        match left.tag {
            Tag::End => return Ok(false),
            Tag::Enter => {
                self.enter(left, right)?;
                return Ok(true);
            }
            Tag::Return | Tag::Unwound => {
                self.exit(left, right)?;
                return Ok(true);
            }
            _ => {}
        }
        self.advance();
        self.here.left = Here { pc: left.pc, step: left.step };
        self.here.right = Here { pc: right.pc, step: right.step };
        self.aligned += 1;
        if let Some(visit) = &mut self.visit {
            visit(Aligned { numbers: Pair { left: left.number, right: right.number } });
        }
        match left.tag {
            Tag::Branch if left.slot != right.slot => self.branch(left, right)?,
            Tag::Switch if left.extra != right.extra => self.switch(left, right)?,
            Tag::Compared => self.compared = Pair { left: Some(*left), right: Some(*right) },
            Tag::Local => self.local(left, right)?,
            Tag::Field => self.field(left, right)?,
            Tag::Element => self.element(left, right)?,
            Tag::Calling => self.arguments(left, right)?,
            Tag::Called => {
                self.in_flight = None;
                self.result(left, right)?;
            }
            Tag::Caught => {
                self.in_flight = None;
                self.exception(left, right)?;
            }
            _ => {}
        }
        Ok(true)
    }

    fn branch(&mut self, left: &Event, right: &Event) -> Result<(), CompareError> {
        let Some(id) = self.frames.last().map(|frame| frame.methods) else { return Ok(()) };
        let code = self.common.methods.get(id).code;
        let to = Pair {
            left: target_of(code.left, left.pc, left.slot == 1),
            right: target_of(code.right, right.pc, right.slot == 1),
        };
        // Compilers leave jumps to the next instruction.
        if to.left == to.right {
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
        let group = self.report(Kind::Branch { compared, to });
        let meeting = self.common.methods.meeting(id, to.left, to.right);
        self.meet_at(meeting, Some(group))
    }

    fn switch(&mut self, left: &Event, right: &Event) -> Result<(), CompareError> {
        let Some(id) = self.frames.last().map(|frame| frame.methods) else { return Ok(()) };
        let code = self.common.methods.get(id).code;
        let programs = self.common.shapes.map(Shapes::program);
        let value = Pair {
            left: switched_value(programs.left, code.left, left.pc, left.a),
            right: switched_value(programs.right, code.right, right.pc, right.a),
        };
        let to = Pair { left: left.extra, right: right.extra };
        let group = self.report(Kind::Switch { value, to });
        let meeting = self.common.methods.meeting(id, to.left, to.right);
        self.meet_at(meeting, Some(group))
    }

    /// Both enter a method from corresponding instructions.
    fn enter(&mut self, left: &Event, right: &Event) -> Result<(), CompareError> {
        let methods = Pair { left: MethodIndex(left.extra), right: MethodIndex(right.extra) };
        self.here = Pair { left: Here { pc: left.pc, step: left.b }, right: Here { pc: right.pc, step: right.b } };
        let id = self.common.methods.pair(methods, self.common.filters);
        let pair = id.map(|id| self.common.methods.get(id));
        let relation = pair.map_or(Relation::Different, |pair| pair.relation);
        let is_ignored = pair.is_some_and(|pair| pair.is_ignored);
        if left.slot != right.slot {
            let side = if left.is_call_back() { Side::Left } else { Side::Right };
            return self.call_back_of_one(side, if left.is_call_back() { left } else { right });
        }
        if let (Some(id), Relation::Same, false) = (id, relation, is_ignored) {
            self.frames.push(FramePair {
                methods: id,
                call: self.here,
                excused_call: None,
                excuses: Excuses::default(),
            });
            self.advance();
            self.aligned += 1;
            return self.parameters(id);
        }
        if relation == Relation::Different && left.is_call_back() {
            for (side, event) in [(Side::Left, left), (Side::Right, right)] {
                if self.is_initialiser(side, event) {
                    return self.pass_frame(side, event.depth).map(drop);
                }
            }
        }
        if relation == Relation::Different {
            let methods = methods.map(Some);
            self.report(match left.is_call_back() {
                true => Kind::CallBack { methods },
                false => Kind::Target { methods },
            });
        }
        let left = self.pass_frame(Side::Left, left.depth)?;
        let right = self.pass_frame(Side::Right, right.depth)?;
        if let (Tag::Return, Tag::Return) = (left.tag, right.tag)
            && left.kind == right.kind
        {
            let is_excused = self.returned(methods, &left, &right, is_ignored)?;
            self.note_result(is_excused);
        }
        Ok(())
    }

    /// A call is complete, with a result that need not be the same.
    fn note_result(&mut self, is_excused: bool) {
        let pc = self.here.left.pc;
        if let Some(frame) = self.frames.last_mut()
            && is_excused
        {
            frame.excuses.add_call(pc);
        }
    }

    /// Both leave corresponding frames, from whatever instruction.
    fn exit(&mut self, left: &Event, right: &Event) -> Result<(), CompareError> {
        self.here.left = Here { pc: left.pc, step: left.step };
        self.here.right = Here { pc: right.pc, step: right.step };
        self.advance();
        self.aligned += 1;
        let mut is_excused = false;
        match (left.tag, right.tag) {
            (Tag::Return, Tag::Return) => {
                self.in_flight = None;
                if let Some(frame) = self.frames.last() {
                    let methods = self.common.methods.get(frame.methods).methods;
                    is_excused = self.returned(methods, left, right, false)?;
                }
            }
            (Tag::Unwound, Tag::Unwound) => self.exception(left, right)?,
            _ => {
                let thrower = if left.tag == Tag::Unwound { Side::Left } else { Side::Right };
                let exception = |event: &Event| (event.tag == Tag::Unwound).then(|| Value::reference(event.a));
                self.report_exception(Pair { left: exception(left), right: exception(right) });
                self.in_flight = Some(thrower);
            }
        }
        if let Some(frame) = self.frames.pop() {
            self.here = frame.call;
        }
        self.note_result(is_excused);
        Ok(())
    }

    /// The sides do not do the same next.
    #[cold]
    fn apart(&mut self, left: &Event, right: &Event) -> Result<bool, CompareError> {
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
        } else if left.pc == right.pc
            && let (Tag::Enter, Tag::Calling) | (Tag::Calling, Tag::Enter) = (left.tag, right.tag)
        {
            self.different_targets(left, right)?;
        } else {
            let group = self.report(Kind::Lost);
            self.meet_at(None, Some(group))?;
        }
        Ok(true)
    }

    fn is_initialiser(&self, side: Side, enter: &Event) -> bool {
        let code = self.common.shapes[side].code(MethodIndex(enter.extra));
        code.is_some_and(|code| &*code.name == "<clinit>")
    }

    /// Unrecorded code calls a method in one run only. When a class is initialised depends on all threads, so that is
    /// no difference.
    fn call_back_of_one(&mut self, side: Side, enter: &Event) -> Result<(), CompareError> {
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
        let Some(id) = self.frames.last().map(|frame| frame.methods) else {
            // Below all frames nothing can be thrown.
            let group = self.report(Kind::Lost);
            return self.meet_at(None, Some(group));
        };
        let depth = self.frames.len() as u32 - 1;
        let mut thrown = Pair::default();
        let mut to: Pair<Option<Pc>> = Pair::default();
        let mut from: Option<Pc> = None;
        for side in Side::BOTH {
            let mut event = self.look(side)?;
            if event.tag == Tag::Thrown {
                from = from.or(Some(event.pc));
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
                    from = from.or(Some(event.extra));
                    self.cursors[side].advance();
                }
                Tag::Unwound if event.depth == depth => {
                    thrown[side] = Some(Value::reference(event.a));
                    from = from.or(Some(event.pc));
                }
                _ => {}
            }
        }
        for side in Side::BOTH.into_iter().filter(|&side| thrown[side].is_none()) {
            let mut event = self.look(side)?;
            if event.tag == Tag::Called && Some(event.pc) == from {
                self.cursors[side].advance();
                event = self.look(side)?;
            }
            to[side] = (event.tag != Tag::End).then_some(event.pc);
        }
        if let Some(from) = from {
            self.here = self.here.map(|here| Here { pc: from, ..here });
        }
        let group = self.report_exception(thrown);
        self.in_flight = Side::BOTH.into_iter().find(|&side| thrown[side].is_some() && to[side].is_none());
        let meeting = match to {
            Pair { left: Some(left), right: Some(right) } => self.common.methods.meeting(id, left, right),
            _ => None,
        };
        self.meet_at(meeting, group)
    }

    /// Passes over what both do up to an instruction of the topmost frames, or up to their end.
    fn meet_at(&mut self, meeting: Option<Pc>, group: Option<GroupId>) -> Result<(), CompareError> {
        let before = self.here;
        let Some(id) = self.frames.last().map(|frame| frame.methods) else { return Ok(()) };
        let depth = self.frames.len() as u32 - 1;
        let mut meeting = meeting;
        loop {
            let left = self.pass_to(Side::Left, depth, meeting)?;
            let right = self.pass_to(Side::Right, depth, meeting)?;
            match (left, right) {
                (Passed::Caught(handler), _) | (_, Passed::Caught(handler)) => {
                    meeting = meeting.and_then(|meeting| self.common.methods.meeting(id, meeting, handler));
                }
                (Passed::Left, Passed::Reached) | (Passed::Reached, Passed::Left) => meeting = None,
                (Passed::End, _) | (_, Passed::End) => break,
                (Passed::Reached, Passed::Reached) | (Passed::Left, Passed::Left) => break,
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

    fn pass_to(&mut self, side: Side, depth: u32, meeting: Option<Pc>) -> Result<Passed, CompareError> {
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
                    return Ok(Passed::Caught(event.pc));
                }
            }
            let is_own = event.depth == depth || event.tag == Tag::Enter && event.depth == depth + 1;
            if is_own && meeting == Some(event.pc) {
                return Ok(Passed::Reached);
            }
            self.cursors[side].advance();
        }
    }

    /// Passes over a frame that is about to be entered, up to its end, which is given.
    fn pass_frame(&mut self, side: Side, depth: u32) -> Result<Event, CompareError> {
        loop {
            let event = self.look(side)?;
            if event.tag == Tag::End {
                return Ok(event);
            }
            self.cursors[side].advance();
            if event.is_exit() && event.depth == depth {
                return Ok(event);
            }
        }
    }

    /// Passes over a call into unrecorded code that is next.
    fn pass_call(&mut self, side: Side, depth: u32) -> Result<(), CompareError> {
        loop {
            let event = self.look(side)?;
            if event.tag == Tag::End || event.depth == depth && event.is_exceptional() {
                return Ok(());
            }
            self.cursors[side].advance();
            if event.tag == Tag::Called && event.depth == depth {
                return Ok(());
            }
        }
    }

    /// Where the sides are, in the methods of their topmost frames.
    fn points(&self) -> Pair<Option<Point>> {
        let Some(frame) = self.frames.last() else { return Pair::default() };
        let methods = self.common.methods.get(frame.methods).methods;
        let point = |side: Side| Some(point(methods[side], self.here[side]));
        Pair { left: point(Side::Left), right: point(Side::Right) }
    }

    /// [`Lockstep::points`], or the method that is entered below all frames.
    fn points_or_entry(&self, left: &Event, right: &Event) -> Pair<Option<Point>> {
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
    fn report_exception(&mut self, thrown: Pair<Option<Value>>) -> Option<GroupId> {
        let is_known = |side: Side| thrown[side].is_some_and(|value| value != Value::Null);
        let is_told = |side: Side| {
            thrown[side].is_none() || self.in_flight == Some(side) || is_known(side) && self.told[side] == thrown[side]
        };
        if Side::BOTH.into_iter().all(is_told) {
            return None;
        }
        self.told = thrown;
        Some(self.report(Kind::Exception { thrown }))
    }

    fn report(&mut self, kind: Kind) -> GroupId {
        self.report_at(self.points(), kind)
    }

    fn report_at(&mut self, at: Pair<Option<Point>>, kind: Kind) -> GroupId {
        let Common { collector, methods, .. } = &mut *self.common;
        let (frames, threads) = (&self.frames, self.threads);
        collector.add(at, kind, |kind| Difference { threads, kind, at, callers: callers(frames, methods) })
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

/// Whether two slots hold the same value, for all but references.
#[inline]
fn is_same_value(kind: LogKind, left: u64, right: u64) -> bool {
    left == right || whydunit_replay::interpreter::is_same(kind, left, right)
}
