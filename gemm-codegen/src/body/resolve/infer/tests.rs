use super::*;
use crate::body::resolve::tests::check;
use crate::body::samples::{doubles, spec};

/// The types of the float literals of a body, in their order in the text.
fn types(spec: &Spec) -> Vec<ScalarType> {
    let floats = Floats::infer(spec);
    let nodes = spec.body.nodes.iter().enumerate();
    let literals = nodes.filter(|(_, node)| matches!(node, Node::Float(_)));
    literals.map(|(id, _)| floats.ty(NodeId(id))).collect()
}

#[track_caller]
fn single(body: &str, expected: &[ScalarType]) {
    assert_eq!(types(&spec(body)), expected, "{body}");
}

#[track_caller]
fn double(body: &str, expected: &[ScalarType]) {
    assert_eq!(types(&doubles(body)), expected, "{body}");
}

#[test]
fn a_literal_is_of_the_type_of_what_it_meets() {
    single("matmul(x, w) * 2.0", &[F32]);
    double("2.0 * matmul(x, w)", &[F64]);
    double("(residual * 2.0) as f64 + matmul(x, w) - 1.0", &[F32, F64]);
    double("(1.0 + 2.0 * 3.0 + residual) as f64 + matmul(x, w)", &[F32; 3]);
    double("if residual > 1.0 { matmul(x, w) } else { 2.0 }", &[F32, F64]);
    double("matmul(x, w).clamp(-1.0, 1.0).powi(2)", &[F64; 2]);
    double("relu(0.5) * matmul(x, w)", &[F64]);
    double("leaky_relu(matmul(x, w), 0.5) + elu(1.0, 2.0)", &[F64; 3]);
}

#[test]
fn what_comes_later_counts_as_much() {
    double("{ let half = 0.5; let y = half; matmul(x, w) + (y * residual) as f64 }", &[F32]);
    double("{ let a = 0.5; let b = 0.25; let c = a + b; matmul(x, w) * b }", &[F64; 2]);
    double("{ let half = { let half = 0.5f32; half }; matmul(x, w) + half as f64 }", &[F32]);
    double(
        "{ let half: f32 = 0.5; if half < 0.25 { matmul(x, w) } else { 1.0 } }",
        &[F32, F32, F64],
    );
    single("{ let y = matmul(x, w); 1.0 }", &[F32]);
    double("{ let y = matmul(x, w); -(1.0) }", &[F64]);
}

#[test]
fn a_literal_alone_is_an_f64() {
    single("if 1.0 < 2.0 { matmul(x, w) } else { 3.0 }", &[F64, F64, F32]);
    single("matmul(x, w) * 2.9999999999 as i32 as f32", &[F64]);
    single("{ let unused = 0.1; matmul(x, w) }", &[F64]);
    single("matmul(x, w) * (if alpha > bias { 0.1 } else { 0.2 }) as f32", &[F64; 2]);
    single("matmul(x, w) * (0.1 + 0.2) as f32", &[F64; 2]);
}

#[test]
fn a_cast_literal_takes_the_type() {
    single("matmul(x, w) * 0.1 as f32", &[F32]);
    single("matmul(x, w) * ({ let y = 1; -0.1 }) as f32 + (0.5 as f64) as f32", &[F32, F64]);
}

#[test]
fn a_mistake_is_taken_for_the_float_of_the_output() {
    single("count + 1.0 + matmul(x, w)", &[F32]);
    double("count + 1.0 + matmul(x, w)", &[F64]);
    double("matmul(x, w).powi(2.0)", &[F64]);
    single("nope(1.0) + matmul(x, w)", &[F64]);
}

#[test]
fn floats_do_not_mix() {
    // All floats are f64, but for `residual`.
    check(
        doubles,
        "gelu(matmul(x, w) * 0.5 + bias).max(1e300).powi(2) + (count * 2) as f64
         matmul(x, w) + residual as f64 * alpha - 1.5f32 as f64
         matmul(x, w) * residual
         => body-types at *: `*` takes two values of the same type, got f64 and f32; convert the \
            f32 with `as f64`
         residual + matmul(x, w)
         => body-types at +: `+` takes two values of the same type, got f32 and f64; convert the \
            f32 with `as f64`
         leaky_relu(matmul(x, w), residual)
         => body-types at residual: expected f64, found f32; convert it with `as f64`
         matmul(x, w) * 2 + alpha.max(1.5f32)
         => body-types at 2: `*` takes two values of the same type, got f64 and i32; write `2.0`
         => body-types at 1.5f32: expected f64, found f32; convert it with `as f64`
         matmul(x, w) as f32
         => body-types at Cast(NodeId(2), F32): expected f64, found f32; convert it with `as f64`
         matmul(x, w).sqr() + (count as f64).sqr()
         => body-functions at .sqr(): f64 has no method `sqr` in a body; the \
            methods of f64 are {methods}
         => body-functions at .sqr(): f64 has no method `sqr` in a body; the \
            methods of f64 are {methods}",
    );
    check(
        spec,
        "{ let y: f64 = matmul(x, w); y as f32 }
         => body-types at matmul(): expected f64, found f32; convert it with `as f64`",
    );
}
