//! Why lines did not run, as users see it. Needs a JDK on the PATH.

use crate::sandbox::Sandbox;
use expect_test::{Expect, expect};

const PROGRAM: &str = r#"
import java.util.*;

public class Main {
    enum Kind { A, B }
    interface Op { int run(int x); }
    static class Never implements Op { public int run(int x) {
        return x;
    } }
    static class Twice implements Op { public int run(int x) { return 2 * x; } }
    static class Other { static int half(int n) { return n; } }
    static int hits;

    static int half(int n) {
        if (n % 2 != 0) throw new IllegalArgumentException("odd " + n);
        return n / 2;
    }

    static int left(int n) {
        int h = half(n);
        return h + 1;
    }

    static int handled(String text) {
        try {
            return Integer.parseInt(text);
        } catch (NumberFormatException e) {
            return -1;
        }
    }

    static int handlers(String text, boolean isChecked) {
        int n = 0;
        try {
            n = Integer.parseInt(text);
        } catch (NumberFormatException e) {
            n = -2;
        }
        if (isChecked) {
            try {
                n = half(n);
            } catch (IllegalArgumentException e) {
                n = -3;
            }
        }
        try {
            n += half(2);
        } catch (NullPointerException e) {
            n = -4;
        } catch (IllegalStateException e) {
            n = -5;
        }
        try {
            n += half(3);
        } catch (NullPointerException e) {
            n = -6;
        }
        return n;
    }

    static int loop(List<Integer> list) {
        int sum = 0;
        for (int n : list) {
            int h = half(n);
            sum += h;
        }
        return sum;
    }

    static int byKind(Kind kind) {
        switch (kind) {
            case A: return 1;
            default: return 2;
        }
    }

    static int byText(String text) {
        switch (text) {
            case "a":
                return 1;
            default: return 2;
        }
    }

    static void conditions(String text, int[] numbers) {
        if (text.charAt(0) == 'x') {
            hits++;
        }
        if (numbers.length > 3) {
            hits++;
        }
        for (int i = 0; i < 30000; i++) {
            if (hits > 5 && i > 10) {
                hits++;
            }
        }
    }

    static Runnable function(int n) {
        return () -> {
            hits = n;
        };
    }

    static int onlyOther(int n) {
        return Other.half(n);
    }

    public static void main(String[] arguments) {
        try { left(5); } catch (IllegalArgumentException e) { hits++; }
        handled("4");
        try { handlers("x", false); } catch (IllegalArgumentException e) { hits++; }
        try { loop(List.of(2, 4, 5)); } catch (IllegalArgumentException e) { hits++; }
        byKind(Kind.B);
        byText("b");
        conditions("abc", new int[2]);
        function(3);
        Op op = new Twice();
        new Never();
        op.run(4);
        System.exit(0);
        hits = 15;
    }
}
"#;

fn check(sandbox: &Sandbox, question: &str, expected: &Expect) {
    let arguments: Vec<&str> = ["why"].into_iter().chain(question.split(' ')).collect();
    expected.assert_eq(&sandbox.transcript(&arguments));
}

fn line_of(text: &str) -> usize {
    PROGRAM.lines().position(|line| line.contains(text)).expect("a line of the program") + 1
}

