//! Programs that nobody has thought of, with all that values go through: locals, fields, arrays, collections, builders,
//! records, lambdas and calls, under conditions and loops. They end whatever values there are, and catch what they throw.

use super::source::{Source, Statement, changeable, optional};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Type {
    Int,
    Long,
    Bool,
    Text,
    Boxed,
    Ints,
    Cell,
    Shape,
    Point,
    List,
    Map,
    Queue,
    Builder,
    Function,
}

impl Type {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Type::Int => "int",
            Type::Long => "long",
            Type::Bool => "boolean",
            Type::Text => "String",
            Type::Boxed => "Integer",
            Type::Ints => "int[]",
            Type::Cell => "Cell",
            Type::Shape => "Shape",
            Type::Point => "Point",
            Type::List => "ArrayList<Integer>",
            Type::Map => "HashMap<Integer, Integer>",
            Type::Queue => "ArrayDeque<Integer>",
            Type::Builder => "StringBuilder",
            Type::Function => "IntUnaryOperator",
        }
    }
}

/// Methods call only those behind them.
const METHODS: usize = 4;
/// Depth of conditions and loops.
const DEPTH: u32 = 3;

#[derive(Clone, Debug)]
pub(crate) struct Variable {
    name: String,
    of: Type,
    /// Otherwise lambdas can use it.
    is_assigned: bool,
}

pub(crate) struct Generator {
    state: u64,
    pub(crate) variables: Vec<Variable>,
    /// Calls of own methods that the method may still have.
    calls: usize,
    method: usize,
    names: usize,
    pub(crate) loops: u32,
    /// Whether statements may throw.
    pub(crate) attempts: bool,
}

const STATICS: [(Type, &str, &str); 14] = [
    (Type::Int, "s0", "3"),
    (Type::Int, "s1", "8"),
    (Type::Long, "wide0", "5L"),
    (Type::Bool, "is0", "true"),
    (Type::Text, "text0", "\"a\""),
    (Type::Boxed, "boxed0", "Integer.valueOf(7)"),
    (Type::Ints, "ints0", "new int[] {1, 2, 3, 4}"),
    (Type::Cell, "cell0", "new Cell(1)"),
    (Type::Cell, "cell1", "new Cell(2)"),
    (Type::List, "list0", "new ArrayList<>()"),
    (Type::Map, "map0", "new HashMap<>()"),
    (Type::Queue, "queue0", "new ArrayDeque<>()"),
    (Type::Builder, "builder0", "new StringBuilder(\"b\")"),
    (Type::Point, "point0", "new Point(1, 2L, \"p\")"),
];

/// A program of conditions, loops and calls.
pub(crate) fn program(seed: u64) -> Source {
    Generator::new(seed).program(0)
}

/// The same with exceptions, and with statements that may change the result after it was written.
pub(crate) fn throwing_program(seed: u64) -> Source {
    let mut generator = Generator::new(seed);
    generator.attempts = true;
    generator.program(4)
}

impl Generator {
    fn program(mut self, behind: usize) -> Source {
        let generator = &mut self;
        let mut run = Vec::new();
        for (of, name, value) in STATICS {
            let value = match of {
                Type::Int | Type::Long | Type::Bool | Type::Text => changeable(value),
                _ => value.to_owned(),
            };
            run.push(Statement::line(format!("{name} = {value};")));
        }
        run.extend(generator.body(14));
        let asked = generator.asked();
        run.push(Statement::line(format!("result = {asked};")));
        for _ in 0..behind {
            let (condition, other) = (generator.changeable(Type::Bool), generator.asked());
            run.push(generator.statement(1));
            let mut body = generator.block(1);
            body.push(Statement::line(format!("result = {other};")));
            let parts = vec![(body, "}".to_owned())];
            run.push(Statement { line: format!("if ({condition}) {{"), parts });
        }
        generator.variables.truncate(STATICS.len());
        let mut members = vec![generator.shape("Square"), generator.shape("Circle")];
        for method in 0..METHODS {
            members.push(generator.method(method));
        }
        whole(run, members)
    }
}

