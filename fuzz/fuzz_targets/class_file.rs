//! The class-file reader, the editor and the rewriting on arbitrary bytes: errors are fine, panics are not, and a
//! class that is written unchanged is the same bytes.

#![no_main]

use libfuzzer_sys::fuzz_target;
use whydunit_classfile::{ClassEditor, ClassFile, CodeEditor, PoolBuilder, op};
use whydunit_instrument::{Options, Tokens, rewrite};
use whydunit_trace::MethodId;

fuzz_target!(|bytes: &[u8]| {
    let Ok(class) = ClassFile::parse(bytes) else { return };
    let unchanged = ClassEditor::new(&class, bytes, PoolBuilder::new(&class.pool)).finish();
    assert_eq!(unchanged, bytes);
    let _ = (class.name(), class.super_name(), class.interface_names(), class.source_file());
    for (index, _) in class.pool.iter() {
        let _ = (class.pool.utf8(index), class.pool.class_name(index));
        let _ = (class.pool.member_ref(index), class.pool.dynamic(index));
    }
    for (check, places) in [(false, false), (true, false), (false, true)] {
        let options = Options { check, is_replacement: places, places };
        let _ = rewrite(bytes, MethodId(1), &Tokens::default(), options);
    }
    for (index, method) in class.methods.iter().enumerate() {
        let _ = (method.name(&class.pool), method.descriptor(&class.pool), method.annotations(&class.pool));
        if let Ok(Some(code)) = method.code(&class.pool) {
            let _ = (code.line_numbers(&class.pool), code.local_variables(&class.pool));
            let _ = code.stack_map(&class.pool);
            for instruction in code.instructions().unwrap_or_default() {
                let _ = (instruction.local(), instruction.constant(), instruction.immediate());
                let _ = (instruction.branch(), instruction.switch());
            }
            edit(&class, index, bytes);
        }
    }
});

/// Puts a `nop` around every instruction. What comes out must be readable again.
fn edit(class: &ClassFile<'_>, index: usize, bytes: &[u8]) {
    let Ok(mut editor) = CodeEditor::new(class, index) else { return };
    for instruction in editor.instructions().to_vec() {
        editor.before(instruction.pc, &[op::NOP]);
        editor.after(instruction.pc, &[op::NOP]);
    }
    let mut pool = PoolBuilder::new(&class.pool);
    let Ok(code) = editor.finish(&mut pool) else { return };
    let mut editor = ClassEditor::new(class, bytes, pool);
    editor.replace_code(index, code);
    let edited = editor.finish();
    let Ok(class) = ClassFile::parse(&edited) else { panic!("the edited class cannot be read") };
    let code = class.methods[index].code(&class.pool).expect("readable").expect("code");
    code.instructions().expect("readable instructions");
}
