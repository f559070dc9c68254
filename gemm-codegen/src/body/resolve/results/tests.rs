use crate::body::resolve;
use crate::body::resolve::tests::mistakes_of;
use crate::body::samples::outputs;
use crate::element::Element::{self, F16, F32, F64, I8, I32};
use crate::element::ScalarType;

#[track_caller]
fn legal(elements: &[Element], body: &str, types: &[ScalarType]) {
    let resolved = resolve(&outputs(elements, body)).unwrap();
    let found: Vec<ScalarType> = resolved.results.iter().map(|value| value.ty).collect();
    assert_eq!(found, types, "{body}");
}

#[track_caller]
fn wrong(elements: &[Element], body: &str, expected: &[&str]) {
    assert_eq!(mistakes_of(&outputs(elements, body)), expected, "{body}");
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
        "matmul(x, w) + bias",
        &["outputs-of-body at +: the body ends in one value, but the function has 2 outputs; end \
             the body with a tuple of 2 values, such as `(z, gelu(z))`"],
    );
    wrong(
        &[F32, F16, F16],
        "{ let z = matmul(x, w); (z, z) }",
        &["outputs-of-body at a tuple of 2: the body ends in a tuple of 2 values, but the \
             function has 3 outputs; add 1 more, or return 2 matrices"],
    );
    wrong(
        &[F32, F16],
        "{ let z = matmul(x, w); (z, z, z) }",
        &["outputs-of-body at a tuple of 3: the body ends in a tuple of 3 values, but the \
             function has 2 outputs; remove 1, or return 3 matrices"],
    );
    wrong(
        &[F32],
        "(matmul(x, w), bias)",
        &["outputs-of-body at a tuple of 2: the body ends in a tuple of 2 values, but the \
             function has 1 output; end the body with one value, or return a tuple of 2 matrices"],
    );
    wrong(
        &[F32],
        "(matmul(x, w),)",
        &["outputs-of-body at a tuple of 1: the body ends in a tuple of 1 value, but the \
             function has 1 output; remove the comma"],
    );
    let mut spec = outputs(&[F32], "(matmul(x, w), bias)");
    spec.outputs[0].in_place = Some("c".to_owned());
    let expected = "outputs-of-body at a tuple of 2: the body ends in a tuple of 2 values, but the \
                    function has 1 output; assign one value: several outputs must be returned";
    assert_eq!(mistakes_of(&spec), [expected]);
}

#[test]
fn a_tuple_is_outermost() {
    let misplaced = |count| {
        format!(
            "outputs-of-body at a tuple of {count}: a tuple inside an expression; move the tuple \
             to the end of the body, after any `let`s: `(if c {{ x }} else {{ y }}, z)`"
        )
    };
    let two = misplaced(2);
    let branches = "if count > 0 { (matmul(x, w), bias) } else { (alpha, bias) }";
    wrong(&[F32, F16], branches, &[&two, &two]);
    wrong(&[F32, F16], "{ let t = (matmul(x, w), bias); (alpha, bias) }", &[&two]);
    wrong(&[F32, F16], "(matmul(x, w), (bias, alpha, bias))", &[&misplaced(3)]);
    wrong(&[F32], "gelu((matmul(x, w), bias))", &[&two]);
}

#[test]
fn each_value_is_stored_as_its_own_output() {
    wrong(
        &[F32, I32, F64],
        "{ let z = matmul(x, w); (z > 0.0, z, z) }",
        &[
            "body-types at >: expected f32, found bool; write `if condition { 1.0 } else { 0.0 }`",
            "body-types at z: expected i32, found f32; convert it with `as i32`",
            "body-types at z: expected f64, found f32; convert it with `as f64`",
        ],
    );
}

#[test]
fn a_mistake_in_a_call_is_no_mistake_of_its_values() {
    let names = "the names are `x`, `w`, `bias`, `residual`, `alpha`, `count`";
    wrong(
        &[F64, F32],
        "{ let y = softplus(nope); (y as f64 + matmul(x, w) as f64, y) }",
        &[&format!("body-names at nope: unknown name `nope`; {names}")],
    );
}

#[test]
fn a_product_is_used_in_two_values_by_its_name() {
    wrong(
        &[F32, F16],
        "(matmul(x, w), gelu(matmul(x, w)))",
        &["one-matmul at matmul(): a second `matmul`: a body has exactly one; bind the product \
             with `let` to use it twice; a second product needs a second function"],
    );
}
