//! Properties of bodies as a whole: no arena makes us panic, and the emitted text computes what
//! the body says.

mod cuda_text;
mod generate;
mod own;
mod value;

use proptest::prelude::*;

use super::cuda::{BodyText, emit};
use super::resolve;
use super::samples::{self, outputs, spec};
use super::tree::MAX_DEPTH;
use crate::element::Element;
use crate::spec::{Node, NodeId, Output, Spec, UnaryOp};
use crate::text::wrap::COLUMNS;
use value::Value;

fn text(body: &str) -> BodyText {
    let spec = spec(body);
    emit(&resolve(&spec).body.unwrap(), &spec)
}

#[track_caller]
fn emits(body: &str, expected: &str) {
    let head = "__device__ __forceinline__ float body";
    assert_eq!(text(body).function, format!("{head}{expected}"), "{body}");
}

/// The text of a body of one expression over all operands.
#[track_caller]
fn returns(body: &str, expected: &str) {
    let function = text(body).function;
    let value = function.split("return ").nth(1).unwrap().split(';').next().unwrap();
    // As if it were on one line.
    let value: Vec<&str> = value.split_whitespace().collect();
    assert_eq!(value.join(" "), expected, "{body}");
}

#[test]
fn a_body_is_a_function_of_its_operands() {
    emits("matmul(x, w)", "(const float acc) {\n    return acc;\n}\n");
    emits(
        "gelu(matmul(x, w) + bias) * count as f32",
        "(const float acc, const float bias, const int count) {\n    return gelu(acc + bias) * \
         float(count);\n}\n",
    );
    let names = |body| text(body).calls.iter().map(|f| f.name).collect::<Vec<_>>();
    assert_eq!(names("silu(matmul(x, w)) * bias.exp()"), ["times_sigmoid", "silu"]);
}

#[test]
fn coordinates_that_are_read_are_parameters_after_the_sum() {
    emits(
        "matmul(x, w) * (column() - row()) as f32",
        "(const float acc, const int row, const int col) {\n    \
         return acc * float(wrapping_sub(col, row));\n}\n",
    );
    emits(
        "{ let row = row() as f32; let col = matmul(x, w); row * col }",
        "(const float acc, const int row) {\n    const float row_ = float(row);\n    \
         const float col_ = acc;\n    return row_ * col_;\n}\n",
    );
}

#[test]
fn the_number_of_a_matrix_is_the_last_of_the_coordinates() {
    let spec = samples::batched(
        &["B"],
        "{ let matrix = batch(); matmul(x, w) * (matrix - row()) as f32 }",
    );
    let function = emit(&resolve(&spec).body.unwrap(), &spec).function;
    let expected = "(const float acc, const int row, const int matrix) {\n    const int matrix_ = matrix;\n    \
                    return acc * float(wrapping_sub(matrix_, row));\n}\n";
    assert!(function.ends_with(expected), "{function}");
}

#[test]
fn parentheses_are_where_they_matter() {
    returns("matmul(x, w) - (bias - alpha)", "acc - (bias - alpha)");
    returns("(matmul(x, w) - bias) - alpha", "acc - bias - alpha");
    returns(
        "(matmul(x, w) + bias) * -alpha / (bias / alpha)",
        "(acc + bias) * -alpha / (bias / alpha)",
    );
    returns("-(-matmul(x, w)) - -(alpha * bias)", "-(-acc) - -(alpha * bias)");
    returns("-(-1.5 * matmul(x, w))", "-(-1.5f * acc)");
    returns("matmul(x, w) % (alpha + 1.0)", "fmodf(acc, alpha + 1.0f)");
    returns(
        "if alpha > 0.0 && bias > 0.0 || !(alpha == bias) { matmul(x, w) } else { 1e-7 }",
        "(alpha > 0.0f && bias > 0.0f) || !(alpha == bias) ? acc : 1e-7f",
    );
    returns(
        "if (alpha < bias) == (1.0 < bias) { matmul(x, w) } else if true { 1.0 } else { 2.0 }",
        "(alpha < bias) == (1.0f < bias) ? acc : true ? 1.0f : 2.0f",
    );
    returns(
        "(if count > 0 { alpha } else { bias }) + matmul(x, w)",
        "(count > 0 ? alpha : bias) + acc",
    );
}

