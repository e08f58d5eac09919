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

/// One change of a program.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Change {
    Constant,
    Operator,
    Condition,
    Negation,
    Deletion,
    Insertion,
    Return,
}

impl Change {
    pub(crate) const ALL: [Change; 7] = [
        Change::Constant,
        Change::Operator,
        Change::Condition,
        Change::Negation,
        Change::Deletion,
        Change::Insertion,
        Change::Return,
    ];

    /// A line with the change, if it can be made there.
    fn of(self, line: &str) -> Option<String> {
        let is_simple = line.ends_with(';') && !line.starts_with([' ', '}']);
        let replaced = |from: &str, to: &str| line.contains(from).then(|| line.replacen(from, to, 1));
        match self {
            Change::Constant => {
                replaced("sum % 5", "sum % 4").or_else(|| replaced("sum += x; x++;", "sum += x; x += 2;"))
            }
            Change::Operator => replaced("sum += x;", "sum -= x;"),
            Change::Condition => replaced("x > 1", "x >= 1").or_else(|| replaced("sum % 3", "sum % 2")),
            Change::Negation => replaced("(is()", "(!is()"),
            // A line that opens a block has to stay.
            Change::Deletion if line.contains('{') => is_simple.then(|| line.to_owned()),
            Change::Deletion => is_simple.then(String::new),
            Change::Insertion => is_simple.then(|| format!("if (is()) {{ sum += 7; }}\n{line}")),
            Change::Return => is_simple.then(|| format!("if (sum % 7 == 3) return;\n{line}")),
        }
    }
}

/// The program with a change at one of the lines that it can be made at.
pub(crate) fn changed(seed: u64, change: Change, choice: usize) -> String {
    let text = program(seed);
    let in_methods = text.find("    static void m0").unwrap_or_default();
    let (before, methods) = text.split_at(in_methods);
    let lines: Vec<&str> = methods.lines().collect();
    let possible: Vec<usize> = (0..lines.len()).filter(|&at| change.of(lines[at]).is_some()).collect();
    let chosen = possible.get(choice * 37 % possible.len().max(1)).copied();
    let lines = (0..).zip(lines).map(|(at, line)| match change.of(line) {
        Some(changed) if chosen == Some(at) => changed + "\n",
        _ => line.to_owned() + "\n",
    });
    before.to_owned() + &lines.collect::<String>()
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
        match (self.below(6), choices) {
            (5, _) => self.line("if (fuel < -1000) throw new IllegalStateException();"),
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
