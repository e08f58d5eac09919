//! The state of recording one JVM.

use crate::classes::Classes;
use crate::config::Config;
use crate::hashing::HashingSlot;
use crate::sink::Sink;
use crate::threads::{LogFields, ThreadLog};
use crate::vm::{Jni, Jvmti};
use jvmti_bindings::sys::jni::{jclass, jmethodID, jobject};
use serde::Serialize;
use std::fs::{self, File};
use std::io;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};
use whydunit_instrument::{Scope, Tokens};
use whydunit_trace::block::{BlockKind, Flags};
use whydunit_trace::{ThreadId, record};

/// Everything the agent knows about this JVM.
#[derive(Debug)]
pub(crate) struct Recorder {
    pub(crate) config: Config,
    pub(crate) jvmti: Jvmti,
    pub(crate) scope: Scope,
    pub(crate) tokens: Tokens,
    pub(crate) classes: Classes,
    pub(crate) hashing: HashingSlot,
    /// Set when the JVM has started.
    helper: OnceLock<Helper>,
    /// Set when the first class in scope is loaded; `None` when the recording could not be made.
    sink: OnceLock<Option<Sink>>,
    threads: Mutex<Vec<SharedLog>>,
    next_thread: AtomicU32,
}

/// The helper class in the JVM.
#[derive(Debug)]
pub(crate) struct Helper {
    /// Global reference.
    pub(crate) class: jclass,
    pub(crate) fields: LogFields,
    pub(crate) detach: jmethodID,
    pub(crate) handshake: bool,
}

// SAFETY: a global reference and method ids may be used by all threads.
unsafe impl Send for Helper {}
// SAFETY: as above.
unsafe impl Sync for Helper {}

/// A thread's log, owned by the list of threads; its thread has a pointer to it.
#[derive(Debug)]
struct SharedLog(*mut ThreadLog);

// SAFETY: what changes in a log is behind a lock, and it is freed only by its own thread, at its end.
unsafe impl Send for SharedLog {}

impl Recorder {
    pub(crate) fn new(config: Config, jvmti: Jvmti) -> Recorder {
        Recorder {
            scope: Scope::new(&config.include, &config.exclude),
            config,
            jvmti,
            tokens: Tokens::default(),
            classes: Classes::default(),
            hashing: HashingSlot::new(),
            helper: OnceLock::new(),
            sink: OnceLock::new(),
            threads: Mutex::new(Vec::new()),
            next_thread: AtomicU32::new(1),
        }
    }

    pub(crate) fn helper(&self) -> Option<&Helper> {
        self.helper.get()
    }

    pub(crate) fn set_helper(&self, helper: Helper) {
        let _ = self.helper.set(helper);
    }

    /// The recording, if it has begun.
    pub(crate) fn sink(&self) -> Option<&Sink> {
        self.sink.get()?.as_ref()
    }

    /// The recording, begun now if need be.
    pub(crate) fn begin(&self) -> Option<&Sink> {
        self.sink.get_or_init(|| self.create_sink().ok()).as_ref()
    }

    fn create_sink(&self) -> io::Result<Sink> {
        let started = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let pid = std::process::id();
        let folder = self.config.out.join(format!("{pid}-{}", started.as_nanos()));
        fs::create_dir_all(&folder)?;
        let property = |name| self.jvmti.system_property(name);
        let facts = JvmFacts {
            pid,
            started_ms: started.as_millis() as u64,
            java_version: property("java.version").or_else(|| property("java.vm.specification.version")),
            vm_name: property("java.vm.name"),
            vm_version: property("java.vm.version"),
            java_home: property("java.home"),
            class_path: property("java.class.path"),
            module_path: property("jdk.module.path"),
            command: property("sun.java.command"),
            working_dir: std::env::current_dir().ok().map(|dir| dir.to_string_lossy().into_owned()),
        };
        fs::write(folder.join("jvm.json"), serde_json::to_vec_pretty(&facts)?)?;
        let flags = Flags { check: self.config.check, handshake: self.helper().is_some_and(|h| h.handshake) };
        Sink::create(File::create(folder.join("trace.wdt"))?, flags, self.config.size_limit)
    }

    fn threads(&self) -> MutexGuard<'_, Vec<SharedLog>> {
        self.threads.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A thread enters recorded code for the first time.
    pub(crate) fn open(&self, jni: &Jni, log: jobject, thread: jobject, name: String, java_id: u64) {
        let (Some(helper), Some(sink)) = (self.helper(), self.begin()) else { return };
        let id = ThreadId(self.next_thread.fetch_add(1, Ordering::Relaxed));
        sink.record(BlockKind::Thread, id.0, record::Thread { name, java_id });
        let state = Box::new(ThreadLog::new(id, jni.global(log), jni.global(thread), self.config.check, sink));
        state.publish(jni, &helper.fields);
        let state = Box::into_raw(state);
        helper.fields.set_handle(jni, log, state);
        self.threads().push(SharedLog(state));
    }

    pub(crate) fn full(&self, jni: &Jni, log: jobject, stream: usize) {
        let (Some(helper), Some(sink)) = (self.helper(), self.sink()) else { return };
        let state = helper.fields.handle(jni, log);
        if !state.is_null() {
            // SAFETY: the calling thread owns its log, and it is not closed before the thread has ended.
            unsafe { (*state).hand_over(jni, &helper.fields, sink, stream) };
        }
    }

    /// The calling thread ends.
    pub(crate) fn close(&self, jni: &Jni, log: jobject) {
        let (Some(helper), Some(sink)) = (self.helper(), self.sink()) else { return };
        let state = helper.fields.handle(jni, log);
        let mut threads = self.threads();
        let Some(index) = threads.iter().position(|shared| shared.0 == state) else { return };
        threads.swap_remove(index);
        drop(threads);
        // SAFETY: taken out of the list, which owned it, so nobody else has it.
        let state = unsafe { Box::from_raw(state) };
        state.hand_over(jni, &helper.fields, sink, 0);
        jni.delete_global(state.log);
        jni.delete_global(state.thread);
    }

    /// The JVM ends: stops the threads that still run and takes what they have logged.
    pub(crate) fn finish(&self, jni: &Jni, current: jobject) {
        let (Some(helper), Some(sink)) = (self.helper(), self.sink()) else { return };
        for shared in self.threads().iter() {
            // SAFETY: the list owns the logs, and its lock keeps their threads from freeing them.
            let state = unsafe { &*shared.0 };
            if current.is_null() || !jni.is_same(state.thread, current) {
                // A thread that has ended, or that cannot be stopped any more, writes no more either.
                let _ = self.jvmti.suspend(state.thread);
            }
            state.hand_over(jni, &helper.fields, sink, 0);
        }
        sink.finish();
    }
}

/// `jvm.json`.
#[derive(Serialize)]
struct JvmFacts {
    pid: u32,
    started_ms: u64,
    java_version: Option<String>,
    vm_name: Option<String>,
    vm_version: Option<String>,
    java_home: Option<String>,
    class_path: Option<String>,
    module_path: Option<String>,
    command: Option<String>,
    working_dir: Option<String>,
}