#[test]
fn a_tuple_is_a_struct_of_its_values() {
    let text = |body| {
        let spec = outputs(&[Element::F32, Element::F16, Element::I32], body);
        emit(&resolve(&spec).body.unwrap(), &spec).function
    };
    assert_eq!(
        text("{ let z = matmul(x, w) + bias; { let y = z; (z, gelu(y), y as i32) } }"),
        "__device__ __forceinline__ Result body(const float acc, const float bias) {\n    \
         const float z = acc + bias;\n    const float y = z;\n    \
         return Result{z, gelu(y), __float2int_rz(y)};\n}\n"
    );
    assert_eq!(
        text("(matmul(x, w), if alpha > 0.0 { let z = bias; z * z } else { 2.0 }, -1)"),
        "__device__ __forceinline__ Result body(const float acc, const float bias, const float alpha) \
         {\n    float value;\n    if (alpha > 0.0f) {\n        const float z = bias;\n        \
         value = z * z;\n    } else {\n        value = 2.0f;\n    }\n    \
         return Result{acc, value, -1};\n}\n"
    );
    let long = format!("(matmul(x, w), gelu(bias{}), 0)", " + alpha * bias".repeat(20));
    assert!(text(&long).lines().all(|line| line.len() <= COLUMNS), "{}", text(&long));
}

#[test]
fn integers_wrap_and_floats_saturate() {
    returns(
        "matmul(x, w) * (-count / 2 + !count * -3) as f32",
        "acc * float(wrapping_add(wrapping_div(wrapping_neg(count), 2), wrapping_mul(~count, -3)))",
    );
    returns(
        "(matmul(x, w) as i32).max(-2147483648) as f32",
        "float(max(__float2int_rz(acc), -2147483647 - 1))",
    );
}

#[test]
fn doubles_are_computed_as_such() {
    let spec = samples::doubles(
        "{ let y: f64 = 0.1; gelu(matmul(x, w) * y % 1e-7).max(-alpha) + (alpha as i32) as f64 \
         + ((alpha as f32).exp() * 0.1) as f64 + residual as f64 }",
    );
    let text = emit(&resolve(&spec).body.unwrap(), &spec);
    let line = text.function.split("return ").nth(1).unwrap();
    let line: Vec<&str> = line.split_whitespace().collect();
    assert_eq!(
        line.join(" "),
        "fmax(gelu_f64(fmod(acc * y, 1e-7)), -alpha) + double(truncated_f64(alpha)) + \
         double(expf(float(alpha)) * 0.1f) + double(residual); }"
    );
    assert!(text.function.contains("double body(const double acc, const float residual"));
    let names: Vec<&str> = text.calls.iter().map(|f| f.name).collect();
    assert_eq!(names, ["truncated_f64", "gelu_f64"]);
}

#[test]
fn shadowing_takes_numbers() {
    emits(
        "{ let bias = matmul(x, w) + bias; let bias = bias * bias; let int = bias; int + bias }",
        "(const float acc, const float bias) {\n    const float bias_2 = acc + bias;\n    \
         const float bias_3 = bias_2 * bias_2;\n    const float int_ = bias_3;\n    \
         return int_ + bias_3;\n}\n",
    );
}

#[test]
fn an_if_with_bindings_is_a_statement() {
    emits(
        "{ let y = matmul(x, w); if y > alpha { let z = y * y; z + z } else if y < 0.0 { 0.0 } \
         else { y } }",
        "(const float acc, const float alpha) {\n    const float y = acc;\n    if (y > alpha) {\n        \
         const float z = y * y;\n        return z + z;\n    } else if (y < 0.0f) {\n        \
         return 0.0f;\n    } else {\n        return y;\n    }\n}\n",
    );
    emits(
        "1.0 + if alpha > 0.0 { let z = matmul(x, w); z * z } else { 2.0 }",
        "(const float acc, const float alpha) {\n    float value;\n    if (alpha > 0.0f) {\n        \
         const float z = acc;\n        value = z * z;\n    } else {\n        value = 2.0f;\n    }\n    \
         return 1.0f + value;\n}\n",
    );
}

