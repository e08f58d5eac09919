//! Statements of generated programs, one to a line.

use super::generator::{Generator, Type};
use super::source::{Statement, changeable, note, optional};

impl Generator {
    pub(crate) fn statement(&mut self, depth: u32) -> Statement {
        let kinds = match depth {
            0 => 24,
            _ if self.attempts => 42,
            _ => 36,
        };
        match self.below(kinds) {
            0..=3 => self.declaration(),
            4..=7 => self.assignment(),
            8 | 9 => self.field(),
            10 | 11 => self.element(),
            12..=14 => self.list(),
            15 | 16 => self.map(),
            17 => self.queue(),
            18 | 19 => self.builder(),
            20 => self.object(),
            21 => self.function(),
            22 => self.alias(),
            23 => {
                let (a, b) = (self.changeable(Type::Int), self.changeable(Type::Int));
                match self.call(&a, &b) {
                    Some(call) => Statement::line(optional(&format!("{call};"))),
                    None => self.assignment(),
                }
            }
            24..=29 => self.conditional(depth - 1),
            30 | 31 => self.counted(depth - 1),
            32 if self.one_in(2) => self.endless(depth - 1),
            32 => self.conditioned(depth - 1),
            33 => self.each(depth - 1),
            34 | 35 => self.switch(depth - 1),
            _ => self.attempt(depth - 1),
        }
    }

    /// Statements of which one may throw, and what is done then.
    fn attempt(&mut self, depth: u32) -> Statement {
        let (site, exception) = (self.below(1 << 20), self.fresh_name("e"));
        let mut body = self.block(depth);
        let throwing = self.throwing();
        body.insert(self.below(body.len() + 1), throwing);
        if self.loops > 0 && self.one_in(3) {
            body.push(Statement::line(optional("continue;")));
        }
        let handler = self.block(depth);
        let caught = note(&format!("Change.caught({site}, {exception});"));
        Statement {
            line: format!("try {{ {}", note(&format!("Change.tries({site});"))),
            parts: vec![
                (body, format!("}} catch (RuntimeException {exception}) {{ {caught}")),
                (handler, "}".to_owned()),
            ],
        }
    }

    fn throwing(&mut self) -> Statement {
        let (one, other) = (self.changeable(Type::Int), self.changeable(Type::Int));
        let name = self.local_variable(Type::Int).unwrap_or_else(|| "s0".to_owned());
        let line = match self.below(9) {
            0 => format!("{name} = {one} / ({other} & 1);"),
            1 => format!("ints0[{one} & 7] = {other};"),
            2 => {
                let condition = self.changeable(Type::Bool);
                return Statement::line(format!("if ({condition}) throw new IllegalStateException();"));
            }
            3 => format!("{name} = list0.get({one} & 3);"),
            4 => {
                let text = self.value(Type::Text);
                format!("text0 = {text}.substring({one} & 3);")
            }
            5 => {
                let parameter = self.fresh_name("x");
                format!("list0.forEach({parameter} -> {{ s1 += {parameter}; checked({parameter}); }});")
            }
            6 => format!("guarded({one});"),
            7 => return self.jump("throw new IllegalStateException()"),
            _ => format!("{name} = checked({one}) + {other};"),
        };
        Statement::line(optional(&line))
    }

    fn declaration(&mut self) -> Statement {
        let of = [Type::Int, Type::Int, Type::Int, Type::Long, Type::Bool, Type::Text, Type::Boxed][self.below(7)];
        let value = self.value(of);
        let is_assigned = !self.one_in(3);
        let name = self.declare(of, is_assigned);
        Statement::line(format!("{} {name} = {value};", of.name()))
    }

    /// Texts do not grow without end.
    fn value(&mut self, of: Type) -> String {
        let value = self.changeable(of);
        if of == Type::Text { format!("clip({value})") } else { value }
    }

    fn assignment(&mut self) -> Statement {
        let of = [Type::Int, Type::Int, Type::Int, Type::Long, Type::Bool, Type::Text, Type::Boxed][self.below(7)];
        let value = self.value(of);
        let Some(name) = self.local_variable(of) else { return Statement::line(";") };
        let line = match (of, self.below(4)) {
            (Type::Int | Type::Long, 0) => format!("{name} += {value};"),
            (Type::Int | Type::Long | Type::Boxed, 1) => format!("{name}++;"),
            _ => format!("{name} = {value};"),
        };
        Statement::line(optional(&line))
    }

