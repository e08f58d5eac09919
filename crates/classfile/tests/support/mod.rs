//! Edits that change nothing a program can see, and a JVM to judge them.

#![allow(dead_code, reason = "each test uses a part")]

use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use whydunit_classfile::{AddedLocal, ClassEditor, ClassFile, CodeEditor, EditError, PoolBuilder, op};

pub(crate) type TestResult = Result<(), Box<dyn Error>>;

/// Puts code that does nothing into every place of every method that takes it.
pub(crate) fn edit_everywhere(original: &[u8]) -> Result<(Vec<u8>, Vec<EditError>), EditError> {
    let class = ClassFile::parse(original)?;
    let mut pool = PoolBuilder::new(&class.pool);
    let mut codes = Vec::new();
    let mut refused = Vec::new();
    for (index, method) in class.methods.iter().enumerate() {
        if method.code(&class.pool)?.is_none() {
            continue;
        }
        let is_constructor = method.name(&class.pool)? == "<init>";
        match edit_method(&class, index, is_constructor, &mut pool) {
            Ok(code) => codes.push((index, code)),
            Err(error @ (EditError::CodeTooLarge { .. } | EditError::BranchTooFar { .. })) => {
                refused.push(error);
            }
            Err(error) => return Err(error),
        }
    }
    let mut editor = ClassEditor::new(&class, original, pool);
    for (index, code) in codes {
        editor.replace_code(index, code);
    }
    Ok((editor.finish(), refused))
}

fn edit_method<'a>(
    class: &ClassFile<'a>,
    index: usize,
    is_constructor: bool,
    pool: &mut PoolBuilder<'a>,
) -> Result<Vec<u8>, EditError> {
    let mut editor = CodeEditor::new(class, index)?;
    let slot = editor.add_local(AddedLocal::Object("java/lang/Throwable".to_owned()));
    let scratch = editor.scratch_locals(2);
    let mut prologue = vec![op::ACONST_NULL];
    prologue.extend(with_local(op::ASTORE, slot));
    prologue.extend([op::ICONST_0, op::IFEQ, 0, 4, op::NOP]);
    let frame_at = prologue.len() as u16;
    if index.is_multiple_of(2) {
        prologue.push(op::NOP);
    }
    editor.prologue(&prologue, Some(frame_at));
    editor.grow_stack(2);

    let mut store_and_drop = vec![op::LCONST_0];
    store_and_drop.extend(with_local(op::LSTORE, scratch));
    let mut load_and_drop = with_local(op::ALOAD, slot);
    load_and_drop.push(op::POP);
    for instruction in editor.instructions().to_vec() {
        editor.before(instruction.pc, &[op::NOP]);
        editor.after(instruction.pc, &[op::NOP]);
        if instruction.pc.is_multiple_of(7) {
            editor.before(instruction.pc, &store_and_drop);
            editor.after(instruction.pc, &load_and_drop);
        }
    }
    let length = editor.code().bytes.len() as u32;
    if !is_constructor {
        editor.catch_all(&[(0, length)], &handler(slot));
    } else if let Some(start) = after_constructor_call(class, &editor) {
        editor.catch_all(&[(start, length)], &handler(slot));
    }
    editor.finish(pool)
}

/// Where `this` is initialised for sure: behind `aload_0; invokespecial` at the start of a constructor.
fn after_constructor_call(class: &ClassFile<'_>, editor: &CodeEditor<'_, '_>) -> Option<u32> {
    let [load, call, next, ..] = editor.instructions() else {
        return None;
    };
    let member = class.pool.member_ref(call.constant()?).ok()?;
    let is_call = load.opcode == op::ALOAD_0
        && call.opcode == op::INVOKESPECIAL
        && member.name == "<init>"
        && member.descriptor == "()V";
    is_call.then_some(next.pc)
}

fn handler(slot: u16) -> Vec<u8> {
    let mut bytes = with_local(op::ALOAD, slot);
    bytes.extend([op::POP, op::ATHROW]);
    bytes
}

fn with_local(opcode: u8, slot: u16) -> Vec<u8> {
    match u8::try_from(slot) {
        Ok(slot) => vec![opcode, slot],
        Err(_) => {
            let [high, low] = slot.to_be_bytes();
            vec![op::WIDE, opcode, high, low]
        }
    }
}

pub(crate) fn class_files(directory: &Path) -> std::io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    let mut pending = vec![directory.to_owned()];
    while let Some(directory) = pending.pop() {
        for entry in std::fs::read_dir(directory)? {
            let path = entry?.path();
            if path.is_dir() {
                pending.push(path);
            } else if path.extension().is_some_and(|extension| extension == "class") {
                files.push(path);
            }
        }
    }
    files.sort();
    Ok(files)
}

pub(crate) fn jdk_command(tool: &str) -> Command {
    match std::env::var_os("JAVA_HOME") {
        Some(home) => Command::new(Path::new(&home).join("bin").join(tool)),
        None => Command::new(tool),
    }
}

/// The classes of `tests/java`, compiled for a version of Java.
pub(crate) fn compile_fixtures(name: &str, release: &str) -> Result<PathBuf, Box<dyn Error>> {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    if target.exists() {
        std::fs::remove_dir_all(&target)?;
    }
    std::fs::create_dir_all(&target)?;
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/java");
    let output = jdk_command("javac")
        .args(["-g", "-nowarn", "--release", release, "-d"])
        .arg(&target)
        .arg(sources.join("Fixture.java"))
        .output()?;
    succeeded("javac", &output)?;
    Ok(target)
}

pub(crate) fn succeeded(tool: &str, output: &Output) -> TestResult {
    if output.status.success() {
        return Ok(());
    }
    let stdout = String::from_utf8_lossy(&output.stdout);
    let stderr = String::from_utf8_lossy(&output.stderr);
    Err(format!("{tool} failed\n{stdout}\n{stderr}").into())
}
