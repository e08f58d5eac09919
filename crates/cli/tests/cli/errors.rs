//! What users see when they get something wrong.

use crate::sandbox::Sandbox;
use expect_test::{Expect, expect};
use std::fs;

fn check(arguments: &[&str], expected: Expect) {
    expected.assert_eq(&Sandbox::new().transcript(arguments));
}

#[test]
fn no_runs() {
    check(
        &["info"],
        expect![[r#"
            error: there are no runs in DIR/.whydunit/runs
            hint: record one with `whydunit record -- COMMAND`, or name the folder of runs with `--store`
            exit code 2
        "#]],
    );
    check(
        &["runs"],
        expect![[r#"
        whydunit: there are no runs in DIR/.whydunit/runs
        whydunit: record one with `whydunit record -- COMMAND`
        exit code 0
    "#]],
    );
    check(
        &["runs", "--json"],
        expect![[r#"
        []
        exit code 0
    "#]],
    );
}

#[test]
fn unknown_run() {
    let sandbox = Sandbox::new();
    for id in ["nightly", "nightly-2", "20261115-2107-a3f"] {
        let dir = sandbox.path().join(".whydunit/runs").join(id);
        fs::create_dir_all(&dir).expect("a folder");
        fs::write(dir.join("trace.wdt"), "damaged").expect("a file");
    }
    expect![[r#"
        error: no run is called `nigthly`
        hint: did you mean `nightly`, `nightly-2`, `20261115-2107-a3f`?
        exit code 2
    "#]]
    .assert_eq(&sandbox.transcript(&["info", "nigthly"]));
    expect![[r#"
        error: `nightl` is the beginning of 2 runs
        hint: say which: `nightly-2`, `nightly`
        exit code 2
    "#]]
    .assert_eq(&sandbox.transcript(&["delete", "nightl"]));
    expect![[r#"
        error: DIR/.whydunit/runs/20261115-2107-a3f/trace.wdt is not a Whydunit recording
        hint: the run is damaged from its first byte on; record it again
        exit code 2
    "#]]
    .assert_eq(&sandbox.transcript(&["info", "a3f"]));
}

#[test]
fn command_that_cannot_be_started() {
    check(
        &["record", "--", "no-such-command"],
        expect![[r#"
        error: there is no command `no-such-command`
        hint: check the spelling, or give the whole path of the command
        exit code 2
    "#]],
    );
    check(
        &["record", "--", "./missing"],
        expect![[r#"
        error: there is no command `./missing`
        hint: check the spelling, or give the whole path of the command
        exit code 2
    "#]],
    );
    check(
        &["record", "--", "/"],
        expect![[r#"
        error: `/` is a folder, not a command
        hint: name the program or script to run, as in `whydunit record -- java -cp classes Main`
        exit code 2
    "#]],
    );
    check(
        &["record"],
        expect![[r#"
        error: the following required arguments were not provided:
          <COMMAND>...

        Usage: whydunit record <COMMAND>...

        For more information, try '--help'.
        exit code 2
    "#]],
    );
    let sandbox = Sandbox::new();
    let output = sandbox.command(&["record", "--", "java", "Main"]).env("PATH", "/nowhere").output();
    expect![[r#"
        error: there is no command `java`
        hint: no JDK was found: install one (17 or newer) and put its `bin` folder on the PATH
        exit code 2
    "#]]
    .assert_eq(&sandbox.describe(&output.expect("whydunit runs")));
    let hidden = fs::read_dir(sandbox.path().join(".whydunit/runs")).expect("readable").flatten();
    let left: Vec<_> = hidden.map(|entry| entry.file_name()).collect();
    assert_eq!(left, [".gitignore"]);
}

#[test]
fn command_without_a_jvm() {
    check(
        &["record", "--", "true"],
        expect![[r#"
        error: nothing was recorded: the command ran no JVM that could be reached
        hint: a JVM in a daemon or a container is out of reach, and so is one whose environment was cleared (`env -i`, `sudo`): stop the daemon, or record in the container
        exit code 2
    "#]],
    );
    check(
        &["record", "--", "sh", "-c", "echo out; echo err >&2; exit 7"],
        expect![[r#"
        out
        err
        warning: nothing was recorded: the command ran no JVM that could be reached, and failed (exit 7)
        hint: a JVM in a daemon or a container is out of reach, and so is one whose environment was cleared (`env -i`, `sudo`): stop the daemon, or record in the container
        exit code 7
    "#]],
    );
}

#[test]
fn options() {
    check(
        &["record", "--size-limit", "lots", "--", "true"],
        expect![[r#"
        error: invalid value 'lots' for '--size-limit <SIZE>': `lots` is not a size; write `500M`, `10G` or a number of bytes

        For more information, try '--help'.
        exit code 2
    "#]],
    );
    check(
        &["record", "--name", "../x", "--", "true"],
        expect![[r#"
        error: `../x` cannot name a run: only letters, digits, `-`, `_` and `.` can, not first `.` or `-`, at most 80
        hint: choose a name such as `before-fix`
        exit code 2
    "#]],
    );
    check(
        &["record", "--name", "latest", "--", "true"],
        expect![[r#"
        error: `latest` cannot name a run: the word means the newest one
        hint: choose a name such as `before-fix`
        exit code 2
    "#]],
    );
    check(
        &["record", "--include", "acme..x", "--", "true"],
        expect![[r#"
        error: invalid value 'acme..x' for '--include <PATTERN>': `acme..x` names no package or class: write it as in `com.acme` or `com.acme.Foo`, with one dot between names

        For more information, try '--help'.
        exit code 2
    "#]],
    );
    check(
        &["runs", "--store", "missing"],
        expect![[r#"
        error: there is no folder missing
        hint: name the folder that holds the runs, such as `.whydunit/runs`
        exit code 2
    "#]],
    );
    check(
        &["frobnicate"],
        expect![[r#"
        error: unrecognized subcommand 'frobnicate'

        Usage: whydunit [OPTIONS] <COMMAND>

        For more information, try '--help'.
        exit code 2
    "#]],
    );
}

#[test]
fn settings_file() {
    let sandbox = Sandbox::new();
    fs::write(sandbox.path().join("whydunit.toml"), "include = [\"a\"]\nincluded = 1\n").expect("a file");
    expect![[r#"
        error: DIR/whydunit.toml is not right: TOML parse error at line 2, column 1
          |
        2 | included = 1
          | ^^^^^^^^
        unknown field `included`, expected one of `include`, `exclude`, `size-limit`, `source-roots`
        hint: it may set `include`, `exclude` and `source-roots` (lists) and `size-limit` (such as "2G")
        exit code 2
    "#]]
    .assert_eq(&sandbox.transcript(&["record", "--", "true"]));
    fs::write(sandbox.path().join("whydunit.toml"), "include = [\"a\"]\nexclude = [\"a.*.b\"]\n").expect("a file");
    expect![[r#"
        error: DIR/whydunit.toml is not right: TOML parse error at line 2, column 11
          |
        2 | exclude = ["a.*.b"]
          |           ^^^^^^^^^
        `a.*.b` names no package or class: `*` can stand alone or behind the last dot only
        hint: it may set `include`, `exclude` and `source-roots` (lists) and `size-limit` (such as "2G")
        exit code 2
    "#]]
    .assert_eq(&sandbox.transcript(&["record", "--", "true"]));
}

#[test]
fn bad_import() {
    let sandbox = Sandbox::new();
    fs::write(sandbox.path().join("text"), "hello").expect("a file");
    expect![[r#"
        error: cannot import text: it is not a file made by `whydunit export`
        hint: make a new export and copy it as a binary file; nothing was imported
        exit code 2
    "#]]
    .assert_eq(&sandbox.transcript(&["import", "text"]));
    fs::write(sandbox.path().join("damaged"), b"\x28\xb5\x2f\xfd\xff\x1b[31m\x07\xff\xff").expect("a file");
    expect![[r#"
        error: cannot import damaged: it is damaged or cut off (it ends early)
        hint: make a new export and copy it as a binary file; nothing was imported
        exit code 2
    "#]]
    .assert_eq(&sandbox.transcript(&["import", "damaged"]));
    expect![[r#"
        error: cannot read missing
          caused by: No such file or directory (os error 2)
        exit code 2
    "#]]
    .assert_eq(&sandbox.transcript(&["import", "missing"]));
}
