//! Factors of two 4-bit integers in a byte.

use gemm_runtime::Element;
use gemm_runtime::prelude::*;

/// Weights of 4 bits with a scale for each row.
#[gemm(T = [f16, bf16], W = [i4x2, u4x2])]
fn of_rows<T, W>(x: Mat<T, M, K>, w: Mat<W, N, K>, s: Vector<f32, N>) -> Mat<f32, M, N> {
    matmul(x, w) * s
}

/// Weights of 4 bits in groups of 128, whose K several blocks share.
#[gemm(tile = [16, 32, 128], warps = [1, 2], split_k = 2)]
fn of_groups(
    x: Mat<bf16, M, K>,
    w: Mat<i4x2, N, K>,
    s: Tiled<bf16, N, K, 1, 128>,
) -> Mat<bf16, M, N> {
    matmul(x, w * s)
}

/// Weights on A, by way of registers, with the smaller atom.
#[gemm(tile = [32, 16, 64], warps = [2, 1], mma = m16n8k8, copy = ld_global(4), stages = 2)]
fn first(w: Mat<u4x2, M, K>, x: Mat<f16, N, K>) -> Mat<f32, M, N> {
    matmul(w, x)
}

/// Multiples of 1/16, whose products with 4 bits have exact sums.
fn tokens<T: Element>(count: usize) -> Vec<T> {
    (0..count).map(|i| T::from_f64((i * 37 % 19) as f64 / 16.0 - 0.5)).collect()
}

/// Every byte; those that begin beyond an odd K are not 0.
fn bytes(count: usize) -> impl Iterator<Item = u8> {
    (0..count).map(|i| (i * 89 % 256) as u8)
}

const SHAPES: [Shape; 4] = [
    Shape { m: 1, n: 33, k: 257 },
    Shape { m: 17, n: 40, k: 96 },
    Shape { m: 133, n: 139, k: 80 },
    Shape { m: 5, n: 9, k: 1 },
];

/// Compares weights of a type with the reference, bit by bit.
macro_rules! check_rows {
    ($T:ty, $W:ty) => {
        let device = Device::emulator();
        for shape @ Shape { m, n, k } in SHAPES {
            let x = tokens::<$T>(m * k);
            let w: Vec<$W> = bytes(n * k.div_ceil(2)).map(<$W>::from_bits).collect();
            let s: Vec<f32> = (0..n).map(|i| 0.5f32.powi(i as i32 % 5)).collect();
            let expected = of_rows::reference(shape, &x, &w, &s).expect("it fits");
            let x = device.matrix(m, k, &x).expect("it fits");
            let w = device.matrix(n, k.div_ceil(2), &w).expect("it fits");
            let s = device.vector(&s).expect("it fits");
            let y = of_rows(&device, &x, &w, &s).expect("it runs").to_vec().expect("y");
            assert_eq!(y, expected, "{shape:?}");
        }
    };
}

#[test]
fn each_number_of_a_pair_is_multiplied() {
    check_rows!(f16, i4x2);
    check_rows!(f16, u4x2);
    check_rows!(bf16, i4x2);
    check_rows!(bf16, u4x2);
}

#[test]
fn pairs_have_scales_of_groups_whose_sums_are_split() {
    let device = Device::emulator();
    for (m, n, k) in [(1, 33, 384), (40, 70, 128), (17, 64, 640)] {
        let shape = Shape { m, n, k };
        let x = tokens::<bf16>(m * k);
        let w: Vec<i4x2> = bytes(n * k / 2).map(i4x2::from_bits).collect();
        let s: Vec<bf16> =
            (0..n * k / 128).map(|i| Element::from_f64(0.5f64.powi(i as i32 % 5))).collect();
        let expected = of_groups::reference(shape, &x, &w, &s).expect("it fits");
        let x = device.matrix(m, k, &x).expect("it fits");
        let w = device.matrix(n, k / 2, &w).expect("it fits");
        let s = device.matrix(n, k / 128, &s).expect("it fits");
        let y = of_groups(&device, &x, &w, &s).expect("it runs").to_vec().expect("y");
        let rounded = expected.into_iter().map(bf16::from_f32);
        assert!(y.into_iter().eq(rounded), "{shape:?}");
    }
}

#[test]
fn pairs_may_be_the_first_factor() {
    let device = Device::emulator();
    for shape @ Shape { m, n, k } in SHAPES {
        let w: Vec<u4x2> = bytes(m * k.div_ceil(2)).map(u4x2::from_bits).collect();
        let x = tokens::<f16>(n * k);
        let expected = first::reference(shape, &w, &x).expect("it fits");
        let w = device.matrix(m, k.div_ceil(2), &w).expect("it fits");
        let x = device.matrix(n, k, &x).expect("it fits");
        let y = first(&device, &w, &x).expect("it runs").to_vec().expect("y");
        assert_eq!(y, expected, "{shape:?}");
    }
}

#[test]
fn pairs_that_are_not_half_of_k_are_refused() {
    let device = Device::emulator();
    let x = device.zeros::<f16>(3, 10).expect("it fits");
    let w = device.zeros::<u4x2>(8, 10).expect("it fits");
    let error = first(&device, &w, &x).expect_err("there are twice as many");
    assert_eq!(error.to_string(), "first: w: expected 5 columns (K = 10 in tiles of 2), got 10");
}
