//! What is said of arrays and fields that unrecorded code may have written. Needs a JDK on the PATH.

use crate::sandbox::Sandbox;
use expect_test::{Expect, expect};
use whydunit_testkit::workspace_dir;

fn recorded() -> Sandbox {
    let sandbox = Sandbox::new();
    let path = workspace_dir().join("tests/programs/LibraryWrites.java");
    let source = std::fs::read_to_string(path).expect("a program");
    sandbox.record("LibraryWrites", &source, &[]);
    sandbox
}

fn step_at(sandbox: &Sandbox, line: &str) -> String {
    let found = sandbox.transcript(&["search", "--line", line]);
    found.split_whitespace().next().expect("a step").to_owned()
}

fn check(transcript: String, expected: Expect) {
    expected.assert_eq(&transcript);
}

/// What `show` says of objects, without the rest of the step.
fn objects(sandbox: &Sandbox, line: &str, objects: &[&str]) -> String {
    let step = step_at(sandbox, line);
    let mut arguments = vec!["show", &step];
    arguments.extend(objects.iter().flat_map(|object| ["--object", *object]));
    let shown = sandbox.transcript(&arguments);
    let start = objects.iter().filter_map(|object| shown.find(&format!("\n{object}"))).min();
    start.and_then(|start| shown.get(start + 1..)).unwrap_or(&shown).to_owned()
}

