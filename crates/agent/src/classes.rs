//! Classes: those that are rewritten, and those of the objects that recorded code meets.

use crate::hashing;
use crate::recorder::Recorder;
use crate::sink::Sink;
use crate::vm::Jni;
use jvmti_bindings::sys::jni::{jclass, jmethodID, jobject};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::{Mutex, MutexGuard, PoisonError};
use whydunit_classfile::ClassFile;
use whydunit_instrument::scope::is_the_programs;
use whydunit_instrument::{Options, rewrite};
use whydunit_trace::block::BlockKind;
use whydunit_trace::record::{Class, Definition, Loader, MethodSignature, MethodStatus, Replaced};
use whydunit_trace::{ClassId, DefinitionId, LoaderId, MethodId};

#[derive(Debug, Default)]
pub(crate) struct Classes {
    state: Mutex<State>,
    /// Held while a class is numbered, so that a class is never used before its supertypes are written.
    numbering: Mutex<()>,
}

#[derive(Debug, Default)]
struct State {
    definitions: FxHashMap<(LoaderId, String), DefinitionId>,
    /// Names in `definitions`, whatever the loader.
    rewritten: FxHashSet<String>,
    /// Recorded methods, as name and descriptor.
    recorded: FxHashSet<(DefinitionId, String, String)>,
    /// Whether a method is recorded, by the JVM's id.
    is_recorded: FxHashMap<usize, bool>,
    next_definition: u32,
    next_method: u32,
    next_loader: u32,
    next_class: u32,
    /// Classes that are recorded or have a recorded supertype.
    near_recorded: FxHashSet<ClassId>,
}

/// How the helper treats objects of a class; the same numbers as in `WhydunitClass.java`.
fn content_kind(name: &str) -> i64 {
    match name {
        "java/lang/String" => 2,
        "java/lang/Class" => 3,
        "java/lang/Boolean" => 4,
        "java/lang/Character" => 5,
        "java/lang/Float" => 6,
        "java/lang/Double" => 7,
        "java/lang/Byte" | "java/lang/Short" | "java/lang/Integer" | "java/lang/Long" => 8,
        array if array.starts_with('[') => 1,
        _ => 0,
    }
}

impl Classes {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Rewrites a class that is being loaded or changed; `None` leaves it as it is.
    pub(crate) fn load(
        recorder: &Recorder,
        jni: &Jni,
        is_change: bool,
        loader: jobject,
        name: &str,
        bytes: &[u8],
    ) -> Option<Vec<u8>> {
        let classes = &recorder.classes;
        if recorder.program_class.get().is_none() && is_the_programs(name) && !is_a_tools(recorder, jni, loader) {
            // Another thread's class is as good.
            let _ = recorder.program_class.set(name.replace('/', "."));
        }
        let is_named = !recorder.config.include.is_empty();
        let is_in_scope = recorder.scope.contains(name) && (is_named || !is_a_tools(recorder, jni, loader));
        if !is_in_scope && !classes.extends_recorded(name, bytes) {
            return None;
        }
        let method_count = ClassFile::parse(bytes).ok()?.methods.len() as u32;
        let first_method = {
            let mut state = classes.state();
            let first = state.next_method;
            state.next_method += method_count;
            MethodId(first)
        };
        let replaces = if is_change { classes.replaced(recorder, jni, loader, name) } else { None };
        let options = Options {
            check: recorder.config.check,
            is_replacement: replaces.is_some(),
            places: recorder.scope.includes_platform(),
        };
        let rewritten = rewrite(bytes, first_method, &recorder.tokens, options).ok()?;
        let sink = recorder.begin()?;
        let loader = classes.loader(recorder, jni, sink, loader);
        let id = {
            let mut state = classes.state();
            state.next_definition += 1;
            let id = DefinitionId(state.next_definition);
            if replaces.is_none() {
                state.definitions.insert((loader, name.to_owned()), id);
                state.rewritten.insert(name.to_owned());
                state.recorded.extend(recorded_methods(bytes, &rewritten.methods).map(|(name, d)| (id, name, d)));
            }
            id
        };
        for token in recorder.tokens.take_moved() {
            sink.record(BlockKind::Token, 0, token);
        }
        sink.record(
            BlockKind::Definition,
            0,
            Definition {
                id,
                name: name.to_owned(),
                loader,
                first_method,
                methods: rewritten.methods,
                replaces,
                bytes: bytes.to_vec(),
            },
        );
        rewritten.bytes
    }

