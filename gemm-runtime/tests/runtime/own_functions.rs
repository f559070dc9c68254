//! Functions of the user's own in bodies, against a reference in f64 that has its own copy of them.

use gemm_runtime::prelude::*;

#[gemm]
mod layers {
    use gemm_runtime::prelude::*;

    /// Halved below zero, and at most `limit`.
    pub(super) fn squashed(z: f32, limit: f32) -> f32 {
        let below = if z < 0.0 { halved(z, true) } else { z };
        below.min(limit)
    }

    fn halved(z: f32, really: bool) -> f32 {
        let int = z * 0.5;
        if really { int } else { z }
    }

    /// A hash of a position, which overflows.
    pub(super) fn mixed(i: i32, j: i32) -> i32 {
        (i + 7) * 2_000_000_011 - j % (j - j) * 3
    }

    /// A bound of no kernel: any Rust.
    pub(super) fn largest(values: &[f32]) -> f32 {
        values.iter().copied().fold(f32::NEG_INFINITY, f32::max)
    }

    #[gemm(tile = [16, 8, 16], warps = [1, 1], stages = 2)]
    pub(super) fn one(
        x: Mat<f16, M, K>,
        w: Mat<f16, N, K>,
        bias: Vector<f32, N>,
        limit: f32,
    ) -> Mat<f32, M, N> {
        squashed(matmul(x, w) + bias, limit)
    }

    #[gemm(T = [f16, bf16], tile = [16, 8, 16], warps = [1, 1], stages = 2)]
    pub(super) fn two<T>(x: Mat<T, M, K>, w: Mat<T, N, K>) -> Mat<f32, M, N> {
        let squashed = squashed(squashed(matmul(x, w), 1.0), 0.5);
        squashed + (mixed(row(), column()) % 4) as f32
    }

    pub(super) struct Layer;