    fn field(&mut self) -> Statement {
        let Some(cell) = self.variable(Type::Cell) else { return self.assignment() };
        let line = match self.below(5) {
            0 => {
                let value = self.value(Type::Text);
                format!("{cell}.text = {value};")
            }
            1 => {
                let value = self.changeable(Type::Long);
                format!("{cell}.wide = {value};")
            }
            2 => match self.variable(Type::Cell) {
                Some(other) => format!("{cell}.next = {other};"),
                None => format!("{cell}.n++;"),
            },
            3 => {
                let value = self.changeable(Type::Int);
                format!("if ({cell}.next != null) {cell}.next.n = {value};")
            }
            _ => {
                let value = self.changeable(Type::Int);
                format!("{cell}.n = {value};")
            }
        };
        Statement::line(optional(&line))
    }

    fn element(&mut self) -> Statement {
        let Some(ints) = self.variable(Type::Ints) else { return self.assignment() };
        let (index, value) = (self.changeable(Type::Int), self.changeable(Type::Int));
        let other = self.variable(Type::Ints).unwrap_or_else(|| ints.clone());
        let line = match self.below(9) {
            0 => format!("Arrays.fill({ints}, {index} & 3, 4, {value});"),
            1 => format!("System.arraycopy({other}, {index} & 1, {ints}, {value} & 1, 3);"),
            2 => format!("Arrays.sort({ints});"),
            number => format!("{ints}[{index} & 3] {} {value};", ["=", "+=", "^="][number % 3]),
        };
        Statement::line(optional(&line))
    }

    fn list(&mut self) -> Statement {
        let Some(list) = self.variable(Type::List) else { return self.assignment() };
        let value = self.changeable(Type::Int);
        let parameter = self.fresh_name("x");
        let line = match self.below(11) {
            0..=3 => format!("{list}.add({value});"),
            4 => format!("{list}.subList(0, {list}.size()).add({list}.size());"),
            5 => {
                let value = changeable(&self.leaf(Type::Int));
                format!("if (!{list}.isEmpty()) {list}.set(0, {value});")
            }
            6 => format!("if (!{list}.isEmpty()) {list}.remove({list}.size() - 1);"),
            7 => {
                let changed = self.within_lambda(&parameter, |inside| inside.changeable(Type::Int));
                format!("{list}.replaceAll({parameter} -> {changed});")
            }
            8 => {
                let condition = self.within_lambda(&parameter, |inside| inside.changeable(Type::Bool));
                format!("{list}.removeIf({parameter} -> {condition});")
            }
            9 => {
                let added = self.within_lambda(&parameter, |inside| inside.changeable(Type::Int));
                format!("{list}.forEach({parameter} -> s1 += {added});")
            }
            _ => format!("{list}.sort((p, q) -> Integer.compare({}, q));", changeable("p")),
        };
        Statement::line(optional(&line))
    }

    fn map(&mut self) -> Statement {
        let Some(map) = self.variable(Type::Map) else { return self.assignment() };
        let (key, value) = (self.changeable(Type::Int), self.changeable(Type::Int));
        let line = match self.below(6) {
            0 | 1 => format!("{map}.put({key} & 3, {value});"),
            2 => format!("{map}.values().remove({value} & 3);"),
            3 => format!("{map}.merge({key} & 3, {value}, (p, q) -> {});", changeable("p + q")),
            4 => format!("{map}.computeIfAbsent({key} & 3, p -> {});", changeable("p + 5")),
            _ => format!("{map}.remove({key} & 3);"),
        };
        Statement::line(optional(&line))
    }

    fn queue(&mut self) -> Statement {
        let Some(queue) = self.variable(Type::Queue) else { return self.assignment() };
        let value = self.changeable(Type::Int);
        let line = match self.below(3) {
            0 => format!("{queue}.addLast({value});"),
            1 => format!("{queue}.push({value});"),
            _ => format!("{queue}.pollFirst();"),
        };
        Statement::line(optional(&line))
    }

    fn builder(&mut self) -> Statement {
        let Some(builder) = self.variable(Type::Builder) else { return self.assignment() };
        let value = self.changeable(Type::Int);
        let line = match self.below(6) {
            0 | 1 => format!("{builder}.append({value});"),
            2 => format!("new Formatter({builder}).format(\"%d\", {value});"),
            3 => format!("{builder}.insert(0, {value});"),
            4 => format!("{builder}.setLength(Math.min({builder}.length(), {value} & 7));"),
            _ => format!("{builder}.reverse();"),
        };
        Statement::line(optional(&line))
    }

