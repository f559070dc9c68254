//! `copy = tma` of operands whose rows run along M or N: what it computes at the edges, and the
//! operands that it cannot read.

use crate::common::{Placed, halves, hopper, one_in};
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

#[test]
fn any_extents_are_right() {
    let device = hopper();
    let line = |extent: usize| extent.next_multiple_of(8);
    for (m, n, k) in [(70, 200, 130), (1, 72, 33), (8, 1, 65), (63, 65, 1), (64, 128, 640)] {
        let shape = Shape { m, n, k };
        let w = Placed::new(&device, [k, n], [0, line(n)]);
        let across = Placed::new(&device, [k, m], [0, line(m)]);
        let y = both(&device, across.view(), w.view()).expect("it runs");
        let expected =
            both::reference(shape, &halves(k * m, 0), &halves(k * n, 0)).expect("it fits");
        assert_eq!(y.to_vec().expect("y"), expected, "{m} x {n} x {k}");

        let along = Placed::new(&device, [m, k], [0, line(k)]);
        let y = one(&device, along.view(), w.view()).expect("it runs");
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
fn rows_not_a_multiple_of_16_bytes_apart_are_copied() {
    let device = hopper();
    let shape @ Shape { m, n, k } = Shape { m: 24, n: 40, k: 50 };
    let x = Placed::new(&device, [k, m], [0, 24]);
    for pitch in [40, 41, 44, 47] {
        let w = Placed::new(&device, [k, n], [0, pitch]);
        let mut y = device.zeros(m, n).expect("y");
        let mut prepared = both::prepare(&device, x.view(), w.view(), &mut y).expect("it fits");
        let copies = prepared.report().copies.iter().map(|copy| &*copy.operand);
        assert!(copies.eq(["w"].into_iter().filter(|_| pitch % 8 != 0)), "{pitch}");
        prepared.launch().expect("it runs");
        drop(prepared);
        let expected =
            both::reference(shape, &halves(m * k, 0), &halves(n * k, 0)).expect("it fits");
        assert_eq!(y.to_vec().expect("y"), expected, "{pitch}");
    }
    // One row has no next one.
    let (x, w) = (Placed::new(&device, [1, m], [0, 25]), Placed::new(&device, [1, n], [0, 44]));
    let y = both(&device, x.view(), w.view()).expect("each row begins at a multiple of 16");
    let expected =
        both::reference(Shape { m, n, k: 1 }, &halves(m, 0), &halves(n, 0)).expect("it fits");
    assert_eq!(y.to_vec().expect("y"), expected);
}

#[test]
fn every_schedule_gives_the_same_and_a_small_product_copies_nothing_first() {
    let device = hopper();
    let (m, n, k) = (37, 136, 520);
    let (x, w) = (Placed::new(&device, [m, k], [0, k]), Placed::new(&device, [k, n], [0, n]));
    let expected = chosen::reference(Shape { m, n, k }, &halves(m * k, 0), &halves(k * n, 0))
        .expect("it fits");
    let reads_tensors = |kernel: &gemm_runtime::Kernel| {
        kernel.parameters.iter().any(|parameter| parameter.tensor.is_some())
    };
    let by_tensors =
        chosen::KERNELS.choices().filter(|choice| choice.footprint().form.copies_tensors());
    let by_tensors: Vec<_> = by_tensors.map(|choice| choice.kernel()).collect();
    assert!(!by_tensors.is_empty() && by_tensors.iter().all(|kernel| reads_tensors(kernel)));
    for kernel in one_in(48, by_tensors.into_iter()) {
        let mut y = device.matrix(m, n, &vec![f32::NAN; m * n]).expect("y");
        let arguments = [x.view().argument(), w.view().argument(), AsMatrixMut::argument(&mut y)];
        launch::into(&device, kernel, arguments).expect("it runs");
        assert!(y.to_vec().expect("y") == expected, "{:?}", kernel.footprint);
    }
    let off = Placed::new(&device, [k, n], [0, n + 1]);
    let arguments = [x.view().argument(), off.view().argument()];
    assert!(!reads_tensors(launch::choose(&device, &chosen::KERNELS, &arguments)));
    let y = chosen(&device, x.view(), off.view()).expect("it runs");
    assert_eq!(y.to_vec().expect("y"), expected);
}
