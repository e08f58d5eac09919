//! Which recorded methods a call may come to, by the hierarchy of the recorded classes.

use rustc_hash::{FxHashMap, FxHashSet};
use whydunit_classfile::{Constant, access, descriptor};
use whydunit_replay::Program;
use whydunit_replay::program::{Call, CallKind, DefinitionIndex, MethodIndex, Target};

/// Methods of one name and descriptor.
type Signature<'p> = (&'p str, &'p str);

pub(crate) struct Hierarchy<'p> {
    program: &'p Program,
    declared: FxHashMap<(DefinitionIndex, Signature<'p>), MethodIndex>,
    methods: FxHashMap<DefinitionIndex, Vec<MethodIndex>>,
    /// By name of a class or interface: the recorded classes that are subtypes of it.
    subtypes: FxHashMap<Box<str>, Vec<DefinitionIndex>>,
    /// By interface and method: what lambdas and method references for it run.
    lambdas: FxHashMap<Box<str>, FxHashMap<Box<str>, Vec<MethodIndex>>>,
    /// `equals`, `hashCode` and `compareTo`, which collections call.
    compared: Vec<MethodIndex>,
    /// `toString`.
    shown: Vec<MethodIndex>,
    known: FxHashMap<(&'p str, Signature<'p>), Targets>,
}

/// What a call may run.
#[derive(Clone, Debug, Default)]
pub(crate) struct Targets {
    /// The call itself; of several the receiver decides.
    pub(crate) dispatched: Vec<MethodIndex>,
    /// Unrecorded code that is called.
    pub(crate) called_back: Vec<MethodIndex>,
    /// Also something that is not recorded.
    pub(crate) has_unrecorded: bool,
}

