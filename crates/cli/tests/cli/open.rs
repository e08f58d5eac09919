//! The prompt, fed with lines. Needs a JDK on the PATH.

mod walks;

use crate::sandbox::{Sandbox, without_ids};
use expect_test::{Expect, expect};
use serde_json::Value;

/// A total that is wrong because a price was overwritten; then a test of it throws.
const TILL: &str = r#"
import java.util.ArrayList;
import java.util.List;

public class Till {
    private final List<int[]> rows = new ArrayList<>();
    private int discount;

    void add(int price, int count) {
        rows.add(new int[] {price, count});
        if (count > 2) {
            discount = price;
        }
    }

    int total() {
        int total = 0;
        for (int[] row : rows) {
            total += times(row[0], row[1]);
        }
        return total - discount;
    }

    static int times(int price, int count) {
        return price * count;
    }

    static void check(int expected, int found) {
        if (expected != found) {
            throw new IllegalStateException("expected " + expected + ", found " + found);
        }
    }

    public static void main(String[] arguments) {
        Till till = new Till();
        till.add(3, 1);
        till.add(5, 4);
        int found = till.total();
        try {
            check(23, found);
        } finally {
            System.out.println(found);
        }
    }
}
"#;

fn recorded(class: &str, source: &str) -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.compile(class, source);
    sandbox.run(&["record", "--", "java", "-cp", "classes", class]);
    sandbox
}

/// What the prompt says to each of these lines.
fn check(sandbox: &Sandbox, lines: &[&str], expected: &Expect) {
    expected.assert_eq(&sandbox.talk(&["open"], &(lines.join("\n") + "\n")));
}

