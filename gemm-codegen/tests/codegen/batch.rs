//! Batches: which operands have a matrix for each of the output's, and what the text makes of it.

use gemm_codegen::abi::{Count, Word};
use gemm_codegen::body::BinaryOp;
use gemm_codegen::{Element, Field, Operand, OperandKind, Rule, ScalarType, Spec};

use super::shared::{F16, broken, combined, contains_all, kernel, matrix, plan, tn};

/// An index as those of a batch.
fn indices(batch: Option<&str>) -> Vec<String> {
    batch.map(|both| both.split(' ').map(str::to_owned).collect()).unwrap_or_default()
}

fn operand(name: &str, batch: Option<&str>, kind: OperandKind) -> Operand {
    Operand { batch: indices(batch), ..super::shared::operand(name, kind) }
}

/// `fn product(a, b) -> out { matmul(a, b) }` with these batch indices.
fn product(a: Option<&str>, b: Option<&str>, out: Option<&str>) -> Spec {
    let mut spec = tn();
    let [of_a, of_b] = &mut spec.operands[..] else { panic!("two operands") };
    let places = [&mut of_a.batch, &mut of_b.batch, &mut spec.outputs[0].batch];
    places.into_iter().zip([a, b, out]).for_each(|(at, batch)| *at = indices(batch));
    spec
}

/// The same with one more operand, which the body adds.
fn with_value(spec: Spec, value: Operand) -> Spec {
    combined(spec, BinaryOp::Add, value)
}

const B: Option<&str> = Some("B");

#[test]
fn the_output_is_a_batch_where_a_factor_is_one() {
    for (a, b) in [(B, B), (B, None), (None, B)] {
        let spec = product(a, b, B);
        assert_eq!(broken(&spec), []);
        assert_eq!(plan(&spec).batch(), ["B"]);
        assert_eq!(broken(&product(a, b, None)), [(Rule::BatchIndices, Field::Output(0))]);
    }
    assert_eq!(broken(&product(None, None, B)), [(Rule::BatchIndices, Field::OutputBatch(0))]);
    assert!(plan(&product(None, None, None)).batch().is_empty());
}

#[test]
fn one_batch_index_is_enough() {
    let at = |operand| (Rule::BatchIndices, Field::OperandBatch(operand));
    assert_eq!(broken(&product(B, Some("C"), B)), [at(1)]);
    assert_eq!(broken(&product(Some("C"), Some("D"), B)), [at(0), at(1)]);
    let output = (Rule::BatchIndices, Field::Output(0));
    assert_eq!(broken(&product(B, Some("C"), None)), [output, at(1)]);
}

#[test]
fn operands_have_some_of_two_indices_in_their_order() {
    let both = Some("B H");
    for (a, b) in
        [(both, both), (both, Some("B")), (Some("H"), both), (both, None), (Some("B"), Some("H"))]
    {
        let spec = product(a, b, both);
        assert_eq!(broken(&spec), [], "{a:?} {b:?}");
        assert_eq!(plan(&spec).batch(), ["B", "H"]);
        assert_eq!(broken(&product(a, b, None))[0], (Rule::BatchIndices, Field::Output(0)));
    }
    let at = |operand| (Rule::BatchIndices, Field::OperandBatch(operand));
    let output = (Rule::BatchIndices, Field::OutputBatch(0));
    assert_eq!(broken(&product(both, Some("H B"), both)), [at(1)]);
    assert_eq!(broken(&product(both, both, B)), [at(0), at(1)]);
    assert_eq!(broken(&product(B, B, both)), [output], "no factor has H");
    assert_eq!(broken(&product(both, None, Some("B B"))), [output, at(0)]);
    assert_eq!(broken(&product(Some("B K"), None, Some("B K"))), [output], "K is summed over");
}

