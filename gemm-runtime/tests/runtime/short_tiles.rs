//! Weights of 8 bits with a scale for each 16 of K, as GGUF's Q6_K has them: lanes convert four neighbours at a time.

use gemm_runtime::Element;
use gemm_runtime::prelude::*;

#[gemm(T = [f16, bf16], W = [i8, u8], tile = [32, 32, 64], warps = [1, 2])]
fn of_weights<T, W>(
    x: Mat<T, M, K>,
    w: Mat<W, N, K>,
    s: Tiled<f32, N, K, 1, 16>,
) -> Mat<f32, M, N> {
    matmul(x, w * s)
}

/// Two instructions for a k-step; warps along K have other tiles of scales; the weights are the first factor.
#[gemm(
    T = [f16, bf16], W = [i8, u8],
    tile = [32, 32, 64], warps = [1, 1, 2], mma = m16n8k8, copy = ld_global(16), stages = 2
)]
fn less_zeros<T, W>(
    w: Mat<W, M, K>,
    s: Tiled<f32, K, M, 16, 1>,
    z: Tiled<f16, M, K, 1, 16>,
    x: Mat<T, N, K>,
) -> Mat<f32, M, N> {
    matmul((w - z) * s, x)
}

/// The lines of the first factor are summed too; the other factor has longer tiles, and blocks share K.
#[gemm(tile = [16, 32, 48], warps = [1, 2], split_k = 2)]
fn plus_least(
    x: Mat<bf16, M, K>,
    sx: Tiled<f32, M, K, 1, 48>,
    w: Mat<u8, N, K>,
    s: Tiled<f32, N, K, 1, 16>,
    c: Tiled<f32, N, K, 1, 16>,
) -> Mat<f32, M, N> {
    matmul(x * sx, w * s + c)
}

/// The schedule is derived.
#[gemm]
fn derived(x: Mat<f16, M, K>, w: Mat<i8, N, K>, s: Tiled<f32, N, K, 1, 16>) -> Mat<f32, M, N> {
    matmul(x, w * s)
}

/// Small multiples of a power of two: sums of their products are exact.
fn small<T: Element>(count: usize, seed: usize) -> Vec<T> {
    (0..count).map(|i| T::from_f64((((i + seed) * 37 % 19) as f64 - 9.0) / 4.0)).collect()
}

/// Powers of two, which differ from tile to tile.
fn scales<T: Element>(count: usize) -> Vec<T> {
    (0..count).map(|i| T::from_f64(0.5f64.powi((i * 7 % 5) as i32))).collect()
}

/// Integers about 0, which differ from tile to tile.
fn offsets<T: Element>(count: usize) -> Vec<T> {
    (0..count).map(|i| T::from_f64((i * 11 % 7) as f64 - 3.0)).collect()
}

/// Every value of 8 bits.
fn bytes<W: Element>(count: usize, least: f64) -> Vec<W> {
    (0..count).map(|i| W::from_f64((i * 89 % 256) as f64 + least)).collect()
}

fn shapes(depths: [usize; 3]) -> impl Iterator<Item = Shape> {
    let mn = [[1, 33], [17, 40], [69, 75]];
    mn.into_iter().zip(depths).map(|([m, n], k)| Shape { m, n, k })
}

fn weights_of<T, W: Element>(least: f64)
where
    T: of_weights::Element<W, Reference = Vec<f32>> + less_zeros::Element<W, Reference = Vec<f32>>,
{
    let device = Device::emulator();
    for shape @ Shape { m, n, k } in shapes([16, 80, 208]) {
        let (a, w) = (small::<T>(m * k, 1), bytes::<W>(n * k, least));
        let s = scales::<f32>(n * (k / 16));
        let expected = of_weights::reference(shape, &a, &w, &s).expect("it fits");
        let a = device.matrix(m, k, &a).expect("it fits");
        let w = device.matrix(n, k, &w).expect("it fits");
        let s = device.matrix(n, k / 16, &s).expect("it fits");
        let y = of_weights(&device, &a, &w, &s).expect("it runs").to_vec().expect("y");
        assert_eq!(y, expected, "{shape:?}");

        let (w, x) = (bytes::<W>(m * k, least), small::<T>(n * k, 2));
        let (s, z) = (scales::<f32>(m * (k / 16)), offsets::<f16>(m * (k / 16)));
        let expected = less_zeros::reference(shape, &w, &s, &z, &x).expect("it fits");
        let w = device.matrix(m, k, &w).expect("it fits");
        let s = device.matrix(k / 16, m, &s).expect("it fits");
        let z = device.matrix(m, k / 16, &z).expect("it fits");
        let x = device.matrix(n, k, &x).expect("it fits");
        let y = less_zeros(&device, &w, &s, &z, &x).expect("it runs").to_vec().expect("y");
        assert_eq!(y, expected, "{shape:?}");
    }
}

#[test]
fn weights_have_a_scale_for_each_16_along_k() {
    weights_of::<f16, i8>(-128.0);
    weights_of::<f16, u8>(0.0);
    weights_of::<bf16, i8>(-128.0);
    weights_of::<bf16, u8>(0.0);
}

#[test]
fn the_other_factor_may_have_longer_tiles() {
    let device = Device::emulator();
    for shape @ Shape { m, n, k } in shapes([48, 144, 240]) {
        let (x, w) = (small::<bf16>(m * k, 1), bytes::<u8>(n * k, 0.0));
        let (sx, s, c) = (scales(m * (k / 48)), scales(n * (k / 16)), offsets(n * (k / 16)));
        let expected = plus_least::reference(shape, &x, &sx, &w, &s, &c).expect("it fits");
        let x = device.matrix(m, k, &x).expect("it fits");
        let w = device.matrix(n, k, &w).expect("it fits");
        let sx = device.matrix(m, k / 48, &sx).expect("it fits");
        let s = device.matrix(n, k / 16, &s).expect("it fits");
        let c = device.matrix(n, k / 16, &c).expect("it fits");
        let y = plus_least(&device, &x, &sx, &w, &s, &c).expect("it runs").to_vec().expect("y");
        assert_eq!(y, expected, "{shape:?}");
    }
}

#[test]
fn a_schedule_is_derived() {
    let device = Device::emulator();
    let shape @ Shape { m, n, k } = Shape { m: 37, n: 70, k: 272 };
    let (x, w) = (small::<f16>(m * k, 1), bytes::<i8>(n * k, -128.0));
    let s = scales::<f32>(n * (k / 16));
    let expected = derived::reference(shape, &x, &w, &s).expect("it fits");
    let x = device.matrix(m, k, &x).expect("it fits");
    let w = device.matrix(n, k, &w).expect("it fits");
    let s = device.matrix(n, k / 16, &s).expect("it fits");
    let y = derived(&device, &x, &w, &s).expect("it runs").to_vec().expect("y");
    assert_eq!(y, expected);
}
