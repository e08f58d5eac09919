//! Lambdas and method references: where functions are made, and of which method.

use crate::stretch::Flows;
use rustc_hash::FxHashMap;
use std::ops::RangeInclusive;
use whydunit_classfile::{Constant, access, descriptor};
use whydunit_replay::Program;
use whydunit_replay::program::{CallKind, DefinitionIndex, Member, MethodCode, MethodIndex, Pc};
use whydunit_replay::unrecorded::Method;
use whydunit_trace::{LogKind, MethodId};

/// A method that a function is made of.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct MadeOf {
    /// Internal name of the class.
    pub owner: Box<str>,
    pub name: Box<str>,
    pub descriptor: Box<str>,
}

/// The functions that the methods of a class make.
#[derive(Debug, Default)]
pub(crate) struct OfClass {
    made: FxHashMap<Site, Function>,
    /// Where functions are made of the bodies of lambdas.
    bodies: FxHashMap<MethodIndex, Site>,
}

/// Method and address of an instruction.
type Site = (MethodIndex, u32);

/// What runs when a function is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Run {
    /// The body of a lambda: only functions run it, with what they have captured as its first arguments.
    Body(MethodIndex),
    /// A method that a reference names, which is made there.
    Named(Site),
}

/// A function as the instruction makes it.
#[derive(Clone, Debug)]
pub(crate) struct Function {
    made_of: MadeOf,
    pub(crate) run: Run,
    pub(crate) captured: Box<[LogKind]>,
}

impl Function {
    /// Whether it is a method of the platform that changes what the function has captured first: `list::add`.
    pub(crate) fn changes_receiver(&self) -> bool {
        let method = Method::bound(&self.made_of.owner, &self.made_of.name);
        matches!(self.run, Run::Named(_)) && method.is_platform() && method.changes(0)
    }
}

/// Functions by the method that they name: its class, name and descriptor.
pub(crate) type References = FxHashMap<MadeOf, Vec<Site>>;

/// Kinds of method handles that mean a method, not a field.
const INVOKING: RangeInclusive<u8> = 5..=9;

impl Flows {
    /// What the function is made of that an instruction makes.
    pub fn function_made(&self, program: &Program, code: &MethodCode, pc: Pc) -> Option<&MadeOf> {
        self.made(program, code, pc).map(|function| &function.made_of)
    }

    /// The body of the lambda that an instruction makes a function of: what the function captures are its first arguments.
    pub fn lambda_made(&self, program: &Program, code: &MethodCode, pc: Pc) -> Option<MethodIndex> {
        match self.made(program, code, pc)?.run {
            Run::Body(body) => Some(body),
            Run::Named(_) => None,
        }
    }

    /// The function that an instruction makes.
    pub(crate) fn made(&self, program: &Program, code: &MethodCode, pc: Pc) -> Option<&Function> {
        code.call_at(pc).filter(|call| call.kind == CallKind::Dynamic)?;
        let address = *code.addresses.get(pc as usize)?;
        self.made_at(program, (code.index, address))
    }

    fn made_at(&self, program: &Program, site: Site) -> Option<&Function> {
        let (definition, _) = program.method(site.0)?;
        self.functions(program, definition)?.made.get(&site)
    }

    /// The function whose body a method is.
    pub(crate) fn of_body(&self, program: &Program, method: MethodIndex) -> Option<&Function> {
        let (definition, _) = program.method(method)?;
        let functions = self.functions(program, definition)?;
        functions.made.get(functions.bodies.get(&method)?)
    }

    /// The functions that are made of references to a method, or to one that it overrides.
    pub(crate) fn naming<'f>(&'f self, program: &'f Program, method: MethodIndex) -> Vec<&'f Function> {
        let Some((definition, member)) = program.method(method) else { return Vec::new() };
        let Some(record) = program.definition(definition) else { return Vec::new() };
        // A class of which no object was met has static methods that may run, but overrides nothing.
        let class = program.classes().of_definition(record.id);
        let supertypes = class.map(|class| program.classes().supertypes(class.id)).unwrap_or_default();
        let supertypes = supertypes.into_iter().map(|owner| owner.name.as_str());
        let known = self.references(program);
        let sites = std::iter::once(&*record.name).chain(supertypes).flat_map(|owner| {
            let (name, descriptor) = (member.name.clone(), member.descriptor.clone());
            known.get(&MadeOf { owner: owner.into(), name, descriptor }).into_iter().flatten()
        });
        let mut sites: Vec<Site> = sites.copied().collect();
        sites.sort_unstable();
        sites.dedup();
        sites.into_iter().filter_map(|site| self.made_at(program, site)).collect()
    }

