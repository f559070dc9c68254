//! Scaled factors with an offset for each tile, subtracted before or added afterwards.

use gemm_runtime::Element;
use gemm_runtime::prelude::*;

/// Weights of 4 bits in groups of 32 along K, as AWQ and GPTQ have them.
#[gemm(T = [f16, bf16], Q = [i4x2, u4x2, i8, u8], tile = [16, 32, 64], warps = [1, 2])]
fn less_zeros<T, Q>(
    x: Mat<T, M, K>,
    w: Mat<Q, N, K>,
    s: Tiled<T, N, K, 1, 32>,
    z: Tiled<f16, N, K, 1, 32>,
) -> Mat<f32, M, N> {
    matmul(x, (w - z) * s)
}

/// What GGUF's Q4_1 has: a scale and the least value of each group; in a k-tile shared by warps.
#[gemm(
    T = [f16, bf16], Q = [u4x2, u8],
    tile = [32, 32, 128], warps = [1, 1, 2], mma = m16n8k8, copy = ld_global(16), stages = 2
)]
fn plus_least<T, Q>(
    x: Mat<T, M, K>,
    w: Mat<Q, N, K>,
    s: Tiled<f32, K, N, 32, 1>,
    c: Tiled<bf16, N, K, 1, 32>,
) -> Mat<f32, M, N> {
    matmul(x, c + s * w)
}

/// The factor with offsets is the first one; blocks share K, and a tile is more than a k-tile.
#[gemm(T = [f16, bf16], tile = [32, 64, 64], warps = [2, 2], split_k = 3)]
fn of_the_first<T>(
    w: Mat<u8, M, K>,
    s: Tiled<f16, M, K, 1, 128>,
    z: Tiled<f32, M, K, 1, 128>,
    x: Mat<T, N, K>,
) -> Mat<f32, M, N> {
    matmul(s * (w - z), x)
}

/// Both have scales, and the integers have none.
#[gemm(tile = [32, 32, 64], warps = [1, 2])]
fn of_floats(
    x: Mat<bf16, M, K>,
    sx: Tiled<f32, M, K, 1, 32>,
    cx: Tiled<f32, K, M, 32, 1>,
    w: Mat<i8, N, K>,
    sw: Tiled<f32, N, K, 32, 64>,
) -> Mat<f32, M, N> {
    matmul(x * sx + cx, w * sw)
}

/// Factors of 8 bits whose rows do not run along K: lanes have other lines of them.
#[gemm(tile = [32, 32, 64], warps = [1, 2])]
fn across(
    x: Mat<e4m3, K, M>,
    sx: Tiled<f32, M, K, 1, 32>,
    w: Mat<e5m2, K, N>,
    sw: Tiled<f16, K, N, 32, 1>,
    z: Tiled<f16, N, K, 1, 32>,
) -> Mat<f32, M, N> {
    matmul(x * sx, (w - z) * sw)
}

/// Factors that are rounded before they are summed too; the product is a part of a body with integers.
#[gemm(precision = tf32, tile = [32, 32, 32], warps = [1, 1])]
fn rounded(
    x: Mat<f32, M, K>,
    w: Mat<f32, N, K>,
    s: Tiled<f32, N, K, 1, 32>,
    c: Tiled<f32, N, K, 1, 32>,
) -> Mat<f32, M, N> {
    matmul(x, w * s + c) * (column() + 1) as f32
}

/// A batch of tokens with the same weights.
#[gemm(tile = [16, 16, 32], warps = [1, 1])]
fn batched(
    x: Batched<f16, B, M, K>,
    w: Mat<u8, N, K>,
    s: Tiled<f16, N, K, 1, 32>,
    z: Tiled<f16, N, K, 1, 32>,
) -> Batched<f32, B, M, N> {
    matmul(x, (w - z) * s)
}

