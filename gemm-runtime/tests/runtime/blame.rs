//! Which argument an error blames where extents differ: an output rather than the factors.

use gemm_runtime::prelude::*;

#[gemm(tile = [32, 16, 32], warps = [1, 1], stages = 2)]
fn linear(
    x: Mat<f16, M, K>,
    w: Mat<f16, N, K>,
    bias: Vector<f32, N>,
    residual: Mat<f32, M, N>,
) -> Mat<f32, M, N> {
    matmul(x, w) + bias + residual
}

#[gemm(tile = [32, 16, 32], warps = [1, 1], stages = 2)]
fn accumulate(x: Mat<f16, M, K>, w: Mat<f16, N, K>, c: &mut Mat<f32, M, N>) {
    *c += matmul(x, w)
}

#[gemm(tile = [32, 16, 32], warps = [1, 1], stages = 2)]
fn both(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> (Mat<f32, M, N>, Mat<f16, M, N>) {
    let z = matmul(x, w);
    (z, z)
}

#[gemm(tile = [32, 16, 32], warps = [1, 1], stages = 2)]
fn heads(q: Batched<f16, B, M, K>, w: Mat<f16, N, K>) -> Batched<f32, B, M, N> {
    matmul(q, w)
}

const M: usize = 5;
const N: usize = 6;
const K: usize = 8;

fn device() -> (Device, Matrix<f16>, Matrix<f16>) {
    let device = Device::emulator();
    let (x, w) = (device.zeros(M, K).expect("x"), device.zeros(N, K).expect("w"));
    (device, x, w)
}

#[track_caller]
fn refused(launch: Result<(), Error>, message: &str) {
    assert_eq!(launch.expect_err("extents differ").to_string(), message);
}

#[test]
fn an_output_that_differs_from_the_factors_is_blamed() {
    let (device, x, w) = device();
    let matrix = |rows, columns| device.zeros::<f32>(rows, columns).expect("it fits");
    let bias = device.vector(&[0.0f32; N]).expect("bias");
    let into = |residual: [usize; 2], mut out: Matrix<f32>| {
        linear::into(&device, &x, &w, &bias, &matrix(residual[0], residual[1]), &mut out)
    };
    refused(into([M, N], matrix(7, N)), "linear: out: expected 5 rows (M of x), got 7");
    refused(into([M, N], matrix(M, 7)), "linear: out: expected 6 columns (N of w), got 7");
    refused(into([4, N], matrix(M, N)), "linear: residual: expected 5 rows (M of x), got 4");
    // An operand and the output outvote a factor.
    refused(into([7, N], matrix(7, N)), "linear: x: expected 7 rows (M of the output), got 5");

    let mut c = matrix(7, N);
    refused(accumulate(&device, &x, &w, &mut c), "accumulate: c: expected 5 rows (M of x), got 7");
    let mut outputs = (matrix(7, N), device.zeros::<f16>(7, N).expect("it fits"));
    let launch = both::into(&device, &x, &w, &mut outputs.0, &mut outputs.1);
    refused(launch, "both: out0: expected 5 rows (M of x), got 7");
    let mut outputs = (matrix(M, N), device.zeros::<f16>(7, N).expect("it fits"));
    let launch = both::into(&device, &x, &w, &mut outputs.0, &mut outputs.1);
    refused(launch, "both: out1: expected 5 rows (M of x), got 7");
}

#[test]
fn an_output_of_other_batches_is_blamed() {
    let (device, _, w) = device();
    let q = device.batched_zeros::<f16>(3, M, K).expect("q");
    let mut out = device.batched_zeros::<f32>(2, M, N).expect("it fits");
    let launch = heads::into(&device, &q, &w, &mut out);
    refused(launch, "heads: out: expected a batch of 3 (that of q), got 2");
    let mut out = device.batched_zeros::<f32>(3, M + 1, N).expect("it fits");
    refused(heads::into(&device, &q, &w, &mut out), "heads: out: expected 5 rows (M of q), got 6");
}

#[test]
fn a_factor_that_is_passed_transposed_is_blamed() {
    let (device, x, w) = device();
    let matrix = |rows, columns| device.zeros::<f32>(rows, columns).expect("it fits");
    let (bias, residual) = (device.vector(&[0.0f32; N]).expect("bias"), matrix(M, N));
    let transposed = device.zeros::<f16>(K, N).expect("w");
    let message = "linear: w: expected 8 columns (K of x), got 6";
    refused(linear(&device, &x, &transposed, &bias, &residual).map(drop), message);
    let mut out = matrix(M, N);
    refused(linear::into(&device, &x, &transposed, &bias, &residual, &mut out), message);
    let prepared = linear::prepare(&device, &x, &transposed, &bias, &residual, &mut out);
    refused(prepared.map(drop), message);
    let of_tensors = linear::SIGNATURE.shape(&[[M, K], [K, N], [1, N], [M, N]]);
    refused(of_tensors.map(drop), message);

    let message = "linear: x: expected 8 columns (K of w), got 5";
    let transposed = device.zeros::<f16>(K, M).expect("x");
    refused(linear(&device, &transposed, &w, &bias, &residual).map(drop), message);
    let mut c = matrix(M, N);
    let message = "accumulate: x: expected 8 columns (K of w), got 5";
    refused(accumulate(&device, &transposed, &w, &mut c), message);
}

#[test]
fn factors_that_differ_in_k_are_blamed_in_their_order() {
    let (device, x, _) = device();
    let w = device.zeros::<f16>(N, K + 1).expect("w");
    let mut c = device.zeros::<f32>(M, N).expect("c");
    let launch = accumulate(&device, &x, &w, &mut c);
    refused(launch, "accumulate: w: expected 8 columns (K of x), got 9");
}
