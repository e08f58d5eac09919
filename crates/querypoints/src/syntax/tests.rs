//! What is printed is read again as the same, and mistakes are shown where they are.

use super::*;
use expect_test::{Expect, expect};
use proptest::prelude::*;

fn name() -> impl Strategy<Value = String> {
    const WORDS: [&str; 8] = ["if", "where", "with", "before", "after", "and", "instanceof", "show"];
    const LITERALS: [&str; 3] = ["null", "true", "false"];
    "[A-Za-z_$][A-Za-z0-9_]{0,5}"
        .prop_filter("a keyword", |name| !WORDS.contains(&name.as_str()) && !LITERALS.contains(&name.as_str()))
}

fn dotted() -> impl Strategy<Value = String> {
    prop::collection::vec(name(), 1..4).prop_map(|parts| parts.join("."))
}

fn literal() -> impl Strategy<Value = Expression> {
    prop_oneof![
        Just(Expression::Null),
        any::<bool>().prop_map(Expression::Boolean),
        any::<i32>().prop_map(Expression::Int),
        any::<i64>().prop_map(Expression::Long),
        any::<f32>().prop_filter("finite", |value| value.is_finite()).prop_map(Expression::Float),
        any::<f64>().prop_filter("finite", |value| value.is_finite()).prop_map(Expression::Double),
        any::<u16>().prop_map(Expression::Char),
        any::<String>().prop_map(Expression::Text),
    ]
}

fn root() -> impl Strategy<Value = Expression> {
    prop_oneof![name().prop_map(Expression::Name), prop::sample::select(EventPart::ALL).prop_map(Expression::Event),]
}

/// A path whose indexes are such expressions.
fn path_of(index: impl Strategy<Value = Expression> + 'static) -> impl Strategy<Value = Expression> {
    let part = prop_oneof![name().prop_map(Ok), index.prop_map(Err)];
    let inside = (root(), prop::collection::vec(part, 0..3)).prop_map(|(root, parts)| {
        parts.into_iter().fold(root, |of, part| match part {
            Ok(name) => Expression::Field(Box::new(of), name),
            Err(index) => Expression::Element(Box::new(of), Box::new(index)),
        })
    });
    (inside, prop::option::of((prop::option::of(name()), -3..5)), any::<bool>()).prop_map(|(path, at, _)| match at {
        Some((point, frame)) => Expression::At { point, frame, path: Box::new(path) },
        None => path,
    })
}

fn expression() -> impl Strategy<Value = Expression> {
    prop_oneof![literal(), path_of(literal())].prop_recursive(4, 24, 3, |inner| {
        let boxed = || inner.clone().prop_map(Box::new);
        prop_oneof![
            path_of(inner.clone()),
            (prop::sample::select(Unary::ALL), boxed()).prop_map(|(operator, of)| Expression::Unary(operator, of)),
            (prop::sample::select(Binary::ALL), boxed(), boxed())
                .prop_map(|(operator, left, right)| Expression::Binary(operator, left, right)),
            (boxed(), dotted(), 0..2_usize)
                .prop_map(|(of, class, dimensions)| Expression::InstanceOf(of, class + &"[]".repeat(dimensions))),
            (boxed(), prop::sample::select(Method::ALL), inner.clone()).prop_map(|(of, method, argument)| {
                let takes = !matches!(method, Method::Length | Method::IsEmpty);
                Expression::Call(of, method, takes.then_some(argument).into_iter().collect())
            }),
        ]
    })
}

fn event() -> impl Strategy<Value = EventPattern> {
    prop_oneof![
        ("[A-Za-z][A-Za-z0-9_-]{0,5}", 1..70000_u32).prop_map(|(f, line)| EventPattern::Line(format!("{f}.kt:{line}"))),
        (dotted(), any::<bool>()).prop_map(|(name, is_constructor)| {
            EventPattern::Call(if is_constructor { format!("{name}.<init>") } else { name })
        }),
        dotted().prop_map(EventPattern::Change),
        (dotted(), prop::option::of(0..i32::MAX))
            .prop_map(|(field, index)| EventPattern::ElementChange { field, index }),
        prop::option::of(dotted()).prop_map(EventPattern::Exception),
        prop::option::of(dotted()).prop_map(EventPattern::Caught),
    ]
}