/// What a text of two indices has for each operand and for its own.
#[test]
fn two_indices_take_two_distances() {
    let bias = OperandKind::Vector { element: F16, index: "N".to_owned() };
    let spec = with_value(product(Some("B H"), Some("B"), Some("B H")), operand("bias", B, bias));
    let kernel = kernel(&spec);
    let batches: Vec<&[bool]> = kernel.parameters.iter().map(|p| &p.batch.0[..]).collect();
    assert_eq!(batches, [[true, true], [true, false], [true, false], [true, true]]);
    assert!(kernel.abi.has(Word::Count(Count::Values(1))));
    contains_all(
        &kernel.text,
        &[
            "a: Batched<f16, (B, H), M, K>",
            "b: Batched<f16, B, N, K>",
            "out(B, H, M, N) = body(sum over K of a * b), for any B, H, M, N and K.",
            "struct Block { Matrix batch; int m, n; };",
            "return {number / i1, number % i1};\n",
            "    return Block{counts.matrix(tile / matrix_tiles), at.m * BLK_M, at.n * BLK_N};\n",
            ", long long stride_0_a, long long stride_1_a,\n",
            ", long long stride_0_bias, long long stride_1_bias,\n",
            ", long long stride_0_out, long long stride_1_out,\n    int count_1) {\n",
            "    const Block block = raster(m, n, {count_1}, int(blockIdx.x));\n",
            "    b += block.batch.i0 * stride_0_b + block.batch.i1 * stride_1_b;\n",
        ],
    );
}

#[test]
fn what_the_body_reads_is_a_batch_of_the_output_or_none() {
    let bias =
        |batch| operand("bias", batch, OperandKind::Vector { element: F16, index: "N".to_owned() });
    let residual = |batch| operand("residual", batch, matrix(F16, ["M", "N"]));
    for value in [bias(B), bias(None), residual(B), residual(None)] {
        assert_eq!(broken(&with_value(product(None, B, B), value)), []);
    }
    let of_the_value = [(Rule::BatchIndices, Field::OperandBatch(2))];
    for value in [bias(Some("C")), residual(Some("C"))] {
        assert_eq!(broken(&with_value(product(B, B, B), value)), of_the_value);
    }
    assert_eq!(broken(&with_value(product(None, None, None), bias(B))), of_the_value);
    for kind in [OperandKind::Scalar(ScalarType::F32), OperandKind::DeviceScalar(Element::F32)] {
        let scalar = operand("alpha", B, kind);
        assert_eq!(broken(&with_value(product(B, B, B), scalar)), of_the_value);
    }
}

#[test]
fn a_batch_index_is_none_of_the_products() {
    for index in ["M", "N", "K"] {
        let spec = product(Some(index), None, Some(index));
        assert_eq!(broken(&spec), [(Rule::BatchIndices, Field::OutputBatch(0))]);
    }
}

#[test]
fn a_block_steps_to_its_matrix_of_each_batch() {
    let bias = OperandKind::Vector { element: Element::F32, index: "M".to_owned() };
    let stepped = kernel(&with_value(product(B, None, B), operand("bias", B, bias)));
    let batched: Vec<bool> = stepped.parameters.iter().map(|p| p.batch.is_batched()).collect();
    assert_eq!(batched, [true, false, true, true]);
    let lines = [
        "    const f16* a, long long ld_a, long long stride_a,\n",
        "    const f16* b, long long ld_b,\n",
        "    const f32* bias, long long stride_bias,\n",
        "    f16* out, long long ld_out, long long stride_out) {\n",
        "    a += block.batch * stride_a;\n",
        "    bias += block.batch * stride_bias;\n",
        "    out += block.batch * stride_out;\n",
    ];
    contains_all(&stepped.text, &lines);
    assert!(!stepped.text.contains("stride_b;"));
    let text = kernel(&tn()).text;
    assert!(!["batch", "stride"].iter().any(|word| text.contains(word)));
}

#[test]
fn a_batch_that_is_read_by_nothing_stays_where_it_is() {
    let mut spec = product(B, None, B);
    spec.operands.push(operand("unused", B, matrix(F16, ["N", "M"])));
    let text = kernel(&spec).text;
    assert!(text.contains("long long stride_unused") && !text.contains("unused +="));
}