#[test]
fn from_the_failure_to_its_cause() {
    let sandbox = recorded("Till", TILL);
    check(
        &sandbox,
        &["why found", "f 2", "why found", "follow", "why discount", "follow", "control", "follow"],
        &expect![[r#"
            <IllegalStateException:1> "expected 23, found 18" was thrown here in thread main, and no recorded code caught it.
            Till.check:30  step 27 of 29, thread main
              28      static void check(int expected, int found) {
              29          if (expected != found) {
            → 30              throw new IllegalStateException("expected " + expected + ", found " + found);
              31          }
              32      }
              called   makeConcatWithConstants(expected:23, found:18) => "expected 23, found 18"
                       new IllegalStateException("expected 23, found 18") => <IllegalStateException:1>
              read     expected = 23
                       found = 18
              done     throw <IllegalStateException:1>
              then     throws <IllegalStateException:1> to Till.main:40
                 25  Till.main:40  check(23, found);  found = 18
              found = 18  from step 13  Till.main:38  int found = till.total();
            `follow` goes to step 25, `follow 2` to 13
            Till.main:38  step 13 of 29, thread main
              36          till.add(3, 1);
              37          till.add(5, 4);
            → 38          int found = till.total();
              39          try {
              40              check(23, found);
              written  found = 18
              called   till:<Till:1>.total() => found:18  from step 14
              read     till = <Till:1>
              then     to line 40  step 25
                 13  Till.main:38  int found = till.total();  found = 18
              total() = 18  from step 24  Till.total:21  return total - discount;
            `follow` goes to step 24
            Till.total:21  step 24 of 29, thread main
              19              total += times(row[0], row[1]);
              20          }
            → 21          return total - discount;
              22      }
              23  
              read     total = 23
                       this:<Till:1>.discount = 5
              then     returns 18 to Till.main:38
                 11  Till.add:12  discount = price;  <Till:1>.discount = 5
              price = 5  from step 8  Till.main:37  till.add(5, 4);
            `follow` goes to step 11, `follow 2` to 8
            Till.add:12  step 11 of 29, thread main
              10          rows.add(new int[] {price, count});
              11          if (count > 2) {
            → 12              discount = price;
              13          }
              14      }
              written  this:<Till:1>.discount = 5
              read     price = 5
              then     to line 14  step 12
                 11  Till.add:12  discount = price;
              decided by step 10  Till.add:11  if (count > 2) {  count:4 > 2
                count = 4  from step 8  Till.main:37  till.add(5, 4);
            `follow` goes to step 10
            Till.add:11  step 10 of 29, thread main
               9      void add(int price, int count) {
              10          rows.add(new int[] {price, count});
            → 11          if (count > 2) {
              12              discount = price;
              13          }
              read     count = 4
              done     if (count:4 > 2)
              then     to line 12  step 11
            exit code 0
        "#]],
    );
}

#[test]
fn forwards_and_backwards() {
    let sandbox = recorded("Till", TILL);
    let lines = ["caller", "prev", "step", "next", "", "step", "out", "back 2", "undo", "undo 2", "trail", "goto 2"];
    check(
        &sandbox,
        &lines,
        &expect![[r#"
            <IllegalStateException:1> "expected 23, found 18" was thrown here in thread main, and no recorded code caught it.
            Till.check:30  step 27 of 29, thread main
              28      static void check(int expected, int found) {
              29          if (expected != found) {
            → 30              throw new IllegalStateException("expected " + expected + ", found " + found);
              31          }
              32      }
              called   makeConcatWithConstants(expected:23, found:18) => "expected 23, found 18"
                       new IllegalStateException("expected 23, found 18") => <IllegalStateException:1>
              read     expected = 23
                       found = 18
              done     throw <IllegalStateException:1>
              then     throws <IllegalStateException:1> to Till.main:40
            Till.main:40  step 25 of 29, thread main
              38          int found = till.total();
              39          try {
            → 40              check(23, found);
              41          } finally {
              42              System.out.println(found);
              called   Till.check(expected:23, found:18) throws <IllegalStateException:1>  from step 26
              read     found = 18
              done     catch <IllegalStateException:1>
              then     to line 42  step 28
            Till.main:38  step 13 of 29, thread main
              36          till.add(3, 1);
              37          till.add(5, 4);
            → 38          int found = till.total();
              39          try {
              40              check(23, found);
              written  found = 18
              called   till:<Till:1>.total() => found:18  from step 14
              read     till = <Till:1>
              then     to line 40  step 25
            Till.total:17  step 14 of 29, thread main
              15  
              16      int total() {
            → 17          int total = 0;
              18          for (int[] row : rows) {
              19              total += times(row[0], row[1]);
              written  total = 0
              then     to line 18  step 15
            Till.total:18  step 15 of 29, thread main
              16      int total() {
              17          int total = 0;
            → 18          for (int[] row : rows) {
              19              total += times(row[0], row[1]);
              20          }
              written  row = <int[]:1>
              called   <ArrayList:1>.iterator() => <Itr:1>
                       <Itr:1>.hasNext() => true
                       <Itr:1>.next() => row:<int[]:1>
              read     this:<Till:1>.rows = <ArrayList:1>
              done     if (hasNext():true)
              then     to line 19  step 16
            Till.total:19  step 16 of 29, thread main
              17          int total = 0;
              18          for (int[] row : rows) {
            → 19              total += times(row[0], row[1]);
              20          }
              21          return total - discount;
              written  total: 0 → 3
              called   Till.times(price:3, count:1) => 3  from step 17
              read     total = 0
                       row = <int[]:1>
                       row:<int[]:1>[0] = 3
                       row:<int[]:1>[1] = 1
              then     to line 20  step 18
            Till.times:25  step 17 of 29, thread main
              23  
              24      static int times(int price, int count) {
            → 25          return price * count;
              26      }
              27  
              read     price = 3
                       count = 1
              then     returns 3 to Till.total:19
            Till.total:20  step 18 of 29, thread main
              18          for (int[] row : rows) {
              19              total += times(row[0], row[1]);
            → 20          }
              21          return total - discount;
              22      }
              then     to line 18  step 19
            Till.total:19  step 16 of 29, thread main
              17          int total = 0;
              18          for (int[] row : rows) {
            → 19              total += times(row[0], row[1]);
              20          }
              21          return total - discount;
              written  total: 0 → 3
              called   Till.times(price:3, count:1) => 3  from step 17
              read     total = 0
                       row = <int[]:1>
                       row:<int[]:1>[0] = 3
                       row:<int[]:1>[1] = 1
              then     to line 20  step 18
            Till.total:20  step 18 of 29, thread main
              18          for (int[] row : rows) {
              19              total += times(row[0], row[1]);
            → 20          }
              21          return total - discount;
              22      }
              then     to line 18  step 19
            Till.total:19  step 16 of 29, thread main
              17          int total = 0;
              18          for (int[] row : rows) {
            → 19              total += times(row[0], row[1]);
              20          }
              21          return total - discount;
              written  total: 0 → 3
              called   Till.times(price:3, count:1) => 3  from step 17
              read     total = 0
                       row = <int[]:1>
                       row:<int[]:1>[0] = 3
                       row:<int[]:1>[1] = 1
              then     to line 20  step 18
              27  Till.check:30
              25  Till.main:40
              13  Till.main:38
              14  Till.total:17
              15  Till.total:18
            → 16  Till.total:19
            Till.<init>:5  step 2 of 29, thread main
              3  import java.util.List;
              4  
            → 5  public class Till {
              6      private final List<int[]> rows = new ArrayList<>();
              7      private int discount;
              then     to line 6  step 3
            exit code 0
        "#]],
    );
    check(
        &sandbox,
        &["bt Till.add", "", "to Till.java:12", "to 16", "out", "# a comment", "to Till.check", "quit", "step"],
        &expect![[r#"
            <IllegalStateException:1> "expected 23, found 18" was thrown here in thread main, and no recorded code caught it.
            Till.check:30  step 27 of 29, thread main
              28      static void check(int expected, int found) {
              29          if (expected != found) {
            → 30              throw new IllegalStateException("expected " + expected + ", found " + found);
              31          }
              32      }
              called   makeConcatWithConstants(expected:23, found:18) => "expected 23, found 18"
                       new IllegalStateException("expected 23, found 18") => <IllegalStateException:1>
              read     expected = 23
                       found = 18
              done     throw <IllegalStateException:1>
              then     throws <IllegalStateException:1> to Till.main:40
            Till.add:10  step 9 of 29, thread main
               8  
               9      void add(int price, int count) {
            → 10          rows.add(new int[] {price, count});
              11          if (count > 2) {
              12              discount = price;
              written  <int[]:2>[0] = 5
                       <int[]:2>[1] = 4
              called   <ArrayList:1>.add(<int[]:2>) => true
              read     this:<Till:1>.rows = <ArrayList:1>
                       price = 5
                       count = 4
              done     new int[2] => <int[]:2>
              then     to line 11  step 10
            Till.add:10  step 5 of 29, thread main
               8  
               9      void add(int price, int count) {
            → 10          rows.add(new int[] {price, count});
              11          if (count > 2) {
              12              discount = price;
              written  <int[]:1>[0] = 3
                       <int[]:1>[1] = 1
              called   <ArrayList:1>.add(<int[]:1>) => true
              read     this:<Till:1>.rows = <ArrayList:1>
                       price = 3
                       count = 1
              done     new int[2] => <int[]:1>
              then     to line 11  step 6
            Till.add:12  step 11 of 29, thread main
              10          rows.add(new int[] {price, count});
              11          if (count > 2) {
            → 12              discount = price;
              13          }
              14      }
              written  this:<Till:1>.discount = 5
              read     price = 5
              then     to line 14  step 12
            error: there is no recorded code in line `Till.java:16`
            hint: did you mean `Till.java:17`, `Till.java:14`?
            Till.main:38  step 13 of 29, thread main
              36          till.add(3, 1);
              37          till.add(5, 4);
            → 38          int found = till.total();
              39          try {
              40              check(23, found);
              written  found = 18
              called   till:<Till:1>.total() => found:18  from step 14
              read     till = <Till:1>
              then     to line 40  step 25
            Till.check:29  step 26 of 29, thread main
              27  
              28      static void check(int expected, int found) {
            → 29          if (expected != found) {
              30              throw new IllegalStateException("expected " + expected + ", found " + found);
              31          }
              read     expected = 23
                       found = 18
              done     if (expected:23 != found:18)
              then     to line 30  step 27
            exit code 0
        "#]],
    );
}

#[test]
fn what_is_asked_at_a_step() {
    let sandbox = recorded("Till", TILL);
    let lines = [
        "stack",
        "variables",
        "print expected + 1 > found",
        "caller",
        "print till",
        "show till",
        "threads",
        "thread main",
        "not 25",
        "not Till.java:12",
        "history <Till:1> --writes",
        "search --line Till.java:19 --if 'total > 0'",
        "query A = line Till.java:20 if row[0] == 5",
        "tree",
    ];
    check(
        &sandbox,
        &lines,
        &expect![[r#"
            <IllegalStateException:1> "expected 23, found 18" was thrown here in thread main, and no recorded code caught it.
            Till.check:30  step 27 of 29, thread main
              28      static void check(int expected, int found) {
              29          if (expected != found) {
            → 30              throw new IllegalStateException("expected " + expected + ", found " + found);
              31          }
              32      }
              called   makeConcatWithConstants(expected:23, found:18) => "expected 23, found 18"
                       new IllegalStateException("expected 23, found 18") => <IllegalStateException:1>
              read     expected = 23
                       found = 18
              done     throw <IllegalStateException:1>
              then     throws <IllegalStateException:1> to Till.main:40
              27  Till.check:30
              25  Till.main:40
              expected = 23
              found = 18
            expected + 1 > found = true
            Till.main:40  step 25 of 29, thread main
              38          int found = till.total();
              39          try {
            → 40              check(23, found);
              41          } finally {
              42              System.out.println(found);
              called   Till.check(expected:23, found:18) throws <IllegalStateException:1>  from step 26
              read     found = 18
              done     catch <IllegalStateException:1>
              then     to line 42  step 28
            till = <Till:1>
              rows = <ArrayList:1>  read at step 15
              discount = 5  read at step 24
            Till.main:40  step 25 of 29, thread main

              37          till.add(5, 4);
              38          int found = till.total();
              39          try {
            → 40              check(23, found);
              41          } finally {
              42              System.out.println(found);
              43          }

            called
              Till.check(expected:23, found:18) throws <IllegalStateException:1>  from step 26

            read
              found = 18

            done
              catch <IllegalStateException:1>

            then
              to line 42  step 28

            stack
              25  Till.main:40

            variables
              arguments = <String[]:1>
              till = <Till:1>
              found = 18

            <Till:1>
              rows = <ArrayList:1>  read at step 15
              discount = 5  read at step 24
            → t1   main  29 steps, in step 25
            Till.main:40  step 25 of 29, thread main
              38          int found = till.total();
              39          try {
            → 40              check(23, found);
              41          } finally {
              42              System.out.println(found);
              called   Till.check(expected:23, found:18) throws <IllegalStateException:1>  from step 26
              read     found = 18
              done     catch <IllegalStateException:1>
              then     to line 42  step 28
            Till.times:25  return price * count;
              it did run, the last time in step 21
              a step narrows it to one call: `whydunit why STEP --not Till.java:25`
            `follow` goes to step 21
            Till.add:12  discount = price;
              it did run, the last time in step 11
              a step narrows it to one call: `whydunit why STEP --not Till.java:12`
            `follow` goes to step 11
            <Till:1>: Till, made in step 2 at Till.<init>:5; written twice, read 4 times, called 3 times; last change in step 11 at Till.add:12: this:<Till:1>.discount = price:5
             2  Till.<init>:5  new Till() => till:<Till:1>
             3  Till.<init>:6  this:<Till:1>.rows = <ArrayList:1> (was null)
            11  Till.add:12    this:<Till:1>.discount = price:5 (was 0)
            20  Till.total:19  total += times(row[0], row[1]);
            error: point A: there is no `row` at `line Till.java:20`
            hint: did you mean `rows`?
                ▼ main
             1    ▼ Till.main(arguments:<String[]:1>) throws <IllegalStateException:1> [35]
             2      ▶ new Till() => till:<Till:1> [35]
             5      ▶ till:<Till:1>.add(price:3, count:1) [36]
             9      ▶ till:<Till:1>.add(price:5, count:4) [37]
            14      ▶ till:<Till:1>.total() => found:18 [38]
            25        check(23, found); [40] ←
            26      ▶ Till.check(expected:23, found:18) throws <IllegalStateException:1> [40] ←
            25        catch <IllegalStateException:1> [42] ←
            28        System.out => <PrintStream:1> [42]
            28        <PrintStream:1>.println(found:18) [42]
            29        throw <IllegalStateException:1> [43]
            exit code 0
        "#]],
    );
}

#[test]
fn mistakes_do_not_end_it() {
    let sandbox = recorded("Till", TILL);
    let lines = [
        "goto 4711",
        "goto",
        "goto there",
        "stpe",
        "xyzzy",
        "print fuond",
        "print nosuch",
        "print found +",
        "why fuond",
        "to Till.java:1",
        "to Tilt.java:12",
        "to Till.totl",
        "to Till.add",
        "follow",
        "thread mian",
        "show <Tilt:1>",
        "undo",
        "out 5",
        "step",
        "caller 'x",
        "search --value 5 --if 'totl > 3'",
        "search --line Till.java:19 --if 'totl > 3'",
    ];
    check(
        &sandbox,
        &lines,
        &expect![[r#"
            <IllegalStateException:1> "expected 23, found 18" was thrown here in thread main, and no recorded code caught it.
            Till.check:30  step 27 of 29, thread main
              28      static void check(int expected, int found) {
              29          if (expected != found) {
            → 30              throw new IllegalStateException("expected " + expected + ", found " + found);
              31          }
              32      }
              called   makeConcatWithConstants(expected:23, found:18) => "expected 23, found 18"
                       new IllegalStateException("expected 23, found 18") => <IllegalStateException:1>
              read     expected = 23
                       found = 18
              done     throw <IllegalStateException:1>
              then     throws <IllegalStateException:1> to Till.main:40
            error: there is no step 4711
            hint: the run has steps 1 to 29
            error: the following required arguments were not provided: <STEP|FILE:LINE>
            hint: write `goto <STEP|FILE:LINE>`
            error: `there` is neither a step nor a line
            hint: write the number of a step, or a line as `Cart.java:31`
            error: there is no command `stpe`
            hint: did you mean `step`?
            error: there is no command `xyzzy`
            hint: `help` lists the commands
            error: there is no `fuond` at this step
            hint: did you mean `found`?
            error: there is no `nosuch` at this step
            hint: `variables` lists those that have a value
            error: the expression, line 1, column 8: expected a value: a variable, a field, a literal or a point such as `A(0):foo`, found the end
              | found +
              |        ^
            error: step 27 neither reads nor writes `fuond`
            hint: did you mean `found`?
            error: there is no recorded code in line `Till.java:1`
            hint: did you mean `Till.java:5`, `Till.java:6`?
            error: no recorded class comes from `Tilt.java`
            hint: did you mean `Till.java`?
            error: no recorded method is called `Till.totl`
            hint: did you mean `Till.total`?
            error: `Till.add` does not run after this step
            hint: it ran before, the last time in step 9
            error: there is no answer to follow
            hint: `why VARIABLE` and `control` name steps, which `follow` goes to
            error: no thread is called `mian`
            hint: did you mean `main`?
            error: no recorded object is of a type called `Tilt`
            hint: did you mean `Till`?
            error: this is where you started
            Till.main:42  step 28 of 29, thread main
              40              check(23, found);
              41          } finally {
            → 42              System.out.println(found);
              43          }
              44      }
              called   <PrintStream:1>.println(found:18)
              read     System.out = <PrintStream:1>
                       found = 18
              then     to line 43  step 29
            Till.main:43  step 29 of 29, thread main
              41          } finally {
              42              System.out.println(found);
            → 43          }
              44      }
              45  }
              done     throw <IllegalStateException:1>
              then     throws <IllegalStateException:1>
            error: a quote is not closed
            error: there is no `totl` where `totl > 3` is asked for
            hint: did you mean `total`?
            error: there is no `totl` where `totl > 3` is asked for
            hint: did you mean `total`?
            exit code 0
        "#]],
    );
}

#[test]
fn help_of_the_prompt() {
    let sandbox = recorded("Till", TILL);
    check(
        &sandbox,
        &["help", "help to", "? print"],
        &expect![[r#"
            <IllegalStateException:1> "expected 23, found 18" was thrown here in thread main, and no recorded code caught it.
            Till.check:30  step 27 of 29, thread main
              28      static void check(int expected, int found) {
              29          if (expected != found) {
            → 30              throw new IllegalStateException("expected " + expected + ", found " + found);
              31          }
              32      }
              called   makeConcatWithConstants(expected:23, found:18) => "expected 23, found 18"
                       new IllegalStateException("expected 23, found 18") => <IllegalStateException:1>
              read     expected = 23
                       found = 18
              done     throw <IllegalStateException:1>
              then     throws <IllegalStateException:1> to Till.main:40
              step       To the next step, into calls [alias: s]
              next       To the next step of this call, over what it calls [alias: n]
              out        To the caller's next step, after this call [alias: o]
              back       To the previous step, into calls [alias: b]
              prev       To the previous step of this call, over what it called [aliases: bn, back-next]
              caller     To the step that made this call [aliases: c, up, up-to-caller]
              goto       To a step by its number, or to the last visit to a line [alias: g]
              to         To where a line or a method runs next, in whatever thread [alias: t]
              back-to    To where a line or a method ran last before this step [alias: bt]
              thread     To a thread, where it is at this moment
              follow     To the step that the last answer of `why`, `control` or `not` names [alias: f]
              undo       Back to where you were before the last movement [alias: u]
              trail      Where you were before
              show       The step with all there is: stack, variables, objects [alias: l]
              print      The value of a variable or of a Java expression at this step [alias: p]
              variables  The variables at this step [aliases: v, locals]
              stack      The calls that led here [alias: where]
              why        Where a value comes from; without a variable, all that the step reads [alias: w]
              control    What decided that this step ran
              not        Why a line did not run in this call, or at all
              history    Everything that happened to an object
              search     Where in the run something comes up
              query      Points that are defined by others
              tree       The calls around this step
              threads    All threads, and where they are
              quit       Leave [aliases: q, exit]
              help       Print this message or the help of the given subcommand(s)

            An empty line repeats the last movement. `help COMMAND` tells more. Objects are written as they are
            shown: `<Cart:1>`.
            To where a line or a method runs next, in whatever thread

            Usage: to [OPTIONS] <PLACE>

            Arguments:
              <PLACE>  `Cart.java:31`, `31` in this file, or a method, `Cart.add`

            Options:
              -b, --back  Where it ran last before this step

            Examples:
              to Cart.java:31
              to 31
              to Cart.add --back
            The value of a variable or of a Java expression at this step

            Usage: print <EXPRESSION>

            Arguments:
              <EXPRESSION>  `total`, `lines[2].price`, `a + b > 3`

            Examples:
              print total
              print lines[2].price * 2 > limit
            exit code 0
        "#]],
    );
}

#[test]
fn a_failure_in_the_middle_of_a_long_run() {
    let sandbox = Sandbox::new();
    let source = r#"
        import java.util.concurrent.ExecutorService;
        import java.util.concurrent.Executors;

        public class Long {
            static int sum(int end) {
                if (end < 0) {
                    throw new IllegalStateException();
                }
                int sum = 0;
                for (int i = 0; i < end; i++) {
                    sum += i;
                }
                return sum;
            }

            static int caught() {
                try {
                    return sum(-2);
                } catch (IllegalStateException expected) {
                    return sum(20_000);
                }
            }

            public static void main(String[] arguments) {
                ExecutorService tests = Executors.newSingleThreadExecutor();
                tests.submit(() -> sum(-1));
                for (int i = 0; i < 300; i++) {
                    tests.submit(Long::caught);
                }
                tests.shutdown();
            }
        }
    "#;
    sandbox.record("Long", source, &[]);
    let told = sandbox.talk(&["open"], "");
    let expected = "<IllegalStateException:1> was thrown here in thread pool-1-thread-1, and no recorded code caught it.\n\
        Long.sum:8 ";
    assert!(told.starts_with(expected), "{told}");
}

#[test]
fn where_it_starts() {
    let sandbox = Sandbox::new();
    let source = r#"
        public class Calm {
            public static void main(String[] arguments) {
                try {
                    Integer.parseInt("x");
                } catch (NumberFormatException expected) {
                    System.out.println(expected.getMessage());
                }
            }
        }
    "#;
    sandbox.record("Calm", source, &[]);
    check(
        &sandbox,
        &[],
        &expect![[r#"
            No exception was left uncaught: here is the end of thread main.
            Calm.main:9  step 4 of 4, thread main
               7                      System.out.println(expected.getMessage());
               8                  }
            →  9              }
              10          }
              11  
              then     returns
            exit code 0
        "#]],
    );
    expect![[r#"
        Here is step 2.
        Calm.main:6  step 2 of 4, thread main
          4                  try {
          5                      Integer.parseInt("x");
        → 6                  } catch (NumberFormatException expected) {
          7                      System.out.println(expected.getMessage());
          8                  }
          written  expected = <NumberFormatException:1>
          then     to line 7  step 3
          2  Calm.main:6
        exit code 0
    "#]]
    .assert_eq(&sandbox.talk(&["open", "latest", "--step", "2"], "stack\n"));
    expect![[r#"
        error: there is no step 99
        hint: the run has steps 1 to 4
        exit code 2
    "#]]
    .assert_eq(&sandbox.talk(&["open", "--step", "99"], ""));
}

#[test]
fn answers_as_lines_of_json() {
    let sandbox = recorded("Till", TILL);
    let text = sandbox.talk(
        &["open", "--json"],
        "back\nwhy found\nprint found\ngoto 4711\nstack\nhelp goto\ncontrol\nsearch --text nosuch\ntrail\n",
    );
    let lines: Vec<Value> = text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
    let mut shown = String::new();
    for mut line in lines {
        without_ids(&mut line);
        // The whole step is the answer of `show`, which has its own test.
        let answer = &mut line["answer"];
        let whole = if answer["at"].is_object() { &mut answer["at"] } else { answer };
        if whole["effects"].is_array() {
            *whole = Value::from(format!("step {}", whole["step"]));
        }
        shown += &format!("{line}\n");
    }
    expect![[r#"
        {"answer":{"at":"step 27","reason":"<IllegalStateException:1> \"expected 23, found 18\" was thrown here in thread main, and no recorded code caught it."},"command":"open","outcome":"done","step":27}
        {"answer":"step 26","command":"back","outcome":"done","step":26}
        {"answer":{"answers":[{"kind":"argument","made_of":[{"from":{"kind":"variable","place":{"class":"Till","file":"Till.java","line":38,"name":"Till.main:38"},"source":"int found = till.total();","step":13,"thread":1,"value":18,"what":"found"},"name":"found","value":18}],"place":{"class":"Till","file":"Till.java","line":40,"name":"Till.main:40"},"source":"check(23, found);","step":25,"thread":1,"value":18,"what":"found"}],"kind":"variable"},"command":"why found","outcome":"done","step":26}
        {"answer":{"expression":"found","known":true,"parts":null,"value":18,"why_unknown":null},"command":"print found","outcome":"done","step":26}
        {"answer":null,"command":"goto 4711","error":{"causes":[],"hint":"the run has steps 1 to 29","message":"there is no step 4711"},"outcome":"failed","step":26}
        {"answer":[{"call_back":false,"entered":26,"place":{"class":"Till","file":"Till.java","line":29,"name":"Till.check:29"},"step":26},{"call_back":true,"entered":1,"place":{"class":"Till","file":"Till.java","line":40,"name":"Till.main:40"},"step":25}],"command":"stack","outcome":"done","step":26}
        {"answer":"To a step by its number, or to the last visit to a line\n\nUsage: goto <STEP|FILE:LINE>\n\nArguments:\n  <STEP|FILE:LINE>  Its number, as all answers have it, or FILE:LINE\n\nExamples:\n  goto 4711\n  goto Cart.java:31\n","command":"help goto","outcome":"done","step":26}
        {"answer":{"answers":[{"kind":"call","place":{"class":"Till","file":"Till.java","line":40,"name":"Till.main:40"},"source":"check(23, found);","step":25,"thread":1,"what":"Till.check()"}],"kind":"control"},"command":"control","outcome":"done","step":26}
        {"answer":[],"command":"search --text nosuch","outcome":"negative","step":26}
        {"answer":[{"name":"Till.check:30","step":27},{"name":"Till.check:29","step":26}],"command":"trail","outcome":"done","step":26}
    "#]].assert_eq(&shown);
}
