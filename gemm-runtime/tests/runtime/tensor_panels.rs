//! `copy = tma` of operands whose rows run along M or N: what it computes at the edges, and the
//! operands that it cannot read.

use crate::common::{halves, hopper};
use gemm_runtime::prelude::*;
use gemm_runtime::{AsMatrix, AsMatrixMut, launch};

/// Panels of both sides.
#[gemm(tile = [64, 128, 64], warps = [2, 2], stages = 3, copy = tma)]
fn both(x: Mat<f16, K, M>, w: Mat<f16, K, N>) -> Mat<f32, M, N> {
    matmul(x, w)
}

/// Panels of one side, and rows along K of the other.
#[gemm(tile = [32, 128, 64], warps = [1, 2], stages = 2, copy = tma)]
fn one(x: Mat<f16, M, K>, w: Mat<f16, K, N>) -> Mat<f32, M, N> {
    matmul(x, w)
}

/// Some of its schedules have tensor copies.
#[gemm]
fn chosen(x: Mat<f16, M, K>, w: Mat<f16, K, N>) -> Mat<f32, M, N> {
    matmul(x, w)
}

/// A matrix whose rows are `pitch` elements apart, with nothing that counts between them.
fn placed(device: &Device, [rows, columns]: [usize; 2], pitch: usize) -> Matrix<f16> {
    let mut elements = vec![f16::NAN; rows * pitch];
    for (row, line) in halves(rows * columns, 0).chunks(columns).enumerate() {
        elements[row * pitch..][..columns].copy_from_slice(line);
    }
    device.matrix(rows, pitch, &elements).expect("it fits")
}

/// The columns of it that count.
fn view(matrix: &Matrix<f16>, columns: usize) -> MatrixRef<'_, f16> {
    matrix.submatrix(0..matrix.rows(), 0..columns).expect("it is inside")
}

#[test]
fn any_extents_are_right() {
    let device = hopper();
    let line = |extent: usize| extent.next_multiple_of(8);
    for (m, n, k) in [(70, 200, 130), (1, 72, 33), (8, 1, 65), (63, 65, 1), (64, 128, 640)] {
        let shape = Shape { m, n, k };
        let w = placed(&device, [k, n], line(n));
        let across = placed(&device, [k, m], line(m));
        let y = both(&device, view(&across, m), view(&w, n)).expect("it runs");
        let expected =
            both::reference(shape, &halves(k * m, 0), &halves(k * n, 0)).expect("it fits");
        assert_eq!(y.to_vec().expect("y"), expected, "{m} x {n} x {k}");

        let along = placed(&device, [m, k], line(k));
        let y = one(&device, view(&along, k), view(&w, n)).expect("it runs");
        let expected =
            one::reference(shape, &halves(m * k, 0), &halves(k * n, 0)).expect("it fits");
        assert_eq!(y.to_vec().expect("y"), expected, "{m} x {n} x {k}");
    }
}

#[test]
fn without_a_k_there_is_nothing_to_read() {
    let device = hopper();
    let [x, w] = [5, 6].map(|columns| device.matrix::<f16>(0, columns, &[]).expect("it is empty"));
    let y = both(&device, &x, &w).expect("it runs").to_vec().expect("y");
    assert_eq!(y, [0.0; 30]);
}

#[test]
fn rows_not_a_multiple_of_16_bytes_apart_are_refused() {
    let device = hopper();
    let (m, n, k) = (24, 40, 50);
    let (good, bad) = (placed(&device, [k, m], 24), placed(&device, [k, n], 44));
    let mut y = device.matrix(m, n, &vec![-7.5; m * n]).expect("y");
    let error = both::into(&device, &good, view(&bad, n), &mut y).expect_err("88 bytes apart");
    assert!(
        matches!(&error, Error::TensorAlignment { operand, address, pitch_bytes: 88 }
            if operand == "w" && address % 16 == 0),
        "{error}"
    );
    assert_eq!(y.to_vec().expect("y"), vec![-7.5; m * n], "nothing was launched");
    // One row has no next one.
    let (x, w) = (placed(&device, [1, m], 25), placed(&device, [1, n], 44));
    let y = both(&device, view(&x, m), view(&w, n)).expect("each row begins at a multiple of 16");
    let expected =
        both::reference(Shape { m, n, k: 1 }, &halves(m, 0), &halves(n, 0)).expect("it fits");
    assert_eq!(y.to_vec().expect("y"), expected);
}

#[test]
fn every_schedule_gives_the_same_and_one_that_cannot_read_is_not_chosen() {
    let device = hopper();
    let (m, n, k) = (37, 136, 520);
    let (x, w) = (placed(&device, [m, k], k), placed(&device, [k, n], n));
    let expected = chosen::reference(Shape { m, n, k }, &halves(m * k, 0), &halves(k * n, 0))
        .expect("it fits");
    let reads_tensors = |kernel: &gemm_runtime::Kernel| {
        kernel.parameters.iter().any(|parameter| parameter.tensor.is_some())
    };
    let by_tensors = chosen::KERNELS.choices().filter(|choice| choice.footprint().tensors);
    let by_tensors: Vec<_> = by_tensors.map(|choice| choice.kernel()).collect();
    assert!(!by_tensors.is_empty() && by_tensors.iter().all(|kernel| reads_tensors(kernel)));
    for kernel in by_tensors {
        let mut y = device.matrix(m, n, &vec![f32::NAN; m * n]).expect("y");
        let arguments = [x.argument(), w.argument(), AsMatrixMut::argument(&mut y)];
        launch::into(&device, kernel, arguments).expect("it runs");
        assert!(y.to_vec().expect("y") == expected, "{:?}", kernel.footprint);
    }
    let off = placed(&device, [k, n], n + 1);
    let arguments = [x.argument(), view(&off, n).argument()];
    assert!(!reads_tensors(launch::choose(&device, &chosen::KERNELS, &arguments)));
    let y = chosen(&device, &x, view(&off, n)).expect("it runs");
    assert_eq!(y.to_vec().expect("y"), expected);
}
