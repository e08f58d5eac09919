//! The native methods of the helper classes, found by the JVM by their names. The helper calls each once with
//! nulls to have them linked.

use crate::classes::Classes;
use crate::hashing;
use crate::hooks::guarded;
use crate::vm::Jni;
use jvmti_bindings::sys::jni::{JNIEnv, jclass, jint, jlong, jobject};
use whydunit_trace::record::EndReason;

#[unsafe(no_mangle)]
extern "system" fn Java_java_lang_WhydunitLog_open(
    env: *mut JNIEnv,
    _: jclass,
    log: jobject,
    thread: jobject,
    name: jobject,
    java_id: jlong,
) {
    // SAFETY: the JVM passes the calling thread's environment.
    let jni = unsafe { Jni::new(env) };
    if !log.is_null() {
        let name = if name.is_null() { String::new() } else { jni.string(name) };
        guarded(|recorder| recorder.open(&jni, log, thread, name, java_id as u64));
    }
}

#[unsafe(no_mangle)]
extern "system" fn Java_java_lang_WhydunitLog_full(env: *mut JNIEnv, _: jclass, log: jobject, stream: jint) {
    // SAFETY: the JVM passes the calling thread's environment.
    let jni = unsafe { Jni::new(env) };
    if !log.is_null() {
        guarded(|recorder| recorder.full(&jni, log, stream as usize));
    }
}

#[unsafe(no_mangle)]
extern "system" fn Java_java_lang_WhydunitLog_close(env: *mut JNIEnv, _: jclass, log: jobject) {
    // SAFETY: the JVM passes the calling thread's environment.
    let jni = unsafe { Jni::new(env) };
    if !log.is_null() {
        guarded(|recorder| recorder.close(&jni, log));
    }
}

#[unsafe(no_mangle)]
extern "system" fn Java_java_lang_WhydunitLog_register(env: *mut JNIEnv, _: jclass, class: jclass) -> jlong {
    // SAFETY: the JVM passes the calling thread's environment.
    let jni = unsafe { Jni::new(env) };
    if class.is_null() { 0 } else { guarded(|recorder| Classes::register(recorder, &jni, class)) }
}

#[unsafe(no_mangle)]
extern "system" fn Java_java_lang_WhydunitIds_outOfIds(_: *mut JNIEnv, _: jclass) {
    guarded(|recorder| {
        if let Some(sink) = recorder.sink() {
            sink.stop(EndReason::OutOfIds);
        }
    });
}

#[unsafe(no_mangle)]
extern "system" fn Java_java_lang_WhydunitLog_recordedFrames(env: *mut JNIEnv, _: jclass) -> jint {
    // SAFETY: the JVM passes the calling thread's environment.
    let jni = unsafe { Jni::new(env) };
    guarded(|recorder| Classes::recorded_frames(recorder, &jni).unwrap_or_default() as jint)
}

/// Runs as a call from a class of the boot loader; from anywhere else the JVM would print a warning.
#[unsafe(no_mangle)]
extern "system" fn Java_java_lang_WhydunitIds_takeOverHashing(env: *mut JNIEnv, helper: jclass) {
    // SAFETY: the JVM passes the calling thread's environment.
    let jni = unsafe { Jni::new(env) };
    guarded(|recorder| hashing::take_over(recorder, &jni, helper));
}
