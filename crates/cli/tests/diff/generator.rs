//! Programs that nobody has thought of: nested conditions, loops, jumps, switches and calls.

use std::fmt::Write;

const METHODS: usize = 24;
const DEPTH: usize = 4;

struct Generator {
    state: u64,
    text: String,
    method: usize,
    /// Loops around, outermost first; their labels.
    loops: Vec<usize>,
    labels: usize,
}

/// The source of a class `Generated` whose decisions follow from the number in its first argument.
pub(crate) fn program(seed: u64) -> String {
    let text = "public class Generated {
    static long state;
    static int fuel;
    static int sum;
    static int pick(int limit) {
        state = state * 6364136223846793005L + 1442695040888963407L;
        return (int) ((state >>> 33) % limit);
    }
    static boolean is() { return pick(3) == 0; }
    public static void main(String[] arguments) {
        state = Long.parseLong(arguments[0]);
        for (int i = 0; i < 3; i++) {
            all(i);
        }
    }
"
    .to_owned();
    let mut generator = Generator { state: seed, text, method: 0, loops: Vec::new(), labels: 0 };
    for method in 0..METHODS {
        generator.method = method;
        let _ = writeln!(generator.text, "    static void m{method}(int x) {{");
        generator.block(DEPTH);
        generator.text.push_str("    }\n");
    }
    generator.line("    static void all(int x) {");
    for method in 0..METHODS {
        generator.line(&format!("        fuel = 200; m{method}(x);"));
    }
    generator.line("    }\n}");
    generator.text
}

impl Generator {
    fn below(&mut self, limit: usize) -> usize {
        self.state = self.state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.state >> 33).unwrap_or_default() % limit
    }

    fn line(&mut self, text: &str) {
        self.text.push_str(text);
        self.text.push('\n');
    }

    fn block(&mut self, depth: usize) {
        for _ in 0..=self.below(3) {
            self.statement(depth);
        }
    }

    fn condition(&mut self) -> &'static str {
        ["is()", "is() && is()", "is() || is()", "sum % 3 == 0 && is()", "x > 1", "!(is() || x > 0 && is())"]
            [self.below(6)]
    }

    fn statement(&mut self, depth: usize) {
        let kinds = if depth == 0 { 4 } else { 11 };
        match self.below(kinds) {
            0 | 1 => self.line("sum += x; x++;"),
            2 => self.jump(),
            3 if self.method + 1 < METHODS => {
                let rest = METHODS - self.method - 1;
                let callee = self.method + 1 + self.below(rest.min(4));
                self.line(&format!("m{callee}(sum % 5);"));
            }
            3 => self.line("sum--;"),
            4 | 5 => {
                let condition = self.condition();
                self.line(&format!("if ({condition}) {{"));
                self.block(depth - 1);
                if self.below(2) == 0 {
                    self.line("} else {");
                    self.block(depth - 1);
                }
                self.line("}");
            }
            6 => {
                let condition = self.condition();
                self.looped(&format!("while (fuel-- > 0 && ({condition})) {{"), "}", depth);
            }
            7 => {
                let condition = self.condition();
                self.looped("do {", &format!("}} while (fuel-- > 0 && ({condition}));"), depth);
            }
            8 => {
                let times = self.below(4);
                let label = self.labels;
                self.looped(&format!("for (int i{label} = 0; i{label} < {times}; i{label}++) {{"), "}", depth);
            }
            9 => self.looped("for (;;) { if (fuel-- <= 0 || is()) break;", "}", depth),
            _ => {
                self.line("switch (pick(5)) {");
                for case in 0..4 {
                    self.line(&format!("case {case}:"));
                    self.block(depth - 1);
                    if self.below(2) == 0 {
                        self.line("break;");
                    }
                }
                self.line("}");
            }
        }
    }

    fn looped(&mut self, start: &str, end: &str, depth: usize) {
        let label = self.labels;
        self.labels += 1;
        self.line(&format!("l{label}: {start}"));
        self.loops.push(label);
        self.block(depth - 1);
        self.loops.pop();
        self.line(end);
    }

    fn jump(&mut self) {
        let choices = self.loops.len();
        let condition = self.condition();
        match (self.below(5), choices) {
            (0, _) => self.line(&format!("if ({condition}) return;")),
            (_, 0) => self.line("sum ^= x;"),
            (kind, _) => {
                let chosen = self.below(choices);
                let label = self.loops[chosen];
                let word = if kind < 3 { "break" } else { "continue" };
                self.line(&format!("if ({condition}) {word} l{label};"));
            }
        }
    }
}
