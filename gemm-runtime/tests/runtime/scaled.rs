//! Factors with a scale for each tile.

use gemm_runtime::Element;
use gemm_runtime::prelude::*;

/// Weights of 8 bits in groups of 64 along K.
#[gemm(T = [f16, bf16], tile = [16, 32, 64], warps = [1, 2])]
fn of_weights<T>(
    x: Mat<T, M, K>,
    w: Mat<i8, N, K>,
    s: Tiled<T, N, K, 1, 64>,
    bias: Vector<f32, N>,
) -> Mat<f32, M, N> {
    matmul(x, w * s) + bias
}

/// Scales along N, as GPTQ stores them, of tiles that are a part of a k-tile; by warps along K.
#[gemm(tile = [32, 32, 128], warps = [1, 1, 2], mma = m16n8k8, copy = ld_global(16), stages = 2)]
fn along_n(x: Mat<f16, M, K>, w: Mat<u8, N, K>, s: Tiled<f32, K, N, 32, 1>) -> Mat<f32, M, N> {
    matmul(x, s * w)
}

/// Blocks of both factors, as of 8-bit floats, with K shared by blocks and in larger tiles than a k-tile.
#[gemm(tile = [64, 64, 32], warps = [2, 2], split_k = 3)]
fn blocks(
    x: Mat<bf16, M, K>,
    sx: Tiled<f32, M, K, 1, 128>,
    w: Mat<bf16, N, K>,
    sw: Tiled<f32, N, K, 128, 128>,
) -> Mat<f32, M, N> {
    matmul(x * sx, w * sw)
}

/// Factors of 8 bits whose rows do not run along K: lanes have other lines of them.
#[gemm(tile = [32, 32, 64], warps = [1, 2])]
fn across(
    x: Mat<e4m3, K, M>,
    sx: Tiled<f32, M, K, 1, 32>,
    w: Mat<e4m3, K, N>,
    sw: Tiled<f16, K, N, 32, 1>,
) -> Mat<f32, M, N> {
    matmul(x * sx, w * sw)
}

/// Small multiples of a power of two: sums of their products are exact.
fn small<T: Element>(count: usize, seed: usize) -> Vec<T> {
    (0..count).map(|i| T::from_f64((((i + seed) * 37 % 19) as f64 - 9.0) / 4.0)).collect()
}

/// Powers of two, which differ from tile to tile.
fn scales<T: Element>(count: usize) -> Vec<T> {
    (0..count).map(|i| T::from_f64(0.5f64.powi((i * 7 % 5) as i32))).collect()
}

/// Every value of 8 bits.
fn bytes<T: Element>(count: usize, least: f64) -> Vec<T> {
    (0..count).map(|i| T::from_f64((i * 89 % 256) as f64 + least)).collect()
}

const MN: [[usize; 2]; 3] = [[1, 33], [17, 40], [133, 139]];

fn weights_of<T>()
where
    T: of_weights::Element<Reference = Vec<f32>>,
{
    let device = Device::emulator();
    for ([m, n], k) in MN.into_iter().zip([64, 192, 128]) {
        let shape = Shape { m, n, k };
        let (x, w) = (small::<T>(m * k, 1), bytes::<i8>(n * k, -128.0));
        let (s, bias) = (scales::<T>(n * (k / 64)), small::<f32>(n, 2));
        let expected = of_weights::reference(shape, &x, &w, &s, &bias).expect("it fits");
        let x = device.matrix(m, k, &x).expect("it fits");
        let w = device.matrix(n, k, &w).expect("it fits");
        let s = device.matrix(n, k / 64, &s).expect("it fits");
        let bias = device.vector(&bias).expect("it fits");
        let y = of_weights(&device, &x, &w, &s, &bias).expect("it runs");
        assert_eq!(y.to_vec().expect("y"), expected, "{shape:?}");
    }
}

#[test]
fn weights_have_a_scale_for_each_group_along_k() {
    weights_of::<f16>();
    weights_of::<bf16>();
}

