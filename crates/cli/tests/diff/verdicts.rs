//! What is said of every step of a run that fails, compared with a run of the corrected program.

use crate::generator::{self, Change};
use crate::support::Workplace;
use expect_test::{Expect, expect};
use std::collections::BTreeMap;
use whydunit_debugger::{Filters, Pair, Session, StepCauses, ThreadId, Verdicts, WrongValue};

const MAIN: ThreadId = ThreadId(1);

struct Recorded {
    good: Session,
    bad: Session,
    index: tempfile::TempDir,
    place: Workplace,
}

fn record(class: &str, good: &str, bad: &str, arguments: &[&str]) -> Recorded {
    let place = Workplace::new(class, good);
    place.record("good", arguments);
    place.compile(bad);
    place.record("bad", arguments);
    let [good, bad] = ["good", "bad"].map(|name| Session::open(&place.trace(name)).expect("a session"));
    Recorded { good, bad, index: tempfile::tempdir().expect("a folder"), place }
}

impl Recorded {
    /// Another run that fails.
    fn replace_bad(&mut self, number: usize, source: &str, arguments: &[&str]) {
        let name = format!("bad{number}");
        self.place.compile(source);
        self.place.record(&name, arguments);
        self.bad = Session::open(&self.place.trace(&name)).expect("a session");
        self.index = tempfile::tempdir().expect("a folder");
    }

    fn verdicts(&self) -> Verdicts<'_> {
        let sessions = Pair { left: &self.good, right: &self.bad };
        Verdicts::new(sessions, &Filters::default(), true, &|_| ()).expect("verdicts")
    }

    /// Tells of every step of the main thread, which has as many.
    fn each_step(&self, mut tell: impl FnMut(u64, StepCauses)) -> u64 {
        let moments = self.bad.index(self.index.path(), &|_| ()).expect("an index");
        let causes = self.bad.causes(moments, MAIN).expect("a thread");
        let steps = moments.steps(MAIN);
        for step in 1..=steps {
            tell(step, causes.of_step(step).expect("a replay").expect("a step"));
        }
        steps
    }
}

/// A line `wrong // was: right` of the source is `wrong` in the run that fails and `right` in the other. What is said of
/// the steps of each line is compared with what is expected, and whether ingredients and effects of the steps are found
/// to be wrong where values are.
fn check(source: &str, expected: &Expect) {
    let good = source.lines().map(|line| line.split_once("// was: ").map_or(line, |(_, right)| right));
    let good: Vec<&str> = good.collect();
    let recorded = record("Bug", &good.join("\n"), source, &[]);
    let verdicts = recorded.verdicts();
    let mut lines: BTreeMap<u32, Vec<String>> = BTreeMap::new();
    let mut apart = Vec::new();
    let steps = recorded.each_step(|step, causes| {
        let verdict = verdicts.of(&causes.place);
        let mut said = Vec::new();
        if verdict.partner.is_none() {
            apart.push(step);
            said.push("wrong path".to_owned());
        }
        for wrong in &verdict.wrong {
            let how = if wrong.value.is_read { "reads" } else { "makes" };
            said.push(format!("{how} {} {} instead of {}", wrong.name, wrong.found, wrong.expected));
        }
        for ingredient in &causes.ingredients {
            if verdicts.of_ingredient(&causes.place, ingredient).is_some() {
                said.push(format!("from {}", ingredient.name));
            }
        }
        for effect in causes.effects.iter().filter(|effect| verdicts.of_cause(effect).is_some()) {
            said.push(format!("to {}", effect.what));
        }
        let text = if said.is_empty() { "same".to_owned() } else { said.join(", ") };
        let of_line = lines.entry(causes.place.line.unwrap_or_default()).or_default();
        if !of_line.contains(&text) {
            of_line.push(text);
        }
    });
    let in_ranges: Vec<u64> = verdicts.apart(MAIN, steps).into_iter().flatten().collect();
    assert_eq!(in_ranges, apart);
    let source: Vec<&str> = source.lines().collect();
    let tell = |(line, said): (u32, Vec<String>)| {
        let code = source.get(line as usize - 1).map_or("", |line| line.trim());
        let said = said.iter().map(|text| format!("    {text}\n")).collect::<String>();
        format!("{line}: {code}\n{said}")
    };
    expected.assert_eq(&lines.into_iter().map(tell).collect::<String>());
}

