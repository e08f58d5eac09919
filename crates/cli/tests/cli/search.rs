//! Where in a run something is. Needs a JDK on the PATH.

use crate::sandbox::{Sandbox, without_ids};
use expect_test::expect;
use serde_json::Value;

const PROGRAM: &str = r#"
import java.util.ArrayList;
import java.util.List;

public class Shop {
    static int total;
    static long seen = 42L;
    static int price(String what) {
        if (what.isEmpty()) {
            throw new IllegalStateException("nothing to buy");
        }
        return what.length() * 14;
    }
    static Integer buy(String what) {
        try {
            int price = price(what);
            total += price;
            return price;
        } catch (IllegalStateException empty) {
            System.out.println(empty.getMessage());
            return null;
        }
    }
    public static void main(String[] arguments) throws Exception {
        List<Integer> prices = new ArrayList<>();
        for (String what : new String[] {"tea", "", "coffee"}) {
            prices.add(buy(what));
        }
        Thread other = new Thread(() -> buy("cup"), "other");
        other.start(); other.join(); // one step, or their order would be chance
        char first = "x".charAt(0);
        double half = total / 4.0;
        Object parsed = Integer.parseInt("nosuch");
    }
}
"#;

fn shop() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.compile("Shop", PROGRAM);
    sandbox.run(&["record", "--", "java", "-cp", "classes", "Shop"]);
    sandbox
}

