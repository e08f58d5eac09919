//! Code that checks other code.

use crate::session::Session;
use whydunit_classfile::Annotation;
use whydunit_replay::index::{LowestCall, LowestEnd, ThreadIndex};
use whydunit_replay::program::{DefinitionIndex, Member, MethodIndex};
use whydunit_replay::{Program, ReplayError, Value};
use whydunit_trace::ObjectId;
use whydunit_trace::record::Definition;

/// Packages of test frameworks, as class files name them.
const FRAMEWORKS: &[&[u8]] = &[b"org/junit/", b"junit/framework/", b"org/testng/", b"io/kotest/", b"org/scalatest/"];

/// What methods have that are tests.
const TESTS: [&str; 7] = [
    "Lorg/junit/Test;",
    "Lorg/junit/experimental/theories/Theory;",
    "Lorg/junit/jupiter/api/Test;",
    "Lorg/junit/jupiter/api/RepeatedTest;",
    "Lorg/junit/jupiter/api/TestTemplate;",
    "Lorg/junit/jupiter/params/ParameterizedTest;",
    "Lorg/testng/annotations/Test;",
];

/// What methods have that run once for many tests.
const FIXTURES: [&str; 10] = [
    "Lorg/junit/jupiter/api/BeforeAll;",
    "Lorg/junit/jupiter/api/AfterAll;",
    "Lorg/testng/annotations/BeforeSuite;",
    "Lorg/testng/annotations/BeforeTest;",
    "Lorg/testng/annotations/BeforeGroups;",
    "Lorg/testng/annotations/BeforeClass;",
    "Lorg/testng/annotations/AfterSuite;",
    "Lorg/testng/annotations/AfterTest;",
    "Lorg/testng/annotations/AfterGroups;",
    "Lorg/testng/annotations/AfterClass;",
];

/// Elements of tests' annotations that name the exceptions with which they pass.
const EXPECTED: [&str; 2] = ["expected", "expectedExceptions"];

const CONSTRUCTOR: &str = "<init>";

/// How a test ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TestEnd {
    Passed,
    Failed,
    /// It did not end, or with an exception that a rule may have waited for, or that says that it does not apply.
    Unknown,
}

/// What a method that unrecorded code has called is to tests.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    /// With the descriptors of the exceptions of which it has to end with one, if there are any.
    Test(Vec<String>),
    Constructor,
    /// It belongs to the test of the same object, if there is one.
    OfObject,
    /// It runs once, for all later tests.
    Shared,
}

/// Whether a method's class, or one around it, speaks of a test framework.
pub(crate) fn is_of_tests(program: &Program, method: MethodIndex) -> bool {
    let definition = program.method(method).and_then(|(definition, _)| program.definition(definition));
    definition.is_some_and(speaks_of_tests)
}

fn speaks_of_tests(definition: &Definition) -> bool {
    let mentions = |name: &&[u8]| definition.bytes.windows(name.len()).any(|window| window == *name);
    FRAMEWORKS.iter().any(mentions)
}

/// Whether a method of unrecorded code throws unless something holds.
pub(crate) fn is_check(class: &str, name: &str) -> bool {
    let class = class.replace('.', "/");
    name.starts_with("assert") || FRAMEWORKS.iter().any(|framework| class.as_bytes().starts_with(framework))
}

impl Part {
    pub(crate) fn of(program: &Program, method: MethodIndex) -> Part {
        let Some((definition, member)) = program.method(method) else { return Part::OfObject };
        let marks = Marks::of(program, definition);
        let is_own = |one: &&Marked| *one.name == *member.name && *one.descriptor == *member.descriptor;
        match marks.0.iter().find(is_own).map(|one| &one.mark) {
            Some(Mark::Test(expected)) => return Part::Test(expected.clone()),
            Some(Mark::Fixture) => return Part::Shared,
            None if *member.name == *CONSTRUCTOR => return Part::Constructor,
            None => {}
        }
        // Those of JUnit 3 have no mark but their name.
        let has_marks = marks.0.iter().any(|one| matches!(one.mark, Mark::Test(_)));
        match !has_marks && is_named_as_test(member) {
            true => Part::Test(Vec::new()),
            false => Part::OfObject,
        }
    }
}

