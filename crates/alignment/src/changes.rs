//! Methods that have other code in the other run, found before the runs are compared: both replays have to tell where
//! control comes together in either version.

use crate::lambdas::{is_lambda, partners};
use crate::mapping::Mapping;
use crate::methods::is_same_code;
use crate::objects::stable_name;
use crate::shapes::Detail;
use crate::side::{Pair, Side};
use rustc_hash::FxHashMap;
use whydunit_model::Flow;
use whydunit_replay::Program;
use whydunit_replay::program::{MethodCode, MethodIndex, Pc};
use whydunit_trace::MethodId;
use whydunit_trace::record::Definition;

#[derive(Debug, Default)]
pub(crate) struct Changes {
    mappings: FxHashMap<Pair<MethodIndex>, Mapping>,
    /// By lambda of the left run in a class that was changed: the same one of the right run, whatever its name.
    lambdas: FxHashMap<MethodIndex, Option<MethodIndex>>,
    /// Instructions that a side has to tell of because of the other side's code.
    points: Pair<Points>,
}

/// By method, in rising order.
pub(crate) type Points = FxHashMap<MethodIndex, Vec<Pc>>;

impl Changes {
    pub(crate) fn find(programs: Pair<&Program>, detail: Detail) -> Changes {
        let mut changes = Changes::default();
        let right = named(programs.right);
        for (name, left) in named(programs.left) {
            if let (Some(left), Some(Some(right))) = (left, right.get(name))
                && left.bytes != right.bytes
            {
                changes.add_class(programs, Pair { left, right }, detail);
            }
        }
        changes
    }

    fn add_class(&mut self, programs: Pair<&Program>, definitions: Pair<&Definition>, detail: Detail) {
        let (left, right) = (methods(programs.left, definitions.left), methods(programs.right, definitions.right));
        let lambdas = |methods: &FxHashMap<(&str, &str), MethodIndex>| {
            methods.iter().filter(|((name, _), _)| is_lambda(name)).map(|(_, &method)| method).collect::<Vec<_>>()
        };
        let lambdas = Pair { left: lambdas(&left), right: lambdas(&right) };
        self.lambdas.extend(lambdas.left.iter().map(|&method| (method, None)));
        let partners = partners(programs, lambdas);
        self.lambdas.extend(partners.iter().map(|pair| (pair.left, Some(pair.right))));
        let named = left.iter().filter(|((name, _), _)| !is_lambda(name));
        let named = named.filter_map(|(key, &left)| right.get(key).map(|&right| Pair { left, right }));
        for methods in named.chain(partners) {
            self.add_methods(programs, methods, detail);
        }
    }

    fn add_methods(&mut self, programs: Pair<&Program>, methods: Pair<MethodIndex>, detail: Detail) {
        let codes = (programs.left.code(methods.left), programs.right.code(methods.right));
        let (Ok(left), Ok(right)) = codes else { return };
        let code = Pair { left, right };
        if is_same_code(programs, left, right) {
            self.add_points(methods, code, detail, |_, pc| Some(pc));
        } else if let Some(mapping) = Mapping::of(programs, code) {
            self.add_points(methods, code, detail, |side, pc| mapping.partner(side, pc));
            self.add_edges(methods, code, &mapping);
            self.mappings.insert(methods, mapping);
        }
    }

    /// Whether two methods of a class have the same name, or are the same lambda of it.
    pub(crate) fn is_same_method(&self, code: Pair<&MethodCode>) -> bool {
        match self.lambdas.get(&code.left.index) {
            Some(&partner) => partner == Some(code.right.index),
            None => code.left.name == code.right.name && code.left.descriptor == code.right.descriptor,
        }
    }

    /// Where one version is compared the other is, too.
    fn add_points(
        &mut self,
        methods: Pair<MethodIndex>,
        code: Pair<&MethodCode>,
        detail: Detail,
        partner: impl Fn(Side, Pc) -> Option<Pc>,
    ) {
        for side in Side::BOTH {
            let flow = Flow::expecting_no_throw(code[side]);
            let starts = (0..code[side].ops.len() as Pc).filter(|&pc| detail.has_point(code[side], &flow, pc));
            let points: Vec<Pc> = starts.filter_map(|pc| partner(side, pc)).collect();
            self.points[side.other()].entry(methods[side.other()]).or_default().extend(points);
        }
    }

    fn add_edges(&mut self, methods: Pair<MethodIndex>, code: Pair<&MethodCode>, mapping: &Mapping) {
        for side in Side::BOTH {
            let edges = (0..code[side].ops.len() as Pc).filter(|&pc| mapping.is_edge(side, pc));
            self.points[side].entry(methods[side]).or_default().extend(edges);
        }
    }

    pub(crate) fn mapping(&self, methods: Pair<MethodIndex>) -> Option<&Mapping> {
        self.mappings.get(&methods)
    }

    pub(crate) fn points(&self) -> Pair<&Points> {
        self.points.as_ref()
    }
}

/// Classes by their names; `None` when there are several of a name, which cannot be told apart.
fn named(program: &Program) -> FxHashMap<&str, Option<&Definition>> {
    let mut found: FxHashMap<&str, Option<&Definition>> = FxHashMap::default();
    for (_, definition) in program.definitions() {
        let known = found.entry(stable_name(&definition.name));
        known.and_modify(|known| *known = None).or_insert(Some(definition));
    }
    found
}

/// Methods of a class by name and descriptor.
fn methods<'p>(program: &'p Program, definition: &Definition) -> FxHashMap<(&'p str, &'p str), MethodIndex> {
    let ids = (0..definition.methods.len() as u32).map(|number| MethodId(definition.first_method.0 + number));
    let indexes = ids.filter_map(|id| program.method_index(id));
    let named = indexes.filter_map(|index| {
        let (_, member) = program.method(index)?;
        Some(((&*member.name, &*member.descriptor), index))
    });
    named.collect()
}