    #[gemm]
    impl Layer {
        #[gemm(tile = [16, 8, 16], warps = [1, 1], stages = 2)]
        pub(super) fn three(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f32, M, N> {
            squashed(matmul(x, w), 0.25)
        }

        /// Another one than that of the module.
        fn mixed(i: i32, j: i32) -> i32 {
            Self::hashed(i) % 8 - mixed(i, j) % 4
        }

        fn hashed(i: i32) -> i32 {
            i * 2_000_000_011
        }

        #[gemm(T = [f16, bf16], tile = [16, 8, 16], warps = [1, 1], stages = 2)]
        pub(super) fn four<T>(x: Mat<T, M, K>, w: Mat<T, N, K>, mixed: f32) -> Mat<f32, M, N> {
            matmul(x, w) * mixed + Self::mixed(row(), column()) as f32
        }

        /// On the host the functions are what is written.
        pub(super) fn mixed_on_the_host(i: i32, j: i32) -> i32 {
            Self::mixed(i, j)
        }
    }
}

const M: usize = 19;
const N: usize = 11;
const K: usize = 21;
const SHAPE: Shape = Shape { m: M, n: N, k: K };

/// Multiples of 1/16, whose products are exact in f32.
fn values(length: usize, seed: usize) -> Vec<f32> {
    (0..length).map(|at| ((at * 37 + seed) % 33) as f32 / 16.0 - 1.0).collect()
}

/// `value` of each element, of its row, its column and its sum in f64.
fn expected(x: &[f32], w: &[f32], value: impl Fn(usize, usize, f64) -> f64) -> Vec<f64> {
    let sum = |m: usize, n: usize| -> f64 {
        (0..K).map(|k| f64::from(x[m * K + k]) * f64::from(w[n * K + k])).sum()
    };
    (0..M * N).map(|at| value(at / N, at % N, sum(at / N, at % N))).collect()
}

fn squashed(z: f64, limit: f64) -> f64 {
    (if z < 0.0 { z / 2.0 } else { z }).min(limit)
}

fn assert_equal(got: &[f32], expected: &[f64]) {
    assert_eq!(got.iter().map(|y| f64::from(*y)).collect::<Vec<_>>(), expected);
}

fn halves(values: &[f32]) -> Vec<f16> {
    values.iter().map(|value| f16::from_f32(*value)).collect()
}

#[test]
fn a_function_calls_another_one() -> Result<(), Error> {
    let device = Device::emulator();
    let (x, w, bias) = (values(M * K, 3), values(N * K, 5), values(N, 7));
    let limit = 2.0;
    let expected = expected(&x, &w, |_, n, z| squashed(z + f64::from(bias[n]), limit.into()));
    assert!(expected.contains(&2.0) && expected.iter().any(|y| *y < 0.0), "all branches are taken");
    let (x, w) = (halves(&x), halves(&w));
    assert_equal(&layers::one::reference(SHAPE, &x, &w, &bias, limit)?, &expected);
    let (x, w) = (device.matrix(M, K, &x)?, device.matrix(N, K, &w)?);
    let y = layers::one(&device, &x, &w, &device.vector(&bias)?, limit)?.to_vec()?;
    assert_equal(&y, &expected);
    assert_eq!(layers::largest(&y), 2.0);
    Ok(())
}

#[test]
fn functions_of_integers_wrap_on_the_host_as_on_the_device() -> Result<(), Error> {
    let device = Device::emulator();
    let mixed = |i: usize, j: usize| {
        let i = (i as i32).wrapping_add(7).wrapping_mul(2_000_000_011);
        // The remainder by zero is zero.
        assert_eq!(layers::mixed(i, j as i32), i.wrapping_add(7).wrapping_mul(2_000_000_011));
        f64::from(i % 4)
    };
    let (x, w) = (values(M * K, 1), values(N * K, 2));
    let expected = expected(&x, &w, |m, n, z| squashed(squashed(z, 1.0), 0.5) + mixed(m, n));
    let (x, w) = (halves(&x), halves(&w));
    assert_equal(&layers::two::reference(SHAPE, &x, &w)?, &expected);
    let (x, w) = (device.matrix(M, K, &x)?, device.matrix(N, K, &w)?);
    assert_equal(&layers::two(&device, &x, &w)?.to_vec()?, &expected);
    Ok(())
}

#[test]
fn a_kernel_of_a_type_calls_functions_of_the_module() -> Result<(), Error> {
    let device = Device::emulator();
    let (x, w) = (values(M * K, 1), values(N * K, 2));
    let expected = expected(&x, &w, |_, _, z| squashed(z, 0.25));
    let (x, w) = (halves(&x), halves(&w));
    assert_equal(&layers::three::reference(SHAPE, &x, &w)?, &expected);
    let (x, w) = (device.matrix(M, K, &x)?, device.matrix(N, K, &w)?);
    assert_equal(&layers::Layer::three(&device, &x, &w)?.to_vec()?, &expected);
    Ok(())
}

#[test]
fn a_kernel_of_a_type_calls_functions_of_the_type() -> Result<(), Error> {
    let device = Device::emulator();
    let mixed = |i: usize, j: usize| {
        let hashed = (i as i32).wrapping_mul(2_000_000_011);
        let of_module = (i as i32).wrapping_add(7).wrapping_mul(2_000_000_011);
        let mixed = hashed % 8 - of_module % 4;
        assert_eq!(layers::Layer::mixed_on_the_host(i as i32, j as i32), mixed);
        f64::from(mixed)
    };
    let (x, w) = (values(M * K, 1), values(N * K, 2));
    let expected = expected(&x, &w, |m, n, z| z * 0.5 + mixed(m, n));
    let (x, w) = (halves(&x), halves(&w));
    assert_equal(&layers::four::reference(SHAPE, &x, &w, 0.5)?, &expected);
    let (x, w) = (device.matrix(M, K, &x)?, device.matrix(N, K, &w)?);
    assert_equal(&layers::Layer::four(&device, &x, &w, 0.5)?.to_vec()?, &expected);
    Ok(())
}

#[test]
fn a_kernel_has_the_functions_that_it_reaches() {
    let has = |text: &str, name: &str| text.contains(&format!(" {name}(const "));
    let (one, two) = (layers::one::SOURCE, layers::two::bf16::SOURCE);
    assert!(has(one, "squashed") && has(one, "halved") && !has(one, "mixed"), "{one}");
    assert!(has(two, "squashed") && has(two, "halved") && has(two, "mixed"), "{two}");
}
