//! The part of JVMTI and JNI that the agent uses, with types that are hard to misuse.

use jvmti_bindings::sys::jni::{self, JNIEnv, JNINativeMethod, JavaVM, jclass, jmethodID, jobject, jvalue};
use jvmti_bindings::sys::jvmti::{self, jvmtiCapabilities, jvmtiEnv, jvmtiEvent, jvmtiEventCallbacks, jvmtiFrameInfo};
use std::ffi::{CStr, CString, c_char, c_void};
use std::ptr;

/// The JVM's tool interface; usable from every thread.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Jvmti(*mut jvmtiEnv);

// SAFETY: a JVMTI environment may be used by all threads of its JVM.
unsafe impl Send for Jvmti {}
// SAFETY: as above.
unsafe impl Sync for Jvmti {}

/// Calls a JVMTI function; `Err` is the JVMTI error code, or -1 when this JVM does not have the function.
macro_rules! jvmti {
    ($env:expr, $function:ident $(, $argument:expr)*) => {{
        // SAFETY: the environment is valid as long as the JVM lives; arguments are as JVMTI wants them.
        let error = unsafe { (*(*$env.0).functions).$function.map(|f| f($env.0 $(, $argument)*)) };
        match error.map(|code| code.raw()) {
            Some(0) => Ok(()),
            other => Err(other.unwrap_or(-1)),
        }
    }};
}

impl Jvmti {
    /// # Safety
    ///
    /// `vm` must be the valid pointer that the JVM passes to an agent.
    pub(crate) unsafe fn new(vm: *mut JavaVM) -> Option<Jvmti> {
        let mut env: *mut c_void = ptr::null_mut();
        // SAFETY: by the caller's promise.
        let status = unsafe { ((**vm).GetEnv)(vm, &mut env, jvmti::JVMTI_VERSION_11) };
        (status == 0 && !env.is_null()).then_some(Jvmti(env.cast()))
    }

    pub(crate) fn add_capabilities(&self, capabilities: &jvmtiCapabilities) -> Result<(), i32> {
        jvmti!(self, AddCapabilities, capabilities)
    }

    pub(crate) fn set_callbacks(&self, callbacks: &jvmtiEventCallbacks) -> Result<(), i32> {
        jvmti!(self, SetEventCallbacks, callbacks, size_of::<jvmtiEventCallbacks>() as i32)
    }

    pub(crate) fn enable(&self, event: jvmtiEvent, on: bool) -> Result<(), i32> {
        let mode = if on { jvmti::JVMTI_ENABLE } else { jvmti::JVMTI_DISABLE };
        jvmti!(self, SetEventNotificationMode, mode, event, ptr::null_mut())
    }

    /// Memory that the JVM will free.
    pub(crate) fn allocate(&self, bytes: &[u8]) -> Option<*mut u8> {
        let mut memory: *mut u8 = ptr::null_mut();
        jvmti!(self, Allocate, bytes.len() as i64, &mut memory).ok()?;
        // SAFETY: the JVM has just given us that many bytes.
        unsafe { ptr::copy_nonoverlapping(bytes.as_ptr(), memory, bytes.len()) };
        Some(memory)
    }

    /// Takes a string that JVMTI allocated.
    fn take_string(&self, string: *mut c_char) -> Option<String> {
        if string.is_null() {
            return None;
        }
        // SAFETY: JVMTI returns C strings.
        let text = unsafe { CStr::from_ptr(string) }.to_string_lossy().into_owned();
        let _ = jvmti!(self, Deallocate, string.cast());
        Some(text)
    }

    pub(crate) fn system_property(&self, name: &str) -> Option<String> {
        let name = CString::new(name).ok()?;
        let mut value: *mut c_char = ptr::null_mut();
        jvmti!(self, GetSystemProperty, name.as_ptr(), &mut value).ok()?;
        self.take_string(value)
    }

