//! The calls that no recorded code made, such as tests and tasks, each with the lines that ran in it.

use super::ThreadIndex;
use super::runs::Runs;
use crate::error::ReplayError;
use crate::interpreter::{At, Entry, Frame, Observer, TEMPORARY, ThreadReplay};
use crate::objects::ObjectTable;
use crate::program::{MethodCode, MethodIndex, Pc, Program};
use crate::steps::StepCounter;
use rustc_hash::FxHashSet;
use std::ops::{ControlFlow, RangeInclusive};
use whydunit_classfile::access;
use whydunit_trace::{LogKind, ObjectId};

const INITIALISER: &str = "<clinit>";

/// A call of the lowest frame of a thread.
#[derive(Debug)]
pub struct LowestCall {
    pub method: MethodIndex,
    /// The object that it was called on, if that had an id.
    pub receiver: Option<ObjectId>,
    /// From its first step to the last that started before it was over.
    pub steps: RangeInclusive<u64>,
    pub end: LowestEnd,
    /// In any frame; 0 stands for what has no line.
    pub lines: FxHashSet<(MethodIndex, u16)>,
    /// Those of them that ran for a static initialiser, which runs once for all later calls. Of calls that take several
    /// segments, they are known where the calls start and end.
    pub initialising: FxHashSet<(MethodIndex, u16)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LowestEnd {
    Returned,
    /// With an exception, which is known if it had an id.
    Thrown(Option<ObjectId>),
    /// The thread ended, or the recording.
    Open,
}

impl ThreadIndex {
    /// Shows them to `visit` in the order of the run, until that breaks. Segments in which none starts or ends are not
    /// replayed.
    pub fn for_each_lowest_call(
        &self,
        program: &Program,
        objects: &ObjectTable,
        visit: &mut dyn FnMut(LowestCall) -> ControlFlow<()>,
    ) -> Result<(), ReplayError> {
        let mut collector = Collector {
            visit,
            is_over: false,
            steps: StepCounter::default(),
            runs: program.methods().map(|_| None).collect(),
            number: 0,
            initialiser: None,
            call: None,
        };
        for index in 0..self.checkpoints() {
            if collector.is_over {
                return Ok(());
            }
            match &mut collector.call {
                Some(call) if self.segment(index)?.lowest > 0 => call.lines.extend(self.summary(index)?.lines_run()),
                _ => self.collect(program, objects, index, &mut collector)?,
            }
        }
        collector.finish(self.steps(), LowestEnd::Open);
        Ok(())
    }

    fn collect(
        &self,
        program: &Program,
        objects: &ObjectTable,
        index: usize,
        collector: &mut Collector<'_>,
    ) -> Result<(), ReplayError> {
        let checkpoint = self.checkpoint(index)?;
        let mut replay = ThreadReplay::from_snapshot(program, objects, self.thread, &checkpoint.replay)?;
        collector.steps = checkpoint.steps;
        let is_initialiser = |frame: &Frame<'_>| &*frame.code.name == INITIALISER;
        let initialiser = replay.frames().iter().position(is_initialiser);
        collector.set_initialiser(initialiser.map(|depth| depth as u32));
        match replay.run(collector, self.end_of(index)) {
            // The index ends where the replay does, for whatever reason.
            Ok(_) | Err(ReplayError::Divergence(_)) => Ok(()),
            Err(error) => Err(error),
        }
    }
}

fn identified(reference: u64) -> Option<ObjectId> {
    (reference != 0 && reference & TEMPORARY == 0).then_some(ObjectId(reference as u32))
}

struct Collector<'v> {
    visit: &'v mut dyn FnMut(LowestCall) -> ControlFlow<()>,
    is_over: bool,
    steps: StepCounter,
    /// By method, of those that ran.
    runs: Box<[Option<Runs>]>,
    /// Of calls so far, and of changes from and to static initialisers.
    number: u32,
    /// Depth of the lowest frame of a static initialiser.
    initialiser: Option<u32>,
    call: Option<LowestCall>,
}

impl Collector<'_> {
    fn finish(&mut self, latest: u64, end: LowestEnd) {
        let Some(call) = self.call.take() else { return };
        let steps = *call.steps.start()..=latest;
        if !self.is_over {
            self.is_over = (self.visit)(LowestCall { steps, end, ..call }).is_break();
        }
    }

    fn left(&mut self, depth: u32) {
        if self.initialiser.is_some_and(|initialiser| depth <= initialiser) {
            self.set_initialiser(None);
        }
    }

    fn set_initialiser(&mut self, initialiser: Option<u32>) {
        self.initialiser = initialiser;
        // What ran counts anew.
        self.number += 1;
    }
}

impl Observer for Collector<'_> {
    const EVERY_INSTRUCTION: bool = false;

    #[inline]
    fn ran(&mut self, code: &MethodCode, depth: u32, from: Pc, to: Pc) {
        let Some(runs) = self.runs.get_mut(code.index.0 as usize) else { return };
        let runs = runs.get_or_insert_with(|| Runs::new(code));
        if let Some(run) = runs.lines(from, to) {
            self.steps.ran(&run, depth);
        }
        if runs.is_new(from, to, self.number)
            && let Some(call) = &mut self.call
        {
            let lines = code.lines.get(from as usize..=to as usize).unwrap_or_default();
            let lines = lines.iter().map(|&line| (code.index, line));
            if self.initialiser.is_some() {
                call.initialising.extend(lines.clone());
            }
            call.lines.extend(lines);
        }
    }

    fn entered(&mut self, at: At<'_>, arguments: &[u64], _entry: Entry) {
        self.steps.entered(at.depth);
        if at.depth == 0 {
            self.finish(self.steps.steps(), LowestEnd::Open);
            self.number += 1;
            let first = self.steps.steps() + 1;
            let receiver = arguments.first().filter(|_| at.code.access & access::STATIC == 0);
            self.call = Some(LowestCall {
                method: at.code.index,
                receiver: receiver.and_then(|&receiver| identified(receiver)),
                steps: first..=first,
                end: LowestEnd::Open,
                lines: FxHashSet::default(),
                initialising: FxHashSet::default(),
            });
        }
        if self.initialiser.is_none() && &*at.code.name == INITIALISER {
            self.set_initialiser(Some(at.depth));
        }
    }

    fn returned(&mut self, at: At<'_>, _kind: LogKind, _bits: u64) {
        if at.depth == 0 {
            self.finish(self.steps.steps(), LowestEnd::Returned);
        }
        self.left(at.depth);
    }

    fn unwound(&mut self, at: At<'_>, exception: u64) {
        if at.depth == 0 {
            self.finish(self.steps.steps(), LowestEnd::Thrown(identified(exception)));
        }
        self.left(at.depth);
    }
}