    /// The recorded methods that may run when a function is called: that which a reference names, or one that overrides it.
    pub(crate) fn run_by(&self, program: &Program, run: Run) -> Vec<MethodIndex> {
        let site = match run {
            Run::Body(body) => return vec![body],
            Run::Named(site) => site,
        };
        let Some(Function { made_of: MadeOf { name, descriptor, .. }, .. }) = self.made_at(program, site) else {
            return Vec::new();
        };
        let is_alike = |member: &Member| member.name == *name && member.descriptor == *descriptor;
        let alike = program.methods().filter(|&method| program.method(method).is_some_and(|(_, one)| is_alike(one)));
        alike.filter(|&method| self.naming(program, method).iter().any(|function| function.run == run)).collect()
    }

    /// Method and line that make functions; 0 for a method without lines.
    pub(crate) fn line_made(&self, program: &Program, run: Run) -> Option<(MethodIndex, u16)> {
        let (method, address) = match run {
            Run::Body(body) => {
                let (definition, _) = program.method(body)?;
                *self.functions(program, definition)?.bodies.get(&body)?
            }
            Run::Named(site) => site,
        };
        let code = program.code(method).ok()?;
        let pc = code.addresses.binary_search(&address).ok()?;
        Some((method, code.lines.get(pc).copied().unwrap_or_default()))
    }

    pub(crate) fn find_references(&self, program: &Program) -> References {
        let mut references = References::default();
        for (definition, _) in program.definitions() {
            let made = self.functions(program, definition).into_iter().flat_map(|functions| functions.made.values());
            for function in made {
                if let Run::Named(site) = function.run {
                    references.entry(function.made_of.clone()).or_default().push(site);
                }
            }
        }
        references
    }
}

impl OfClass {
    pub(crate) fn find(program: &Program, definition: DefinitionIndex) -> Option<OfClass> {
        let record = program.definition(definition)?;
        let class = program.class_file(definition)?.ok()?;
        let bootstraps = class.bootstrap_arguments();
        let index_of = |position: usize| program.method_index(MethodId(record.first_method.0 + position as u32));
        let body_of = |member: &MadeOf| {
            let is_it = |method: &whydunit_classfile::Member<'_>| {
                method.name(&class.pool).is_ok_and(|name| *name == *member.name)
                    && method.descriptor(&class.pool).is_ok_and(|descriptor| *descriptor == *member.descriptor)
            };
            let position = class.methods.iter().position(is_it).filter(|_| *member.owner == *record.name)?;
            let is_made_by_compiler = class.methods[position].access & access::SYNTHETIC != 0;
            (is_made_by_compiler || member.name.contains("lambda$")).then(|| index_of(position)).flatten()
        };
        let mut found = OfClass::default();
        for (position, method) in class.methods.iter().enumerate() {
            let (Some(index), Ok(Some(code))) = (index_of(position), method.code(&class.pool)) else { continue };
            for instruction in code.instructions().unwrap_or_default() {
                let Some(constant) = instruction.constant() else { continue };
                if !matches!(class.pool.get(constant), Ok(Constant::InvokeDynamic { .. })) {
                    continue;
                }
                let Ok((bootstrap, _, type_of)) = class.pool.dynamic(constant) else { continue };
                let mut given = bootstraps.get(usize::from(bootstrap)).into_iter().flatten();
                let made_of = given.find_map(|&argument| match class.pool.get(argument) {
                    Ok(&Constant::MethodHandle { kind, reference }) if INVOKING.contains(&kind) => {
                        class.pool.member_ref(reference).ok()
                    }
                    _ => None,
                });
                let Some(member) = made_of else { continue };
                let made_of = MadeOf {
                    owner: (*member.owner).into(),
                    name: (*member.name).into(),
                    descriptor: (*member.descriptor).into(),
                };
                let site = (index, instruction.pc);
                let run = body_of(&made_of).map_or(Run::Named(site), Run::Body);
                if let Run::Body(body) = run {
                    found.bodies.insert(body, site);
                }
                let captured = descriptor::parameters(&type_of).unwrap_or_default();
                let captured = captured.iter().map(|&(base, _)| LogKind::of(base)).collect();
                found.made.insert(site, Function { made_of, run, captured });
            }
        }
        Some(found)
    }
}
