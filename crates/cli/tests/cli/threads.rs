//! Values that other threads have made.

use crate::sandbox::Sandbox;
use expect_test::expect;
use serde_json::Value;

const PROGRAM: &str = include_str!("why/Shared.java");

/// Which of two threads takes its next step first differs from run to run, and so do the numbers of steps: places are
/// told by their lines.
#[test]
fn values_from_other_threads() {
    let sandbox = Sandbox::new();
    sandbox.record("Shared", PROGRAM, &[]);
    let mut told = String::new();
    for variable in ["level", "said", "taken", "counted", "cell", "got", "done"] {
        let line = 1 + PROGRAM.lines().position(|line| line.contains(&format!(" {variable} = "))).expect("a line");
        let found = json(&sandbox, &["search", "--line", &format!("Shared.java:{line}"), "--json"]);
        let step = found.get("step");
        let step = step.unwrap_or_else(|| panic!("no step: {found}")).to_string();
        let answer = json(&sandbox, &["why", &step, variable, "--chain", "3", "--json"]);
        let causes = &answer["answers"];
        causes.as_array().into_iter().flatten().for_each(|cause| tell(cause, 0, &mut told));
    }
    expect![[r#"
        level at Shared.main:36
          <Shared:1>.level at Worker.run:19
            <Shared:1>.level at Worker.run:19
              new Shared at Shared.main:29
              <Worker:1>.amount at Worker.<init>:15
            <Worker:2>.amount at Worker.<init>:15
              amount at Shared.main:33
        said at Shared.main:41
          lambda$main$0() at Shared.lambda$main$0:40
            shout() at Shared.shout:25
              word at Shared.lambda$main$0:40
        taken at Shared.main:47
          argument 1 of put() at Shared.lambda$main$1:46
            name at Shared.main:46
              name at Shared.main:45
        counted at Shared.main:52
          AtomicInteger.addAndGet() at Shared.lambda$main$2:51
            new AtomicInteger() at Shared.main:50
        cell at Shared.main:57
          <int[]:1>[2] at Shared.lambda$main$3:56
        got at Shared.main:62
          argument 2 of put() at Shared.lambda$main$4:61
            shout() at Shared.shout:25
              word at Shared.lambda$main$4:61
        done at Shared.main:67
          argument 1 of complete() at Shared.lambda$main$5:66
            shout() at Shared.shout:25
              word at Shared.lambda$main$5:66
    "#]]
    .assert_eq(&told);
}

/// What one thread does before it lets another one go on comes before what the other does then.
#[test]
fn steps_in_the_order_of_the_run() {
    let sandbox = Sandbox::new();
    sandbox.record("Turns", include_str!("threads/Turns.java"), &[]);
    let output = sandbox.run(&["search", "--field", "Turns.turn", "--limit", "1000"]);
    let found = String::from_utf8_lossy(&output.stdout).into_owned();
    let written = |line: &str| line.split("Turns.turn = ").nth(1).and_then(|rest| rest.chars().next());
    let turns: String = found.lines().filter_map(written).collect();
    assert_eq!(turns, "12".repeat(300), "{found}");
}

#[test]
fn a_thread_that_waits_for_ever_comes_no_further() {
    let sandbox = Sandbox::new();
    sandbox.record("Deadlock", include_str!("threads/Deadlock.java"), &[]);
    let found = sandbox.transcript(&["search", "--field", "Deadlock.written"]);
    assert_eq!(found.matches("Deadlock.written").count(), 1, "{found}");
    assert!(found.contains("Deadlock.written => 0"), "{found}");
}

fn json(sandbox: &Sandbox, arguments: &[&str]) -> Value {
    let output = sandbox.run(arguments);
    let text = String::from_utf8_lossy(&output.stdout);
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}{}", sandbox.describe(&output)))
}

fn tell(cause: &Value, indentation: usize, told: &mut String) {
    let text = |name: &str| cause.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
    let place = cause.pointer("/place/name").and_then(Value::as_str).unwrap_or("?");
    told.push_str(&format!("{:indentation$}{} at {place}\n", "", text("what")));
    for ingredient in cause.get("made_of").and_then(Value::as_array).into_iter().flatten() {
        if let Some(source) = ingredient.get("from").filter(|_| ingredient.get("is_address").is_none()) {
            tell(source, indentation + 2, told);
        }
    }
}

const RELAY: &str = r#"
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

public class Relay {
    static class Account {
        int balance;
    }
    public static void main(String[] arguments) throws Exception {
        BlockingQueue<Integer> queue = new LinkedBlockingQueue<>();
        Account account = new Account();
        Thread other = new Thread(() -> { account.balance = 5; queue.add(2); });
        other.start(); account.balance = queue.take(); // one step, which begins before that of the other
        System.out.println(account.balance);
    }
}
"#;

#[test]
fn what_a_step_does_after_it_has_waited_comes_after_what_it_waited_for() {
    let sandbox = Sandbox::new();
    sandbox.record("Relay", RELAY, &[]);
    expect![[r#"
        <Account:1>: Relay$Account, made in step 3 at Account.<init>:6; written twice, read once, passed twice; last change in step 5 at Relay.main:13: account:<Account:1>.balance = 2
        6  t2   Relay.lambda$main$0:12  account:<Account:1>.balance = 5 (was 0)
        5  t1   Relay.main:13           account:<Account:1>.balance = 2 (was 5)
        7  t1   Relay.main:14           account:<Account:1>.balance => 2
        exit code 0
    "#]].assert_eq(&sandbox.transcript(&["history", "<Account:1>", "--field", "balance"]));
    expect![[r#"
        6  t2   Relay.lambda$main$0:12  account:<Account:1>.balance = 5
        5  t1   Relay.main:13  account:<Account:1>.balance = 2
        7  t1   Relay.main:14  account:<Account:1>.balance => 2
        exit code 0
    "#]]
    .assert_eq(&sandbox.transcript(&["search", "--field", "Account.balance"]));
    expect![[r#"
        A = change Account.balance
          step 6  Relay.lambda$main$0:12  Thread other = new Thread(() -> { account.balance = 5; queue.add(2); });
          <Account:1>.balance = 5
        B = first change Account.balance after A
          step 5  Relay.main:13  other.start(); account.balance = queue.take(); // one step, which begins before that of the other
          <Account:1>.balance = 5 → 2
        exit code 0
    "#]].assert_eq(&sandbox.transcript(&["query", "A = change Account.balance", "B = first change Account.balance after A"]));
}
