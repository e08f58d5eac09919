//! The worked example of the paper on feedback-based debugging, with a user who knows what the values should be.

use crate::sandbox::Sandbox;
use serde_json::Value;
use whydunit_testkit::workspace_dir;

/// As the paper prints it: eight evaluations, of which the fifth is wrong.
const PRINTED: &str = "(((1+((1+2)+(2-1))-(1-3))+1)+1)+1";

/// With the nine evaluations that its Figure 1 shows: `4--2` stands in brackets of its own.
const DRAWN: &str = "(((1+(((1+2)+(2-1))-(1-3)))+1)+1)+1";

/// Lines 22 and 21 of the paper's Table 1, then 15 and 11 of the iterations that it walks through (twice), 11 of the fifth,
/// then 19, 16, 11 and 5 of Table 2.
const ANSWERS_OF_THE_PAPER: usize = 11;

struct Walk {
    policy: String,
    /// Steps, in the order of the questions.
    asked: Vec<u64>,
    skipped: Vec<u64>,
    states: Vec<String>,
    end: Value,
}

struct Calculator {
    sandbox: Sandbox,
    /// Steps of `value = evaluate(inner)`.
    evaluated: Vec<u64>,
    /// Steps of `sum = before + value + after`.
    replaced: Vec<u64>,
    /// The step of the fifth evaluation that splits at every minus.
    culprit: u64,
    /// The last subtraction of the fifth evaluation.
    subtracted: u64,
}

impl Calculator {
    fn new(sum: &str) -> Calculator {
        let sandbox = Sandbox::new();
        let program = workspace_dir().join("tests/programs/Calculator.java");
        sandbox.record("Calculator", &std::fs::read_to_string(program).expect("a program"), &[sum]);
        let visits = |line: u32| -> Vec<u64> {
            let found = sandbox.run(&["search", "--line", &format!("Calculator.java:{line}"), "--json"]);
            lines(&String::from_utf8_lossy(&found.stdout)).iter().filter_map(|line| line["step"].as_u64()).collect()
        };
        let (evaluated, replaced) = (visits(19), visits(22));
        let fifth = evaluated[4]..replaced[4];
        let in_fifth = |line: u32| visits(line).into_iter().filter(|step| fifth.contains(step)).collect::<Vec<_>>();
        let culprit = in_fifth(33)[0];
        let subtracted = *in_fifth(41).last().expect("a subtraction");
        Calculator { sandbox, evaluated, replaced, culprit, subtracted }
    }

    fn is_wrong(&self, step: u64, read: &Value) -> bool {
        let (name, value) = (read["name"].as_str().unwrap_or_default(), read["value"].as_str().unwrap_or_default());
        let digits = value.trim_matches('"');
        let is_number = matches!(name, "next" | "number()" | "text") || name.starts_with("<String[]");
        if matches!(name, "result" | "calculate()") {
            return true;
        }
        if step < self.evaluated[4] {
            return false;
        }
        if step > self.replaced[4] {
            return match name {
                "sum" | "inner" | "value" | "evaluate()" | "plain" | "numbers" => true,
                "total" => digits != "1",
                _ => is_number && matches!(digits, "2" | "3" | "4" | "5"),
            };
        }
        match name {
            "evaluate()" | "value" => true,
            _ if step <= self.culprit => false,
            "numbers" => true,
            "total" => step > self.subtracted,
            _ => is_number && matches!(digits, "" | "0" | "2"),
        }
    }

    fn answer(&self, question: &Value) -> String {
        let step = question["step"].as_u64().expect("a step");
        if step == self.culprit {
            return "result\n".to_owned();
        }
        let reads = question["reads"].as_array().into_iter().flatten();
        let wrong: Vec<String> =
            reads.filter(|read| self.is_wrong(step, read)).map(|read| read["number"].to_string()).collect();
        if wrong.is_empty() { "correct\n".to_owned() } else { format!("wrong {}\n", wrong.join(" ")) }
    }

    fn walk(&self, policy: &str) -> Walk {
        let mut answers = String::new();
        for _ in 0..40 {
            let arguments = ["find", "--at", "Calculator.java:28", "--json", "--policy", policy];
            let told = lines(&self.sandbox.talk(&arguments, &answers));
            let last = told.last().expect("a question");
            if last["kind"] == "found" {
                let questions: Vec<&Value> = told.iter().filter(|line| line["kind"] == "question").collect();
                let of_all = |field: &str| -> Vec<Value> {
                    questions.iter().flat_map(|one| one[field].as_array().cloned().unwrap_or_default()).collect()
                };
                let states = questions.iter().filter_map(|one| one["state"].as_array()?.last()?.as_str());
                return Walk {
                    policy: policy.to_owned(),
                    asked: questions.iter().filter_map(|one| one["step"].as_u64()).collect(),
                    skipped: of_all("skipped").iter().filter_map(|place| place["step"].as_u64()).collect(),
                    states: states.map(str::to_owned).collect(),
                    end: last.clone(),
                };
            }
            answers += &self.answer(last);
        }
        panic!("not found: {answers}");
    }
}

fn lines(text: &str) -> Vec<Value> {
    text.lines().filter_map(|line| serde_json::from_str(line).ok()).filter(Value::is_object).collect()
}

#[track_caller]
fn check_end(walk: &Walk) {
    assert!(
        walk.asked.len() <= ANSWERS_OF_THE_PAPER,
        "{} answers, {}: {:?}",
        walk.asked.len(),
        walk.policy,
        walk.asked
    );
    assert_eq!(walk.end["first_wrong"]["place"]["name"], "Calculator.evaluate:33");
    assert_eq!(walk.end["bug"], "branch mistake");
}

/// What the user says of the ninth and the eighth evaluation is enough to pass over the seventh and the sixth.
#[track_caller]
fn check_skipped(calculator: &Calculator, walk: &Walk, iterations: &[usize]) {
    assert!(walk.states.iter().any(|state| state == "skip"), "{:?}", walk.states);
    for &iteration in iterations {
        let (evaluated, replaced) = (calculator.evaluated[iteration - 1], calculator.replaced[iteration - 1]);
        let before = calculator.replaced[iteration - 2];
        assert!(walk.skipped.contains(&evaluated) && walk.skipped.contains(&replaced), "{:?}", walk.skipped);
        assert!(walk.asked.iter().all(|&step| step <= before || step > replaced), "{:?}", walk.asked);
    }
}

#[test]
fn the_walk_of_the_paper() {
    let calculator = Calculator::new(DRAWN);
    for policy in ["paper", "expected"] {
        let walk = calculator.walk(policy);
        check_end(&walk);
        check_skipped(&calculator, &walk, &[6, 7]);
    }
}

#[test]
fn with_the_input_that_is_printed() {
    let calculator = Calculator::new(PRINTED);
    for policy in ["paper", "expected"] {
        let walk = calculator.walk(policy);
        check_end(&walk);
        check_skipped(&calculator, &walk, &[6]);
    }
}
