//! What a watcher needs to know of the methods that it meets.

use crate::changes::Points;
use std::sync::OnceLock;
use whydunit_classfile::{access, descriptor};
use whydunit_model::Flow;
use whydunit_replay::Program;
use whydunit_replay::program::{MethodCode, MethodIndex, Pc};
use whydunit_trace::LogKind;

/// What is compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Detail {
    pub(crate) has_values: bool,
    /// Every step of its own, also within a block.
    pub(crate) has_steps: bool,
    /// Values that are read.
    pub(crate) has_reads: bool,
}

impl Detail {
    pub(crate) fn has_point(self, code: &MethodCode, flow: &Flow, pc: Pc) -> bool {
        let may_start_step = code.is_inside_line.get(pc as usize) == Some(&false);
        flow.is_block_start(pc) || self.has_steps && may_start_step
    }
}

/// The methods of one run that were needed so far.
#[derive(Debug)]
pub(crate) struct Shapes<'p> {
    program: &'p Program,
    detail: Detail,
    points: &'p Points,
    by_method: Box<[OnceLock<Shape>]>,
}

#[derive(Debug)]
pub(crate) struct Shape {
    pub(crate) flow: Flow,
    /// By instruction: where the sides are compared, the starts of blocks among others.
    pub(crate) is_point: Box<[bool]>,
    /// The first slot and the kind of each parameter, `this` included.
    pub(crate) parameters: Box<[(u16, LogKind)]>,
}

impl<'p> Shapes<'p> {
    pub(crate) fn new(program: &'p Program, detail: Detail, points: &'p Points) -> Shapes<'p> {
        Shapes { program, detail, points, by_method: program.methods().map(|_| OnceLock::new()).collect() }
    }

    pub(crate) fn detail(&self) -> Detail {
        self.detail
    }

    pub(crate) fn program(&self) -> &'p Program {
        self.program
    }

    pub(crate) fn of(&self, code: &MethodCode) -> &Shape {
        self.by_method[code.index.0 as usize].get_or_init(|| {
            let points = self.points.get(&code.index).map_or(&[][..], |points| points);
            Shape::of(code, self.detail, points)
        })
    }

    /// `None` for a method that is not recorded.
    pub(crate) fn code(&self, method: MethodIndex) -> Option<&'p MethodCode> {
        self.program.code(method).ok()
    }
}

impl Shape {
    fn of(code: &MethodCode, detail: Detail, points: &[Pc]) -> Shape {
        let flow = Flow::expecting_no_throw(code);
        let mut is_point: Box<[bool]> = (0..code.ops.len() as Pc).map(|pc| detail.has_point(code, &flow, pc)).collect();
        for &pc in points {
            is_point[pc as usize] = true;
        }
        let this = (code.access & access::STATIC == 0).then_some(LogKind::Reference);
        let declared = descriptor::parameters(&code.descriptor).unwrap_or_default();
        let mut slot = 0;
        let parameters = this.into_iter().chain(declared.into_iter().map(|(base, _)| LogKind::of(base)));
        let parameters = parameters.map(|kind| {
            let own = slot;
            slot += kind.slots();
            (own, kind)
        });
        Shape { is_point, parameters: parameters.collect(), flow }
    }
}
