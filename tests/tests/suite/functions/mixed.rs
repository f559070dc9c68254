//! Functions whose results are stored in other types: several at once, 8-bit floats, integers.

use gemm_runtime::Element;
use gemm_runtime::prelude::*;

use super::measure::{Arguments as _, EXTENT, Float, distance};

type Outputs = (Matrix<bf16>, Matrix<f16>, Matrix<i8>, Matrix<f32>);

/// A function that is stored in one type, and in four.
type Stored = (
    &'static str,
    fn(&Device, &Matrix<f32>, &Matrix<f32>) -> Result<Matrix<f32>, Error>,
    fn(&Device, &Matrix<f32>, &Matrix<f32>) -> Result<Outputs, Error>,
);

macro_rules! stored {
    ($($function:ident, $alone:ident, $mixed:ident;)+) => {
        $(
            #[gemm(tile = [64, 64, 16], warps = [2, 2])]
            fn $alone(a: Mat<f32, M, K>, b: Mat<f32, N, K>, x: Mat<f32, M, N>) -> Mat<f32, M, N> {
                $function(x * matmul(a, b))
            }

            #[gemm(tile = [64, 64, 16], warps = [2, 2])]
            fn $mixed(
                a: Mat<f32, M, K>,
                b: Mat<f32, N, K>,
                x: Mat<f32, M, N>,
            ) -> (Mat<bf16, M, N>, Mat<f16, M, N>, Mat<i8, M, N>, Mat<f32, M, N>) {
                let y = $function(x * matmul(a, b));
                (y, y, y, y)
            }
        )+

        const STORED: &[Stored] = &[$((
            stringify!($function),
            |device, ones, x| $alone(device, ones, ones, x),
            |device, ones, x| $mixed(device, ones, ones, x),
        )),+];
    };
}

stored! {
    gelu, gelu_alone, gelu_mixed;
    gelu_tanh, gelu_tanh_alone, gelu_tanh_mixed;
    silu, silu_alone, silu_mixed;
    sigmoid, sigmoid_alone, sigmoid_mixed;
}

/// The results of f32 are rounded once to each type.
fn check_rounded<T: Element>(name: &str, results: &Matrix<T>, of: &[f32]) {
    for (result, single) in results.to_vec().expect("it was written").iter().zip(of) {
        let (result, rounded) = (result.to_f64(), T::from_f64(f64::from(*single)).to_f64());
        let both_nan = result.is_nan() && rounded.is_nan();
        assert!(both_nan || result == rounded, "{name}: {result} of {single}, not {rounded}");
    }
}

pub(super) fn outputs_next_to_one_of_f32_are_its_results_rounded() {
    let device = Device::emulator();
    let ones = device.matrix(EXTENT, 1, &[1.0; EXTENT]).expect("it fits the memory");
    let x = device.matrix(EXTENT, EXTENT, &f32::arguments()).expect("it fits the memory");
    for (name, alone, mixed) in STORED {
        let singles = alone(&device, &ones, &x).expect("a launch").to_vec().expect("a copy");
        let (bf16, f16, i8, f32) = mixed(&device, &ones, &x).expect("a launch");
        check_rounded(name, &bf16, &singles);
        check_rounded(name, &f16, &singles);
        check_rounded(name, &i8, &singles);
        check_rounded(name, &f32, &singles);
    }
}

#[gemm(T = [e4m3, e5m2], tile = [64, 64, 16], warps = [2, 2])]
fn gates_of_bytes<T>(
    a: Mat<f32, M, K>,
    b: Mat<f32, N, K>,
    x: Mat<T, M, N>,
) -> (Mat<T, M, N>, Mat<T, M, N>, Mat<T, M, N>, Mat<T, M, N>) {
    let x = x * matmul(a, b);
    (gelu(x), gelu_tanh(x), silu(x), sigmoid(x))
}

/// A function on the host, in f64.
type Exact = fn(f64) -> f64;

fn check_bytes<T: Float + gates_of_bytes::Element>(every: &[T]) {
    let device = Device::emulator();
    let ones = device.matrix(16, 1, &[1.0f32; 16]).expect("it fits the memory");
    let x = device.matrix(16, 16, every).expect("it fits the memory");
    let results = gates_of_bytes(&device, &ones, &ones, &x).expect("a launch");
    let functions: [(&str, Matrix<T>, Exact); 4] = [
        ("gelu", results.0, gelu),
        ("gelu_tanh", results.1, gelu_tanh),
        ("silu", results.2, silu),
        ("sigmoid", results.3, sigmoid),
    ];
    for (name, results, exact) in functions {
        for (x, result) in every.iter().zip(results.to_vec().expect("it was written")) {
            let error = distance(result, exact(x.to_f64()));
            assert!(error <= 0.51, "{name}({x:?}) = {result:?}: {error} units");
        }
    }
}

pub(super) fn results_of_8_bits_are_rounded_to_nearest() {
    let every: [u8; 256] = std::array::from_fn(|bits| bits as u8);
    check_bytes::<e4m3>(&every.map(e4m3::from_bits));
    check_bytes::<e5m2>(&every.map(e5m2::from_bits));
}

#[gemm(tile = [64, 64, 64], warps = [2, 2])]
fn integers(
    a: Mat<i8, M, K>,
    b: Mat<i8, N, K>,
    x: Mat<i32, M, N>,
    y: Mat<i32, M, N>,
) -> (Mat<i32, M, N>, Mat<i32, M, N>, Mat<i32, M, N>) {
    let x = x * matmul(a, b);
    (x.abs(), x.max(y), x.min(y))
}

pub(super) fn functions_of_integers_are_exact() {
    let device = Device::emulator();
    let mut rng = fastrand::Rng::with_seed(5);
    let mut x: Vec<i32> = (0..64 * 64).map(|_| rng.i32(..) >> rng.u32(0..32)).collect();
    x[..5].copy_from_slice(&[i32::MIN, i32::MAX, 0, -1, 1]);
    let mut y = x.clone();
    rng.shuffle(&mut y);
    let ones = device.matrix(64, 1, &[1i8; 64]).expect("it fits the memory");
    let [of_x, of_y] = [&x, &y].map(|all| device.matrix(64, 64, all).expect("it fits the memory"));
    let (abs, max, min) = integers(&device, &ones, &ones, &of_x, &of_y).expect("a launch");
    let [abs, max, min] = [abs, max, min].map(|result| result.to_vec().expect("it was written"));
    for (at, (x, y)) in x.iter().zip(&y).enumerate() {
        let expected = [x.wrapping_abs(), *x.max(y), *x.min(y)];
        assert_eq!([abs[at], max[at], min[at]], expected, "of {x} and {y}");
    }
}