/// Small multiples of a power of two: sums of their products are exact.
fn small<T: Element>(count: usize, seed: usize) -> Vec<T> {
    (0..count).map(|i| T::from_f64((((i + seed) * 37 % 19) as f64 - 9.0) / 4.0)).collect()
}

/// Powers of two, which differ from tile to tile.
fn scales<T: Element>(count: usize) -> Vec<T> {
    (0..count).map(|i| T::from_f64(0.5f64.powi((i * 7 % 5) as i32))).collect()
}

/// Integers about this one, which differ from tile to tile.
fn about<T: Element>(count: usize, middle: i32) -> Vec<T> {
    (0..count).map(|i| T::from_f64(f64::from(middle + (i * 11 % 7) as i32 - 3))).collect()
}

/// Every value of 8 bits.
fn bytes(count: usize) -> impl Iterator<Item = u8> {
    (0..count).map(|i| (i * 89 % 256) as u8)
}

const MN: [[usize; 2]; 3] = [[1, 33], [17, 40], [69, 75]];

fn shapes(depths: [usize; 3]) -> impl Iterator<Item = Shape> {
    MN.into_iter().zip(depths).map(|([m, n], k)| Shape { m, n, k })
}

/// Weights of a type from bytes with this many numbers each, and zeros about the middle of its values.
macro_rules! check_weights {
    ($function:ident::<$T:ty, $Q:ty>, $from:expr, $numbers:literal, $middle:literal, $first:ident) => {
        let device = Device::emulator();
        for shape @ Shape { m, n, k } in shapes([32, 160, 288]) {
            let x = small::<$T>(m * k, 1);
            let w: Vec<$Q> = bytes(n * k / $numbers).map($from).collect();
            let (s, z) = (scales(n * k / 32), about(n * k / 32, $middle));
            let expected = $function::reference(shape, &x, &w, &s, &z).expect("it fits");
            let [rows, columns] = if stringify!($first) == "n" { [n, k / 32] } else { [k / 32, n] };
            let x = device.matrix(m, k, &x).expect("it fits");
            let w = device.matrix(n, k / $numbers, &w).expect("it fits");
            let s = device.matrix(rows, columns, &s).expect("it fits");
            let z = device.matrix(n, k / 32, &z).expect("it fits");
            let y = $function(&device, &x, &w, &s, &z).expect("it runs").to_vec().expect("y");
            assert_eq!(y, expected, "{shape:?} {} {}", stringify!($T), stringify!($Q));
        }
    };
}

#[test]
fn weights_have_a_zero_for_each_group_along_k() {
    check_weights!(less_zeros::<f16, i4x2>, i4x2::from_bits, 2, 0, n);
    check_weights!(less_zeros::<f16, u4x2>, u4x2::from_bits, 2, 8, n);
    check_weights!(less_zeros::<f16, i8>, |byte| byte as i8, 1, 0, n);
    check_weights!(less_zeros::<f16, u8>, |byte| byte, 1, 128, n);
    check_weights!(less_zeros::<bf16, i4x2>, i4x2::from_bits, 2, 0, n);
    check_weights!(less_zeros::<bf16, u4x2>, u4x2::from_bits, 2, 8, n);
    check_weights!(less_zeros::<bf16, i8>, |byte| byte as i8, 1, 0, n);
    check_weights!(less_zeros::<bf16, u8>, |byte| byte, 1, 128, n);
}

#[test]
fn weights_have_a_least_value_for_each_group_along_k() {
    check_weights!(plus_least::<f16, u4x2>, u4x2::from_bits, 2, -7, k);
    check_weights!(plus_least::<f16, u8>, |byte| byte, 1, -100, k);
    check_weights!(plus_least::<bf16, u4x2>, u4x2::from_bits, 2, -7, k);
    check_weights!(plus_least::<bf16, u8>, |byte| byte, 1, -100, k);
}

