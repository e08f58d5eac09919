//! The state of recording one JVM.

use crate::classes::Classes;
use crate::config::{Config, Report};
use crate::hashing::HashingSlot;
use crate::sink::{Completeness, Sink};
use crate::threads::{LogFields, ThreadLog};
use crate::vm::{Jni, Jvmti, Stop};
use jvmti_bindings::sys::jni::{jclass, jmethodID, jobject};
use serde::Serialize;
use std::fs::{self, File};
use std::io;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, TryLockError};
use std::thread;
use std::time::{Duration, SystemTime, UNIX_EPOCH};
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
    threads: Mutex<Vec<Arc<ThreadLog>>>,
    next_thread: AtomicU32,
    /// The first class that was neither the platform's nor a tool's.
    pub(crate) program_class: OnceLock<String>,
}

/// The helper class in the JVM.
#[derive(Debug)]
pub(crate) struct Helper {
    /// Global reference.
    pub(crate) class: jclass,
    pub(crate) fields: LogFields,
    pub(crate) detach: jmethodID,
    pub(crate) change: jmethodID,
    pub(crate) handshake: bool,
}

// SAFETY: a global reference and method ids may be used by all threads.
unsafe impl Send for Helper {}
// SAFETY: as above.
unsafe impl Sync for Helper {}

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
            program_class: OnceLock::new(),
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
        let flags = Flags {
            check: self.config.check,
            handshake: self.helper().is_some_and(|h| h.handshake),
            places: self.scope.includes_platform(),
        };
        Sink::create(File::create(folder.join("trace.wdt"))?, flags, self.config.size_limit)
    }

    fn threads(&self) -> MutexGuard<'_, Vec<Arc<ThreadLog>>> {
        self.threads.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A thread enters recorded code for the first time.
    pub(crate) fn open(&self, jni: &Jni, log: jobject, thread: jobject, name: String, java_id: u64) {
        let (Some(helper), Some(sink)) = (self.helper(), self.begin()) else { return };
        let id = ThreadId(self.next_thread.fetch_add(1, Ordering::Relaxed));
        sink.record(BlockKind::Thread, id.0, record::Thread { name, java_id });
        let state = Arc::new(ThreadLog::new(id, jni.global(log), jni.global(thread), self.config.check, sink));
        state.publish(jni, &helper.fields);
        helper.fields.set_handle(jni, log, Arc::as_ptr(&state));
        self.threads().push(state);
    }

    pub(crate) fn full(&self, jni: &Jni, log: jobject, stream: usize) {
        let (Some(helper), Some(sink)) = (self.helper(), self.sink()) else { return };
        let state = helper.fields.handle(jni, log);
        if !state.is_null() {
            // SAFETY: the list of threads keeps the log until its thread, which is the calling one, has ended.
            unsafe { (*state).hand_over(jni, &helper.fields, sink, stream) };
        }
    }

    /// The calling thread ends.
    pub(crate) fn close(&self, jni: &Jni, log: jobject) {
        let (Some(helper), Some(sink)) = (self.helper(), self.sink()) else { return };
        let handle = helper.fields.handle(jni, log);
        let is_this = |log: &Arc<ThreadLog>| Arc::as_ptr(log) == handle;
        let Some(state) = self.threads().iter().find(|log| is_this(log)).cloned() else { return };
        state.hand_over(jni, &helper.fields, sink, 0);
        // The thread that ends the JVM is said to end in the middle of its methods.
        if Classes::recorded_frames(self, jni) == Some(0) {
            sink.record(BlockKind::ThreadEnd, state.id.0, record::ThreadEnd);
        }
        // Only now: the end of the JVM does not wait for threads that are not in the list.
        self.threads().retain(|log| !is_this(log));
        // If the end of the JVM is looking at the thread, it still needs the references.
        if let Some(state) = Arc::into_inner(state) {
            jni.delete_global(state.log);
            jni.delete_global(state.thread);
        }
    }

    /// The JVM ends: stops the threads that still run and takes what they have logged.
    pub(crate) fn finish(&self, jni: &Jni, current: jobject) {
        let (Some(helper), Some(sink)) = (self.helper(), self.sink()) else { return };
        let mut taken = Vec::new();
        let mut completeness = Completeness::Complete;
        // New threads may start until the last one that could start them is stopped.
        loop {
            // A copy: a thread that is stopped while it holds the list's lock would hold it for ever.
            let Some(threads) = self.snapshot() else { return sink.finish(Completeness::CutOff) };
            let new: Vec<_> = threads.into_iter().filter(|state| !taken.contains(&state.id)).collect();
            if new.is_empty() {
                return sink.finish(completeness);
            }
            for state in new {
                let is_current = !current.is_null() && jni.is_same(state.thread, current);
                if !self.take_rest(jni, helper, sink, &state, is_current) {
                    completeness = Completeness::CutOff;
                }
                taken.push(state.id);
            }
        }
    }

    /// Says what was loaded, if classes were looked at.
    pub(crate) fn report(&self) {
        if self.helper().is_some() {
            let [include, exclude] = self.scope.matched();
            let program_class = self.program_class.get().map(String::as_str);
            self.config.report(&Report { include: &include, exclude: &exclude, program_class });
        }
    }

    /// Takes what a thread has logged, unless it cannot be stopped.
    fn take_rest(&self, jni: &Jni, helper: &Helper, sink: &Sink, state: &ThreadLog, is_current: bool) -> bool {
        for _ in 0..ATTEMPTS_TO_STOP {
            let stop = if is_current { Stop::Ended } else { self.jvmti.suspend(state.thread) };
            if stop == Stop::Failed {
                return false;
            }
            if state.try_hand_over_all(jni, &helper.fields, sink) {
                return true;
            }
            if stop == Stop::Suspended {
                let _ = self.jvmti.resume(state.thread);
            }
            thread::sleep(Duration::from_millis(1));
        }
        false
    }

    /// The threads' logs, unless the list cannot be had for a while.
    fn snapshot(&self) -> Option<Vec<Arc<ThreadLog>>> {
        for _ in 0..ATTEMPTS_TO_STOP {
            match self.threads.try_lock() {
                Ok(threads) => return Some(threads.clone()),
                Err(TryLockError::Poisoned(poisoned)) => return Some(poisoned.into_inner().clone()),
                Err(TryLockError::WouldBlock) => thread::sleep(Duration::from_millis(1)),
            }
        }
        None
    }
}

/// Milliseconds for which the end of the JVM waits for a thread that is handing over a buffer.
const ATTEMPTS_TO_STOP: u32 = 2000;

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
