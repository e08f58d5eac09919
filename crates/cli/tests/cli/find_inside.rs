//! Something in an object is wrong that has not led to the failure as the run went: the user looks into the object and
//! points at it.

use crate::sandbox::Sandbox;
use expect_test::expect;
use serde_json::Value;

/// The two policies are taken for equal, as the builder loses the mark; `equals` never comes to the place where they
/// differ in what was set, so that nothing leads from there to the failure.
const PROGRAM: &str = r#"public class Policies {
    static class Policy {
        final String name;
        final Character quote;
        int limit;

        Policy(Builder builder) {
            name = builder.name;
            quote = null;
            limit = builder.limit;
        }

        boolean isSame(Policy other) {
            return name.equals(other.name) && limit == other.limit
                && (quote == null || quote.equals(other.quote));
        }
    }

    static class Builder {
        String name;
        Character quote;
        int limit = 3;

        Builder named(String name) {
            this.name = name;
            return this;
        }

        Builder quoting(char quote) {
            this.quote = quote;
            return this;
        }

        Policy build() {
            return new Policy(this);
        }
    }

    public static void main(String[] arguments) {
        Policy plain = new Builder().named("csv").build();
        Policy quoted = new Builder().named("csv").quoting('"').build();
        check(plain, quoted);
    }

    static void check(Policy one, Policy other) {
        if (one.isSame(other)) {
            throw new IllegalStateException("they should differ");
        }
    }
}
"#;

fn policies() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.compile("Policies", PROGRAM);
    let recorded = sandbox.run(&["record", "--", "java", "-cp", "classes", "Policies"]);
    assert_eq!(recorded.status.code(), Some(1), "{}", sandbox.describe(&recorded));
    sandbox
}

/// The number or letter of a value of a question.
fn label_of(question: &Value, list: &str, key: &str, starts_with: &str) -> Option<String> {
    let is_it = |one: &&Value| one[key].as_str().is_some_and(|name| name.starts_with(starts_with));
    let one = question[list].as_array()?.iter().find(is_it)?;
    Some(one["letter"].as_str().map_or_else(|| one["number"].to_string(), str::to_owned))
}

/// Of somebody who knows that the second policy should quote.
fn answer(question: &Value) -> String {
    match question["place"]["line"].as_u64() {
        Some(9) => "result\n".to_owned(),
        Some(47) => "path\n".to_owned(),
        Some(46) => match label_of(question, "reads", "name", "other") {
            Some(other) => format!("wrong {other}.quote\n"),
            None => "unclear\n".to_owned(),
        },
        Some(42) => match label_of(question, "reads", "name", "quoted") {
            Some(quoted) => format!("wrong {quoted}.quote\n"),
            None => "unclear\n".to_owned(),
        },
        Some(41) => match label_of(question, "makes", "what", "quoted") {
            Some(quoted) => format!("wrong {quoted}.quote\n"),
            None => "unclear\n".to_owned(),
        },
        Some(40) => "correct\n".to_owned(),
        _ => "unclear\n".to_owned(),
    }
}

#[test]
fn what_was_pointed_at_leads_to_who_wrote_it() {
    let sandbox = policies();
    let mut answers = String::new();
    for _ in 0..6 {
        let told = sandbox.talk(&["find", "--json"], &answers);
        let last = told.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok()).rfind(Value::is_object);
        let last = last.unwrap_or_else(|| panic!("no JSON: {told}"));
        if last["kind"] == "found" {
            assert_eq!(last["first_wrong"]["place"]["name"], "Policy.<init>:9", "{told}");
            assert!(answers.contains(".quote"), "{answers}");
            return;
        }
        answers += &answer(&last);
    }
    panic!("not found: {answers}");
}

