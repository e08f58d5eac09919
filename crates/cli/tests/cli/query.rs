//! Querypoints: the worked examples of docs/querypoints.md, and what each kind of point finds. Needs a JDK on the PATH.

use crate::sandbox::Sandbox;
use expect_test::{Expect, expect};
use serde_json::Value;
use std::fs;
use std::process::Command;

/// A run of a program.
fn recorded(class: &str, source: &str, arguments: &[&str]) -> Sandbox {
    let sandbox = Sandbox::new();
    let file = format!("{class}.java");
    fs::write(sandbox.path().join(&file), source).expect("a file");
    let compiled = Command::new("javac").args(["-g", "-d", "classes", &file]).current_dir(sandbox.path()).status();
    assert!(compiled.expect("a JDK on the PATH").success());
    record(&sandbox, class, arguments);
    sandbox
}

fn record(sandbox: &Sandbox, class: &str, arguments: &[&str]) {
    let command = ["record", "--", "java", "-cp", "classes", class];
    sandbox.run(&command.iter().chain(arguments).copied().collect::<Vec<_>>());
}

fn ledger() -> Sandbox {
    recorded("Ledger", include_str!("../../../../examples/querypoints/Ledger.java"), &[])
}

fn odd() -> Sandbox {
    recorded("Odd", include_str!("query/Odd.java"), &[])
}

fn check(sandbox: &Sandbox, arguments: &[&str], expected: &Expect) {
    let all: Vec<&str> = ["query"].iter().chain(arguments).copied().collect();
    expected.assert_eq(&sandbox.transcript(&all));
}