    pub(crate) fn class_signature(&self, class: jclass) -> Option<String> {
        let mut signature: *mut c_char = ptr::null_mut();
        jvmti!(self, GetClassSignature, class, &mut signature, ptr::null_mut()).ok()?;
        self.take_string(signature)
    }

    pub(crate) fn class_modifiers(&self, class: jclass) -> u16 {
        let mut modifiers = 0;
        let _ = jvmti!(self, GetClassModifiers, class, &mut modifiers);
        modifiers as u16
    }

    pub(crate) fn class_loader(&self, class: jclass) -> jobject {
        let mut loader: jobject = ptr::null_mut();
        let _ = jvmti!(self, GetClassLoader, class, &mut loader);
        loader
    }

    /// Name, descriptor and modifiers of the methods that a class declares.
    pub(crate) fn class_methods(&self, class: jclass) -> Vec<(String, String, u16)> {
        let mut count = 0;
        let mut methods = ptr::null_mut();
        if jvmti!(self, GetClassMethods, class, &mut count, &mut methods).is_err() || methods.is_null() {
            return Vec::new();
        }
        let mut found = Vec::new();
        for index in 0..count as usize {
            // SAFETY: JVMTI returns an array of `count` method ids.
            let method = unsafe { *methods.add(index) };
            let mut modifiers = 0;
            if jvmti!(self, GetMethodModifiers, method, &mut modifiers).is_ok()
                && let Some((name, descriptor)) = self.method_name(method)
            {
                found.push((name, descriptor, modifiers as u16));
            }
        }
        let _ = jvmti!(self, Deallocate, methods.cast());
        found
    }

    pub(crate) fn loaded_classes(&self) -> Vec<jclass> {
        let mut count = 0;
        let mut classes: *mut jclass = ptr::null_mut();
        let _ = jvmti!(self, GetLoadedClasses, &mut count, &mut classes);
        self.take_classes(count, classes)
    }

    /// The interfaces that a class names itself.
    pub(crate) fn interfaces(&self, class: jclass) -> Vec<jclass> {
        let mut count = 0;
        let mut classes: *mut jclass = ptr::null_mut();
        let _ = jvmti!(self, GetImplementedInterfaces, class, &mut count, &mut classes);
        self.take_classes(count, classes)
    }

    /// Takes an array that JVMTI allocated; null when it failed.
    fn take_classes(&self, count: i32, classes: *mut jclass) -> Vec<jclass> {
        if classes.is_null() {
            return Vec::new();
        }
        // SAFETY: JVMTI returns an array of `count` classes.
        let taken = unsafe { std::slice::from_raw_parts(classes, count as usize) }.to_vec();
        let _ = jvmti!(self, Deallocate, classes.cast());
        taken
    }

    pub(crate) fn is_modifiable(&self, class: jclass) -> bool {
        let mut modifiable = 0;
        jvmti!(self, IsModifiableClass, class, &mut modifiable).is_ok() && modifiable != 0
    }

    /// Sends a loaded class through the class hook again.
    pub(crate) fn retransform(&self, class: jclass) -> Result<(), i32> {
        jvmti!(self, RetransformClasses, 1, &class)
    }

    /// The methods on the stack of the calling thread, the topmost first; `None` when the JVM does not tell.
    pub(crate) fn stack(&self) -> Option<Vec<jmethodID>> {
        const FEW: usize = 1 << 6;
        const MOST: usize = 1 << 17;
        let mut most = FEW;
        loop {
            let mut frames = vec![jvmtiFrameInfo { method: ptr::null_mut(), location: 0 }; most];
            let mut count = 0;
            jvmti!(self, GetStackTrace, ptr::null_mut(), 0, most as i32, frames.as_mut_ptr(), &mut count).ok()?;
            if (count as usize) < most || most == MOST {
                return Some(frames.iter().take(count as usize).map(|frame| frame.method).collect());
            }
            most = MOST;
        }
    }

    pub(crate) fn declaring_class(&self, method: jmethodID) -> Option<jclass> {
        let mut class: jclass = ptr::null_mut();
        jvmti!(self, GetMethodDeclaringClass, method, &mut class).ok()?;
        (!class.is_null()).then_some(class)
    }

