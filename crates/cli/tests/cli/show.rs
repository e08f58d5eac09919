//! One step. Needs a JDK on the PATH.

use crate::sandbox::{Sandbox, without_ids};
use expect_test::{Expect, expect};
use serde_json::Value;

const COUNTER: &str = r#"
public class Counter {
    private int count;
    private Counter next;
    static String last;

    int add(int by) {
        int before = count;
        count += by;
        if (count > 5 && next != null) {
            next.add(count - 5);
        }
        return before;
    }

    static int[] spread(int[] given, String name) {
        given[1] = given[0]++;
        last = name + given[1];
        if (name == null) throw new IllegalStateException();
        return given;
    }

    public static void main(String[] arguments) throws Exception {
        Counter counter = new Counter();
        counter.next = new Counter();
        counter.add(3);
        counter.add(4);
        spread(new int[] {7, 8}, "x");
        try {
            spread(new int[2], null);
        } catch (IllegalStateException e) {
            System.out.println(last);
        }
        Thread other = new Thread(() -> counter.add(10), "other");
        other.start(); other.join(); // one step, or their order would be chance
        System.out.println(counter.count);
    }
}
"#;

#[test]
fn what_a_step_did() {
    let sandbox = Sandbox::new();
    sandbox.record("Counter", COUNTER, &[]);
    let step_at = |line: &str, which: usize| {
        let output = sandbox.run(&["dump", "--line", line, "--json"]);
        let events = output.stdout.split(|&byte| byte == b'\n').flat_map(serde_json::from_slice::<Value>);
        let mut steps = events.filter(|event| event["event"] == "step").filter_map(|event| event["step"].as_u64());
        steps.nth(which).expect("such a step").to_string()
    };
    let show = |step: &str, more: &[&str]| sandbox.transcript(&[&["show", step], more].concat());
    // A field that was written before.
    expect![[r#"
        Counter.add:9  step 12 of 44, thread main

           6  
           7      int add(int by) {
           8          int before = count;
        →  9          count += by;
          10          if (count > 5 && next != null) {
          11              next.add(count - 5);
          12          }

        written
          this:<Counter:1>.count: 3 → 7

        read
          this:<Counter:1>.count = 3
          by = 4

        then
          to line 10  step 13

        stack
          12  Counter.add:9
          10  Counter.main:27

        variables
          this = <Counter:1>
          by = 4
          before = 3

        <Counter:1>
          count = 3  read at step 11
          next = <Counter:2>  written at step 3
        exit code 0
    "#]]
    .assert_eq(&show(&step_at("9", 1), &[]));
    // A call, and where control goes.
    expect![[r#"
        Counter.add:11  step 14 of 44, thread main

           8          int before = count;
           9          count += by;
          10          if (count > 5 && next != null) {
        → 11              next.add(count - 5);
          12          }
          13          return before;
          14      }

        called
          <Counter:2>.add(by:2) => 0  from step 15

        read
          this:<Counter:1>.next = <Counter:2>
          this:<Counter:1>.count = 7

        then
          to line 13  step 19

        stack
          14  Counter.add:11
          10  Counter.main:27

        variables
          this = <Counter:1>
          by = 4
          before = 3

        <Counter:1>
          count = 7  read at step 13
          next = <Counter:2>  read at step 13

        <Counter:2>
          count = 0  read later, at step 15
          next = null  read later, at step 40
        exit code 0
    "#]]
    .assert_eq(&show(&step_at("11", 0), &["--depth", "2"]));
    expect![[r#"
        Counter.add:13  step 9 of 44, thread main

          10          if (count > 5 && next != null) {
          11              next.add(count - 5);
          12          }
        → 13          return before;
          14      }
          15  
          16      static int[] spread(int[] given, String name) {

        read
          before = 0

        then
          returns 0 to Counter.main:26

        stack
          9  Counter.add:13
          5  Counter.main:26

        variables
          this = <Counter:1>
          by = 3
          before = 0
        exit code 0
    "#]]
    .assert_eq(&show(&step_at("13", 0), &["--depth", "0"]));
    // Elements and a static field.
    expect![[r#"
        Counter.spread:17  step 21 of 44, thread main

          14      }
          15  
          16      static int[] spread(int[] given, String name) {
        → 17          given[1] = given[0]++;
          18          last = name + given[1];
          19          if (name == null) throw new IllegalStateException();
          20          return given;

        written
          given:<int[]:1>[0]: 7 → 8
          given:<int[]:1>[1]: 8 → 7  written before at step 20

        read
          given = <int[]:1>
          given:<int[]:1>[0] = 7

        then
          to line 18  step 22

        stack
          21  Counter.spread:17
          20  Counter.main:28

        variables
          given = <int[]:1>
          name = "x"

        <int[]:1>, length 2
          [0] = 7  written at step 20
          [1] = 8  written at step 20
        exit code 0
    "#]]
    .assert_eq(&show(&step_at("17", 0), &["--object", "<int[]:1>"]));
    expect![[r#"
        Counter.spread:18  step 27 of 44, thread main

          15  
          16      static int[] spread(int[] given, String name) {
          17          given[1] = given[0]++;
        → 18          last = name + given[1];
          19          if (name == null) throw new IllegalStateException();
          20          return given;
          21      }

        written
          Counter.last: "x7" → "null0"  written before at step 22

        called
          makeConcatWithConstants(name:null, 0) => "null0"

        read
          name = null
          given = <int[]:2>
          given:<int[]:2>[1] = 0

        then
          to line 19  step 28

        stack
          27  Counter.spread:18
          25  Counter.main:30

        variables
          given = <int[]:2>
          name = null
        exit code 0
    "#]]
    .assert_eq(&show(&step_at("18", 1), &[]));
    // An exception.
    expect![[r#"
        Counter.spread:19  step 28 of 44, thread main

          16      static int[] spread(int[] given, String name) {
          17          given[1] = given[0]++;
          18          last = name + given[1];
        → 19          if (name == null) throw new IllegalStateException();
          20          return given;
          21      }
          22  

        called
          new IllegalStateException() => <IllegalStateException:1>

        read
          name = null

        done
          if (name:null == null)
          throw <IllegalStateException:1>

        then
          throws <IllegalStateException:1> to Counter.main:30

        stack
          28  Counter.spread:19
          25  Counter.main:30

        variables
          given = <int[]:2>
          name = null
        exit code 0
    "#]]
    .assert_eq(&show(&step_at("19", 1), &[]));
    // What another thread wrote.
    expect![[r#"
        Counter.main:36  step 43 of 44, thread main

          33          }
          34          Thread other = new Thread(() -> counter.add(10), "other");
          35          other.start(); other.join(); // one step, or their order would be chance
        → 36          System.out.println(counter.count);
          37      }
          38  }

        called
          <PrintStream:1>.println(17)

        read
          System.out = <PrintStream:1>
          counter = <Counter:1>
          counter:<Counter:1>.count = 17

        then
          to line 37  step 44

        stack
          43  Counter.main:36

        variables
          arguments = <String[]:1>
          counter = <Counter:1>
          other = <Thread:1>

        <Counter:1>
          count = 17  read at step 37
          next = <Counter:2>  read at step 37
        exit code 0
    "#]]
    .assert_eq(&show(&step_at("36", 0), &["--object", "<Counter:1>"]));
    let output = sandbox.run(&["show", &step_at("9", 1), "--json"]);
    let mut answer: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    without_ids(&mut answer);
    expect![[r#"
        {
          "effects": [
            {
              "call_step": null,
              "details": {
                "field": "count",
                "object": {
                  "number": 1,
                  "type": "Counter"
                },
                "owner": "Counter",
                "value": 3
              },
              "event": "field_read",
              "kind": "read",
              "old": null,
              "old_known": false,
              "old_step": null,
              "text": "this:<Counter:1>.count",
              "value": 3
            },
            {
              "call_step": null,
              "details": null,
              "event": null,
              "kind": "read",
              "old": null,
              "old_known": false,
              "old_step": null,
              "text": "by",
              "value": 4
            },
            {
              "call_step": null,
              "details": {
                "field": "count",
                "object": {
                  "number": 1,
                  "type": "Counter"
                },
                "owner": "Counter",
                "value": 7
              },
              "event": "field_written",
              "kind": "written",
              "old": 3,
              "old_known": true,
              "old_step": null,
              "text": "this:<Counter:1>.count",
              "value": 7
            }
          ],
          "effects_complete": true,
          "next": {
            "kind": "step",
            "line": 10,
            "step": 13
          },
          "objects": [
            {
              "length": null,
              "object": {
                "number": 1,
                "type": "Counter"
              },
              "parts": [
                {
                  "changed_between": null,
                  "known": {
                    "from": "read",
                    "step": 11,
                    "value": 3
                  },
                  "may_have_changed": null,
                  "name": "count",
                  "owner": "Counter"
                },
                {
                  "changed_between": null,
                  "known": {
                    "from": "written",
                    "step": 3,
                    "value": {
                      "number": 2,
                      "type": "Counter"
                    }
                  },
                  "may_have_changed": null,
                  "name": "next",
                  "owner": "Counter"
                }
              ]
            }
          ],
          "place": {
            "class": "Counter",
            "file": "Counter.java",
            "line": 9,
            "name": "Counter.add:9"
          },
          "source": [
            {
              "current": false,
              "line": 6,
              "text": ""
            },
            {
              "current": false,
              "line": 7,
              "text": "    int add(int by) {"
            },
            {
              "current": false,
              "line": 8,
              "text": "        int before = count;"
            },
            {
              "current": true,
              "line": 9,
              "text": "        count += by;"
            },
            {
              "current": false,
              "line": 10,
              "text": "        if (count > 5 && next != null) {"
            },
            {
              "current": false,
              "line": 11,
              "text": "            next.add(count - 5);"
            },
            {
              "current": false,
              "line": 12,
              "text": "        }"
            }
          ],
          "stack": [
            {
              "call_back": false,
              "entered": 11,
              "place": {
                "class": "Counter",
                "file": "Counter.java",
                "line": 9,
                "name": "Counter.add:9"
              },
              "step": 12
            },
            {
              "call_back": true,
              "entered": 1,
              "place": {
                "class": "Counter",
                "file": "Counter.java",
                "line": 27,
                "name": "Counter.main:27"
              },
              "step": 10
            }
          ],
          "step": 12,
          "steps": 44,
          "thread": 1,
          "thread_name": "main",
          "variables": [
            {
              "name": "this",
              "slot": 0,
              "value": {
                "number": 1,
                "type": "Counter"
              }
            },
            {
              "name": "by",
              "slot": 1,
              "value": 4
            },
            {
              "name": "before",
              "slot": 2,
              "value": 3
            }
          ]
        }"#]]
    .assert_eq(&serde_json::to_string_pretty(&answer).expect("JSON"));
}

#[test]
fn without_a_source() {
    let sandbox = Sandbox::new();
    sandbox.record("Counter", COUNTER, &[]);
    for run in std::fs::read_dir(sandbox.path().join(".whydunit/runs"))
        .expect("runs")
        .flatten()
        .filter(|run| run.path().is_dir())
    {
        std::fs::remove_dir_all(run.path().join("sources")).expect("sources are kept");
    }
    let shown = sandbox.transcript(&["show", "3", "--depth", "0"]);
    expect![[r#"
        Counter.main:25  step 3 of 44, thread main

          there is no source: line 25 of Counter.java

        written
          counter:<Counter:1>.next = <Counter:2>

        called
          new Counter() => <Counter:2>  from step 4

        read
          counter = <Counter:1>

        then
          to line 26  step 5

        stack
          3  Counter.main:25

        variables
          arguments = <String[]:1>
          counter = <Counter:1>
        exit code 0
    "#]]
    .assert_eq(&shown);
}

#[test]
fn mistakes() {
    let sandbox = Sandbox::new();
    sandbox.record("Counter", COUNTER, &[]);
    for (arguments, expected) in [
        (
            &["0"][..],
            expect![[r#"
                error: there is no step 0
                hint: the run has steps 1 to 44
                exit code 2
            "#]],
        ),
        (
            &["123456789"],
            expect![[r#"
                error: there is no step 123456789
                hint: the run has steps 1 to 44
                exit code 2
            "#]],
        ),
        (
            &["x"],
            expect![[r#"
                error: `x` is neither a step nor a line
                hint: write the number of a step, or a line as `Cart.java:31`
                exit code 2
            "#]],
        ),
        (
            &["3", "--object", "<Cuonter:1>"],
            expect![[r#"
                error: no recorded object is of a type called `Cuonter`
                hint: did you mean `Counter`?
                exit code 2
            "#]],
        ),
    ] {
        expected.assert_eq(&sandbox.transcript(&[&["show"], arguments].concat()));
    }
}

/// The iterator of the loop was where the number is later.
#[test]
fn a_new_variable_has_no_old_value() {
    let sandbox = Sandbox::new();
    let program = r#"
public class Main {
    public static void main(String[] arguments) {
        for (String name : java.util.List.of("one"))
            System.out.println(name);
        int size = 2;
        size += arguments.length + 1;
        System.out.println(size);
    }
}
"#;
    sandbox.record("Main", program, &[]);
    let check = |step: &str, expected: Expect| expected.assert_eq(&sandbox.transcript(&["show", step]));
    check(
        "4",
        expect![[r#"
        Main.main:6  step 4 of 7, thread main

          3      public static void main(String[] arguments) {
          4          for (String name : java.util.List.of("one"))
          5              System.out.println(name);
        → 6          int size = 2;
          7          size += arguments.length + 1;
          8          System.out.println(size);
          9      }

        written
          size = 2

        then
          to line 7  step 5

        stack
          4  Main.main:6

        variables
          arguments = <String[]:1>
        exit code 0
    "#]],
    );
    check(
        "5",
        expect![[r#"
        Main.main:7  step 5 of 7, thread main

           4          for (String name : java.util.List.of("one"))
           5              System.out.println(name);
           6          int size = 2;
        →  7          size += arguments.length + 1;
           8          System.out.println(size);
           9      }
          10  }

        written
          size: 2 → 3

        read
          size = 2
          arguments = <String[]:1>

        then
          to line 8  step 6

        stack
          5  Main.main:7

        variables
          arguments = <String[]:1>
          size = 2
        exit code 0
    "#]],
    );
}
