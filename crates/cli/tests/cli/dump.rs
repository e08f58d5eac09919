//! The run as events. Needs a JDK on the PATH.

use crate::sandbox::Sandbox;
use expect_test::expect;
use serde_json::Value;
use std::fs;
use std::process::Command;

const PROGRAM: &str = r#"
public class Main {
    static double[] prices = {1.5, 2};
    private String name;
    Main(String name) {
        this.name = name;
    }
    static char initial(Main main) {
        if (main == null) {
            throw new IllegalArgumentException("nobody");
        }
        return main.name.charAt(0);
    }
    public static void main(String[] arguments) throws Exception {
        char tea = initial(new Main("tea"));
        prices[1] += tea == 't' ? 0.5 : 0;
        try {
            initial(null);
        } catch (IllegalArgumentException nobody) {
            System.out.println(nobody.getMessage());
        }
        Thread other = new Thread(() -> prices[0] = Math.max(3L, prices[1]), "other");
        other.start(); other.join(); // one step, or their order would be chance
    }
}
"#;

fn recorded() -> Sandbox {
    let sandbox = Sandbox::new();
    fs::write(sandbox.path().join("Main.java"), PROGRAM).expect("a file");
    let compiled =
        Command::new("javac").args(["-g", "-d", "classes", "Main.java"]).current_dir(sandbox.path()).status();
    assert!(compiled.expect("a JDK on the PATH").success());
    let output = sandbox.run(&["record", "--", "java", "-cp", "classes", "Main"]);
    assert_eq!(String::from_utf8_lossy(&output.stdout), "nobody\n");
    sandbox
}

