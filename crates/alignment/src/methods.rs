//! Methods of both runs that are the same, and where control comes together again in them.

use crate::changes::Changes;
use crate::filters::Filters;
use crate::mapping::Mapping;
use crate::objects::stable_name;
use crate::shapes::Shapes;
use crate::side::{Pair, Side};
use rustc_hash::{FxHashMap, FxHashSet};
use whydunit_model::Flow;
use whydunit_replay::Program;
use whydunit_replay::program::{Call, MethodCode, MethodIndex, Op, Pc};

/// Number of a pair of methods.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct PairId(u32);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Relation {
    Same,
    /// Of the same class and name, with other code that is much the same.
    Edited,
    /// Of the same class and name, with other code.
    Changed,
    Different,
}

#[derive(Debug)]
pub(crate) struct MethodPair<'p> {
    pub(crate) methods: Pair<MethodIndex>,
    pub(crate) code: Pair<&'p MethodCode>,
    pub(crate) relation: Relation,
    /// Of [`Relation::Edited`].
    pub(crate) mapping: Option<&'p Mapping>,
    /// The user does not want to see what it does.
    pub(crate) is_ignored: bool,
    /// Where two places of the method lead to, as far as it was asked.
    meetings: FxHashMap<(Pc, Pc), Option<Pc>>,
}

#[derive(Debug)]
pub(crate) struct Methods<'p> {
    shapes: Pair<&'p Shapes<'p>>,
    changes: &'p Changes,
    pairs: Vec<MethodPair<'p>>,
    ids: FxHashMap<Pair<MethodIndex>, PairId>,
    /// By method of the left run: the last partner.
    last: Vec<Option<(MethodIndex, PairId)>>,
}

impl<'p> Methods<'p> {
    pub(crate) fn new(shapes: Pair<&'p Shapes<'p>>, changes: &'p Changes) -> Methods<'p> {
        Methods { shapes, changes, pairs: Vec::new(), ids: FxHashMap::default(), last: Vec::new() }
    }

    /// Both methods run, so they have code.
    pub(crate) fn pair(&mut self, methods: Pair<MethodIndex>, filters: &Filters) -> Option<PairId> {
        let index = methods.left.0 as usize;
        if let Some(Some((right, id))) = self.last.get(index)
            && *right == methods.right
        {
            return Some(*id);
        }
        let id = match self.ids.get(&methods) {
            Some(&id) => id,
            None => self.add(methods, filters)?,
        };
        if index >= self.last.len() {
            self.last.resize(index + 1, None);
        }
        self.last[index] = Some((methods.right, id));
        Some(id)
    }

    fn add(&mut self, methods: Pair<MethodIndex>, filters: &Filters) -> Option<PairId> {
        let code = Pair { left: self.shapes.left.code(methods.left)?, right: self.shapes.right.code(methods.right)? };
        let programs = self.shapes.map(Shapes::program);
        let mut relation = relation_of(programs, code, self.changes);
        let mapping = self.changes.mapping(methods).filter(|_| relation == Relation::Changed);
        if mapping.is_some() {
            relation = Relation::Edited;
        }
        let is_ignored = relation != Relation::Different
            && class_of(programs.left, code.left).is_some_and(|class| filters.ignores_method(class, &code.left.name));
        let id = PairId(self.pairs.len() as u32);
        self.pairs.push(MethodPair { methods, code, relation, mapping, is_ignored, meetings: FxHashMap::default() });
        self.ids.insert(methods, id);
        Some(id)
    }

    #[inline]
    pub(crate) fn get(&self, id: PairId) -> &MethodPair<'p> {
        &self.pairs[id.0 as usize]
    }

    pub(crate) fn all(&self) -> &[MethodPair<'p>] {
        &self.pairs
    }

    /// The first instruction that control comes to from both places of a method, whatever it does on its way; `None`
    /// is the exit. Places are those of their sides, what is found is of the left.
    pub(crate) fn meeting(&mut self, id: PairId, left: Pc, right: Pc) -> Option<Pc> {
        let pair = &mut self.pairs[id.0 as usize];
        let shapes = Pair { left: self.shapes.left.of(pair.code.left), right: self.shapes.right.of(pair.code.right) };
        *pair.meetings.entry((left, right)).or_insert_with(|| match pair.mapping {
            None => meeting(&shapes.left.flow, left, right, |_| true),
            Some(mapping) => {
                let mut ways = shapes.right.flow.postdominators(right);
                let right = ways.find_map(|pc| mapping.partner(Side::Right, pc))?;
                let is_told = |pc: Pc| {
                    let is_place = pc == left || pc == right;
                    mapping.partner(Side::Left, pc).is_some() && (is_place || shapes.left.is_point[pc as usize])
                };
                meeting(&shapes.left.flow, left, right, is_told)
            }
        })
    }
}

/// The nearest common ancestor in the tree of postdominators. The places themselves count.
fn meeting(flow: &Flow, left: Pc, right: Pc, counts: impl Fn(Pc) -> bool) -> Option<Pc> {
    let from_left: FxHashSet<Pc> = flow.postdominators(left).collect();
    flow.postdominators(right).find(|pc| from_left.contains(pc) && counts(*pc))
}

pub(crate) fn class_of<'p>(program: &'p Program, code: &MethodCode) -> Option<&'p str> {
    program.definition(code.definition).map(|definition| definition.name.as_str())
}

fn relation_of(programs: Pair<&Program>, code: Pair<&MethodCode>, changes: &Changes) -> Relation {
    let definitions =
        (programs.left.definition(code.left.definition), programs.right.definition(code.right.definition));
    let (Some(left), Some(right)) = definitions else { return Relation::Different };
    let Pair { left: a, right: b } = code;
    if stable_name(&left.name) != stable_name(&right.name) || !changes.is_same_method(code) {
        return Relation::Different;
    }
    if left.bytes == right.bytes || is_same_code(programs, a, b) { Relation::Same } else { Relation::Changed }
}

/// Whether two methods of classes that are not the same byte for byte do the same all the same.
pub(crate) fn is_same_code(programs: Pair<&Program>, left: &MethodCode, right: &MethodCode) -> bool {
    let is_same_handler = |(a, b): (&whydunit_replay::program::Handler, &whydunit_replay::program::Handler)| {
        (a.start, a.end, a.target) == (b.start, b.end, b.target)
    };
    let is_same_op = |(&a, &b): (&Op, &Op)| match (a, b) {
        (Op::Invoke(a), Op::Invoke(b)) => {
            let key = |call: &Call| (call.owner.clone(), call.name.clone(), call.descriptor.clone());
            left.calls.get(a as usize).map(key) == right.calls.get(b as usize).map(key)
        }
        (Op::GetStatic { field: a, .. }, Op::GetStatic { field: b, .. })
        | (Op::PutStatic { field: a, .. }, Op::PutStatic { field: b, .. })
        | (Op::GetField { field: a, .. }, Op::GetField { field: b, .. })
        | (Op::PutField { field: a, .. }, Op::PutField { field: b, .. }) => {
            programs.left.field(a) == programs.right.field(b)
        }
        (a, b) => a == b,
    };
    let switches = |code: &MethodCode| format!("{:?} {:?}", code.tables, code.lookups);
    left.access == right.access
        && left.ops.len() == right.ops.len()
        && left.handlers.len() == right.handlers.len()
        && left.wide_constants == right.wide_constants
        && left.classes == right.classes
        && left.handlers.iter().zip(&right.handlers).all(is_same_handler)
        && left.ops.iter().zip(&right.ops).all(is_same_op)
        && switches(left) == switches(right)
}
