//! Expressions of generated programs. None of them throws, whatever values there are.

use super::generator::{Generator, Type};
use super::source::changeable;

impl Generator {
    /// An expression that is changeable as a whole, and sometimes inside.
    pub(crate) fn changeable(&mut self, of: Type) -> String {
        changeable(&self.expression(of, 2))
    }

    pub(crate) fn expression(&mut self, of: Type, depth: u32) -> String {
        let expression = if depth == 0 { self.leaf(of) } else { self.compound(of, depth - 1) };
        if depth == 1 && self.one_in(6) { changeable(&expression) } else { expression }
    }

    pub(crate) fn leaf(&mut self, of: Type) -> String {
        if let Some(variable) = self.variable(of).filter(|_| !self.one_in(5)) {
            return variable;
        }
        let number = self.below(9);
        match of {
            Type::Int => format!("{number}"),
            Type::Long => format!("{number}L"),
            // Compilers leave out what constants decide, so that there would be nothing to record.
            Type::Bool => "(s0 > s1)".to_owned(),
            Type::Text => format!("\"t{number}\""),
            Type::Boxed => format!("Integer.valueOf({})", number * 40),
            Type::Ints => "new int[4]".to_owned(),
            Type::Cell => format!("new Cell({number})"),
            Type::Shape => format!("new Square({number})"),
            Type::Point => format!("new Point({number}, 2L, \"p\")"),
            Type::List => "new ArrayList<Integer>()".to_owned(),
            Type::Map => "new HashMap<Integer, Integer>()".to_owned(),
            Type::Queue => "new ArrayDeque<Integer>()".to_owned(),
            Type::Builder => "new StringBuilder()".to_owned(),
            Type::Function => format!("x -> x + {number}"),
        }
    }

    fn compound(&mut self, of: Type, depth: u32) -> String {
        match of {
            Type::Int => self.int(depth),
            Type::Long => self.long(depth),
            Type::Bool => self.condition(depth),
            Type::Text => self.text(depth),
            Type::Boxed => {
                let int = self.expression(Type::Int, depth);
                format!("Integer.valueOf({int})")
            }
            other => self.leaf(other),
        }
    }

    fn two(&mut self, of: Type, depth: u32) -> (String, String) {
        (self.expression(of, depth), self.expression(of, depth))
    }

    fn int(&mut self, depth: u32) -> String {
        let (a, b) = self.two(Type::Int, depth);
        let member = |name: Option<String>, text: &dyn Fn(String) -> String, other: &str| match name {
            Some(name) => text(name),
            None => other.to_owned(),
        };
        match self.below(30) {
            0 | 1 => format!("({a} + {b})"),
            2 => format!("({a} - {b})"),
            3 => format!("({a} * {b})"),
            4 => format!("({a} ^ {b})"),
            5 => format!("({a} / ({b} | 1))"),
            6 => format!("({a} % (({b} & 7) + 1))"),
            7 => {
                let condition = self.expression(Type::Bool, depth);
                format!("({condition} ? {a} : {b})")
            }
            8 | 9 => member(self.variable(Type::Cell), &|cell| format!("{cell}.n"), &a),
            10 | 11 => member(self.variable(Type::Ints), &|ints| format!("{ints}[{a} & 3]"), &a),
            12 => {
                let long = self.expression(Type::Long, depth);
                format!("(int) {long}")
            }
            13 => {
                let text = self.expression(Type::Text, depth);
                format!("{text}.length()")
            }
            14 => member(self.variable(Type::Boxed), &|boxed| format!("({boxed} + {a})"), &a),
            15 => member(self.variable(Type::List), &|list| format!("{list}.size()"), &a),
            16 => {
                let index = self.leaf(Type::Int);
                let get = |list: String| {
                    format!("({list}.isEmpty() ? {a} : {list}.get(Math.floorMod({index}, {list}.size())))")
                };
                member(self.variable(Type::List), &get, &a)
            }
            17 => member(self.variable(Type::Map), &|map| format!("{map}.getOrDefault({a} & 3, {b})"), &a),
            18 => member(
                self.variable(Type::Queue),
                &|queue| format!("({queue}.isEmpty() ? {a} : {queue}.peekFirst())"),
                &a,
            ),
            19 => member(self.variable(Type::Builder), &|builder| format!("{builder}.length()"), &a),
            20 => member(self.variable(Type::Builder), &|builder| format!("{builder}.toString().hashCode()"), &a),
            21 => member(self.variable(Type::Shape), &|shape| format!("{shape}.area({a})"), &a),
            22 => member(self.variable(Type::Point), &|point| format!("{point}.a()"), &a),
            23 => member(self.variable(Type::Point), &|point| format!("{point}.hashCode()"), &a),
            24 => member(self.variable(Type::Function), &|function| format!("{function}.applyAsInt({a})"), &a),
            25 => member(self.variable(Type::Cell), &|cell| format!("({cell}.next == null ? {a} : {cell}.next.n)"), &a),
            26 => {
                let c = self.expression(Type::Int, depth);
                format!("((int) (switch ({a} & 3) {{ case 0 -> {b}; case 1 -> {c}; default -> {a}; }}))")
            }
            27 => member(self.variable(Type::Ints), &|ints| format!("Arrays.hashCode({ints})"), &a),
            28 => member(self.variable(Type::Ints), &|ints| format!("Arrays.stream({ints}).sum()"), &a),
            _ => self.call(&a, &b).unwrap_or(a),
        }
    }

