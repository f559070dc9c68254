//! Packed integer weights, by warps and by warpgroups.

use gemm_runtime::prelude::*;
use gemm_runtime::{Element, PackedOrder};

/// Weights on the second side, scales of a whole load of a lane.
#[gemm(T = [f16, bf16], tile = [16, 64, 128], warps = [1, 4])]
fn by_warps<T>(x: Mat<T, M, K>, w: Mat<i4x32, N, K>, s: Tiled<f16, N, K, 1, 64>) -> Mat<f32, M, N> {
    matmul(x, w * s)
}

/// Weights on the first side, scales of a half of it.
#[gemm(T = [f16, bf16], tile = [32, 24, 64], warps = [2, 1])]
fn first<T>(w: Mat<u4x32, N, K>, s: Tiled<f32, N, K, 1, 32>, x: Mat<T, M, K>) -> Mat<f32, M, N> {
    matmul(w * s, x)
}

/// Bytes, two warps along K.
#[gemm(T = [f16, bf16], tile = [32, 32, 128], warps = [1, 1, 2])]
fn of_bytes<T>(x: Mat<T, M, K>, w: Mat<i8x16, N, K>, s: Tiled<T, N, K, 1, 32>) -> Mat<f32, M, N> {
    matmul(x, w * s)
}

/// Zeros, of scales of a quarter of a load.
#[gemm(T = [f16, bf16], tile = [16, 32, 64], warps = [1, 2], split_k = 2)]
fn zeros<T>(
    x: Mat<T, M, K>,
    w: Mat<u4x32, N, K>,
    s: Tiled<f16, N, K, 1, 16>,
    z: Tiled<f16, N, K, 1, 16>,
) -> Mat<f32, M, N> {
    matmul(x, (w - z) * s)
}

/// One tile of a block.
#[gemm(T = [f16, bf16], tile = [64, 32, 128], mma = wgmma, copy = tma, stages = 3)]
fn by_groups<T>(
    w: Mat<i4x32, N, K>,
    s: Tiled<f16, N, K, 1, 32>,
    x: Mat<T, M, K>,
) -> Mat<f32, M, N> {
    matmul(w * s, x) + 0.5
}

/// Two warpgroups, each with two instructions along M.
#[gemm(T = [f16, bf16], tile = [256, 24, 64], warpgroups = [2, 1], mma = wgmma, copy = tma,
       schedule = cooperative, stages = 4)]
fn cooperative<T>(
    w: Mat<u4x32, N, K>,
    s: Tiled<f32, N, K, 1, 128>,
    x: Mat<T, M, K>,
) -> Mat<f32, M, N> {
    matmul(w * s, x)
}

/// More columns than sums are scaled of, in turn.
#[gemm(T = [f16, bf16], tile = [64, 80, 128], mma = wgmma, copy = tma, schedule = pingpong, stages = 3)]
fn pingpong<T>(w: Mat<i8x16, N, K>, s: Tiled<T, N, K, 1, 64>, x: Mat<T, M, K>) -> Mat<f32, M, N> {
    matmul(s * w, x)
}

/// No scales; a cluster whose blocks share both tiles.
#[gemm(T = [f16, bf16], tile = [64, 16, 64], mma = wgmma, copy = tma, cluster = [2, 2], stages = 4)]
fn clustered<T>(w: Mat<u8x16, N, K>, x: Mat<T, M, K>) -> Mat<f32, M, N> {
    matmul(w, x)
}

/// K shared by the blocks of a cluster.
#[gemm(tile = [64, 32, 256], mma = wgmma, copy = tma, split_k = 2, stages = 2)]
fn shared_k(
    w: Mat<i4x32, N, K>,
    s: Tiled<bf16, N, K, 1, 64>,
    x: Mat<bf16, M, K>,
) -> Mat<f32, M, N> {
    matmul(w * s, x)
}

/// Small multiples of a power of two: sums of their products are exact.
fn small<T: Element>(count: usize, seed: usize) -> Vec<T> {
    (0..count).map(|i| T::from_f64((((i + seed) * 37 % 19) as f64 - 9.0) / 4.0)).collect()
}

/// Powers of two, which differ from tile to tile.
fn scales<T: Element>(count: usize) -> Vec<T> {
    (0..count).map(|i| T::from_f64(0.5f64.powi((i * 7 % 5) as i32))).collect()
}

/// Rows and columns of packed weights of this n and k.
fn extents<W: Element>(n: usize, k: usize) -> [usize; 2] {
    let [lines, of_block] = PackedOrder::of(W::ELEMENT).expect("it is packed").block();
    [n.div_ceil(lines), k.div_ceil(of_block) * 32]
}

