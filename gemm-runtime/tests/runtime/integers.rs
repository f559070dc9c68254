//! Integers of a body wrap on the host as on the device, also in builds whose operators panic.

use gemm_runtime::prelude::*;

const LARGE: i32 = 100_000;

/// Each operator by the value of `which`, on sums that are `i32::MIN`, `i32::MAX` and small.
#[gemm(tile = [16, 8, 32], warps = [1, 1], stages = 2)]
fn operators(
    a: Mat<i8, M, K>,
    b: Mat<i8, N, K>,
    x: Vector<i32, M>,
    which: Vector<i32, N>,
    by: i32,
) -> Mat<i32, M, N> {
    let x = x + matmul(a, b);
    let large: i32 = LARGE;
    if which == 0 {
        x * 100_000
    } else if which == 1 {
        x + x
    } else if which == 2 {
        -2147483648 - (x + 1)
    } else if which == 3 {
        (-x).abs()
    } else if which == 4 {
        x / (which - 5) - x / (which - 4)
    } else if which == 5 {
        x % (which - 6) + x % (which - 5) + x % (x / x)
    } else if which == 6 {
        x * (large * 100_000) + (100_000 * 100_000)
    } else if which == 7 {
        (x as f32 * 1e5) as i32 + (by * by)
    } else {
        x.abs().max(-x) + !x * by
    }
}

/// Old elements of the output, with each operator that assigns.
#[gemm(tile = [16, 8, 32], warps = [1, 1], stages = 2)]
fn scaled(c: &mut Mat<i32, M, N>, a: Mat<i8, M, K>, b: Mat<i8, N, K>, by: i32) {
    *c *= by * matmul(a, b);
}

#[gemm(tile = [16, 8, 32], warps = [1, 1], stages = 2)]
fn added(c: &mut Mat<i32, M, N>, a: Mat<i8, M, K>, b: Mat<i8, N, K>) {
    *c += matmul(a, b);
}

#[gemm(tile = [16, 8, 32], warps = [1, 1], stages = 2)]
fn divided(c: &mut Mat<i32, M, N>, a: Mat<i8, M, K>, b: Mat<i8, N, K>) {
    *c /= matmul(a, b);
}

/// Two outputs, and floats next to integers.
#[gemm(tile = [16, 8, 32], warps = [1, 1], stages = 2)]
fn both(a: Mat<i8, M, K>, b: Mat<i8, N, K>, scale: f32) -> (Mat<i32, M, N>, Mat<f32, M, N>) {
    let z = matmul(a, b) * 2_000_000;
    (z, -(z as f32 + 0.5) * scale / 3.0)
}

const M: usize = 4;
const N: usize = 9;
const K: usize = 2;
const SHAPE: Shape = Shape { m: M, n: N, k: K };

/// Sums that are 16129 each.
const A: [i8; M * K] = [127, 0, 127, 0, 127, 0, 127, 0];
const B: [i8; N * K] = [127, 1, 127, 1, 127, 1, 127, 1, 127, 1, 127, 1, 127, 1, 127, 1, 127, 1];

#[test]
fn integers_wrap_on_the_host_as_on_the_device() {
    let device = Device::emulator();
    // With the sums i32::MIN, i32::MAX, 0 and 30000.
    let x = [i32::MIN, i32::MAX, 0, 30_000].map(|sum: i32| sum.wrapping_sub(127 * 127));
    let which: [i32; N] = [0, 1, 2, 3, 4, 5, 6, 7, 8];
    let expected = operators::reference(SHAPE, &A, &B, &x, &which, 70_000).expect("it fits");
    let row = &expected[3 * N..];
    assert_eq!(row[0], 30_000i32.wrapping_mul(100_000));
    assert_eq!(expected[0..4], [0, 0, -1, i32::MIN], "of i32::MIN");

    let (a, b) = (device.matrix(M, K, &A).expect("a"), device.matrix(N, K, &B).expect("b"));
    let (x, which) = (device.vector(&x).expect("x"), device.vector(&which).expect("which"));
    let y = operators(&device, &a, &b, &x, &which, 70_000).expect("a launch");
    assert_eq!(y.to_vec().expect("a copy"), expected);
}

#[test]
fn integers_that_are_assigned_wrap() {
    let device = Device::emulator();
    let (a, b) = (device.matrix(M, K, &A).expect("a"), device.matrix(N, K, &B).expect("b"));
    let old: Vec<i32> = (0..M * N).map(|at| i32::MAX - at as i32).collect();
    let mut c = device.matrix(M, N, &old).expect("c");
    let expected = scaled::reference(SHAPE, &old, &A, &B, 70_000).expect("it fits");
    scaled(&device, &mut c, &a, &b, 70_000).expect("a launch");
    assert_eq!(c.to_vec().expect("a copy"), expected);

    let mut c = device.matrix(M, N, &old).expect("c");
    let expected = added::reference(SHAPE, &old, &A, &B).expect("it fits");
    assert_eq!(expected[0], i32::MAX.wrapping_add(127 * 127));
    added(&device, &mut c, &a, &b).expect("a launch");
    assert_eq!(c.to_vec().expect("a copy"), expected);
}

#[test]
fn a_quotient_by_zero_is_zero() {
    let device = Device::emulator();
    let (a, b) = ([0i8; M * K], device.matrix(N, K, &B).expect("b"));
    let old = [i32::MIN; M * N];
    let expected = divided::reference(SHAPE, &old, &a, &B).expect("it fits");
    assert_eq!(expected, [0; M * N]);
    let (mut c, a) = (device.matrix(M, N, &old).expect("c"), device.matrix(M, K, &a).expect("a"));
    divided(&device, &mut c, &a, &b).expect("a launch");
    assert_eq!(c.to_vec().expect("a copy"), expected);
}

#[test]
fn floats_next_to_integers_are_as_before() {
    let device = Device::emulator();
    let (integers, floats) = both::reference(SHAPE, &A, &B, 1.5).expect("it fits");
    assert_eq!(integers[0], (127 * 127i32).wrapping_mul(2_000_000));
    let (a, b) = (device.matrix(M, K, &A).expect("a"), device.matrix(N, K, &B).expect("b"));
    let (y, z) = both(&device, &a, &b, 1.5).expect("a launch");
    assert_eq!(y.to_vec().expect("a copy"), integers);
    for (got, expected) in z.to_vec().expect("a copy").iter().zip(&floats) {
        assert!((got - expected).abs() <= 1e-6 * expected.abs(), "{got}, {expected}");
    }
}
