//! Several products whose second factors have scales of their own.

use gemm_runtime::Element;
use gemm_runtime::prelude::*;

/// Zeros, of tiles that are a part of a k-tile; K shared by blocks.
#[gemm(T = [f16, bf16], Q = [u4x2, i8], tile = [16, 32, 64], warps = [1, 2], split_k = 2)]
fn zeros<T, Q>(
    x: Mat<T, M, K>,
    p: Mat<Q, N, K>,
    sp: Tiled<f16, N, K, 1, 32>,
    zp: Tiled<f32, N, K, 1, 32>,
    q: Mat<Q, N, K>,
    sq: Tiled<f16, N, K, 1, 32>,
    zq: Tiled<f32, N, K, 1, 32>,
) -> Mat<f32, M, N> {
    matmul(x, (p - zp) * sp) - matmul(x, (q - zq) * sq)
}

/// Three products with least values, scales along N, by warps along K and the smaller atom.
#[gemm(
    tile = [32, 48, 128], warps = [1, 2, 2], mma = m16n8k8, copy = ld_global(8), stages = 2,
    allow(bank_conflicts)
)]
fn three(
    x: Mat<f16, M, K>,
    p: Mat<u8, N, K>,
    sp: Tiled<f32, K, N, 32, 1>,
    cp: Tiled<f16, N, K, 1, 32>,
    q: Mat<u8, N, K>,
    sq: Tiled<f32, K, N, 32, 1>,
    cq: Tiled<f16, N, K, 1, 32>,
    r: Mat<u8, N, K>,
    sr: Tiled<f32, K, N, 32, 1>,
    cr: Tiled<f16, N, K, 1, 32>,
) -> Mat<f32, M, N> {
    matmul(x, p * sp + cp) - matmul(x, q * sq + cq) - matmul(x, r * sr + cr)
}

/// Bytes across K, whose lines lanes have in another order, of blocks of scales; the shared factor has scales too.
#[gemm(tile = [32, 64, 64], warps = [1, 2])]
fn across(
    x: Mat<e4m3, K, M>,
    sx: Tiled<f32, M, K, 1, 32>,
    p: Mat<e4m3, K, N>,
    sp: Tiled<f32, N, K, 32, 64>,
    q: Mat<e4m3, K, N>,
    sq: Tiled<f32, N, K, 32, 64>,
) -> Mat<f32, M, N> {
    matmul(x * sx, p * sp) - matmul(x * sx, q * sq)
}

/// A batch of tokens; one operand has the scales of both factors.
#[gemm(tile = [16, 32, 64], warps = [1, 1])]
fn batched(
    x: Batched<f16, B, M, K>,
    p: Mat<i8, N, K>,
    q: Mat<i8, N, K>,
    s: Tiled<f16, N, K, 1, 64>,
) -> Batched<f32, B, M, N> {
    matmul(x, p * s) - matmul(x, q * s)
}

/// Packed weights, whose elements have 16 columns of a product each; K shared by blocks.
#[gemm(T = [f16, bf16], Q = [i4x32, u8x16], tile = [16, 64, 128], warps = [1, 2], split_k = 2)]
fn packed<T, Q>(
    x: Mat<T, M, K>,
    p: Mat<Q, N, K>,
    sp: Tiled<f16, N, K, 1, 64>,
    cp: Tiled<f16, N, K, 1, 64>,
    q: Mat<Q, N, K>,
    sq: Tiled<f16, N, K, 1, 64>,
    cq: Tiled<f16, N, K, 1, 64>,
    bias: Vector<f32, N>,
) -> Mat<f32, M, N> {
    matmul(x, p * sp + cp) - matmul(x, q * sq + cq) + bias
}

/// Packed weights that two products share, by warps.
#[gemm(tile = [32, 32, 64], warps = [2, 1])]
fn packed_first(
    w: Mat<u4x32, M, K>,
    s: Tiled<f16, M, K, 1, 64>,
    x: Mat<f16, N, K>,
    y: Mat<f16, N, K>,
) -> Mat<f32, M, N> {
    matmul(w * s, x) - matmul(w * s, y)
}

