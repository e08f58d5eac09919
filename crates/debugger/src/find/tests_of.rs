//! Code that checks other code.

use crate::session::Session;
use whydunit_classfile::Annotation;
use whydunit_replay::Program;
use whydunit_replay::index::{LowestCall, LowestEnd, ThreadIndex};
use whydunit_replay::program::MethodIndex;
use whydunit_replay::{ReplayError, Value};

/// Packages of test frameworks, as class files name them.
const FRAMEWORKS: &[&[u8]] = &[b"org/junit/", b"junit/framework/", b"org/testng/", b"io/kotest/", b"org/scalatest/"];

/// What methods have that are tests.
const MARKS: [&str; 5] = [
    "Lorg/junit/Test;",
    "Lorg/junit/jupiter/api/Test;",
    "Lorg/junit/jupiter/api/RepeatedTest;",
    "Lorg/junit/jupiter/params/ParameterizedTest;",
    "Lorg/testng/annotations/Test;",
];

/// Elements of these that name the exception with which a test passes.
const EXPECTED: [&str; 2] = ["expected", "expectedExceptions"];

/// How a test ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TestEnd {
    Passed,
    Failed,
    /// It did not end, or with an exception that a rule may have waited for, or that says that it does not apply.
    Unknown,
}

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

/// Whether a method that unrecorded code has called is a test. Those of JUnit 3 have no mark but their name.
pub(super) fn is_test(program: &Program, method: MethodIndex) -> bool {
    let is_named = || {
        program
            .method(method)
            .is_some_and(|(_, member)| member.name.starts_with("test") && *member.descriptor == *"()V")
    };
    mark_of(program, method).is_some() || is_named()
}

pub(super) fn test_end(session: &Session, index: &ThreadIndex, call: &LowestCall) -> TestEnd {
    let is_expected = |mark: Annotation| mark.elements.iter().any(|element| EXPECTED.contains(&element.as_str()));
    let expects = mark_of(session.program(), call.method).is_some_and(is_expected);
    match call.end {
        LowestEnd::Returned if expects => TestEnd::Failed,
        LowestEnd::Returned => TestEnd::Passed,
        LowestEnd::Thrown if expects => TestEnd::Passed,
        LowestEnd::Thrown if has_found_error(session, index, call).unwrap_or(false) => TestEnd::Failed,
        LowestEnd::Thrown | LowestEnd::Open => TestEnd::Unknown,
    }
}

fn mark_of(program: &Program, method: MethodIndex) -> Option<Annotation> {
    let (definition, member) = program.method(method)?;
    let class = program.class_file(definition)?.ok()?;
    let is_it =
        |one: &&whydunit_classfile::Member<'_>| one.is_declared_as(&class.pool, &member.name, &member.descriptor);
    let annotations = class.methods.iter().find(is_it)?.annotations(&class.pool).ok()?;
    annotations.into_iter().find(|annotation| MARKS.contains(&annotation.descriptor.as_str()))
}

/// Whether a test has ended with what a check throws that does not hold.
fn has_found_error(session: &Session, index: &ThreadIndex, call: &LowestCall) -> Result<bool, ReplayError> {
    let departure = index.departures().iter().find(|departure| departure.entered == *call.steps.start());
    let Some(Value::Ref(exception)) = departure.map(|departure| departure.exception()) else { return Ok(false) };
    let classes = session.program().classes();
    let class = session.objects().class(exception)?;
    let own = class.and_then(|class| classes.get(class)).into_iter();
    let above = class.map(|class| classes.supertypes(class)).unwrap_or_default();
    Ok(own.chain(above).any(|class| class.name == "java/lang/AssertionError"))
}
