//! Products of packed weights, compared with those of plain ones.

use super::{columns, plain};
use crate::common::hopper;
use gemm_runtime::prelude::*;

/// Packed weights, and the same function of plain ones.
macro_rules! functions {
    ($($packed:ident, $plain:ident: $P:ty, $W:ty;)+) => {$(
        #[gemm(tile = [16, 64, 128], warps = [1, 4])]
        fn $packed(
            x: Mat<f16, M, K>,
            w: Mat<$P, N, K>,
            s: Tiled<f16, N, K, 1, 64>,
        ) -> Mat<f32, M, N> {
            matmul(x, w * s)
        }

        #[gemm(tile = [16, 64, 128], warps = [1, 4])]
        fn $plain(
            x: Mat<f16, M, K>,
            w: Mat<$W, N, K>,
            s: Tiled<f16, N, K, 1, 64>,
        ) -> Mat<f32, M, N> {
            matmul(x, w * s)
        }
    )+};
}

functions! {
    packed_i4, plain_i4: i4x32, i4x2;
    packed_u4, plain_u4: u4x32, u4x2;
    packed_i8, plain_i8: i8x16, i8;
    packed_u8, plain_u8: u8x16, u8;
}

/// The sums are exact: small multiples of powers of two.
macro_rules! check_product {
    ($device:expr, $packed:ident, $plain:ident: $W:ty) => {
        // The second K is not a multiple of BLK_K.
        check_product!($device, $packed, $plain: $W, [19, 139, 640]);
        check_product!($device, $packed, $plain: $W, [19, 139, 192]);
    };
    ($device:expr, $packed:ident, $plain:ident: $W:ty, $shape:expr) => {
        let (device, [m, n, k]) = ($device, $shape);
        let x = (0..m * k).map(|at| f16::from_f32((at * 37 % 19) as f32 - 9.0));
        let x = device.matrix(m, k, &x.collect::<Vec<_>>()).expect("it fits");
        let s = (0..n * k / 64).map(|at| f16::from_f32(0.5f32.powi((at * 7 % 5) as i32)));
        let s = device.matrix(n, k / 64, &s.collect::<Vec<_>>()).expect("it fits");
        let w = plain::<$W>(n * columns::<$W>(k));
        let w = device.matrix(n, columns::<$W>(k), &w).expect("it fits");
        // N is that of the output: packed rows have a multiple of 16 lines.
        let mut y = [(); 2].map(|()| device.zeros(m, n).expect("it fits"));
        $plain::into(device, &x, &w, &s, &mut y[0]).expect("it runs");
        let w = device.pack(&w).expect("it runs");
        $packed::into(device, &x, &w, &s, &mut y[1]).expect("it runs");
        let [expected, y] = y.map(|y| y.to_vec().expect("y"));
        assert!(expected.iter().any(|y| *y != 0.0));
        assert_eq!(y, expected);
    };
}

#[test]
fn a_product_of_packed_weights_has_the_bits_of_plain_ones() {
    let device = &Device::emulator();
    check_product!(device, packed_i4, plain_i4: i4x2);
    check_product!(device, packed_u4, plain_u4: u4x2);
    check_product!(device, packed_i8, plain_i8: i8);
    check_product!(device, packed_u8, plain_u8: u8);
}

/// A derived schedule, and a bias that has N.
#[gemm]
fn biased(
    x: Mat<f16, M, K>,
    w: Mat<i4x32, N, K>,
    s: Tiled<f16, N, K, 1, 128>,
    bias: Vector<f32, N>,
) -> Mat<f32, M, N> {
    matmul(x, w * s) + bias
}

/// Nothing but the packed rows has N.
#[gemm]
fn unscaled(x: Mat<bf16, M, K>, w: Mat<u8x16, N, K>) -> Mat<f32, M, N> {
    matmul(x, w)
}

#[test]
fn n_is_that_of_another_operand_or_all_lines_of_the_packed_rows() {
    check_n(&Device::emulator());
    // Warpgroups, for which M and N are swapped.
    check_n(&hopper());
}

fn check_n(device: &Device) {
    let [m, n, k] = [3, 21, 128];
    let w = device.matrix(n, k / 2, &vec![i4x2::new(3, -1); n * k / 2]).expect("it fits");
    let w = device.pack(&w).expect("it runs");
    let x = device.matrix(m, k, &vec![f16::ONE; m * k]).expect("it fits");
    let s = device.matrix(n, 1, &vec![f16::from_f32(0.5); n]).expect("it fits");
    let bias = device.vector(&(0..n).map(|at| at as f32).collect::<Vec<_>>()).expect("it fits");
    let y = biased(device, &x, &w, &s, &bias).expect("it runs");
    let row = (0..n).map(|at| 64.0 + at as f32).collect::<Vec<_>>();
    assert_eq!(y.to_vec().expect("y"), row.repeat(m));

    let w = device.matrix(n, k, &vec![2u8; n * k]).expect("it fits");
    let w = device.pack(&w).expect("it runs");
    let x = device.matrix(m, k, &vec![bf16::ONE; m * k]).expect("it fits");
    let y = unscaled(device, &x, &w).expect("it runs");
    assert_eq!([y.rows(), y.columns()], [m, 32]);
    let row: Vec<f32> = (0..32).map(|at| if at < n { 256.0 } else { 0.0 }).collect();
    assert_eq!(y.to_vec().expect("y"), row.repeat(m));
}

