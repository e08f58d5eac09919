//! Names that are nowhere in a run are refused, and taken names are told. Needs a JDK on the PATH.

use crate::sandbox::Sandbox;

const PROGRAM: &str = r#"
public class Main {
    int total;

    void add(int amount) {
        total += amount;
    }

    public static void main(String[] arguments) {
        Main main = new Main();
        main.add(4);
        int[] numbers = new int[2];
        numbers[1] = main.total;
        System.out.println(numbers[1] + System.lineSeparator().length());
    }
}
"#;

#[test]
fn fields_and_elements_that_an_object_does_not_have() {
    let sandbox = Sandbox::new();
    sandbox.record("Main", PROGRAM, &[]);
    let history = |object: &str, field: &str| sandbox.transcript(&["history", object, "--field", field]);
    let refused = history("<Main:1>", "totl");
    assert!(refused.starts_with("error: <Main:1> has no field `totl`\nhint: did you mean `total`?"), "{refused}");
    assert!(refused.ends_with("exit code 2\n"), "{refused}");
    assert!(history("<int[]:1>", "[2]").contains("<int[]:1> has 2 elements"));
    assert!(history("<int[]:1>", "[1]").ends_with("exit code 0\n"));
    assert!(history("<Main:1>", "total").ends_with("exit code 0\n"));
}

#[test]
fn methods_that_neither_run_has() {
    let sandbox = Sandbox::new();
    sandbox.record("Main", PROGRAM, &[]);
    let diff = |method: &str| sandbox.transcript(&["diff", "latest", "latest", "--ignore-method", method]);
    let refused = diff("Main.ad");
    assert!(refused.starts_with("error: no recorded method is called `Main.ad`\nhint: did you mean `Main.add`?"));
    assert!(diff("Main.add").ends_with("exit code 0\n"));
    assert!(diff("System.lineSeparator").ends_with("exit code 0\n"), "what recorded code calls can be ignored");
}

#[test]
fn a_name_that_is_taken() {
    let sandbox = Sandbox::new();
    sandbox.compile("Main", PROGRAM);
    let record = || sandbox.transcript(&["record", "--name", "good", "--", "java", "-cp", "classes", "Main"]);
    assert!(!record().contains("already"));
    let second = record();
    assert!(second.contains("there is a run good already, so this one is good-2"), "{second}");
    assert!(second.contains("next: `whydunit tree latest`"), "{second}");
}