fn constraint() -> impl Strategy<Value = Constraint> {
    prop_oneof![
        name().prop_map(Constraint::Before),
        name().prop_map(Constraint::MayAffect),
        (path_of(literal()), path_of(literal())).prop_map(|(one, other)| Constraint::Same(one, other)),
    ]
}

fn point() -> impl Strategy<Value = PointExpression> {
    let constraints = || prop::collection::vec(constraint(), 0..3);
    let condition = || prop::option::of(expression());
    let picks = prop::sample::select(vec![
        (Pick::First, Relation::Before),
        (Pick::First, Relation::After),
        (Pick::Last, Relation::Before),
        (Pick::Last, Relation::After),
        (Pick::Next, Relation::After),
    ]);
    prop_oneof![
        (event(), any::<i64>(), condition(), constraints()).prop_map(|(event, index, condition, constraints)| {
            PointExpression::Event { event, index, condition, constraints }
        }),
        (picks, event(), name(), condition(), constraints()).prop_map(
            |((pick, relation), event, point, condition, constraints)| {
                PointExpression::Relative { pick, event, relation, point, condition, constraints }
            }
        ),
        (path_of(literal()), name(), -2..4).prop_map(|(path, point, frame)| {
            let path = match path {
                Expression::At { path, .. } => path,
                path => Box::new(path),
            };
            PointExpression::LastChange(Expression::At { point: Some(point), frame, path })
        }),
        name().prop_map(PointExpression::LastCondition),
    ]
}

fn chain() -> impl Strategy<Value = Chain> {
    let data = || prop::collection::vec(expression(), 1..3);
    let item = prop_oneof![
        (name(), point(), prop::option::of(data())).prop_map(|(name, point, with)| {
            Item::Define(Definition { name, point, with: with.unwrap_or_default() })
        }),
        (name(), data()).prop_map(|(point, data)| Item::Show { point, data }),
    ];
    prop::collection::vec(item, 0..4).prop_map(|items| Chain { items })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn printed_is_read_as_the_same(chain in chain()) {
        let printed = chain.to_string();
        prop_assert_eq!(parse(&printed).map_err(|error| format!("{error} at {}: {printed}", error.at)), Ok(chain));
    }

    #[test]
    fn nothing_makes_the_parser_fail(text in any::<String>(), words in "[A-Za-z=().:,\\[\\]\"'\\\\ \n;#0-9<>&|!-]*") {
        let _ = parse(&text);
        let _ = parse(&words);
        let _ = parse(&format!("A = line F:1 if {words}"));
        let _ = parse_condition(&words);
    }
}

fn check(text: &str, expected: &Expect) {
    expected.assert_eq(&match parse(text) {
        Ok(chain) => chain.to_string(),
        Err(error) => format!("{}:{}: {error}", error.line, error.column),
    });
}

