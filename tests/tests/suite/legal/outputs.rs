//! Several outputs: a tuple is returned, and taken to be written.
#![deny(warnings)]

use gemm_runtime::prelude::*;

#[gemm]
pub fn linear_both(
    x: Mat<f16, M, K>,
    w: Mat<f16, N, K>,
    bias: Vector<f16, N>,
) -> (Mat<f32, M, N>, Mat<f16, M, N>) {
    let z = matmul(x, w) + bias;
    (z, gelu(z))
}

/// Values of two types, the names of outputs as names of operands, four of them.
#[gemm]
fn four(
    out0: Batched<i8, B, M, K>,
    out1: Mat<i8, N, K>,
    elements: f32,
) -> (Batched<i32, B, N, M>, Batched<f32, B, N, M>, Batched<u8, B, N, M>, Batched<bf16, B, N, M>) {
    let sum = matmul(out0, out1);
    let scaled = sum as f32 * elements;
    (sum, scaled, sum + 1, if scaled > 2.0 { 1.0 } else { -0.5 })
}

#[rustfmt::skip]
#[gemm]
fn on_one_line(a: Mat<f64, M, K>, b: Mat<f64, N, K>) -> (Mat<f64, M, N>, Mat<f64, M, N>,) { (matmul(a, b), 0.5,) }

pub(super) fn check() {
    let (one, shape) = ([f16::ONE], Shape { m: 1, n: 1, k: 1 });
    let (z, y) = linear_both::reference(shape, &one, &one, &one).unwrap();
    assert_eq!((&z[..], y.len()), (&[2.0][..], 1));
    let (sum, scaled, more, gate) = four::reference(2, shape, &[3, 4], &[2], 0.25).unwrap();
    assert_eq!((sum, scaled), (vec![6, 8], vec![1.5, 2.0]));
    assert_eq!((more, gate), (vec![7, 9], vec![-0.5, -0.5]));
    let (product, half) = on_one_line::reference(shape, &[3.0], &[0.5]).unwrap();
    assert_eq!((product, half), (vec![1.5], vec![0.5]));

    let uses = |device: &Device, x: &Matrix<f16>, bias: &DeviceVector<f16>| {
        let (mut z, mut y): (Matrix<f32>, Matrix<f16>) = linear_both(device, x, x, bias)?;
        linear_both::into(device, x, x, bias, &mut z, y.view_mut())?;
        linear_both::prepare(device, x, x, bias, &mut z, &mut y)?.launch()
    };
    let _ = uses;
    let uses = |device: &Device, a: &BatchedMatrix<i8>, b: &Matrix<i8>| -> Result<(), Error> {
        let all: (BatchedMatrix<i32>, BatchedMatrix<f32>, BatchedMatrix<u8>, BatchedMatrix<bf16>) =
            four(device, a, b, 1.0)?;
        let (mut sum, mut scaled, mut more, mut gate) = all;
        four::into(device, a, b, 1.0, &mut sum, &mut scaled, &mut more, &mut gate)
    };
    let _ = uses;
    let _ = |device: &Device, a: &Matrix<f64>| on_one_line(device, a, a);
}
