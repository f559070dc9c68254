use super::*;
use crate::body::samples::{self, spec};

/// Each mistake of a body as `rule at place: message; help`.
fn mistakes(body: &str) -> Vec<String> {
    mistakes_of(&spec(body))
}

pub(super) fn mistakes_of(spec: &Spec) -> Vec<String> {
    let diagnostics = resolve(spec).err().unwrap_or_default();
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

#[track_caller]
fn legal(body: &str) {
    assert_eq!(mistakes(body), [""; 0], "{body}");
}

#[track_caller]
fn wrong(body: &str, expected: &[&str]) {
    assert_eq!(mistakes(body), expected, "{body}");
}

const NAMES: &str = "the names are `x`, `w`, `bias`, `residual`, `alpha`, `count`";

#[test]
fn legal_bodies() {
    legal("matmul(x, w)");
    legal("gelu(matmul(x, w) + bias)");
    legal("{ let x = matmul(x, w); let x = x * x; x + bias }");
    legal("if count == 3 { matmul(x, w) } else { alpha }");
    legal("matmul(x, w).powi(-2).clamp(-1.0, 1.0).mul_add(alpha, residual)");
    legal("matmul(x, w) * (count * 2 + !count) as f32");
    legal("matmul(x, w) * (!(alpha < 0.0) as i32).max(count.abs()) as f32");
    legal("if true < false || (alpha > 1.0) == (bias > 1.0) { matmul(x, w) } else { 0.0 }");
    legal("{ let unused = matmul(x, w); 1.0 as f32 }");
}

#[test]
fn values_are_in_order_of_declaration() {
    let resolved = resolve(&spec("alpha * residual + bias * alpha + matmul(w, x)")).unwrap();
    assert_eq!(resolved.multiplied, PerSide { a: 1, b: 0 });
    assert_eq!(resolved.values, [2, 3, 4]);
    assert_ne!(resolved.results[0].kind, ExprKind::Accumulator);
    let alone = resolve(&spec("matmul(x, w)")).unwrap();
    assert_eq!(alone.results[0].kind, ExprKind::Accumulator);
}

#[test]
fn one_matmul() {
    let help = "`matmul` takes two of the matrices `x`, `w`, `residual`";
    wrong("alpha", &[&format!("one-matmul at alpha: the body has no `matmul`; {help}")]);
    wrong(
        "matmul(x, w) + matmul(x, w)",
        &["one-matmul at matmul(): a second `matmul`: a body has exactly one; bind the product \
             with `let` to use it twice; a second product needs a second function"],
    );
    wrong(
        "matmul(x)",
        &[&format!("one-matmul at matmul(): `matmul` takes two matrices, got 1; {help}")],
    );
    wrong(
        "matmul(x, bias) + matmul",
        &[
            &format!("one-matmul at bias: `bias` is a vector, but `matmul` takes matrices; {help}"),
            &format!("body-names at matmul: unknown name `matmul`; {NAMES}"),
        ],
    );
    wrong(
        "matmul(gelu(x), count)",
        &[
            "one-matmul at gelu(): an argument of `matmul` must be the name of a matrix; apply the \
             computation to the product, or to the operand before the launch",
            &format!(
                "one-matmul at count: `count` is a scalar, but `matmul` takes matrices; {help}"
            ),
        ],
    );
    wrong(
        "{ let x = 1.0; matmul(x, w) }",
        &[&format!("one-matmul at x: `x` is a `let`, but `matmul` takes matrices; {help}")],
    );
}

#[test]
fn names() {
    wrong(
        "{ let y = matmul(x, w); y + bais }",
        &[&format!(
            "body-names at bais: unknown name `bais`; did you mean \
                    `bias`? {NAMES}, `y`"
        )],
    );
    // A `let` ends with its block, and starts after its value.
    wrong(
        "{ let y = { let z = matmul(x, w); z } + z; y }",
        &[&format!("body-names at z: unknown name `z`; did you mean `x`? {NAMES}")],
    );
    wrong(
        "matmul(x, w) + w",
        &["body-names at w: `w` is a factor of `matmul`, not an operand of the epilogue; use the \
             result of `matmul`, or add a parameter"],
    );
}

#[test]
fn functions() {
    let all = "the functions are `matmul`, `relu`, `gelu`, `gelu_tanh`, `silu`, `sigmoid`, \
               `softplus`, `hardswish`, `hardsigmoid`, `mish`, `leaky_relu`, `elu`";
    wrong(
        "gelo(matmul(x, w))",
        &[&format!(
            "body-functions at gelo(): unknown function `gelo`; did you mean \
             `gelu`? {all}"
        )],
    );
    wrong(
        "exp(matmul(x, w)).silu()",
        &[
            "body-functions at exp(): unknown function `exp`; call it as a method: `x.exp(..)`",
            "body-functions at .silu(): f32 has no method `silu` in a body; call it as a function: \
             `silu(x)`",
        ],
    );
    wrong(
        "leaky_relu(matmul(x, w)) + alpha.max()",
        &[
            "body-functions at leaky_relu(): `leaky_relu` takes 2 arguments, got 1; write \
           `leaky_relu(x, slope)`",
            "body-functions at .max(): `max` takes 1 argument, got 0; write `x.max(y)`",
        ],
    );
    wrong(
        "matmul(x, w) * count.sqrt()",
        &["body-functions at .sqrt(): i32 has no method `sqrt` in a body; f32 has this \
             method; the methods of i32 are `abs`, `max`, `min`"],
    );
    wrong(
        "matmul(x, w).unwrap().exp()",
        &["body-functions at .unwrap(): f32 has no method `unwrap` in a body; the methods of f32 \
           are `abs`, `max`, `min`, `clamp`, `mul_add`, `recip`, `sqrt`, `exp`, `exp2`, `ln`, \
           `log2`, `powi`, `powf`, `tanh`, `sin`, `cos`, `floor`, `ceil`, `round`, `trunc`, \
           `signum`"],
    );
}

#[test]
fn types_of_literals() {
    let two = "`*` takes two values of the same type, got f32 and i32; write `2.0`";
    wrong("matmul(x, w) * 2", &[&format!("body-types at 2: {two}")]);
    wrong(
        "-2 * matmul(x, w)",
        &["body-types at -2: `*` takes two values of the same type, got i32 and f32; write `-2.0`"],
    );
    wrong(
        "count + 1.0 + matmul(x, w)",
        &["body-types at 1.0: `+` takes two values of the same type, got i32 and f32; write `1`"],
    );
    wrong("matmul(x, w).max(0)", &["body-types at 0: expected f32, found i32; write `0.0`"]);
    wrong("matmul(x, w).powi(2.0)", &["body-types at 2.0: expected i32, found f32; write `2`"]);
    wrong(
        "matmul(x, w).powi(0.5)",
        &["body-types at 0.5: expected i32, found f32; convert it with `as i32`"],
    );
    wrong(
        "if alpha > 0.0 { 0 } else { matmul(x, w) }",
        &["body-types at 0: `if` and `else` have different types: i32 and f32; write `0.0`"],
    );
    wrong(
        "if alpha > 0.0 { matmul(x, w) } else if count > 1 { 1.0 } else { 0 }",
        &["body-types at 0: `if` and `else` have different types: f32 and i32; write `0.0`"],
    );
}

#[test]
fn ranges_of_literals() {
    legal("matmul(x, w) * (-2147483648).max(2147483647) as f32 * 3.4028235e38");
    wrong(
        "matmul(x, w) * 2147483648 as f32",
        &["body-types at 2147483648: `2147483648` is out of range for i32; i32 holds -2147483648 \
           to 2147483647"],
    );
    wrong(
        "matmul(x, w) * -2147483649 as f32",
        &["body-types at 2147483649: `2147483649` is out of range for i32; i32 holds -2147483648 \
           to 2147483647"],
    );
    wrong(
        "matmul(x, w) * 1e39",
        &["body-types at 1e39: `1e39` is out of range for f32; the largest is 3.4028235e38"],
    );
}

#[test]
fn types_of_operators() {
    wrong(
        "matmul(x, w) * count",
        &["body-types at *: `*` takes two values of the same type, got f32 and i32; convert it \
             with `as f32`"],
    );
    wrong(
        "count - matmul(x, w)",
        &["body-types at -: `-` takes two values of the same type, got i32 and f32; convert the \
             i32 with `as f32`"],
    );
    wrong(
        "matmul(x, w) + (alpha > 0.0)",
        &[
            "body-types at >: `+` does not take bool; choose a number: `if condition { 1.0 } else { \
           0.0 }`",
        ],
    );
    wrong(
        "if alpha && count { matmul(x, w) } else { 0.0 }",
        &[
            "body-types at alpha: expected bool, found f32; compare it: `x != 0.0`, `i != 0`",
            "body-types at count: expected bool, found i32; compare it: `x != 0.0`, `i != 0`",
        ],
    );
    wrong(
        "if -true { matmul(x, w) } else { !alpha }",
        &[
            "body-types at Bool(true): `-` does not take bool; `!` takes a bool",
            "body-types at alpha: `!` does not take f32; `!` takes a bool or an i32",
        ],
    );
}

#[test]
fn types_of_casts() {
    legal("(matmul(x, w) as i32 as i32 as f32) as f32 + (true as bool as i32) as f32");
    wrong(
        "matmul(x, w) * true as f32",
        &["body-types at Cast(NodeId(3), F32): bool cannot be cast to f32; write `if condition { \
           1.0 } else { 0.0 }`"],
    );
    wrong(
        "if count as bool { matmul(x, w) } else { 0.0 }",
        &["body-types at Cast(NodeId(0), Bool): i32 cannot be cast to bool; compare with zero: \
           `x != 0.0`, `i != 0`"],
    );
}

#[test]
fn the_root_is_an_f32() {
    wrong(
        "{ let y = matmul(x, w); y as i32 + count }",
        &["body-types at +: expected f32, found i32; convert it with `as f32`"],
    );
    wrong(
        "matmul(x, w) < alpha",
        &["body-types at <: expected f32, found bool; write `if condition { 1.0 } else { 0.0 }`"],
    );
}

#[test]
fn independent_mistakes_are_all_reported_and_their_consequences_are_not() {
    let found = mistakes("{ let y = gelo(matmul(x, w) * 2); let z = y + bais; (z + y).max(1) }");
    let rules: Vec<&str> = found.iter().filter_map(|text| text.split(' ').next()).collect();
    assert_eq!(rules, ["body-types", "body-functions", "body-names"], "{found:?}");
}

#[test]
fn a_bool_parameter_is_found() {
    let mut spec = spec("matmul(x, w)");
    spec.operands.push(samples::scalar("flag", Bool));
    let diagnostics = resolve(&spec).unwrap_err();
    assert_eq!(diagnostics[0].at, Field::Operand(6));
}

#[test]
fn what_is_multiplied_is_known_despite_other_mistakes() {
    assert_eq!(multiplied(&spec("matmul(w, x) + bais * 2")), Some(PerSide { a: 1, b: 0 }));
    assert_eq!(multiplied(&spec("matmul(w, bias)")), None);
    assert_eq!(multiplied(&spec("matmul(w, x) + matmul(x, w)")), None);
}

#[test]
fn the_old_element_of_an_output_in_place_is_a_value() {
    let read = resolve(&samples::in_place("alpha * matmul(x, w) + *c")).unwrap();
    assert_eq!((read.values, read.old), (vec![4], Some("c".to_owned())));
    let unread = resolve(&samples::in_place("matmul(x, w)")).unwrap();
    assert_eq!(unread.old, None);
}

#[test]
fn only_the_output_is_read_through_a_reference() {
    let in_place = |body: &str| mistakes_of(&samples::in_place(body));
    assert_eq!(
        in_place("matmul(x, w) + *bias + { let y = 1.0; *y }"),
        [
            "body-types at *bias: `bias` is not a reference; \
             write `bias`",
            "body-types at *y: `y` is not a reference; write `y`",
        ]
    );
    assert_eq!(
        in_place("matmul(x, w) + c"),
        ["body-types at c: `c` is a reference to the output; use `*c`, the old element",]
    );
    // What is no parameter at all, in the form that returns.
    wrong(
        "matmul(x, w) + *output",
        &[&format!("body-names at *output: unknown name `output`; {NAMES}")],
    );
}

#[test]
fn the_output_is_not_multiplied() {
    assert_eq!(
        mistakes_of(&samples::in_place("matmul(x, c) + *c")),
        ["one-matmul at c: `c` is the output, so it cannot be an argument of `matmul`; `matmul` \
             takes two of the matrices `x`, `w`, `residual`",]
    );
}

/// The mistakes of a body whose floats are f64, but for `residual`.
#[track_caller]
fn wrong_doubles(body: &str, expected: &[&str]) {
    assert_eq!(mistakes_of(&samples::doubles(body)), expected, "{body}");
}

#[test]
fn floats_do_not_mix() {
    wrong_doubles("gelu(matmul(x, w) * 0.5 + bias).max(1e300).powi(2) + (count * 2) as f64", &[]);
    wrong_doubles("matmul(x, w) + residual as f64 * alpha - 1.5f32 as f64", &[]);
    wrong_doubles(
        "matmul(x, w) * residual",
        &["body-types at *: `*` takes two values of the same type, got f64 and f32; convert the \
             f32 with `as f64`"],
    );
    wrong_doubles(
        "residual + matmul(x, w)",
        &["body-types at +: `+` takes two values of the same type, got f32 and f64; convert the \
             f32 with `as f64`"],
    );
    wrong_doubles(
        "leaky_relu(matmul(x, w), residual)",
        &["body-types at residual: expected f64, found f32; convert it with `as f64`"],
    );
    wrong_doubles(
        "matmul(x, w) * 2 + alpha.max(1.5f32)",
        &[
            "body-types at 2: `*` takes two values of the same type, got f64 and i32; write `2.0`",
            "body-types at 1.5f32: expected f64, found f32; convert it with `as f64`",
        ],
    );
    wrong_doubles(
        "matmul(x, w) as f32",
        &["body-types at Cast(NodeId(2), F32): expected f64, found f32; convert it with `as f64`"],
    );
    wrong(
        "{ let y: f64 = matmul(x, w); y as f32 }",
        &["body-types at matmul(): expected f64, found f32; convert it with `as f64`"],
    );
    wrong_doubles(
        "matmul(x, w).sqr() + (count as f64).sqr()",
        &[
            "body-functions at .sqr(): f64 has no method `sqr` in a body; did you mean `sqrt`? the \
             methods of f64 are `abs`, `max`, `min`, `clamp`, `mul_add`, `recip`, `sqrt`, `exp`, \
             `exp2`, `ln`, `log2`, `powi`, `powf`, `tanh`, `sin`, `cos`, `floor`, `ceil`, \
             `round`, `trunc`, `signum`",
            "body-functions at .sqr(): f64 has no method `sqr` in a body; did you mean `sqrt`? the \
             methods of f64 are `abs`, `max`, `min`, `clamp`, `mul_add`, `recip`, `sqrt`, `exp`, \
             `exp2`, `ln`, `log2`, `powi`, `powf`, `tanh`, `sin`, `cos`, `floor`, `ceil`, \
             `round`, `trunc`, `signum`",
        ],
    );
}
