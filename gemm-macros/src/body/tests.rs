use gemm_codegen::body::{BinaryOp, Node, NodeId};
use quote::quote;

use super::*;

fn read(block: TokenStream) -> (Body, Vec<String>) {
    read_form(block, Form::Returned)
}

fn read_form(block: TokenStream, form: Form<'_>) -> (Body, Vec<String>) {
    let block: Block = syn::parse2(block).unwrap();
    let (mut spans, mut errors) = (Spans::default(), Errors::default());
    let body = parse(&block, form, &mut spans, &mut errors);
    for id in 0..body.nodes.len() {
        assert!(spans.written(Field::Body(NodeId(id))).is_some(), "node {id} has a place");
    }
    let first_line = |text: String| text.lines().next().unwrap_or_default().to_owned();
    (body, errors.texts().into_iter().map(first_line).collect())
}

/// The value of the block as a fully parenthesised expression.
fn value(block: TokenStream) -> String {
    let (body, errors) = read(block);
    assert_eq!(errors, [] as [&str; 0]);
    show(&body, body.root)
}

fn errors(block: TokenStream) -> Vec<String> {
    read(block).1
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
    assert_eq!(value(quote!({ a + b * -c })), "(Add a (Mul b (Neg c)))");
    assert_eq!(value(quote!({ (a + b) * c % d - 1.0 })), "(Sub (Rem (Mul (Add a b) c) d) 1.0)");
    assert_eq!(value(quote!({ -i as f32 })), "((Neg i) as f32)");
}

#[test]
fn a_tuple_has_its_values_in_order() {
    assert_eq!(value(quote!({ (z, gelu(z), -z) })), "[z, gelu(z), (Neg z)]");
    let block = quote!({
        let z = x + y;
        (z, (z,))
    });
    assert_eq!(value(block), "{z = (Add x y); [z, [z]]}");
}