/// Neither K of a load of a lane, nor K of a k-tile, divides any K.
#[gemm(W = [i4x32, u4x32, i8x16, u8x16], tile = [16, 64, 128], warps = [1, 4])]
fn any_k<W>(x: Mat<f16, M, K>, w: Mat<W, N, K>) -> Mat<f32, M, N> {
    matmul(x, w)
}

#[gemm(W = [i4x2, u4x2, i8, u8], tile = [16, 64, 128], warps = [1, 4])]
fn any_plain_k<W>(x: Mat<f16, M, K>, w: Mat<W, N, K>) -> Mat<f32, M, N> {
    matmul(x, w)
}

macro_rules! check_any_k {
    ($($W:ty),+) => {$(
        for [m, n, k] in [[1, 16, 1], [3, 21, 31], [5, 64, 66], [17, 33, 129], [2, 40, 272]] {
            let device = Device::emulator();
            let x = (0..m * k).map(|at| f16::from_f32((at * 37 % 19) as f32 - 9.0));
            let x = device.matrix(m, k, &x.collect::<Vec<_>>()).expect("it fits");
            let w = plain::<$W>(n * columns::<$W>(k));
            let w = device.matrix(n, columns::<$W>(k), &w).expect("it fits");
            let mut y = [(); 2].map(|()| device.zeros(m, n).expect("it fits"));
            any_plain_k::into(&device, &x, &w, &mut y[0]).expect("it runs");
            let w = device.pack(&w).expect("it runs");
            any_k::into(&device, &x, &w, &mut y[1]).expect("it runs");
            let [expected, y] = y.map(|y| y.to_vec().expect("y"));
            assert_eq!(y, expected, "{m} {n} {k}");
        }
    )+};
}

#[test]
fn packed_weights_may_have_any_k() {
    check_any_k!(i4x2, u4x2, i8, u8);
}

#[test]
fn columns_that_k_does_not_have_are_refused() {
    let device = Device::emulator();
    let x = device.zeros::<f16>(1, 65).expect("it fits");
    let w = device.zeros::<i4x32>(1, 32).expect("it fits");
    let error = any_k(&device, &x, &w).expect_err("64 of 65");
    let text = "w: expected 64 columns (K = 65 in tiles of 64, each of 32), got 32";
    assert!(error.to_string().ends_with(text), "{error}");
}

/// Warpgroups, with a scale of half a load of a lane.
#[gemm(tile = [64, 32, 128], mma = wgmma, copy = tma, stages = 3)]
fn by_groups(w: Mat<i4x32, N, K>, s: Tiled<f16, N, K, 1, 32>, x: Mat<f16, M, K>) -> Mat<f32, M, N> {
    matmul(w * s, x)
}

#[gemm(tile = [64, 32, 128], mma = wgmma, copy = tma, stages = 3)]
fn by_groups_of_plain(
    w: Mat<i4x2, N, K>,
    s: Tiled<f16, N, K, 1, 32>,
    x: Mat<f16, M, K>,
) -> Mat<f32, M, N> {
    matmul(w * s, x)
}

#[test]
fn warpgroups_take_packed_weights_of_any_k() {
    let device = hopper();
    for [m, n, k] in [[3, 21, 32], [33, 80, 96], [5, 139, 672]] {
        let x = (0..m * k).map(|at| f16::from_f32((at * 37 % 19) as f32 - 9.0));
        let x = device.matrix(m, k, &x.collect::<Vec<_>>()).expect("it fits");
        let s = (0..n * k / 32).map(|at| f16::from_f32(0.5f32.powi((at * 7 % 5) as i32)));
        let s = device.matrix(n, k / 32, &s.collect::<Vec<_>>()).expect("it fits");
        let w = device.matrix(n, k / 2, &plain::<i4x2>(n * k / 2)).expect("it fits");
        let mut y = [(); 2].map(|()| device.zeros(m, n).expect("it fits"));
        by_groups_of_plain::into(&device, &w, &s, &x, &mut y[0]).expect("it runs");
        let w = device.pack(&w).expect("it runs");
        by_groups::into(&device, &w, &s, &x, &mut y[1]).expect("it runs");
        let [expected, y] = y.map(|y| y.to_vec().expect("y"));
        assert_eq!(y, expected, "{m} {n} {k}");
    }
}

#[test]
fn a_packed_row_whose_distance_tensor_copies_lack_is_copied() {
    let (device, [n, k]) = (hopper(), [16, 96]);
    let x = device.matrix(1, k, &vec![f16::ONE; k]).expect("it fits");
    let s = device.matrix(n, k / 32, &vec![f16::ONE; n * k / 32]).expect("it fits");
    let w = plain::<i4x2>(n * k / 2);
    let sum = |row: &[i4x2]| row.iter().flat_map(|w| w.numbers()).map(f32::from).sum();
    let expected: Vec<f32> = w.chunks(k / 2).map(sum).collect();
    let w = device.matrix(n, k / 2, &w).and_then(|w| device.pack(&w)).expect("it runs");
    let w = w.view().with_leading_dimension(1 << 37).expect("it has one row");
    let mut y = device.zeros(1, n).expect("it fits");
    let mut prepared = by_groups::prepare(&device, &w, &s, &x, &mut y).expect("it fits");
    assert_eq!(prepared.report().copies.len(), 1);
    prepared.launch().expect("it runs");
    drop(prepared);
    assert_eq!(y.to_vec().expect("y"), expected);
}
