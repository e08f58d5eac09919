//! The first wrong step, found by answers.

use crate::sandbox::Sandbox;
use expect_test::expect;
use serde_json::Value;

const PROGRAM: &str = r#"public class Till {
    static int price(int cents, int percent) {
        int discount = cents * percent / 10;
        return cents - discount;
    }

    static int total(int[] cents) {
        int total = 0;
        for (int each : cents) {
            total += price(each, 5);
        }
        return total;
    }

    public static void main(String[] arguments) {
        int total = total(new int[] {1000, 2000});
        if (total != 2850) {
            throw new IllegalStateException("wrong total " + total);
        }
    }
}
"#;

fn till() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.compile("Till", PROGRAM);
    let recorded = sandbox.run(&["record", "--", "java", "-cp", "classes", "Till"]);
    assert_eq!(recorded.status.code(), Some(1), "{}", sandbox.describe(&recorded));
    sandbox
}

/// Answers every question truly until the wrong line is found.
#[test]
fn from_the_exception_to_the_discount() {
    let sandbox = till();
    let mut answers = String::new();
    for _ in 0..10 {
        let told = sandbox.talk(&["find", "--json"], &answers);
        let last = told.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok()).rfind(Value::is_object);
        let last = last.unwrap_or_else(|| panic!("no JSON: {told}"));
        if last["kind"] == "found" {
            assert_eq!(last["first_wrong"]["place"]["name"], "Till.price:3", "{told}");
            assert!(answers.lines().count() <= 5, "{answers}");
            return;
        }
        answers += &answer(&last);
    }
    panic!("not found: {answers}");
}

/// Of someone who knows what prices and totals should be.
fn answer(question: &Value) -> String {
    let is_wrong = |read: &&Value| {
        let name = read["name"].as_str().unwrap_or_default();
        matches!(name, "discount" | "total" | "price()" | "total()") && read["value"] != "0"
    };
    let reads = question["reads"].as_array().into_iter().flatten();
    let wrong: Vec<String> = reads.filter(is_wrong).map(|read| read["number"].to_string()).collect();
    match question["place"]["line"].as_u64() {
        Some(3) => "result\n".to_owned(),
        Some(18) => "path\n".to_owned(),
        _ if wrong.is_empty() => "correct\n".to_owned(),
        _ => format!("wrong {}\n", wrong.join(" ")),
    }
}

