//! The coordinates of an element in the emitted text: of the output's own rows and columns, and there
//! only where the body reads them.

use gemm_codegen::body::{BinaryOp, Coordinate, Node};
use gemm_codegen::{Mma, ScalarType, Spec};

use crate::shared::{
    F16, Indices, TN, combined, contains_all, kernel, matrix, operand, product, tn, with,
};

/// The product plus this coordinate.
fn plus(mut spec: Spec, of: Coordinate) -> Spec {
    let call = Node::Call { function: of.name().to_owned(), arguments: Vec::new() };
    let call = spec.body.push(call);
    let position = spec.body.push(Node::Cast(call, ScalarType::F32));
    spec.body.root = spec.body.push(Node::Binary(BinaryOp::Add, spec.body.root, position));
    spec
}

fn both(spec: Spec) -> Spec {
    Coordinate::OF_MATRIX.into_iter().fold(spec, plus)
}

/// The product plus a matrix of these indices.
fn residual(indices: Indices<'_>) -> Spec {
    combined(tn(), BinaryOp::Add, operand("residual", matrix(F16, indices)))
}

fn by_warpgroups(spec: Spec) -> Spec {
    with(spec, |schedule| schedule.mma = Some(Mma::Wgmma(None)))
}

#[track_caller]
fn has(spec: Spec, parts: &[&str]) {
    contains_all(&kernel(&spec).text, parts);
}

#[test]
fn each_way_of_applying_a_body_has_the_position_of_a_run() {
    let body = "body(const float acc, const int row, const int col";
    has(both(tn()), &[&format!("{body}) {{"), "results[i] = body(sums[i], row, col + i);"]);
    let results = both(by_warpgroups(tn()));
    has(results, &["int rows, int cols)", "results[i] = body(sums[i], row, col + i);"]);
    let fetched = both(by_warpgroups(residual(["M", "N"])));
    has(
        fetched,
        &["const Staged* at, int row", "results[i] = body(sums[i], row, col + i, at_residual[i]);"],
    );
}

#[test]
fn what_is_read_together_has_the_position_of_its_run() {
    let read = [
        "    template <int COUNT> struct Read {\n        int row;\n        int col;\n",
        "        read.row = row;\n        read.col = col;\n",
        "body(sums[i], read.row, read.col + i, to_value(read.residual[i]));",
    ];
    has(both(residual(["M", "N"])), &read);
    has(both(by_warpgroups(residual(["N", "M"]))), &read);
}

#[test]
fn rows_are_those_of_the_output_in_either_order() {
    for indices in [["M", "N"], ["N", "M"]] {
        let spec = product(F16, [TN[0], TN[1], indices]);
        has(plus(spec.clone(), Coordinate::Row), &["body(sums[i], row);"]);
        has(plus(spec, Coordinate::Column), &["body(sums[i], col + i);"]);
    }
}

#[test]
fn a_body_that_reads_no_position_takes_none() {
    let text = kernel(&residual(["M", "N"])).text;
    contains_all(&text, &["body(sums[i], to_value(read.residual[i]));"]);
    assert!(!text.contains("read.row") && !text.contains("int row;"));
    let text = kernel(&batched(tn(), &["B"])).text;
    assert!(!text.contains("int matrix; "), "{text}");
}

/// The product with a batch of these indices of the first factor and the output.
fn batched(mut spec: Spec, indices: &[&str]) -> Spec {
    for batch in [&mut spec.operands[0].batch, &mut spec.outputs[0].batch] {
        *batch = indices.iter().map(|index| (*index).to_owned()).collect();
    }
    spec
}

#[test]
fn each_way_of_applying_a_body_has_the_number_of_the_matrix() {
    let of = |spec, indices: &[&str]| plus(batched(spec, indices), Coordinate::Batch);
    let one = [
        "body(const float acc, const int matrix) {",
        "struct Values {\n    int matrix;  // number of the tile's matrix in the output\n",
        "const Values values = {block.batch};",
        "body(sums[i], matrix);",
    ];
    has(of(tn(), &["B"]), &one);
    has(of(by_warpgroups(tn()), &["B"]), &one);
    let read = ["const Values values = {block.batch, residual, ld_residual};"];
    has(of(residual(["M", "N"]), &["B"]), &read);
    let together = ["body(sums[i], matrix, to_value(read.residual[i]));"];
    has(of(residual(["M", "N"]), &["B"]), &together);
    let fetched = ["body(sums[i], matrix, at_residual[i]);"];
    has(of(by_warpgroups(residual(["M", "N"])), &["B"]), &fetched);
}

#[test]
fn matrices_are_numbered_in_row_major_order_of_their_indices() {
    let of = |indices: &[&str]| plus(batched(tn(), indices), Coordinate::Batch);
    has(of(&["B", "H"]), &["const Values values = {(block.batch.i0) * count_1 + block.batch.i1};"]);
    let three = "const Values values = {((block.batch.i0) * count_1 + block.batch.i1) * count_2 +";
    has(of(&["A", "B", "H"]), &[three]);
}