    pub(crate) fn method_name(&self, method: jmethodID) -> Option<(String, String)> {
        let (mut name, mut descriptor): (*mut c_char, *mut c_char) = (ptr::null_mut(), ptr::null_mut());
        jvmti!(self, GetMethodName, method, &mut name, &mut descriptor, ptr::null_mut()).ok()?;
        self.take_string(name).zip(self.take_string(descriptor))
    }

    /// The number that the agent has attached to an object; 0 when none.
    pub(crate) fn tag(&self, object: jobject) -> i64 {
        let mut tag = 0;
        let _ = jvmti!(self, GetTag, object, &mut tag);
        tag
    }

    pub(crate) fn set_tag(&self, object: jobject, tag: i64) {
        let _ = jvmti!(self, SetTag, object, tag);
    }

    /// Null when the thread has no Java object any more.
    pub(crate) fn current_thread(&self) -> jobject {
        let mut thread: jobject = ptr::null_mut();
        let _ = jvmti!(self, GetCurrentThread, &mut thread);
        thread
    }

    pub(crate) fn resume(&self, thread: jobject) -> Result<(), i32> {
        jvmti!(self, ResumeThread, thread)
    }

    pub(crate) fn suspend(&self, thread: jobject) -> Stop {
        match jvmti!(self, SuspendThread, thread) {
            Ok(()) => Stop::Suspended,
            Err(code) if code == jvmti::JVMTI_ERROR_THREAD_NOT_ALIVE.raw() => Stop::Ended,
            // Somebody else has stopped it, and may let it go on.
            Err(_) => Stop::Failed,
        }
    }
}

/// What became of a thread that was to stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stop {
    Suspended,
    /// It runs no more code.
    Ended,
    Failed,
}

/// A thread's JNI environment.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Jni(*mut JNIEnv);

/// Calls a JNI function.
macro_rules! jni {
    ($env:expr, $function:ident $(, $argument:expr)*) => {
        // SAFETY: the environment belongs to this thread; arguments are as JNI wants them.
        unsafe { ((**$env.0).$function)($env.0 $(, $argument)*) }
    };
}

impl Jni {
    /// # Safety
    ///
    /// `env` must be the calling thread's valid environment.
    pub(crate) unsafe fn new(env: *mut JNIEnv) -> Jni {
        Jni(env)
    }

    /// Defines a class in the boot loader.
    pub(crate) fn define_boot_class(&self, name: &CStr, bytes: &[u8]) -> Option<jclass> {
        let class = jni!(self, DefineClass, name.as_ptr(), ptr::null_mut(), bytes.as_ptr().cast(), bytes.len() as i32);
        self.unless_thrown(class)
    }

    fn unless_thrown(&self, object: jobject) -> Option<jobject> {
        if self.clear_exception() || object.is_null() { None } else { Some(object) }
    }

    /// Whether there was one.
    pub(crate) fn clear_exception(&self) -> bool {
        let thrown = jni!(self, ExceptionCheck) != 0;
        if thrown {
            jni!(self, ExceptionClear);
        }
        thrown
    }

    pub(crate) fn find_class(&self, name: &CStr) -> Option<jclass> {
        self.unless_thrown(jni!(self, FindClass, name.as_ptr()))
    }

    /// Gives a native method another function.
    pub(crate) fn register_native(&self, class: jclass, native: &JNINativeMethod) {
        jni!(self, RegisterNatives, class, native, 1);
        self.clear_exception();
    }

    pub(crate) fn global(&self, object: jobject) -> jobject {
        jni!(self, NewGlobalRef, object)
    }

    pub(crate) fn delete_global(&self, object: jobject) {
        jni!(self, DeleteGlobalRef, object);
    }

    pub(crate) fn delete_local(&self, object: jobject) {
        jni!(self, DeleteLocalRef, object);
    }

    pub(crate) fn is_same(&self, a: jobject, b: jobject) -> bool {
        jni!(self, IsSameObject, a, b) != 0
    }

