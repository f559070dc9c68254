//! `#[gemm(invariant)]`: a row has the same bits whatever the other rows are.

use crate::common::{fractions, hopper, sampled};
use gemm_runtime::prelude::*;
use gemm_runtime::{AsMatrix as _, AsMatrixMut, launch};

#[gemm(invariant)]
fn linear(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f32, M, N> {
    matmul(x, w)
}

/// The same where any candidate may be chosen: the proof that the data tells orders apart.
#[gemm]
fn free(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f32, M, N> {
    matmul(x, w)
}

#[gemm(invariant)]
fn of_a_batch(x: Batched<f16, B, M, K>, w: Mat<f16, N, K>) -> Batched<f32, B, M, N> {
    matmul(x, w)
}

/// A sum of floats along N is added in parts of a tile, so there is one schedule.
#[gemm(invariant)]
fn squares(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Vector<f32, M> {
    let h = matmul(x, w);
    sum(h * h)
}

/// Whose order does not matter.
#[gemm(invariant)]
fn largest(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Vector<f32, M> {
    abs_max(matmul(x, w))
}

/// N and K: rows of K are aligned to 16 bytes, as tensor copies need it.
const LAYER: [usize; 2] = [72, 1160];

/// The bits of a matrix.
fn bits(y: &[f32]) -> Vec<u32> {
    y.iter().map(|y| y.to_bits()).collect()
}

/// Of each kernel the bits of the same product.
fn of_kernels<'k>(kernels: impl Iterator<Item = &'k gemm_runtime::Kernel>) -> Vec<Vec<u32>> {
    let (device, [n, k], m) = (hopper(), LAYER, 37);
    let x = device.matrix(m, k, &fractions(m * k, 1)).expect("x");
    let w = device.matrix(n, k, &fractions(n * k, 2)).expect("w");
    let run = |kernel| {
        let mut y = device.matrix(m, n, &vec![f32::NAN; m * n]).expect("y");
        launch::into(&device, kernel, [x.argument(), w.argument(), AsMatrixMut::argument(&mut y)])
            .expect("it runs");
        bits(&y.to_vec().expect("y"))
    };
    kernels.map(run).collect()
}

#[test]
fn all_kernels_of_a_function_give_the_same_bits() {
    let same = of_kernels(sampled(linear::KERNELS.iter()));
    assert!(same.len() > 3 && same.iter().all(|bits| *bits == same[0]));
    let free = of_kernels(sampled(free::KERNELS.iter()));
    assert!(free.iter().any(|bits| *bits != free[0]), "the data shows an order");
}

#[test]
fn rows_keep_their_bits_beside_any_others() {
    let [n, k] = LAYER;
    for device in [Device::emulator(), hopper()] {
        let (most, host) = (300, fractions(300 * k, 1));
        let w = device.matrix(n, k, &fractions(n * k, 2)).expect("w");
        let x = device.matrix(most, k, &host).expect("x");
        let all = bits(&linear(&device, &x, &w).expect("it runs").to_vec().expect("y"));
        for m in [1, 2, 16, 17, 64, 65, 128, 200] {
            let first = most - m;
            let rows = device.matrix(m, k, &host[first * k..]).expect("rows");
            let y = linear(&device, &rows, &w).expect("it runs").to_vec().expect("y");
            assert!(bits(&y) == all[first * n..], "{m}");
        }
        let batch = device.batched(3, 100, k, &host).expect("it fits");
        let y = of_a_batch(&device, &batch, &w).expect("it runs").to_vec().expect("y");
        assert!(bits(&y) == all, "as a batch");
    }
}

#[test]
fn rows_keep_their_bits_at_odd_addresses_and_in_another_order() {
    let (device, [n, k], m) = (hopper(), LAYER, 40);
    let host = fractions(m * k, 1);
    let w = device.matrix(n, k, &fractions(n * k, 2)).expect("w");
    let launch =
        |x: &Matrix<f16>| bits(&linear(&device, x, &w).expect("runs").to_vec().expect("y"));
    let all = launch(&device.matrix(m, k, &host).expect("x"));
    let backwards: Vec<f16> = host.chunks(k).rev().flatten().copied().collect();
    let y = launch(&device.matrix(m, k, &backwards).expect("x"));
    assert!(y.chunks(n).rev().eq(all.chunks(n)));
    // Each row begins two bytes after a multiple of four, so no vector is aligned.
    let wide: Vec<f16> =
        host.chunks(k).flat_map(|row| [&[f16::NAN][..], row, &[f16::NAN; 2]].concat()).collect();
    let wide = device.matrix(m, k + 3, &wide).expect("x");
    let view = wide.submatrix(0..m, 1..k + 1).expect("they are there");
    let y = linear(&device, &view, &w).expect("it runs").to_vec().expect("y");
    assert!(bits(&y) == all);
}

#[test]
fn sums_along_a_row_have_one_schedule_and_the_largest_element_all() {
    assert_eq!(squares::KERNELS.iter().count(), 1);
    assert!(largest::KERNELS.iter().count() > 20);
    let plain = linear::KERNELS.iter().count();
    assert!(plain > 20 && plain < free::KERNELS.iter().count());
}
