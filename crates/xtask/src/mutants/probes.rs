//! Classes that tell when certain of their instructions run.

use super::subject::Subject;
use anyhow::{Context, Result};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use whydunit_classfile::{ClassEditor, ClassFile, CodeEditor, EditError, PoolBuilder, op};
use whydunit_mutation::Mutant;

/// By method and address: the numbers that are told.
type Probes = BTreeMap<String, Vec<(u32, i32)>>;

/// Writes the classes of all mutants, with a probe before each mutant's instruction that tells its place in the list.
pub(crate) fn write_probed(subject: &Subject, mutants: &[Mutant], folder: &Path) -> Result<()> {
    let mut classes: BTreeMap<&str, Probes> = BTreeMap::new();
    for (number, mutant) in (0..).zip(mutants) {
        let probes = classes.entry(&mutant.class).or_default();
        probes.entry(mutant.method.clone()).or_default().push((mutant.address, number));
    }
    for (name, probes) in classes {
        let original = subject.classes.get(name).with_context(|| format!("there is no class {name}"))?;
        let file = folder.join(name).with_extension("class");
        fs::create_dir_all(file.parent().unwrap_or(folder)).context("cannot create a folder for classes")?;
        // A method that would be too large with them: the class has none, and its mutants are not looked at.
        let Ok(probed) = with_probes(original, &probes) else { continue };
        fs::write(&file, probed).with_context(|| format!("cannot write {}", file.display()))?;
    }
    Ok(())
}

fn with_probes(original: &[u8], probes: &Probes) -> Result<Vec<u8>, EditError> {
    let class = ClassFile::parse(original)?;
    let mut pool = PoolBuilder::new(&class.pool);
    let hit = pool.method_ref("Probe", "hit", "(I)V")?.to_be_bytes();
    let mut codes = Vec::new();
    for (index, method) in class.methods.iter().enumerate() {
        let name = format!("{}{}", method.name(&class.pool)?, method.descriptor(&class.pool)?);
        let Some(probes) = probes.get(&name) else { continue };
        let mut editor = CodeEditor::new(&class, index)?;
        editor.grow_stack(1);
        for &(address, number) in probes {
            let number = pool.integer(number)?.to_be_bytes();
            editor.before(address, &[op::LDC_W, number[0], number[1], op::INVOKESTATIC, hit[0], hit[1]]);
        }
        codes.push((index, editor.finish(&mut pool)?));
    }
    let mut editor = ClassEditor::new(&class, original, pool);
    codes.into_iter().for_each(|(index, code)| editor.replace_code(index, code));
    Ok(editor.finish())
}