#[test]
fn scales_may_lie_along_n_and_be_several_of_a_tile() {
    let device = Device::emulator();
    for ([m, n], k) in MN.into_iter().zip([32, 160, 288]) {
        let shape = Shape { m, n, k };
        let (x, w) = (small::<f16>(m * k, 1), bytes::<u8>(n * k, 0.0));
        let s = scales::<f32>(n * (k / 32));
        let expected = along_n::reference(shape, &x, &w, &s).expect("it fits");
        let x = device.matrix(m, k, &x).expect("it fits");
        let w = device.matrix(n, k, &w).expect("it fits");
        let s = device.matrix(k / 32, n, &s).expect("it fits");
        let y = along_n(&device, &x, &w, &s).expect("it runs").to_vec().expect("y");
        assert_eq!(y, expected, "{shape:?}");
    }
}

#[test]
fn both_factors_may_have_scales_of_blocks() {
    let device = Device::emulator();
    for ([m, n], k) in MN.into_iter().zip([128, 512, 384]) {
        let shape = Shape { m, n, k };
        let (x, w) = (small::<bf16>(m * k, 1), small::<bf16>(n * k, 2));
        let (sx, sw) = (scales(m * (k / 128)), scales(n.div_ceil(128) * (k / 128)));
        let expected = blocks::reference(shape, &x, &sx, &w, &sw).expect("it fits");
        let x = device.matrix(m, k, &x).expect("it fits");
        let w = device.matrix(n, k, &w).expect("it fits");
        let sx = device.matrix(m, k / 128, &sx).expect("it fits");
        let sw = device.matrix(n.div_ceil(128), k / 128, &sw).expect("it fits");
        let y = blocks(&device, &x, &sx, &w, &sw).expect("it runs").to_vec().expect("y");
        assert_eq!(y, expected, "{shape:?}");
    }
}

#[test]
fn scales_are_those_of_the_lines_of_factors_across_k() {
    let device = Device::emulator();
    for ([m, n], k) in MN.into_iter().zip([64, 160, 96]) {
        let shape = Shape { m, n, k };
        let (x, w) = (small::<e4m3>(m * k, 1), small::<e4m3>(n * k, 2));
        let (sx, sw) = (scales(m * (k / 32)), scales::<f16>(n * (k / 32)));
        let expected = across::reference(shape, &x, &sx, &w, &sw).expect("it fits");
        let x = device.matrix(k, m, &x).expect("it fits");
        let w = device.matrix(k, n, &w).expect("it fits");
        let sx = device.matrix(m, k / 32, &sx).expect("it fits");
        let sw = device.matrix(k / 32, n, &sw).expect("it fits");
        let y = across(&device, &x, &sx, &w, &sw).expect("it runs").to_vec().expect("y");
        assert_eq!(y, expected, "{shape:?}");
    }
}

#[test]
fn scales_that_are_not_those_of_the_tiles_are_refused() {
    let device = Device::emulator();
    let zeros = |rows, columns| device.zeros::<f16>(rows, columns).expect("it fits");
    let weights = |k| device.zeros::<i8>(40, k).expect("it fits");
    let bias = device.vector(&[0.0f32; 40]).expect("it fits");
    let launch = |k, scales: [usize; 2]| {
        let s = zeros(scales[0], scales[1]);
        let launched = of_weights(&device, &zeros(3, k), &weights(k), &s, &bias);
        launched.err().map(|error| error.to_string()).unwrap_or_default()
    };
    assert_eq!(launch(128, [40, 2]), "");
    assert_eq!(
        launch(128, [40, 3]),
        "of_weights_f16: s: expected 2 columns (K = 128 in tiles of 64), got 3"
    );
    assert_eq!(
        launch(128, [39, 2]),
        "of_weights_f16: s: expected 40 rows (N = 40 in tiles of 1), got 39"
    );
    assert_eq!(
        launch(100, [40, 2]),
        "of_weights_f16: s: K = 100 is not a multiple of 64, the K of a tile with one scale"
    );
}
