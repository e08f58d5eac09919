//! A library for `LD_PRELOAD` that adds an option to every JVM a process creates, without a word on stderr.
//!
//! Launchers load `libjvm.so` and ask `dlsym` for `JNI_CreateJavaVM`. This library stands in front of `dlsym`
//! and answers that one question with a function that adds the option in `WHYDUNIT_AGENT_OPTION`. It is loaded
//! into every process of the command, so it does nothing else, and nothing at all before it is asked.

use std::ffi::{CStr, c_char, c_int, c_void};
use std::ptr;
use std::sync::atomic::{AtomicPtr, Ordering};

/// `whydunit record` sets it.
const OPTION_VARIABLE: &CStr = c"WHYDUNIT_AGENT_OPTION";
const CREATE_VM: &CStr = c"JNI_CreateJavaVM";

/// The oldest version of `dlsym` on the platform, which every glibc has.
#[cfg(target_arch = "x86_64")]
const DLSYM_VERSION: &CStr = c"GLIBC_2.2.5";
#[cfg(target_arch = "aarch64")]
const DLSYM_VERSION: &CStr = c"GLIBC_2.17";

const RTLD_NEXT: *mut c_void = -1isize as *mut c_void;
const JNI_ERR: c_int = -1;

unsafe extern "C" {
    fn dlvsym(handle: *mut c_void, name: *const c_char, version: *const c_char) -> *mut c_void;
    fn getenv(name: *const c_char) -> *const c_char;
}

type Dlsym = unsafe extern "C" fn(*mut c_void, *const c_char) -> *mut c_void;
type CreateVm = unsafe extern "C" fn(*mut *mut c_void, *mut *mut c_void, *const InitArguments) -> c_int;

/// `JavaVMInitArgs` of jni.h.
#[repr(C)]
#[derive(Clone, Copy)]
struct InitArguments {
    version: c_int,
    option_count: c_int,
    options: *const VmOption,
    ignore_unrecognized: u8,
}

/// `JavaVMOption` of jni.h.
#[repr(C)]
#[derive(Clone, Copy)]
struct VmOption {
    text: *const c_char,
    extra: *const c_void,
}

/// What `dlsym` is to do: return the address, or go on at it.
#[repr(C)]
struct Answer {
    address: *mut c_void,
    go_on: usize,
}

/// The JVM's own `JNI_CreateJavaVM`.
static REAL_CREATE_VM: AtomicPtr<c_void> = AtomicPtr::new(ptr::null_mut());

/// Jumps to the real `dlsym` instead of calling it: for `RTLD_NEXT` that one looks at its return address to
/// see which library asked, and must not see this one.
#[cfg(target_arch = "x86_64")]
#[unsafe(no_mangle)]
#[unsafe(naked)]
unsafe extern "C" fn dlsym(handle: *mut c_void, name: *const c_char) -> *mut c_void {
    core::arch::naked_asm!(
        "push rdi",
        "push rsi",
        "sub rsp, 8",
        "call {answer}",
        "add rsp, 8",
        "pop rsi",
        "pop rdi",
        "test rdx, rdx",
        "jz 2f",
        "jmp rax",
        "2:",
        "ret",
        answer = sym answer,
    )
}

#[cfg(target_arch = "aarch64")]
#[unsafe(no_mangle)]
#[unsafe(naked)]
unsafe extern "C" fn dlsym(handle: *mut c_void, name: *const c_char) -> *mut c_void {
    core::arch::naked_asm!(
        "stp x29, x30, [sp, #-32]!",
        "stp x0, x1, [sp, #16]",
        "bl {answer}",
        "mov x16, x0",
        "mov x17, x1",
        "ldp x0, x1, [sp, #16]",
        "ldp x29, x30, [sp], #32",
        "cbz x17, 2f",
        "br x16",
        "2:",
        "mov x0, x16",
        "ret",
        answer = sym answer,
    )
}

unsafe extern "C" fn answer(handle: *mut c_void, name: *const c_char) -> Answer {
    // SAFETY: both strings end with a zero byte.
    let real = unsafe { dlvsym(RTLD_NEXT, c"dlsym".as_ptr(), DLSYM_VERSION.as_ptr()) };
    if real.is_null() {
        return Answer { address: ptr::null_mut(), go_on: 0 };
    }
    // SAFETY: whoever calls `dlsym` passes a string that ends with a zero byte.
    let is_create_vm = !name.is_null() && unsafe { CStr::from_ptr(name) } == CREATE_VM;
    if !is_create_vm {
        return Answer { address: real, go_on: 1 };
    }
    // SAFETY: `real` is the C library's `dlsym`, and the arguments are those of our caller.
    let found = unsafe { std::mem::transmute::<*mut c_void, Dlsym>(real)(handle, name) };
    if found.is_null() {
        return Answer { address: found, go_on: 0 };
    }
    REAL_CREATE_VM.store(found, Ordering::Release);
    Answer { address: create_vm as *mut c_void, go_on: 0 }
}

/// Creates the JVM with one more option in front of all others.
unsafe extern "C" fn create_vm(
    vm: *mut *mut c_void,
    environment: *mut *mut c_void,
    arguments: *const InitArguments,
) -> c_int {
    let real = REAL_CREATE_VM.load(Ordering::Acquire);
    if real.is_null() {
        return JNI_ERR;
    }
    // SAFETY: `dlsym` gave this address for `JNI_CreateJavaVM`.
    let real = unsafe { std::mem::transmute::<*mut c_void, CreateVm>(real) };
    // SAFETY: the name ends with a zero byte; nobody changes the environment before the JVM is there.
    let text = unsafe { getenv(OPTION_VARIABLE.as_ptr()) };
    // SAFETY: the JNI specification has the caller pass null or valid arguments.
    let given = unsafe { arguments.as_ref() };
    let (Some(given), false) = (given, text.is_null()) else {
        // SAFETY: these are the caller's own arguments.
        return unsafe { real(vm, environment, arguments) };
    };
    let present = match usize::try_from(given.option_count) {
        // SAFETY: the caller passes an array of that many options.
        Ok(count) if count > 0 && !given.options.is_null() => unsafe {
            std::slice::from_raw_parts(given.options, count)
        },
        _ => &[],
    };
    let mut options = Vec::with_capacity(present.len() + 1);
    options.push(VmOption { text, extra: ptr::null() });
    options.extend_from_slice(present);
    let more = InitArguments { option_count: given.option_count.max(0) + 1, options: options.as_ptr(), ..*given };
    // SAFETY: `more` and the options live until the call returns, and the JVM copies what it keeps.
    unsafe { real(vm, environment, &more) }
}
