use std::iter;

use super::*;
use crate::axis::PerSide;
use crate::body::samples::{self, spec};

/// Each mistake of a body as `rule at place: message; help`.
fn mistakes_of(spec: &Spec) -> Vec<String> {
    let diagnostics = resolve(spec).body.err().unwrap_or_default();
    diagnostics
        .iter()
        .map(|d| format!("{} at {}: {}; {}", d.rule, place(spec, d.at), d.message, d.help))
        .collect()
}

fn place(spec: &Spec, at: Field) -> String {
    let Field::Body(id) = at else { return format!("{at:?}") };
    match &spec.body.nodes[id.0] {
        Node::Name(name) => name.clone(),
        Node::Deref(name) => format!("*{name}"),
        Node::Float(value) => format!("{value:?}"),
        Node::Int(value) => value.to_string(),
        Node::Call { function, .. } => format!("{function}()"),
        Node::Method { method, .. } => format!(".{method}()"),
        Node::Binary(op, ..) => op.symbol().to_owned(),
        Node::Unary(op, x) => op.symbol().to_owned() + &place(spec, Field::Body(*x)),
        Node::Tuple(values) => format!("a tuple of {}", values.len()),
        Node::Typed(x, ty) => format!("{}{ty}", place(spec, Field::Body(*x))),
        other => format!("{other:?}"),
    }
}

/// Long parts of several messages, by their names in the cases.
const REPEATED: [(&str, &str); 7] = [
    (
        "{chain}",
        "a product is not a factor of `matmul`: a body computes products of operands; a chain of products takes \
         two functions: return the first product, and pass it to the second function as a parameter \
         `h: Mat<T, M, N>`, which multiplies it, `matmul(h, v)`",
    ),
    ("{names}", "the names are `x`, `w`, `bias`, `residual`, `alpha`, `count`"),
    ("{capitals}", "; a constant has a name in capitals"),
    ("{matrices}", "`matmul` takes two of the matrices `x`, `w`, `residual`"),
    (
        "{functions}",
        "the functions are `matmul`, `row`, `column`, `relu`, `gelu`, `gelu_tanh`, `silu`, `sigmoid`, \
         `softplus`, `hardswish`, `hardsigmoid`, `mish`, `leaky_relu`, `elu`; `sum`, `max`, `min`, `abs_max` of \
         a value end a body, for an output that is a vector; a function of your own is a plain `fn` of a \
         module that has `#[gemm]`, too",
    ),
    (
        "{methods}",
        "`abs`, `max`, `min`, `clamp`, `mul_add`, `recip`, `sqrt`, `exp`, `exp2`, `ln`, `log2`, \
         `powi`, `powf`, `tanh`, `sin`, `cos`, `floor`, `ceil`, `round`, `trunc`, `signum`",
    ),
    (
        "{inner tuple}",
        "a tuple inside an expression; move the tuple to the end of the body, after any `let`s: \
         `(if c { x } else { y }, z)`",
    ),
];

/// A case is a line with a body, and after it a line with `=>` for each mistake.
#[track_caller]
pub(super) fn check(spec: impl Fn(&str) -> Spec, cases: &str) {
    let cases =
        REPEATED.iter().fold(cases.to_owned(), |cases, (name, part)| cases.replace(name, part));
    let mut lines = cases.lines().map(str::trim).peekable();
    while let Some(body) = lines.next() {
        let expected = iter::from_fn(|| lines.next_if(|line| line.starts_with("=>")));
        let expected: Vec<_> = expected.map(|line| line.trim_start_matches("=> ")).collect();
        assert_eq!(mistakes_of(&spec(body)), expected, "{body}");
    }
}

#[test]
fn legal_bodies() {
    check(
        spec,
        "matmul(x, w)
         gelu(matmul(x, w) + bias)
         { let x = matmul(x, w); let x = x * x; x + bias }
         if count == 3 { matmul(x, w) } else { alpha }
         matmul(x, w).powi(-2).clamp(-1.0, 1.0).mul_add(alpha, residual)
         matmul(x, w) * (count * 2 + !count) as f32
         matmul(x, w) * (!(alpha < 0.0) as i32).max(count.abs()) as f32
         if true < false || (alpha > 1.0) == (bias > 1.0) { matmul(x, w) } else { 0.0 }
         { let unused = matmul(x, w); 1.0 as f32 }",
    );
}

#[test]
fn values_are_in_order_of_declaration() {
    let resolved = resolve(&spec("alpha * residual + bias * alpha + matmul(w, x)")).body.unwrap();
    assert_eq!(resolved.values, [2, 3, 4]);
    assert_ne!(resolved.results[0].kind, ExprKind::Accumulator(0));
    let alone = resolve(&spec("matmul(x, w)")).body.unwrap();
    assert_eq!(alone.results[0].kind, ExprKind::Accumulator(0));
}

#[test]
fn names() {
    // A `let` ends with its block, and starts after its value.
    check(
        spec,
        "{ let y = matmul(x, w); y + bais }
         => body-names at bais: unknown name `bais`; {names}, `y`{capitals}
         { let y = { let z = matmul(x, w); z } + z; y }
         => body-names at z: unknown name `z`; {names}{capitals}
         matmul(x, w) + w
         => body-names at w: `w` is a factor of `matmul`, not an operand of the epilogue; use the \
            result of `matmul`, or add a parameter",
    );
}