#[test]
fn questions_and_mistakes() {
    let sandbox = till();
    expect![[r#"
        whydunit: the failure is <IllegalStateException:1> "wrong total 1500", thrown in step 16

        question 1  whatever you say, it rules out much of what led to the failure
        Till.main:16  step 1 of 16, thread main
          14  
          15      public static void main(String[] arguments) {
        → 16          int total = total(new int[] {1000, 2000});
          17          if (total != 2850) {
          18              throw new IllegalStateException("wrong total " + total);
          reads    1  total() = 1500
          makes       <int[]:1>[0] = 1000
                      <int[]:1>[1] = 2000
                      Till.total()
                      total = 1500
          clear specification › simple inference; 8 lines are left

        question 1  whatever you say, it rules out much of what led to the failure
        Till.main:16  step 1 of 16, thread main
          14  
          15      public static void main(String[] arguments) {
        → 16          int total = total(new int[] {1000, 2000});
          17          if (total != 2850) {
          18              throw new IllegalStateException("wrong total " + total);
          reads    1  total() = 1500
          makes       <int[]:1>[0] = 1000
                      <int[]:1>[1] = 2000
                      Till.total()
                      total = 1500
          clear specification › simple inference; 8 lines are left
        exit code 1
    "#]]
    .assert_eq(&sandbox.talk(&["find"], "undo\nquit\n"));
    let told = sandbox.talk(&["find"], "perhaps\n");
    expect![[r#"
        error: `perhaps` is no answer
        hint: answers are `correct`, `wrong 1 2`, `wrong 1.price`, `result`, `path`, `hidden`, `unclear`, `look 1`, `missing`, `undo`, `answers`, `quit`
        exit code 2
    "#]]
    .assert_eq(told.find("error:").map_or(&told, |start| &told[start..]));
    expect![[r#"
        error: there is no step 4711
        hint: the run has steps 1 to 16
        exit code 2
    "#]]
    .assert_eq(&sandbox.transcript(&["find", "--at", "4711"]));
}

#[test]
fn something_more_abstract_after_an_unclear_answer() {
    let sandbox = till();
    let told = sandbox.talk(&["find", "--json", "--policy", "paper"], "wrong 1\nwrong 1\nwrong 1\nunclear\n");
    let questions: Vec<Value> = told.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
    let places: Vec<&str> = questions.iter().filter_map(|one| one["place"]["name"].as_str()).collect();
    let states: Vec<&str> = questions.iter().filter_map(|one| one["state"].as_array()?.last()?.as_str()).collect();
    expect![[r#"
        ["Till.main:18", "Till.main:16", "Till.total:12", "Till.total:10", "Till.total:9"]
        ["simple inference", "simple inference", "simple inference", "simple inference", "unclear"]
    "#]]
    .assert_eq(&format!("{places:?}\n{states:?}\n"));
    assert_ne!(places[places.len() - 1], places[places.len() - 2], "not the same step at once again");
}

#[test]
fn answers_are_kept_and_gone_on_with() {
    let sandbox = till();
    expect![[r#"
        whydunit: the failure is <IllegalStateException:1> "wrong total 1500", thrown in step 16
        error: no answers of an earlier search that started here are kept
        hint: start one: `whydunit find`
        exit code 2
    "#]]
    .assert_eq(&sandbox.transcript(&["find", "--resume"]));
    sandbox.talk(&["find", "--policy", "paper"], "wrong 1\nquit\n");
    expect![[r#"
        whydunit: the failure is <IllegalStateException:1> "wrong total 1500", thrown in step 16
        whydunit: answer 1, step 16  Till.main:18  wrong 1: as you said before

        question 2  it made a value that you said is wrong
        Till.main:16  step 1 of 16, thread main
          14  
          15      public static void main(String[] arguments) {
        → 16          int total = total(new int[] {1000, 2000});
          17          if (total != 2850) {
          18              throw new IllegalStateException("wrong total " + total);
          reads    1  total() = 1500
          makes       <int[]:1>[0] = 1000
                      <int[]:1>[1] = 2000
                      Till.total()
                      total = 1500
          clear specification › simple inference; 6 lines are left
          answer 1, step 16  Till.main:18  wrong 1

        question 1  the failure is seen here
        Till.main:18  step 16 of 16, thread main
          16          int total = total(new int[] {1000, 2000});
          17          if (total != 2850) {
        → 18              throw new IllegalStateException("wrong total " + total);
          19          }
          20      }
          decided by step 15  Till.main:17  if (total != 2850) {  total:1500 != 2850
          reads    1  total = 1500
          makes       makeConcatWithConstants() = "wrong total 1500"
                      new IllegalStateException()
                      throw
          clear specification › simple inference; 8 lines are left
        exit code 1
    "#]]
    .assert_eq(&sandbox.talk(&["find", "--policy", "paper", "--resume"], "answers\nundo\nquit\n"));
    let told = sandbox.talk(&["find", "--policy", "paper"], "");
    assert!(!told.contains("answers of an earlier search"), "they were taken back: {told}");
}

#[test]
fn a_contradiction_is_shown_with_both_answers() {
    let sandbox = till();
    let told = sandbox.talk(&["find", "--policy", "paper"], "wrong 1\ncorrect\nanswers\nmissing\n");
    expect![[r#"
        whydunit: the failure is <IllegalStateException:1> "wrong total 1500", thrown in step 16

        question 1  the failure is seen here
        Till.main:18  step 16 of 16, thread main
          16          int total = total(new int[] {1000, 2000});
          17          if (total != 2850) {
        → 18              throw new IllegalStateException("wrong total " + total);
          19          }
          20      }
          decided by step 15  Till.main:17  if (total != 2850) {  total:1500 != 2850
          reads    1  total = 1500
          makes       makeConcatWithConstants() = "wrong total 1500"
                      new IllegalStateException()
                      throw
          clear specification › simple inference; 8 lines are left

        question 2  it made a value that you said is wrong
        Till.main:16  step 1 of 16, thread main
          14  
          15      public static void main(String[] arguments) {
        → 16          int total = total(new int[] {1000, 2000});
          17          if (total != 2850) {
          18              throw new IllegalStateException("wrong total " + total);
          reads    1  total() = 1500
          makes       <int[]:1>[0] = 1000
                      <int[]:1>[1] = 2000
                      Till.total()
                      total = 1500
          clear specification › simple inference; 6 lines are left
        whydunit: two answers speak of the same value, one as right, one as wrong:
        whydunit:   answer 1, step 16  Till.main:18  wrong 1; `undo 1` goes back to before it
        whydunit:   answer 2, step 1  Till.main:16  correct; `undo 2` goes back to before it

        question 3  it lies between a right value and where that is wrong
        Till.total:8  step 2 of 16, thread main
           6  
           7      static int total(int[] cents) {
        →  8          int total = 0;
           9          for (int each : cents) {
          10              total += price(each, 5);
          called from Till.main:16
          makes       total = 0
          clear specification › inspect details; 6 lines are left
          answer 1, step 16  Till.main:18  wrong 1
          answer 2, step 1  Till.main:16  correct
        whydunit: that something is missing shows when a value is right where it was made and wrong where it is used: answer `wrong` where it is used and `correct` where it was made
        whydunit: your answers are kept: `whydunit find --resume` goes on with them
        exit code 1
    "#]].assert_eq(&told);
}

/// Another run with the same bug: what was said of the first holds where steps are alike.
#[test]
fn the_answers_of_another_run() {
    let sandbox = till();
    let first = sandbox.run(&["runs", "--json"]);
    let runs: Value = serde_json::from_slice(&first.stdout).expect("JSON");
    let id = runs[0]["id"].as_str().expect("an id").to_owned();
    let told = sandbox
        .talk(&["find", "--policy", "paper"], "wrong 1\nwrong 1\nwrong 1\nwrong 2 3\nwrong 3\nwrong 2\nresult\n");
    assert!(told.contains("the first wrong step"), "{told}");
    sandbox.run(&["record", "--", "java", "-cp", "classes", "Till"]);
    let told = sandbox.talk(&["find", "--policy", "paper", "--like", &id], "");
    expect![[r#"
        whydunit: the failure is <IllegalStateException:1> "wrong total 1500", thrown in step 16
        whydunit: answer 1, step 16  Till.main:18  wrong 1: a step like it was judged so
        whydunit: answer 2, step 1  Till.main:16  wrong 1: a step like it was judged so
        whydunit: answer 3, step 14  Till.total:12  wrong 1: a step like it was judged so
        whydunit: answer 4, step 9  Till.total:10  wrong 2 3: a step like it was judged so
        whydunit: answer 5, step 4  Till.total:10  wrong 3: a step like it was judged so
        whydunit: answer 6, step 6  Till.price:4  wrong 2: a step like it was judged so
        whydunit: answer 7, step 5  Till.price:3  result: a step like it was judged so

        the first wrong step
              5  Till.price:3  int discount = cents * percent / 10;

        from there to the failure
              6  Till.price:4  return cents - discount;  discount = 500
              4  Till.total:10  total += price(each, 5);  price() = 500
              9  Till.total:10  total += price(each, 5);  total = 500
             14  Till.total:12  return total;  total = 1500
              1  Till.main:16  int total = total(new int[] {1000, 2000});  total() = 1500
             16  Till.main:18  throw new IllegalStateException("wrong total " + total);  total = 1500
        exit code 0
    "#]]
    .assert_eq(&told);
}

const TWO_FAILURES: &str = r#"public class Two {
    static int half(int number) {
        return number / 3;
    }

    public static void main(String[] arguments) throws Exception {
        Thread other = new Thread(() -> check(4, 2), "other");
        // In one line, so that steps of both threads always come in the same order.
        other.start(); other.join();
        System.out.println("half:" + half(6));
        check(6, 3);
    }

    static void check(int number, int expected) {
        if (half(number) != expected) {
            throw new IllegalStateException("half of " + number);
        }
    }
}
"#;

#[test]
fn where_the_search_starts() {
    let sandbox = Sandbox::new();
    sandbox.compile("Two", TWO_FAILURES);
    sandbox.run(&["record", "--", "java", "-cp", "classes", "Two"]);
    let start = |arguments: &[&str]| sandbox.talk(&[&["find", "--policy", "paper"], arguments].concat(), "");
    expect![[r#"
        whydunit: 2 failures: this is about the last one
        whydunit:   1  Two.lambda$main$0  <IllegalStateException:2> "half of 4"  `--at 6`
        whydunit:   2  Two.main  <IllegalStateException:1> "half of 6"  `--at 12`

        question 1  the failure is seen here
        Two.check:16  step 12 of 12, thread main
          14      static void check(int number, int expected) {
          15          if (half(number) != expected) {
        → 16              throw new IllegalStateException("half of " + number);
          17          }
          18      }
          called from Two.main:11
          decided by step 10  Two.check:15  if (half(number) != expected) {  half(number):2 != expected:3
          reads    1  number = 6
          makes       makeConcatWithConstants() = "half of 6"
                      new IllegalStateException()
                      throw
          clear specification › simple inference; 4 lines are left
        exit code 1
    "#]]
    .assert_eq(&start(&[]));
    expect![[r#"

        question 1  the failure is seen here
        Two.main:10  step 7 of 12, thread main
           8          // In one line, so that steps of both threads always come in the same order.
           9          other.start(); other.join();
        → 10          System.out.println("half:" + half(6));
          11          check(6, 3);
          12      }
          reads    1  half() = 2
          makes       Two.half()
                      makeConcatWithConstants() = "half:2"
                      PrintStream.println()
          clear specification › simple inference; 3 lines are left
        exit code 1
    "#]]
    .assert_eq(&start(&["--at", "half:2"]));
    expect![[r#"

        question 1  the failure is seen here
        Two.half:3  step 11 of 12, thread main
          1  public class Two {
          2      static int half(int number) {
        → 3          return number / 3;
          4      }
          5  
          called from Two.check:15 ← Two.main:11
          reads    1  number = 6
          makes       half() = 2
          clear specification › simple inference; 4 lines are left
        exit code 1
    "#]]
    .assert_eq(&start(&["--at", "Two.java:3"]));
    expect![[r#"
        error: no recorded code has put out `half: 7`
        hint: name the step or line instead; to see where the text comes up: `whydunit search --text 'half: 7'`
        exit code 2
    "#]]
    .assert_eq(&start(&["--at", "half: 7"]));
    expect![[r#"
        error: no recorded class comes from `Tow.java`, and no recorded code has put out `Tow.java:3`
        hint: did you mean `Two.java`?
        exit code 2
    "#]]
    .assert_eq(&start(&["--at", "Tow.java:3"]));
    expect![[r#"
        error: no recorded class comes from `half`, and no recorded code has put out `half:7`
        hint: name the step or line instead; to see where the text comes up: `whydunit search --text 'half:7'`
        exit code 2
    "#]]
    .assert_eq(&start(&["--at", "half:7"]));
}

const FORGOTTEN: &str = r#"public class Forgotten {
    int price = 10;
    boolean isReduced;

    void reduce() {
        isReduced = true;
    }

    int toPay() {
        return isReduced ? price / 2 : price;
    }

    public static void main(String[] arguments) {
        Forgotten item = new Forgotten();
        if (arguments.length == 0) {
            item.price = 8;
        }
        System.out.println(item.toPay());
    }
}
"#;

/// Nobody calls `reduce`: the field is right where it is made, and wrong where it is used.
#[test]
fn code_that_is_missing() {
    let sandbox = Sandbox::new();
    sandbox.record("Forgotten", FORGOTTEN, &[]);
    let told = sandbox.talk(
        &["find", "--at", "Forgotten.java:10", "--policy", "paper"],
        "wrong 1\ncorrect\ncorrect\ncorrect\ncorrect\ncorrect\nwrong 1\n",
    );
    expect![[r#"

        question 1  the failure is seen here
        Forgotten.toPay:10  step 7 of 8, thread main
           8  
           9      int toPay() {
        → 10          return isReduced ? price / 2 : price;
          11      }
          12  
          called from Forgotten.main:18
          reads    1  <Forgotten:1>.isReduced = false
                   2  <Forgotten:1>.price = 8
          makes       this.isReduced:false
                      toPay() = 8
          clear specification › simple inference; 5 lines are left

        question 2  it made a value that you said is wrong
        Forgotten.main:14  step 1 of 8, thread main
          12  
          13      public static void main(String[] arguments) {
        → 14          Forgotten item = new Forgotten();
          15          if (arguments.length == 0) {
          16              item.price = 8;
          makes       new Forgotten()
                   b  item = <Forgotten:1>
          clear specification › simple inference; 3 lines are left

        question 3  it lies between a right value and where that is wrong
        Forgotten.<init>:1  step 2 of 8, thread main
        → 1  public class Forgotten {
          2      int price = 10;
          3      boolean isReduced;
          called from Forgotten.main:14
          reads    1  new Object()
          makes       new Object()
          clear specification › inspect details; 2 lines are left

        question 4  it lies between a right value and where that is wrong
        Forgotten.<init>:2  step 3 of 8, thread main
          1  public class Forgotten {
        → 2      int price = 10;
          3      boolean isReduced;
          4  
          called from Forgotten.main:14
          makes       <Forgotten:1>.price = 10
                      <init>()
          clear specification › inspect details; 1 line is left

        question 5  it lies between a right value and where that is wrong
        Forgotten.main:15  step 4 of 8, thread main
          13      public static void main(String[] arguments) {
          14          Forgotten item = new Forgotten();
        → 15          if (arguments.length == 0) {
          16              item.price = 8;
          17          }
          reads    1  <String[]:1>
          makes       arguments.length:0 == 0
          clear specification › inspect details; 3 lines are left

        question 6  it lies between a right value and where that is wrong
        Forgotten.main:16  step 5 of 8, thread main
          14          Forgotten item = new Forgotten();
          15          if (arguments.length == 0) {
        → 16              item.price = 8;
          17          }
          18          System.out.println(item.toPay());
          decided by step 4  Forgotten.main:15  if (arguments.length == 0) {  arguments.length:0 == 0
          in it    1  <Forgotten:1>.isReduced = false
                   2  <Forgotten:1>.price = 10
          makes       <Forgotten:1>.price = 8
          clear specification › inspect details; 2 lines are left

        question 7  it lies between a right value and where that is wrong
        Forgotten.main:18  step 6 of 8, thread main
          16              item.price = 8;
          17          }
        → 18          System.out.println(item.toPay());
          19      }
          20  }
          reads    1  toPay() = 8
          in it    2  <Forgotten:1>.isReduced = false
                   3  <Forgotten:1>.price = 8
          makes       Forgotten.toPay()
                      PrintStream.println()
          clear specification › inspect details; 1 line is left

        missing code
          <Forgotten:1>.isReduced is right where it was made and wrong where it is used, and nothing between is wrong.
          made
              1  Forgotten.main:14  Forgotten item = new Forgotten();
          used
              7  Forgotten.toPay:10  return isReduced ? price / 2 : price;  <Forgotten:1>.isReduced = false
          beside it  <Forgotten:1>.price = 8
          it should have been changed before the last of these, or in what they call
            called by step 6  Forgotten.main:18  System.out.println(item.toPay());
          these could have changed it, and did not
              2  Forgotten.<init>:1  public class Forgotten {
              3  Forgotten.<init>:2  int price = 10;
        exit code 0
    "#]]
    .assert_eq(&told);
}

const SHELF: &str = "public class Shelf {
    int count;

    static void fill(Shelf shelf) {
        shelf.count = 3 - 1;
    }

    boolean isFull() {
        return count == 3;
    }

    public static void main(String[] arguments) {
        Shelf shelf = new Shelf();
        fill(shelf);
        boolean isFull = shelf.isFull();
    }
}
";

/// The reference is right, what it leads to is not.
#[test]
fn what_is_in_an_object_can_be_wrong() {
    let sandbox = Sandbox::new();
    sandbox.record("Shelf", SHELF, &[]);
    let arguments = ["find", "--at", "Shelf.java:15", "--json", "--policy", "paper"];
    let questions = |answers: &str| -> Vec<Value> {
        let told = sandbox.talk(&arguments, answers);
        told.lines().filter_map(|line| serde_json::from_str(line).ok()).filter(Value::is_object).collect()
    };
    let first = questions("").pop().expect("a question");
    let mut reads = first["reads"].as_array().expect("reads").iter();
    let part = reads.find(|read| read["is_inside"] == true).unwrap_or_else(|| panic!("no part: {first}"));
    assert_eq!((&part["name"], &part["value"]), (&"<Shelf:1>.count".into(), &"2".into()));
    let second = questions(&format!("wrong {}\n", part["number"])).pop().expect("a question");
    assert_eq!(second["place"]["name"], "Shelf.fill:5", "{second}");
}
