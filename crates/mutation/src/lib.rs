//! Mutants of class files: small changes of one instruction each, as programmers' mistakes are.
//!
//! A mutant still verifies if the class did, and all instructions but one are the same.

mod arithmetic;
mod calls;
mod conditions;
mod constants;
mod edit;
mod mutant;
mod operator;
mod returns;

pub use mutant::{Mutant, MutantId, MutationError, mutants};
pub use operator::Operator;

/// One instruction and what a change of it has to know.
#[derive(Clone, Copy, Debug)]
struct Site<'s, 'a> {
    instruction: &'s whydunit_classfile::Instruction<'a>,
    pool: &'s whydunit_classfile::ConstantPool<'a>,
    /// Of the method.
    result: Option<whydunit_classfile::BaseType>,
}