#[test]
fn all_that_can_be_written() {
    check(
        "A = line Chain.java:27 if foo == null   # comment; with = signs\n\
         A1 = line src/main/Chain.java:27[-1]; B = lastChange( A(0):foo )\n\
         C=lastCondition(B)\n\n\
         D = lastChange(C:record.bar[i + 1].x)\n\
         E = first exception after D\n\
         F = last call Cart.<init> before B if total<0L\n\
         G = next change shop.Cart.lines[3] after A where same(.owner, P:this) and mayAffect(P) and before(A)\n\
         H = change Cart.total [3] with .value, .owner.name\n\
         show A: foo, record.size, (-1):this, A(1):x, \"a\\\"b\".equals(name), !(a || b) && c instanceof java.util.List",
        &expect![[r#"
            A = line Chain.java:27 if foo == null
            A1 = line src/main/Chain.java:27 [-1]
            B = lastChange(A:foo)
            C = lastCondition(B)
            D = lastChange(C:record.bar[i + 1].x)
            E = first exception after D
            F = last call Cart.<init> before B if total < 0L
            G = next change shop.Cart.lines[3] after A where same(.owner, P:this) and mayAffect(P) and before(A)
            H = change Cart.total [3] with .value, .owner.name
            show A: foo, record.size, (-1):this, A(1):x, "a\"b".equals(name), !(a || b) && c instanceof java.util.List
        "#]],
    );
}

#[test]
fn mistakes() {
    check("A line X.java:3", &expect!["1:3: expected `=`, found `line`"]);
    check("= line X.java:3", &expect!["1:1: expected the name of a point, as in `A = line Main.java:12`, found `=`"]);
    check("A = line X.java", &expect!["1:10: expected a line, such as `Main.java:12`, found `X`"]);
    check("A = call", &expect!["1:9: expected a method, such as `Cart.add`, found the end"]);
    check(
        "A = call X.y\nB = lastChange(foo)",
        &expect!["2:16: expected a variable at a point, such as `A(0):foo`, found `foo`"],
    );
    check("A = lastChange(B(x):foo)", &expect!["1:16: expected a variable at a point, such as `A(0):foo`, found `B`"]);
    check("A = lastCondition(B", &expect!["1:20: expected `)`, found the end"]);
    check("A = last call X.y", &expect!["1:18: expected `before` or `after` and a point, found the end"]);
    check("A = next call X.y before B", &expect!["1:19: expected `after` and a point, found `before`"]);
    check(
        "A = call X.y [x]",
        &expect!["1:15: expected an index, such as `0` for the first or `-1` for the last, found `x`"],
    );
    check(
        "A = change X.y[-1]",
        &expect!["1:16: expected the index of an element; a space before `[` makes it the index of a point, found `-`"],
    );
    check("A = line X.java:3 if a = b", &expect!["1:24: expected the end of the definition, found `=`"]);
    check(
        "A = line X.java:3 if a.b(",
        &expect![
            "1:24: expected a field or one of the methods `equals`, `equalsIgnoreCase`, `length`, `isEmpty`, `startsWith`, `endsWith`, `contains`, found `b`"
        ],
    );
    check(
        "A = line X.java:3 if x == 99999999999",
        &expect!["1:27: expected an `int`, or a `long` with `L`, found `9`"],
    );
    check("A = line X.java:3 if s.equals(\"x", &expect!["1:33: expected `\"` at the end of the text, found the end"]);
    check(
        "A = line X.java:3 if .onwer == null",
        &expect!["1:23: expected `.owner`, `.value`, `.index`, `.exception`, found `onwer`"],
    );
    check(
        "A = line X.java:3 where sam(a, b)",
        &expect!["1:25: expected a constraint: `before(P)`, `same(…, …)` or `mayAffect(P)`, found `sam`"],
    );
    check("show A foo", &expect!["1:8: expected `:`, found `foo`"]);
    let deep = format!("A = line X.java:3 if {}1{}", "(".repeat(2000), ")".repeat(2000));
    assert_eq!(parse(&deep).map_err(|error| error.expected), Err("a less deeply nested expression".to_owned()));
}

#[test]
fn numbers_as_java_has_them() {
    let literal = |text: &str| parse_condition(text).map_err(|error| error.to_string());
    assert_eq!(literal("-2147483648"), Ok(Expression::Int(i32::MIN)));
    assert_eq!(literal("0xFFFFFFFF"), Ok(Expression::Int(-1)));
    assert_eq!(literal("-9223372036854775808L"), Ok(Expression::Long(i64::MIN)));
    assert_eq!(literal("1_000"), Ok(Expression::Int(1000)));
    assert_eq!(literal("1e3"), Ok(Expression::Double(1000.0)));
    assert_eq!(literal("2.5f"), Ok(Expression::Float(2.5)));
    assert_eq!(literal("3d"), Ok(Expression::Double(3.0)));
    assert_eq!(literal("'\\u0041'"), Ok(Expression::Char(65)));
}