#[test]
fn from_the_failed_check_to_the_lost_exception() {
    let sandbox = ledger();
    let points = include_str!("../../../../examples/querypoints/ledger.wq");
    fs::write(sandbox.path().join("ledger.wq"), points).expect("a file");
    check(
        &sandbox,
        &["--file", "ledger.wq"],
        &expect![[r#"
        A = line Ledger.java:47 if letter == null
          step 74  Ledger.remind:47  if (letter == null) {
          account.owner = "Cy"
        B = lastChange(A:letter)
          step 72  Ledger.remind:43  letter = reminder(account);
          letter = null
        C = lastCondition(B)
          step 70  Ledger.remind:41  if (account.open || all) {
          account.open = true
          all = false
        D = lastChange(C:account.open)
          step 40  Ledger.close:27  account.open = true;
          <Account:3>.open = true
        E = first exception after D
          step 43  Ledger.amount:18  return Integer.parseInt(entry);
          throws <NumberFormatException:1>
          entry = ""
        exit code 0
    "#]],
    );
}

#[test]
fn from_the_black_line_to_the_slider_that_is_read_twice() {
    let sandbox = recorded("Paint", include_str!("../../../../examples/querypoints/Paint.java"), &[]);
    let points = include_str!("../../../../examples/querypoints/paint.wq");
    fs::write(sandbox.path().join("paint.wq"), points).expect("a file");
    check(
        &sandbox,
        &["--file", "paint.wq", "--stack"],
        &expect![[r#"
        P1 = line Paint.java:54 if foreground.red == 0 && foreground.green == 0 && foreground.blue == 0
          step 140  Brush.drawLine:54  picture.append(from).append('-').append(to).append(' ').append(foreground).append('\n');
          (0) step 140  Brush.drawLine:54
          (1) step 139  Stroke.paint:41
          (2) step 135  Window.repaint:85
          (3) step 119  Window.draw:79
          (4) step 109  Paint.main:97  called by code that is not recorded
        P2 = lastChange(P1:foreground)
          step 137  Brush.setColor:50  foreground = color;
          <Brush:5>.foreground = <Color:2> → <Color:4>
          (0) step 137  Brush.setColor:50
          (1) step 136  Stroke.paint:40
          (2) step 135  Window.repaint:85
          (3) step 119  Window.draw:79
          (4) step 109  Paint.main:97  called by code that is not recorded
        P3 = lastChange(P2(1):color)
          step 116  Stroke.setColor:36  this.color = color;
          <Stroke:2>.color = <Color:4>
          (0) step 116  Stroke.setColor:36
          (1) step 115  Maker.press:22
          (2) step 110  Window.draw:78
          (3) step 109  Paint.main:97  called by code that is not recorded
        P4 = lastChange(P3(1):color)
          step 88  Maker.setColor:17  this.color = color;
          <Maker:1>.color = <Color:3> → <Color:4>
          (1):red.value = 0
          (1):green.value = 0
          (1):blue.value = 255
          .value.blue = 0
          (0) step 88  Maker.setColor:17
          (1) step 86  Window.stateChanged:71
          (2) step 85  Window.move:67
          (3) step 83  Paint.main:96  called by code that is not recorded
        exit code 0
    "#]],
    );
}

#[test]
fn points_are_saved_and_found_in_another_run() {
    let sandbox = odd();
    let points = ["A = call Odd.pass if word.equals(\"three\") with count", "B = lastChange(A:count)"];
    check(
        &sandbox,
        &[points[0], points[1], "--save", "odd.wq"],
        &expect![[r#"
        A = call Odd.pass if word.equals("three")
          step 74  Odd.pass:38  if (word.equals("three") && count != 2) {
          count = 2
        B = lastChange(A:count)
          step 73  Odd.main:67  pass(words[i], i + arguments.length);
          passes count = 2
        exit code 0
    "#]],
    );
    expect![[r#"
        A = call Odd.pass if word.equals("three") with count
        B = lastChange(A:count)
    "#]]
    .assert_eq(&fs::read_to_string(sandbox.path().join("odd.wq")).expect("a saved chain"));
    record(&sandbox, "Odd", &["two", "arguments"]);
    check(
        &sandbox,
        &["--file", "odd.wq", "C = lastCondition(B) with i"],
        &expect![[r#"
        A = call Odd.pass if word.equals("three")
          step 74  Odd.pass:38  if (word.equals("three") && count != 2) {
          count = 4
        B = lastChange(A:count)
          step 73  Odd.main:67  pass(words[i], i + arguments.length);
          passes count = 4
        C = lastCondition(B)
          step 72  Odd.main:66  for (int i = 0; i < words.length; i++) {
          i = 2
        exit code 0
    "#]],
    );
}

#[test]
fn the_last_condition_of_a_do_while_loop() {
    let points = [
        "A = line Odd.java:14 [1] with n",
        "B = lastCondition(A)",
        "C = line Odd.java:14 [2] with n",
        "D = lastCondition(C)",
    ];
    check(
        &odd(),
        &points,
        &expect![[r#"
        A = line Odd.java:14 [1]
          step 12  Odd.first:14  n = n - 2;
          n = 5
        B = lastCondition(A)
          step 11  Odd.first:12  if (n > 0) {
        C = line Odd.java:14 [2]
          step 14  Odd.first:14  n = n - 2;
          n = 3
        D = lastCondition(C)
          step 13  Odd.first:15  } while (n > 0);
        exit code 0
    "#]],
    );
}

#[test]
fn variables_of_the_very_call() {
    let points = [
        "A = line Odd.java:26 with n, x",
        "B = lastChange(A:x)",
        "C = lastChange(A(1):x)",
        "D = line Odd.java:26 [-1] with n, x",
        "E = lastChange(D:x)",
        "F = lastChange(C:n)",
        "G = lastChange(F(-1):arguments)",
    ];
    check(
        &odd(),
        &points,
        &expect![[r#"
        A = line Odd.java:26
          step 29  Odd.depth:26  return x;
          n = 0
          x = 1
        B = lastChange(A:x)
          step 28  Odd.depth:25  x = x + 1;
          x = 0 → 1
        C = lastChange(A(1):x)
          step 23  Odd.depth:21  int x = n * 10;
          x = 10
        D = line Odd.java:26 [-1]
          step 33  Odd.depth:26  return x;
          n = 2
          x = 21
        E = lastChange(D:x)
          step 32  Odd.depth:25  x = x + 1;
          x = 20 → 21
        F = lastChange(C:n)
          step 22  Odd.depth:23  depth(n - 1);
          passes n = 1
        G = lastChange(F(-1):arguments)
          step 3  Odd.main:44  first(2);
          passes arguments = <String[]:1>
          note: the value was given by code that is not recorded
        exit code 0
    "#]],
    );
}

#[test]
fn elements_and_what_unrecorded_code_changes() {
    let points = [
        "A = line Odd.java:34 with own.length, own[0], own[1]",
        "B = lastChange(A:own[1])",
        "C = lastChange(A:own[0])",
        "D = lastChange(A:marks[2])",
        "E = change Odd.marks[2]",
        "F = next change Odd.marks[] after E with .index, .value, .owner",
        "G = change Odd.own[2] [-1]",
    ];
    check(
        &odd(),
        &points,
        &expect![[r#"
            A = line Odd.java:34
              step 46  Odd.fill:34  total = seen + own.length;
              own.length = 3
              own[0] = ?  element 0, which code that is not recorded may have changed (Arrays.fill() in step 44), is not known
              own[1] = 9
            B = lastChange(A:own[1])
              step 44  Odd.fill:32  Arrays.fill(own, 9);
              <int[]:2>[1] = 9, maybe set by Arrays.fill()
              note: Arrays.fill() may have changed it: its code is not recorded
              note: recorded code wrote it last in step 42: 5
            C = lastChange(A:own[0])
              step 44  Odd.fill:32  Arrays.fill(own, 9);
              <int[]:2>[0] = ?, maybe set by Arrays.fill()
              note: Arrays.fill() may have changed it: its code is not recorded
            D = lastChange(A:marks[2])
              step 36  Odd.main:49  marks[2] = 31;
              <int[]:1>[2] = 30 → 31
            E = change Odd.marks[2]
              step 1  Odd.<clinit>:4  static int[] marks = {1, 2, 3, 4};
              <int[]:1>[2] = 3
            F = next change Odd.marks[] after E
              step 1  Odd.<clinit>:4  static int[] marks = {1, 2, 3, 4};
              <int[]:1>[3] = 4
              .index = 3
              .value = 4
              .owner = <int[]:1>
            G = change Odd.own[2] [-1]
              step 43  Odd.fill:31  own[2] = 6;
              <int[]:2>[2] = 6
            exit code 0
        "#]],
    );
}

#[test]
fn changes_by_another_thread() {
    let points = [
        "A = line Odd.java:63 with total",
        "B = lastChange(A:total)",
        "C = last change Odd.total before B",
        "D = first change Odd.total after B if .value > 1000",
    ];
    let all: Vec<&str> = ["query"].iter().chain(&points).copied().collect();
    expect![[r#"
        A = line Odd.java:63
          step #  Odd.main:63  System.out.println(total);
          total = 1000
        B = lastChange(A:total)
          step #  Odd.lambda$main$0:54  total = 1000;
          Odd.total = 7 → 1000
        C = last change Odd.total before B
          step #  Odd.main:58  total = 7;
          total = 12 → 7
        D = first change Odd.total after B if .value > 1000
          not found: no such event there
        exit code 1
    "#]]
    .assert_eq(&without_steps(&odd().transcript(&all)));
}

/// The numbers of steps that two threads do at the same time differ from run to run.
fn without_steps(transcript: &str) -> String {
    let mut parts = transcript.split("step ");
    let start = parts.next().unwrap_or_default().to_owned();
    parts.fold(start, |text, part| text + "step #" + part.trim_start_matches(|c: char| c.is_ascii_digit()))
}

#[test]
fn constraints() {
    let points = [
        "P = call Odd.pass [-1] with word",
        "A = last line Odd.java:38 before P if word != null where same(word, (1):words[1])",
        "B = line Odd.java:14 [-1] where mayAffect(P)",
        "C = line Odd.java:66 [-1] where mayAffect(P) and before(A) with i",
        "D = line Odd.java:38 where before(P) and same((1):words, P(1):words)",
        "E = call Odd.pass if word.equals(\"four\") || count > 7",
        "F = lastCondition(E)",
        "G = call Odd.pass [5]",
    ];
    check(
        &odd(),
        &points,
        &expect![[r#"
        P = call Odd.pass [-1]
          step 74  Odd.pass:38  if (word.equals("three") && count != 2) {
          word = "three"
        A = last line Odd.java:38 before P if word != null where same(word, (1):words[1])
          step 69  Odd.pass:38  if (word.equals("three") && count != 2) {
        B = line Odd.java:14 [-1] where mayAffect(P)
          not found: none of 4 such events meets all conditions
          4 events: not mayAffect(P)
          step 16  Odd.first:14  n = n - 2;  not mayAffect(P)
          step 14  Odd.first:14  n = n - 2;  not mayAffect(P)
          step 12  Odd.first:14  n = n - 2;  not mayAffect(P)
        C = line Odd.java:66 [-1] where mayAffect(P) and before(A)
          step 67  Odd.main:66  for (int i = 0; i < words.length; i++) {
          i = 1
        D = line Odd.java:38 where before(P) and same((1):words, P(1):words)
          step 64  Odd.pass:38  if (word.equals("three") && count != 2) {
        E = call Odd.pass if word.equals("four") || count > 7
          not found: none of 3 such events meets all conditions
          3 events: not word.equals("four") || count > 7
          step 64  Odd.pass:38  if (word.equals("three") && count != 2) {  not word.equals("four") || count > 7
          step 69  Odd.pass:38  if (word.equals("three") && count != 2) {  not word.equals("four") || count > 7
          step 74  Odd.pass:38  if (word.equals("three") && count != 2) {  not word.equals("four") || count > 7
        F = lastCondition(E)
          not found: there is no E
        G = call Odd.pass [5]
          not found: there are only 3
        exit code 1
    "#]],
    );
}

#[test]
fn exceptions() {
    let sandbox = ledger();
    let points = [
        "A = exception NumberFormatException",
        "B = next caught after A",
        "C = lastCondition(B)",
        "D = exception [-1] with .exception",
        "E = exception IllegalArgumentException [-1]",
        "F = caught AssertionError",
    ];
    check(
        &sandbox,
        &points,
        &expect![[r#"
        A = exception NumberFormatException
          step 43  Ledger.amount:18  return Integer.parseInt(entry);
          throws <NumberFormatException:1>
        B = next caught after A
          step 44  Ledger.close:32  } catch (NumberFormatException ignored) {
          catches <NumberFormatException:1>
        C = lastCondition(B)
          step 43  Ledger.amount:18  return Integer.parseInt(entry);
          Integer.parseInt()
        D = exception [-1]
          step 75  Ledger.remind:48  throw new AssertionError(account.owner);
          throws <AssertionError:1>
          .exception = <AssertionError:1>
        E = exception IllegalArgumentException [-1]
          step 43  Ledger.amount:18  return Integer.parseInt(entry);
          throws <NumberFormatException:1>
        F = caught AssertionError
          not found: it never happened
        exit code 1
    "#]],
    );
}

#[test]
fn as_json() {
    let sandbox = ledger();
    let output =
        sandbox.run(&["query", "--json", "A = line Ledger.java:47 if letter == null with account.owner, none"]);
    assert_eq!(output.status.code(), Some(2));
    let points = [
        "query",
        "--json",
        "A = line Ledger.java:47 if letter == null with account.owner",
        "B = lastChange(A:letter)",
        "C = line Ledger.java:47 [7]",
    ];
    let output = sandbox.run(&points);
    assert_eq!(output.status.code(), Some(1));
    let mut answer: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    // Ids of objects are not the same in every run.
    hide_ids(&mut answer);
    expect![[r#"
        {
          "complete": false,
          "points": [
            {
              "definition": "line Ledger.java:47 if letter == null",
              "found": {
                "data": [
                  {
                    "expression": "account.owner",
                    "known": true,
                    "value": {
                      "length": 2,
                      "text": "Cy",
                      "type": "String"
                    },
                    "why_unknown": null
                  }
                ],
                "event": {
                  "kind": "line"
                },
                "instruction": 272,
                "notes": [],
                "place": {
                  "class": "Ledger",
                  "file": "Ledger.java",
                  "line": 47,
                  "name": "Ledger.remind:47"
                },
                "source": "if (letter == null) {",
                "stack": [
                  {
                    "call_back": false,
                    "place": {
                      "class": "Ledger",
                      "file": "Ledger.java",
                      "line": 47,
                      "name": "Ledger.remind:47"
                    },
                    "step": 74
                  },
                  {
                    "call_back": true,
                    "place": {
                      "class": "Ledger",
                      "file": "Ledger.java",
                      "line": 57,
                      "name": "Ledger.main:57"
                    },
                    "step": 56
                  }
                ],
                "step": 74,
                "thread": 1,
                "thread_name": "main"
              },
              "missing": null,
              "name": "A",
              "unknown": 0,
              "why_unknown": null
            },
            {
              "definition": "lastChange(A:letter)",
              "found": {
                "data": [],
                "event": {
                  "index": null,
                  "kind": "change",
                  "old": null,
                  "old_known": false,
                  "owner": null,
                  "value": null,
                  "what": "letter"
                },
                "instruction": 270,
                "notes": [],
                "place": {
                  "class": "Ledger",
                  "file": "Ledger.java",
                  "line": 43,
                  "name": "Ledger.remind:43"
                },
                "source": "letter = reminder(account);",
                "stack": [
                  {
                    "call_back": false,
                    "place": {
                      "class": "Ledger",
                      "file": "Ledger.java",
                      "line": 43,
                      "name": "Ledger.remind:43"
                    },
                    "step": 72
                  },
                  {
                    "call_back": true,
                    "place": {
                      "class": "Ledger",
                      "file": "Ledger.java",
                      "line": 57,
                      "name": "Ledger.main:57"
                    },
                    "step": 56
                  }
                ],
                "step": 72,
                "thread": 1,
                "thread_name": "main"
              },
              "missing": null,
              "name": "B",
              "unknown": 0,
              "why_unknown": null
            },
            {
              "definition": "line Ledger.java:47 [7]",
              "found": null,
              "missing": {
                "candidates": 3,
                "failed": [],
                "nearest": [],
                "why": "there are only 3"
              },
              "name": "C",
              "unknown": 0,
              "why_unknown": null
            }
          ]
        }
    "#]]
    .assert_eq(&(serde_json::to_string_pretty(&answer).expect("JSON") + "\n"));
}

fn hide_ids(json: &mut Value) {
    match json {
        Value::Object(map) => {
            map.remove("object");
            map.values_mut().for_each(hide_ids);
        }
        Value::Array(list) => list.iter_mut().for_each(hide_ids),
        _ => {}
    }
}

#[test]
fn mistakes() {
    let sandbox = odd();
    check(
        &sandbox,
        &["A = lin Odd.java:38"],
        &expect![[r#"
        error: the query, line 1, column 5: expected a point: `line`, `call`, `change`, `exception`, `caught`, `first`, `last`, `next`, `lastChange(…)` or `lastCondition(…)`, found `lin`
          | A = lin Odd.java:38
          |     ^
        exit code 2
    "#]],
    );
    check(
        &sandbox,
        &["A = line Odd.java:38 if word =="],
        &expect![[r#"
        error: the query, line 1, column 32: expected a value: a variable, a field, a literal or a point such as `A(0):foo`, found the end
          | A = line Odd.java:38 if word ==
          |                                ^
        exit code 2
    "#]],
    );
    check(
        &sandbox,
        &["A = call Odd.pas"],
        &expect![[r#"
            error: point A: no recorded method is called `Odd.pas`
            hint: did you mean `Odd.pass`?
            exit code 2
        "#]],
    );
    check(
        &sandbox,
        &["A = call Odd.pass if wrd == null"],
        &expect![[r#"
        error: point A: there is no `wrd` at `call Odd.pass`
        hint: did you mean `word`?
        exit code 2
    "#]],
    );
    check(
        &sandbox,
        &["A = call Odd.pass", "B = lastChange(A:cunt)"],
        &expect![[r#"
        error: point B: there is no `cunt` at A
        hint: did you mean `count`?
        exit code 2
    "#]],
    );
    check(
        &sandbox,
        &["A = call Odd.pass", "B = lastChange(a:word)"],
        &expect![[r#"
        error: point B: no point is called `a` before this
        hint: did you mean `A`?
        exit code 2
    "#]],
    );
    check(
        &sandbox,
        &["A = call Odd.pass", "A = call Odd.fill"],
        &expect![[r#"
        error: point A: the name is taken by a point before this
        exit code 2
    "#]],
    );
    check(
        &sandbox,
        &["A = change Odd.totl"],
        &expect![[r#"
            error: point A: no recorded class has a field `Odd.totl`
            hint: did you mean `Odd.total`, `Odd.own`, `Odd.lock`?
            exit code 2
        "#]],
    );
    check(
        &sandbox,
        &["A = exception NoSuch"],
        &expect![[r#"
        error: point A: no class of the run is called `NoSuch`
        exit code 2
    "#]],
    );
    check(
        &sandbox,
        &["--file", "missing.wq"],
        &expect![[r#"
        error: cannot read missing.wq
          caused by: No such file or directory (os error 2)
        exit code 2
    "#]],
    );
    check(
        &sandbox,
        &[],
        &expect![[r#"
        error: the following required arguments were not provided:
          <DEFINITION>...

        Usage: whydunit query <DEFINITION>...

        For more information, try '--help'.
        exit code 2
    "#]],
    );
}