#[test]
fn handlers_that_no_exception_came_to() {
    let sandbox = Sandbox::new();
    sandbox.record("Main", PROGRAM, &[]);
    for (text, expected) in [
        (
            "n = -3",
            expect![[r#"
            Main.handlers:43  n = -3;
              did not run because of step 11  Main.handlers:39  if (isChecked) {
                isChecked:false
                isChecked = false  from step 6  Main.main:112  try { handlers("x", false); } catch (IllegalArgumentException e) { hits++; }
            exit code 0
        "#]],
        ),
        (
            "n = -4",
            expect![[r#"
            Main.handlers:49  n = -4;
              it handles an exception, and none came
            exit code 0
        "#]],
        ),
        (
            "n = -5",
            expect![[r#"
            Main.handlers:51  n = -5;
              it handles an exception, and none came
            exit code 0
        "#]],
        ),
        (
            "n = -6",
            expect![[r#"
            Main.handlers:56  n = -6;
              Main.handlers was left by <IllegalArgumentException:2>, thrown in step 17, through line 54
                step 17  Main.half:15  if (n % 2 != 0) throw new IllegalArgumentException("odd " + n);
            exit code 0
        "#]],
        ),
    ] {
        check(&sandbox, &format!("--not Main.java:{}", line_of(text)), &expected);
    }
}

#[test]
fn calls_that_ended_before() {
    let sandbox = Sandbox::new();
    sandbox.record("Main", PROGRAM, &[]);
    check(
        &sandbox,
        &format!("--not Main.java:{}", line_of("return h + 1")),
        &expect![[r#"
        Main.left:21  return h + 1;
          Main.left was left by <IllegalArgumentException:1>, thrown in step 3, through line 20
            step 3  Main.half:15  if (n % 2 != 0) throw new IllegalArgumentException("odd " + n);
        exit code 0
    "#]],
    );
    check(
        &sandbox,
        &format!("--not Main.java:{}", line_of("return -1")),
        &expect![[r#"
        Main.handled:28  return -1;
          it handles an exception, and none came
        exit code 0
    "#]],
    );
    check(
        &sandbox,
        &format!("--not Main.java:{}", line_of("return sum")),
        &expect![[r#"
            Main.loop:67  return sum;
              Main.loop was left by <IllegalArgumentException:3>, thrown in step 34, through line 64
                step 34  Main.half:15  if (n % 2 != 0) throw new IllegalArgumentException("odd " + n);
            exit code 0
        "#]],
    );
    check(
        &sandbox,
        &format!("--not Main.java:{}", line_of("hits = 15")),
        &expect![[r#"
            Main.main:122  hits = 15;
              the recording ends before: System.exit() has not returned, in step 90060  Main.main:121  System.exit(0);
            exit code 0
        "#]],
    );
    check(
        &sandbox,
        &format!("--not Main.java:{}", line_of("sum += h")),
        &expect![[r#"
            Main.loop:65  sum += h;
              it did run, the last time in step 30
              a step narrows it to one call: `whydunit why STEP --not Main.java:65`
            exit code 1
        "#]],
    );
}

#[test]
fn what_was_compared() {
    let sandbox = Sandbox::new();
    sandbox.record("Main", PROGRAM, &[]);
    check(
        &sandbox,
        &format!("--not Main.java:{}", line_of("case A: return 1")),
        &expect![[r#"
            Main.byKind:72  case A: return 1;
              did not run because of step 40  Main.byKind:71  switch (kind) {
                switch (kind:B)
                kind = <Kind:2>  from step 35  Main.main:114  byKind(Kind.B);
            exit code 0
        "#]],
    );
    check(
        &sandbox,
        &format!("--not Main.java:{}", line_of("case \"a\"") + 1),
        &expect![[r#"
            Main.byText:80  return 1;
              did not run because of step 45  Main.byText:78  switch (text) {
                switch (text:"b")
            exit code 0
        "#]],
    );
    check(
        &sandbox,
        &format!("--not Main.java:{}", line_of("== 'x'") + 1),
        &expect![[r#"
            Main.conditions:87  hits++;
              did not run because of step 48  Main.conditions:86  if (text.charAt(0) == 'x') {
                text.charAt(0):'a' != 'x'
                text = "abc"  from step 47  Main.main:116  conditions("abc", new int[2]);
            exit code 0
        "#]],
    );
    check(
        &sandbox,
        &format!("--not Main.java:{}", line_of("numbers.length >") + 1),
        &expect![[r#"
            Main.conditions:90  hits++;
              did not run because of step 49  Main.conditions:89  if (numbers.length > 3) {
                numbers.length:2 <= 3
                numbers = <int[]:2>  from step 47  Main.main:116  conditions("abc", new int[2]);
            exit code 0
        "#]],
    );
    check(
        &sandbox,
        &format!("--not Main.java:{}", line_of("&& i > 10") + 1),
        &expect![[r#"
            Main.conditions:94  hits++;
              did not run because of step 90048  Main.conditions:93  if (hits > 5 && i > 10) {
                Main.hits:3 <= 5
                Main.hits = 3  from step 18  Main.main:113  try { loop(List.of(2, 4, 5)); } catch (IllegalArgumentException e) { hits++; }
            exit code 0
        "#]],
    );
}

#[test]
fn all_operands_of_a_condition() {
    let sandbox = Sandbox::new();
    let program = r#"
public class Main {
    static void check(boolean isOpen, int count, String name) {
        if (isOpen && (count > 3 || name.isEmpty())) {
            System.out.println("open");
        }
        if (isOpen && count < 3 && !name.isEmpty() && count > 1) {
            System.out.println("some");
        }
    }

    public static void main(String[] arguments) {
        check(true, 1, "tea");
    }
}
"#;
    sandbox.record("Main", program, &[]);
    check(
        &sandbox,
        "--not Main.java:5",
        &expect![[r#"
        Main.check:5  System.out.println("open");
          did not run because of step 2  Main.check:4  if (isOpen && (count > 3 || name.isEmpty())) {
            isOpen:true, which led on
            count:1 <= 3
            count = 1  from step 1  Main.main:13  check(true, 1, "tea");
            name.isEmpty():false
            name = "tea"  from step 1  Main.main:13  check(true, 1, "tea");
        exit code 0
    "#]],
    );
    check(
        &sandbox,
        "--not Main.java:8",
        &expect![[r#"
        Main.check:8  System.out.println("some");
          did not run because of step 3  Main.check:7  if (isOpen && count < 3 && !name.isEmpty() && count > 1) {
            isOpen:true, which led on
            count:1 < 3, which led on
            name.isEmpty():false, which led on
            count:1 <= 1
            count = 1  from step 1  Main.main:13  check(true, 1, "tea");
        exit code 0
    "#]],
    );
    let json = sandbox.transcript(&["why", "--not", "Main.java:5", "--json"]);
    assert!(json.contains("\"has_decided\": false"), "{json}");
}

#[test]
fn who_would_have_called() {
    let sandbox = Sandbox::new();
    sandbox.record("Main", PROGRAM, &[]);
    check(
        &sandbox,
        &format!("--not Main.java:{}", line_of("return x;")),
        &expect![[r#"
            Never.run:8  return x;
              Never.run was not entered; callers:
                Main.main:120  op.run(4);
                  ran, the last time in step 90058, and called Twice.run
            exit code 0
        "#]],
    );
    check(
        &sandbox,
        &format!("--not Main.java:{}", line_of("hits = n")),
        &expect![[r#"
            Main.lambda$function$0:101  hits = n;
              Main.lambda$function$0 was not entered; callers:
                Main.function:100  return () -> {
                  made the function, the last time in step 90053; nobody called it
            exit code 0
        "#]],
    );
    check(
        &sandbox,
        &format!("--not Main.java:{}", line_of("Other.half(n)")),
        &expect![[r#"
            Main.onlyOther:106  return Other.half(n);
              Main.onlyOther was not entered, and no recorded code calls it
            exit code 0
        "#]],
    );
    check(
        &sandbox,
        "--not Unloaded.java:3",
        &expect![[r#"
        Unloaded.java:3
          no class with this line was loaded in this run, or none was recorded
        exit code 1
    "#]],
    );
}

const FAR_CALLERS: &str = r#"public class Far {
    static void parse(String text) {
        Integer.parseInt(text);
    }
    static void after() {
        System.out.println("after");
    }
    static void repeat(String text) {
        do {
            try {
                parse(text);
                after();
            } catch (NumberFormatException e) {
                throw new IllegalStateException("wrapped", e);
            }
        } while (text.isEmpty());
    }
    static void a() { b(); }
    static void b() { c(); }
    static void c() { d(); }
    static void d() { e(); }
    static void e() { f(); }
    static void f() { g(); }
    static void g() {
        System.out.println("deep");
    }
    public static void main(String[] arguments) {
        if (arguments.length > 3) a();
        try {
            repeat("x");
        } catch (IllegalStateException e) {
            System.out.println("left");
        }
    }
}
"#;

#[test]
fn far_callers_and_do_loops() {
    let sandbox = Sandbox::new();
    sandbox.compile("Far", FAR_CALLERS);
    sandbox.run(&["record", "--", "java", "-cp", "classes", "Far"]);
    check(
        &sandbox,
        "--not Far.java:25",
        &expect![[r#"
        Far.g:25  System.out.println("deep");
          Far.g was not entered; callers:
            Far.f:23  static void f() { g(); }
              Far.f was not entered; callers:
                Far.e:22  static void e() { f(); }
                  Far.e was not entered; callers:
                    Far.d:21  static void d() { e(); }
                      Far.d was not entered; callers:
                        Far.c:20  static void c() { d(); }
                          Far.c was not entered; callers:
                            Far.b:19  static void b() { c(); }
                              Far.b was not entered; callers:
                                Far.a:18  static void a() { b(); }
                                  Far.a was not entered; callers:
                                    Far.main:28  if (arguments.length > 3) a();
                                      did not run because of step 1  Far.main:28  if (arguments.length > 3) a();
                                        arguments.length:0 <= 3
                                        <String[]:1>
        exit code 0
    "#]],
    );
    check(
        &sandbox,
        "--not Far.java:12",
        &expect![[r#"
        Far.repeat:12  after();
          an exception came before, from step 4  Far.parse:3  Integer.parseInt(text);
            text = "x"  from step 3  Far.repeat:11  parse(text);
        exit code 0
    "#]],
    );
    check(
        &sandbox,
        "Far.java:14 --control",
        &expect![[r#"
              6  Far.repeat:14  throw new IllegalStateException("wrapped", e);
          because of step 4  Far.parse:3  Integer.parseInt(text);
            text = "x"  from step 3  Far.repeat:11  parse(text);
        exit code 0
    "#]],
    );
}