    fn object(&mut self) -> Statement {
        let int = self.changeable(Type::Int);
        let (of, value) = match self.below(11) {
            0 | 1 => (Type::Cell, format!("new Cell({int})")),
            2 => {
                let condition = self.changeable(Type::Bool);
                (Type::Shape, format!("{condition} ? new Square({int}) : new Circle({int})"))
            }
            3 => (Type::Shape, format!("new Circle({int})")),
            4 | 5 => {
                let (long, text) = (self.changeable(Type::Long), self.value(Type::Text));
                (Type::Point, format!("new Point({int}, {long}, {text})"))
            }
            6 => (Type::Ints, format!("new int[] {{{int}, 1, 2, 3}}")),
            7 => match self.variable(Type::Ints) {
                Some(ints) => (Type::Ints, format!("Arrays.copyOf({ints}, 1500)")),
                None => (Type::Ints, "new int[1500]".to_owned()),
            },
            8 => match self.variable(Type::Ints) {
                Some(ints) => (Type::Ints, format!("{ints}.clone()")),
                None => (Type::Ints, "new int[4]".to_owned()),
            },
            9 => match self.variable(Type::List) {
                Some(list) => (Type::List, format!("new ArrayList<>({list})")),
                None => (Type::List, "new ArrayList<>()".to_owned()),
            },
            _ => (Type::Builder, format!("new StringBuilder(\"n\").append({int})")),
        };
        let name = self.declare(of, false);
        Statement::line(format!("{} {name} = {value};", of.name()))
    }

    fn function(&mut self) -> Statement {
        let parameter = self.fresh_name("x");
        let body = self.within_lambda(&parameter, |inside| inside.changeable(Type::Int));
        let name = self.declare(Type::Function, false);
        Statement::line(format!("IntUnaryOperator {name} = {parameter} -> {body};"))
    }

    fn alias(&mut self) -> Statement {
        let of = [Type::Cell, Type::Ints, Type::List, Type::Shape, Type::Point][self.below(5)];
        let (Some(one), Some(other)) = (self.variable(of), self.variable(of)) else { return self.object() };
        let condition = self.changeable(Type::Bool);
        let name = self.declare(of, false);
        Statement::line(format!("{} {name} = {condition} ? {one} : {other};", of.name()))
    }

    fn conditional(&mut self, depth: u32) -> Statement {
        let condition = self.changeable(Type::Bool);
        let mut parts = vec![(self.block(depth), "}".to_owned())];
        if self.one_in(2) {
            parts[0].1 = "} else {".to_owned();
            parts.push((self.block(depth), "}".to_owned()));
        }
        Statement { line: format!("if ({condition}) {{"), parts }
    }

    fn looped(&mut self, line: String, end: &str, depth: u32) -> Statement {
        self.loops += 1;
        let mut body = self.block(depth.min(1));
        if self.one_in(2) {
            let word = if self.one_in(2) { "break" } else { "continue" };
            let jump = self.jump(word);
            body.insert(self.below(body.len() + 1), jump);
        }
        self.loops -= 1;
        Statement { line, parts: vec![(body, end.to_owned())] }
    }

    /// A statement that jumps under a condition, which can be left out alone.
    pub(crate) fn jump(&mut self, statement: &str) -> Statement {
        let condition = self.changeable(Type::Bool);
        if self.one_in(4) {
            return Statement::line(format!("if ({condition}) {statement};"));
        }
        let mut body = if self.one_in(2) { Vec::new() } else { self.block(0) };
        body.push(Statement::line(optional(&format!("{statement};"))));
        let mut parts = vec![(body, "}".to_owned())];
        if self.one_in(3) {
            parts[0].1 = "} else {".to_owned();
            parts.push((self.block(0), "}".to_owned()));
        }
        Statement { line: format!("if ({condition}) {{"), parts }
    }

