//! Where values come from, as users see it. Needs a JDK on the PATH.

use crate::sandbox::{Sandbox, without_ids};
use expect_test::{Expect, expect};
use std::fs;
use std::process::Command;

/// A list is gone through twice; an exception keeps an entry from being marked.
const PROGRAM: &str = r#"
import java.util.*;

public class Main {
    static class Entry {
        final String text;
        boolean isMarked;
        Entry(String text) { this.text = text; }
    }

    static int parse(String text) {
        return Integer.parseInt(text);
    }

    static String label(Entry entry) {
        return entry.text.isEmpty() ? "" : null;
    }

    void never() {
        System.out.println("never");
    }

    public static void main(String[] arguments) {
        List<Entry> list = new ArrayList<>();
        list.add(new Entry("1"));
        list.add(new Entry("x"));
        for (Entry entry : list) {
            entry.isMarked = true;
            try {
                int number = parse(entry.text);
                entry.isMarked = number > 5;
            } catch (NumberFormatException ignored) {
                arguments = null;
            }
        }
        Map<String, Entry> byText = new HashMap<>();
        for (Entry entry : list) {
            byText.put(entry.text, entry);
        }
        Entry found = byText.get("x");
        String label = "none";
        if (found.isMarked) {
            label = label(found);
        }
        System.out.println(label);
    }
}
"#;

/// The same boxed number is in a list twice.
const SHARED: &str = r#"
import java.util.*;

public class Main {
    public static void main(String[] arguments) {
        List<Integer> list = new ArrayList<>();
        list.add(5);
        list.add(5);
        Integer first = list.get(0);
        System.out.println(first);
    }
}
"#;

/// The same list, of which it is not followed what is where.
const SORTED: &str = r#"
import java.util.*;

public class Main {
    public static void main(String[] arguments) {
        List<Integer> list = new ArrayList<>();
        list.add(5);
        list.add(5);
        Collections.sort(list);
        Integer first = list.get(0);
        System.out.println(first);
    }
}
"#;

/// The same boxed number is in a map under two keys.
const KEYED: &str = r#"
import java.util.*;

public class Main {
    public static void main(String[] arguments) {
        Map<String, Integer> map = new HashMap<>();
        map.put("a", 5);
        map.put("b", 5);
        Integer first = map.get("a");
        System.out.println(first);
    }
}
"#;

fn recorded() -> Sandbox {
    recorded_program(PROGRAM, "null\n")
}

fn recorded_program(source: &str, printed: &str) -> Sandbox {
    let sandbox = Sandbox::new();
    fs::write(sandbox.path().join("Main.java"), source).expect("a file");
    let compiled =
        Command::new("javac").args(["-g", "-d", "classes", "Main.java"]).current_dir(sandbox.path()).status();
    assert!(compiled.expect("a JDK on the PATH").success());
    let output = sandbox.run(&["record", "--", "java", "-cp", "classes", "Main"]);
    assert_eq!(String::from_utf8_lossy(&output.stdout), printed);
    sandbox
}

fn check(sandbox: &Sandbox, question: &str, expected: &Expect) {
    let arguments: Vec<&str> = ["why"].into_iter().chain(question.split(' ')).collect();
    let transcript = sandbox.transcript(&arguments);
    expected.assert_eq(&match transcript.split_once("\nexit code ") {
        Some((answer, code)) if question.ends_with("--json") => {
            let mut json: serde_json::Value = serde_json::from_str(answer).expect("JSON");
            without_ids(&mut json);
            format!("{json:#}\nexit code {code}")
        }
        _ => transcript,
    });
}