#[test]
fn functions() {
    check(
        spec,
        "gelo(matmul(x, w))
         => body-functions at gelo(): unknown function `gelo`; {functions}
         exp(matmul(x, w)).silu()
         => body-functions at exp(): unknown function `exp`; call it as a method: \
            `matmul(x, w).exp()`
         => body-functions at .silu(): f32 has no method `silu` in a body; call it as a function: \
            `silu(exp(matmul(x, w)))`
         matmul(x, w).gelo()
         => body-functions at .gelo(): f32 has no method `gelo` in a body; did you mean the \
            function `gelu(matmul(x, w))`?
         leaky_relu(matmul(x, w)) + alpha.max()
         => body-functions at leaky_relu(): `leaky_relu` takes 2 arguments, got 1; write \
            `leaky_relu(x, slope)`
         => body-functions at .max(): `max` takes 1 argument, got 0; write `x.max(y)`
         matmul(x, w) * count.sqrt()
         => body-functions at .sqrt(): i32 has no method `sqrt` in a body; f32 has this method; \
            the methods of i32 are `abs`, `max`, `min`
         matmul(x, w).unwrap().exp()
         => body-functions at .unwrap(): f32 has no method `unwrap` in a body; the methods of f32 \
            are {methods}",
    );
}

#[test]
fn coordinates() {
    check(
        spec,
        "if column() > row() + count { -1e30 } else { matmul(x, w) + alpha * row() as f32 }
         { let row = row(); matmul(x, w) * row as f32 }
         matmul(x, w) * row(1) as f32
         => body-functions at row(): `row` takes no arguments, got 1; write `row()`, the row of \
            the element in the output
         matmul(x, w) + column()
         => body-types at +: `+` takes two values of the same type, got f32 and i32; convert \
            the i32 with `as f32`
         matmul(x, w) * column as f32
         => body-names at column: unknown name `column`; call it: `column()` is the column of \
            the element in the output
         { let row = 2.0; matmul(x, w) * row() as f32 }
         => body-functions at row(): `row` is a value here, not a function; rename the value: it \
            hides the function",
    );
    let resolved = resolve(&spec("matmul(x, w) * (column() - row() + column()) as f32"));
    assert_eq!(resolved.body.unwrap().coordinates, Coordinate::OF_MATRIX);
}

#[test]
fn ranges_of_literals() {
    check(
        spec,
        "matmul(x, w) * (-2147483648).max(2147483647) as f32 * 3.4028235e38
         matmul(x, w) * 2147483648 as f32
         => body-types at 2147483648: `2147483648` is out of range for i32; i32 holds -2147483648 \
            to 2147483647
         matmul(x, w) * -2147483649 as f32
         => body-types at 2147483649: `2147483649` is out of range for i32; i32 holds -2147483648 \
            to 2147483647
         matmul(x, w) * 1e39
         => body-types at 1e39: `1e39` is out of range for f32; the largest is 3.4028235e38",
    );
}

#[test]
fn the_root_is_an_f32() {
    check(
        spec,
        "{ let y = matmul(x, w); y as i32 + count }
         => body-types at +: expected f32, found i32; convert it with `as f32`
         matmul(x, w) < alpha
         => body-types at <: expected f32, found bool; write `if condition { 1.0 } else { 0.0 }`",
    );
}

#[test]
fn independent_mistakes_are_all_reported_and_their_consequences_are_not() {
    let found =
        mistakes_of(&spec("{ let y = gelo(matmul(x, w) * 2); let z = y + bais; (z + y).max(1) }"));
    let rules: Vec<&str> = found.iter().filter_map(|text| text.split(' ').next()).collect();
    assert_eq!(rules, ["body-types", "body-functions", "body-names"], "{found:?}");
}

#[test]
fn a_bool_parameter_is_found() {
    let mut spec = spec("matmul(x, w)");
    spec.operands.push(samples::scalar("flag", Bool));
    let diagnostics = resolve(&spec).body.unwrap_err();
    assert_eq!(diagnostics[0].at, Field::Operand(6));
}

#[test]
fn what_is_multiplied_is_known_despite_other_mistakes() {
    let multiplied = |body| resolve(&spec(body)).multiplied;
    let swapped = Some(Multiplicands { first: PerSide { a: 1, b: 0 }, more: vec![], added: None });
    assert_eq!(multiplied("alpha * residual + bias * alpha + matmul(w, x)"), swapped);
    assert_eq!(multiplied("matmul(w, x) + bais * 2"), swapped);
    assert_eq!(multiplied("matmul(w, bias)"), None);
    assert_eq!(multiplied("matmul(w, x) * matmul(x, w)"), None);
}

#[test]
fn the_old_element_of_an_output_in_place_is_a_value() {
    let read = resolve(&samples::in_place("alpha * matmul(x, w) + *c")).body.unwrap();
    assert_eq!((read.values, read.old), (vec![4], Some("c".to_owned())));
    let unread = resolve(&samples::in_place("matmul(x, w)")).body.unwrap();
    assert_eq!(unread.old, None);
}

#[test]
fn only_the_output_is_read_through_a_reference() {
    check(
        samples::in_place,
        "matmul(x, w) + *bias + { let y = 1.0; *y }
         => body-types at *bias: `bias` is not a reference; write `bias`
         => body-types at *y: `y` is not a reference; write `y`
         matmul(x, w) + c
         => body-types at c: `c` is a reference to the output; use `*c`, the old element",
    );
    // A name that is not a parameter, in a function that returns.
    check(
        spec,
        "matmul(x, w) + *output
         => body-names at *output: unknown name `output`; {names}{capitals}",
    );
}

#[test]
fn the_output_is_not_multiplied() {
    check(
        samples::in_place,
        "matmul(x, c) + *c
         => matmul at c: `c` is the output, so it cannot be an argument of `matmul`; {matrices}",
    );
}
