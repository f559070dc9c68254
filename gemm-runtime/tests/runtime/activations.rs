//! The activations whose results are stored in 16 bits, at every argument of 16 bits. The reference of
//! GELU is `erfc`: `1 + erf` cancels far below zero.

use gemm_runtime::body;
use gemm_runtime::prelude::*;

/// The product is zero: each body is that of an element of `x`.
#[gemm(T = [f16, bf16], tile = [64, 64, 16], warps = [2, 2])]
fn activated<T>(
    a: Mat<T, M, K>,
    b: Mat<T, N, K>,
    x: Mat<T, M, N>,
) -> (Mat<T, M, N>, Mat<T, M, N>, Mat<T, M, N>, Mat<T, M, N>) {
    let x = x + matmul(a, b);
    (gelu(x), gelu_tanh(x), sigmoid(x), silu(x))
}

/// What is computed, exactly enough.
type Function = fn(f64) -> f64;

/// A float of 16 bits by its bits.
struct Half<T> {
    of_bits: fn(u16) -> T,
    to_f64: fn(T) -> f64,
    /// Bits of the significand, and the power of two of the last place of the least normal number.
    digits: i32,
    least: i32,
}

/// How far `value` is from `exact`, in units in the last place of `exact`.
fn distance<T>(of: &Half<T>, value: f64, exact: f64) -> f64 {
    if value == exact || value.is_nan() && exact.is_nan() {
        return 0.0;
    }
    let last = (exact.abs().log2().floor() as i32 - of.digits + 1).max(of.least);
    (value - exact).abs() / 2f64.powi(last)
}

fn check<T>(of: &Half<T>)
where
    T: Copy + activated::Element,
{
    let device = Device::emulator();
    let extent = 256;
    let every: Vec<T> = (0..=u16::MAX).map(of.of_bits).collect();
    let zeros = vec![(of.of_bits)(0); extent];
    let [a, b] = [(); 2].map(|()| device.matrix(extent, 1, &zeros).expect("it fits"));
    let x = device.matrix(extent, extent, &every).expect("it fits");
    let (gelus, by_tanh, sigmoids, silus) = activated(&device, &a, &b, &x).expect("it runs");
    let functions: [(&str, Matrix<T>, Function); 4] = [
        ("gelu", gelus, |x| 0.5 * x.max(f64::MIN) * libm::erfc(-x / 2f64.sqrt())),
        ("gelu_tanh", by_tanh, body::gelu_tanh),
        ("sigmoid", sigmoids, body::sigmoid),
        ("silu", silus, body::silu),
    ];
    for (name, results, function) in functions {
        let results = results.to_vec().expect("it was written");
        for (x, result) in every.iter().zip(results) {
            let (x, result) = ((of.to_f64)(*x), (of.to_f64)(result));
            let exact = function(x);
            // A factor of the result that is subnormal is flushed to 0, the other one is below 128.
            let is_tiny = exact.abs() < f64::from(f32::MIN_POSITIVE) * 128.0;
            let distance =
                if is_tiny { result.abs() - exact.abs() } else { distance(of, result, exact) };
            assert!(
                distance <= 1.0 || exact > f64::from(f32::MAX),
                "{name}({x}): {result}, {exact}"
            );
        }
    }
}

#[test]
fn results_are_within_one_unit_in_the_last_place() {
    check(&Half { of_bits: f16::from_bits, to_f64: f16::to_f64, digits: 11, least: -24 });
    check(&Half { of_bits: bf16::from_bits, to_f64: bf16::to_f64, digits: 8, least: -133 });
}