fn firsts<T>()
where
    T: of_the_first::Element<Reference = Vec<f32>>,
{
    let device = Device::emulator();
    for shape @ Shape { m, n, k } in shapes([128, 512, 384]) {
        let (w, x) = (bytes(m * k).collect::<Vec<u8>>(), small::<T>(n * k, 1));
        let (s, z) = (scales(m * (k / 128)), about(m * (k / 128), 128));
        let expected = of_the_first::reference(shape, &w, &s, &z, &x).expect("it fits");
        let w = device.matrix(m, k, &w).expect("it fits");
        let s = device.matrix(m, k / 128, &s).expect("it fits");
        let z = device.matrix(m, k / 128, &z).expect("it fits");
        let x = device.matrix(n, k, &x).expect("it fits");
        let y = of_the_first(&device, &w, &s, &z, &x).expect("it runs").to_vec().expect("y");
        assert_eq!(y, expected, "{shape:?}");
    }
}

#[test]
fn the_first_factor_may_have_zeros_where_blocks_share_k() {
    firsts::<f16>();
    firsts::<bf16>();
}

#[test]
fn the_sums_of_converted_factors_are_multiplied_by_offsets_and_scales() {
    let device = Device::emulator();
    for shape @ Shape { m, n, k } in shapes([64, 192, 128]) {
        let (x, groups) = (small::<bf16>(m * k, 1), k / 32);
        let w: Vec<i8> = bytes(n * k).map(|byte| byte as i8 / 8).collect();
        let (sx, cx) = (scales(m * groups), about(m * groups, 2));
        let sw = scales(n.div_ceil(32) * (k / 64));
        let expected = of_floats::reference(shape, &x, &sx, &cx, &w, &sw).expect("it fits");
        let x = device.matrix(m, k, &x).expect("it fits");
        let sx = device.matrix(m, groups, &sx).expect("it fits");
        let cx = device.matrix(groups, m, &cx).expect("it fits");
        let w = device.matrix(n, k, &w).expect("it fits");
        let sw = device.matrix(n.div_ceil(32), k / 64, &sw).expect("it fits");
        let y = of_floats(&device, &x, &sx, &cx, &w, &sw).expect("it runs").to_vec().expect("y");
        assert_eq!(y, expected, "{shape:?}");
    }
}

#[test]
fn offsets_are_those_of_the_lines_of_factors_across_k() {
    let device = Device::emulator();
    for shape @ Shape { m, n, k } in shapes([64, 160, 96]) {
        let (x, w) = (small::<e4m3>(m * k, 1), small::<e5m2>(n * k, 2));
        let (sx, sw) = (scales(m * (k / 32)), scales::<f16>(n * (k / 32)));
        let z = about(n * (k / 32), 16);
        let expected = across::reference(shape, &x, &sx, &w, &sw, &z).expect("it fits");
        let x = device.matrix(k, m, &x).expect("it fits");
        let w = device.matrix(k, n, &w).expect("it fits");
        let sx = device.matrix(m, k / 32, &sx).expect("it fits");
        let sw = device.matrix(k / 32, n, &sw).expect("it fits");
        let z = device.matrix(n, k / 32, &z).expect("it fits");
        let y = across(&device, &x, &sx, &w, &sw, &z).expect("it runs").to_vec().expect("y");
        assert_eq!(y, expected, "{shape:?}");
    }
}

/// Numbers of 24 bits between -1 and 1.
fn singles(count: usize, seed: u64) -> Vec<f32> {
    let mut random = fastrand::Rng::with_seed(seed);
    (0..count).map(|_| random.f32() * 2.0 - 1.0).collect()
}