    /// The definition of a class that another agent is about to change; `None` when it has none.
    fn replaced(&self, recorder: &Recorder, jni: &Jni, loader: jobject, name: &str) -> Option<Replaced> {
        let helper = recorder.helper()?;
        let loader = self.loader(recorder, jni, recorder.sink()?, loader);
        let definition = self.state().definitions.get(&(loader, name.to_owned())).copied()?;
        let sequence = jni.call_static_long(helper.class, helper.change)?;
        Some(Replaced { definition, sequence: sequence.cast_unsigned() })
    }

    /// A subtype of a recorded class must be recorded too: when it overrides a method and calls the inherited
    /// one, the recorded method would take the call for a direct one.
    fn extends_recorded(&self, name: &str, bytes: &[u8]) -> bool {
        if is_of_platform(name) {
            return false;
        }
        let Ok(class) = ClassFile::parse(bytes) else { return false };
        let state = self.state();
        let is_rewritten = |index: u16| class.pool.class_name(index).is_ok_and(|name| state.rewritten.contains(&*name));
        is_rewritten(class.super_class) || class.interfaces.iter().copied().any(is_rewritten)
    }

    /// A class is about to be used. It was left alone when it was loaded, but its supertypes were perhaps loaded
    /// later: then it is taken up now.
    pub(crate) fn prepared(recorder: &Recorder, jni: &Jni, class: jclass) {
        let Some(sink) = recorder.sink() else { return };
        let loader = recorder.jvmti.class_loader(class);
        if loader.is_null() {
            return;
        }
        let name = recorder.jvmti.class_signature(class).map(internal_name).unwrap_or_default();
        let loader = recorder.classes.loader(recorder, jni, sink, loader);
        let is_recorded = recorder.classes.state().definitions.contains_key(&(loader, name.clone()));
        if !is_recorded
            && !is_of_platform(&name)
            && recorder.classes.has_recorded_supertype(recorder, jni, class)
            && recorder.jvmti.is_modifiable(class)
        {
            // A class that the JVM does not take again stays unrecorded code.
            let _ = recorder.jvmti.retransform(class);
        }
    }

    fn has_recorded_supertype(&self, recorder: &Recorder, jni: &Jni, class: jclass) -> bool {
        let supertypes: Vec<jclass> =
            jni.superclass(class).into_iter().chain(recorder.jvmti.interfaces(class)).collect();
        let names = supertypes.iter().filter_map(|&class| recorder.jvmti.class_signature(class).map(internal_name));
        let is_recorded = names.into_iter().any(|name| self.state().rewritten.contains(&name));
        supertypes.into_iter().for_each(|class| jni.delete_local(class));
        is_recorded
    }

