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
    Coordinate::ALL.into_iter().fold(spec, plus)
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
}
