//! Which calls of a framework are which tests, and how these ended.

use crate::sandbox::Sandbox;
use expect_test::expect;
use serde_json::Value;

/// As those of JUnit 4.
const ANNOTATIONS: [(&str, &str); 4] = [
    ("Test", "Class<? extends Throwable> expected() default None.class; class None extends Throwable {}"),
    ("Before", ""),
    ("After", ""),
    ("BeforeClass", ""),
];

/// Runs tests of a class, each on an object of its own. It is not recorded.
const RUNNER: &str = r#"package org.junit;

import java.lang.annotation.Annotation;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;

public final class Runner {
    public static void main(String[] names) throws Exception {
        Class<?> type = Class.forName(names[0]);
        call(type, null, BeforeClass.class);
        for (int i = 1; i < names.length; i++) {
            Object test = type.getConstructor().newInstance();
            try {
                call(type, test, Before.class);
                type.getMethod(names[i]).invoke(test);
                call(type, test, After.class);
            } catch (InvocationTargetException thrown) {
                Class<?> expected = type.getMethod(names[i]).getAnnotation(Test.class).expected();
                System.out.println(names[i] + (expected.isInstance(thrown.getCause()) ? " passed" : " failed"));
            }
        }
    }

    private static void call(Class<?> type, Object test, Class<? extends Annotation> mark) throws Exception {
        for (Method method : type.getMethods()) {
            if (method.isAnnotationPresent(mark)) {
                method.invoke(test);
            }
        }
    }
}
"#;

/// The rate should be 5.
const TAXES: &str = r#"import org.junit.After;
import org.junit.Before;
import org.junit.BeforeClass;
import org.junit.Test;

public class Taxes {
    private static int rate;
    private int noted;

    @BeforeClass
    public static void load() {
        rate = 7;
    }

    @Before
    public void testBed() {
        noted = 0;
    }

    @Test
    public void free() {
        check(0, taxOf(0));
    }

    @Test
    public void often() {
        for (int i = 0; i < 60000; i++) {
            check(0, taxOf(0));
        }
    }

    @Test
    public void taxed() {
        check(5, taxOf(100));
    }

    @Test
    public void taxedMore() {
        check(10, taxOf(200));
    }

    @Test
    public void late() {
        noted = taxOf(300);
    }

    @Test(expected = IllegalStateException.class)
    public void refused() {
        refuse();
    }

    @Test(expected = IllegalArgumentException.class)
    public void wronglyRefused() {
        refuse();
    }

    @After
    public void verify() {
        check(noted == 0 ? 0 : 15, noted);
    }

    private static int taxOf(int amount) {
        return amount * rate / 100;
    }

    private static void refuse() {
        throw new IllegalStateException("no");
    }

    private static void check(int expected, int found) {
        if (expected != found) {
            throw new AssertionError(expected + " was expected, not " + found);
        }
    }
}
"#;

fn taxes() -> Sandbox {
    let sandbox = Sandbox::new();
    for (name, body) in ANNOTATIONS {
        let retained = "@java.lang.annotation.Retention(java.lang.annotation.RetentionPolicy.RUNTIME)";
        sandbox.compile(name, &format!("package org.junit;\n{retained}\npublic @interface {name} {{ {body} }}\n"));
    }
    sandbox.compile("Runner", RUNNER);
    sandbox.compile("Taxes", TAXES);
    sandbox
}

fn record(sandbox: &Sandbox, run: &str, tests: &[&str]) {
    let java = ["record", "--name", run, "--exclude", "org.junit", "--", "java", "-cp", "classes"];
    let recorded = sandbox.run(&[&java[..], &["org.junit.Runner", "Taxes"], tests].concat());
    assert!(recorded.status.success(), "{}", sandbox.describe(&recorded));
}

fn note(sandbox: &Sandbox, arguments: &[&str]) -> String {
    let told = sandbox.talk(arguments, "");
    told.lines().filter(|line| line.contains("other tests")).map(|line| format!("{line}\n")).collect()
}