/// A program without conditions whose operations lose nothing: all that a value is made of matters to it.
pub(crate) fn straight_program(seed: u64) -> Source {
    let mut generator = Generator::new(seed);
    let mut run: Vec<Statement> =
        STATICS.iter().map(|(_, name, value)| Statement::line(format!("{name} = {value};"))).collect();
    for number in 0..30 {
        run.push(generator.straight_statement(number));
    }
    let asked = generator.straight_operand();
    run.push(Statement::line(format!("result = \"\" + {asked};")));
    let empty = |name: &str| {
        Statement::line(format!(
            "static class {name} implements Shape {{ {name}(int n) {{}} public int area(int x) {{ return x; }} }}"
        ))
    };
    whole(run, vec![empty("Square"), empty("Circle")])
}

/// Whether a program starts without anything that a run before it has left.
pub(crate) fn sets_all_statics(source: &Source) -> bool {
    let text = source.plain("P").text;
    let is_set = |name: &str, value: &str| {
        let lines = [format!("{name} = {value};"), format!("{name} = ({value});")];
        text.lines().any(|line| lines.iter().any(|known| known == line))
    };
    STATICS.iter().all(|(_, name, value)| is_set(name, value))
}

fn whole(run: Vec<Statement>, members: Vec<Statement>) -> Source {
    let lines = |lines: &[&str]| lines.iter().map(|line| Statement::line(*line)).collect::<Vec<_>>();
    let mut own: Vec<Statement> =
        STATICS.iter().map(|(of, name, _)| Statement::line(format!("static {} {name};", of.name()))).collect();
    own.push(Statement::line("static String result;"));
    own.push(Statement {
        line: "static class Cell {".to_owned(),
        parts: vec![(
            lines(&["int n;", "long wide;", "String text = \"c\";", "Cell next;", "Cell(int n) { this.n = n; }"]),
            "}".to_owned(),
        )],
    });
    own.push(Statement::line("interface Shape { int area(int x); }"));
    own.push(Statement::line("record Point(int a, long b, String c) {}"));
    own.push(Statement::line(
        "static String clip(String t) { return t.length() > 20 ? t.substring(t.length() - 20) : t; }",
    ));
    own.push(Statement::line(
        "static int checked(int n) { if (n > 9) throw new IllegalArgumentException(); return n; }",
    ));
    let throwing = vec![Statement::line(optional("throw new IllegalStateException();"))];
    let guard = Statement { line: "if (n > 5) {".to_owned(), parts: vec![(throwing, "}".to_owned())] };
    let guarded = vec![guard, Statement::line(optional("s0 = n;")), Statement::line(optional("cell0.n = n;"))];
    own.push(Statement { line: "static void guarded(int n) {".to_owned(), parts: vec![(guarded, "}".to_owned())] });
    own.push(Statement::line("static String tail(String t) { return t.isEmpty() ? t : t.substring(1); }"));
    own.extend(members);
    own.push(Statement { line: "public static void run() {".to_owned(), parts: vec![(run, "}".to_owned())] });
    let class = Statement { line: "public class $ {".to_owned(), parts: vec![(own, "}".to_owned())] };
    let mut statements = lines(&["import java.util.*;", "import java.util.function.*;"]);
    statements.push(class);
    Source { statements }
}

impl Generator {
    fn new(seed: u64) -> Generator {
        let variable = |&(of, name, _): &(Type, &str, &str)| Variable { name: name.to_owned(), of, is_assigned: true };
        let variables = STATICS.iter().map(variable).collect();
        let state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        Generator { state, variables, calls: 3, method: 0, names: 0, loops: 0, attempts: false }
    }

