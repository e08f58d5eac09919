//! What a watcher needs to know of the methods that it meets.

use std::sync::OnceLock;
use whydunit_classfile::{access, descriptor};
use whydunit_model::Flow;
use whydunit_replay::Program;
use whydunit_replay::program::{MethodCode, MethodIndex};
use whydunit_trace::LogKind;

/// The methods of one run that were needed so far.
#[derive(Debug)]
pub(crate) struct Shapes<'p> {
    program: &'p Program,
    by_method: Box<[OnceLock<Shape>]>,
}

#[derive(Debug)]
pub(crate) struct Shape {
    pub(crate) flow: Flow,
    /// By instruction.
    pub(crate) is_block_start: Box<[bool]>,
    /// The first slot and the kind of each parameter, `this` included.
    pub(crate) parameters: Box<[(u16, LogKind)]>,
}

impl<'p> Shapes<'p> {
    pub(crate) fn new(program: &'p Program) -> Shapes<'p> {
        Shapes { program, by_method: program.methods().map(|_| OnceLock::new()).collect() }
    }

    pub(crate) fn program(&self) -> &'p Program {
        self.program
    }

    pub(crate) fn of(&self, code: &MethodCode) -> &Shape {
        self.by_method[code.index.0 as usize].get_or_init(|| Shape::of(code))
    }

    /// `None` for a method that is not recorded.
    pub(crate) fn code(&self, method: MethodIndex) -> Option<&'p MethodCode> {
        self.program.code(method).ok()
    }
}

impl Shape {
    fn of(code: &MethodCode) -> Shape {
        let flow = Flow::of(code);
        let is_block_start = (0..code.ops.len() as u32).map(|pc| flow.is_block_start(pc)).collect();
        let this = (code.access & access::STATIC == 0).then_some(LogKind::Reference);
        let declared = descriptor::parameters(&code.descriptor).unwrap_or_default();
        let mut slot = 0;
        let parameters = this.into_iter().chain(declared.into_iter().map(|(base, _)| LogKind::of(base)));
        let parameters = parameters.map(|kind| {
            let own = slot;
            slot += kind.slots();
            (own, kind)
        });
        Shape { is_block_start, parameters: parameters.collect(), flow }
    }
}
