//! Integer weights that warpgroups convert: the first factor of `wgmma`, from registers.

use gemm_runtime::Element;
use gemm_runtime::prelude::*;

/// One tile of a block; scales of several tiles along a k-tile.
#[gemm(T = [f16, bf16], tile = [64, 32, 128], mma = wgmma, copy = tma, stages = 3)]
fn of_4_bits<T>(w: Mat<i4x2, N, K>, s: Tiled<f16, N, K, 1, 32>, x: Mat<T, M, K>) -> Mat<f32, M, N> {
    matmul(w * s, x) + 0.5
}

/// Two warpgroups, each with two instructions along M; a k-tile of a quarter of a box, with a scale of several k-tiles.
#[gemm(T = [f16, bf16], tile = [256, 24, 64], warpgroups = [2, 1], mma = wgmma, copy = tma,
       schedule = cooperative, stages = 4)]
fn unsigned<T>(w: Mat<u4x2, N, K>, s: Tiled<f32, N, K, 1, 128>, x: Mat<T, M, K>) -> Mat<f32, M, N> {
    matmul(w * s, x)
}

/// Two warpgroups in turn, whole rows of a box, scales along N and tokens whose rows run along M.
#[gemm(T = [f16, bf16], tile = [64, 64, 128], mma = wgmma, copy = tma, schedule = pingpong, stages = 3)]
fn of_8_bits<T>(w: Mat<i8, N, K>, s: Tiled<T, K, N, 64, 1>, x: Mat<T, K, M>) -> Mat<f32, M, N> {
    matmul(s * w, x)
}

/// No scales; a cluster whose blocks share both tiles.
#[gemm(T = [f16, bf16], tile = [64, 16, 64], mma = wgmma, copy = tma, cluster = [2, 2], stages = 4)]
fn clustered<T>(w: Mat<u8, N, K>, x: Mat<T, M, K>) -> Mat<f32, M, N> {
    matmul(w, x)
}

/// K shared by the blocks of a cluster, whose parts of it begin at scales of their own.
#[gemm(tile = [64, 32, 256], mma = wgmma, copy = tma, split_k = 2, stages = 2)]
fn shared_k(w: Mat<i4x2, N, K>, s: Tiled<bf16, N, K, 1, 64>, x: Mat<bf16, M, K>) -> Mat<f32, M, N> {
    matmul(w * s, x)
}

/// More columns than sums are scaled of: the factor is, while it is converted.
#[gemm(T = [f16, bf16], tile = [64, 128, 64], mma = wgmma, copy = tma, stages = 3)]
fn factors<T>(w: Mat<i4x2, N, K>, s: Tiled<f32, N, K, 1, 32>, x: Mat<T, M, K>) -> Mat<f32, M, N> {
    matmul(w * s, x)
}

/// Zeros, of sums and of factors.
#[gemm(T = [f16, bf16], tile = [64, 16, 128], mma = wgmma, copy = tma, stages = 3)]
fn zeros_of_sums<T>(
    w: Mat<u4x2, N, K>,
    s: Tiled<f16, N, K, 1, 64>,
    z: Tiled<f16, N, K, 1, 64>,
    x: Mat<T, M, K>,
) -> Mat<f32, M, N> {
    matmul((w - z) * s, x)
}

#[gemm(T = [f16, bf16], tile = [64, 72, 128], mma = wgmma, copy = tma, schedule = pingpong, stages = 3)]
fn zeros_of_factors<T>(
    w: Mat<u4x2, N, K>,
    s: Tiled<f16, N, K, 1, 64>,
    z: Tiled<f16, N, K, 1, 64>,
    x: Mat<T, M, K>,
) -> Mat<f32, M, N> {
    matmul((w - z) * s, x)
}

