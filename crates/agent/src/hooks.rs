//! The JVM's events.

use crate::RECORDER;
use crate::classes::Classes;
use crate::recorder::{Helper, Recorder};
use crate::threads::LogFields;
use crate::vm::{Jni, Jvmti};
use jvmti_bindings::sys::jni::{JNIEnv, jclass, jint, jobject};
use jvmti_bindings::sys::jvmti::{
    JVMTI_EVENT_CLASS_FILE_LOAD_HOOK, JVMTI_EVENT_CLASS_PREPARE, JVMTI_EVENT_THREAD_END,
    JVMTI_EVENT_VIRTUAL_THREAD_END, JVMTI_EVENT_VM_DEATH, JVMTI_EVENT_VM_INIT, jvmtiCapabilities, jvmtiEnv,
    jvmtiEventCallbacks,
};
use std::ffi::{CStr, c_char};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::slice;

const LOG_CLASS: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/java/lang/WhydunitLog.class"));
const CLASS_CLASS: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/java/lang/WhydunitClass.class"));
const FOREIGN_CLASS: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/java/lang/WhydunitForeign.class"));
const IDS_CLASS: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/java/lang/WhydunitIds.class"));

/// Asks for the events. Classes loaded before the JVM has started are the platform's own, so the class hook
/// waits for that: the JVM can then keep its archive of preloaded classes.
pub(crate) fn install(jvmti: &Jvmti) -> Result<(), String> {
    let failed = |what: &'static str| move |code: i32| format!("this JVM refuses to {what} (JVMTI error {code})");
    let mut capabilities = jvmtiCapabilities::default();
    capabilities.set_can_generate_all_class_hook_events(true);
    capabilities.set_can_tag_objects(true);
    capabilities.set_can_suspend(true);
    capabilities.set_can_retransform_classes(true);
    jvmti.add_capabilities(&capabilities).map_err(failed("rewrite classes"))?;
    let mut optional = jvmtiCapabilities::default();
    optional.set_can_support_virtual_threads(true);
    // JVMs without virtual threads do not have it.
    let _ = jvmti.add_capabilities(&optional);
    let mut callbacks = jvmtiEventCallbacks::default();
    callbacks.VMInit = Some(vm_init);
    callbacks.VMDeath = Some(vm_death);
    callbacks.ThreadEnd = Some(thread_end);
    callbacks.VirtualThreadEnd = Some(thread_end);
    callbacks.ClassFileLoadHook = Some(class_file_load_hook);
    callbacks.ClassPrepare = Some(class_prepare);
    jvmti.set_callbacks(&callbacks).map_err(failed("report events"))?;
    jvmti.enable(JVMTI_EVENT_VM_INIT, true).map_err(failed("report its start"))?;
    jvmti.enable(JVMTI_EVENT_VM_DEATH, true).map_err(failed("report its end"))
}

/// Runs a part of the agent; a bug in it must not take the program down.
pub(crate) fn guarded<T: Default>(run: impl FnOnce(&Recorder) -> T) -> T {
    RECORDER.get().and_then(|recorder| catch_unwind(AssertUnwindSafe(|| run(recorder))).ok()).unwrap_or_default()
}

unsafe extern "system" fn vm_init(_: *mut jvmtiEnv, env: *mut JNIEnv, _: jobject) {
    // SAFETY: the JVM passes the calling thread's environment.
    let jni = unsafe { Jni::new(env) };
    guarded(|recorder| {
        if let Err(reason) = start(recorder, &jni) {
            recorder.config.refuse(&reason);
        }
    });
}

fn start(recorder: &Recorder, jni: &Jni) -> Result<(), String> {
    let vm = recorder.jvmti.system_property("java.vm.name").unwrap_or_default();
    if vm.contains("OpenJ9") {
        return Err(format!("{vm} is not supported; use a JDK with the HotSpot JVM"));
    }
    let version = recorder.jvmti.system_property("java.vm.specification.version").unwrap_or_default();
    if feature_release(&version).is_some_and(|release| release < OLDEST_RELEASE) {
        return Err(format!("Java {version} is too old"));
    }
    let helper = define_helper(recorder, jni)
        .ok_or_else(|| format!("{vm} does not take the recorder's helper class; JDK 17 or later is needed"))?;
    recorder.set_helper(helper);
    let enable = |event| recorder.jvmti.enable(event, true).map_err(|code| format!("JVMTI error {code}"));
    enable(JVMTI_EVENT_THREAD_END)?;
    // JVMs without virtual threads do not have it.
    let _ = enable(JVMTI_EVENT_VIRTUAL_THREAD_END);
    enable(JVMTI_EVENT_CLASS_FILE_LOAD_HOOK)?;
    enable(JVMTI_EVENT_CLASS_PREPARE)?;
    if recorder.scope.includes_platform() {
        retransform_loaded(recorder, jni);
    }
    Ok(())
}