/// Rounded scales and sums: the error is within the bound of docs/support.md, G = 32.
#[test]
fn sums_with_offsets_err_by_no_more_than_their_bound() {
    let device = Device::emulator();
    for shape @ Shape { m, n, k } in shapes([32, 160, 96]) {
        let groups = k / 32;
        let (x, w) = (singles(m * k, 1), singles(n * k, 2));
        let (s, c) = (singles(n * groups, 3), singles(n * groups, 4));
        let expected = rounded::reference(shape, &x, &w, &s, &c).expect("it fits");
        let of = |rows, columns, data: &[f32]| device.matrix(rows, columns, data).expect("it fits");
        let (x_, w_) = (of(m, k, &x), of(n, k, &w));
        let (s_, c_) = (of(n, groups, &s), of(n, groups, &c));
        let y = rounded(&device, &x_, &w_, &s_, &c_).expect("it runs").to_vec().expect("y");
        for (at, (y, expected)) in y.into_iter().zip(expected).enumerate() {
            let (row, column) = (at / n, at % n);
            let term = |i: usize| {
                let tile = column * groups + i / 32;
                let weight = (w[column * k + i] * s[tile]).abs() + c[tile].abs();
                f64::from((x[row * k + i]).abs() * weight)
            };
            let size = (0..k).map(term).sum::<f64>() * (column + 1) as f64;
            // And the roundings of factors in the terms, of the body, and of the reference.
            let bound = ((32 + groups) as f64 * 2f64.powi(-23) + 2f64.powi(-21)) * size;
            let error = f64::from((y - expected).abs());
            assert!(error <= bound, "{shape:?}: {y} at {row}, {column} in place of {expected}");
        }
    }
}

#[test]
fn all_matrices_of_a_batch_have_the_same_zeros() {
    let device = Device::emulator();
    let shape @ Shape { m, n, k } = Shape { m: 19, n: 21, k: 96 };
    let (x, w) = (small::<f16>(3 * m * k, 1), bytes(n * k).collect::<Vec<u8>>());
    let (s, z) = (scales::<f16>(n * (k / 32)), about::<f16>(n * (k / 32), 128));
    let expected = batched::reference(3, shape, &x, &w, &s, &z).expect("it fits");
    let x = device.batched(3, m, k, &x).expect("it fits");
    let w = device.matrix(n, k, &w).expect("it fits");
    let s = device.matrix(n, k / 32, &s).expect("it fits");
    let z = device.matrix(n, k / 32, &z).expect("it fits");
    let y = batched(&device, &x, &w, &s, &z).expect("it runs").to_vec().expect("y");
    assert_eq!(y, expected);
}

#[test]
fn references_apply_offsets_where_they_are_written() {
    let shape = Shape { m: 1, n: 1, k: 32 };
    let (x, w) = ([f16::ONE; 32], [200u8; 32]);
    let less = less_zeros::reference(shape, &x, &w, &[f16::from_f32(0.5)], &[f16::from_f32(128.0)]);
    assert_eq!(less.expect("it fits"), [32.0 * 36.0]);
    let plus = plus_least::reference(shape, &x, &w, &[0.5], &[bf16::from_f32(-128.0)]);
    assert_eq!(plus.expect("it fits"), [32.0 * -28.0]);
}

#[test]
fn offsets_that_are_not_those_of_the_tiles_are_refused() {
    let device = Device::emulator();
    let zeros = |rows, columns| device.zeros::<f16>(rows, columns).expect("it fits");
    let launch = |k, offsets: [usize; 2]| {
        let (x, w) = (zeros(3, k), device.zeros::<u8>(40, k).expect("it fits"));
        let launched =
            less_zeros(&device, &x, &w, &zeros(40, k / 32), &zeros(offsets[0], offsets[1]));
        launched.err().map(|error| error.to_string()).unwrap_or_default()
    };
    assert_eq!(launch(64, [40, 2]), "");
    assert_eq!(
        launch(64, [40, 3]),
        "less_zeros_f16_u8: z: expected 2 columns (K = 64 in tiles of 32), got 3"
    );
    assert_eq!(
        launch(64, [39, 2]),
        "less_zeros_f16_u8: z: expected 40 rows (N = 40 in tiles of 1), got 39"
    );
}