#[test]
fn a_test_has_what_prepares_it_and_what_comes_after_it() {
    let sandbox = taxes();
    record(&sandbox, "late", &["free", "refused", "late"]);
    record(&sandbox, "several", &["free", "refused", "taxed", "wronglyRefused", "late"]);
    record(&sandbox, "alone", &["taxed"]);
    let told = [
        note(&sandbox, &["find", "late"]),
        note(&sandbox, &["find", "several"]),
        note(&sandbox, &["find", "alone"]),
        note(&sandbox, &["find", "alone", "--tests", "several"]),
    ];
    expect![[r#"
        whydunit: of other tests 2 passed and 0 failed: what they ran tells which lines are likely
        --
        whydunit: of other tests 2 passed and 2 failed: what they ran tells which lines are likely
        --
        --
        whydunit: of other tests 2 passed and 2 failed: what they ran tells which lines are likely
    "#]]
    .assert_eq(&told.join("--\n"));
}

#[test]
fn a_test_that_waits_for_its_exception_has_not_failed() {
    let sandbox = taxes();
    record(&sandbox, "refused", &["free", "refused"]);
    record(&sandbox, "several", &["taxed", "refused", "wronglyRefused"]);
    let failures = |run: &str| {
        let told = sandbox.transcript(&["find", run, "--json"]);
        told.lines().filter(|line| line.contains("Taxes.")).map(|line| format!("{line}\n")).collect::<String>()
    };
    expect![""].assert_eq(&failures("refused"));
    let told = sandbox.transcript(&["why", "--run", "several"]);
    let told: Vec<&str> = told.lines().filter(|line| line.contains("<")).map(str::trim).collect();
    expect![[r#"
        <IllegalStateException:2> "no" was thrown in step 19  Taxes.refuse:67  throw new IllegalStateException("no");
        whydunit:   1  Taxes.taxed  <AssertionError:1> "5 was expected, not 7"  step 9
        whydunit: → 2  Taxes.wronglyRefused  <IllegalStateException:2> "no"  step 19"#]]
    .assert_eq(&told.join("\n"));
}

/// All that was set up for several tests may be wrong for several.
#[test]
fn what_is_shared_is_not_held_against_itself() {
    let sandbox = taxes();
    record(&sandbox, "taxed", &["free", "taxedMore", "late", "refused", "taxed"]);
    expect![[r#"
        Taxes.check:72
        Taxes.taxOf:63
        Taxes.load:12"#]]
    .assert_eq(&asked_until_load(&sandbox, "taxed").join("\n"));
}

/// What one of them alone has run is not even replayed.
#[test]
fn long_tests_beside_the_one_that_fails() {
    let sandbox = taxes();
    record(&sandbox, "long", &["free", "often", "taxed"]);
    expect![[r#"
        Taxes.check:72
        Taxes.taxed:34
        Taxes.taxOf:63
        Taxes.<init>:6
        Taxes.testBed:17
        Taxes.testBed:18
        Taxes.load:12"#]]
    .assert_eq(&asked_until_load(&sandbox, "long").join("\n"));
}

/// By someone who knows the right rate.
fn asked_until_load(sandbox: &Sandbox, run: &str) -> Vec<String> {
    let mut answers = String::new();
    let mut asked = Vec::new();
    while asked.last().is_none_or(|last| last != "Taxes.load:12") && asked.len() < 8 {
        let told = sandbox.talk(&["find", run, "--json"], &answers);
        let lines = told.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
        let questions: Vec<Value> = lines.filter(|one| one["kind"] == "question").collect();
        let last = questions.last().expect("a question");
        asked.push(last["place"]["name"].as_str().unwrap_or_default().to_owned());
        let reads = last["reads"].as_array().into_iter().flatten();
        let is_wrong = |read: &&Value| {
            let name = read["name"].as_str().unwrap_or_default();
            name.ends_with("rate") || name == "taxOf()" || name == "found"
        };
        let wrong: Vec<String> = reads.filter(is_wrong).map(|read| read["number"].to_string()).collect();
        answers += &if wrong.is_empty() { "correct\n".to_owned() } else { format!("wrong {}\n", wrong.join(" ")) };
    }
    asked
}
