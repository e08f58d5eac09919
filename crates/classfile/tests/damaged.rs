//! Damaged class files give errors, never panics.

mod support;

use std::sync::OnceLock;

use proptest::prelude::*;
use support::{class_files, compile_fixtures, edit_everywhere};
use whydunit_classfile::{ClassEditor, ClassFile, PoolBuilder};

fn samples() -> &'static [Vec<u8>] {
    static SAMPLES: OnceLock<Vec<Vec<u8>>> = OnceLock::new();
    SAMPLES.get_or_init(|| {
        let files = compile_fixtures("damaged", "17").and_then(|directory| {
            let paths = class_files(&directory)?;
            Ok(paths.iter().map(std::fs::read).collect::<Result<_, _>>()?)
        });
        files.unwrap_or_else(|error| panic!("no samples: {error}"))
    })
}

fn read_everything(bytes: &[u8]) {
    let Ok(class) = ClassFile::parse(bytes) else {
        return;
    };
    let editor = ClassEditor::new(&class, bytes, PoolBuilder::new(&class.pool));
    assert_eq!(editor.finish(), bytes);
    let _ = (class.name(), class.super_name(), class.interface_names());
    let _ = class.source_file();
    for (index, _) in class.pool.iter() {
        let _ = (class.pool.utf8(index), class.pool.class_name(index));
        let _ = (class.pool.member_ref(index), class.pool.dynamic(index));
    }
    for method in &class.methods {
        let _ = (method.name(&class.pool), method.descriptor(&class.pool), method.annotations(&class.pool));
        let Ok(Some(code)) = method.code(&class.pool) else {
            continue;
        };
        let _ = code.line_numbers(&class.pool);
        let _ = code.local_variables(&class.pool);
        let _ = code.stack_map(&class.pool);
        for instruction in code.instructions().unwrap_or_default() {
            let _ = (instruction.local(), instruction.constant(), instruction.immediate());
            let _ = (instruction.branch(), instruction.switch());
        }
    }
    let _ = edit_everywhere(bytes);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn random_bytes(mut bytes in prop::collection::vec(any::<u8>(), 0..400), with_header: bool) {
        if with_header && bytes.len() > 8 {
            bytes[..8].copy_from_slice(&[0xca, 0xfe, 0xba, 0xbe, 0, 0, 0, 61]);
        }
        read_everything(&bytes);
    }

    #[test]
    fn changed_bytes(
        sample: prop::sample::Index,
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6),
    ) {
        let mut bytes = sample.get(samples()).clone();
        for (place, value) in changes {
            let place = place.index(bytes.len());
            bytes[place] = value;
        }
        read_everything(&bytes);
    }

    #[test]
    fn cut_off(sample: prop::sample::Index, length: prop::sample::Index) {
        let bytes = sample.get(samples());
        let cut = &bytes[..length.index(bytes.len())];
        prop_assert!(ClassFile::parse(cut).is_err());
    }
}
