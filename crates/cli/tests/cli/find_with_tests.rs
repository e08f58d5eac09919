//! The first wrong step, with what other tests say of lines.

use crate::sandbox::Sandbox;
use expect_test::expect;
use serde_json::Value;

/// Runs those of its tests that are named. The constructor does not keep whether somebody is a member.
const SUITE: &str = r#"import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

public class Suite {
    static final class Order {
        private final int cents;
        private int percent;
        private boolean isMember;

        Order(int cents, int percent, boolean isMember) {
            this.cents = cents;
            this.percent = percent;
        }

        int discount() {
            if (isMember) {
                return cents * (percent + 5) / 100;
            }
            return cents * percent / 100;
        }

        int total() {
            return cents - discount();
        }
    }

    public static void testGuest() {
        check(900, new Order(1000, 10, false).total());
    }

    public static void testFree() {
        check(0, new Order(0, 10, true).total());
    }

    public static void testMember() {
        check(850, new Order(1000, 10, true).total());
    }

    static void check(int expected, int found) {
        if (expected != found) {
            throw new AssertionError(expected + " was expected, not " + found);
        }
    }

    public static void main(String[] names) throws InterruptedException {
        Map<String, Runnable> tests =
            Map.of("guest", Suite::testGuest, "free", Suite::testFree, "member", Suite::testMember);
        ExecutorService runner = Executors.newSingleThreadExecutor();
        for (String name : names) {
            try {
                runner.submit(tests.get(name)).get();
            } catch (ExecutionException failed) {
                System.out.println("a test failed");
            }
        }
        runner.shutdown();
    }
}
"#;

fn record(sandbox: &Sandbox, run: &str, tests: &[&str]) {
    let java = ["record", "--name", run, "--", "java", "-cp", "classes", "Suite"];
    let recorded = sandbox.run(&[&java[..], tests].concat());
    assert!(recorded.status.success(), "{}", sandbox.describe(&recorded));
}

fn suite() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.compile("Suite", SUITE);
    sandbox
}

fn questions(told: &str) -> Vec<Value> {
    let lines = told.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    lines.filter(|one| one["kind"] == "question").collect()
}

/// Of someone who knows that a member has 15 percent off.
fn answer(question: &Value) -> String {
    let is_wrong = |read: &&Value| {
        let is_result = matches!(read["name"].as_str(), Some("total()" | "discount()"));
        is_result || read["name"].as_str().is_some_and(|name| name.ends_with(".isMember"))
    };
    let reads = question["reads"].as_array().into_iter().flatten();
    let wrong: Vec<String> = reads.filter(is_wrong).map(|read| read["number"].to_string()).collect();
    match question["source"].as_str() {
        Some("return cents * percent / 100;") => "path\n".to_owned(),
        _ if wrong.is_empty() => "correct\n".to_owned(),
        _ => format!("wrong {}\n", wrong.join(" ")),
    }
}

/// The names of the places that are asked about until one is in a constructor.
fn asked_until_constructor(sandbox: &Sandbox, arguments: &[&str]) -> Vec<String> {
    let mut answers = String::new();
    for _ in 0..8 {
        let told = sandbox.talk(arguments, &answers);
        let asked = questions(&told);
        let last = asked.last().unwrap_or_else(|| panic!("no question: {told}"));
        if last["place"]["name"].as_str().is_some_and(|name| name.starts_with("Order.<init>")) {
            return asked.iter().map(|one| one["place"]["name"].as_str().unwrap_or_default().to_owned()).collect();
        }
        answers += &answer(last);
    }
    panic!("it never asked about the constructor: {answers}");
}

#[test]
fn a_field_that_nobody_wrote_leads_to_the_constructor() {
    let sandbox = suite();
    record(&sandbox, "all", &["guest", "free", "member"]);
    let asked = asked_until_constructor(&sandbox, &["find", "--json"]);
    expect![[r#"
        Suite.testMember:38
        Order.discount:21
        Order.discount:18
        Order.<init>:13
    "#]]
    .assert_eq(&format!("{}\n", asked.join("\n")));
    let told = sandbox.talk(&["find", "--at", "Suite.java:25", "--json"], "");
    let reads = &questions(&told)[0]["reads"];
    let inside = reads.as_array().into_iter().flatten().filter(|read| read["is_inside"] == true);
    let inside: Vec<String> = inside.map(|read| format!("{} = {}", read["name"], read["value"])).collect();
    expect![[r#"
        "<Order:3>.isMember" = "false"
        "<Order:3>.percent" = "10"
    "#]]
    .assert_eq(&format!("{}\n", inside.join("\n")));
}

#[test]
fn tests_of_the_same_run_and_of_others() {
    let sandbox = suite();
    record(&sandbox, "all", &["guest", "free", "member"]);
    record(&sandbox, "passing", &["guest", "free"]);
    record(&sandbox, "failing", &["member"]);
    let notes = |arguments: &[&str]| {
        let told = sandbox.talk(arguments, "");
        let notes = told.lines().filter(|line| line.contains("tests") || line.starts_with("error"));
        notes.fold(String::new(), |notes, line| notes + line + "\n")
    };
    let told = [
        notes(&["find", "all"]),
        notes(&["find", "failing"]),
        notes(&["find", "failing", "--tests", "passing"]),
        notes(&["find", "failing", "--tests", "passing", "--tests", "all"]),
        notes(&["find", "failing", "--tests", "nowhere"]),
    ];
    expect![[r#"
        whydunit: of other tests 2 passed and 0 failed: what they ran tells which lines are likely
        --
        --
        whydunit: of other tests 2 passed and 0 failed: what they ran tells which lines are likely
        --
        whydunit: of other tests 4 passed and 0 failed: what they ran tells which lines are likely
        --
        error: no run is called `nowhere`
    "#]]
    .assert_eq(&told.join("--\n"));
    let first = |arguments: &[&str]| questions(&sandbox.talk(arguments, ""))[0]["lines_left"].as_u64();
    assert_eq!(first(&["find", "all", "--json"]), first(&["find", "failing", "--tests", "passing", "--json"]));
}