#[test]
fn elements_are_not_known_after_a_call_that_may_write_them() {
    let sandbox = recorded();
    check(
        objects(&sandbox, "27", &["<int[]:1>"]),
        expect![[r#"
        <int[]:1>, length 3
          [0] = 1  read later, at step 9
          [1] = ?  maybe changed by unrecorded code, Arrays.sort() at step 7
          [2] = ?  maybe changed by unrecorded code, Arrays.sort() at step 7
        exit code 0
    "#]],
    );
    check(
        objects(&sandbox, "30", &["<int[]:1>"]),
        expect![[r#"
        <int[]:1>, length 3
          [0] = ?  maybe changed by unrecorded code, System.arraycopy() at step 10
          [1] = ?  maybe changed by unrecorded code, System.arraycopy() at step 10
          [2] = ?  maybe changed by unrecorded code, Arrays.sort() at step 7
        exit code 0
    "#]],
    );
}

#[test]
fn elements_are_written_through_views_and_call_backs() {
    let sandbox = recorded();
    check(
        objects(&sandbox, "33", &["<Integer[]:1>"]),
        expect![[r#"
        <Integer[]:1>, length 3
          [0] = ?  maybe changed by unrecorded code, Collections.reverse() at step 13
          [1] = ?  maybe changed by unrecorded code, Collections.reverse() at step 13
          [2] = ?  maybe changed by unrecorded code, Collections.reverse() at step 13
        exit code 0
    "#]],
    );
    check(
        objects(&sandbox, "35", &["<String[]:2>"]),
        expect![[r#"
        <String[]:2>, length 2
          [0] = ?  maybe changed by unrecorded code, Stream.toArray() at step 15
          [1] = ?  maybe changed by unrecorded code, Stream.toArray() at step 15
        exit code 0
    "#]],
    );
}

#[test]
fn a_field_that_somebody_has_changed_unseen_is_not_known() {
    let sandbox = recorded();
    check(
        objects(&sandbox, "38", &["<Box:1>"]),
        expect![[r#"
        <Box:1>
          sorted = <int[]:1>  read at step 10
          viewed = <Integer[]:1>  read at step 12
          late = <int[]:2>  written at step 5
          value = ?  1 written at step 6, 7 read later, at step 21; changed by unrecorded code in between
        exit code 0
    "#]],
    );
    check(
        objects(&sandbox, "40", &["<Box:1>"]),
        expect![[r#"
        <Box:1>
          sorted = <int[]:1>  read at step 10
          viewed = <Integer[]:1>  read at step 12
          late = <int[]:2>  written at step 5
          value = 7  read at step 21
        exit code 0
    "#]],
    );
}

#[test]
fn why_and_history_name_the_call() {
    let sandbox = recorded();
    check(
        sandbox.transcript(&["why", &step_at(&sandbox, "27"), "box.sorted[1]"]),
        expect![[r#"
              7  LibraryWrites.main:26  Arrays.sort(box.sorted);  Arrays.sort()
          <int[]:1>[0] = 3  from step 3  Box.<init>:10  int[] sorted = {3, 1, 2};
          <int[]:1>[1] = 1  from step 3  Box.<init>:10  int[] sorted = {3, 1, 2};
          <int[]:1>[2] = 2  from step 3  Box.<init>:10  int[] sorted = {3, 1, 2};
        whydunit: Arrays.sort() may have changed it: its code is not recorded
        whydunit: recorded code wrote it last in step 3: 1
        exit code 0
    "#]],
    );
    check(
        sandbox.transcript(&["history", "<int[]:1>", "--writes"]),
        expect![[r#"
        <int[]:1>: int[], made in step 3 at Box.<init>:10; written 3 times, read once, passed twice, stored once, taken 4 times; last change in step 3 at Box.<init>:10: <int[]:1>[2] = 2; maybe changed since by code that is not recorded: System.arraycopy() in step 10
         3  Box.<init>:10          new int[3] => <int[]:1>
         3  Box.<init>:10          <int[]:1>[0] = 3 (was 0)
         3  Box.<init>:10          <int[]:1>[1] = 1 (was 0)
         3  Box.<init>:10          <int[]:1>[2] = 2 (was 0)
         7  LibraryWrites.main:26  Arrays.sort(<int[]:1>)
        10  LibraryWrites.main:29  System.arraycopy(<int[]:1>, 1, <int[]:1>, 0, 2)
        exit code 0
    "#]],
    );
    check(
        sandbox.transcript(&["history", "<int[]:1>", "--field", "[2]"]),
        expect![[r#"
        <int[]:1>: int[], made in step 3 at Box.<init>:10; written 3 times, read once, passed twice, stored once, taken 4 times; last change in step 3 at Box.<init>:10: <int[]:1>[2] = 2; maybe changed since by code that is not recorded: System.arraycopy() in step 10
        3  Box.<init>:10          <int[]:1>[2] = 2 (was 0)
        7  LibraryWrites.main:26  Arrays.sort(<int[]:1>)
        exit code 0
    "#]],
    );
}

#[test]
fn conditions_and_points_know_of_the_call() {
    let sandbox = recorded();
    check(
        sandbox.transcript(&["search", "--line", "27", "--if", "box.sorted[1] == 1"]),
        expect![[r#"
        whydunit: not known of 1 event whether the condition holds: element 1, which code that is not recorded may have changed (Arrays.sort() in step 7), is not known
        whydunit: nothing was found
        exit code 1
    "#]],
    );
    check(
        sandbox.transcript(&["search", "--line", "27", "--if", "box.sorted[0] == 1"]),
        expect![[r#"
             8  LibraryWrites.main:27  System.out.println("sorted");
        exit code 0
    "#]],
    );
    let query = ["query", "A = line LibraryWrites.java:27", "B = lastChange(A:box.sorted[1])", "show A: box.sorted[1]"];
    check(
        sandbox.transcript(&query),
        expect![[r#"
        A = line LibraryWrites.java:27
          step 8  LibraryWrites.main:27  System.out.println("sorted");
          box.sorted[1] = ?  element 1, which code that is not recorded may have changed (Arrays.sort() in step 7), is not known
        B = lastChange(A:box.sorted[1])
          step 7  LibraryWrites.main:26  Arrays.sort(box.sorted);
          <int[]:1>[1] = ?, maybe set by Arrays.sort()
          note: Arrays.sort() may have changed it: its code is not recorded
          note: recorded code wrote it last in step 3: 1
        exit code 0
    "#]],
    );
}

#[test]
fn the_call_may_be_far_back() {
    let sandbox = recorded();
    check(
        objects(&sandbox, "43", &["<int[]:2>"]),
        expect![[r#"
        <int[]:2>, length 2
          [0] = 1  written at step 5
          [1] = ?  maybe changed by unrecorded code, Arrays.fill() at step 450026
        exit code 0
    "#]],
    );
    check(
        sandbox.transcript(&["why", &step_at(&sandbox, "43"), "box.late[1]"]),
        expect![[r#"
         450026  LibraryWrites.main:41  Arrays.fill(box.late, 1, 2, 5);  Arrays.fill()
          <Box:1>.late = <int[]:2> of length 2  from step 5  Box.<init>:12  int[] late = {1, 1};
        whydunit: Arrays.fill() may have changed it: its code is not recorded
        whydunit: recorded code wrote it last in step 5: 1
        exit code 0
    "#]],
    );
    check(
        sandbox.transcript(&["search", "--line", "43", "--if", "box.late[1] == 1"]),
        expect![[r#"
        whydunit: not known of 1 event whether the condition holds: element 1, which code that is not recorded may have changed (Arrays.fill() in step 450026), is not known
        whydunit: nothing was found
        exit code 1
    "#]],
    );
    check(
        sandbox.transcript(&["search", "--line", "43", "--if", "box.late[0] == 1"]),
        expect![[r#"
        900031  LibraryWrites.main:43  System.out.println("late " + sum);
        exit code 0
    "#]],
    );
}
