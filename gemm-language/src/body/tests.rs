use gemm_codegen::body::{Node, NodeId};

use super::*;

/// What a body begins with where there are no functions of the user's own.
fn nothing() -> Start<'static> {
    let body = Body { nodes: Vec::new(), root: NodeId(0), functions: Vec::new() };
    Start { body, associated: None }
}

/// The body of a function and each error.
fn read_all(body: &str) -> (Body, Vec<String>) {
    let block: Block = syn::parse_str(&format!("{{ {body} }}")).unwrap();
    let (mut spans, mut errors) = (Spans::default(), Errors::default());
    let body = parse(&block, BodyUse::Returned, nothing(), &mut spans, &mut errors);
    (body, errors.texts())
}

/// The body of a function and the first line of each error.
fn read(body: &str, form: BodyUse<'_>) -> (Body, Vec<String>) {
    let block: Block = syn::parse_str(&format!("{{ {body} }}")).unwrap();
    let (mut spans, mut errors) = (Spans::default(), Errors::default());
    let body = parse(&block, form, nothing(), &mut spans, &mut errors);
    for id in 0..body.nodes.len() {
        assert!(spans.written(Field::Body(NodeId(id))).is_some(), "node {id} has a place");
    }
    let first_line = |text: String| text.lines().next().unwrap_or_default().to_owned();
    (body, errors.texts().into_iter().map(first_line).collect())
}

fn errors(body: &str) -> Vec<String> {
    read(body, BodyUse::Returned).1
}

#[track_caller]
fn wrong(body: &str, error: &str) {
    assert_eq!(errors(body), [error], "{body}");
}

/// The value of the body is this fully parenthesised expression.
#[track_caller]
fn has_value(body: &str, expected: &str) {
    let (read, errors) = read(body, BodyUse::Returned);
    assert_eq!((show(&read, read.root).as_str(), errors), (expected, vec![]), "{body}");
}

fn show(body: &Body, id: NodeId) -> String {
    let all = |ids: &[NodeId]| ids.iter().map(|id| show(body, *id)).collect::<Vec<_>>().join(", ");
    match &body.nodes[id.0] {
        Node::Float(x) => format!("{x:?}"),
        Node::Int(x) => x.to_string(),
        Node::Bool(x) => x.to_string(),
        Node::Name(name) => name.clone(),
        Node::Deref(name) => format!("(Deref {name})"),
        Node::Call { function, arguments } => format!("{function}({})", all(arguments)),
        Node::Method { receiver, method, arguments } => {
            format!("{}.{method}({})", show(body, *receiver), all(arguments))
        }
        Node::Unary(op, x) => format!("({op:?} {})", show(body, *x)),
        Node::Binary(op, x, y) => format!("({op:?} {} {})", show(body, *x), show(body, *y)),
        Node::Tuple(values) => format!("[{}]", all(values)),
        Node::Cast(x, to) => format!("({} as {to})", show(body, *x)),
        Node::Typed(x, ty) => format!("({}: {ty})", show(body, *x)),
        Node::If { condition, then, otherwise } => format!(
            "if {} {{{}}} else {{{}}}",
            show(body, *condition),
            show(body, *then),
            show(body, *otherwise)
        ),
        Node::Block { bindings, value } => {
            let lets = bindings.iter().map(|(name, x)| format!("{name} = {}; ", show(body, *x)));
            format!("{{{}{}}}", lets.collect::<String>(), show(body, *value))
        }
    }
}

#[test]
fn precedence_is_that_of_rust() {
    has_value("a + b * -c", "(Add a (Mul b (Neg c)))");
    has_value("(a + b) * c % d - 1.0", "(Sub (Rem (Mul (Add a b) c) d) 1.0)");
    has_value("-i as f32", "((Neg i) as f32)");
}

#[test]
fn a_tuple_has_its_values_in_order() {
    has_value("(z, gelu(z), -z)", "[z, gelu(z), (Neg z)]");
    has_value("let z = x + y; (z, (z,))", "{z = (Add x y); [z, [z]]}");
}