/// The same by warpgroups.
#[gemm(tile = [64, 32, 64], mma = wgmma, copy = tma, stages = 3)]
fn packed_groups(
    w: Mat<u4x32, M, K>,
    s: Tiled<f16, M, K, 1, 64>,
    x: Mat<f16, N, K>,
    y: Mat<f16, N, K>,
) -> Mat<f32, M, N> {
    matmul(w * s, x) - matmul(w * s, y)
}

/// Small multiples of a power of two: sums of their products are exact.
fn small<T: Element>(count: usize, seed: usize) -> Vec<T> {
    (0..count).map(|i| T::from_f64((((i + seed) * 37 % 19) as f64 - 9.0) / 4.0)).collect()
}

/// Powers of two, which differ from tile to tile.
fn scales<T: Element>(count: usize, seed: usize) -> Vec<T> {
    (0..count).map(|i| T::from_f64(0.5f64.powi(((i + seed) * 7 % 5) as i32))).collect()
}

/// Small integers.
fn offsets<T: Element>(count: usize, seed: usize) -> Vec<T> {
    (0..count).map(|i| T::from_f64(((i + seed) * 5 % 9) as f64)).collect()
}

/// Every value of these bits.
fn bytes<T>(count: usize, seed: usize, from: impl Fn(u8) -> T) -> Vec<T> {
    (0..count).map(|i| from(((i + seed) * 89 % 256) as u8)).collect()
}

/// Packed elements of every byte.
fn elements<T: bytemuck::Pod>(count: usize, seed: usize) -> Vec<T> {
    let of_element = bytes(16 * count, seed, |byte| byte);
    of_element.chunks_exact(16).map(bytemuck::pod_read_unaligned).collect()
}

/// The shapes of products with this K of a tile of scales.
fn shapes(of_tile: usize) -> impl Iterator<Item = Shape> {
    let shapes = [[1, 33, 1], [16, 40, 5], [69, 75, 3]];
    shapes.into_iter().map(move |[m, n, tiles]| Shape { m, n, k: tiles * of_tile })
}

/// Compares a function with its reference, bit by bit, on matrices of these extents and elements.
macro_rules! check {
    (
        $function:ident($shape:expr): $($operand:ident[$rows:expr, $columns:expr] = $elements:expr),+
        $(; $vector:ident[$length:expr] = $of_vector:expr)?
    ) => {
        let device = Device::emulator();
        $(let $operand = $elements;)+
        $(let $vector: Vec<f32> = $of_vector;)?
        let expected =
            $function::reference($shape, $(&$operand,)+ $(&$vector)?).expect("it fits");
        $(let $operand = device.matrix($rows, $columns, &$operand).expect("it fits");)+
        $(let $vector = device.vector(&$vector).expect("it fits");)?
        let y = $function(&device, $(&$operand,)+ $(&$vector)?).expect("it runs");
        let y = y.to_vec().expect("y");
        assert_eq!(y, expected, "{:?}", $shape);
    };
}

/// Weights of a type, made from bytes with this many numbers each.
macro_rules! check_zeros {
    ($T:ty, $from:expr, $numbers:literal) => {
        for shape @ Shape { m, n, k } in shapes(32) {
            let (tiles, bytes_of_k) = (k / 32, k / $numbers);
            check!(zeros(shape):
                x[m, k] = small::<$T>(m * k, 1),
                p[n, bytes_of_k] = bytes(n * bytes_of_k, 2, $from),
                sp[n, tiles] = scales::<f16>(n * tiles, 1),
                zp[n, tiles] = offsets::<f32>(n * tiles, 1),
                q[n, bytes_of_k] = bytes(n * bytes_of_k, 3, $from),
                sq[n, tiles] = scales::<f16>(n * tiles, 2),
                zq[n, tiles] = offsets::<f32>(n * tiles, 2)
            );
        }
    };
}

#[test]
fn each_product_has_zeros_of_its_own() {
    check_zeros!(f16, u4x2::from_bits, 2);
    check_zeros!(bf16, u4x2::from_bits, 2);
    check_zeros!(f16, |byte| byte as i8, 1);
    check_zeros!(bf16, |byte| byte as i8, 1);
}

