//! Type parameters and lists that do not fit together, and kernels that only some elements allow.

use gemm_runtime::prelude::*;

#[gemm(T = [f16, f16, i64])]
fn unfit<T, U, V>(x: Mat<T, M, K>, w: Mat<U, N, K>) -> Mat<T, M, N> {
    matmul(x, w)
}

#[gemm]
fn undeclared(x: Mat<T, M, K>, w: Mat<T, N, K>) -> Mat<T, M, N> {
    matmul(x, w)
}

#[gemm(T = [f16, f32, f64], stages = 8, tile = [128, 128, 32], warps = [2, 2])]
fn of_some<T>(x: Mat<T, M, K>, w: Mat<T, N, K>) -> Mat<f32, M, N> {
    matmul(x, w)
}

// The items are there next to the errors.
fn call(device: &Device, x: &Matrix<f16>) {
    let _: Result<Matrix<f32>, Error> = of_some(device, x, x);
    let _ = (of_some::f32::SOURCE, of_some::report::<f64>(device));
    let _ = of_some::reference(Shape { m: 1, n: 1, k: 1 }, &[f16::ONE], &[f16::ONE]);
}

fn main() {
    let _ = call;
}
