//! Lambdas and method references: where functions are made, and of which method.

use crate::session::Session;
use rustc_hash::FxHashMap;
use std::sync::{Arc, Mutex, PoisonError};
use whydunit_classfile::{ClassFile, Constant};
use whydunit_replay::naming::simple_name;
use whydunit_replay::program::{CallKind, DefinitionIndex, MethodCode, Pc, Program};

/// A method that a function is made of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct MadeOf {
    /// Internal name of the class.
    pub(crate) owner: Box<str>,
    pub(crate) name: Box<str>,
    pub(crate) descriptor: Box<str>,
}

impl MadeOf {
    /// `lambda$main$0`; `Cart.total` for a method that has a name in the source.
    pub(crate) fn short_name(&self) -> String {
        if self.name.starts_with("lambda$") {
            self.name.to_string()
        } else {
            format!("{}.{}", simple_name(&self.owner), self.name)
        }
    }
}

/// By method of a class and address: the functions that are made there.
type OfClass = FxHashMap<(Box<str>, Box<str>, u32), MadeOf>;

/// The functions of each class, found when the first one is asked for.
#[derive(Debug, Default)]
pub(crate) struct Functions(Mutex<FxHashMap<DefinitionIndex, Arc<OfClass>>>);

impl Session {
    /// What the function is made of that an instruction makes.
    pub(crate) fn function_made(&self, code: &MethodCode, pc: Pc) -> Option<MadeOf> {
        code.call_at(pc).filter(|call| call.kind == CallKind::Dynamic)?;
        let address = *code.addresses.get(pc as usize)?;
        let of_class = self.functions().of_class(self.program(), code.definition);
        of_class.get(&(code.name.clone(), code.descriptor.clone(), address)).cloned()
    }
}

impl Functions {
    fn of_class(&self, program: &Program, definition: DefinitionIndex) -> Arc<OfClass> {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let found = known.entry(definition).or_insert_with(|| Arc::new(find(program, definition).unwrap_or_default()));
        Arc::clone(found)
    }
}

fn find(program: &Program, definition: DefinitionIndex) -> Option<OfClass> {
    let class = ClassFile::parse(&program.definition(definition)?.bytes).ok()?;
    let bootstraps = class.bootstrap_arguments();
    let mut found = OfClass::default();
    for method in &class.methods {
        let (Ok(name), Ok(descriptor)) = (method.name(&class.pool), method.descriptor(&class.pool)) else { continue };
        let Ok(Some(code)) = method.code(&class.pool) else { continue };
        for instruction in code.instructions().unwrap_or_default() {
            let Some(constant) = instruction.constant() else { continue };
            if !matches!(class.pool.get(constant), Ok(Constant::InvokeDynamic { .. })) {
                continue;
            }
            let Ok((bootstrap, ..)) = class.pool.dynamic(constant) else { continue };
            let mut given = bootstraps.get(usize::from(bootstrap)).into_iter().flatten();
            let made_of = given.find_map(|&argument| match class.pool.get(argument) {
                Ok(&Constant::MethodHandle { reference, .. }) => class.pool.member_ref(reference).ok(),
                _ => None,
            });
            if let Some(member) = made_of {
                let made_of = MadeOf {
                    owner: (*member.owner).into(),
                    name: (*member.name).into(),
                    descriptor: (*member.descriptor).into(),
                };
                found.insert(((*name).into(), (*descriptor).into(), instruction.pc), made_of);
            }
        }
    }
    Some(found)
}