#[test]
fn values_and_texts() {
    let sandbox = shop();
    expect![[r#"
         1  t1   Shop.<clinit>:7  Shop.seen = 42
         7  t1   Shop.price:12  return 42
         5  t1   Shop.buy:16  price = 42
         8  t1   Shop.buy:17  Shop.total = 42
         9  t1   Shop.buy:18  Integer.valueOf(price:42) => 42
         9  t1   Shop.buy:18  return 42
         4  t1   Shop.main:27  prices:<ArrayList:1>.add(42) => true
        25  t1   Shop.buy:17  Shop.total => 42
        34  t2   Shop.price:12  return 42
        32  t2   Shop.buy:16  price = 42
        36  t2   Shop.buy:18  Integer.valueOf(price:42) => 42
        36  t2   Shop.buy:18  return 42
        exit code 0
    "#]]
    .assert_eq(&sandbox.transcript(&["search", "--value", "42"]));
    expect![[r#"
         5  t1   Shop.buy:16  price = 42
         8  t1   Shop.buy:17  Shop.total = 42
        whydunit: there are more behind them: show them with a larger `--limit`
        exit code 0
    "#]]
    .assert_eq(&sandbox.transcript(&["search", "--value", "42", "--method", "Shop.buy", "--limit", "2"]));
    expect![[r#"
        36  t2   Shop.buy:18  Integer.valueOf(price:42) => 42
        36  t2   Shop.buy:18  return 42
        whydunit: there are more before them: show them with a larger `--limit`
        exit code 0
    "#]]
    .assert_eq(&sandbox.transcript(&["search", "--value", "42", "--last", "--limit", "2"]));
    expect![[r#"
         3  t1   Shop.main:26  <String[]:2>[0] = "tea"
         3  t1   Shop.main:26  <String[]:2>[0] => what:"tea"
         5  t1   Shop.buy:16  Shop.buy(what:"tea")
         6  t1   Shop.price:9  Shop.price(what:"tea")
        exit code 0
    "#]]
    .assert_eq(&sandbox.transcript(&["search", "--value", "\"tea\""]));
    expect![[r#"
        37  t1   Shop.main:31  "x".charAt(0) => first:'x'
        exit code 0
    "#]]
    .assert_eq(&sandbox.transcript(&["search", "--value", "'x'"]));
    expect![[r#"
        38  t1   Shop.main:32  half = 42.0
        exit code 0
    "#]]
    .assert_eq(&sandbox.transcript(&["search", "--value", "42.0"]));
    expect![[r#"
        15  t1   Shop.price:10  new IllegalStateException("nothing to buy") => <IllegalStateException:1>
        17  t1   Shop.buy:20  empty:<IllegalStateException:1>.getMessage() => "nothing to buy"
        17  t1   Shop.buy:20  <PrintStream:1>.println("nothing to buy")
        exit code 0
    "#]]
    .assert_eq(&sandbox.transcript(&["search", "--text", "to buy"]));
    expect![[r#"
        whydunit: nothing was found
        exit code 1
    "#]]
    .assert_eq(&sandbox.transcript(&["search", "--value", "4711"]));
}

#[test]
fn places_types_and_exceptions() {
    let sandbox = shop();
    expect![[r#"
         6  t1   Shop.price:9  Shop.price(what:"tea")
        14  t1   Shop.price:9  Shop.price(what:"")
        23  t1   Shop.price:9  Shop.price(what:"coffee")
        33  t2   Shop.price:9  Shop.price(what:"cup")
        exit code 0
    "#]]
    .assert_eq(&sandbox.transcript(&["search", "--method", "Shop.price"]));
    expect![[r#"
         8  t1   Shop.buy:17  total += price;
        25  t1   Shop.buy:17  total += price;
        35  t2   Shop.buy:17  total += price;
        exit code 0
    "#]]
    .assert_eq(&sandbox.transcript(&["search", "--line", "Shop.java:17"]));
    expect![[r#"
         8  t1   Shop.buy:17  Shop.total = 42
        25  t1   Shop.buy:17  Shop.total => 42
        exit code 0
    "#]]
    .assert_eq(&sandbox.transcript(&["search", "--field", "Shop.total", "--value", "42"]));
    expect![[r#"
        17  t1   Shop.buy:20  System.out => <PrintStream:1>
        exit code 0
    "#]]
    .assert_eq(&sandbox.transcript(&["search", "--field", "System.out"]));
    expect![[r#"
         2  t1   Shop.main:25  new ArrayList() => prices:<ArrayList:1>
        exit code 0
    "#]]
    .assert_eq(&sandbox.transcript(&["search", "--type", "ArrayList"]));
    expect![[r#"
        26  t1   Shop.buy:18  Integer.valueOf(price:84) => 84
        whydunit: there are more before them: show them with a larger `--limit`
        exit code 0
    "#]]
    .assert_eq(&sandbox.transcript(&["search", "--type", "Integer", "--last", "--limit", "1"]));
    expect![[r#"
        15  t1   Shop.price:10  throw <IllegalStateException:1> caught in step 16 at Shop.buy:19
        exit code 0
    "#]]
    .assert_eq(&sandbox.transcript(&["search", "--exception", "IllegalStateException"]));
    expect![[r#"
        15  t1   Shop.price:10  throw <IllegalStateException:1> caught in step 16 at Shop.buy:19
        39  t1   Shop.main:33  throw <NumberFormatException:1>
        exit code 0
    "#]]
    .assert_eq(&sandbox.transcript(&["search", "--exception", "java.lang.RuntimeException"]));
    expect![[r#"
        33  t2   Shop.price:9  Shop.price(what:"cup")
        exit code 0
    "#]]
    .assert_eq(&sandbox.transcript(&["search", "--method", "Shop.price", "--thread", "other"]));
}

#[test]
fn as_json() {
    let sandbox = shop();
    let output = sandbox.run(&["search", "--exception", "IllegalStateException", "--json"]);
    let mut lines: Vec<Value> = output.stdout.split(|&byte| byte == b'\n').flat_map(serde_json::from_slice).collect();
    lines.iter_mut().for_each(without_ids);
    let text: Vec<String> = lines.iter().map(|line| format!("{line:#}")).collect();
    expect![[r#"
        {
          "caught": {
            "place": {
              "class": "Shop",
              "file": "Shop.java",
              "line": 19,
              "name": "Shop.buy:19"
            },
            "step": 16
          },
          "event": "throw",
          "exception": {
            "number": 1,
            "type": "IllegalStateException"
          },
          "place": {
            "class": "Shop",
            "file": "Shop.java",
            "line": 10,
            "name": "Shop.price:10"
          },
          "step": 15,
          "text": "throw <IllegalStateException:1>",
          "thread": 1
        }"#]]
    .assert_eq(&text.join("\n"));
}

#[test]
fn names_that_do_not_exist() {
    let sandbox = shop();
    expect![[r#"
        error: no recorded method is called `Shop.prise`
        hint: did you mean `Shop.price`?
        exit code 2
    "#]]
    .assert_eq(&sandbox.transcript(&["search", "--method", "Shop.prise"]));
    expect![[r#"
        error: no recorded class has a field `Shop.totl`
        hint: did you mean `Shop.total`?
        exit code 2
    "#]]
    .assert_eq(&sandbox.transcript(&["search", "--field", "Shop.totl"]));
    expect![[r#"
        error: no recorded object is of a type called `ArayList`
        hint: did you mean `ArrayList`?
        exit code 2
    "#]]
    .assert_eq(&sandbox.transcript(&["search", "--type", "ArayList"]));
    expect![[r#"
        error: no recorded object is of a type called `IllegalStatException`
        hint: did you mean `IllegalStateException`, `IllegalArgumentException`?
        exit code 2
    "#]]
    .assert_eq(&sandbox.transcript(&["search", "--exception", "IllegalStatException"]));
    expect![[r#"
         1  t1   Shop.<clinit>:7  static long seen = 42L;
        exit code 0
    "#]]
    .assert_eq(&sandbox.transcript(&["search", "--line", "Shop.java:7"]));
    expect![[r#"
        error: invalid value 'tea' for '--value <VALUE>': `tea` is not a value: write `42`, `1.5`, `true`, `null`, `'x'`, `<Cart:1>`, or a text in quotes, `'"tea"'`

        For more information, try '--help'.
        exit code 2
    "#]].assert_eq(&sandbox.transcript(&["search", "--value", "tea"]));
    expect![[r#"
        error: the following required arguments were not provided:
          <--value <VALUE>|--text <TEXT>|--method <METHOD>|--line <LINE>|--field <FIELD>|--type <TYPE>|--exception <TYPE>>

        Usage: whydunit search <--value <VALUE>|--text <TEXT>|--method <METHOD>|--line <LINE>|--field <FIELD>|--type <TYPE>|--exception <TYPE>> [RUN]

        For more information, try '--help'.
        exit code 2
    "#]].assert_eq(&sandbox.transcript(&["search"]));
}

#[test]
fn where_a_condition_holds() {
    let sandbox = Sandbox::new();
    sandbox.compile("Shop", PROGRAM);
    sandbox.run(&["record", "--", "java", "-cp", "classes", "Shop"]);
    let search = |arguments: &[&str]| sandbox.transcript(&[&["search"], arguments].concat());
    expect![[r#"
        25  t1   Shop.buy:17  total += price;
        exit code 0
    "#]]
    .assert_eq(&search(&["--line", "Shop.java:17", "--if", "price > 42 && what.equals(\"coffee\")"]));
    expect![[r#"
        33  t2   Shop.price:9  Shop.price(what:"cup")
        whydunit: there are more before them: show them with a larger `--limit`
        exit code 0
    "#]]
    .assert_eq(&search(&["--method", "price", "--if", "what.length() < 4", "--last", "--limit", "1"]));
    expect![[r#"
        25  t1   Shop.buy:17  Shop.total => 42
        25  t1   Shop.buy:17  Shop.total = 126
        exit code 0
    "#]]
    .assert_eq(&search(&["--field", "Shop.total", "--if", "total == 42"]));
    expect![[r#"
        whydunit: nothing was found
        exit code 1
    "#]]
    .assert_eq(&search(&["--line", "17", "--if", "price > 1000"]));
    expect![[r#"
        error: there is no `prize` where `prize > 3` is asked for
        hint: did you mean `price`?
        exit code 2
    "#]]
    .assert_eq(&search(&["--line", "17", "--if", "prize > 3"]));
    expect![[r#"
        error: the condition, line 1, column 8: expected a value: a variable, a field, a literal or a point such as `A(0):foo`, found the end
          | price >
          |        ^
        exit code 2
    "#]].assert_eq(&search(&["--line", "17", "--if", "price >"]));
    expect![[r#"
        whydunit: not known of 4 events whether the condition holds: the field hashCode of a class that is not recorded is not known
        whydunit: nothing was found
        exit code 1
    "#]].assert_eq(&search(&["--method", "buy", "--if", "what.hashCode.x > 3"]));
    expect![[r#"
        error: the following required arguments were not provided:
          <--value <VALUE>|--text <TEXT>|--method <METHOD>|--line <LINE>|--field <FIELD>|--type <TYPE>|--exception <TYPE>>

        Usage: whydunit search --if <CONDITION> <--value <VALUE>|--text <TEXT>|--method <METHOD>|--line <LINE>|--field <FIELD>|--type <TYPE>|--exception <TYPE>> [RUN]

        For more information, try '--help'.
        exit code 2
    "#]].assert_eq(&search(&["--if", "total == 42"]));
}
