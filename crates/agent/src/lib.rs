//! The agent that runs inside the recorded JVM.
//!
//! It rewrites the classes in scope as they are loaded, takes the buffers that rewritten code has filled, and
//! writes them to the recording. It must never break the program: whatever fails here leaves the class or the
//! program as it was.

mod classes;
mod config;
mod hashing;
mod hooks;
mod natives;
mod recorder;
mod sink;
mod threads;
mod vm;

use config::Config;
use jvmti_bindings::sys::jni::{JavaVM, jint};
use recorder::Recorder;
use std::ffi::{CStr, c_char, c_void};
use std::sync::OnceLock;
use vm::Jvmti;

/// JNI natives and JVMTI events carry no context of their own, so the one recorder of this JVM is here.
static RECORDER: OnceLock<Recorder> = OnceLock::new();

/// The JVM loads the agent.
///
/// # Safety
///
/// Called by the JVM with a valid `vm` and with `options` null or a C string.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Agent_OnLoad(vm: *mut JavaVM, options: *const c_char, _: *mut c_void) -> jint {
    const OK: jint = 0;
    if RECORDER.get().is_some() || options.is_null() {
        return OK;
    }
    // SAFETY: the JVM passes a C string.
    let path = unsafe { CStr::from_ptr(options) }.to_string_lossy().into_owned();
    let Ok(config) = Config::read(&path) else {
        return OK;
    };
    config.announce();
    // SAFETY: the JVM passes a valid pointer.
    let Some(jvmti) = (unsafe { Jvmti::new(vm) }) else {
        config.refuse("this JVM has no JVM Tool Interface");
        return OK;
    };
    if let Err(reason) = hooks::install(&jvmti) {
        config.refuse(&reason);
        return OK;
    }
    // A second option that loads the agent again finds the recorder there.
    let _ = RECORDER.set(Recorder::new(config, jvmti));
    OK
}