    pub(crate) fn superclass(&self, class: jclass) -> Option<jclass> {
        self.unless_thrown(jni!(self, GetSuperclass, class))
    }

    pub(crate) fn object_class(&self, object: jobject) -> jclass {
        jni!(self, GetObjectClass, object)
    }

    pub(crate) fn field(&self, class: jclass, name: &CStr, descriptor: &CStr) -> Option<jni::jfieldID> {
        let field = jni!(self, GetFieldID, class, name.as_ptr(), descriptor.as_ptr());
        (!self.clear_exception() && !field.is_null()).then_some(field)
    }

    pub(crate) fn static_field(&self, class: jclass, name: &CStr, descriptor: &CStr) -> Option<jni::jfieldID> {
        let field = jni!(self, GetStaticFieldID, class, name.as_ptr(), descriptor.as_ptr());
        (!self.clear_exception() && !field.is_null()).then_some(field)
    }

    pub(crate) fn method(&self, class: jclass, name: &CStr, descriptor: &CStr) -> Option<jni::jmethodID> {
        let method = jni!(self, GetMethodID, class, name.as_ptr(), descriptor.as_ptr());
        (!self.clear_exception() && !method.is_null()).then_some(method)
    }

    pub(crate) fn static_method(&self, class: jclass, name: &CStr, descriptor: &CStr) -> Option<jni::jmethodID> {
        let method = jni!(self, GetStaticMethodID, class, name.as_ptr(), descriptor.as_ptr());
        (!self.clear_exception() && !method.is_null()).then_some(method)
    }

    pub(crate) fn static_boolean(&self, class: jclass, field: jni::jfieldID) -> bool {
        jni!(self, GetStaticBooleanField, class, field) != 0
    }

    pub(crate) fn set_static_int(&self, class: jclass, field: jni::jfieldID, value: i32) {
        jni!(self, SetStaticIntField, class, field, value);
    }

    pub(crate) fn call_static_void(&self, class: jclass, method: jni::jmethodID) {
        jni!(self, CallStaticVoidMethodA, class, method, ptr::null::<jvalue>());
        self.clear_exception();
    }

    /// `None` when it threw.
    pub(crate) fn call_static_long(&self, class: jclass, method: jni::jmethodID) -> Option<i64> {
        let result = jni!(self, CallStaticLongMethodA, class, method, ptr::null::<jvalue>());
        (!self.clear_exception()).then_some(result)
    }

    /// `None` when it threw.
    pub(crate) fn call_static_int(&self, class: jclass, method: jni::jmethodID, argument: jobject) -> Option<i32> {
        let result = jni!(self, CallStaticIntMethodA, class, method, &jvalue { l: argument });
        (!self.clear_exception()).then_some(result)
    }

    /// A method without parameters that returns an object.
    pub(crate) fn call_object(&self, object: jobject, method: jni::jmethodID) -> Option<jobject> {
        self.unless_thrown(jni!(self, CallObjectMethodA, object, method, ptr::null::<jvalue>()))
    }

    pub(crate) fn array(&self, array: jobject) -> Vec<jobject> {
        let length = jni!(self, GetArrayLength, array);
        (0..length).map(|index| jni!(self, GetObjectArrayElement, array, index)).collect()
    }

    pub(crate) fn long(&self, object: jobject, field: jni::jfieldID) -> i64 {
        jni!(self, GetLongField, object, field)
    }

    pub(crate) fn set_long(&self, object: jobject, field: jni::jfieldID, value: i64) {
        jni!(self, SetLongField, object, field, value);
    }

    pub(crate) fn string(&self, string: jobject) -> String {
        let text = jni!(self, GetStringUTFChars, string, ptr::null_mut());
        if text.is_null() {
            self.clear_exception();
            return String::new();
        }
        // SAFETY: JNI returns a C string.
        let owned = unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned();
        jni!(self, ReleaseStringUTFChars, string, text);
        owned
    }
}
