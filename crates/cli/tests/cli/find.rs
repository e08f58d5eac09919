//! The first wrong step, found by answers.

use crate::sandbox::Sandbox;
use expect_test::expect;
use serde_json::Value;

const PROGRAM: &str = r#"public class Till {
    static int price(int cents, int percent) {
        int discount = cents * percent / 10;
        return cents - discount;
    }

    static int total(int[] cents) {
        int total = 0;
        for (int each : cents) {
            total += price(each, 5);
        }
        return total;
    }

    public static void main(String[] arguments) {
        int total = total(new int[] {1000, 2000});
        if (total != 2850) {
            throw new IllegalStateException("wrong total " + total);
        }
    }
}
"#;

fn till() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.compile("Till", PROGRAM);
    let recorded = sandbox.run(&["record", "--", "java", "-cp", "classes", "Till"]);
    assert_eq!(recorded.status.code(), Some(1), "{}", sandbox.describe(&recorded));
    sandbox
}

/// Answers every question truly until the wrong line is found.
#[test]
fn from_the_exception_to_the_discount() {
    let sandbox = till();
    let mut answers = String::new();
    for _ in 0..10 {
        let told = sandbox.talk(&["find", "--json"], &answers);
        let last = told.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok()).rfind(Value::is_object);
        let last = last.unwrap_or_else(|| panic!("no JSON: {told}"));
        if last["kind"] == "found" {
            assert_eq!(last["first_wrong"]["place"]["name"], "Till.price:3", "{told}");
            assert!(answers.lines().count() <= 5, "{answers}");
            return;
        }
        answers += &answer(&last);
    }
    panic!("not found: {answers}");
}

/// Of someone who knows what prices and totals should be.
fn answer(question: &Value) -> String {
    let is_wrong = |read: &&Value| {
        let name = read["name"].as_str().unwrap_or_default();
        matches!(name, "discount" | "total" | "price()" | "total()") && read["value"] != "0"
    };
    let reads = question["reads"].as_array().into_iter().flatten();
    let wrong: Vec<String> = reads.filter(is_wrong).map(|read| read["number"].to_string()).collect();
    match question["place"]["line"].as_u64() {
        Some(3) => "result\n".to_owned(),
        Some(18) => "path\n".to_owned(),
        _ if wrong.is_empty() => "correct\n".to_owned(),
        _ => format!("wrong {}\n", wrong.join(" ")),
    }
}

#[test]
fn questions_and_mistakes() {
    let sandbox = till();
    expect![[r#"

        question 1  whatever you say, it rules out much of what led to the failure
        Till.main:17  step 15 of 16, thread main
          15      public static void main(String[] arguments) {
          16          int total = total(new int[] {1000, 2000});
        → 17          if (total != 2850) {
          18              throw new IllegalStateException("wrong total " + total);
          19          }
          reads    1  total = 1500
          makes       condition

        question 1  whatever you say, it rules out much of what led to the failure
        Till.main:17  step 15 of 16, thread main
          15      public static void main(String[] arguments) {
          16          int total = total(new int[] {1000, 2000});
        → 17          if (total != 2850) {
          18              throw new IllegalStateException("wrong total " + total);
          19          }
          reads    1  total = 1500
          makes       condition
        exit code 1
    "#]]
    .assert_eq(&sandbox.talk(&["find"], "undo\nquit\n"));
    let told = sandbox.talk(&["find"], "perhaps\n");
    expect![[r#"
        error: `perhaps` is no answer
        hint: answers are `correct`, `wrong 1 2`, `result`, `path`, `hidden`, `unclear`, `undo`, `quit`
        exit code 2
    "#]]
    .assert_eq(told.find("error:").map_or(&told, |start| &told[start..]));
    expect![[r#"
        error: there is no step 4711
        hint: the run has steps 1 to 16
        exit code 2
    "#]]
    .assert_eq(&sandbox.transcript(&["find", "--at", "4711"]));
}
