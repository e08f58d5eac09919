//! Lambdas and method references: where functions are made, and of which method.

use crate::session::Session;
use whydunit_replay::naming::simple_name;
use whydunit_replay::program::{MethodCode, Pc};
use whydunit_slices::MadeOf;

impl Session {
    /// What the function is made of that an instruction makes.
    pub(crate) fn function_made(&self, code: &MethodCode, pc: Pc) -> Option<&MadeOf> {
        self.flows().function_made(self.program(), code, pc)
    }
}

/// `lambda$main$0`; `Cart.total` for a method that has a name in the source.
pub(crate) fn short_name(made_of: &MadeOf) -> String {
    if made_of.name.starts_with("lambda$") {
        made_of.name.to_string()
    } else {
        format!("{}.{}", simple_name(&made_of.owner), made_of.name)
    }
}
