//! Conditions of several parts, each of which is a branch of its own.

use crate::labels::Recorded;
use serde_json::Value;

const PROGRAM: &str = "
public class Parts {
    static int all(int x, int y, int z) {
        if (x > 0 && y > 0 && z > 0) {
            return 1;
        }
        return 0;
    }

    static int any(int x, int y) {
        if (x > 0 || y > 0) {
            return 1;
        }
        return 0;
    }

    public static void main(String[] args) {
        System.out.println(all(1, 2, 3) + any(-1, 4));
    }
}
";

#[test]
fn every_part_of_a_condition_that_was_looked_at_is_told() {
    let recorded = Recorded::new("Parts", PROGRAM);
    for (line, led_on, last, made_of) in [
        (5, ["x:1 > 0", "y:2 > 0"].as_slice(), "z:3 > 0", ["x", "y", "z"].as_slice()),
        (12, &["x:-1 <= 0"], "y:4 > 0", &["x", "y"]),
    ] {
        let answer = recorded.ask(line, &["--control"]);
        let decider = &answer["answers"][0];
        let texts = |list: &Value, name: &str| -> Vec<String> {
            let items = list.as_array().into_iter().flatten();
            items.filter_map(|item| item.pointer(name).and_then(Value::as_str)).map(str::to_owned).collect()
        };
        assert_eq!(texts(&decider["led_on"], ""), led_on, "{answer:#}");
        assert_eq!(decider["compared"], last, "{answer:#}");
        assert_eq!(texts(&decider["made_of"], "/name"), made_of, "{answer:#}");
    }
}
