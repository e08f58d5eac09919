//! Edited classes run as the originals do, under the full verifier.

mod support;

use std::path::Path;

use support::{TestResult, class_files, compile_fixtures, edit_everywhere, jdk_command, succeeded};
use whydunit_classfile::{
    AddedLocal, Annotation, ClassEditor, ClassFile, CodeEditor, EditError, Element, PoolBuilder, VerificationType, op,
};

#[test]
fn unchanged_class_is_the_same_bytes() -> TestResult {
    for path in class_files(&compile_fixtures("unchanged", "17")?)? {
        let original = std::fs::read(&path)?;
        let class = ClassFile::parse(&original)?;
        let editor = ClassEditor::new(&class, &original, PoolBuilder::new(&class.pool));
        assert_eq!(editor.finish(), original, "{}", path.display());
    }
    Ok(())
}

#[test]
fn annotations_with_values_of_every_kind() -> TestResult {
    let bytes = std::fs::read(compile_fixtures("annotations", "17")?.join("Fixture.class"))?;
    let class = ClassFile::parse(&bytes)?;
    let mut annotated = Vec::new();
    for method in &class.methods {
        for Annotation { descriptor, elements } in method.annotations(&class.pool)? {
            let told = |element: &Element| {
                [std::slice::from_ref(&element.name), element.classes.as_slice()].concat().join("=")
            };
            let elements: Vec<String> = elements.iter().map(told).collect();
            annotated.push(format!("{} {descriptor} {}", method.name(&class.pool)?, elements.join(" ")));
        }
    }
    let mark = "marked LFixture$Mark; name counts type=Ljava/lang/String; types=Ljava/util/List;=Ljava/util/Map; colours inner";
    assert_eq!(annotated, [mark, "marked Ljava/lang/Deprecated; "]);
    Ok(())
}

#[test]
fn edit_without_insertions_keeps_the_code() -> TestResult {
    for path in class_files(&compile_fixtures("no-insertions", "17")?)? {
        let original = std::fs::read(&path)?;
        let class = ClassFile::parse(&original)?;
        let mut pool = PoolBuilder::new(&class.pool);
        let mut codes = Vec::new();
        for (index, method) in class.methods.iter().enumerate() {
            if method.code(&class.pool)?.is_some() {
                let code = CodeEditor::new(&class, index)?.finish(&mut pool)?;
                codes.push((index, code));
            }
        }
        let mut editor = ClassEditor::new(&class, &original, pool);
        for (index, code) in codes {
            editor.replace_code(index, code);
        }
        let edited = editor.finish();
        let edited = ClassFile::parse(&edited)?;
        for (before, after) in class.methods.iter().zip(&edited.methods) {
            let (before, after) = (before.code(&class.pool)?, after.code(&edited.pool)?);
            let (Some(before), Some(after)) = (before, after) else {
                continue;
            };
            assert_eq!(before.bytes, after.bytes);
            assert_eq!(before.exceptions, after.exceptions);
            assert_eq!(before.line_numbers(&class.pool), after.line_numbers(&edited.pool));
            assert_eq!(before.local_variables(&class.pool), after.local_variables(&edited.pool));
            assert_eq!(before.stack_map(&class.pool), after.stack_map(&edited.pool));
        }
    }
    Ok(())
}

fn check_edited_program(name: &str, release: &str) -> TestResult {
    let classes = compile_fixtures(name, release)?;
    let expected = run(&classes)?;
    for path in class_files(&classes)? {
        let (edited, refused) = edit_everywhere(&std::fs::read(&path)?)?;
        assert_eq!(refused, []);
        std::fs::write(&path, edited)?;
    }
    assert_eq!(run(&classes)?, expected);
    Ok(())
}

fn run(classes: &Path) -> Result<String, Box<dyn std::error::Error>> {
    let output = jdk_command("java").args(["-Xverify:all", "-cp"]).arg(classes).arg("Fixture").output()?;
    succeeded("java", &output)?;
    Ok(String::from_utf8(output.stdout)?)
}

#[test]
fn edited_program_runs_the_same() -> TestResult {
    check_edited_program("edited-17", "17")
}

#[test]
fn edited_program_of_the_oldest_supported_release_runs_the_same() -> TestResult {
    check_edited_program("edited-8", "8")
}

#[test]
fn one_frame_where_prologue_meets_a_loop_at_the_start() -> TestResult {
    let classes = compile_fixtures("loop-at-the-start", "17")?;
    let original = std::fs::read(classes.join("Fixture.class"))?;
    let class = ClassFile::parse(&original)?;
    let mut methods = class.methods.iter();
    let index = methods.position(|method| method.name(&class.pool).as_deref() == Ok("loopAtTheStart"));
    let index = index.ok_or("no such method")?;
    let mut pool = PoolBuilder::new(&class.pool);
    let mut editor = CodeEditor::new(&class, index)?;
    let slot = editor.add_local(AddedLocal::Object("java/lang/Object".to_owned()));
    editor.prologue(&[op::ACONST_NULL, op::ASTORE, slot as u8], Some(3));
    let code = editor.finish(&mut pool)?;
    let mut editor = ClassEditor::new(&class, &original, pool);
    editor.replace_code(index, code);
    let edited = editor.finish();

    let edited = ClassFile::parse(&edited)?;
    let code = edited.methods.get(index).ok_or("no such method")?;
    let code = code.code(&edited.pool)?.ok_or("no code")?;
    let frames = code.stack_map(&edited.pool)?.ok_or("no frames")?;
    let [frame] = frames.as_slice() else {
        return Err(format!("{frames:?}").into());
    };
    assert_eq!(frame.pc, 3);
    assert_eq!(frame.stack, []);
    let [VerificationType::Integer, VerificationType::Object(object)] = *frame.locals else {
        return Err(format!("{frame:?}").into());
    };
    assert_eq!(edited.pool.class_name(object)?, "java/lang/Object");
    Ok(())
}

#[test]
fn refusals_have_names() -> TestResult {
    let classes = compile_fixtures("refusals", "17")?;
    let original = std::fs::read(classes.join("Fixture.class"))?;
    let class = ClassFile::parse(&original)?;
    let finish = |edit: &dyn Fn(&mut CodeEditor<'_, '_>)| {
        let index = class.methods.iter().position(|method| method.name(&class.pool).as_deref() == Ok("loops"));
        let mut editor = CodeEditor::new(&class, index.unwrap_or_default())?;
        edit(&mut editor);
        editor.finish(&mut PoolBuilder::new(&class.pool))
    };
    assert!(finish(&|_| ()).is_ok());
    let far = finish(&|editor| {
        let middle = editor.instructions()[20].pc;
        editor.before(middle, &vec![op::NOP; 40_000]);
    });
    assert!(matches!(far, Err(EditError::BranchTooFar { .. })), "{far:?}");
    let large = finish(&|editor| editor.prologue(&vec![op::NOP; 65_500], None));
    assert!(matches!(large, Err(EditError::CodeTooLarge { .. })), "{large:?}");
    let misplaced = finish(&|editor| editor.before(60_000, &[op::NOP]));
    assert_eq!(misplaced, Err(EditError::NotAnInstruction { pc: 60_000 }));
    let locals = finish(&|editor| {
        editor.scratch_locals(u16::MAX);
    });
    assert_eq!(locals, Err(EditError::TooManyLocals));
    let missing = CodeEditor::new(&class, 10_000).map(|_| ());
    assert_eq!(missing, Err(EditError::NoCode { index: 10_000 }));
    Ok(())
}