#[test]
fn events_and_filters() {
    let sandbox = recorded();
    expect![[r#"
              1  t1   Main.<clinit>:3  enter Main.<clinit>()
              1  t1   Main.<clinit>:3  step   static double[] prices = {1.5, 2};
              1  t1   Main.<clinit>:3  new <double[]:1>
              1  t1   Main.<clinit>:3  write <double[]:1>[0] = 1.5
              1  t1   Main.<clinit>:3  write <double[]:1>[1] = 2.0
              1  t1   Main.<clinit>:3  write Main.prices = <double[]:1>
              1  t1   Main.<clinit>:3  return
              2  t1   Main.main:15  enter Main.main(arguments = <String[]:1>)
              2  t1   Main.main:15  step   char tea = initial(new Main("tea"));
              2  t1   Main.main:15  new <Main:1>
              3  t1     Main.<init>:5  enter Main.<init>(this = <Main:1>, name = "tea")
              3  t1     Main.<init>:5  step   Main(String name) {
              3  t1     Main.<init>:5  call Object.<init>()
              3  t1     Main.<init>:5  call returned
              4  t1     Main.<init>:6  step   this.name = name;
              4  t1     Main.<init>:6  write this.name = "tea"
              5  t1     Main.<init>:7  step   }
              5  t1     Main.<init>:7  return
              6  t1     Main.initial:9  enter Main.initial(main = <Main:1>)
              6  t1     Main.initial:9  step   if (main == null) {
              6  t1     Main.initial:9  branch (<Main:1> != null) to line 12
              7  t1     Main.initial:12  step   return main.name.charAt(0);
              7  t1     Main.initial:12  read <Main:1>.name → "tea"
              7  t1     Main.initial:12  call "tea".charAt(0)
              7  t1     Main.initial:12  call returned 't'
              7  t1     Main.initial:12  return 't'
              2  t1   Main.main:15  set tea = 't'
              8  t1   Main.main:16  step   prices[1] += tea == 't' ? 0.5 : 0;
              8  t1   Main.main:16  read Main.prices → <double[]:1>
              8  t1   Main.main:16  read <double[]:1>[1] → 2.0
              8  t1   Main.main:16  branch ('t' != 't') to line 16
              8  t1   Main.main:16  write <double[]:1>[1] = 2.5
              9  t1   Main.main:18  step   initial(null);
             10  t1     Main.initial:9  enter Main.initial(main = null)
             10  t1     Main.initial:9  step   if (main == null) {
             10  t1     Main.initial:9  branch (null != null) to line 10
             11  t1     Main.initial:10  step   throw new IllegalArgumentException("nobody");
             11  t1     Main.initial:10  new <IllegalArgumentException:1>
             11  t1     Main.initial:10  call IllegalArgumentException.<init>("nobody")
             11  t1     Main.initial:10  call returned
             11  t1     Main.initial:10  throw <IllegalArgumentException:1>
             11  t1     Main.initial:10  unwind <IllegalArgumentException:1>
              9  t1   Main.main:19  catch <IllegalArgumentException:1>
             12  t1   Main.main:19  step   } catch (IllegalArgumentException nobody) {
             12  t1   Main.main:19  set nobody = <IllegalArgumentException:1>
             13  t1   Main.main:20  step   System.out.println(nobody.getMessage());
             13  t1   Main.main:20  read System.out → <PrintStream:1>
             13  t1   Main.main:20  call <IllegalArgumentException:1>.getMessage()
             13  t1   Main.main:20  call returned "nobody"
             13  t1   Main.main:20  call <PrintStream:1>.println("nobody")
             13  t1   Main.main:20  call returned
             14  t1   Main.main:22  step   Thread other = new Thread(() -> prices[0] = Math.max(3L, prices[1]), "other");
             14  t1   Main.main:22  new <Thread:1>
             14  t1   Main.main:22  call run()
             14  t1   Main.main:22  call returned <Main$$Lambda:1>
             14  t1   Main.main:22  call Thread.<init>(<Main$$Lambda:1>, "other")
             14  t1   Main.main:22  call returned
             14  t1   Main.main:22  set other = <Thread:1>
             15  t1   Main.main:23  step   other.start(); other.join(); // one step, or their order would be chance
             15  t1   Main.main:23  call <Thread:1>.start()
             15  t1   Main.main:23  call returned
             15  t1   Main.main:23  call <Thread:1>.join()
             15  t1   Main.main:23  call returned
             17  t1   Main.main:24  step   }
             17  t1   Main.main:24  return
             16  t2   Main.lambda$main$0:22  enter Main.lambda$main$0()
             16  t2   Main.lambda$main$0:22  step   Thread other = new Thread(() -> prices[0] = Math.max(3L, prices[1]), "other");
             16  t2   Main.lambda$main$0:22  read Main.prices → <double[]:1>
             16  t2   Main.lambda$main$0:22  read Main.prices → <double[]:1>
             16  t2   Main.lambda$main$0:22  read <double[]:1>[1] → 2.5
             16  t2   Main.lambda$main$0:22  call Math.max(3.0, 2.5)
             16  t2   Main.lambda$main$0:22  call returned 3.0
             16  t2   Main.lambda$main$0:22  write <double[]:1>[0] = 3.0
             16  t2   Main.lambda$main$0:22  return
        exit code 0
    "#]].assert_eq(&sandbox.transcript(&["dump"]));
    expect![[r#"
             16  t2   Main.lambda$main$0:22  enter Main.lambda$main$0()
             16  t2   Main.lambda$main$0:22  step   Thread other = new Thread(() -> prices[0] = Math.max(3L, prices[1]), "other");
        whydunit: stopped after 2 events (`--limit`); there are more
        exit code 0
    "#]].assert_eq(&sandbox.transcript(&["dump", "--thread", "other", "--line", "Main.java:22", "--limit", "2"]));
    // Recorded methods that it calls are a line each, as unrecorded ones are.
    expect![[r#"
              2  t1   Main.main:15  enter Main.main(arguments = <String[]:1>)
              2  t1   Main.main:15  step   char tea = initial(new Main("tea"));
              2  t1   Main.main:15  new <Main:1>
              2  t1   Main.main:15  call Main.<init>("tea")
              2  t1   Main.main:15  call returned
              2  t1   Main.main:15  call Main.initial(<Main:1>)
              2  t1   Main.main:15  call returned 't'
              2  t1   Main.main:15  set tea = 't'
              8  t1   Main.main:16  step   prices[1] += tea == 't' ? 0.5 : 0;
              8  t1   Main.main:16  read Main.prices → <double[]:1>
              8  t1   Main.main:16  read <double[]:1>[1] → 2.0
              8  t1   Main.main:16  branch ('t' != 't') to line 16
        whydunit: stopped after 12 events (`--limit`); there are more
        exit code 0
    "#]]
    .assert_eq(&sandbox.transcript(&["dump", "--method", "Main.main", "--limit", "12"]));
    // A field of a class that is not recorded.
    expect![[r#"
             13  t1   Main.main:20  read System.out → <PrintStream:1>
        exit code 0
    "#]]
    .assert_eq(&sandbox.transcript(&["dump", "--field", "System.out"]));
    let output = sandbox.run(&["dump", "--field", "name", "--json"]);
    let lines: Vec<Value> = output.stdout.split(|&byte| byte == b'\n').flat_map(serde_json::from_slice).collect();
    let facts = |event: &Value| {
        let value = &event["value"]["text"];
        format!("{} {} {} {} {value}", event["step"], event["method"], event["event"], event["object"]["type"])
    };
    let shown: Vec<String> = lines.iter().map(facts).collect();
    assert_eq!(shown, [r#"4 "<init>" "field_written" "Main" "tea""#, r#"7 "initial" "field_read" "Main" "tea""#]);
    expect![[r#"
        whydunit: no such event
        exit code 1
    "#]]
    .assert_eq(&sandbox.transcript(&["dump", "--steps", "5000.."]));
    expect![[r#"
        error: no thread is called `othr`
        hint: did you mean `other`?
        exit code 2
    "#]]
    .assert_eq(&sandbox.transcript(&["dump", "--thread", "othr"]));
    expect![[r#"
        error: no recorded method is called `Main.inital`
        hint: did you mean `Main.initial`?
        exit code 2
    "#]]
    .assert_eq(&sandbox.transcript(&["dump", "--method", "Main.inital"]));
    expect![[r#"
        error: `Main` is a class; a method is wanted
        hint: did you mean `Main.initial`, `Main.lambda$main$0`, `Main.main`, `Main.<clinit>`, `Main.<init>`?
        exit code 2
    "#]]
    .assert_eq(&sandbox.transcript(&["dump", "--method", "Main"]));
    assert_eq!(sandbox.run(&["dump", "--method", "Main#initial"]).status.code(), Some(0));
    expect![[r#"
        error: there is no recorded code in line `Main.java:8`
        hint: did you mean `Main.java:7`, `Main.java:9`?
        exit code 2
    "#]]
    .assert_eq(&sandbox.transcript(&["dump", "--line", "Main.java:8"]));
    expect![[r#"
        error: no recorded class has a field `Main.nam`
        hint: did you mean `Main.name`?
        exit code 2
    "#]]
    .assert_eq(&sandbox.transcript(&["dump", "--field", "Main.nam"]));
    expect![[r#"
        error: invalid value 'b..a' for '--steps <A..B>': `b..a` is not a range of steps; write `100..120`, `100..`, `..120` or `100`

        For more information, try '--help'.
        exit code 2
    "#]].assert_eq(&sandbox.transcript(&["dump", "--steps", "b..a"]));
}
