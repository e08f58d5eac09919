//! Data dominators of the calculator, as the paper on feedback-based debugging walks them: from the wrong result back to
//! where a minus sign was taken for another subtraction.

use crate::sandbox::Sandbox;
use expect_test::{Expect, expect};
use whydunit_testkit::workspace_dir;

fn recorded() -> Sandbox {
    let sandbox = Sandbox::new();
    let source = std::fs::read_to_string(workspace_dir().join("tests/programs/Calculator.java")).expect("a program");
    sandbox.record("Calculator", &source, &["(((1+((1+2)+(2-1))-(1-3))+1)+1)+1"]);
    sandbox
}

fn check(sandbox: &Sandbox, step: &str, expected: &Expect) {
    expected.assert_eq(&sandbox.transcript(&["why", step]));
}

#[test]
fn from_the_result_to_the_minus() {
    let sandbox = recorded();
    check(
        &sandbox,
        "552",
        &expect![[r#"
            552  Calculator.calculate:28  return result;
          result = 6  from step 534  Calculator.calculate:27  int result = evaluate(sum);
          called by step 1  Calculator.main:6  System.out.println(calculate(args[0]));
        exit code 0
    "#]],
    );
    check(
        &sandbox,
        "534",
        &expect![[r#"
            534  Calculator.calculate:27  int result = evaluate(sum);
          sum = "5+1"  from step 530  Calculator.calculate:22  sum = before + value + after;
          evaluate() = 6  from step 551  Calculator.evaluate:44  return total;
          called by step 1  Calculator.main:6  System.out.println(calculate(args[0]));
        exit code 0
    "#]],
    );
    check(
        &sandbox,
        "530",
        &expect![[r#"
            530  Calculator.calculate:22  sum = before + value + after;
          before = ""  from step 528  Calculator.calculate:20  String before = sum.substring(0, open);
          value = 5  from step 510  Calculator.calculate:19  int value = evaluate(inner);
          after = "+1"  from step 529  Calculator.calculate:21  String after = i >= sum.length() ? "" : sum.substring(i + 1);
          decided by step 508  Calculator.calculate:17  else if (sign == ')') {  sign:')' == ')'
            sign = ')'  from step 506  Calculator.calculate:14  char sign = signs[i];
        exit code 0
    "#]],
    );
    check(
        &sandbox,
        "387",
        &expect![[r#"
            387  Calculator.calculate:19  int value = evaluate(inner);
          inner = "1+4--2"  from step 386  Calculator.calculate:18  String inner = sum.substring(open + 1, i);
          evaluate() = 3  from step 422  Calculator.evaluate:44  return total;
          decided by step 385  Calculator.calculate:17  else if (sign == ')') {  sign:')' == ')'
            sign = ')'  from step 383  Calculator.calculate:14  char sign = signs[i];
        exit code 0
    "#]],
    );
    check(
        &sandbox,
        "422",
        &expect![[r#"
            422  Calculator.evaluate:44  return total;
          total = 3  from step 419  Calculator.evaluate:41  total = total - next;
          called by step 387  Calculator.calculate:19  int value = evaluate(inner);
        exit code 0
    "#]],
    );
    check(
        &sandbox,
        "419",
        &expect![[r#"
            419  Calculator.evaluate:41  total = total - next;
          total = 5  from step 410  Calculator.evaluate:41  total = total - next;
          next = 2  from step 414  Calculator.evaluate:37  int next = number(numbers, i + 1);
          decided by step 418  Calculator.evaluate:40  } else if (operator.equals("-")) {  operator.equals(…):true
            operator = "-"  from step 413  Calculator.evaluate:36  String operator = operators[i];
        exit code 0
    "#]],
    );
    check(
        &sandbox,
        "414",
        &expect![[r#"
            414  Calculator.evaluate:37  int next = number(numbers, i + 1);
          i = 2  from step 411  Calculator.evaluate:35  for (int i = 0; i < operators.length; i++) {
          numbers = <String[]:11> of length 4  from step 391  Calculator.evaluate:33  String[] numbers = plain.split("[+-]");
          number() = 2  from step 416  Calculator.number:54  return text.isEmpty() ? 0 : Integer.parseInt(text);
          decided by step 412  Calculator.evaluate:35  for (int i = 0; i < operators.length; i++) {  i:2 < operators.length:3
            i = 2  from step 411  Calculator.evaluate:35  for (int i = 0; i < operators.length; i++) {
            operators = <String[]:10> of length 3  from step 388  Calculator.evaluate:32  String[] operators = operators(plain);
        exit code 0
    "#]],
    );
    check(
        &sandbox,
        "415",
        &expect![[r#"
                415  Calculator.number:53  String text = numbers[index];
              <String[]:11>[3] = "2"  from step 391  Calculator.evaluate:33  String[] numbers = plain.split("[+-]");
              index = 3  from step 414  Calculator.evaluate:37  int next = number(numbers, i + 1);
              called by step 414  Calculator.evaluate:37  int next = number(numbers, i + 1);
            exit code 0
        "#]],
    );
}
