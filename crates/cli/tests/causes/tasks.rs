//! Behind an exception that says only that a task has failed is what the task has thrown.

use crate::labels::Recorded;
use serde_json::Value;

const PROGRAM: &str = r#"
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

public class Tasks {
    static int parse(String text) {
        return Integer.parseInt(text); // thrown
    }

    static int other(String text) {
        throw new IllegalStateException(text);
    }

    static void ofFuture(ExecutorService pool) throws Exception {
        Future<Integer> first = pool.submit(() -> other("first"));
        Future<Integer> second = pool.submit(() -> parse("second"));
        Future<Integer> third = pool.submit(() -> other("third"));
        try {
            third.get();
        } catch (Exception failed) {
            System.out.println("third");
        }
        System.out.println(second.get()); // asked
    }

    static void ofStages() {
        CompletableFuture<Integer> stage = CompletableFuture.supplyAsync(() -> parse("stage")).thenApply(x -> x + 1);
        System.out.println(stage.join()); // asked
    }

    public static void main(String[] arguments) {
        ExecutorService pool = Executors.newFixedThreadPool(2);
        try {
            ofFuture(pool);
        } catch (Exception failed) {
            System.out.println(failed);
        }
        try {
            ofStages();
        } catch (Exception failed) {
            System.out.println(failed);
        }
        pool.shutdown();
    }
}
"#;

fn lines_with(mark: &str) -> Vec<usize> {
    (1..).zip(PROGRAM.lines()).filter(|(_, text)| text.ends_with(mark)).map(|(line, _)| line).collect()
}

#[test]
fn what_the_task_of_a_future_has_thrown() {
    let recorded = Recorded::new("Tasks", PROGRAM);
    let thrown: Vec<u64> = lines_with("// thrown").into_iter().map(|line| line as u64).collect();
    let asked = lines_with("// asked");
    assert_eq!((asked.len(), thrown.len()), (2, 1));
    for line in asked {
        let answer = recorded.ask(line, &[]);
        let answers = answer["answers"].as_array().expect("answers");
        let lines: Vec<u64> =
            answers.iter().filter_map(|one| one.pointer("/place/line").and_then(Value::as_u64)).collect();
        assert_eq!(lines, [line as u64, thrown[0]], "{answer:#}");
    }
}