#[test]
fn looking_and_mistakes() {
    let sandbox = policies();
    expect![[r#"

        question 1  the failure is seen here
        Policies.check:46  step 26 of 30, thread main
          44  
          45      static void check(Policy one, Policy other) {
        → 46          if (one.isSame(other)) {
          47              throw new IllegalStateException("they should differ");
          48          }
          called from Policies.main:42
          reads    1  other = <Policy:2>
                   2  isSame() = true
          in it    3  <Policy:1>.limit = 3
                   4  <Policy:1>.quote = null
                   5  <Policy:1>.name = "csv"
                   6  <Policy:2>.limit = 3
                   7  <Policy:2>.name = "csv"
          makes       Policy.isSame()
                      one.isSame(other):true
          clear specification › simple inference; 7 lines are left

        <Policy:2>
          name = "csv"  written at step 21
          quote = null  written at step 22
          limit = 3  written at step 23
        error: <Policy:2> has no `nothing`
        exit code 2
    "#]]
    .assert_eq(&sandbox.talk(&["find", "--at", "Policies.java:46"], "look 1\nlook 1.nothing\n"));
}

fn last_question(told: &str) -> Value {
    let mut lines = told.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    lines.rfind(|line| line["kind"] == "question").unwrap_or_else(|| panic!("no question: {told}"))
}

#[test]
fn answers_that_point_are_kept_and_gone_on_with() {
    let sandbox = policies();
    let first = sandbox.talk(&["find", "--json"], "path\nwrong 1.quote\n");
    assert_eq!(last_question(&first)["place"]["name"], "Policy.<init>:9", "{first}");
    let resumed = sandbox.talk(&["find", "--json", "--resume"], "");
    assert_eq!(last_question(&resumed)["place"], last_question(&first)["place"], "{resumed}");
}

/// What joined the search for an answer leaves it with the answer.
#[test]
fn answers_that_point_are_taken_back() {
    let sandbox = policies();
    let taken_back = sandbox.talk(&["find", "--json"], "path\nwrong 1.quote\nundo\nhidden\n");
    let never_given = sandbox.talk(&["find", "--json"], "path\nhidden\n");
    let (one, other) = (last_question(&taken_back), last_question(&never_given));
    assert_eq!(
        (&one["place"], &one["lines_left"]),
        (&other["place"], &other["lines_left"]),
        "{taken_back}{never_given}"
    );
}

#[test]
fn variables_are_pointed_into_by_their_names() {
    let sandbox = policies();
    let at = ["find", "--json", "--at", "Policies.java:42"];
    let told = sandbox.talk(&at, "wrong quoted.quote\n");
    assert_eq!(last_question(&told)["place"]["name"], "Policy.<init>:9", "{told}");
}

/// The rest of the constructor could have written it.
#[test]
fn what_was_right_when_it_was_written_may_lack_a_change() {
    let sandbox = policies();
    let told = sandbox.talk(&["find", "--json"], "path\nwrong 1.quote\ncorrect\n");
    assert_eq!(last_question(&told)["may_be_missing"], true, "{told}");
}

#[test]
fn mistakes_in_what_is_pointed_at() {
    let sandbox = policies();
    let at = ["find", "--at", "Policies.java:42"];
    let mut told = String::new();
    for answer in
        ["wrong quote.limit", "wrong quoted.limits", "wrong quoted", "wrong quoted.limit a.limit", "look nobody"]
    {
        let said = sandbox.talk(&at, &format!("{answer}\n"));
        told += &format!("> {answer}\n{}", said.find("error:").map_or(&*said, |start| &said[start..]));
    }
    expect![[r#"
        > wrong quote.limit
        error: there is no variable `quote`
        hint: did you mean `quoted`?
        exit code 2
        > wrong quoted.limits
        error: <Policy:2> has no `limits`
        hint: did you mean `limit`?
        exit code 2
        > wrong quoted
        error: say either which values are wrong, or what is wrong in them: `wrong 1`, or `wrong 1.price`
        hint: answers are `correct`, `wrong 1 2`, `wrong 1.price`, `result`, `path`, `hidden`, `unclear`, `look 1`, `missing`, `undo`, `answers`, `quit`
        exit code 2
        > wrong quoted.limit a.limit
        error: say either what was wrong when the step started, or what is when it is over: `wrong 1.price`, or `wrong a.total`
        hint: answers are `correct`, `wrong 1 2`, `wrong 1.price`, `result`, `path`, `hidden`, `unclear`, `look 1`, `missing`, `undo`, `answers`, `quit`
        exit code 2
        > look nobody
        error: there is no variable `nobody`
        exit code 2
    "#]].assert_eq(&told);
}
