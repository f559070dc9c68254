use gemm_codegen::body::{Body, Node};
use gemm_codegen::{
    Element, Operand, OperandKind, Output, OutputIndices, Plan, Schedule, Spec, emit,
};

use crate::argument::AsMatrix as _;
use crate::launch::bound::Bound;
use crate::launch::into;
use crate::launch::overlap::tests::written;
use crate::{Device, Kernel, Matrix, MatrixRef};

/// `fn f(a: Mat<f32, M, K>, b: Mat<f32, N, K>) -> (Mat<f32, M, N>, Mat<f32, M, N>)`
fn kernel() -> Kernel {
    let operand = |name: &str, indices: [&str; 2]| {
        let indices = indices.map(str::to_owned);
        let kind = OperandKind::Matrix { element: Element::F32, indices };
        Operand { name: name.to_owned(), batch: Vec::new(), kind }
    };
    let mut body = Body::matmul("a", "b");
    let product = body.root;
    let values = [(); 2].map(|()| body.push(Node::Name("z".to_owned())));
    let value = body.push(Node::Tuple(values.to_vec()));
    body.root = body.push(Node::Block { bindings: vec![("z".to_owned(), product)], value });
    let indices = ["M", "N"].map(str::to_owned);
    let output = Output {
        in_place: None,
        batch: Vec::new(),
        element: Element::F32,
        indices: OutputIndices::Matrix(indices),
    };
    let spec = Spec {
        name: "f".to_owned(),
        operands: vec![operand("a", ["M", "K"]), operand("b", ["N", "K"])],
        outputs: vec![output.clone(), output],
        body,
        schedule: Schedule::default(),
    };
    emit(&Plan::new(&spec).expect("it is legal"))
}

/// A launch whose operands and outputs are parts of one matrix, 4 by 4 each, by their first rows
/// and columns.
fn arguments<'a>(
    matrix: &'a Matrix<f32>,
    [a, b, out0, out1]: [[usize; 2]; 4],
) -> Vec<crate::Argument<'a>> {
    let part = |[row, column]: [usize; 2]| -> MatrixRef<'a, f32> {
        matrix.submatrix(row..row + 4, column..column + 4).expect("it is within")
    };
    vec![part(a).argument(), part(b).argument(), written(part(out0)), written(part(out1))]
}

#[test]
fn an_output_that_shares_memory_is_named_and_nothing_is_written() {
    let (device, kernel) = (Device::emulator(), kernel());
    let matrix = device.matrix(8, 16, &[7.0; 128]).expect("it fits");
    let of_operand = "; an output must not overlap an operand";
    for (places, expected) in [
        (
            [[0, 0], [4, 0], [0, 4], [3, 5]],
            "out1: shares memory with out0; outputs must not overlap",
        ),
        ([[0, 0], [4, 0], [0, 8], [2, 3]], &format!("out1: shares memory with a{of_operand}")),
        ([[0, 0], [4, 0], [4, 2], [0, 12]], &format!("out0: shares memory with b{of_operand}")),
    ] {
        let error = into(&device, &kernel, arguments(&matrix, places)).expect_err("they overlap");
        assert_eq!(error.to_string(), format!("f: {expected}"));
        assert_eq!(matrix.to_vec().expect("it was written"), [7.0; 128]);
    }
}

#[test]
fn outputs_side_by_side_share_nothing() {
    let (device, kernel) = (Device::emulator(), kernel());
    let matrix = device.matrix(8, 16, &[7.0; 128]).expect("it fits");
    for places in [[[0, 0], [4, 0], [0, 4], [0, 8]], [[0, 0], [0, 0], [4, 4], [4, 8]]] {
        let bound = Bound::new(&device, &kernel, arguments(&matrix, places), None);
        assert!(bound.is_ok(), "{bound:?}");
    }
}
