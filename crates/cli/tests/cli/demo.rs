//! The README's first command. Needs a JDK on the PATH.

use crate::sandbox::Sandbox;
use expect_test::expect;

#[test]
fn the_demo_finds_the_wrong_line() {
    let sandbox = Sandbox::new();
    let output = sandbox.run(&["demo"]);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let part = |start: &str, end: &str| {
        let from = text.find(start).expect("the start");
        let to = text.find(end).expect("the end");
        text[from..to].trim_end().to_owned() + "\n"
    };
    expect![[r#"
        3. What printed `total: 95.00`?
             step 177  Invoice.print:27 call <PrintStream:1>.println("total: 95.00") System.out.println("total: " + money(total()));

        4. Which values went into it?  25 fields were read; those written more than once:
             <Line:2>.quantity
             step 40   Line.<init>:30   write this.quantity = 10     this.quantity = quantity;
             step 63   Cart.add:13      write <Line:2>.quantity = 2  line.quantity = quantity;

        5. Why was it written again?  whydunit why 63
             63  Cart.add:13  line.quantity = quantity;
          quantity = 2  from step 57  Main.main:17  cart.add(cup, 2);
          decided by step 62  Cart.add:12  if (line.product == product) {  line.product:<Product:3> == product:<Product:3>
            <Line:2>.product = <Product:3>  from step 39  Line.<init>:29  this.product = product;
            product = <Product:3>  from step 57  Main.main:17  cart.add(cup, 2);
        Should that line replace the old value?
    "#]]
    .assert_eq(&part("3. What", "Try next"));
    for command in [&["dump", "--field", "Line.quantity"][..], &["dump", "--method", "Cart.add"], &["info"]] {
        assert_eq!(sandbox.run(command).status.code(), Some(0));
    }
}

#[test]
fn the_demo_needs_a_jdk() {
    let sandbox = Sandbox::new();
    let output = sandbox.command(&["demo"]).env("PATH", "/nowhere").output();
    expect![[r#"
        A small shop prints an invoice. Its total is wrong: where does that come from?
        error: no JDK was found to compile the example
        hint: install one (17 or newer) and set JAVA_HOME, or put its `bin` folder on the PATH
        exit code 2
    "#]]
    .assert_eq(&sandbox.describe(&output.expect("whydunit runs")));
}
