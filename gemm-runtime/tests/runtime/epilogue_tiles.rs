//! Matrices that the body of a kernel of warpgroups reads: copies bring them where the copy unit can
//! move rows, threads elsewhere.

use crate::common::{Placed, factors, halves, hopper, numbers};
use gemm_runtime::prelude::*;

/// Epilogue tiles of 64 columns, two with some in common.
#[gemm(tile = [64, 80, 64], schedule = cooperative, mma = wgmma, stages = 2)]
fn add(x: Mat<f16, M, K>, w: Mat<f16, N, K>, residual: Mat<f16, M, N>) -> Mat<f16, M, N> {
    matmul(x, w) + residual
}

/// Epilogue tiles of 32 columns, that the old elements and another matrix have each.
#[gemm(tile = [64, 128, 64], schedule = pingpong, mma = wgmma, stages = 2)]
fn accumulate(
    x: Mat<f16, M, K>,
    w: Mat<f16, N, K>,
    bias: Vector<f32, M>,
    residual: Mat<f32, M, N>,
    c: &mut Mat<f32, M, N>,
) {
    *c += matmul(x, w) + bias - residual
}

/// What an output holds around its view.
const AROUND: f16 = f16::MAX;

#[test]
fn copies_bring_what_lies_as_epilogue_tiles_do() {
    let copied = |kernel: &gemm_runtime::Kernel| {
        let with = kernel.parameters.iter().filter(|parameter| parameter.epilogue_box.is_some());
        with.map(|parameter| parameter.name.to_string()).collect::<Vec<_>>()
    };
    assert_eq!(copied(&add::KERNEL), ["residual", "out"]);
    assert_eq!(copied(&accumulate::KERNEL), ["residual", "c"]);
}

#[test]
fn a_residual_and_an_output_may_lie_anywhere() {
    let device = hopper();
    let [m, k] = [70, 72];
    // The first element of a row and the distance of rows, of the residual and of the output.
    let places = [
        (136, [0, 136], [8, 152]),
        (136, [8, 144], [4, 144]),
        (136, [2, 144], [0, 136]),
        (131, [0, 136], [0, 136]),
        (131, [1, 135], [1, 133]),
    ];
    for (n, of_residual, [left, pitch]) in places {
        let [x, w] = factors(&device, [m, n, k], halves);
        let residual = Placed::new(&device, [m, n], of_residual);
        let mut whole = device.matrix(m, pitch, &vec![AROUND; m * pitch]).expect("it fits");
        let out = whole.submatrix_mut(0..m, left..left + n).expect("it is inside");
        add::into(&device, &x, &w, residual.view(), out).expect("it runs");
        let shape = Shape { m, n, k };
        let sums = add::reference(shape, &halves(m * k, 1), &halves(n * k, 2), &halves(m * n, 0));
        let mut expected = vec![AROUND; m * pitch];
        let rounded: Vec<f16> = sums.expect("it fits").into_iter().map(f16::from_f32).collect();
        for (row, elements) in rounded.chunks(n).enumerate() {
            expected[row * pitch + left..][..n].copy_from_slice(elements);
        }
        assert_eq!(
            whole.to_vec().expect("it runs"),
            expected,
            "{n} {of_residual:?} {left} {pitch}"
        );
    }
}

#[test]
fn what_is_written_in_place_is_read_before() {
    let device = hopper();
    for [m, n, k] in [[130, 260, 64], [200, 131, 40]] {
        let [x, w] = factors(&device, [m, n, k], halves);
        let (old, other, bias) = (numbers(m * n, 3), numbers(m * n, 4), numbers(m, 5));
        let mut c = device.matrix(m, n, &old).expect("it fits");
        let residual = device.matrix(m, n, &other).expect("it fits");
        let vector = device.vector(&bias).expect("it fits");
        let (a, b) = (halves(m * k, 1), halves(n * k, 2));
        let reference = |old: &[f32]| {
            accumulate::reference(Shape { m, n, k }, &a, &b, &bias, &other, old).expect("it fits")
        };
        let mut expected = old;
        for _ in 0..2 {
            expected = reference(&expected);
            accumulate(&device, &x, &w, &vector, &residual, &mut c).expect("it runs");
            assert_eq!(c.to_vec().expect("it runs"), expected, "{m} x {n} x {k}");
        }
    }
}
