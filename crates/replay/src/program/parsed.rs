//! The class file of a definition, parsed once: most of its methods are needed one after another.

use self_cell::self_cell;
use std::sync::Arc;
use whydunit_classfile::{ClassFile, ClassFileError};
use whydunit_trace::reader::Recording;

self_cell!(
    pub(super) struct Parsed {
        owner: Arc<Recording>,

        #[covariant]
        dependent: ClassFile,
    }

    impl {Debug}
);

impl Parsed {
    pub(super) fn definition(recording: &Arc<Recording>, position: usize) -> Result<Parsed, ClassFileError> {
        Parsed::try_new(Arc::clone(recording), |recording| {
            let bytes = recording.definitions.get(position).map(|record| record.bytes.as_slice());
            ClassFile::parse(bytes.unwrap_or_default())
        })
    }
}