/// Packed weights of every byte; those beyond n and k are not 0.
fn weights<W: Element>(n: usize, k: usize) -> Vec<W> {
    let count = extents::<W>(n, k).into_iter().product::<usize>();
    let byte = |i| (i * 89 % 251) as u8;
    let element = |number| std::array::from_fn(|i| byte(16 * number + i));
    (0..count).map(|number| bytemuck::cast::<[u8; 16], W>(element(number))).collect()
}

/// M, N and K of x · w.
const SHAPES: [[usize; 3]; 3] = [[1, 64, 256], [33, 139, 640], [133, 300, 128]];

/// Compares a function with its reference, bit by bit: of x of `$T`, weights `$W`, scales `$S` of `$k` along K and zeros,
/// in the order in which it takes those that it takes.
macro_rules! check {
    ($function:ident: $T:ty, $W:ty, $S:ty, $k:literal, |$x:ident, $w:ident, $s:ident, $z:ident| $($order:ident),+) => {
        let device = Device::emulator();
        for [m, n, k] in SHAPES {
            // M of the kernel is that of its first factor.
            let is_first = stringify!($($order)+).starts_with('w');
            let shape = if is_first { Shape { m: n, n: m, k } } else { Shape { m, n, k } };
            let ($x, $w, tiles) = (small::<$T>(m * k, 3), weights::<$W>(n, k), k.div_ceil($k));
            let ($s, $z) = (scales::<$S>(n * tiles), zeros_of(n * tiles));
            let expected = $function::reference(shape, $(&$order),+).expect("it fits");
            let [rows, columns] = extents::<$W>(n, k);
            let $w = device.matrix(rows, columns, &$w).expect("it fits");
            let $x = device.matrix(m, k, &$x).expect("it fits");
            let $s = device.matrix(n, tiles, &$s).expect("it fits");
            let $z = device.matrix(n, tiles, &$z).expect("it fits");
            let mut y = device.matrix(m, n, &vec![f32::NAN; m * n]).expect("it fits");
            $function::into(&device, $(&$order,)+ &mut y).expect("it runs");
            assert_eq!(y.to_vec().expect("y"), expected, "{shape:?}");
            let _ = ($s, $z);
        }
    };
}

/// Small integers.
fn zeros_of(count: usize) -> Vec<f16> {
    (0..count).map(|i| f16::from_f64((i * 5 % 9) as f64)).collect()
}

#[test]
fn warps_convert_the_second_factor() {
    check!(by_warps: f16, i4x32, f16, 64, |x, w, s, z| x, w, s);
    check!(by_warps: bf16, i4x32, f16, 64, |x, w, s, z| x, w, s);
}

#[test]
fn warps_convert_the_first_factor() {
    check!(first: f16, u4x32, f32, 32, |x, w, s, z| w, s, x);
    check!(first: bf16, u4x32, f32, 32, |x, w, s, z| w, s, x);
}

#[test]
fn warps_along_k_convert_bytes() {
    check!(of_bytes: f16, i8x16, f16, 32, |x, w, s, z| x, w, s);
    check!(of_bytes: bf16, i8x16, bf16, 32, |x, w, s, z| x, w, s);
}

#[test]
fn zeros_are_subtracted_within_a_load() {
    check!(zeros: f16, u4x32, f16, 16, |x, w, s, z| x, w, s, z);
    check!(zeros: bf16, u4x32, f16, 16, |x, w, s, z| x, w, s, z);
}

#[test]
fn warpgroups_scale_sums() {
    check!(by_groups: f16, i4x32, f16, 32, |x, w, s, z| w, s, x);
    check!(by_groups: bf16, i4x32, f16, 32, |x, w, s, z| w, s, x);
    check!(cooperative: f16, u4x32, f32, 128, |x, w, s, z| w, s, x);
    check!(cooperative: bf16, u4x32, f32, 128, |x, w, s, z| w, s, x);
    check!(shared_k: bf16, i4x32, bf16, 64, |x, w, s, z| w, s, x);
}

#[test]
fn warpgroups_scale_factors() {
    check!(pingpong: f16, i8x16, f16, 64, |x, w, s, z| w, s, x);
    check!(pingpong: bf16, i8x16, bf16, 64, |x, w, s, z| w, s, x);
}

#[test]
fn blocks_of_a_cluster_share_packed_rows() {
    check!(clustered: f16, u8x16, f16, 64, |x, w, s, z| w, x);
    check!(clustered: bf16, u8x16, f16, 64, |x, w, s, z| w, x);
}