    fn loader(&self, recorder: &Recorder, jni: &Jni, sink: &Sink, loader: jobject) -> LoaderId {
        if loader.is_null() {
            return LoaderId::BOOT;
        }
        let known = recorder.jvmti.tag(loader);
        if known != 0 {
            return LoaderId(known as u32);
        }
        let class = jni.object_class(loader);
        let id = {
            let mut state = self.state();
            let raced = recorder.jvmti.tag(loader);
            if raced != 0 {
                return LoaderId(raced as u32);
            }
            state.next_loader += 1;
            hashing::give_hash(recorder, jni, loader);
            recorder.jvmti.set_tag(loader, i64::from(state.next_loader));
            LoaderId(state.next_loader)
        };
        let class_name = recorder.jvmti.class_signature(class).map(internal_name).unwrap_or_default();
        let parent = jni
            .method(class, c"getParent", c"()Ljava/lang/ClassLoader;")
            .and_then(|method| jni.call_object(loader, method));
        let parent = parent.map_or(LoaderId::BOOT, |parent| {
            let id = self.loader(recorder, jni, sink, parent);
            jni.delete_local(parent);
            id
        });
        sink.record(BlockKind::Loader, 0, Loader { id, class_name, parent });
        id
    }

    /// Numbers a class and all its supertypes; the helper's kind in the upper half.
    pub(crate) fn register(recorder: &Recorder, jni: &Jni, class: jclass) -> i64 {
        let Some(sink) = recorder.begin() else { return 0 };
        let _numbering = recorder.classes.numbering.lock().unwrap_or_else(PoisonError::into_inner);
        let id = recorder.classes.number(recorder, jni, sink, class);
        let name = recorder.jvmti.class_signature(class).map(internal_name).unwrap_or_default();
        content_kind(&name) << 32 | i64::from(id.0)
    }

    fn number(&self, recorder: &Recorder, jni: &Jni, sink: &Sink, class: jclass) -> ClassId {
        let known = recorder.jvmti.tag(class);
        if known != 0 {
            return ClassId(known as u32);
        }
        let name = recorder.jvmti.class_signature(class).map(internal_name).unwrap_or_default();
        let superclass = jni.superclass(class).map(|superclass| {
            let id = self.number(recorder, jni, sink, superclass);
            jni.delete_local(superclass);
            id
        });
        let interfaces = self.interfaces(recorder, jni, sink, class);
        let element = self.element(recorder, jni, sink, class, &name);
        let loader_object = recorder.jvmti.class_loader(class);
        let loader = self.loader(recorder, jni, sink, loader_object);
        let (id, definition, lists_methods) = {
            let mut state = self.state();
            state.next_class += 1;
            let id = ClassId(state.next_class);
            let definition = state.definitions.get(&(loader, name.clone())).copied();
            let has_recorded_supertype =
                superclass.iter().chain(&interfaces).any(|supertype| state.near_recorded.contains(supertype));
            if definition.is_some() || has_recorded_supertype {
                state.near_recorded.insert(id);
            }
            (id, definition, definition.is_none() && has_recorded_supertype)
        };
        let methods = if lists_methods { recorder.jvmti.class_methods(class) } else { Vec::new() };
        hashing::give_hash(recorder, jni, class);
        recorder.jvmti.set_tag(class, i64::from(id.0));
        sink.record(
            BlockKind::Class,
            0,
            Class {
                id,
                name,
                loader,
                definition,
                access: recorder.jvmti.class_modifiers(class),
                superclass,
                interfaces,
                element,
                methods: methods
                    .into_iter()
                    .map(|(name, descriptor, access)| MethodSignature { name, descriptor, access })
                    .collect(),
            },
        );
        id
    }

    /// Frames of recorded methods on the stack of the calling thread; `None` when the JVM does not tell.
    pub(crate) fn recorded_frames(recorder: &Recorder, jni: &Jni) -> Option<usize> {
        let stack = recorder.jvmti.stack()?;
        Some(stack.into_iter().filter(|&method| recorder.classes.is_recorded(recorder, jni, method)).count())
    }

    fn is_recorded(&self, recorder: &Recorder, jni: &Jni, method: jmethodID) -> bool {
        if let Some(&known) = self.state().is_recorded.get(&(method as usize)) {
            return known;
        }
        let found = self.find_definition(recorder, jni, method).zip(recorder.jvmti.method_name(method));
        let mut state = self.state();
        let is_recorded =
            found.is_some_and(|(id, (name, descriptor))| state.recorded.contains(&(id, name, descriptor)));
        state.is_recorded.insert(method as usize, is_recorded);
        is_recorded
    }

