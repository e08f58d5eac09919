//! Every movement from every step of a small run, against what the stacks of all steps say.

use super::recorded;
use serde_json::Value;
use std::collections::BTreeMap;

/// Calls in one line, recursion, exceptions through several frames, call-backs, another thread.
const WALK: &str = r#"
import java.util.List;

public class Walk {
    static int depth(int n) {
        if (n == 0) return 0;
        return depth(n - 1)
            + 1;
    }
    static int twice(int x) { return x * 2; }
    static void fail(int n) {
        if (n == 0) throw new IllegalStateException();
        fail(n - 1);
    }
    static class Late {
        static int value = twice(4);
    }
    public static void main(String[] arguments) throws Exception {
        int all = twice(depth(3)) + twice(twice(1));
        try {
            fail(2);
            all++;
        } catch (IllegalStateException expected) {
            all += Late.value;
        }
        for (int i = 0; i < 2; i++) all += twice(i);
        List.of(3, 4).forEach(x -> twice(x));
        Thread other = new Thread(() -> {
            depth(1);
            twice(5);
        }, "other");
        other.start(); other.join(); // one step, or their order would be chance
        fail(0);
    }
}
"#;

#[derive(Debug, Clone, PartialEq)]
struct Step {
    number: u64,
    /// The first step of each frame, and the one that it is in; the lowest frame first.
    frames: Vec<(u64, u64)>,
}

impl Step {
    fn frame(&self, depth: usize) -> Option<u64> {
        self.frames.get(depth).map(|(entered, _)| *entered)
    }

    fn top(&self) -> usize {
        self.frames.len() - 1
    }
}

fn parsed(line: &Value) -> (u64, Step) {
    let answer = &line["answer"];
    let number = |value: &Value| value.as_u64().expect("a number");
    let frames = answer["stack"].as_array().expect("a stack").iter().rev();
    let frames = frames.map(|frame| (number(&frame["entered"]), number(&frame["step"]))).collect();
    (number(&answer["thread"]), Step { number: number(&answer["step"]), frames })
}

#[test]
fn every_movement_from_every_step() {
    let sandbox = recorded("Walk", WALK);
    let talk = |input: &str| -> Vec<Value> {
        let text = sandbox.talk(&["open", "--json"], input);
        text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect()
    };
    let mut steps: BTreeMap<u64, Vec<Step>> = BTreeMap::new();
    let visits: String = (1..).take(200).map(|step| format!("goto {step}\n")).collect();
    for line in talk(&visits).iter().skip(1).filter(|line| line["outcome"] == "done") {
        let (thread, step) = parsed(line);
        steps.entry(thread).or_default().push(step);
    }
    assert_eq!(steps.len(), 2, "two threads");
    assert!(steps.values().map(Vec::len).sum::<usize>() < 200, "all steps are seen");
    for steps in steps.values() {
        for (at, step) in steps.iter().enumerate() {
            let moves = ["step", "next", "out", "back", "prev", "caller"];
            let input: String = moves.iter().map(|word| format!("goto {}\n{word}\n", step.number)).collect();
            let answers = talk(&input);
            let found: Vec<Option<u64>> = answers
                .iter()
                .skip(2)
                .step_by(2)
                .map(|line| (line["outcome"] == "done").then(|| line["step"].as_u64()).flatten())
                .collect();
            let number = |step: &Step| step.number;
            let expected = vec![
                steps.get(at + 1).map(number),
                over(steps, at).map(number),
                out(steps, at).map(number),
                at.checked_sub(1).and_then(|at| steps.get(at)).map(number),
                back_over(steps, at),
                step.top().checked_sub(1).map(|below| step.frames[below].1),
            ];
            assert_eq!(found, expected, "{moves:?} from {step:?}");
        }
    }
}

fn over(steps: &[Step], at: usize) -> Option<&Step> {
    let here = &steps[at];
    let is_same = |step: &&Step| step.top() == here.top() && step.frame(here.top()) == here.frame(here.top());
    steps[at + 1..].iter().find(is_same).or_else(|| out(steps, at))
}

fn out(steps: &[Step], at: usize) -> Option<&Step> {
    let here = &steps[at];
    let later = &steps[at + 1..];
    let callers = (0..here.top()).rev();
    let in_caller =
        |depth: usize| later.iter().find(|step| step.top() == depth && step.frame(depth) == here.frame(depth));
    let elsewhere = || later.iter().find(|step| step.frame(0) != here.frame(0));
    callers.filter_map(in_caller).min_by_key(|step| step.number).or_else(elsewhere)
}

fn back_over(steps: &[Step], at: usize) -> Option<u64> {
    let here = &steps[at];
    let is_same = |step: &&Step| step.top() == here.top() && step.frame(here.top()) == here.frame(here.top());
    let same = steps[..at].iter().rev().find(is_same).map(|step| step.number);
    let caller = || here.top().checked_sub(1).map(|below| here.frames[below].1);
    let before = || at.checked_sub(1).map(|at| steps[at].number);
    same.or_else(caller).or_else(before)
}
