//! Outputs that are vectors: what the values of a body are reduced to.

use gemm_runtime::prelude::*;

/// A matrix, and of each row the sum of squares and the largest magnitude.
#[gemm]
fn rows(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> (Mat<f16, M, N>, Vector<f32, M>, Vector<f32, M>) {
    let h = matmul(x, w);
    (h, sum(h * h), abs_max(h))
}

/// Of each column, and nothing else.
#[gemm]
fn columns(x: Mat<f32, M, K>, w: Mat<f32, K, N>) -> Vector<f32, N> {
    max(matmul(x, w))
}

/// Both, of a tile of warpgroups.
#[gemm(tile = [128, 128, 64], mma = wgmma)]
fn both(
    x: Mat<bf16, M, K>,
    w: Mat<bf16, N, K>,
) -> (Vector<f32, M>, Mat<bf16, M, N>, Vector<f32, N>) {
    let h = matmul(x, w);
    (sum(h), h, min(h))
}

fn elements(count: usize, seed: u64) -> Vec<f32> {
    let mut rng = fastrand::Rng::with_seed(seed);
    (0..count).map(|_| rng.f32() * 2.0 - 1.0).collect()
}

fn close(got: &[f32], expected: &[f32]) {
    assert_eq!(got.len(), expected.len());
    for (i, (got, expected)) in got.iter().zip(expected).enumerate() {
        assert!((got - expected).abs() <= 1e-4 * expected.abs().max(1.0), "{i}: {got} {expected}");
    }
}

#[test]
fn rows_are_reduced_next_to_their_matrix() {
    let device = Device::emulator();
    for [m, n, k] in [[1, 1, 1], [200, 300, 40], [33, 129, 65]] {
        let [x, w] = [(m * k, 1), (n * k, 2)].map(|(count, seed)| {
            elements(count, seed).into_iter().map(f16::from_f32).collect::<Vec<_>>()
        });
        let (of_x, of_w) = (device.matrix(m, k, &x).unwrap(), device.matrix(n, k, &w).unwrap());
        let (h, squares, largest) = rows(&device, &of_x, &of_w).unwrap();
        let (h_, squares_, largest_) = rows::reference(Shape { m, n, k }, &x, &w).unwrap();
        close(
            &h.to_vec().unwrap().iter().map(|x| x.to_f32()).collect::<Vec<_>>(),
            &h_.iter().map(|x| f16::from_f32(*x).to_f32()).collect::<Vec<_>>(),
        );
        close(&squares.to_vec().unwrap(), &squares_);
        close(&largest.to_vec().unwrap(), &largest_);
    }
}

#[test]
fn columns_are_reduced_alone() {
    let device = Device::emulator();
    for [m, n, k] in [[1, 1, 1], [200, 300, 40], [33, 129, 65]] {
        let [x, w] = [(m * k, 1), (n * k, 2)].map(|(count, seed)| elements(count, seed));
        let (of_x, of_w) = (device.matrix(m, k, &x).unwrap(), device.matrix(k, n, &w).unwrap());
        let largest = columns(&device, &of_x, &of_w).unwrap();
        close(&largest.to_vec().unwrap(), &columns::reference(Shape { m, n, k }, &x, &w).unwrap());
    }
}

#[test]
fn both_are_reduced_by_warpgroups() {
    let device = Device::emulator();
    for [m, n, k] in [[1, 1, 1], [200, 300, 40], [33, 129, 65]] {
        let [x, w] = [(m * k, 1), (n * k, 2)].map(|(count, seed)| {
            elements(count, seed).into_iter().map(bf16::from_f32).collect::<Vec<_>>()
        });
        let (of_x, of_w) = (device.matrix(m, k, &x).unwrap(), device.matrix(n, k, &w).unwrap());
        let (sums, _, least) = both(&device, &of_x, &of_w).unwrap();
        let (sums_, _, least_) = both::reference(Shape { m, n, k }, &x, &w).unwrap();
        close(&sums.to_vec().unwrap(), &sums_);
        close(&least.to_vec().unwrap(), &least_);
    }
}
