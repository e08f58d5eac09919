//! The slice of an exception that an instruction throws by itself holds what is to blame.

use serde_json::Value;
use std::fs;
use std::process::Command;
use whydunit_testkit::{Jdk, whydunit_binary};

/// Each way to fail has a method that gives the wrong value in its first line.
const PROGRAM: &str = r#"
public class Main {
    int x;
    static Main none() { return null; }
    static int[] noArray() { return null; }
    static int tooFar() { return 7; }
    static int nothing() { return 0; }
    static Object text() { return "text"; }

    public static void main(String[] arguments) {
        switch (arguments[0]) {
            case "none": none().main(3); break;
            case "none platform": none().toString().length(); break;
            case "none field": none().x = 3; break;
            case "noArray length": System.out.println(noArray().length); break;
            case "tooFar element": System.out.println(new int[3].clone()[tooFar()]); break;
            case "nothing": System.out.println(5 % nothing()); break;
            case "text": System.out.println((Integer) text()); break;
            case "none initialiser": System.out.println(Broken.X); break;
            case "none lock": synchronized (none()) { break; }
        }
    }

    static class Broken {
        static final int X = none().x;
    }

    void main(int n) {
        x = n;
    }
}
"#;

/// The case, and the method that is to blame.
const CASES: [(&str, &str); 9] = [
    ("none", "none"),
    ("none platform", "none"),
    ("none field", "none"),
    ("noArray length", "noArray"),
    ("tooFar element", "tooFar"),
    ("nothing", "nothing"),
    ("text", "text"),
    ("none lock", "none"),
    ("none initialiser", "none"),
];

#[test]
fn what_made_an_instruction_throw() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("Main.java"), PROGRAM).expect("a file");
    let jdk = Jdk::all().into_iter().next().expect("a JDK");
    let compiled = Command::new(jdk.javac()).args(["-g", "Main.java"]).current_dir(folder.path()).status();
    assert!(compiled.expect("javac runs").success());
    let whydunit = whydunit_binary().expect("whydunit is built");
    for (case, to_blame) in CASES {
        let store = folder.path().join(case.replace(' ', "-"));
        let command = |arguments: &[&str]| {
            let mut command = Command::new(&whydunit);
            command.current_dir(folder.path()).arg("--store").arg(&store).args(arguments);
            command.output().expect("whydunit runs")
        };
        let java = jdk.java();
        command(&["record", "--", java.to_str().expect("a path"), "-cp", ".", "Main", case]);
        let json = |arguments: &[&str]| -> Value {
            let output = command(arguments);
            serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{case}: {output:?}"))
        };
        let failing = json(&["open", "--json"])["step"].as_u64().expect("a step").to_string();
        for kind in ["--thin", "--actual"] {
            let slice = json(&["why", &failing, "--slice", kind, "--json"]);
            let lines = slice["answers"][0]["lines"].as_array().expect("lines");
            let name = format!("Main.{to_blame}:");
            let is_held = |line: &Value| line["place"]["name"].as_str().is_some_and(|place| place.starts_with(&name));
            assert!(lines.iter().any(is_held), "{case}: {slice:#}");
        }
    }
}