    fn find_definition(&self, recorder: &Recorder, jni: &Jni, method: jmethodID) -> Option<DefinitionId> {
        let class = recorder.jvmti.declaring_class(method)?;
        let name = recorder.jvmti.class_signature(class).map(internal_name)?;
        let loader = self.loader(recorder, jni, recorder.sink()?, recorder.jvmti.class_loader(class));
        jni.delete_local(class);
        self.state().definitions.get(&(loader, name)).copied()
    }

    fn interfaces(&self, recorder: &Recorder, jni: &Jni, sink: &Sink, class: jclass) -> Vec<ClassId> {
        let class_class = jni.object_class(class);
        let Some(array) = jni
            .method(class_class, c"getInterfaces", c"()[Ljava/lang/Class;")
            .and_then(|method| jni.call_object(class, method))
        else {
            return Vec::new();
        };
        let interfaces = jni.array(array);
        let ids = interfaces.iter().map(|&interface| self.number(recorder, jni, sink, interface)).collect();
        interfaces.into_iter().for_each(|interface| jni.delete_local(interface));
        jni.delete_local(array);
        ids
    }

    fn element(&self, recorder: &Recorder, jni: &Jni, sink: &Sink, class: jclass, name: &str) -> Option<ClassId> {
        if !name.starts_with("[L") && !name.starts_with("[[") {
            return None;
        }
        let class_class = jni.object_class(class);
        let method = jni.method(class_class, c"getComponentType", c"()Ljava/lang/Class;")?;
        let component = jni.call_object(class, method)?;
        let id = self.number(recorder, jni, sink, component);
        jni.delete_local(component);
        Some(id)
    }
}

fn is_of_platform(name: &str) -> bool {
    const GENERATED: [&str; 2] = ["jdk/proxy", "com/sun/proxy/"];
    const PLATFORM: [&str; 4] = ["java/", "jdk/", "sun/", "com/sun/"];
    PLATFORM.iter().any(|prefix| name.starts_with(prefix)) && !GENERATED.iter().any(|prefix| name.starts_with(prefix))
}

/// Whether a loader is the platform's, or one by which a build tool loads for itself: libraries, too, that a program
/// may use as well.
fn is_a_tools(recorder: &Recorder, jni: &Jni, loader: jobject) -> bool {
    const LOADERS: [&str; 3] = [
        "Ljdk/internal/loader/ClassLoaders$PlatformClassLoader;",
        "Lorg/codehaus/plexus/classworlds/",
        "Lorg/gradle/internal/classloader/",
    ];
    if loader.is_null() {
        return true;
    }
    let class = jni.object_class(loader);
    let name = recorder.jvmti.class_signature(class).unwrap_or_default();
    jni.delete_local(class);
    LOADERS.iter().any(|known| name.starts_with(known))
}

/// Names and descriptors.
fn recorded_methods(bytes: &[u8], methods: &[MethodStatus]) -> impl Iterator<Item = (String, String)> {
    let class = ClassFile::parse(bytes).ok();
    let mut names = Vec::new();
    for (member, status) in class.iter().flat_map(|class| class.methods.iter().zip(methods)) {
        if let (MethodStatus::Recorded, Some(class)) = (status, &class)
            && let (Ok(name), Ok(descriptor)) = (member.name(&class.pool), member.descriptor(&class.pool))
        {
            names.push((name.into_owned(), descriptor.into_owned()));
        }
    }
    names.into_iter()
}

/// `Ljava/lang/String;` is `java/lang/String`; arrays stay descriptors.
fn internal_name(signature: String) -> String {
    match signature.strip_prefix('L').and_then(|rest| rest.strip_suffix(';')) {
        Some(name) => name.to_owned(),
        None => signature,
    }
}
