//! Methods of compiled classes, decoded without a run.

use std::fs::{self, File};
use std::path::Path;
use std::sync::Arc;
use whydunit_classfile::ClassFile;
use whydunit_replay::Program;
use whydunit_replay::program::MethodCode;
use whydunit_trace::block::{BlockKind, BlockWriter, Flags};
use whydunit_trace::reader::Recording;
use whydunit_trace::record::{Definition, MethodStatus};
use whydunit_trace::{DefinitionId, LoaderId, MethodId};

/// A program of all classes in a folder.
pub(super) fn decode(folder: &Path) -> Program {
    let scratch = tempfile::tempdir().expect("a folder");
    let path = scratch.path().join("trace.wdt");
    let mut writer = BlockWriter::create(File::create(&path).expect("a file"), Flags::default()).expect("a header");
    let mut next_method = 1;
    for (number, bytes) in class_files(folder).into_iter().enumerate() {
        let definition = definition(number as u32 + 1, next_method, bytes);
        next_method += definition.methods.len() as u32;
        writer.record(BlockKind::Definition, 0, &definition).expect("written");
    }
    writer.finish().expect("closed");
    Program::new(&Arc::new(Recording::open(&path).expect("a recording")))
}

/// All methods that have code and can be recorded.
pub(super) fn methods(program: &Program) -> impl Iterator<Item = (String, &MethodCode)> {
    program.methods().filter_map(|index| Some((program.method_name(index), program.code(index).ok()?)))
}

fn definition(id: u32, first_method: u32, bytes: Vec<u8>) -> Definition {
    let class = ClassFile::parse(&bytes).expect("a class file");
    let status = |has_code| if has_code { MethodStatus::Recorded } else { MethodStatus::NoCode };
    let methods = class.methods.iter().map(|method| status(matches!(method.code(&class.pool), Ok(Some(_)))));
    Definition {
        id: DefinitionId(id),
        name: class.name().expect("a name").into_owned(),
        loader: LoaderId(0),
        first_method: MethodId(first_method),
        methods: methods.collect(),
        replaces: None,
        bytes,
    }
}

fn class_files(folder: &Path) -> Vec<Vec<u8>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("a file").path();
        if path.is_dir() {
            found.extend(class_files(&path));
        } else if path.extension().is_some_and(|extension| extension == "class") {
            found.push(fs::read(&path).expect("a class file"));
        }
    }
    found
}