#[test]
fn calls_methods_and_literals() {
    assert_eq!(value(quote!({ gelu(matmul(x, w) + bias) })), "gelu((Add matmul(x, w) bias))");
    assert_eq!(value(quote!({ x.max(0.5f32).powi(2i32) })), "x.max((0.5: f32)).powi(2)");
    assert_eq!(
        value(quote!({ f(1f32, 2.5f64, 1_000, 1e3, true, r#in) })),
        "f((1.0: f32), (2.5: f64), 1000, 1000.0, true, in)"
    );
    // The nearest f64, and with a suffix the nearest f32.
    assert_eq!(value(quote!({ 0.1 })), "0.1");
    assert_eq!(value(quote!({ 0.1f32 })), format!("({:?}: f32)", f64::from(0.1f32)));
}

#[test]
fn a_literal_is_rounded_once() {
    // Just above the midpoint of 1 and the next f32. The nearest f64 is the midpoint, which would
    // round to 1.
    let one = "1.00000005960464477539062500001";
    let literal = |suffix: &str| -> TokenStream { format!("{{ {one}{suffix} }}").parse().unwrap() };
    assert_eq!(
        errors(literal("")),
        ["a literal with more digits than f32 has, and of no stated type"]
    );
    let next = f64::from(1.0f32.next_up());
    assert_eq!(value(literal("f32")), format!("({next:?}: f32)"));
    assert_eq!(value(literal("f64")), format!("({:?}: f64)", 1.0 + 2f64.powi(-24)));
}

#[test]
fn every_infix_operator() {
    let ops = [
        (quote!(+), BinaryOp::Add),
        (quote!(-), BinaryOp::Sub),
        (quote!(*), BinaryOp::Mul),
        (quote!(/), BinaryOp::Div),
        (quote!(%), BinaryOp::Rem),
        (quote!(<), BinaryOp::Lt),
        (quote!(<=), BinaryOp::Le),
        (quote!(>), BinaryOp::Gt),
        (quote!(>=), BinaryOp::Ge),
        (quote!(==), BinaryOp::Eq),
        (quote!(!=), BinaryOp::Ne),
        (quote!(&&), BinaryOp::And),
        (quote!(||), BinaryOp::Or),
    ];
    for (token, op) in ops {
        assert_eq!(value(quote!({ a #token b })), format!("({op:?} a b)"));
    }
}

#[test]
fn blocks_and_branches() {
    assert_eq!(
        value(quote!({
            let y: f32 = matmul(a, b);
            let y = y * y;
            { y + 1.0 }
        })),
        "{y = (matmul(a, b): f32); y = (Mul y y); (Add y 1.0)}"
    );
    assert_eq!(
        value(quote!({
            if !c {
                1.0
            } else if a < b {
                let d = a;
                d
            } else {
                b
            }
        })),
        "if (Not c) {1.0} else {if (Lt a b) {{d = a; d}} else {b}}"
    );
}

#[test]
fn children_come_first() {
    let (body, _) = read(quote!({
        if a < b {
            -a
        } else {
            let c = a;
            c.max(b)
        }
    }));
    assert_eq!(body.root, NodeId(body.nodes.len() - 1));
}

#[test]
fn integers_up_to_the_least_i32() {
    assert_eq!(value(quote!({ -2147483648 })), "(Neg 2147483648)");
    assert_eq!(errors(quote!({ 2147483649 })), ["exceeds `i32::MAX`"]);
    assert_eq!(errors(quote!({ 1e39f32 })), ["exceeds `f32::MAX`"]);
    assert_eq!(errors(quote!({ 1e309 })), ["exceeds `f64::MAX`"]);
}

#[test]
fn blocks_without_a_value() {
    assert_eq!(errors(quote!({})), ["a block without a value"]);
    assert_eq!(
        errors(quote!({
            x;
        })),
        ["a block that ends in `;` has no value"]
    );
    assert_eq!(
        errors(quote!({
            let x = y;
        })),
        ["a block that ends in a `let` has no value"]
    );
    assert_eq!(
        errors(quote!({
            x;
            y
        })),
        ["a statement without effect"]
    );
    assert_eq!(
        errors(quote!({
            if x {
                y
            }
        })),
        ["`if` without `else` has no value"]
    );
}

#[test]
fn bindings_must_be_plain_names() {
    assert_eq!(
        errors(quote!({
            let mut x = y;
            x
        })),
        ["expected a plain name"]
    );
    assert_eq!(
        errors(quote!({
            let (x, y) = z;
            x
        })),
        ["expected a plain name"]
    );
    assert_eq!(
        errors(quote!({
            let x: i64 = z;
            x
        })),
        ["unsupported type in a body"]
    );
    assert_eq!(
        errors(quote!({
            let x;
            x
        })),
        ["a `let` without a value"]
    );
    assert_eq!(
        errors(quote!({
            let x = y else { z };
            x
        })),
        ["`let`-`else` is not supported in a body"]
    );
}

#[test]
fn unsupported_syntax_is_named() {
    let cases = [
        (
            quote!({
                match x {
                    _ => y,
                }
            }),
            "`match`",
        ),
        (quote!({ return x }), "`return`"),
        (
            quote!({
                return x;
            }),
            "`return`",
        ),
        (quote!({ x? }), "`?`"),
        (quote!({ x[0] }), "an index"),
        (quote!({ &x }), "a reference"),
        (quote!({ *x.y }), "this operator"),
        (quote!({ x & y }), "this operator"),
        (
            quote!({
                x += y;
                z
            }),
            "an assignment",
        ),
        (quote!({ x = y }), "an assignment"),
        (
            quote!({
                for i in 0..3 {}
                x
            }),
            "a loop",
        ),
        (quote!({ |x| x }), "a closure"),
        (quote!({ loop {} }), "a loop"),
        (quote!({ f32::max(x, y) }), "a path"),
        (quote!({ std::f32::consts::PI }), "a path"),
        (quote!({ max!(x, y) }), "a macro"),
        (quote!({ x.y }), "a field"),
        (quote!({ () }), "an empty tuple"),
        (quote!({ unsafe { x } }), "`unsafe`"),
        (quote!({ if let y = x { y } else { x } }), "`if let`"),
        (quote!({ x.max::<f32>(y) }), "a type argument"),
        (
            quote!({
                fn f() {}
                x
            }),
            "an item",
        ),
    ];
    for (block, what) in cases {
        assert_eq!(errors(block), [format!("{what} is not supported in a body")]);
    }
    assert_eq!(errors(quote!({ x as i64 })), ["unsupported cast in a body"]);
    assert_eq!(errors(quote!({ "x" })), ["unsupported literal in a body"]);
    assert_eq!(errors(quote!({ 1.0f16 })), ["unsupported literal in a body"]);
}

/// The value and the errors of a body that writes `c`.
fn in_place(block: TokenStream) -> (String, Vec<String>) {
    let name = quote::format_ident!("c");
    let (body, errors) = read_form(block, Form::InPlace(&name));
    (show(&body, body.root), errors)
}

#[test]
fn an_assignment_in_place_is_its_value() {
    let none = Vec::<String>::new;
    assert_eq!(in_place(quote!({ *c = a + *c })), ("(Add a (Deref c))".to_owned(), none()));
    assert_eq!(
        in_place(quote!({
            let y = a;
            *c = y;
        })),
        ("{y = a; y}".to_owned(), none())
    );
    let ops = [
        (quote!(+=), BinaryOp::Add),
        (quote!(-=), BinaryOp::Sub),
        (quote!(*=), BinaryOp::Mul),
        (quote!(/=), BinaryOp::Div),
        (quote!(%=), BinaryOp::Rem),
    ];
    for (token, op) in ops {
        let expected = format!("({op:?} (Deref c) (Mul a b))");
        assert_eq!(in_place(quote!({ *c #token a * b; })), (expected, none()));
    }
}

#[test]
fn a_body_in_place_that_assigns_nothing_or_elsewhere() {
    let errors = |block| in_place(block).1;
    assert_eq!(errors(quote!({ a })), ["nothing is assigned to `*c`"]);
    assert_eq!(
        errors(quote!({
            a;
        })),
        ["nothing is assigned to `*c`"]
    );
    assert_eq!(errors(quote!({ c = a })), ["assignment to something other than the output"]);
    assert_eq!(errors(quote!({ *d += a })), ["assignment to something other than the output"]);
    assert_eq!(
        errors(quote!({
            *c = a;
            *c = b;
        })),
        ["an assignment is not supported in a body"]
    );
    assert_eq!(errors(quote!({})), ["a block without a value"]);
}

#[test]
fn attributes_are_refused_anywhere() {
    assert_eq!(
        errors(quote!({
            #[cfg(x)]
            let y = f(
                #[a]
                z,
            );
            y
        }))
        .len(),
        2
    );
}

#[test]
fn every_error_is_reported() {
    assert_eq!(
        errors(quote!({
            let a = match x {};
            f(a?, &b) + (c as u8)
        }))
        .len(),
        4
    );
}
