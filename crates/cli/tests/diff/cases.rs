//! Where runs part, case by case, as the comments of the program say.

use crate::support::Workplace;
use serde_json::Value;
use std::collections::BTreeSet;

const SOURCE: &str = include_str!("Cases.java");

/// The cases and the two numbers of their runs.
const CASES: &[(&str, usize, usize)] = &[
    ("same", 1, 3),
    ("ifs", 1, 2),
    ("loop", 2, 5),
    ("inside", 1, 2),
    ("leaving", 1, 2),
    ("both", 1, 2),
    ("choice", 1, 2),
    ("targets", 1, 2),
    ("thrown", 1, 2),
    ("retried", 1, 3),
    ("uncaught", 1, 2),
    ("recursion", 3, 5),
    ("values", 1, 2),
    ("objects", 1, 2),
    ("mixed", 1, 2),
    ("tables", 1, 3),
    ("sorted", 1, 2),
    ("clock", 1, 1),
    ("threads", 1, 2),
    ("guarded", 1, 2),
    ("order", 1, 2),
];

pub(crate) fn workplace() -> Workplace {
    Workplace::new("Cases", SOURCE)
}

pub(crate) fn record(place: &Workplace, case: &str, left: usize, right: usize) -> [String; 2] {
    [("left", left), ("right", right)].map(|(side, number)| {
        let name = format!("{case}-{side}");
        place.record(&name, &[case, &"x".repeat(number)]);
        name
    })
}

/// Lines and kinds that the comments give.
fn expected(case: &str) -> BTreeSet<(u64, String)> {
    let mut found = BTreeSet::new();
    for (line, number) in SOURCE.lines().zip(1..) {
        for comment in line.split("// ").skip(1) {
            if let Some((name, kind)) = comment.trim().split_once(": ")
                && name == case
            {
                found.insert((number, kind.to_owned()));
            }
        }
    }
    found
}

#[test]
fn runs_part_where_the_comments_say() {
    let place = workplace();
    for &(case, left, right) in CASES {
        let runs = record(&place, case, left, right);
        let found = place.json(&[&runs[0], &runs[1], "--control-only"]);
        let parts: BTreeSet<(u64, String)> = found["differences"]
            .as_array()
            .into_iter()
            .flatten()
            .map(|difference| {
                // Where it is thrown.
                let has_thrown = |side: &&Value| side["value"].is_object() || difference["kind"] != "exception";
                let side = difference["runs"].as_array().into_iter().flatten().find(has_thrown);
                let line = side.and_then(|side| side["place"]["line"].as_u64()).unwrap_or_default();
                (line, difference["kind"].as_str().unwrap_or_default().to_owned())
            })
            .collect();
        assert_eq!(parts, expected(case), "{case}: {found:#}");
        let self_compared = place.json(&[&runs[0], &runs[0]]);
        assert_eq!(self_compared["same"], true, "{case}: {self_compared:#}");
    }
}

/// What differs in a case, without the arguments of `main`.
fn differing(place: &Workplace, case: &str, left: usize, right: usize) -> Vec<String> {
    let runs = record(place, case, left, right);
    let found = place.json(&[&runs[0], &runs[1]]);
    let is_in_main = |name: &str| name.starts_with("Cases.main:");
    let in_case = |difference: &&Value| !difference["runs"][0]["place"]["name"].as_str().is_some_and(is_in_main);
    let words = |difference: &Value| {
        let side = |side: usize| difference["runs"][side]["text"].as_str().unwrap_or_default().to_owned();
        format!(
            "{} {}: {} | {}",
            difference["runs"][0]["place"]["line"],
            difference["what"].as_str().unwrap_or_default(),
            side(0),
            side(1)
        )
    };
    found["differences"].as_array().into_iter().flatten().filter(in_case).map(words).collect()
}

#[test]
fn values_that_differ() {
    let place = workplace();
    expect_test::expect![[r#"
        188 x: 1 | 2
        188 y: 2 | 3
        191 element [1]: 2 | 3"#]]
    .assert_eq(&differing(&place, "values", 1, 2).join("\n"));
    expect_test::expect![[r#"
        196 x: 1 | 2
        197 the condition: x:1 <= 1, goes on in line 202 | x:2 > 1, goes on in line 198"#]]
    .assert_eq(&differing(&place, "objects", 1, 2).join("\n"));
    expect_test::expect![[r#"
        210 x: 1 | 2
        213 the condition: x:1 <= 1, goes on in line 216 | x:2 > 1, goes on in line 214
        216 the object of Node.value: <Node:1> | <Node:2>"#]]
    .assert_eq(&differing(&place, "mixed", 1, 2).join("\n"));
    expect_test::expect!["220 x: 1 | 3"].assert_eq(&differing(&place, "tables", 1, 3).join("\n"));
    expect_test::expect![[r#"
        263 x: 1 | 2
        264 the condition: i:1 >= x:1, goes on in line 270 | i:1 < x:2, goes on in line 265
        270 twice: 2 | 4
        271 the condition: twice:2 <= 2, goes on in line 274 | twice:4 > 2, goes on in line 272"#]]
    .assert_eq(&differing(&place, "guarded", 1, 2).join("\n"));
    expect_test::expect![[""]].assert_eq(&differing(&place, "clock", 1, 1).join("\n"));
}

#[test]
fn differences_of_all_threads_in_the_order_of_the_run() {
    let place = workplace();
    expect_test::expect![[r#"
        277 x: 1 | 2
        277 argument 1 of a dynamic run(): 1 | 2
        277 x: 1 | 2
        257 x: 1 | 2
        257 the condition: x:1 <= 1, goes on in line 260 | x:2 > 1, goes on in line 258
        280 the condition: x:1 <= 1, goes on in line 283 | x:2 > 1, goes on in line 281"#]]
    .assert_eq(&differing(&place, "order", 1, 2).join("\n"));
}