    /// A loop that only jumps end.
    fn endless(&mut self, depth: u32) -> Statement {
        let left = self.fresh_name("left");
        // In one line, so that whoever makes the program shorter leaves it an end.
        let head = format!("for (;;) {{ {} if ({left}-- <= 0) break;", note("Change.tick();"));
        let mut inner = self.looped(head, "}", depth);
        let last = ["continue", "break"][self.below(2)];
        let (condition, is_leaving) = (self.changeable(Type::Bool), self.one_in(2));
        if let Some((body, _)) = inner.parts.first_mut() {
            if is_leaving {
                let going_on = vec![Statement::line(optional("continue;"))];
                let line = format!("if ({condition}) {{");
                body.push(Statement { line, parts: vec![(going_on, "}".to_owned())] });
                body.extend(self.block(0));
                body.push(Statement::line(optional("break;")));
            } else {
                let leaving = vec![Statement::line(optional(&format!("{last};")))];
                let line = format!("if ({condition}) {{");
                body.push(Statement { line, parts: vec![(leaving, "}".to_owned())] });
            }
        }
        let body = vec![Statement::line(format!("int {left} = 2;")), inner];
        Statement { line: "{".to_owned(), parts: vec![(body, "}".to_owned())] }
    }

    fn counted(&mut self, depth: u32) -> Statement {
        let (counter, times) = (self.fresh_name("i"), self.below(4));
        let times = changeable(&times.to_string());
        self.looped(
            format!("for (int {counter} = 0; {counter} < 5 && {counter} < {times}; {counter}++) {{"),
            "}",
            depth,
        )
    }

    fn conditioned(&mut self, depth: u32) -> Statement {
        let (left, condition) = (self.fresh_name("left"), self.changeable(Type::Bool));
        if self.one_in(2) {
            return self.looped(format!("for (int {left} = 3; {left}-- > 0 && {condition}; ) {{"), "}", depth);
        }
        let inner = self.looped("do {".to_owned(), &format!("}} while ({left}-- > 0 && {condition});"), depth);
        let body = vec![Statement::line(format!("int {left} = 2;")), inner];
        Statement { line: "{".to_owned(), parts: vec![(body, "}".to_owned())] }
    }

    fn each(&mut self, depth: u32) -> Statement {
        let known = self.variables.len();
        let over = match (self.below(3), self.variable(Type::List), self.variable(Type::Map)) {
            (0, Some(list), _) => format!("new ArrayList<>({list})"),
            (1, _, Some(map)) => format!("new ArrayList<>({map}.values())"),
            _ => "ints0".to_owned(),
        };
        let name = self.declare(Type::Int, false);
        let statement = self.looped(format!("for (int {name} : {over}) {{"), "}", depth);
        self.variables.truncate(known);
        statement
    }

    fn switch(&mut self, depth: u32) -> Statement {
        let chosen = self.changeable(Type::Int);
        let mut parts = Vec::new();
        let mut line = format!("switch ({chosen} & 3) {{ case 0:");
        let head = line.clone();
        for case in 1..4 {
            let mut body = self.block(depth);
            if self.one_in(2) {
                body.push(Statement::line(optional("break;")));
            }
            // A block of its own, so that its variables are not known to the next.
            let body = vec![Statement { line: "{".to_owned(), parts: vec![(body, "}".to_owned())] }];
            line = if case < 3 { format!("case {case}:") } else { "}".to_owned() };
            parts.push((body, line));
        }
        Statement { line: head, parts }
    }

    /// A statement of a program in which everything matters.
    pub(crate) fn straight_statement(&mut self, number: usize) -> Statement {
        let (a, b) = (self.straight_operand(), self.straight_operand());
        let value = changeable(&format!("{a} + {b} * 3"));
        let cell = self.variable(Type::Cell).unwrap_or_default();
        let index = self.below(4);
        let line = match self.below(9) {
            0 | 1 => {
                let name = self.declare(Type::Int, true);
                return Statement::line(format!("int {name} = {value};"));
            }
            2 => format!("{cell}.n = {value};"),
            3 => format!("ints0[{index}] = {value};"),
            4 => format!("list0.add({value});"),
            5 => format!("map0.put({number}, {value});"),
            6 => format!("builder0.append({value});"),
            7 => format!("point0 = new Point({value}, 2L, \"p\");"),
            _ => match self.local_variable(Type::Int) {
                Some(name) => format!("{name} = {value};"),
                None => ";".to_owned(),
            },
        };
        Statement::line(line)
    }

    pub(crate) fn straight_operand(&mut self) -> String {
        let index = self.below(4);
        match self.below(9) {
            0..=3 => self.local_variable(Type::Int).unwrap_or_else(|| "2".to_owned()),
            4 => self.variable(Type::Cell).map_or_else(|| "3".to_owned(), |cell| format!("{cell}.n")),
            5 => format!("ints0[{index}]"),
            6 => "list0.hashCode()".to_owned(),
            7 => "map0.hashCode()".to_owned(),
            _ => "point0.a()".to_owned(),
        }
    }
}
