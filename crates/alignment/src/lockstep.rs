//! The two sides of a thread in lock step: one pass over both, with no memory but the frames that are open.
//!
//! In a method of which both have a frame, both run the same instructions until a condition is decided differently, a
//! call goes elsewhere or an exception is thrown. What depends on that is passed over in both; they go on together
//! where control comes together again, at the latest in the caller. A loop's condition is decided once for each
//! iteration, so iterations correspond by their number.

mod apart;
mod calls;
mod changed;
mod contents;
mod decisions;
mod excuses;
mod passing;
mod reporting;
mod values;

use crate::compare::{Aligned, CompareError};
use crate::cursor::Cursor;
use crate::difference::{Kind, What};
use crate::event::{Event, Tag};
use crate::filters::Filters;
use crate::listener::Listener;
use crate::mapping::Mapping;
use crate::methods::{Methods, PairId, Relation};
use crate::objects::Renaming;
use crate::report::Collector;
use crate::shapes::Shapes;
use crate::side::{Pair, Side};
use calls::Returned;
use contents::Spoilt;
use excuses::Excuses;
use rustc_hash::{FxHashMap, FxHashSet};

use whydunit_replay::Value;
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
    /// Of the topmost frames, if their methods have different code.
    mapping: Option<&'p Mapping>,
    /// The last instruction that both have come to.
    here: Pair<Here>,
    /// Operands of the comparison before.
    compared: Pair<Option<Event>>,
    /// The side that an exception has made leave a frame, which was told.
    in_flight: Option<Side>,
    /// The last exceptions that were told: they may be thrown again.
    told: Pair<Option<Value>>,
    pub(crate) aligned: u64,
    listener: Option<&'c mut (dyn Listener + 'c)>,
    spoilt: Spoilt,
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

impl<'c, 'p> Lockstep<'c, 'p> {
    pub(crate) fn new(
        common: &'c mut Common<'p>,
        threads: Pair<ThreadId>,
        cursors: Pair<Cursor<'c>>,
        listener: Option<&'c mut (dyn Listener + 'c)>,
    ) -> Lockstep<'c, 'p> {
        Lockstep {
            common,
            threads,
            cursors,
            frames: Vec::new(),
            mapping: None,
            here: Pair::default(),
            compared: Pair::default(),
            in_flight: None,
            told: Pair::default(),
            aligned: 0,
            listener,
            spoilt: Spoilt::default(),
        }
    }

    pub(crate) fn run(&mut self) -> Result<(), CompareError> {
        loop {
            if self.mapping.is_some() {
                self.pass_additions()?;
            }
            let left = self.look(Side::Left)?;
            let right = self.look(Side::Right)?;
            let is_together = left.tag == right.tag && left.depth == right.depth && self.corresponds(left.pc, right.pc);
            let goes_on = if is_together { self.together(&left, &right)? } else { self.apart(&left, &right)? };
            if !goes_on {
                return Ok(());
            }
        }
    }

    /// Whether instructions of the topmost frames are the same one.
    #[inline]
    fn corresponds(&self, left: Pc, right: Pc) -> bool {
        match self.mapping {
            None => left == right,
            Some(mapping) => mapping.corresponds(left, right),
        }
    }

    /// The next event of a side.
    #[inline]
    fn look(&mut self, side: Side) -> Result<Event, CompareError> {
        loop {
            let event = *self.cursors[side].peek()?;
            match event.tag {
                Tag::Identified => self.common.renaming.identified(side, event.a, event.b),
                Tag::Met => self.cursors[side].sequence = event.a,
                _ => return Ok(event),
            }
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
        if let Some(listener) = &mut self.listener {
            listener.aligned(Aligned {
                threads: self.threads,
                numbers: Pair { left: left.number, right: right.number },
                steps: Pair { left: left.step, right: right.step },
                starts_step: right.tag == Tag::Block && right.slot == 1,
            });
        }
        match left.tag {
            Tag::Branch if left.slot != right.slot => self.branch(left, right)?,
            Tag::Switch => self.switch(left, right)?,
            Tag::Compared => self.compared = Pair { left: Some(*left), right: Some(*right) },
            Tag::Local => self.local(left, right)?,
            Tag::Field => self.field(left, right)?,
            Tag::Element => self.element(left, right)?,
            Tag::ReadLocal | Tag::ReadField | Tag::ReadElement => self.read(left, right)?,
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
        if let (Some(id), Relation::Same | Relation::Edited, false) = (id, relation, is_ignored) {
            self.mapping = self.common.methods.get(id).mapping;
            self.frames.push(FramePair {
                methods: id,
                call: self.here,
                excused_call: None,
                excuses: Excuses::default(),
            });
            self.advance();
            self.aligned += 1;
            return self.parameters(id, left.is_call_back());
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
            let returned = self.returned(methods, &left, &right, is_ignored)?;
            self.note_result(returned == Returned::Excused);
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
        let mut returned = Returned::Same;
        match (left.tag, right.tag) {
            (Tag::Return, Tag::Return) => {
                self.in_flight = None;
                if let Some(frame) = self.frames.last() {
                    let methods = self.common.methods.get(frame.methods).methods;
                    returned = self.returned(methods, left, right, false)?;
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
            self.mapping = self.frames.last().and_then(|frame| self.common.methods.get(frame.methods).mapping);
        }
        if let Returned::Different(values) = returned {
            self.tell_read(What::Result, values);
        }
        self.note_result(returned == Returned::Excused);
        Ok(())
    }
}

/// Whether two slots hold the same value, for all but references.
#[inline]
fn is_same_value(kind: LogKind, left: u64, right: u64) -> bool {
    left == right || whydunit_replay::interpreter::is_same(kind, left, right)
}