    pub(crate) fn below(&mut self, limit: usize) -> usize {
        self.state = self.state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.state >> 33) % limit as u64) as usize
    }

    pub(crate) fn one_in(&mut self, of: usize) -> bool {
        self.below(of) == 0
    }

    /// A variable that can be read; later ones are more likely, so that values travel.
    pub(crate) fn variable(&mut self, of: Type) -> Option<String> {
        let known: Vec<String> =
            self.variables.iter().filter(|known| known.of == of).map(|known| known.name.clone()).collect();
        let (one, other) = (self.below(known.len().max(1)), self.below(known.len().max(1)));
        known.get(one.max(other)).cloned()
    }

    pub(crate) fn local_variable(&mut self, of: Type) -> Option<String> {
        let known: Vec<&Variable> = self.variables.iter().filter(|known| known.of == of && known.is_assigned).collect();
        let names: Vec<String> = known.into_iter().map(|known| known.name.clone()).collect();
        let one = self.below(names.len().max(1));
        names.get(one).cloned()
    }

    pub(crate) fn declare(&mut self, of: Type, is_assigned: bool) -> String {
        let name = self.fresh_name("v");
        self.variables.push(Variable { name: name.clone(), of, is_assigned });
        name
    }

    pub(crate) fn fresh_name(&mut self, start: &str) -> String {
        self.names += 1;
        format!("{start}{}", self.names)
    }

    /// A call of a method behind the one that is being made.
    pub(crate) fn call(&mut self, a: &str, b: &str) -> Option<String> {
        if self.calls == 0 || self.loops > 1 || self.method >= METHODS {
            return None;
        }
        self.calls -= 1;
        let callee = self.method + self.below(METHODS - self.method);
        Some(format!("m{callee}({a}, {b})"))
    }

    /// Inside a lambda: only what never changes, and what is not local; and nothing that changes a collection while
    /// it is gone through.
    pub(crate) fn within_lambda<T>(&mut self, parameter: &str, make: impl FnOnce(&mut Generator) -> T) -> T {
        let all = self.variables.clone();
        let calls = std::mem::take(&mut self.calls);
        self.variables.retain(|known| {
            let is_usable = !known.is_assigned || STATICS.iter().any(|(_, name, _)| *name == known.name);
            is_usable && !matches!(known.of, Type::Shape | Type::Function)
        });
        self.variables.push(Variable { name: parameter.to_owned(), of: Type::Int, is_assigned: false });
        let made = make(self);
        self.calls = calls;
        self.variables = all;
        made
    }

    pub(crate) fn block(&mut self, depth: u32) -> Vec<Statement> {
        let length = 1 + self.below(4);
        let known = self.variables.len();
        let body = (0..length).map(|_| self.statement(depth)).collect();
        self.variables.truncate(known);
        body
    }

    fn body(&mut self, length: usize) -> Vec<Statement> {
        (0..length).map(|_| self.statement(DEPTH)).collect()
    }

    fn method(&mut self, number: usize) -> Statement {
        let known = self.variables.len();
        (self.method, self.calls) = (number + 1, 2);
        for name in ["a", "b"] {
            self.variables.push(Variable { name: name.to_owned(), of: Type::Int, is_assigned: true });
        }
        let mut body = self.body(2);
        if self.one_in(2) {
            let early = self.changeable(Type::Int);
            body.push(self.jump(&format!("return {early}")));
        }
        body.extend(self.body(2));
        let result = self.changeable(Type::Int);
        body.push(Statement::line(format!("return {result};")));
        self.variables.truncate(known);
        let line = format!("static int m{number}(int a, int b) {{");
        Statement { line, parts: vec![(body, "}".to_owned())] }
    }

    fn shape(&mut self, name: &str) -> Statement {
        let known = self.variables.len();
        (self.method, self.calls) = (METHODS, 0);
        for (name, is_assigned) in [("n", true), ("x", true)] {
            self.variables.push(Variable { name: name.to_owned(), of: Type::Int, is_assigned });
        }
        let mut area: Vec<Statement> = (0..2).map(|_| self.statement(1)).collect();
        let result = self.changeable(Type::Int);
        area.push(Statement::line(format!("return {result};")));
        self.variables.truncate(known);
        let members = vec![
            Statement::line("int n;"),
            Statement::line(format!("{name}(int n) {{ this.n = n; }}")),
            Statement { line: "public int area(int x) {".to_owned(), parts: vec![(area, "}".to_owned())] },
        ];
        (self.method, self.calls) = (0, 3);
        Statement { line: format!("static class {name} implements Shape {{"), parts: vec![(members, "}".to_owned())] }
    }

    /// What the program is asked for: little, so that not all of it has a part in it.
    fn asked(&mut self) -> String {
        let of = [Type::Int, Type::Long, Type::Text, Type::Bool][self.below(4)];
        let asked = self.expression(of, 1);
        format!("\"\" + {}", changeable(&asked))
    }
}
