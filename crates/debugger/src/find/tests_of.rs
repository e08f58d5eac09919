//! Code that checks other code.

use whydunit_replay::Program;
use whydunit_replay::program::MethodIndex;

/// Packages of test frameworks, as class files name them.
const FRAMEWORKS: &[&[u8]] = &[b"org/junit/", b"junit/framework/", b"org/testng/", b"io/kotest/", b"org/scalatest/"];

/// Whether a method's class, or one around it, speaks of a test framework.
pub(super) fn is_of_tests(program: &Program, method: MethodIndex) -> bool {
    let definition = program.method(method).and_then(|(definition, _)| program.definition(definition));
    definition.is_some_and(|definition| {
        let mentions = |name: &&[u8]| definition.bytes.windows(name.len()).any(|window| window == *name);
        FRAMEWORKS.iter().any(mentions)
    })
}

/// Whether a method of unrecorded code throws unless something holds.
pub(super) fn is_check(class: &str, name: &str) -> bool {
    let class = class.replace('.', "/");
    name.starts_with("assert") || FRAMEWORKS.iter().any(|framework| class.as_bytes().starts_with(framework))
}