#[test]
fn from_the_effect_to_the_cause() {
    let sandbox = recorded();
    check(
        &sandbox,
        "34",
        &expect![[r#"
                 34  Main.main:45  System.out.println(label);
              System.out = <PrintStream:1>  not written before by recorded code
              label = null  from step 32  Main.main:43  label = label(found);
              called by code that is not recorded
            exit code 0
        "#]],
    );
    check(
        &sandbox,
        "34 label --chain 2",
        &expect![[r#"
                 32  Main.main:43  label = label(found);  label = null
              label() = null  from step 33  Main.label:16  return entry.text.isEmpty() ? "" : null;
                <Entry:2>.text = "x"  from step 5  Entry.<init>:8  Entry(String text) { this.text = text; }
            exit code 0
        "#]],
    );
    check(
        &sandbox,
        "32 --control --chain 2",
        &expect![[r#"
                 32  Main.main:43  label = label(found);
              decided by step 31  Main.main:42  if (found.isMarked) {  found.isMarked:true
                <Entry:2>.isMarked = true  from step 14  Main.main:28  entry.isMarked = true;
              called by code that is not recorded
            exit code 0
        "#]],
    );
    check(
        &sandbox,
        "31 isMarked",
        &expect![[r#"
             14  Main.main:28  entry.isMarked = true;  <Entry:2>.isMarked = true
        exit code 0
    "#]],
    );
    check(
        &sandbox,
        "29 found --chain 2",
        &expect![[r#"
                 29  Main.main:40  Entry found = byText.get("x");  found = <Entry:2>
              Map.get() = <Entry:2>  from step 26  Main.main:38  byText.put(entry.text, entry);
                entry = <Entry:2>  from step 25  Main.main:37  for (Entry entry : list) {
            exit code 0
        "#]],
    );
    check(
        &sandbox,
        "29 found --json",
        &expect![[r#"
            {
              "answers": [
                {
                  "kind": "variable",
                  "made_of": [
                    {
                      "from": {
                        "kind": "put",
                        "place": {
                          "class": "Main",
                          "file": "Main.java",
                          "line": 38,
                          "name": "Main.main:38"
                        },
                        "source": "byText.put(entry.text, entry);",
                        "step": 26,
                        "thread": 1,
                        "value": {
                          "number": 2,
                          "type": "Entry"
                        },
                        "what": "argument 2 of put()"
                      },
                      "name": "Map.get()",
                      "value": {
                        "number": 2,
                        "type": "Entry"
                      }
                    }
                  ],
                  "place": {
                    "class": "Main",
                    "file": "Main.java",
                    "line": 40,
                    "name": "Main.main:40"
                  },
                  "source": "Entry found = byText.get(\"x\");",
                  "step": 29,
                  "thread": 1,
                  "value": {
                    "number": 2,
                    "type": "Entry"
                  },
                  "what": "found"
                }
              ],
              "kind": "variable"
            }
            exit code 0
        "#]],
    );
}

#[test]
fn shared_values_of_lists_were_put_there_at_their_position() {
    let sandbox = recorded_program(SHARED, "5\n");
    check(
        &sandbox,
        "4 first",
        &expect![[r#"
              4  Main.main:9  Integer first = list.get(0);  first = 5
          List.get() = 5  from step 2  Main.main:7  list.add(5);
        exit code 0
    "#]],
    );
}

#[test]
fn shared_values_may_have_been_put_there_before() {
    let sandbox = recorded_program(SORTED, "5\n");
    check(
        &sandbox,
        "5 first",
        &expect![[r#"
                  5  Main.main:10  Integer first = list.get(0);  first = 5
              List.get() = 5  put there by one of
                step 3  Main.main:8  list.add(5);
                step 2  Main.main:7  list.add(5);
                given another order in step 4  Main.main:9  Collections.sort(list);
            exit code 0
        "#]],
    );
}

#[test]
fn shared_values_of_maps_were_put_there_under_their_key() {
    let sandbox = recorded_program(KEYED, "5\n");
    check(
        &sandbox,
        "4 first",
        &expect![[r#"
              4  Main.main:9  Integer first = map.get("a");  first = 5
          Map.get() = 5  from step 2  Main.main:7  map.put("a", 5);
        exit code 0
    "#]],
    );
}

#[test]
fn slices() {
    let sandbox = recorded();
    check(
        &sandbox,
        "34 label --slice",
        &expect![[r#"
            Main.parse
                 12  return Integer.parseInt(text);  step 16  could have changed Entry.isMarked
            Main.label
                 16  return entry.text.isEmpty() ? "" : null;  step 33
            Main.main
                 24  List<Entry> list = new ArrayList<>();  step 1
                 25  list.add(new Entry("1"));  step 2
                 26  list.add(new Entry("x"));  step 4
                 27  for (Entry entry : list) {  3 steps, the last 20  could have changed Entry.isMarked, contents
                 28  entry.isMarked = true;  step 14
                 30  int number = parse(entry.text);  step 15
                 36  Map<String, Entry> byText = new HashMap<>();  step 21
                 37  for (Entry entry : list) {  3 steps, the last 28  could have changed contents
                 38  byText.put(entry.text, entry);  2 steps, the last 26
                 40  Entry found = byText.get("x");  step 29
                 42  if (found.isMarked) {  step 31
                 43  label = label(found);  step 32
            Entry.<init>
                  8  Entry(String text) { this.text = text; }  2 steps, the last 5
            whydunit: 21 steps in 15 lines
            exit code 0
        "#]],
    );
    check(
        &sandbox,
        "34 label --slice --actual",
        &expect![[r#"
        Main.label
             16  return entry.text.isEmpty() ? "" : null;  step 33
        Main.main
             24  List<Entry> list = new ArrayList<>();  step 1
             25  list.add(new Entry("1"));  step 2
             26  list.add(new Entry("x"));  step 4
             27  for (Entry entry : list) {  2 steps, the last 13
             28  entry.isMarked = true;  step 14
             36  Map<String, Entry> byText = new HashMap<>();  step 21
             37  for (Entry entry : list) {  2 steps, the last 25
             38  byText.put(entry.text, entry);  2 steps, the last 26
             40  Entry found = byText.get("x");  step 29
             42  if (found.isMarked) {  step 31
             43  label = label(found);  step 32
        Entry.<init>
              8  Entry(String text) { this.text = text; }  2 steps, the last 5
        whydunit: 17 steps in 13 lines
        exit code 0
    "#]],
    );
    check(
        &sandbox,
        "29 found --slice --thin",
        &expect![[r#"
            Main.main
                 26  list.add(new Entry("x"));  step 4
                 37  for (Entry entry : list) {  step 25
                 38  byText.put(entry.text, entry);  step 26
                 40  Entry found = byText.get("x");  step 29
            whydunit: 4 steps in 4 lines
            exit code 0
        "#]],
    );
    check(
        &sandbox,
        "29 found --slice --thin --json",
        &expect![[r#"
            {
              "answers": [
                {
                  "lines": [
                    {
                      "place": {
                        "class": "Main",
                        "file": "Main.java",
                        "line": 26,
                        "name": "Main.main:26"
                      },
                      "source": "list.add(new Entry(\"x\"));",
                      "step": 4,
                      "steps": 1,
                      "thread": 1
                    },
                    {
                      "place": {
                        "class": "Main",
                        "file": "Main.java",
                        "line": 37,
                        "name": "Main.main:37"
                      },
                      "source": "for (Entry entry : list) {",
                      "step": 25,
                      "steps": 1,
                      "thread": 1
                    },
                    {
                      "place": {
                        "class": "Main",
                        "file": "Main.java",
                        "line": 38,
                        "name": "Main.main:38"
                      },
                      "source": "byText.put(entry.text, entry);",
                      "step": 26,
                      "steps": 1,
                      "thread": 1
                    },
                    {
                      "place": {
                        "class": "Main",
                        "file": "Main.java",
                        "line": 40,
                        "name": "Main.main:40"
                      },
                      "source": "Entry found = byText.get(\"x\");",
                      "step": 29,
                      "steps": 1,
                      "thread": 1
                    }
                  ],
                  "steps": [
                    4,
                    25,
                    26,
                    29
                  ],
                  "unknown": []
                }
              ],
              "kind": "slice"
            }
            exit code 0
        "#]],
    );
}

#[test]
fn lines_that_did_not_run() {
    let sandbox = recorded();
    check(
        &sandbox,
        "--not Main.java:20",
        &expect![[r#"
        Main.never:20  System.out.println("never");
          Main.never was not entered, and no recorded code calls it
        exit code 0
    "#]],
    );
    check(
        &sandbox,
        "17 --not Main.java:31",
        &expect![[r#"
            Main.main:31  entry.isMarked = number > 5;
              an exception came before, from step 16  Main.parse:12  return Integer.parseInt(text);
                text = "x"  from step 15  Main.main:30  int number = parse(entry.text);
            exit code 0
        "#]],
    );
    check(
        &sandbox,
        "--not Main.java:31",
        &expect![[r#"
            Main.main:31  entry.isMarked = number > 5;
              it did run, the last time in step 10
              a step narrows it to one call: `whydunit why STEP --not Main.java:31`
            exit code 1
        "#]],
    );
    check(
        &sandbox,
        "10 --not Main.java:33",
        &expect![[r#"
            Main.main:33  arguments = null;
              it handles an exception, and none came
            exit code 0
        "#]],
    );
    check(
        &sandbox,
        "17 --not Main.java:31 --json",
        &expect![[r#"
            {
              "answers": [
                {
                  "because_of": {
                    "kind": "unrecorded",
                    "made_of": [
                      {
                        "from": {
                          "kind": "argument",
                          "place": {
                            "class": "Main",
                            "file": "Main.java",
                            "line": 30,
                            "name": "Main.main:30"
                          },
                          "source": "int number = parse(entry.text);",
                          "step": 15,
                          "thread": 1,
                          "value": {
                            "length": 1,
                            "text": "x",
                            "type": "String"
                          },
                          "what": "text"
                        },
                        "name": "text",
                        "value": {
                          "length": 1,
                          "text": "x",
                          "type": "String"
                        }
                      }
                    ],
                    "place": {
                      "class": "Main",
                      "file": "Main.java",
                      "line": 12,
                      "name": "Main.parse:12"
                    },
                    "source": "return Integer.parseInt(text);",
                    "step": 16,
                    "thread": 1,
                    "what": "Integer.parseInt()"
                  },
                  "place": {
                    "class": "Main",
                    "file": "Main.java",
                    "line": 31,
                    "name": "Main.main:31"
                  },
                  "reason": "exception",
                  "source": "entry.isMarked = number > 5;"
                }
              ],
              "kind": "not"
            }
            exit code 0
        "#]],
    );
}

#[test]
fn lines_behind_a_loop_that_was_left_by_a_return() {
    let sandbox = Sandbox::new();
    let program = r#"
public class Main {
    static int until(int[] values, int limit) {
        int sum = 0;
        for (int value : values) {
            if (value < 0)
                break;
            sum += value;
            if (sum > limit)
                return sum;
        }
        sum += 1000;
        return sum;
    }

    static int marked(int[] values) {
        int found = 0;
        for (int value : values) {
            if (value > 100)
                found++;
        }
        return found;
    }

    public static void main(String[] arguments) {
        System.out.println(until(new int[] {5, 6, 7}, 10));
        System.out.println(marked(new int[] {1, 2}));
    }
}
"#;
    sandbox.record("Main", program, &[]);
    let check = |arguments: &[&str], expected: Expect| expected.assert_eq(&sandbox.transcript(arguments));
    check(
        &["why", "--not", "Main.java:12"],
        expect![[r#"
        Main.until:12  sum += 1000;
          did not run because of step 11  Main.until:9  if (sum > limit)
            sum:11 > limit:10
            sum = 11  from step 10  Main.until:8  sum += value;
            limit = 10  from step 1  Main.main:26  System.out.println(until(new int[] {5, 6, 7}, 10));
        exit code 0
    "#]],
    );
    check(
        &["why", "--not", "Main.java:20"],
        expect![[r#"
        Main.marked:20  found++;
          did not run because of step 19  Main.marked:19  if (value > 100)
            value:2 <= 100
            value = 2  from step 18  Main.marked:18  for (int value : values) {
        exit code 0
    "#]],
    );
}

#[test]
fn what_is_not_there() {
    let sandbox = recorded();
    check(
        &sandbox,
        "4711",
        &expect![[r#"
            error: there is no step 4711
            hint: the run has steps 1 to 35
            exit code 2
        "#]],
    );
    // What the step has nothing to do with: its last change before the step.
    check(
        &sandbox,
        "34 byText",
        &expect![[r#"
             21  Main.main:36  Map<String, Entry> byText = new HashMap<>();  byText = <HashMap:1>
        exit code 0
    "#]],
    );
    let json = sandbox.run(&["why", "34", "byText", "--json"]).stdout;
    let json: serde_json::Value = serde_json::from_slice(&json).expect("JSON");
    let change = &json["answers"][0];
    assert_eq!((&change["place"]["name"], &change["kind"]), (&"Main.main:36".into(), &"variable".into()));
    check(
        &sandbox,
        "34 lable",
        &expect![[r#"
        error: step 34 neither reads nor writes `lable`
        hint: did you mean `label`?
        exit code 2
    "#]],
    );
    check(
        &sandbox,
        "--not Main.java:2",
        &expect![[r#"
        error: there is no recorded code in line `Main.java:2`
        hint: did you mean `Main.java:4`, `Main.java:8`?
        exit code 2
    "#]],
    );
    check(
        &sandbox,
        "34 --not Main.java:12",
        &expect![[r#"
        error: no call on the stack of this step has line Main.java:12
        hint: ask for the whole run: `whydunit why --not Main.java:12`
        exit code 2
    "#]],
    );
}

/// Two tests fail long before the end of their thread; the last one does not apply.
#[test]
fn failures_of_a_long_thread_and_tests_that_were_skipped() {
    let sandbox = Sandbox::new();
    sandbox.compile(
        "TestAbortedException",
        "package org.opentest4j; public class TestAbortedException extends RuntimeException {}",
    );
    let program = r#"
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

public class Main {
    static void first() { throw new IllegalStateException("one"); }

    static void second() { throw new IllegalStateException("two"); }

    static void third() {
        long sum = 0;
        for (int round = 0; round < 3_000_000; round++) sum += round;
        if (sum > 0) throw new org.opentest4j.TestAbortedException();
    }

    public static void main(String[] arguments) throws InterruptedException {
        ExecutorService tests = Executors.newSingleThreadExecutor();
        // In one line, so that no step of this thread starts while the other runs.
        tests.submit(Main::first); tests.submit(Main::second); tests.submit(Main::third); tests.shutdown(); tests.awaitTermination(1, TimeUnit.HOURS);
    }
}
"#;
    sandbox.record("Main", program, &[]);
    let check = |arguments: &[&str], expected: Expect| expected.assert_eq(&sandbox.transcript(arguments));
    check(
        &["why", "--exception"],
        expect![[r#"
            <IllegalStateException:2> "two" was thrown in step 4  Main.second:9  static void second() { throw new IllegalStateException("two"); }
              called by step 2 in thread main  Main.main:20  tests.submit(Main::first); tests.submit(Main::second); tests.submit(Main::third); tests.shutdown(); tests.awaitTermination(1, TimeUnit.HOURS);
                Executors.newSingleThreadExecutor() = <FinalizableDelegatedExecutorService:1>  from step 1 in thread main  Main.main:18  ExecutorService tests = Executors.newSingleThreadExecutor();
            whydunit: 2 exceptions left recorded code; `--exception N` tells of another one:
            whydunit:   1  Main.first  <IllegalStateException:1> "one"  step 3
            whydunit: → 2  Main.second  <IllegalStateException:2> "two"  step 4
            exit code 0
        "#]],
    );
    check(
        &["why", "--exception", "first"],
        expect![[r#"
            <IllegalStateException:1> "one" was thrown in step 3  Main.first:7  static void first() { throw new IllegalStateException("one"); }
              called by step 2 in thread main  Main.main:20  tests.submit(Main::first); tests.submit(Main::second); tests.submit(Main::third); tests.shutdown(); tests.awaitTermination(1, TimeUnit.HOURS);
                Executors.newSingleThreadExecutor() = <FinalizableDelegatedExecutorService:1>  from step 1 in thread main  Main.main:18  ExecutorService tests = Executors.newSingleThreadExecutor();
            whydunit: 2 exceptions left recorded code; `--exception N` tells of another one:
            whydunit: → 1  Main.first  <IllegalStateException:1> "one"  step 3
            whydunit:   2  Main.second  <IllegalStateException:2> "two"  step 4
            exit code 0
        "#]],
    );
}

#[test]
fn several_failures() {
    let sandbox = Sandbox::new();
    let program = r#"
public class Main {
    static class Refused extends RuntimeException {
        Refused(String reason) { super("refused: " + reason); }
    }

    static void first() { throw new IllegalStateException("one"); }

    static void second() { throw new Refused("two"); }

    static int third(int[] values) { return values[2]; }

    static void run(Runnable task) throws InterruptedException {
        Thread thread = new Thread(task);
        thread.setUncaughtExceptionHandler((of, exception) -> {});
        // In one line, so that no step of this thread starts while the other runs.
        thread.start(); thread.join();
    }

    public static void main(String[] arguments) throws InterruptedException {
        run(() -> first());
        run(() -> second());
        run(() -> third(new int[2]));
    }
}
"#;
    sandbox.record("Main", program, &[]);
    let check = |arguments: &[&str], expected: Expect| expected.assert_eq(&sandbox.transcript(arguments));
    check(
        &["why", "--exception"],
        expect![[r#"
            <ArrayIndexOutOfBoundsException:1> was thrown in step 23  Main.third:11  static int third(int[] values) { return values[2]; }
              values = <int[]:1> of length 2  from step 22  Main.lambda$main$3:23  run(() -> third(new int[2]));
              called by step 22  Main.lambda$main$3:23  run(() -> third(new int[2]));
            whydunit: 3 exceptions left recorded code; `--exception N` tells of another one:
            whydunit:   1  Main.lambda$main$1  <IllegalStateException:1> "one"  step 6
            whydunit:   2  Main.lambda$main$2  <Refused:1> "refused: two"  step 14
            whydunit: → 3  Main.lambda$main$3  <ArrayIndexOutOfBoundsException:1>  step 23
            exit code 0
        "#]],
    );
    check(
        &["why", "--exception", "2"],
        expect![[r#"
            <Refused:1> "refused: two" was thrown in step 14  Main.second:9  static void second() { throw new Refused("two"); }
              called by step 13  Main.lambda$main$2:22  run(() -> second());
            whydunit: 3 exceptions left recorded code; `--exception N` tells of another one:
            whydunit:   1  Main.lambda$main$1  <IllegalStateException:1> "one"  step 6
            whydunit: → 2  Main.lambda$main$2  <Refused:1> "refused: two"  step 14
            whydunit:   3  Main.lambda$main$3  <ArrayIndexOutOfBoundsException:1>  step 23
            exit code 0
        "#]],
    );
    check(
        &["why", "--exception", "lambda$main$1"],
        expect![[r#"
            <IllegalStateException:1> "one" was thrown in step 6  Main.first:7  static void first() { throw new IllegalStateException("one"); }
              called by step 5  Main.lambda$main$1:21  run(() -> first());
            whydunit: 3 exceptions left recorded code; `--exception N` tells of another one:
            whydunit: → 1  Main.lambda$main$1  <IllegalStateException:1> "one"  step 6
            whydunit:   2  Main.lambda$main$2  <Refused:1> "refused: two"  step 14
            whydunit:   3  Main.lambda$main$3  <ArrayIndexOutOfBoundsException:1>  step 23
            exit code 0
        "#]],
    );
    check(
        &["why", "--exception", "7"],
        expect![[r#"
            error: there is no exception 7 among the 3 that left recorded code
            hint: to see them: `whydunit why --exception`
            exit code 2
        "#]],
    );
}
