//! The run as a tree. Needs a JDK on the PATH.

use crate::sandbox::{Sandbox, without_ids};
use expect_test::expect;
use serde_json::Value;
use whydunit_testkit::workspace_dir;

/// A program whose output is wrong because of what it does not do.
fn file_lister() -> Sandbox {
    let sandbox = Sandbox::new();
    let source = std::fs::read_to_string(workspace_dir().join("tests/programs/FileLister.java")).expect("a program");
    sandbox.record("FileLister", &source, &["a", "b"]);
    sandbox
}

#[test]
fn calls_and_events() {
    let sandbox = file_lister();
    expect![[r#"
            ▼ main
         1    ▼ FileLister.main(args:<String[]:1>) [14]
         2      ▼ new FileLister() => <FileLister:1> [14]
         2          return [7]
         3      ▼ <FileLister:1>.run(args:<String[]:1>) [14]
         4        ▼ this:<FileLister:1>.init() [18]
         4            new File(".") => <File:1> [27]
         4            this:<FileLister:1>.dir = <File:1> [27]
         5            new ArrayList() => <ArrayList:1> [28]
         5            this:<FileLister:1>.list = <ArrayList:1> [28]
         6            new ArrayList() => <ArrayList:2> [29]
         6            this:<FileLister:1>.args = <ArrayList:2> [29]
         7            this:<FileLister:1>.active = false [30]
         8            return [31]
        10        ▼ this:<FileLister:1>.setArgs(given:<String[]:1>) [19]
        10          ▶ loop [34] iteration 1 of 2
        13          ▶ loop [34] iteration 2 of 2
        16            if (2 >= 2) [34]
        17            return [37]
        18          this:<FileLister:1>.active => false [20]
        18          if (this.active:false) [20]
        20        ▼ this:<FileLister:1>.printItems() [23]
        20            this:<FileLister:1>.list => shown:<ArrayList:1> [47]
        21            System.out => <PrintStream:1> [48]
        21            shown:<ArrayList:1>.toString() => "[]" [48]
        21            <PrintStream:1>.println("[]") [48]
        22            return [49]
        23          return [24]
        24        return [15]
        exit code 0
    "#]]
    .assert_eq(&sandbox.transcript(&["tree"]));
    // A call, open at a step, with the iteration that the step is in.
    expect![[r#"
            ▼ main
         1    ▼ FileLister.main(args:<String[]:1>) [14]
         3      ▼ <FileLister:1>.run(args:<String[]:1>) [14]
        10        ▼ this:<FileLister:1>.setArgs(given:<String[]:1>) [19]
        10          ▶ loop [34] iteration 1 of 2
        13          ▼ loop [34] iteration 2 of 2
        13              if (1 < 2) [34]
        13              <String[]:1>[1] => one:"b" [34]
        14              args.add(one); [35] ←
        14              this:<FileLister:1>.args => <ArrayList:2> [35] ←
        14              <ArrayList:2>.add(one:"b") => true [35] ←
        16            if (2 >= 2) [34]
        17            return [37]
        exit code 0
    "#]]
    .assert_eq(&sandbox.transcript(&["tree", "--step", "14"]));
    // A step that starts an iteration.
    expect![[r#"
            ▼ main
         1    ▼ FileLister.main(args:<String[]:1>) [14]
         3      ▼ <FileLister:1>.run(args:<String[]:1>) [14]
        10        ▼ this:<FileLister:1>.setArgs(given:<String[]:1>) [19]
        10          ▶ loop [34] iteration 1 of 2
        13          ▼ loop [34] iteration 2 of 2
        13              for (String one : given) { [34] ←
        13              if (1 < 2) [34] ←
        13              <String[]:1>[1] => one:"b" [34] ←
        14              this:<FileLister:1>.args => <ArrayList:2> [35]
        14              <ArrayList:2>.add(one:"b") => true [35]
        16            if (2 >= 2) [34]
        17            return [37]
        exit code 0
    "#]]
    .assert_eq(&sandbox.transcript(&["tree", "--step", "13"]));
    expect![[r#"
            ▼ main
         1    ▼ FileLister.main(args:<String[]:1>) [14]
         2      ▶ new FileLister() => <FileLister:1> [14]
         3      ▶ <FileLister:1>.run(args:<String[]:1>) [14]
        24        return [15]
        exit code 0
    "#]]
    .assert_eq(&sandbox.transcript(&["tree", "--depth", "1"]));
    expect![[r#"
            ▼ main
         1    ▼ FileLister.main(args:<String[]:1>) [14]
         2      ▼ new FileLister() => <FileLister:1> [14]
         2          return [7]
         3      ▶ <FileLister:1>.run(args:<String[]:1>) [14]
        24        return [15]
        exit code 0
    "#]]
    .assert_eq(&sandbox.transcript(&["tree", "--limit", "8"]));
    expect![[r#"
            ▼ main
         1    ▼ FileLister.main(args:<String[]:1>) [14]
         3      ▼ <FileLister:1>.run(args:<String[]:1>) [14]
         4        ▼ this:<FileLister:1>.init() [18]
         6            new ArrayList() => <ArrayList:2> [29]
         6            this:<FileLister:1>.args = <ArrayList:2> [29]
        10        ▼ this:<FileLister:1>.setArgs(given:<String[]:1>) [19]
        11            this:<FileLister:1>.args => <ArrayList:2> [35]
        11            <ArrayList:2>.add(one:"a") => true [35]
        14            this:<FileLister:1>.args => <ArrayList:2> [35]
        14            <ArrayList:2>.add(one:"b") => true [35]
        exit code 0
    "#]]
    .assert_eq(&sandbox.transcript(&["tree", "--object", "<ArrayList:2>"]));
}

#[test]
fn as_json() {
    let sandbox = file_lister();
    let output = sandbox.run(&["tree", "--method", "FileLister.setArgs", "--json"]);
    let tree: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let mut call = tree[0]["children"][0].clone();
    without_ids(&mut call);
    expect![[r#"
        {
          "arguments": [
            {
              "name": "this",
              "slot": 0,
              "value": {
                "number": 1,
                "type": "FileLister"
              }
            },
            {
              "name": "given",
              "slot": 1,
              "value": {
                "number": 1,
                "type": "String[]"
              }
            }
          ],
          "call_back": false,
          "children": [
            {
              "children": [],
              "file": "FileLister.java",
              "focus": false,
              "folded": true,
              "iteration": 1,
              "iterations": 2,
              "kind": "iteration",
              "line": 34,
              "step": 10,
              "text": "loop [34] iteration 1 of 2",
              "thread": 1
            },
            {
              "children": [],
              "file": "FileLister.java",
              "focus": false,
              "folded": true,
              "iteration": 2,
              "iterations": 2,
              "kind": "iteration",
              "line": 34,
              "step": 13,
              "text": "loop [34] iteration 2 of 2",
              "thread": 1
            },
            {
              "children": [],
              "compared": {
                "left": 2,
                "operator": ">=",
                "right": 2
              },
              "event": "branch",
              "file": "FileLister.java",
              "focus": false,
              "folded": false,
              "jumps": true,
              "kind": "event",
              "line": 34,
              "step": 16,
              "text": "if (2 >= 2)",
              "thread": 1,
              "to_line": 37
            },
            {
              "children": [],
              "event": "return",
              "file": "FileLister.java",
              "focus": false,
              "folded": false,
              "kind": "event",
              "line": 37,
              "result": null,
              "step": 17,
              "text": "return",
              "thread": 1
            }
          ],
          "event": "enter",
          "file": "FileLister.java",
          "focus": false,
          "folded": false,
          "kind": "call",
          "line": 19,
          "step": 10,
          "text": "this:<FileLister:1>.setArgs(given:<String[]:1>)",
          "thread": 1
        }"#]]
    .assert_eq(&serde_json::to_string_pretty(&call).expect("JSON"));
}

const MIXTURE: &str = r#"
import java.util.*;

public class Mixture {
    static int count;
    static long[] sums = new long[2];

    static String name(Object thing, int kind) {
        switch (kind) {
            case 1: return "one";
            case 2: return thing.toString();
            default: return null;
        }
    }

    static int longest(List<String> words) {
        words.sort((a, b) -> b.length() - a.length());
        return words.get(0).length();
    }

    static synchronized void add(int by) {
        count += by;
    }

    public static void main(String[] arguments) throws Exception {
        char letter = "tea".charAt(0);
        if (letter == 't') sums[1] = 1L << 40;
        for (int i = 0; i < 9; i++) {
            if (sums[1] > 100L) add(i);
        }
        try {
            name(null, 2);
        } catch (NullPointerException e) {
            name(e, 1);
        }
        longest(new ArrayList<>(List.of("a", "bcd", "ef")));
        Thread other = new Thread(() -> add(100), "other");
        other.start(); other.join(); // one step, or their order would be chance
        do { add(-1); } while (count > 133);
        System.out.println(count);
    }
}
"#;

#[test]
fn exceptions_loops_call_backs_and_threads() {
    let sandbox = Sandbox::new();
    sandbox.record("Mixture", MIXTURE, &[]);
    expect![[r#"
            ▼ main
         1    ▼ Mixture.<clinit>() [6]
         1        new long[2] => <long[]:1> [6]
         1        Mixture.sums = <long[]:1> [6]
         1        return [6]
         2    ▼ Mixture.main(arguments:<String[]:1>) [26]
         2        "tea".charAt(0) => letter:'t' [26]
         3        if (letter:'t' == 't') [27]
         3        Mixture.sums => <long[]:1> [27]
         3        <long[]:1>[1] = 1099511627776 [27]
         4        i = 0 [28]
         4      ▶ loop [28] iteration 1 of 9
         9      ▶ loop [28] iteration 2 of 9
        14      ▶ loop [28] iteration 3 of 9
                  … 5 more iterations (whydunit tree --step 19)
        44      ▶ loop [28] iteration 9 of 9
        49        if (i:9 >= 9) [28]
        51      ▼ Mixture.name(thing:null, kind:2) throws <NullPointerException:1> [32]
        51          switch (kind:2) [9]
        52          throw <NullPointerException:1> [11]
        50        catch e:<NullPointerException:1> [33]
        55      ▼ Mixture.name(thing:<NullPointerException:1>, kind:1) => "one" [34]
        55          switch (kind:1) [9]
        56          return "one" [10]
        57        List.of("a", "bcd", "ef") => <ListN:1> [36]
        57        new ArrayList(<ListN:1>) => <ArrayList:1> [36]
        58      ▼ Mixture.longest(words:<ArrayList:1>) => 3 [36]
        58          lambda$longest$0 => <Mixture$$Lambda:1> [17]
        58        ▼ words:<ArrayList:1>.sort(<Mixture$$Lambda:1>) [17]
        59          ▼ Mixture.lambda$longest$0(a:"bcd", b:"a") => -2 [17]
        59              b:"a".length() => 1 [17]
        59              a:"bcd".length() => 3 [17]
        59              return -2 [17]
        60          ▼ Mixture.lambda$longest$0(a:"ef", b:"bcd") => 1 [17]
        60              b:"bcd".length() => 3 [17]
        60              a:"ef".length() => 2 [17]
        60              return 1 [17]
        61          ▼ Mixture.lambda$longest$0(a:"ef", b:"a") => -1 [17]
        61              b:"a".length() => 1 [17]
        61              a:"ef".length() => 2 [17]
        61              return -1 [17]
        62          ▼ Mixture.lambda$longest$0(a:"ef", b:"bcd") => 1 [17]
        62              b:"bcd".length() => 3 [17]
        62              a:"ef".length() => 2 [17]
        62              return 1 [17]
        63          words:<ArrayList:1>.get(0) => "bcd" [18]
        63          "bcd".length() => 3 [18]
        63          return 3 [18]
        64        lambda$main$1 => <Mixture$$Lambda:2> [37]
        64        new Thread(<Mixture$$Lambda:2>, "other") => other:<Thread:1> [37]
        65        other:<Thread:1>.start() [38]
        65        other:<Thread:1>.join() [38]
        69      ▶ loop [39] iteration 1 of 3
        72      ▶ loop [39] iteration 2 of 3
        75      ▶ loop [39] iteration 3 of 3
        78        System.out => <PrintStream:1> [40]
        78        Mixture.count => 133 [40]
        78        <PrintStream:1>.println(133) [40]
        79        return [41]
            ▼ other
        66    ▼ Mixture.lambda$main$1() [37]
        67      ▼ Mixture.add(by:100) [37]
        67          Mixture.count => 36 [22]
        67          Mixture.count = 136 [22]
        68          return [23]
        66        return [37]
        exit code 0
    "#]]
    .assert_eq(&sandbox.transcript(&["tree"]));
    // Steps of all threads have one numbering.
    expect![[r#"
            ▼ other
        66    ▼ Mixture.lambda$main$1() [37]
        67      ▼ Mixture.add(by:100) [37]
        67          Mixture.count => 36 [22]
        67          Mixture.count = 136 [22]
        68          return [23]
        66        return [37]
        exit code 0
    "#]]
    .assert_eq(&sandbox.transcript(&["tree", "--thread", "other"]));
    expect![[r#"
            ▼ main
         6    ▼ Mixture.add(by:0) [29]
         6        Mixture.count => 0 [22]
         6        Mixture.count = 0 [22]
         7        return [23]
        11    ▼ Mixture.add(by:1) [29]
        11        Mixture.count => 0 [22]
        11        Mixture.count = 1 [22]
        12        return [23]
        whydunit: there is more: show it with a larger `--limit`
        exit code 0
    "#]]
    .assert_eq(&sandbox.transcript(&["tree", "--method", "add", "--limit", "2"]));
    expect![[r#"
             67  t2     Mixture.add:22  enter Mixture.add(by = 100)
             67  t2     Mixture.add:22  step   count += by;
             67  t2     Mixture.add:22  read Mixture.count → 36
             67  t2     Mixture.add:22  write Mixture.count = 136
             68  t2     Mixture.add:23  step   }
             68  t2     Mixture.add:23  return
        exit code 0
    "#]]
    .assert_eq(&sandbox.transcript(&["dump", "--method", "add", "--thread", "other"]));
}

#[test]
fn mistakes() {
    let sandbox = file_lister();
    for (arguments, expected) in [
        (
            &["--step", "0"][..],
            expect![[r#"
            error: there is no step 0
            hint: the run has steps 1 to 24
            exit code 2
        "#]],
        ),
        (
            &["--step", "1000000"],
            expect![[r#"
                error: there is no step 1000000
                hint: the run has steps 1 to 24
                exit code 2
            "#]],
        ),
        (
            &["--method", "FileLister.ini"],
            expect![[r#"
                error: no recorded method is called `FileLister.ini`
                hint: did you mean `FileLister.init`, `FileLister.<init>`?
                exit code 2
            "#]],
        ),
        (
            &["--method", "addItem"],
            expect![[r#"
            whydunit: there is nothing to show
            exit code 1
        "#]],
        ),
        (
            &["--object", "<ArayList:1>"],
            expect![[r#"
                error: no recorded object is of a type called `ArayList`
                hint: did you mean `ArrayList`?
                exit code 2
            "#]],
        ),
        (
            &["--object", "<ArrayList:7>"],
            expect![[r#"
                error: there is no object `<ArrayList:7>` in the run: there are 2 of this type
                hint: did you mean `<ArrayList:2>`?
                exit code 2
            "#]],
        ),
        (
            &["--object", "list"],
            expect![[r#"
            error: `list` is not an object: write it as it is shown, `<ArrayList:1>`
            exit code 2
        "#]],
        ),
        (
            &["--thread", "mian"],
            expect![[r#"
            error: no thread is called `mian`
            hint: did you mean `main`?
            exit code 2
        "#]],
        ),
    ] {
        expected.assert_eq(&sandbox.transcript(&[&["tree"], arguments].concat()));
    }
}
