//! Lambdas and method references: where functions are made, and of which method.

use crate::stretch::Flows;
use rustc_hash::FxHashMap;
use std::ops::RangeInclusive;
use whydunit_classfile::{ClassFile, Constant, access, descriptor};
use whydunit_replay::Program;
use whydunit_replay::program::{CallKind, DefinitionIndex, MethodCode, MethodIndex, Pc};
use whydunit_trace::{LogKind, MethodId};

/// A method that a function is made of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MadeOf {
    /// Internal name of the class.
    pub owner: Box<str>,
    pub name: Box<str>,
    pub descriptor: Box<str>,
}

/// The functions that the methods of a class make.
#[derive(Debug, Default)]
pub(crate) struct OfClass {
    made: FxHashMap<Site, (MadeOf, Option<MethodIndex>)>,
    bodies: FxHashMap<MethodIndex, Body>,
}

/// Method and address of an instruction.
type Site = (MethodIndex, u32);

/// The body of a lambda: only functions run it, with what they have captured as its first arguments.
#[derive(Clone, Debug)]
pub(crate) struct Body {
    pub(crate) method: MethodIndex,
    pub(crate) captured: Box<[LogKind]>,
    made_at: Site,
}

/// Kinds of method handles that mean a method, not a field.
const INVOKING: RangeInclusive<u8> = 5..=9;

impl Flows {
    /// What the function is made of that an instruction makes.
    pub fn function_made(&self, program: &Program, code: &MethodCode, pc: Pc) -> Option<&MadeOf> {
        self.made(program, code, pc).map(|(made_of, _)| made_of)
    }

    pub(crate) fn body_made(&self, program: &Program, code: &MethodCode, pc: Pc) -> Option<&Body> {
        let (_, body) = self.made(program, code, pc)?;
        self.functions(program, code.definition)?.bodies.get(body.as_ref()?)
    }

    /// The body of the lambda that an instruction makes a function of: what the function captures are its first arguments.
    pub fn lambda_made(&self, program: &Program, code: &MethodCode, pc: Pc) -> Option<MethodIndex> {
        self.body_made(program, code, pc).map(|body| body.method)
    }

    fn made(&self, program: &Program, code: &MethodCode, pc: Pc) -> Option<&(MadeOf, Option<MethodIndex>)> {
        code.call_at(pc).filter(|call| call.kind == CallKind::Dynamic)?;
        let address = *code.addresses.get(pc as usize)?;
        self.functions(program, code.definition)?.made.get(&(code.index, address))
    }

    /// A method as the body of a lambda, if it is one.
    pub(crate) fn body(&self, program: &Program, method: MethodIndex) -> Option<&Body> {
        let (definition, _) = program.method(method)?;
        self.functions(program, definition)?.bodies.get(&method)
    }

    /// Method and line that make functions of a body; 0 for a method without lines.
    pub(crate) fn line_made(&self, program: &Program, body: MethodIndex) -> Option<(MethodIndex, u16)> {
        let (method, address) = self.body(program, body)?.made_at;
        let code = program.code(method).ok()?;
        let pc = code.addresses.binary_search(&address).ok()?;
        Some((method, code.lines.get(pc).copied().unwrap_or_default()))
    }
}

impl OfClass {
    pub(crate) fn find(program: &Program, definition: DefinitionIndex) -> Option<OfClass> {
        let record = program.definition(definition)?;
        let class = ClassFile::parse(&record.bytes).ok()?;
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
                let body = body_of(&made_of);
                if let (Some(body), Ok(captured)) = (body, descriptor::parameters(&type_of)) {
                    let captured = captured.iter().map(|&(base, _)| LogKind::of(base)).collect();
                    let made_at = (index, instruction.pc);
                    found.bodies.insert(body, Body { method: body, captured, made_at });
                }
                found.made.insert((index, instruction.pc), (made_of, body));
            }
        }
        Some(found)
    }
}