    fn long(&mut self, depth: u32) -> String {
        let (a, b) = self.two(Type::Long, depth);
        let int = self.expression(Type::Int, depth);
        match self.below(6) {
            0 => format!("({a} + {b})"),
            1 => format!("({a} * {b})"),
            2 => format!("(long) {int}"),
            3 => format!("({a} >> ({int} & 7))"),
            4 => match self.variable(Type::Cell) {
                Some(cell) => format!("{cell}.wide"),
                None => a,
            },
            _ => match self.variable(Type::Point) {
                Some(point) => format!("{point}.b()"),
                None => b,
            },
        }
    }

    /// Never a constant.
    fn condition(&mut self, depth: u32) -> String {
        let a = self.variable(Type::Int).unwrap_or_default();
        let b = self.expression(Type::Int, depth);
        let (p, q) = self.two(Type::Bool, depth);
        match self.below(13) {
            0 | 1 => format!("({a} < {b})"),
            2 => format!("({a} == {b})"),
            3 => format!("(({a} & 1) == 0)"),
            4 => format!("!{p}"),
            5 => format!("({p} && {q})"),
            6 => format!("({p} || {q})"),
            7 => {
                let (s, t) = self.two(Type::Text, depth);
                format!("{s}.equals({t})")
            }
            8 => match self.variable(Type::List) {
                Some(list) => format!("{list}.contains({a})"),
                None => p,
            },
            9 => match self.variable(Type::Map) {
                Some(map) => format!("{map}.containsKey({a} & 3)"),
                None => q,
            },
            10 => match self.variable(Type::Shape) {
                Some(shape) => format!("({shape} instanceof Square)"),
                None => q,
            },
            11 => match (self.variable(Type::Point), self.variable(Type::Point)) {
                (Some(one), Some(other)) => format!("{one}.equals({other})"),
                _ => p,
            },
            _ => {
                let (long, other) = (self.variable(Type::Long).unwrap_or_default(), self.expression(Type::Long, depth));
                format!("({long} > {other})")
            }
        }
    }

    fn text(&mut self, depth: u32) -> String {
        let (s, t) = self.two(Type::Text, depth);
        let int = self.expression(Type::Int, depth);
        match self.below(9) {
            0 => format!("({s} + {int})"),
            1 => format!("({s} + {t})"),
            2 => format!("String.valueOf({int})"),
            3 => format!("tail({s})"),
            4 => {
                let condition = self.expression(Type::Bool, depth);
                format!("({condition} ? {s} : {t})")
            }
            5 => match self.variable(Type::Builder) {
                Some(builder) => format!("{builder}.toString()"),
                None => s,
            },
            6 => match self.variable(Type::Cell) {
                Some(cell) => format!("{cell}.text"),
                None => s,
            },
            7 => match self.variable(Type::Point) {
                Some(point) => format!("{point}.c()"),
                None => t,
            },
            _ => format!("{s}.replace('1', '2')"),
        }
    }
}
