//! What the command prints.

use crate::cases;
use crate::support::{Recorded, Workplace};
use expect_test::expect;
use whydunit_alignment::Filters;
use whydunit_testkit::{Jdk, Program, record, whydunit_binary};

#[test]
fn a_run_is_the_same_as_itself() {
    let jdk = Jdk::all().into_iter().next().expect("a JDK");
    let whydunit = whydunit_binary().expect("whydunit is built");
    let programs = Program::all().expect("readable programs");
    for program in programs.iter().filter(|program| program.runs_on(&jdk)) {
        let folder = tempfile::tempdir().expect("a folder");
        record(program, &jdk, &["--name", "run"], &whydunit, folder.path()).expect("it runs");
        let trace = folder.path().join("run/trace.wdt");
        if !trace.is_file() {
            continue;
        }
        let recorded = Recorded::open(&trace);
        let (report, aligned) = recorded.compare(&recorded, &Filters::default());
        assert!(report.is_same(), "{}: {:#?}", program.name, report.groups);
        assert!(aligned.iter().all(|numbers| numbers.left == numbers.right), "{}", program.name);
    }
}

#[test]
fn the_first_difference_and_all() {
    let place = cases::workplace();
    let [left, right] = cases::record(&place, "inside", 1, 2);
    expect![[r#"
        the runs part first in Cases.main:286: the object of String.length()
          int x = arguments[1].length();
          inside-left   step 1  "x"
          inside-right  step 1  "xx"

        they first go different ways in Cases.inside:61: the condition
          if (i == x) { // inside: branch
          inside-left   step 10  i:1 == x:1, goes on in line 62
          inside-right  step 10  i:1 != x:2, goes on in line 67
          called from Cases.main:291  case "inside" -> inside(x);  step 3

        all differences: 7 in 4 lines
        line             times  what                                      the first time
        Cases.main:286       3  the object of String.length() and 2 more  "x" | "xx"
        Cases.inside:60      1  x                                         1 | 2
        Cases.inside:61      2  the condition                             i:1 == x:1, goes on in line 62 | i:1 != x:2, goes on in line 67
        Cases.inside:67      1  Cases.sum                                 102 | 2
        whydunit: to go back from there: whydunit why 10 --run inside-right
        exit code 1
    "#]].assert_eq(&place.transcript(&[&left, &right]));
    expect![[r#"
        no difference in 31 steps
        exit code 0
    "#]]
    .assert_eq(&place.transcript(&[&left, &left]));
    expect![[r#"
        the runs part first in Cases.inside:61: the condition
          if (i == x) { // inside: branch
          inside-left   step 10  i:1 == x:1, goes on in line 62
          inside-right  step 10  i:1 != x:2, goes on in line 67
          called from Cases.main:291  case "inside" -> inside(x);  step 3
        whydunit: to go back from there: whydunit why 10 --run inside-right
        exit code 1
    "#]]
    .assert_eq(&place.transcript(&[&left, &right, "--control-only"]));
}

/// Lines of the summary that are about the case.
fn in_case(place: &Workplace, arguments: &[&str]) -> String {
    let (_, out, _) = place.diff(arguments);
    let rows = out.lines().skip_while(|line| !line.starts_with("all differences"));
    rows.filter(|line| line.starts_with("Cases.inside")).flat_map(|line| [line, "\n"]).collect()
}

#[test]
fn filters() {
    let place = cases::workplace();
    let [left, right] = cases::record(&place, "inside", 1, 2);
    expect![[r#"
        Cases.inside:60      1  x                                         1 | 2
        Cases.inside:61      2  the condition                             i:1 == x:1, goes on in line 62 | i:1 != x:2, goes on in line 67
    "#]].assert_eq(&in_case(&place, &[&left, &right, "--ignore-field", "Cases.sum"]));
    expect![[""]].assert_eq(&in_case(&place, &[&left, &right, "--ignore-method", "Cases.inside"]));
    expect![[r#"
        Cases.inside:60      1  x                              1 | 2
        Cases.inside:61      2  the condition                  i:1 == x:1, goes on in line 62 | i:1 != x:2, goes on in line 67
        Cases.inside:67      1  Cases.sum                      102 | 2
    "#]].assert_eq(&in_case(&place, &[&left, &right, "--all"]));
    expect![[r#"
        error: no recorded class has a field `Cases.sun`
        hint: did you mean `Cases.sum`?
        exit code 2
    "#]]
    .assert_eq(&place.transcript(&[&left, &right, "--ignore-field", "Cases.sun"]));
    let [left, right] = cases::record(&place, "clock", 1, 1);
    let (code, out, notes) = place.diff(&[&left, &right]);
    assert_eq!((code, out.as_str()), (Some(0), "no difference in 14 steps\n"));
    assert!(notes.contains("System.nanoTime"), "{notes}");
    let (code, out, _) = place.diff(&[&left, &right, "--ignore-value", "hash"]);
    assert!(code == Some(1) && out.contains("the runs part first in Cases.clock"), "{out}");
}

#[test]
fn as_json() {
    let place = cases::workplace();
    let [left, right] = cases::record(&place, "thrown", 1, 2);
    let (code, out, _) = place.diff(&[&left, &right, "--json", "--control-only"]);
    assert_eq!(code, Some(1));
    // Ids of objects are not the same in every run.
    let is_id = |line: &&str| !line.trim_start().starts_with("\"object\":");
    let out: String = out.lines().filter(is_id).flat_map(|line| [line, "\n"]).collect();
    expect![[r#"
        {
          "runs": [
            "thrown-left",
            "thrown-right"
          ],
          "same": false,
          "count": 2,
          "differences": [
            {
              "kind": "branch",
              "control": true,
              "what": "the condition",
              "count": 1,
              "apart": [
                0,
                0
              ],
              "runs": [
                {
                  "step": 6,
                  "thread": 1,
                  "place": {
                    "name": "Cases.checked:120",
                    "class": "Cases",
                    "file": "Cases.java",
                    "line": 120
                  },
                  "source": "if (x > 1) { // thrown: branch // retried: branch // uncaught: branch",
                  "text": "x:1 <= 1, goes on in line 123",
                  "to_line": 123
                },
                {
                  "step": 6,
                  "thread": 1,
                  "place": {
                    "name": "Cases.checked:120",
                    "class": "Cases",
                    "file": "Cases.java",
                    "line": 120
                  },
                  "source": "if (x > 1) { // thrown: branch // retried: branch // uncaught: branch",
                  "text": "x:2 > 1, goes on in line 121",
                  "to_line": 121
                }
              ],
              "callers": [
                [
                  {
                    "step": 5,
                    "thread": 1,
                    "place": {
                      "name": "Cases.thrown:129",
                      "class": "Cases",
                      "file": "Cases.java",
                      "line": 129
                    },
                    "source": "sum += checked(x + i);"
                  },
                  {
                    "step": 5,
                    "thread": 1,
                    "place": {
                      "name": "Cases.thrown:129",
                      "class": "Cases",
                      "file": "Cases.java",
                      "line": 129
                    },
                    "source": "sum += checked(x + i);"
                  }
                ],
                [
                  {
                    "step": 3,
                    "thread": 1,
                    "place": {
                      "name": "Cases.main:296",
                      "class": "Cases",
                      "file": "Cases.java",
                      "line": 296
                    },
                    "source": "case \"thrown\" -> thrown(x);"
                  },
                  {
                    "step": 3,
                    "thread": 1,
                    "place": {
                      "name": "Cases.main:296",
                      "class": "Cases",
                      "file": "Cases.java",
                      "line": 296
                    },
                    "source": "case \"thrown\" -> thrown(x);"
                  }
                ]
              ]
            },
            {
              "kind": "exception",
              "control": true,
              "what": "an exception",
              "count": 1,
              "apart": [
                0,
                0
              ],
              "runs": [
                {
                  "step": 7,
                  "thread": 1,
                  "place": {
                    "name": "Cases.checked:123",
                    "class": "Cases",
                    "file": "Cases.java",
                    "line": 123
                  },
                  "source": "return x;",
                  "text": "throws nothing"
                },
                {
                  "step": 7,
                  "thread": 1,
                  "place": {
                    "name": "Cases.checked:121",
                    "class": "Cases",
                    "file": "Cases.java",
                    "line": 121
                  },
                  "source": "throw new IllegalStateException(\"too large\"); // thrown: exception // retried: exception // uncaught: exception",
                  "text": "throws <IllegalStateException:1>",
                  "value": {
                    "number": 1,
                    "type": "IllegalStateException"
                  }
                }
              ],
              "callers": [
                [
                  {
                    "step": 5,
                    "thread": 1,
                    "place": {
                      "name": "Cases.thrown:129",
                      "class": "Cases",
                      "file": "Cases.java",
                      "line": 129
                    },
                    "source": "sum += checked(x + i);"
                  },
                  {
                    "step": 5,
                    "thread": 1,
                    "place": {
                      "name": "Cases.thrown:129",
                      "class": "Cases",
                      "file": "Cases.java",
                      "line": 129
                    },
                    "source": "sum += checked(x + i);"
                  }
                ],
                [
                  {
                    "step": 3,
                    "thread": 1,
                    "place": {
                      "name": "Cases.main:296",
                      "class": "Cases",
                      "file": "Cases.java",
                      "line": 296
                    },
                    "source": "case \"thrown\" -> thrown(x);"
                  },
                  {
                    "step": 3,
                    "thread": 1,
                    "place": {
                      "name": "Cases.main:296",
                      "class": "Cases",
                      "file": "Cases.java",
                      "line": 296
                    },
                    "source": "case \"thrown\" -> thrown(x);"
                  }
                ]
              ]
            }
          ],
          "threads": [
            {
              "threads": [
                1,
                1
              ],
              "names": [
                "main",
                "main"
              ],
              "steps": [
                24,
                25
              ]
            }
          ],
          "changed_methods": [],
          "not_compared": []
        }
    "#]]
    .assert_eq(&out);
}

#[test]
fn runs_of_different_programs() {
    let place = cases::workplace();
    place.record("cases", &["same", "x"]);
    let other = "public class Cases { public static void main(String[] a) { System.out.println(a.length); } }";
    place.compile(other);
    place.record("changed", &["same", "x"]);
    expect![[r#"
        Cases.main has other code: what it does was not compared
        exit code 1
    "#]]
    .assert_eq(&place.transcript(&["cases", "changed"]));
    let stranger = Workplace::new(
        "Stranger",
        "class Stranger { public static void main(String[] a) { Integer.parseInt(a[0]); } }",
    );
    stranger.record("stranger", &["1"]);
    stranger.share("stranger", &place);
    expect![[r#"
        error: cases and stranger are runs of different programs
        hint: they have no class in common; `whydunit runs` lists the commands
        exit code 2
    "#]]
    .assert_eq(&place.transcript(&["cases", "stranger"]));
}

const BEFORE: &str = "class Shop {
    static int total(int[] prices) {
        int total = 0;
        for (int price : prices) {
            total += price;
        }
        return total;
    }
    public static void main(String[] arguments) {
        System.out.println(total(new int[] {5, 20, 30}));
    }
}";

#[test]
fn runs_of_two_versions() {
    let place = Workplace::new("Shop", BEFORE);
    place.record("before", &[]);
    let with_discount = "total += price;\n            if (price > 25) {\n                total -= 3;\n            }";
    place.compile(&BEFORE.replace("total += price;", with_discount));
    place.record("after", &[]);
    expect![[r#"
        the runs part first in Shop.total:6: changed code
          if (price > 25) {
          before  step 4  does not have it
          after   step 5  runs it
          called from Shop.main:10  System.out.println(total(new int[] {5, 20, 30}));  step 1

        all differences: 5 in 3 lines
        line          times  what                                 the first time
        Shop.total:6      3  changed code                         does not have it | runs it
        Shop.total:7      1  the result                           55 | 52
        Shop.main:10      1  argument 1 of PrintStream.println()  55 | 52
        Shop.total has other code: both versions were aligned
        whydunit: to go back from there: whydunit why 5 --run after
        exit code 1
    "#]]
    .assert_eq(&place.transcript(&["before", "after", "--all"]));
    let found = place.json(&["before", "after"]);
    let kinds = found["differences"].as_array().into_iter().flatten().map(|difference| difference["kind"].to_string());
    expect![[r#""code" "value" "value""#]].assert_eq(&kinds.collect::<Vec<_>>().join(" "));
    assert_eq!(found["changed_methods"], found["aligned_methods"]);
    // No price is 25.
    let with_discount = with_discount.replace("price > 25", "price >= 25");
    place.compile(&BEFORE.replace("total += price;", &with_discount));
    place.record("equal", &[]);
    expect![[r#"
        Shop.total has other code: both versions were aligned
        no difference in 18 steps
        exit code 0
    "#]]
    .assert_eq(&place.transcript(&["after", "equal"]));
}

const LAMBDAS: &str = "import java.util.function.IntUnaryOperator;
public class Steps {
    static int total;

    static void each(IntUnaryOperator function) {
        for (int i = 0; i < 3; i++) {
            total += function.applyAsInt(i);
        }
    }

    public static void main(String[] arguments) {
        each(n -> n * 2);
        each(n -> n + 1);
        System.out.println(total);
    }
}";

#[test]
fn lambdas_that_got_other_numbers() {
    let place = Workplace::new("Steps", LAMBDAS);
    place.record("before", &[]);
    place.compile(&LAMBDAS.replace("each(n -> n * 2);", "IntUnaryOperator unused = n -> -n; each(n -> n * 2);"));
    place.record("added", &[]);
    expect![[r#"
        the runs part first in Steps.main:12: changed code
          IntUnaryOperator unused = n -> -n; each(n -> n * 2);
          before  step 1  does not have it
          added   step 1  runs it
        Steps.main has other code: both versions were aligned
        whydunit: to go back from there: whydunit why 1 --run added
        exit code 1
    "#]]
    .assert_eq(&place.transcript(&["before", "added", "--all"]));
}