/// Added offsets, of sums and of factors.
#[gemm(T = [f16, bf16], tile = [128, 16, 64], mma = wgmma, copy = tma, split_k = 2, stages = 3)]
fn added_to_sums<T>(
    w: Mat<u8, N, K>,
    s: Tiled<f16, N, K, 1, 128>,
    c: Tiled<f16, N, K, 1, 128>,
    x: Mat<T, M, K>,
) -> Mat<f32, M, N> {
    matmul(w * s + c, x)
}

#[gemm(T = [f16, bf16], tile = [64, 80, 64], mma = wgmma, copy = tma, stages = 3)]
fn added_to_factors<T>(
    w: Mat<u4x2, N, K>,
    s: Tiled<f16, N, K, 1, 64>,
    c: Tiled<f16, N, K, 1, 64>,
    x: Mat<T, M, K>,
) -> Mat<f32, M, N> {
    matmul(w * s + c, x)
}

/// Small multiples of a power of two: sums of their products are exact.
fn small<T: Element>(count: usize, seed: usize) -> Vec<T> {
    (0..count).map(|i| T::from_f64((((i + seed) * 37 % 19) as f64 - 9.0) / 4.0)).collect()
}

/// Powers of two, which differ from tile to tile.
fn scales<T: Element>(count: usize) -> Vec<T> {
    (0..count).map(|i| T::from_f64(0.5f64.powi((i * 7 % 5) as i32))).collect()
}

/// Every byte; those that begin beyond an odd K are not 0.
fn bytes(count: usize) -> impl Iterator<Item = u8> {
    (0..count).map(|i| (i * 89 % 256) as u8)
}

/// M, N and K of the output.
const SHAPES: [[usize; 3]; 3] = [[1, 64, 256], [33, 139, 640], [133, 300, 128]];

/// Compares a function of weights `$W`, with scales `$S` of `$k` along K, with its reference, bit by bit.
macro_rules! check {
    ($function:ident, $T:ty, $W:ty, $S:ty, $k:literal) => {
        let device = Device::emulator();
        for [m, n, k] in SHAPES {
            // M of the kernel is that of its first factor.
            let shape = Shape { m: n, n: m, k };
            let along_k = k.div_ceil(8 / <$W as Bits>::BITS);
            let w: Vec<$W> = bytes(n * along_k).map(bytemuck::cast).collect();
            let (x, s) = (small::<$T>(m * k, 3), scales::<$S>(n * k.div_ceil($k)));
            let expected = $function::reference(shape, &w, &s, &x).expect("it fits");
            let w = device.matrix(n, along_k, &w).expect("it fits");
            let s = device.matrix(n, k.div_ceil($k), &s).expect("it fits");
            let x = device.matrix(m, k, &x).expect("it fits");
            let y = $function(&device, &w, &s, &x).expect("it runs").to_vec().expect("y");
            assert_eq!(y, expected, "{shape:?}");
        }
    };
}

/// The bits of a number of an element.
trait Bits {
    const BITS: usize;
}

impl Bits for i4x2 {
    const BITS: usize = 4;
}

impl Bits for u4x2 {
    const BITS: usize = 4;
}

impl Bits for u8 {
    const BITS: usize = 8;
}

#[test]
fn numbers_of_4_bits_are_scaled_within_a_k_tile() {
    check!(of_4_bits, f16, i4x2, f16, 32);
    check!(of_4_bits, bf16, i4x2, f16, 32);
}

#[test]
fn two_warpgroups_convert_two_instructions_each() {
    check!(unsigned, f16, u4x2, f32, 128);
    check!(unsigned, bf16, u4x2, f32, 128);
}

#[test]
fn parts_of_k_begin_at_their_scales() {
    check!(shared_k, bf16, i4x2, bf16, 64);
}

#[test]
fn factors_of_many_columns_are_scaled() {
    check!(factors, f16, i4x2, f32, 32);
    check!(factors, bf16, i4x2, f32, 32);
}

