use crate::body::resolve;
use crate::body::resolve::tests::check;
use crate::body::samples::{in_place, outputs};
use crate::element::Element::{self, F16, F32, F64, I8, I32};
use crate::element::ScalarType;

#[track_caller]
fn legal(elements: &[Element], body: &str, types: &[ScalarType]) {
    let resolved = resolve(&outputs(elements, body)).body.unwrap();
    let found: Vec<ScalarType> = resolved.results.iter().map(|value| value.ty).collect();
    assert_eq!(found, types, "{body}");
}

/// As `check`, of a function with outputs of these elements.
#[track_caller]
fn wrong(elements: &[Element], cases: &str) {
    check(|body| outputs(elements, body), cases);
}

#[test]
fn a_tuple_has_a_value_for_each_output() {
    use ScalarType as S;
    legal(&[F32, F16], "(matmul(x, w), bias)", &[S::F32; 2]);
    legal(&[F32, F16], "{ let z = matmul(x, w); { let y = z * z; (y, z) } }", &[S::F32; 2]);
    legal(
        &[F32, I32, F64, I8],
        "{ let z = matmul(x, w); (z, z as i32, z as f64, z) }",
        &[S::F32, S::I32, S::F64, S::F32],
    );
}

#[test]
fn a_literal_is_of_the_type_of_its_own_output() {
    use ScalarType as S;
    legal(&[F32, F64], "(matmul(x, w), 0.1)", &[S::F32, S::F64]);
    legal(
        &[F64, F32],
        "{ let half = 0.5; (half, if matmul(x, w) > 0.25 { 1.0 } else { 2.0 }) }",
        &[S::F64, S::F32],
    );
}

#[test]
fn the_count_of_values_is_that_of_the_outputs() {
    wrong(
        &[F32, F16],
        "matmul(x, w) + bias
         => outputs-of-body at +: the body ends in one value, but the function has 2 outputs; end \
            the body with a tuple of 2 values, such as `(z, gelu(z))`
         { let z = matmul(x, w); (z, z, z) }
         => outputs-of-body at a tuple of 3: the body ends in a tuple of 3 values, but the \
            function has 2 outputs; remove 1, or return 3 matrices",
    );
    wrong(
        &[F32, F16, F16],
        "{ let z = matmul(x, w); (z, z) }
         => outputs-of-body at a tuple of 2: the body ends in a tuple of 2 values, but the \
            function has 3 outputs; add 1 more, or return 2 matrices",
    );
    wrong(
        &[F32],
        "(matmul(x, w), bias)
         => outputs-of-body at a tuple of 2: the body ends in a tuple of 2 values, but the \
            function has 1 output; end the body with one value, or return a tuple of 2 matrices
         (matmul(x, w),)
         => outputs-of-body at a tuple of 1: the body ends in a tuple of 1 value, but the \
            function has 1 output; remove the comma",
    );
    check(
        in_place,
        "(matmul(x, w), bias)
         => outputs-of-body at a tuple of 2: the body ends in a tuple of 2 values, but the \
            function has 1 output; assign one value: several outputs must be returned",
    );
}

#[test]
fn a_tuple_is_outermost() {
    wrong(
        &[F32, F16],
        "if count > 0 { (matmul(x, w), bias) } else { (alpha, bias) }
         => outputs-of-body at a tuple of 2: {inner tuple}
         { let t = (matmul(x, w), bias); (alpha, bias) }
         => outputs-of-body at a tuple of 2: {inner tuple}
         (matmul(x, w), (bias, alpha, bias))
         => outputs-of-body at a tuple of 3: {inner tuple}",
    );
    let one = "gelu((matmul(x, w), bias))\n=> outputs-of-body at a tuple of 2: {inner tuple}";
    wrong(&[F32], one);
}

#[test]
fn each_value_is_stored_as_its_own_output() {
    wrong(
        &[F32, I32, F64],
        "{ let z = matmul(x, w); (z > 0.0, z, z) }
         => body-types at >: expected f32, found bool; write `if condition { 1.0 } else { 0.0 }`
         => body-types at z: expected i32, found f32; convert it with `as i32`
         => body-types at z: expected f64, found f32; convert it with `as f64`",
    );
}

#[test]
fn a_mistake_in_a_call_is_no_mistake_of_its_values() {
    wrong(
        &[F64, F32],
        "{ let y = softplus(nope); (y as f64 + matmul(x, w) as f64, y) }
         => body-names at nope: unknown name `nope`; {names}{capitals}",
    );
}
