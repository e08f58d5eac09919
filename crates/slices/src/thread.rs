//! A thread's dependences, recorded stretch by stretch when they are asked for.

use crate::graph::{About, FrameInfo, Node, NodeId, Origin, Place, Role};
use crate::stretch::{Flows, Stretch};
use crate::wants::{Answer, Unknown, Want, may_answer};
use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;
use whydunit_replay::index::ThreadIndex;
use whydunit_replay::objects::ObjectTable;
use whydunit_replay::program::MethodIndex;
use whydunit_replay::{Program, ReplayError};

/// Stretches that are kept: one can take a hundred megabytes.
const KEPT: usize = 2;

#[derive(Debug)]
pub struct ThreadDependences<'s> {
    program: &'s Program,
    objects: &'s ObjectTable,
    flows: &'s Flows,
    index: &'s ThreadIndex,
    kept: RefCell<VecDeque<(usize, Rc<Stretch<'s>>)>>,
}

/// An executed instruction of a thread that made, moved or decided something. In the order of execution.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Executed {
    pub(crate) segment: usize,
    pub(crate) node: NodeId,
}

/// What is behind a value or a decision.
pub type Found = Result<Executed, Unknown>;

/// What there is to tell of an executed instruction.
#[derive(Clone, Copy, Debug)]
pub struct Description {
    pub node: Node,
    pub frame: FrameInfo,
    /// What it read from or wrote to the heap.
    pub place: Option<Place>,
    /// The recorded method that it calls, or passes an argument to.
    pub callee: Option<MethodIndex>,
    /// It ended with an exception: it has no value.
    pub has_thrown: bool,
}

impl<'s> ThreadDependences<'s> {
    pub fn new(
        program: &'s Program,
        objects: &'s ObjectTable,
        flows: &'s Flows,
        index: &'s ThreadIndex,
    ) -> ThreadDependences<'s> {
        ThreadDependences { program, objects, flows, index, kept: RefCell::default() }
    }

    /// Steps of the thread.
    pub fn steps(&self) -> u64 {
        self.index.steps()
    }

    pub(crate) fn program(&self) -> &'s Program {
        self.program
    }

    pub(crate) fn objects(&self) -> &'s ObjectTable {
        self.objects
    }

    pub(crate) fn flows(&self) -> &'s Flows {
        self.flows
    }

    pub(crate) fn index(&self) -> &'s ThreadIndex {
        self.index
    }

    pub(crate) fn stretch(&self, segment: usize) -> Result<Rc<Stretch<'s>>, ReplayError> {
        let mut kept = self.kept.borrow_mut();
        if let Some(position) = kept.iter().position(|(number, _)| *number == segment)
            && let Some(found) = kept.remove(position)
        {
            let stretch = Rc::clone(&found.1);
            kept.push_back(found);
            return Ok(stretch);
        }
        while kept.len() >= KEPT {
            kept.pop_front();
        }
        let checkpoint = self.index.checkpoint(segment)?;
        let end = self.index.end_of(segment);
        let thread = self.index.thread();
        let stretch = Stretch::record(self.program, self.objects, self.flows, thread, checkpoint, end)?;
        let stretch = Rc::new(stretch);
        kept.push_back((segment, Rc::clone(&stretch)));
        Ok(stretch)
    }

    /// The instructions of a step, in the order of execution.
    pub fn of_step(&self, step: u64) -> Result<Vec<Executed>, ReplayError> {
        let mut found = Vec::new();
        // A step that calls others may go on in later stretches.
        for segment in self.index.segment_before(step)..self.index.checkpoints() {
            let stretch = self.stretch(segment)?;
            let of_step = stretch.nodes().filter(|(_, node)| node.step == step);
            found.extend(of_step.map(|(node, _)| Executed { segment, node }));
            if !stretch.is_in_step(step) {
                break;
            }
        }
        Ok(found)
    }

    pub fn describe(&self, executed: Executed) -> Result<Option<Description>, ReplayError> {
        let stretch = self.stretch(executed.segment)?;
        let Some(node) = stretch.node(executed.node).copied() else { return Ok(None) };
        let (place, callee) = (stretch.place(&node), stretch.callee(&node));
        let has_thrown = node.about == About::THREW;
        Ok(stretch.frame(node.frame).map(|&frame| Description { node, frame, place, callee, has_thrown }))
    }

    /// The object that a reference in the bits of an instruction means.
    pub fn identity(&self, executed: Executed, reference: u64) -> Result<u64, ReplayError> {
        Ok(self.stretch(executed.segment)?.identity(reference))
    }

    /// What an instruction got its values from.
    pub fn inputs(&self, executed: Executed) -> Result<Vec<(Role, Found)>, ReplayError> {
        let stretch = self.stretch(executed.segment)?;
        let inputs = stretch.inputs(executed.node).to_vec();
        inputs.into_iter().map(|input| Ok((input.role, self.find(executed.segment, input.origin)?))).collect()
    }

    /// What decided that an instruction ran: a branch, the call of its method, or what threw the exception that its
    /// handler caught.
    pub fn decision(&self, executed: Executed) -> Result<Found, ReplayError> {
        let stretch = self.stretch(executed.segment)?;
        match stretch.node(executed.node) {
            Some(node) => self.find(executed.segment, node.control),
            None => Ok(Err(Unknown::Nothing)),
        }
    }

    pub(crate) fn find(&self, segment: usize, origin: Origin) -> Result<Found, ReplayError> {
        match self.stretch(segment)?.meaning(origin) {
            Answer::Node(node) => Ok(Ok(Executed { segment, node })),
            Answer::Unknown(unknown) => Ok(Err(unknown)),
            Answer::Before(wants) => self.find_first(segment, &wants),
        }
    }

    /// The first of some wants that has an answer before a segment.
    fn find_first(&self, segment: usize, wants: &[Want]) -> Result<Found, ReplayError> {
        let mut found = Err(Unknown::Nothing);
        for &want in wants {
            found = self.find_before(segment, want)?;
            if found.is_ok() {
                break;
            }
        }
        Ok(found)
    }

    /// Looks for the answer to a want in the stretches before a segment.
    fn find_before(&self, segment: usize, mut want: Want) -> Result<Found, ReplayError> {
        let mut behind = None;
        for segment in (0..segment).rev() {
            let start = self.index.checkpoint(segment)?;
            let end = match behind.take() {
                Some(end) => Some(end),
                None if segment + 1 < self.index.checkpoints() => Some(self.index.checkpoint(segment + 1)?),
                None => None,
            };
            if may_answer(self.program, want, &start, end.as_ref(), &self.index.summary(segment)?) {
                match self.stretch(segment)?.answer(want) {
                    Answer::Node(node) => return Ok(Ok(Executed { segment, node })),
                    Answer::Unknown(unknown) => return Ok(Err(unknown)),
                    Answer::Before(next) => match next[..] {
                        [next] => want = next,
                        _ => return self.find_first(segment, &next),
                    },
                }
            }
            behind = Some(start);
        }
        Ok(Err(want.unanswered()))
    }
}
