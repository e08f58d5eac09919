//! Identity hashes: the recorder keeps its object ids in them, so it gives them out itself.

use crate::RECORDER;
use crate::recorder::Recorder;
use crate::vm::Jni;
use jvmti_bindings::sys::jni::{JNIEnv, JNINativeMethod, jclass, jint, jmethodID, jobject};
use std::ffi::{CStr, c_char, c_int, c_void};
use std::sync::OnceLock;

/// The JVM's own function, for objects whose header is in use by a lock.
type JvmHash = unsafe extern "system" fn(*mut JNIEnv, jobject) -> jint;

/// What the replaced native methods need.
#[derive(Debug)]
pub(crate) struct Hashing {
    /// Global reference.
    helper: jclass,
    hash_of: jmethodID,
    jvm_hash: JvmHash,
}

// SAFETY: a global reference, a method id and a function may be used by all threads.
unsafe impl Send for Hashing {}
// SAFETY: as above.
unsafe impl Sync for Hashing {}

/// Set once, before the native methods are replaced.
pub(crate) type HashingSlot = OnceLock<Hashing>;

unsafe extern "C" {
    fn dlsym(handle: *mut c_void, symbol: *const c_char) -> *mut c_void;
    fn dlopen(path: *const c_char, flags: c_int) -> *mut c_void;
}

/// Of a library that is loaded already.
fn jvm_symbol(name: &CStr) -> Option<*mut c_void> {
    const RTLD_LAZY: c_int = 1;
    const RTLD_NOLOAD: c_int = 4;
    // SAFETY: plain C strings; a null handle is checked.
    let symbol = unsafe {
        let jvm = dlopen(c"libjvm.so".as_ptr(), RTLD_LAZY | RTLD_NOLOAD);
        if jvm.is_null() {
            return None;
        }
        dlsym(jvm, name.as_ptr())
    };
    (!symbol.is_null()).then_some(symbol)
}

/// Replaces `Object.hashCode` and `System.identityHashCode`. A JVM in which this does not work keeps its own:
/// a few objects that are locked when they are first met may then have the id of another.
pub(crate) fn take_over(recorder: &Recorder, jni: &Jni, helper: jclass) {
    let Some(jvm_hash) = jvm_symbol(c"JVM_IHashCode") else { return };
    let Some(hash_of) = jni.static_method(helper, c"hashOf", c"(Ljava/lang/Object;)I") else { return };
    // SAFETY: the symbol is this function in all HotSpot JVMs.
    let jvm_hash = unsafe { std::mem::transmute::<*mut c_void, JvmHash>(jvm_hash) };
    if recorder.hashing.set(Hashing { helper: jni.global(helper), hash_of, jvm_hash }).is_err() {
        return;
    }
    let bind = |class: &CStr, name: &'static CStr, signature: &'static CStr, function: *mut c_void| {
        if let Some(class) = jni.find_class(class) {
            jni.register_native(
                class,
                &JNINativeMethod {
                    name: name.as_ptr().cast_mut(),
                    signature: signature.as_ptr().cast_mut(),
                    fnPtr: function,
                },
            );
        }
    };
    bind(c"java/lang/Object", c"hashCode", c"()I", hash_code as *mut c_void);
    bind(c"java/lang/System", c"identityHashCode", c"(Ljava/lang/Object;)I", identity_hash_code as *mut c_void);
}

extern "system" fn hash_code(env: *mut JNIEnv, object: jobject) -> jint {
    hash(env, object)
}

extern "system" fn identity_hash_code(env: *mut JNIEnv, _: jclass, object: jobject) -> jint {
    hash(env, object)
}

fn hash(env: *mut JNIEnv, object: jobject) -> jint {
    let Some(hashing) = RECORDER.get().and_then(|recorder| recorder.hashing.get()) else { return 0 };
    if object.is_null() {
        return 0;
    }
    // SAFETY: the JVM passes the calling thread's environment.
    let jni = unsafe { Jni::new(env) };
    match jni.call_static_int(hashing.helper, hashing.hash_of, object) {
        // SAFETY: called as the JVM calls it itself.
        None | Some(0) => unsafe { (hashing.jvm_hash)(env, object) },
        Some(hash) => hash,
    }
}

/// Gives an object its identity hash. The JVM does it itself when it tags an object, at random.
pub(crate) fn give_hash(recorder: &Recorder, jni: &Jni, object: jobject) {
    if let Some(hashing) = recorder.hashing.get() {
        jni.call_static_int(hashing.helper, hashing.hash_of, object);
    }
}