/// Whether any method may be a test, as far as its name or its class says.
pub(crate) fn may_have_tests(program: &Program) -> bool {
    let is_named = |method| program.method(method).is_some_and(|(_, member)| is_named_as_test(member));
    program.methods().any(is_named) || program.definitions().any(|(_, definition)| speaks_of_tests(definition))
}

fn is_named_as_test(member: &Member) -> bool {
    member.name.starts_with("test") && *member.descriptor == *"()V"
}

#[derive(Debug)]
enum Mark {
    Test(Vec<String>),
    Fixture,
}

/// What the methods of a class are marked with.
#[derive(Debug, Default)]
struct Marks(Vec<Marked>);

#[derive(Debug)]
struct Marked {
    name: String,
    descriptor: String,
    mark: Mark,
}

impl Marks {
    fn of(program: &Program, definition: DefinitionIndex) -> Marks {
        let mut marks = Marks::default();
        let Some(Ok(class)) = program.class_file(definition) else { return marks };
        for method in &class.methods {
            let (Ok(name), Ok(descriptor)) = (method.name(&class.pool), method.descriptor(&class.pool)) else {
                continue;
            };
            let annotations = method.annotations(&class.pool).unwrap_or_default();
            if let Some(mark) = annotations.into_iter().find_map(Mark::of) {
                let (name, descriptor) = (name.into_owned(), descriptor.into_owned());
                marks.0.push(Marked { name, descriptor, mark });
            }
        }
        marks
    }
}

impl Mark {
    fn of(annotation: Annotation) -> Option<Mark> {
        let Annotation { descriptor, elements } = annotation;
        if FIXTURES.contains(&descriptor.as_str()) {
            return Some(Mark::Fixture);
        }
        let expected = elements.into_iter().filter(|element| EXPECTED.contains(&element.name.as_str()));
        TESTS.contains(&descriptor.as_str()).then(|| Mark::Test(expected.flat_map(|element| element.classes).collect()))
    }
}

impl Session {
    /// How a test ended that waits for some exceptions.
    pub(crate) fn test_end(
        &self,
        index: &ThreadIndex,
        call: &LowestCall,
        expected: &[String],
    ) -> Result<TestEnd, ReplayError> {
        let thrown = match call.end {
            LowestEnd::Returned if expected.is_empty() => return Ok(TestEnd::Passed),
            LowestEnd::Returned => return Ok(TestEnd::Failed),
            LowestEnd::Thrown(exception) => exception.or_else(|| exception_of(index, call)),
            LowestEnd::Open => None,
        };
        let Some(thrown) = thrown else { return Ok(TestEnd::Unknown) };
        Ok(if self.is_expected(thrown, expected)? {
            TestEnd::Passed
        } else if !expected.is_empty() || self.is_of_any(thrown, &["java/lang/AssertionError"])? {
            TestEnd::Failed
        } else {
            TestEnd::Unknown
        })
    }

    /// Whether an exception is one of those that a test waits for, by their descriptors.
    pub(crate) fn is_expected(&self, exception: ObjectId, expected: &[String]) -> Result<bool, ReplayError> {
        let names: Vec<&str> =
            expected.iter().filter_map(|descriptor| descriptor.strip_prefix('L')?.strip_suffix(';')).collect();
        self.is_of_any(exception, &names)
    }

    /// Whether an object is of one of some classes, as class files name them, or of one that extends it.
    pub(crate) fn is_of_any(&self, object: ObjectId, names: &[&str]) -> Result<bool, ReplayError> {
        let Some(class) = self.objects().class(object)? else { return Ok(false) };
        Ok(self.program().classes().supertypes(class).iter().any(|class| names.contains(&class.name.as_str())))
    }
}

/// The exception that ended a call, if it got its id later.
fn exception_of(index: &ThreadIndex, call: &LowestCall) -> Option<ObjectId> {
    let departure = index.departures().iter().find(|departure| departure.entered == *call.steps.start())?;
    match departure.exception() {
        Value::Ref(exception) => Some(exception),
        _ => None,
    }
}