/// The helper calls methods that older ones do not have.
const OLDEST_RELEASE: u32 = 17;

/// `1.8` is 8.
fn feature_release(version: &str) -> Option<u32> {
    version.strip_prefix("1.").unwrap_or(version).split('.').next()?.parse().ok()
}

/// Classes of the platform that were loaded before the hook was there.
fn retransform_loaded(recorder: &Recorder, jni: &Jni) {
    for class in recorder.jvmti.loaded_classes() {
        let name = recorder.jvmti.class_signature(class).unwrap_or_default();
        let is_in_scope = name
            .strip_prefix('L')
            .and_then(|name| name.strip_suffix(';'))
            .is_some_and(|name| recorder.scope.contains(name));
        if is_in_scope && recorder.jvmti.is_modifiable(class) {
            // A class that the JVM does not take again stays unrecorded code.
            let _ = recorder.jvmti.retransform(class);
        }
        jni.delete_local(class);
    }
}

fn define_helper(recorder: &Recorder, jni: &Jni) -> Option<Helper> {
    jni.define_boot_class(c"java/lang/WhydunitClass", CLASS_CLASS)?;
    jni.define_boot_class(c"java/lang/WhydunitForeign", FOREIGN_CLASS)?;
    let ids = jni.define_boot_class(c"java/lang/WhydunitIds", IDS_CLASS)?;
    let class = jni.define_boot_class(c"java/lang/WhydunitLog", LOG_CLASS)?;
    let limit = jni.static_field(ids, c"stringLimit", c"I")?;
    jni.set_static_int(ids, limit, recorder.config.string_limit as i32);
    let places = jni.static_field(class, c"places", c"I")?;
    jni.set_static_int(class, places, i32::from(recorder.scope.includes_platform()));
    let handshake = jni.static_field(class, c"HANDSHAKE", c"Z")?;
    Some(Helper {
        class: jni.global(class),
        fields: LogFields::find(jni, class)?,
        detach: jni.static_method(class, c"detach", c"()V")?,
        change: jni.static_method(class, c"change", c"()J")?,
        handshake: jni.static_boolean(class, handshake),
    })
}

unsafe extern "system" fn vm_death(_: *mut jvmtiEnv, env: *mut JNIEnv) {
    // SAFETY: the JVM passes the calling thread's environment.
    let jni = unsafe { Jni::new(env) };
    guarded(|recorder| {
        let current = recorder.jvmti.current_thread();
        recorder.finish(&jni, current);
        recorder.report();
    });
}

unsafe extern "system" fn thread_end(_: *mut jvmtiEnv, env: *mut JNIEnv, _: jobject) {
    // SAFETY: the JVM passes the calling thread's environment.
    let jni = unsafe { Jni::new(env) };
    guarded(|recorder| {
        if recorder.sink().is_some()
            && let Some(helper) = recorder.helper()
        {
            jni.call_static_void(helper.class, helper.detach);
        }
    });
}

unsafe extern "system" fn class_prepare(_: *mut jvmtiEnv, env: *mut JNIEnv, _: jobject, class: jclass) {
    // SAFETY: the JVM passes the calling thread's environment.
    let jni = unsafe { Jni::new(env) };
    guarded(|recorder| Classes::prepared(recorder, &jni, class));
}

unsafe extern "system" fn class_file_load_hook(
    _: *mut jvmtiEnv,
    env: *mut JNIEnv,
    redefined: jclass,
    loader: jobject,
    name: *const c_char,
    _: jobject,
    length: jint,
    bytes: *const u8,
    new_length: *mut jint,
    new_bytes: *mut *mut u8,
) {
    if name.is_null() || bytes.is_null() || env.is_null() {
        return;
    }
    // SAFETY: the JVM passes the calling thread's environment, a C string and `length` bytes.
    let (jni, name, bytes) = unsafe {
        (Jni::new(env), CStr::from_ptr(name).to_string_lossy(), slice::from_raw_parts(bytes, length as usize))
    };
    guarded(|recorder| {
        let Some(rewritten) = Classes::load(recorder, &jni, !redefined.is_null(), loader, &name, bytes) else { return };
        if let Some(memory) = recorder.jvmti.allocate(&rewritten) {
            // SAFETY: out parameters of the JVM.
            unsafe {
                *new_length = rewritten.len() as jint;
                *new_bytes = memory;
            }
        }
    });
}

#[cfg(test)]
mod tests {
    use super::feature_release;

    #[test]
    fn releases_by_their_versions() {
        let releases = ["1.8", "11", "17", "25.0.1", "", "next"].map(feature_release);
        assert_eq!(releases, [Some(8), Some(11), Some(17), Some(25), None, None]);
    }
}