/// The same of weights with an offset for each scale, a small integer.
macro_rules! check_offsets {
    ($function:ident, $T:ty, $W:ty, $k:literal) => {
        let device = Device::emulator();
        for [m, n, k] in SHAPES {
            // M of the kernel is that of its first factor.
            let shape = Shape { m: n, n: m, k };
            let along_k = k.div_ceil(8 / <$W as Bits>::BITS);
            let w: Vec<$W> = bytes(n * along_k).map(bytemuck::cast).collect();
            let tiles = n * (k / $k);
            let (x, s) = (small::<$T>(m * k, 3), vec![f16::from_f64(0.5); tiles]);
            let c: Vec<f16> = (0..tiles).map(|i| f16::from_f64((i * 5 % 9) as f64)).collect();
            let expected = $function::reference(shape, &w, &s, &c, &x).expect("it fits");
            let w = device.matrix(n, along_k, &w).expect("it fits");
            let [s, c] = [s, c].map(|of| device.matrix(n, k / $k, &of).expect("it fits"));
            let x = device.matrix(m, k, &x).expect("it fits");
            let y = $function(&device, &w, &s, &c, &x).expect("it runs").to_vec().expect("y");
            assert_eq!(y, expected, "{shape:?}");
        }
    };
}

#[test]
fn zeros_are_subtracted_from_sums_and_factors() {
    check_offsets!(zeros_of_sums, f16, u4x2, 64);
    check_offsets!(zeros_of_sums, bf16, u4x2, 64);
    check_offsets!(zeros_of_factors, f16, u4x2, 64);
    check_offsets!(zeros_of_factors, bf16, u4x2, 64);
}

#[test]
fn offsets_are_added_to_sums_and_factors() {
    check_offsets!(added_to_sums, f16, u8, 128);
    check_offsets!(added_to_sums, bf16, u8, 128);
    check_offsets!(added_to_factors, f16, u4x2, 64);
    check_offsets!(added_to_factors, bf16, u4x2, 64);
}

fn without_scales<T>()
where
    T: clustered::Element<Reference = Vec<f32>>,
{
    let device = Device::emulator();
    for [m, n, k] in [[1, 64, 257], [33, 139, 640], [133, 300, 80], [5, 9, 1]] {
        // M of the kernel is that of its first factor.
        let shape = Shape { m: n, n: m, k };
        let (w, x) = (bytes(n * k).collect::<Vec<u8>>(), small::<T>(m * k, 1));
        let expected = clustered::reference(shape, &w, &x).expect("it fits");
        let w = device.matrix(n, k, &w).expect("it fits");
        let x = device.matrix(m, k, &x).expect("it fits");
        let y = clustered(&device, &w, &x).expect("it runs").to_vec().expect("y");
        assert_eq!(y, expected, "{shape:?}");
    }
}

#[test]
fn blocks_of_a_cluster_convert_what_they_share() {
    without_scales::<f16>();
    without_scales::<bf16>();
}

fn in_turn<T>()
where
    T: of_8_bits::Element<Reference = Vec<f32>>,
{
    let device = Device::emulator();
    for [m, n, k] in SHAPES {
        // M of the kernel is that of its first factor.
        let shape = Shape { m: n, n: m, k };
        let w: Vec<i8> = bytes(n * k).map(|of| of as i8).collect();
        let (x, s) = (small::<T>(m * k, 1), scales::<T>(k.div_ceil(64) * n));
        let expected = of_8_bits::reference(shape, &w, &s, &x).expect("it fits");
        let w = device.matrix(n, k, &w).expect("it fits");
        let s = device.matrix(k.div_ceil(64), n, &s).expect("it fits");
        let x = device.matrix(k, m, &x).expect("it fits");
        let y = of_8_bits(&device, &w, &s, &x).expect("it runs").to_vec().expect("y");
        assert_eq!(y, expected, "{shape:?}");
    }
}

#[test]
fn warpgroups_in_turn_scale_along_n() {
    in_turn::<f16>();
    in_turn::<bf16>();
}