#[test]
fn a_wrong_constant() {
    let source = "class Bug {
    static int[] prices = {10, 20, 30};
    static int total;
    static int taxed(int price) {
        int rate = 7; // was: int rate = 19;
        return price + price * rate / 100;
    }
    public static void main(String[] arguments) {
        for (int price : prices) {
            total += taxed(price);
        }
        System.out.println(total);
    }
}";
    check(
        source,
        &expect![[r#"
        2: static int[] prices = {10, 20, 30};
            same
        5: int rate = 7; // was: int rate = 19;
            makes rate 7 instead of 19, to rate
        6: return price + price * rate / 100;
            reads rate 7 instead of 19, makes the result 10 instead of 11, from rate, to taxed()
            reads rate 7 instead of 19, makes the result 21 instead of 23, from rate, to taxed()
            reads rate 7 instead of 19, makes the result 32 instead of 35, from rate, to taxed()
        9: for (int price : prices) {
            same
        10: total += taxed(price);
            reads the result of Bug.taxed() 10 instead of 11, makes Bug.total 10 instead of 11, from taxed(), to Bug.total
            reads Bug.total 10 instead of 11, reads the result of Bug.taxed() 21 instead of 23, makes Bug.total 31 instead of 34, from Bug.total, from taxed(), to Bug.total
            reads Bug.total 31 instead of 34, reads the result of Bug.taxed() 32 instead of 35, makes Bug.total 63 instead of 69, from Bug.total, from taxed(), to Bug.total
        12: System.out.println(total);
            reads Bug.total 63 instead of 69, makes argument 1 of PrintStream.println() 63 instead of 69, from Bug.total
        13: }
            same
    "#]],
    );
}

#[test]
fn a_wrong_condition() {
    let source = "class Bug {
    static int count;
    static int largest(int[] values) {
        int largest = 0;
        for (int i = 0; i < values.length - 1; i++) { // was: for (int i = 0; i < values.length; i++) {
            if (values[i] > largest) {
                largest = values[i];
                count++;
            }
        }
        return largest;
    }
    public static void main(String[] arguments) {
        int found = largest(new int[] {3, 1, 4});
        if (found > 3) {
            System.out.println(\"large\");
        } else {
            System.out.println(\"small\");
        }
    }
}";
    check(
        source,
        &expect![[r#"
        4: int largest = 0;
            same
        5: for (int i = 0; i < values.length - 1; i++) { // was: for (int i = 0; i < values.length; i++) {
            same
            makes the decision true instead of false, to condition
        6: if (values[i] > largest) {
            same
        7: largest = values[i];
            same
        8: count++;
            same
        11: return largest;
            reads largest 3 instead of 4, makes the result 3 instead of 4, from largest, to largest()
        14: int found = largest(new int[] {3, 1, 4});
            reads the result of Bug.largest() 3 instead of 4, makes found 3 instead of 4, from largest(), to found
        15: if (found > 3) {
            reads found 3 instead of 4, makes the decision true instead of false, from found, to condition
        18: System.out.println("small");
            wrong path
        20: }
            same
    "#]],
    );
}

#[test]
fn a_missing_statement() {
    let source = "import java.util.ArrayList;
import java.util.List;
class Bug {
    final List<String> names = new ArrayList<>();
    int size;
    void add(String name) {
        names.add(name);
        // was: size++;
    }
    String last() {
        return size == 0 ? \"none\" : names.get(size - 1);
    }
    public static void main(String[] arguments) {
        Bug bug = new Bug();
        bug.add(\"a\");
        bug.add(\"b\");
        System.out.println(bug.last());
    }
}";
    check(
        source,
        &expect![[r#"
        3: class Bug {
            same
        4: final List<String> names = new ArrayList<>();
            same
        7: names.add(name);
            same
        9: }
            same
        11: return size == 0 ? "none" : names.get(size - 1);
            reads Bug.size 0 instead of 2, makes the decision false instead of true, makes the result "none" instead of "b", from <Bug:1>.size, to condition, to last()
        14: Bug bug = new Bug();
            same
        15: bug.add("a");
            same
        16: bug.add("b");
            same
        17: System.out.println(bug.last());
            reads the result of Bug.last() "none" instead of "b", makes argument 1 of PrintStream.println() "none" instead of "b", from last()
        18: }
            same
    "#]],
    );
}

#[test]
fn an_exception() {
    let source = "class Bug {
    static int parsed(String text) {
        try {
            return Integer.parseInt(text); // was: return Integer.parseInt(text.trim());
        } catch (NumberFormatException e) {
            return -1;
        }
    }
    public static void main(String[] arguments) {
        int number = parsed(\" 7\");
        System.out.println(number + 1);
    }
}";
    check(
        source,
        &expect![[r#"
        4: return Integer.parseInt(text); // was: return Integer.parseInt(text.trim());
            makes argument 1 of Integer.parseInt() " 7" instead of "7", makes the exception <NumberFormatException:1> instead of null, to Integer.parseInt()
        5: } catch (NumberFormatException e) {
            wrong path
        6: return -1;
            wrong path, makes the result -1 instead of 7, to parsed()
        10: int number = parsed(" 7");
            reads the result of Bug.parsed() -1 instead of 7, makes number -1 instead of 7, from parsed(), to number
        11: System.out.println(number + 1);
            reads number -1 instead of 7, makes argument 1 of PrintStream.println() 0 instead of 8, from number
        12: }
            same
    "#]],
    );
}

fn values(verdicts: &Verdicts<'_>) -> Vec<(u64, WrongValue)> {
    verdicts.wrong(MAIN).map(|(step, wrong)| (step, wrong.clone())).collect()
}

#[test]
fn a_run_has_nothing_wrong_compared_with_itself() {
    for seed in 1..=2 {
        let program = generator::program(seed);
        let recorded = record("Generated", &program, &program, &["3"]);
        let verdicts = recorded.verdicts();
        let moments = recorded.bad.index(recorded.index.path(), &|_| ()).expect("an index");
        assert_eq!(verdicts.apart(MAIN, moments.steps(MAIN)), []);
        assert_eq!(values(&verdicts), []);
    }
}

#[test]
fn the_first_wrong_step_is_in_the_changed_line() {
    let good = generator::program(1);
    let mut recorded = record("Generated", &good, &good, &["1"]);
    let mut changed = 0;
    for number in 0..10 {
        let bad = generator::changed(1, Change::Constant, number);
        recorded.replace_bad(number, &bad, &["1"]);
        let verdicts = recorded.verdicts();
        let Some(&(first, _)) = values(&verdicts).first() else { continue };
        changed += 1;
        let line = (1..).zip(good.lines().zip(bad.lines())).find(|(_, (good, bad))| good != bad).map(|(line, _)| line);
        let moments = recorded.bad.index(recorded.index.path(), &|_| ()).expect("an index");
        let causes = recorded.bad.causes(moments, MAIN).expect("a thread");
        let found = causes.of_step(first).expect("a replay").expect("a step").place.line;
        assert_eq!(found, line, "change {number}");
        let first_apart = verdicts.apart(MAIN, moments.steps(MAIN)).first().map_or(u64::MAX, |range| *range.start());
        assert!(first < first_apart, "change {number}");
    }
    assert!(changed > 1, "{changed}");
}
