//! `copy = tma`: what it computes at the edges, and the operands that it cannot read.

use crate::common::{Placed, factors, halves, hopper};
use gemm_runtime::prelude::*;
use gemm_runtime::{
    Argument, AsMatrix, AsMatrixMut, Kernel,
    launch::{self, Choice, Kernels},
};

#[gemm(tile = [64, 32, 64], warps = [2, 1], stages = 3, copy = tma)]
fn product(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f32, M, N> {
    matmul(x, w)
}

#[gemm(derived, copy = tma)]
fn accumulate(x: Mat<i8, M, K>, w: Mat<i8, N, K>, y: &mut Mat<i32, M, N>) {
    *y += matmul(x, w)
}

/// Copies of threads, which read rows that begin anywhere.
#[gemm(tile = [64, 32, 64], warps = [2, 1], stages = 3)]
fn other(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f32, M, N> {
    matmul(x, w)
}

/// The product of two matrices of K columns at these places.
fn multiply(device: &Device, x: &Placed, w: &Placed) -> (Result<(), Error>, Vec<f32>) {
    let (m, n) = (x.view().rows(), w.view().rows());
    let mut y = device.matrix(m, n, &vec![-7.5; m * n]).expect("y");
    let result = product::into(device, x.view(), w.view(), &mut y);
    (result, y.to_vec().expect("y"))
}

fn expected(shape: Shape) -> Vec<f32> {
    let Shape { m, n, k } = shape;
    product::reference(shape, &halves(m * k, 0), &halves(n * k, 0)).expect("it fits")
}

#[test]
fn any_extents_are_right() {
    let device = hopper();
    for (m, n, k) in [(70, 50, 200), (1, 33, 72), (65, 1, 8), (1, 1, 64), (64, 32, 640)] {
        let [x, w] = factors(&device, [m, n, k], |count, _| halves(count, 0));
        let y = product(&device, &x, &w).expect("it runs").to_vec().expect("y");
        assert_eq!(y, expected(Shape { m, n, k }), "{m} x {n} x {k}");
    }
}

#[test]
fn without_a_k_there_is_nothing_to_read() {
    let device = hopper();
    let [x, w] = [5, 6].map(|rows| device.matrix::<f16>(rows, 0, &[]).expect("it is empty"));
    let y = product(&device, &x, &w).expect("it runs").to_vec().expect("y");
    assert_eq!(y, [0.0; 30]);
    let [x, w] = [5, 6].map(|rows| device.matrix::<i8>(rows, 0, &[]).expect("it is empty"));
    let mut y = device.matrix(5, 6, &[4; 30]).expect("y");
    accumulate(&device, &x, &w, &mut y).expect("it runs");
    assert_eq!(y.to_vec().expect("y"), [4; 30]);
    let w = device.matrix(6, 8, &halves(48, 0)).expect("w");
    let x = device.matrix::<f16>(0, 8, &[]).expect("no rows");
    let y = product(&device, &x, &w).expect("nothing runs");
    assert_eq!((y.rows(), y.columns()), (0, 6));
}

#[test]
fn rows_not_a_multiple_of_16_bytes_apart_are_refused() {
    let device = hopper();
    let (m, n, k) = (20, 40, 100);
    let good = Placed::new(&device, [m, k], [0, 104]);
    let bad = Placed::new(&device, [n, k], [0, 100]);
    let (result, y) = multiply(&device, &good, &bad);
    let error = result.expect_err("rows are 200 bytes apart");
    assert!(
        matches!(&error, Error::TensorAlignment { operand, address, pitch_bytes: 200, .. }
            if operand == "w" && address % 16 == 0),
        "{error}"
    );
    assert!(error.to_string().starts_with("w: copy = tma requires an address and a row distance"));
    assert_eq!(y, vec![-7.5; m * n], "nothing was launched");

    // The same where the output is made, and where a launch is prepared.
    assert!(matches!(
        product(&device, good.view(), bad.view()),
        Err(Error::TensorAlignment { pitch_bytes: 200, .. })
    ));
    let mut y = device.zeros(n, m).expect("y");
    let prepared = product::prepare(&device, bad.view(), good.view(), &mut y);
    assert!(matches!(prepared, Err(Error::TensorAlignment { operand, .. }) if operand == "x"));
}

#[test]
fn an_address_not_a_multiple_of_16_bytes_is_refused() {
    let device = hopper();
    let (m, n, k) = (20, 40, 96);
    let good = Placed::new(&device, [n, k], [8, 120]);
    for left in [1, 2, 4, 9, 12] {
        let bad = Placed::new(&device, [m, k], [left, 120]);
        let (result, y) = multiply(&device, &bad, &good);
        let error = result.expect_err("rows begin between multiples of 16 bytes");
        assert!(
            matches!(&error, Error::TensorAlignment { operand, address, pitch_bytes: 240, .. }
                if operand == "x" && *address % 16 == (2 * left as u64) % 16),
            "{error}"
        );
        assert_eq!(y, vec![-7.5; m * n], "nothing was launched");
    }
    let (result, y) = multiply(&device, &Placed::new(&device, [m, k], [16, 128]), &good);
    result.expect("both are aligned");
    assert_eq!(y, expected(Shape { m, n, k }));
}

#[test]
fn one_row_has_no_next_one() {
    let device = hopper();
    let x = Placed::new(&device, [1, 77], [8, 99]);
    let w = Placed::new(&device, [30, 77], [0, 80]);
    let (result, y) = multiply(&device, &x, &w);
    result.expect("the row begins at a multiple of 16 bytes");
    assert_eq!(y, expected(Shape { m: 1, n: 30, k: 77 }));
    let (result, _) = multiply(&device, &Placed::new(&device, [1, 77], [4, 99]), &w);
    assert!(matches!(result, Err(Error::TensorAlignment { operand, .. }) if operand == "x"));
}

/// The kernel that a launch on operands at these places chooses.
fn chosen<'k>(device: &Device, kernels: &'k Kernels<'_>, [x, w]: [&Placed; 2]) -> &'k Kernel {
    let (x, w) = (x.view(), w.view());
    let arguments: [Argument<'_>; 2] = [x.argument(), w.argument()];
    launch::choose(device, kernels, &arguments)
}

fn reads_tensors(kernel: &Kernel) -> bool {
    kernel.parameters[0].tensor.is_some()
}

#[test]
fn a_kernel_that_cannot_read_its_operands_is_not_chosen() {
    let device = hopper();
    let (m, n, k) = (20, 40, 100);
    let [good, bad] =
        [104, 100].map(|pitch| [m, n].map(|rows| Placed::new(&device, [rows, k], [0, pitch])));
    let run = |kernel: &Kernel, [x, w]: [&Placed; 2]| {
        let mut y = device.zeros::<f32>(m, n).expect("y");
        let (x, w) = (x.view(), w.view());
        let arguments = [x.argument(), w.argument(), AsMatrixMut::argument(&mut y)];
        launch::into(&device, kernel, arguments)?;
        y.to_vec()
    };
    let [ours, others] = [&product::KERNEL, &other::KERNEL];
    let [second, first] = [ours, others].map(|kernel| [Choice::new("second", kernel)]);
    let orders = [Kernels::new(ours, &first), Kernels::new(others, &second)];
    for kernels in &orders {
        for pair in [[&bad[0], &good[1]], [&good[0], &bad[1]], [&bad[0], &bad[1]]] {
            let kernel = chosen(&device, kernels, pair);
            assert!(!reads_tensors(kernel));
            assert_eq!(run(kernel, pair).expect("it runs"), expected(Shape { m, n, k }));
        }
    }
    // Where none can read them, the launch says why.
    let alone = Kernels::new(ours, &[]);
    assert!(reads_tensors(chosen(&device, &alone, [&good[0], &good[1]])));
    let kernel = chosen(&device, &alone, [&bad[0], &bad[1]]);
    let error = run(kernel, [&bad[0], &bad[1]]).expect_err("none can read it");
    assert!(matches!(error, Error::TensorAlignment { .. }), "{error}");
}