#[test]
fn long_lines_are_broken() {
    let long = format!("gelu(matmul(x, w){})", " + bias * alpha".repeat(40));
    let function = text(&long).function;
    assert!(function.lines().count() > 6 && function.lines().all(|line| line.len() <= COLUMNS));
}

#[test]
fn the_deepest_body_fits_the_stack() {
    let mut spec = spec("matmul(x, w)");
    let body = &mut spec.body;
    for level in 0..MAX_DEPTH - 2 {
        let node = match level % 3 {
            0 => Node::Block {
                bindings: vec![("y".to_owned(), body.root)],
                value: body.push(Node::Name("y".to_owned())),
            },
            1 => {
                let then = body.root;
                let condition = body.push(Node::Bool(true));
                let otherwise = body.push(Node::Float(1.0));
                Node::If { condition, then, otherwise }
            }
            _ => Node::Unary(UnaryOp::Neg, body.root),
        };
        body.root = body.push(node);
    }
    assert!(emit(&resolve(&spec).body.unwrap(), &spec).function.contains("y_2"));
}

/// What the emitted text gives for a spec whose body `evaluate` gave.
fn run_text(spec: &Spec) -> (BodyText, Value) {
    let resolved = resolve(spec).body.unwrap_or_else(|e| panic!("{e:?}\n{:?}", spec.body));
    let text = emit(&resolved, spec);
    let mut arguments = vec![value::accumulator()];
    arguments.extend(resolved.coordinates.iter().map(|of| value::coordinate(*of)));
    arguments.extend(resolved.values.iter().map(|operand| value::operand(spec, *operand)));
    arguments.extend(resolved.old.iter().map(|_| value::old(spec)));
    let result = cuda_text::run(&text.function, &arguments);
    (text, result)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_arena_makes_us_panic(nodes in generate::arena(), root in 0usize..12) {
        for count in 1..=3 {
            let mut spec = outputs(&[Element::F32; 3][..count], "matmul(x, w)");
            spec.body.nodes.clone_from(&nodes);
            spec.body.root = NodeId(root);
            match resolve(&spec).body {
                Ok(resolved) => drop(emit(&resolved, &spec)),
                Err(diagnostics) => prop_assert!(!diagnostics.is_empty()),
            }
        }
    }

    #[test]
    fn the_text_computes_what_the_body_says(choices in generate::choices()) {
        let spec = generate::typed(&choices);
        let (text, found) = run_text(&spec);
        let expected = value::evaluate(&spec);
        prop_assert!(found.same(expected), "{found:?} {expected:?}\n{}", text.function);
        let resolved = resolve(&spec).body.unwrap();
        let interpreted = resolved.evaluate(&value::Read(&spec));
        prop_assert!(Value::from(interpreted[0]).same(expected), "{interpreted:?} {expected:?}");
        prop_assert!(text.function.is_ascii());
        prop_assert!(text.function.lines().all(|line| line.len() <= COLUMNS), "{}", text.function);
        prop_assert_eq!(emit(&resolved, &spec), text);
    }
}

#[test]
fn functions_are_exact_where_an_output_of_32_bits_depends_on_them() {
    let halves = |elements: [Element; 2], body: &str| {
        let mut spec = spec(body);
        let of = |element: Element| Output { element, ..spec.outputs[0].clone() };
        spec.outputs = elements.map(of).to_vec();
        emit(&resolve(&spec).body.unwrap(), &spec).halves
    };
    let (half, single) = (Element::F16, Element::F32);
    let both = "{ let z = gelu(matmul(x, w)); (z, z + 1.0) }";
    assert!(halves([half, Element::E4m3], both));
    assert!(!halves([half, single], both) && !halves([single, half], both));
    let one = "{ let z = matmul(x, w); (z, gelu(z)) }";
    assert!(halves([single, half], one) && !halves([half, single], one));
}