#[test]
fn calls_methods_and_literals() {
    has_value("gelu(matmul(x, w) + bias)", "gelu((Add matmul(x, w) bias))");
    has_value("x.max(0.5f32).powi(2i32)", "x.max((0.5: f32)).powi(2)");
    has_value(
        "f(1f32, 2.5f64, 1_000, 1e3, true, r#in)",
        "f((1.0: f32), (2.5: f64), 1000, 1000.0, true, in)",
    );
    // The nearest f64, and with a suffix the nearest f32.
    has_value("0.1", "0.1");
    has_value("0.1f32", &format!("({:?}: f32)", f64::from(0.1f32)));
}

#[test]
fn a_literal_is_rounded_once() {
    // Just above the midpoint of 1 and the next f32. The nearest f64 is the midpoint, which would
    // round to 1.
    let one = "1.00000005960464477539062500001";
    wrong(one, "a literal with more digits than f32 has, and of no stated type");
    let next = f64::from(1.0f32.next_up());
    has_value(&format!("{one}f32"), &format!("({next:?}: f32)"));
    has_value(&format!("{one}f64"), &format!("({:?}: f64)", 1.0 + 2f64.powi(-24)));
}

#[test]
fn every_infix_operator() {
    let symbols = ["+", "-", "*", "/", "%", "<", "<=", ">", ">=", "==", "!=", "&&", "||"];
    let names = "Add Sub Mul Div Rem Lt Le Gt Ge Eq Ne And Or".split(' ');
    for (symbol, name) in symbols.into_iter().zip(names) {
        has_value(&format!("a {symbol} b"), &format!("({name} a b)"));
    }
}

#[test]
fn blocks_and_branches() {
    has_value(
        "let y: f32 = matmul(a, b); let y = y * y; { y + 1.0 }",
        "{y = (matmul(a, b): f32); y = (Mul y y); (Add y 1.0)}",
    );
    has_value(
        "if !c { 1.0 } else if a < b { let d = a; d } else { b }",
        "if (Not c) {1.0} else {if (Lt a b) {{d = a; d}} else {b}}",
    );
}

#[test]
fn children_come_first() {
    let (body, _) = read("if a < b { -a } else { let c = a; c.max(b) }", BodyUse::Returned);
    assert_eq!(body.root, NodeId(body.nodes.len() - 1));
}

#[test]
fn integers_up_to_the_least_i32() {
    has_value("-2147483648", "(Neg 2147483648)");
    wrong("2147483649", "exceeds `i32::MAX`");
    wrong("1e39f32", "exceeds `f32::MAX`");
    wrong("1e309", "exceeds `f64::MAX`");
}

#[test]
fn blocks_without_a_value() {
    wrong("", "a block without a value");
    wrong("x;", "a block that ends in `;` has no value");
    wrong("let x = y;", "a block that ends in a `let` has no value");
    wrong("x; y", "a statement without effect");
    wrong("if x { y }", "`if` without `else` has no value");
}

#[test]
fn bindings_must_be_plain_names() {
    wrong("let mut x = y; x", "`mut` is not supported in a body");
    wrong("let (x, y) = z; x", "expected a plain name");
    wrong("let x: i64 = z; x", "unsupported type in a body");
    wrong("let x; x", "a `let` without a value");
    wrong("let x = y else { z }; x", "`let`-`else` is not supported in a body");
}

#[test]
fn an_assignment_has_the_let_that_is_meant() {
    for (body, meant) in [
        ("z = y; z", "`let z = y;`"),
        ("z = y", "`let z = y;`"),
        ("z -= y * 2.0; z", "`let z = z - (y * 2.0);`"),
        ("if c { z = y; } z", "`let z = if c { y } else { z };`"),
        (
            "if c { z = y; } else if d { z += y; } else { z = x; } z",
            "`let z = if c { y } else if d { z + y } else { x };`",
        ),
    ] {
        let (_, texts) = read_all(body);
        assert!(texts.len() == 1 && texts[0].ends_with(meant), "{body}: {texts:?}");
    }
    wrong("if c { z = y; } else { v = y; } z", "a statement without effect");
}

