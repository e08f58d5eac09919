//! The names that a run knows, for those who type them.

use crate::session::Session;
use std::collections::BTreeSet;
use whydunit_trace::record::MethodStatus;

impl Session {
    /// Recorded methods, `Cart.add`.
    pub fn recorded_methods(&self) -> BTreeSet<String> {
        let is_recorded = |&method: &_| self.program().method_status(method) == Some(MethodStatus::Recorded);
        self.program().methods().filter(is_recorded).map(|method| self.method_name(method)).collect()
    }

    /// Source files of recorded classes, `Cart.java`.
    pub fn source_files(&self) -> BTreeSet<&str> {
        self.program().methods().filter_map(|method| self.source_file(method)).collect()
    }

    /// The lines of a source file that have recorded code.
    pub fn lines_with_code(&self, file: &str) -> BTreeSet<u32> {
        let methods = self.program().methods().filter(|&method| self.source_file(method) == Some(file));
        let codes = methods.filter_map(|method| self.code(method));
        codes.flat_map(|code| code.lines.iter().map(|&line| u32::from(line))).filter(|&line| line != 0).collect()
    }
}