#[test]
fn three_products_have_offsets_that_are_added() {
    for shape @ Shape { m, n, k } in shapes(32) {
        let tiles = k / 32;
        check!(three(shape):
            x[m, k] = small::<f16>(m * k, 1),
            p[n, k] = bytes(n * k, 2, |byte| byte),
            sp[tiles, n] = scales::<f32>(n * tiles, 1),
            cp[n, tiles] = offsets::<f16>(n * tiles, 1),
            q[n, k] = bytes(n * k, 3, |byte| byte),
            sq[tiles, n] = scales::<f32>(n * tiles, 2),
            cq[n, tiles] = offsets::<f16>(n * tiles, 2),
            r[n, k] = bytes(n * k, 4, |byte| byte),
            sr[tiles, n] = scales::<f32>(n * tiles, 3),
            cr[n, tiles] = offsets::<f16>(n * tiles, 3)
        );
    }
}

#[test]
fn scales_are_those_of_the_lines_of_factors_across_k() {
    for shape @ Shape { m, n, k } in shapes(64) {
        let blocks = [n.div_ceil(32), k / 64];
        check!(across(shape):
            x[k, m] = small::<e4m3>(m * k, 1),
            sx[m, k / 32] = scales::<f32>(m * (k / 32), 1),
            p[k, n] = small::<e4m3>(n * k, 2),
            sp[blocks[0], blocks[1]] = scales::<f32>(blocks[0] * blocks[1], 2),
            q[k, n] = small::<e4m3>(n * k, 3),
            sq[blocks[0], blocks[1]] = scales::<f32>(blocks[0] * blocks[1], 3)
        );
    }
}

#[test]
fn tokens_of_a_batch_share_weights_and_these_their_scales() {
    let device = Device::emulator();
    for shape @ Shape { m, n, k } in shapes(64) {
        let x = small::<f16>(2 * m * k, 1);
        let [p, q] = [2, 3].map(|seed| bytes(n * k, seed, |byte| byte as i8));
        let s = scales::<f16>(n * (k / 64), 1);
        let expected = batched::reference(2, shape, &x, &p, &q, &s).expect("it fits");
        let x = device.batched(2, m, k, &x).expect("it fits");
        let [p, q] = [p, q].map(|of| device.matrix(n, k, &of).expect("it fits"));
        let s = device.matrix(n, k / 64, &s).expect("it fits");
        let y = batched(&device, &x, &p, &q, &s).expect("it runs").to_vec().expect("y");
        assert_eq!(y, expected, "{shape:?}");
    }
}

/// Packed elements of these numbers of n and k, with the bytes of each; those beyond n and k are not 0.
macro_rules! check_packed {
    ($T:ty, $Q:ty, $of_block:literal) => {
        for shape @ Shape { m, n, k } in shapes(64) {
            let (tiles, rows, columns) = (k / 64, n.div_ceil(16), k.div_ceil($of_block) * 32);
            check!(packed(shape):
                x[m, k] = small::<$T>(m * k, 1),
                p[rows, columns] = elements::<$Q>(rows * columns, 2),
                sp[n, tiles] = scales::<f16>(n * tiles, 1),
                cp[n, tiles] = offsets::<f16>(n * tiles, 1),
                q[rows, columns] = elements::<$Q>(rows * columns, 3),
                sq[n, tiles] = scales::<f16>(n * tiles, 2),
                cq[n, tiles] = offsets::<f16>(n * tiles, 2);
                bias[n] = small::<f32>(n, 4)
            );
        }
    };
}

#[test]
fn each_product_has_packed_weights_of_its_own() {
    check_packed!(f16, i4x32, 64);
    check_packed!(bf16, i4x32, 64);
    check_packed!(f16, u8x16, 32);
    check_packed!(bf16, u8x16, 32);
}

#[test]
fn products_share_packed_weights() {
    for (n, tiles) in [(33, 1), (40, 3)] {
        let (m, k) = (80, 64 * tiles);
        let shape = Shape { m, n, k };
        check!(packed_first(shape):
            w[m / 16, tiles * 32] = elements::<u4x32>(m / 16 * tiles * 32, 1),
            s[m, tiles] = scales::<f16>(m * tiles, 1),
            x[n, k] = small::<f16>(n * k, 1),
            y[n, k] = small::<f16>(n * k, 2)
        );
        check!(packed_groups(shape):
            w[m / 16, tiles * 32] = elements::<u4x32>(m / 16 * tiles * 32, 1),
            s[m, tiles] = scales::<f16>(m * tiles, 1),
            x[n, k] = small::<f16>(n * k, 1),
            y[n, k] = small::<f16>(n * k, 2)
        );
    }
}
