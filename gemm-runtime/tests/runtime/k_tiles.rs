//! k-tiles of two boxes by warpgroups: with all that shares their stages, at any K.

use crate::common::{halves, hopper, numbers};
use gemm_runtime::prelude::*;

/// Two blocks copy half of the rows of both panels of B, for each other.
#[gemm(
    tile = [64, 16, 128], schedule = cooperative, cluster = [2, 1], mma = wgmma, stages = 2,
    pdl = [w]
)]
fn along_k(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f32, M, N> {
    matmul(x, w)
}

/// Two blocks copy half of the rows of both panels of A, where these run along M.
#[gemm(tile = [128, 64, 128], cluster = [1, 2], mma = wgmma, stages = 2)]
fn across(x: Mat<f16, K, M>, w: Mat<f16, K, N>) -> Mat<f32, M, N> {
    matmul(x, w)
}

/// Blocks that share K take whole k-tiles.
#[gemm(tile = [64, 48, 256], mma = wgmma, stages = 2, split_k = 2)]
fn shared(x: Mat<i8, M, K>, w: Mat<i8, N, K>) -> Mat<i32, M, N> {
    matmul(x, w)
}

#[gemm(
    tile = [64, 40, 64], schedule = pingpong, k_order = serpentine, mma = wgmma, precision = tf32,
    stages = 3
)]
fn singles(x: Mat<f32, M, K>, w: Mat<f32, N, K>, bias: Vector<f32, N>) -> Mat<f32, M, N> {
    matmul(x, w) + bias
}

#[gemm(tile = [64, 24, 128], schedule = cooperative, mma = wgmma, stages = 3)]
fn batched(x: Batched<f16, B, M, K>, w: Mat<f16, N, K>) -> Batched<f32, B, M, N> {
    matmul(x, w)
}

/// None, within the first panel, all of it, within the second, and several k-tiles that end so.
const EXTENTS: [usize; 7] = [0, 8, 64, 72, 128, 200, 584];

#[test]
fn clusters_copy_parts_of_both_panels() {
    let device = hopper();
    let (m, n) = (200, 40);
    for k in EXTENTS {
        let (shape, x, w) = (Shape { m, n, k }, halves(m * k, 1), halves(n * k, 2));
        let matrix = |rows, columns, host| device.matrix::<f16>(rows, columns, host).expect("fits");
        let y = along_k(&device, &matrix(m, k, &x), &matrix(n, k, &w)).expect("it runs");
        assert_eq!(y.to_vec().expect("y"), along_k::reference(shape, &x, &w).expect("it fits"));
        let y = across(&device, &matrix(k, m, &x), &matrix(k, n, &w)).expect("it runs");
        assert_eq!(y.to_vec().expect("y"), across::reference(shape, &x, &w).expect("it fits"));
    }
}

#[test]
fn blocks_share_k_tiles_of_bytes() {
    let device = hopper();
    let (m, n) = (70, 50);
    let bytes =
        |count, seed| numbers(count, seed).into_iter().map(|x| x as i8).collect::<Vec<i8>>();
    for k in EXTENTS.map(|k| 2 * k) {
        let (x, w) = (bytes(m * k, 1), bytes(n * k, 2));
        let expected = shared::reference(Shape { m, n, k }, &x, &w).expect("it fits");
        let [x, w] =
            [(m, x), (n, w)].map(|(rows, host)| device.matrix(rows, k, &host).expect("fits"));
        assert_eq!(shared(&device, &x, &w).expect("it runs").to_vec().expect("y"), expected);
    }
}

#[test]
fn panels_of_singles_have_32_columns() {
    let device = hopper();
    let (m, n) = (130, 90);
    for k in EXTENTS.map(|k| k / 2) {
        let (x, w, bias) = (numbers(m * k, 1), numbers(n * k, 2), numbers(n, 3));
        let expected = singles::reference(Shape { m, n, k }, &x, &w, &bias).expect("it fits");
        let [x, w] =
            [(m, x), (n, w)].map(|(rows, host)| device.matrix(rows, k, &host).expect("fits"));
        let bias = device.vector(&bias).expect("it fits");
        let y = singles(&device, &x, &w, &bias).expect("it runs");
        assert_eq!(y.to_vec().expect("y"), expected, "{k}");
    }
}

#[test]
fn copied_factors_and_batches_have_them_too() {
    let device = hopper();
    let (batch, m, n) = (3, 70, 30);
    for k in [7, 71, 201] {
        let (x, w) = (halves(batch * m * k, 1), halves(n * k, 2));
        let shape = Shape { m, n, k };
        let expected = batched::reference(batch, shape, &x, &w).expect("it fits");
        let x = device.batched(batch, m, k, &x).expect("it fits");
        let w = device.matrix_from(n, k, k, &w).expect("it fits");
        let y = batched(&device, &x, &w).expect("it runs");
        assert_eq!(y.to_vec().expect("y"), expected, "{k}");
    }
}
