//! Everything that happened to one object. Needs a JDK on the PATH.

use crate::sandbox::{Sandbox, without_ids};
use expect_test::expect;
use serde_json::Value;

const PROGRAM: &str = r#"
import java.util.ArrayList;
import java.util.List;

public class Bank {
    static class Account {
        int balance;
        String owner;
        Account(String owner) {
            this.owner = owner;
        }
        synchronized void add(int amount) {
            balance += amount;
        }
        Account self() {
            return this;
        }
    }
    static Account last;
    static Account open(List<Account> all, String owner) {
        Account account = new Account(owner);
        all.add(account);
        last = account;
        return account;
    }
    public static void main(String[] arguments) throws Exception {
        List<Account> all = new ArrayList<>();
        Account tea = open(all, "tea");
        tea.add(5);
        Thread other = new Thread(() -> last.add(7), "other");
        other.start(); other.join(); // one step, or their order would be chance
        int[] counts = new int[2];
        for (int i = 0; i < 30; i++) {
            counts[i % 2] += tea.balance;
        }
        Account[] row = { all.get(0).self() };
        System.out.println(row[0].balance + counts[1]);
    }
}
"#;

fn bank() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.record("Bank", PROGRAM, &[]);
    sandbox
}

#[test]
fn events_of_an_object_in_the_order_of_the_run() {
    let sandbox = bank();
    expect![[r#"
        <Account:1>: Bank$Account, made in step 4 at Account.<init>:9; written 3 times, read 33 times, called 3 times, passed once, stored 3 times, taken twice, returned 3 times; last change in step 16 at Account.add:13: this:<Account:1>.balance = 12
          4  t1   Account.<init>:9       new Account(owner:"tea") => account:<Account:1>
          5  t1   Account.<init>:10      this:<Account:1>.owner = owner:"tea" (was null)
          7  t1   Bank.open:22           all:<ArrayList:1>.add(account:<Account:1>) => true
          8  t1   Bank.open:23           Bank.last = account:<Account:1>
          9  t1   Bank.open:24           return account:<Account:1>
          2  t1   Bank.main:28           tea = <Account:1>
         11  t1   Account.add:13         tea:<Account:1>.add(amount:5)
         11  t1   Account.add:13         this:<Account:1>.balance => 0
         11  t1   Account.add:13         this:<Account:1>.balance = 5 (was 0)
         15  t2   Bank.lambda$main$0:30  Bank.last => <Account:1>
         16  t2   Account.add:13         <Account:1>.add(amount:7)
         16  t2   Account.add:13         this:<Account:1>.balance => 5
        … 25 more
         92  t1   Bank.main:34           tea:<Account:1>.balance => 12
         95  t1   Bank.main:34           tea:<Account:1>.balance => 12
         98  t1   Bank.main:34           tea:<Account:1>.balance => 12
        101  t1   Bank.main:34           tea:<Account:1>.balance => 12
        104  t1   Bank.main:34           tea:<Account:1>.balance => 12
        107  t1   Bank.main:34           tea:<Account:1>.balance => 12
        110  t1   Bank.main:36           all:<ArrayList:1>.get(0) => <Account:1>
        111  t1   Account.self:16        <Account:1>.self()
        111  t1   Account.self:16        return this:<Account:1>
        110  t1   Bank.main:36           <Account[]:1>[0] = <Account:1>
        112  t1   Bank.main:37           row:<Account[]:1>[0] => <Account:1>
        112  t1   Bank.main:37           <Account:1>.balance => 12
        exit code 0
    "#]].assert_eq(&sandbox.transcript(&["history", "<Account:1>", "--limit", "24"]));
    expect![[r#"
        <Account:1>: Bank$Account, made in step 4 at Account.<init>:9; written 3 times, read 33 times, called 3 times, passed once, stored 3 times, taken twice, returned 3 times; last change in step 16 at Account.add:13: this:<Account:1>.balance = 12
         4  t1   Account.<init>:9   new Account(owner:"tea") => account:<Account:1>
         5  t1   Account.<init>:10  this:<Account:1>.owner = owner:"tea" (was null)
        11  t1   Account.add:13     this:<Account:1>.balance = 5 (was 0)
        16  t2   Account.add:13     this:<Account:1>.balance = 12 (was 5)
        exit code 0
    "#]].assert_eq(&sandbox.transcript(&["history", "<Account:1>", "--writes"]));
    expect![[r#"
        <Account:1>: Bank$Account, made in step 4 at Account.<init>:9; written 3 times, read 33 times, called 3 times, passed once, stored 3 times, taken twice, returned 3 times; last change in step 16 at Account.add:13: this:<Account:1>.balance = 12
          4  t1   Account.<init>:9  new Account(owner:"tea") => account:<Account:1>
         11  t1   Account.add:13    tea:<Account:1>.add(amount:5)
         16  t2   Account.add:13    <Account:1>.add(amount:7)
        111  t1   Account.self:16   <Account:1>.self()
        exit code 0
    "#]].assert_eq(&sandbox.transcript(&["history", "<Account:1>", "--calls"]));
    expect![[r#"
        <Account:1>: Bank$Account, made in step 4 at Account.<init>:9; written 3 times, read 33 times, called 3 times, passed once, stored 3 times, taken twice, returned 3 times; last change in step 16 at Account.add:13: this:<Account:1>.balance = 12
        5  t1   Account.<init>:10  this:<Account:1>.owner = owner:"tea" (was null)
        exit code 0
    "#]].assert_eq(&sandbox.transcript(&["history", "<Account:1>", "--field", "owner"]));
    expect![[r#"
        <int[]:1>: int[], made in step 18 at Bank.main:32; written 30 times, read 31 times; last change in step 107 at Bank.main:34: counts:<int[]:1>[1] = 180
         18  t1   Bank.main:32  new int[2] => counts:<int[]:1>
         20  t1   Bank.main:34  counts:<int[]:1>[0] = 12 (was 0)
        … 27 more
        104  t1   Bank.main:34  counts:<int[]:1>[0] = 180 (was 168)
        107  t1   Bank.main:34  counts:<int[]:1>[1] = 180 (was 168)
        exit code 0
    "#]].assert_eq(&sandbox.transcript(&["history", "<int[]:1>", "--writes", "--limit", "4"]));
    expect![[r#"
        <Account:1>: Bank$Account, made in step 4 at Account.<init>:9; written 3 times, read 33 times, called 3 times, passed once, stored 3 times, taken twice, returned 3 times; last change in step 16 at Account.add:13: this:<Account:1>.balance = 12
        15  t2   Bank.lambda$main$0:30  Bank.last => <Account:1>
        16  t2   Account.add:13         <Account:1>.add(amount:7)
        16  t2   Account.add:13         this:<Account:1>.balance => 5
        16  t2   Account.add:13         this:<Account:1>.balance = 12 (was 5)
        exit code 0
    "#]].assert_eq(&sandbox.transcript(&["history", "<Account:1>", "--thread", "other", "--run", "latest"]));
    expect![[r#"
        <ArrayList:1>: java.util.ArrayList, made in step 1 at Bank.main:27; called twice, passed once
          1  t1   Bank.main:27  new ArrayList() => all:<ArrayList:1>
          3  t1   Bank.open:21  Bank.open(all:<ArrayList:1>, owner:"tea")
          7  t1   Bank.open:22  all:<ArrayList:1>.add(account:<Account:1>) => true
        110  t1   Bank.main:36  all:<ArrayList:1>.get(0) => <Account:1>
        exit code 0
    "#]]
    .assert_eq(&sandbox.transcript(&["history", "<ArrayList:1>"]));
}

#[test]
fn as_json() {
    let sandbox = bank();
    let output = sandbox.run(&["history", "<Account:1>", "--field", "owner", "--json"]);
    let mut lines: Vec<Value> = output.stdout.split(|&byte| byte == b'\n').flat_map(serde_json::from_slice).collect();
    lines.iter_mut().for_each(without_ids);
    let text: Vec<String> = lines.iter().map(|line| format!("{line:#}")).collect();
    expect![[r#"
        {
          "class": "Bank$Account",
          "counts": {
            "called": 3,
            "made": 1,
            "passed": 1,
            "read": 33,
            "returned": 3,
            "stored": 3,
            "taken": 2,
            "written": 3
          },
          "first_met": {
            "place": {
              "class": "Bank$Account",
              "file": "Bank.java",
              "line": 9,
              "name": "Account.<init>:9"
            },
            "step": 4,
            "text": "new Account(owner:\"tea\") => account:<Account:1>"
          },
          "last_change": {
            "place": {
              "class": "Bank$Account",
              "file": "Bank.java",
              "line": 13,
              "name": "Account.add:13"
            },
            "step": 16,
            "text": "this:<Account:1>.balance = 12"
          },
          "left_out": 0,
          "made": {
            "place": {
              "class": "Bank$Account",
              "file": "Bank.java",
              "line": 9,
              "name": "Account.<init>:9"
            },
            "step": 4,
            "text": "new Account(owner:\"tea\") => account:<Account:1>"
          },
          "may_have_changed": null,
          "object": "<Account:1>"
        }
        {
          "event": "field_written",
          "field": "owner",
          "object": {
            "number": 1,
            "type": "Account"
          },
          "old": null,
          "owner": "Bank$Account",
          "place": {
            "class": "Bank$Account",
            "file": "Bank.java",
            "line": 10,
            "name": "Account.<init>:10"
          },
          "step": 5,
          "text": "this:<Account:1>.owner = owner:\"tea\"",
          "thread": 1,
          "use": "written",
          "value": {
            "length": 3,
            "text": "tea",
            "type": "String"
          }
        }"#]]
    .assert_eq(&text.join("\n"));
}

#[test]
fn objects_that_do_not_exist() {
    let sandbox = bank();
    expect![[r#"
        error: there is no object `<Account:9>` in the run: there is one of this type
        hint: did you mean `<Account:1>`?
        exit code 2
    "#]]
    .assert_eq(&sandbox.transcript(&["history", "<Account:9>"]));
    expect![[r#"
        error: no recorded object is of a type called `Acount`
        hint: did you mean `Account`, `Account[]`?
        exit code 2
    "#]]
    .assert_eq(&sandbox.transcript(&["history", "<Acount:1>"]));
    expect![[r#"
        error: `Account` is not an object: write it as it is shown, `<ArrayList:1>`
        exit code 2
    "#]]
    .assert_eq(&sandbox.transcript(&["history", "Account"]));
    expect![[r#"
        error: <Account:1> has no field `nosuch`
        exit code 2
    "#]]
    .assert_eq(&sandbox.transcript(&["history", "<Account:1>", "--field", "nosuch"]));
    assert_eq!(sandbox.run(&["history", "<Account:1>", "--run", "nosuch"]).status.code(), Some(2));
}