impl<'p> Hierarchy<'p> {
    pub(crate) fn new(program: &'p Program) -> Hierarchy<'p> {
        let mut hierarchy = Hierarchy {
            program,
            declared: FxHashMap::default(),
            methods: FxHashMap::default(),
            subtypes: FxHashMap::default(),
            lambdas: FxHashMap::default(),
            compared: Vec::new(),
            shown: Vec::new(),
            known: FxHashMap::default(),
        };
        for method in program.methods() {
            let Some((definition, member)) = program.method(method) else { continue };
            let signature = (&*member.name, &*member.descriptor);
            hierarchy.declared.insert((definition, signature), method);
            match signature {
                ("equals", "(Ljava/lang/Object;)Z") | ("hashCode", "()I") | ("compareTo", _) => {
                    hierarchy.compared.push(method);
                }
                ("toString", "()Ljava/lang/String;") => hierarchy.shown.push(method),
                _ => {}
            }
            if member.access & (access::STATIC | access::PRIVATE) == 0 && &*member.name != "<init>" {
                hierarchy.methods.entry(definition).or_default().push(method);
            }
        }
        for (definition, _) in program.definitions() {
            for name in hierarchy.supertypes(definition) {
                hierarchy.subtypes.entry(name).or_default().push(definition);
            }
            hierarchy.add_lambdas(definition);
        }
        hierarchy
    }

    /// Names of a class and all its supertypes that are known.
    fn supertypes(&self, definition: DefinitionIndex) -> FxHashSet<Box<str>> {
        let mut names = FxHashSet::default();
        let mut open = vec![definition];
        while let Some(next) = open.pop() {
            let (Some(record), Some(summary)) = (self.program.definition(next), self.program.summary(next)) else {
                continue;
            };
            if !names.insert(record.name.as_str().into()) {
                continue;
            }
            for name in summary.superclass.iter().chain(&summary.interfaces) {
                match self.program.find_definition(next, name) {
                    Some(above) => open.push(above),
                    None => {
                        names.insert(name.clone());
                        let class = self.program.classes().by_name(record.loader, name);
                        let above = class.map(|class| self.program.classes().supertypes(class.id)).unwrap_or_default();
                        names.extend(above.into_iter().map(|class| class.name.as_str().into()));
                    }
                }
            }
        }
        names
    }

    /// A call site that makes a lambda names the interface as its result and the method by its own name.
    fn add_lambdas(&mut self, definition: DefinitionIndex) {
        let Some(Ok(class)) = self.program.class_file(definition) else { return };
        let arguments = class.bootstrap_arguments();
        for (index, constant) in class.pool.iter() {
            if !matches!(constant, Constant::InvokeDynamic { .. }) {
                continue;
            }
            let Ok((bootstrap, name, type_of)) = class.pool.dynamic(index) else { continue };
            let Some((_, interface)) = descriptor::return_type(&type_of).ok().flatten() else { continue };
            for &argument in arguments.get(usize::from(bootstrap)).into_iter().flatten() {
                let Ok(&Constant::MethodHandle { reference, .. }) = class.pool.get(argument) else { continue };
                let Ok(member) = class.pool.member_ref(reference) else { continue };
                let owner = self.program.find_definition(definition, &member.owner);
                let found = owner.and_then(|owner| self.find(owner, (&member.name, &member.descriptor)));
                let of_interface = self.lambdas.entry(descriptor::class_name(interface).into()).or_default();
                of_interface.entry(name.as_ref().into()).or_default().extend(found);
            }
        }
    }

    /// The method that objects of a recorded class run.
    fn find(&self, class: DefinitionIndex, signature: (&str, &str)) -> Option<MethodIndex> {
        let mut open = vec![class];
        let mut next = 0;
        while let Some(&definition) = open.get(next) {
            next += 1;
            if let Some(&method) = self.declared.get(&(definition, signature)) {
                return Some(method);
            }
            let Some(summary) = self.program.summary(definition) else { continue };
            let above = summary.superclass.iter().chain(&summary.interfaces);
            for found in above.filter_map(|name| self.program.find_definition(definition, name)) {
                if !open.contains(&found) {
                    open.push(found);
                }
            }
        }
        None
    }

    /// `given`: the body of the function that the call is always given as its last argument.
    pub(crate) fn targets(&mut self, from: DefinitionIndex, call: &'p Call, given: Option<MethodIndex>) -> Targets {
        let mut targets = match call.kind {
            CallKind::Static | CallKind::Constructor | CallKind::Special => {
                match self.program.fixed_target(from, call) {
                    Target::Recorded(method) => Targets { dispatched: vec![method], ..Targets::default() },
                    Target::Unrecorded => Targets { has_unrecorded: true, ..Targets::default() },
                }
            }
            CallKind::Virtual => self.virtual_targets(call),
            CallKind::Dynamic => Targets { has_unrecorded: true, ..Targets::default() },
        };
        if targets.has_unrecorded {
            targets.called_back = self.called_back(call, given.filter(|_| calls_only_what_it_is_given(call)));
        }
        targets
    }

    fn virtual_targets(&mut self, call: &'p Call) -> Targets {
        let key = (&*call.owner, (&*call.name, &*call.descriptor));
        if let Some(known) = self.known.get(&key) {
            return known.clone();
        }
        let mut targets = Targets::default();
        let classes = self.subtypes.get(&call.owner).map(Vec::as_slice).unwrap_or_default();
        let mut seen = FxHashSet::default();
        for &class in classes {
            match self.find(class, key.1) {
                Some(method) => targets.dispatched.extend(seen.insert(method).then_some(method)),
                None => targets.has_unrecorded = true,
            }
        }
        let lambdas = self.lambdas.get(&call.owner).and_then(|methods| methods.get(&call.name));
        targets.dispatched.extend(lambdas.into_iter().flatten().copied().filter(|&method| seen.insert(method)));
        let is_recorded = classes
            .iter()
            .any(|&class| self.program.definition(class).is_some_and(|definition| *definition.name == *call.owner));
        targets.has_unrecorded |= !is_recorded;
        self.known.insert(key, targets.clone());
        targets
    }

    /// What unrecorded code that is called may call in turn: methods of what it is given.
    fn called_back(&self, call: &Call, given: Option<MethodIndex>) -> Vec<MethodIndex> {
        let mut found: Vec<MethodIndex> = given.into_iter().collect();
        let mut parameters = descriptor::parameters(&call.descriptor).unwrap_or_default();
        if given.is_some() {
            parameters.pop();
        }
        let names = parameters.iter().filter(|(base, _)| *base == descriptor::BaseType::Reference);
        for name in names.map(|(_, parameter)| descriptor::class_name(parameter)) {
            match name {
                "java/lang/Object" => {
                    found.extend(&self.compared);
                    if call.owner.starts_with("java/util/") {
                        found.extend(self.lambdas_for("java/util/Comparator"));
                    }
                    if is_showing(call) {
                        found.extend(&self.shown);
                    }
                }
                "java/lang/String" | "java/lang/Class" => {}
                name => {
                    found.extend(self.lambdas_for(name));
                    if call.kind == CallKind::Dynamic {
                        continue;
                    }
                    for class in self.subtypes.get(name).into_iter().flatten() {
                        found.extend(self.methods.get(class).into_iter().flatten());
                    }
                }
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    fn lambdas_for(&self, interface: &str) -> impl Iterator<Item = MethodIndex> {
        self.lambdas.get(interface).into_iter().flat_map(FxHashMap::values).flatten().copied()
    }
}

/// Streams and tasks call functions that they were given before, too.
fn calls_only_what_it_is_given(call: &Call) -> bool {
    let is_collection = call.owner.strip_prefix("java/util/").is_some_and(|name| !name.contains('/'));
    is_collection || &*call.owner == "java/lang/Iterable"
}

/// Texts are made of objects.
fn is_showing(call: &Call) -> bool {
    call.kind == CallKind::Dynamic
        || matches!(&*call.name, "append" | "insert" | "valueOf" | "print" | "println" | "format" | "join" | "toString")
}