#[test]
fn unsupported_syntax_is_named() {
    for (what, bodies) in [
        ("`match`", &["match x { _ => y }"] as &[_]),
        ("`return`", &["return x", "return x;"]),
        ("`?`", &["x?"]),
        ("an index", &["x[0]"]),
        ("a reference", &["&x"]),
        ("this operator", &["*x.y", "x & y"]),
        ("an assignment", &["x += y; z", "x = y"]),
        ("a loop", &["for i in 0..3 {} x", "loop {}"]),
        ("a closure", &["|x| x"]),
        ("a path", &["f32::max(x, y)", "limits::MOST"]),
        ("a macro", &["max!(x, y)"]),
        ("a field", &["x.y"]),
        ("an empty tuple", &["()"]),
        ("`unsafe`", &["unsafe { x }"]),
        ("`if let`", &["if let y = x { y } else { x }"]),
        ("a type argument", &["x.max::<f32>(y)"]),
        ("an item", &["fn f() {} x"]),
    ] {
        bodies.iter().for_each(|body| wrong(body, &format!("{what} is not supported in a body")));
    }
    wrong("x as i64", "unsupported cast in a body");
    wrong("\"x\"", "unsupported literal in a body");
    wrong("1.0f16", "unsupported literal in a body");
}

/// The value and the errors of a body that writes `c`.
fn in_place(body: &str) -> (String, Vec<String>) {
    let name = quote::format_ident!("c");
    let (body, errors) = read(body, BodyUse::InPlace(&name));
    (show(&body, body.root), errors)
}

#[test]
fn an_assignment_in_place_is_its_value() {
    let has_value =
        |body: &str, value: String| assert_eq!(in_place(body), (value, vec![]), "{body}");
    has_value("*c = a + *c", "(Add a (Deref c))".to_owned());
    has_value("let y = a; *c = y;", "{y = a; y}".to_owned());
    for (symbol, op) in [("+", "Add"), ("-", "Sub"), ("*", "Mul"), ("/", "Div"), ("%", "Rem")] {
        has_value(&format!("*c {symbol}= a * b;"), format!("({op} (Deref c) (Mul a b))"));
    }
}

#[test]
fn a_body_in_place_that_assigns_nothing_or_elsewhere() {
    for (body, error) in [
        ("a", "nothing is assigned to `*c`"),
        ("a;", "nothing is assigned to `*c`"),
        ("c = a", "assignment to something other than the output"),
        ("*d += a", "assignment to something other than the output"),
        ("*c = a; *c = b;", "an assignment is not supported in a body"),
        ("if a { *c = b; }", "an assignment is not supported in a body"),
        ("", "a block without a value"),
    ] {
        assert_eq!(in_place(body).1, [error], "{body}");
    }
}

#[test]
fn attributes_are_refused_anywhere() {
    assert_eq!(errors("#[cfg(x)] let y = f(#[a] z); y").len(), 2);
}

#[test]
fn every_error_is_reported() {
    assert_eq!(errors("let a = match x {}; f(a?, &b) + (c as u8)").len(), 4);
}

#[test]
fn constants_of_numbers_are_their_values() {
    has_value("f32::NEG_INFINITY", "(-inf: f32)");
    has_value("f32::MAX", "(3.4028234663852886e38: f32)");
    has_value("-std::f32::MIN_POSITIVE", "(Neg (1.1754943508222875e-38: f32))");
    has_value("f64::NAN", "(NaN: f64)");
    has_value("::core::f64::EPSILON", "(2.220446049250313e-16: f64)");
    has_value("std::f32::consts::PI", "(3.1415927410125732: f32)");
    has_value("f64::consts::SQRT_2", "(1.4142135623730951: f64)");
    has_value("i32::MIN", "-2147483648");
    has_value("x.min(i32::MAX)", "x.min(2147483647)");
    has_value("f32::MIN", "(-3.4028234663852886e38: f32)");
}

#[test]
fn other_paths_are_named_with_a_way_out() {
    wrong("f32::INFINTY", "`f32::INFINTY` is not a constant of a body");
    wrong("i32::BITS", "`i32::BITS` is not a constant of a body");
    for other in
        ["limits::MOST", "Self::MOST", "::f32::MAX", "<f32>::MAX", "crate::MOST", "i64::MAX"]
    {
        let (_, texts) = read_all(other);
        assert!(
            texts.len() == 1 && texts[0].contains("`const LIMIT: f32 = ..;`"),
            "{other}: {texts:?}"
        );
    }
    let (_, texts) = read_all("f32::INFINTY");
    assert!(texts[0].contains("did you mean `f32::INFINITY`?"), "{texts:?}");
}
